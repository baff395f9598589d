"""A record in a few words: what it is, who wrote it, what it says came to pass.

Strategy: lists, timelines and answers show a record the same way, as a `Note`. A note says what the record's author
*claims* and what its author *observed* to have happened (checks that ran, a merge on the forge): the first is worth as
much as the author, the second can be looked up elsewhere, and a reader has to know which is which. `says` is one word
for the outcome that the record states, for programs to branch on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.records import (
    AddMember,
    Agent,
    ArchiveGoal,
    ArchiveProject,
    Artifact,
    ArtifactRequest,
    ArtifactType,
    Checkrun,
    CloseGoal,
    EditProject,
    Goal,
    Image,
    Merge,
    Message,
    Project,
    RadialRecord,
    RemoveMember,
    RetractBless,
    RetractRequest,
    Review,
    SetAutoReview,
    SetGuestComments,
    Space,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from radial_core.entries import Entry

CLAIMED: Final = "claimed"
OBSERVED: Final = "observed"
LONGEST_TITLE: Final = 200  # characters: anybody may write a megabyte there


@attrs.frozen(kw_only=True)
class Note:
    """One record: `kind` and `author` (a DID), `place` the URI of the space, project or goal where it counts, if any.

    `title` is what it is called or about, cut; `says` the outcome that it states, if it states one; `standing` is
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
    title, says = _TITLES.get(record.__class__), _WORDS.get(record.__class__)
    return Note(
        uri=entry.uri,
        cid=entry.cid,
        kind=record.kind,
        author=entry.did,
        created_at=entry.created_at,
        place=place,
        title=None if title is None else _cut(title(record)),
        says=None if says is None else says(record),
        standing=OBSERVED if record.__class__ in _SEEN else CLAIMED,
    )


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_TITLE else text[:LONGEST_TITLE] + "…"


_SEEN: Final = frozenset({Checkrun, Merge})

_TITLES: Final[Mapping[type[RadialRecord], Callable[[Any], str | None]]] = {
    Space: lambda space: space.name,
    Project: lambda project: project.name,
    EditProject: lambda edit: edit.name,
    Goal: lambda goal: goal.title,
    ArtifactType: lambda entry: entry.name,
    ArtifactRequest: lambda request: request.type,
    Artifact: lambda artifact: artifact.title,
    SetAutoReview: lambda switch: switch.type,
    Checkrun: lambda run: run.commit,
    Merge: lambda merge: merge.pr,
    Agent: lambda agent: agent.handle_name,
    Image: lambda image: image.alt or image.name,
    AddMember: lambda grant: grant.did,
    RemoveMember: lambda removal: removal.did,
}

_WORDS: Final[Mapping[type[RadialRecord], Callable[[Any], str | None]]] = {
    AddMember: lambda grant: grant.role,
    RemoveMember: lambda _: "removed",
    SetAutoReview: lambda switch: "on" if switch.enabled else "off",
    ArchiveProject: lambda change: "archived" if change.archived else "taken up",
    CloseGoal: lambda change: (change.disposition or "ended") if change.closed else "reopened",
    ArchiveGoal: lambda change: "parked" if change.archived else "reopened",
    RetractRequest: lambda _: "retracted",
    Artifact: lambda artifact: artifact.type,
    Review: lambda review: review.verdict,
    Checkrun: lambda run: "passed" if run.results and all(result.passed for result in run.results) else "failed",
    Merge: lambda _: "merged",
    Message: lambda message: "declines" if message.declines else None,
    SetGuestComments: lambda switch: "on" if switch.enabled else "off",
    RetractBless: lambda _: "retracted",
}
