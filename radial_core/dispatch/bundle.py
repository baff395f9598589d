"""What the turn for a request is told: compiled from an index, bounded, the same bytes for the same index and request.

Strategy: find what the request is about; let every section say what it could hold; fill each within its own room; list
the pictures of what is shown; say what is missing. Nothing is fetched and nothing is remembered: a member who was
removed, or a blessing that was withdrawn, is out of the very next packet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_core.dispatch.choosing import as_many, fill
from radial_core.dispatch.limits import Limits
from radial_core.dispatch.packet import Bundle
from radial_core.dispatch.pictures import pictures
from radial_core.dispatch.piece import counted
from radial_core.dispatch.scope import Scope
from radial_core.dispatch.sections import SECTIONS
from radial_core.identifiers import StrongRef, is_did

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from radial_core.dispatch.piece import Section
    from radial_core.index import Index
    from radial_core.views import GoalView, ProjectView

_USUAL: Final = Limits()
_SHARES: Final = {"request": 3}  # no template crowds out the request, no request its template
_ROOM_FOR_REPOS: Final = 4_096
_AROUND_A_REPO: Final = len("- not read to its end: \n")


def bundle(index: Index, request: str, limits: Limits = _USUAL, behind: Iterable[str] | None = None) -> Bundle:
    """Compile the packet for the request at a URI.

    `behind` are the DIDs of repos that the caller knows not to have read to their end: the packet then says that it is
    stale, which is not the same as partial. Without any it says that it is not, and with `None` that nobody knows.
    Raises `ValueError` when no request counts at the URI, and for a name in `behind` that is no DID.
    """
    repos = sorted(set(behind or ()))
    strange = [name for name in repos if not is_did(name)]
    if strange:
        raise ValueError(f"not a DID: {strange[0]!r}")
    scope = Scope(index, request)
    rooms = limits.rooms()
    sections = [
        fill(name, candidates(scope), rooms[name], min(limits.piece, rooms[name] // _SHARES.get(name, 1)))
        for name, candidates in SECTIONS
    ]
    found = pictures(index, scope.space, (piece for section in sections for piece in section.pieces))
    sections.append(fill("images", found, rooms["images"], limits.piece))
    told = as_many(repos, _ROOM_FOR_REPOS, _AROUND_A_REPO)
    return Bundle(
        request=StrongRef(scope.request.uri, scope.request.cid),
        subjects=tuple(_subjects(scope)),
        space=scope.space,
        project=_source(scope.project),
        goal=None if scope.goal is None else _source(scope.goal),
        limit=limits.total,
        sections=tuple(sections),
        notices=tuple(_notices(scope, sections)),
        behind=None if behind is None else told,
        behind_unlisted=len(repos) - len(told),
    )


def _source(place: ProjectView | GoalView) -> StrongRef:
    return StrongRef(place.uri, place.cid)


def _subjects(scope: Scope) -> Iterator[StrongRef]:
    """Give the request and what it names, in the versions that count; what does not resolve as it is written."""
    yield StrongRef(scope.request.uri, scope.request.cid)
    for one in scope.basis:
        if one.distance == 0:
            entry = scope.index.entry(one.ref.uri) if one.ref.resolved else None
            yield StrongRef(one.ref.uri, one.ref.cid if entry is None else entry.cid)


def _notices(scope: Scope, sections: Sequence[Section]) -> Iterator[str]:
    """Say what whoever reads the packet should know of it, in our own words alone."""
    if not scope.request.type_known:
        yield "the type of the request is not known in this space: there is no template"
    if scope.request.scope_fits is False:
        yield "the request stands where its type does not belong"
    if not scope.request.open:
        yield "the request is no longer open"
    unresolved = sum(not one.ref.resolved for one in scope.basis)
    if unresolved:
        yield f"of what the request names {counted(unresolved, 'record')} cannot be resolved here"
    summaries = sum(name == "whole text in blob" for one in sections for piece in one.pieces for name, _ in piece.marks)
    if summaries:
        yield f"only a summary is here of {counted(summaries, 'text')}: the whole is in a blob of its author"
