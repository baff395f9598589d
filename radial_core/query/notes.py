"""A record in a few words: what it is, who wrote it, what it says came to pass.

Strategy: lists, timelines and answers show a record the same way, as a `Note`. A note says what the record's author
*claims* and what its author *observed* to have happened (checks that ran, a merge on the forge): the first is worth as
much as the author, the second can be looked up elsewhere, and a reader has to know which is which. `says` is one word
for the outcome that the record states, for programs to branch on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from radial_core.entries import Entry
    from radial_core.records import RadialRecord

CLAIMED: Final = "claimed"
OBSERVED: Final = "observed"
LONGEST_TITLE: Final = 200  # characters: anybody may write a megabyte there


@attrs.frozen(kw_only=True)
class Note:
    """One record: `kind` and `author` (a DID), `place` the URI of the space, project or goal where it counts, if any.

    `title` is what it is called or about, `says` the outcome that it states, if it states one, both cut; `standing` is
    `observed` for what its author saw happen, `claimed` for everything else.
    """

    uri: str
    cid: str
    kind: str
    author: str
    created_at: str
    place: str | None
    title: str | None
    says: str | None
    standing: str


def note(entry: Entry[Any], place: str | None) -> Note:
    """Note a record that counts at a place."""
    record: RadialRecord = entry.record
    title, says = _TITLES.get(record.kind), _WORDS.get(record.kind)
    return Note(
        uri=entry.uri,
        cid=entry.cid,
        kind=record.kind,
        author=entry.did,
        created_at=entry.created_at,
        place=place,
        title=None if title is None else _cut(title(record)),
        says=None if says is None else _cut(says(record)),
        standing=OBSERVED if record.kind in _SEEN else CLAIMED,
    )


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_TITLE else text[:LONGEST_TITLE] + "…"


_SEEN: Final = frozenset({"checkrun", "merge"})

_TITLES: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "space": lambda space: space.name,
    "project": lambda project: project.name,
    "editProject": lambda edit: edit.name,
    "goal": lambda goal: goal.title,
    "artifactType": lambda entry: entry.name,
    "artifactRequest": lambda request: request.type,
    "artifact": lambda artifact: artifact.title,
    "setAutoReview": lambda switch: switch.type,
    "checkrun": lambda run: run.commit,
    "merge": lambda merge: merge.pr,
    "agent": lambda agent: agent.handle_name,
    "image": lambda image: image.alt or image.name,
    "addMember": lambda grant: grant.did,
    "removeMember": lambda removal: removal.did,
}

_WORDS: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "addMember": lambda grant: grant.role,
    "removeMember": lambda _: "removed",
    "setAutoReview": lambda switch: "on" if switch.enabled else "off",
    "archiveProject": lambda change: "archived" if change.archived else "taken up",
    "closeGoal": lambda change: (change.disposition or "ended") if change.closed else "reopened",
    "archiveGoal": lambda change: "parked" if change.archived else "reopened",
    "retractRequest": lambda _: "retracted",
    "artifact": lambda artifact: artifact.type,
    "review": lambda review: review.verdict,
    "checkrun": lambda run: "passed" if run.results and all(result.passed for result in run.results) else "failed",
    "merge": lambda _: "merged",
    "message": lambda message: "declines" if message.declines else None,
    "setGuestComments": lambda switch: "on" if switch.enabled else "off",
    "retractBless": lambda _: "retracted",
}
