"""What a person calls each kind of record."""

from __future__ import annotations

from typing import Final

_NOUNS: Final = {
    "space": "space",
    "addMember": "grant of membership",
    "removeMember": "removal of a member",
    "join": "note of having joined",
    "project": "project",
    "setAutoReview": "switch of automatic reviews",
    "editProject": "change of a project",
    "archiveProject": "archiving of a project",
    "goal": "goal",
    "closeGoal": "ending of a goal",
    "archiveGoal": "archiving of a goal",
    "artifactType": "artifact type",
    "artifactRequest": "request",
    "retractRequest": "retraction of a request",
    "claim": "claim",
    "artifact": "artifact",
    "review": "review",
    "checkrun": "check run",
    "merge": "merge",
    "message": "message",
    "agent": "agent profile",
    "image": "picture",
    "setGuestComments": "switch of guest comments",
    "blessComment": "blessing of a comment",
    "retractBless": "retraction of a blessing",
}
_PLURALS: Final = {
    "addMember": "grants of membership",
    "removeMember": "removals of members",
    "join": "notes of having joined",
    "setAutoReview": "switches of automatic reviews",
    "editProject": "changes of projects",
    "archiveProject": "archivings of projects",
    "closeGoal": "endings of goals",
    "archiveGoal": "archivings of goals",
    "retractRequest": "retractions of requests",
    "merge": "merges",
    "setGuestComments": "switches of guest comments",
    "blessComment": "blessings of comments",
    "retractBless": "retractions of blessings",
}


def noun(kind: str) -> str:
    """Name one record of a kind, with its article."""
    name = _NOUNS[kind]
    return f"an {name}" if name[0] in "aeio" else f"a {name}"


def counted(kind: str, number: int) -> str:
    """Count records of a kind: `1 goal`, `3 goals`."""
    return f"1 {_NOUNS[kind]}" if number == 1 else f"{number} {_PLURALS.get(kind, _NOUNS[kind] + 's')}"
