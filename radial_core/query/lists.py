"""What is in flight, and what a project has of its own: two lists that others work from.

Strategy: both are read off the views and add no rule. The queue is the one that a daemon plans from: what it leaves out
of it, it leaves out for a reason that it states (RAD-6.4). A project's documents are those of the index's `system`,
with what a reader wants to know about each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from radial_core.query.notes import Note, note
from radial_core.query.standing import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.index import Index
    from radial_core.views import ProjectView, RequestView


@attrs.frozen
class Queued:
    """A request that is to be worked on, with the goal or project on which it stands, and their space."""

    space: str
    place: str
    request: RequestView


def queue(index: Index, space: str | None = None) -> tuple[Queued, ...]:
    """List the requests that still want work (R5), of all spaces or one, in order (createdAt, URI).

    So they are taken on. Those that await input are among them: that is a reason not to start, and no other state.
    """
    found = (
        Queued(each.uri, place.uri, request)
        for each in index.spaces
        if space in (None, each.uri)
        for place in places_of(each)
        for request in place.requests
        if request.dispatchable
    )
    entries = index.filing.entries
    return tuple(sorted(found, key=lambda queued: entries[queued.request.uri].order))


@attrs.frozen(kw_only=True)
class Document:
    """A project's own artifact (X6): its current version, how many there are, whether several are latest.

    `type`, `current` and `staleness` are those of the index's `system`.
    """

    type: str
    current: str
    staleness: int
    versions: int
    forks: bool
    note: Note


def documents(index: Index, project: ProjectView) -> tuple[Document, ...]:
    """List a project's documents, in the order of the index's `system`."""
    return tuple(_documents(index, project))


def _documents(index: Index, project: ProjectView) -> Iterator[Document]:
    entries = index.filing.entries
    for shown, chain in zip(project.system, project.chains, strict=True):
        yield Document(
            type=shown.type,
            current=shown.current,
            staleness=shown.staleness,
            versions=len(chain.versions),
            forks=chain.forks,
            note=note(entries[shown.current], project.uri),
        )
