"""What happened to a request and to the records that it names while a turn ran on it.

Strategy: work on something that has moved since is kept and said to be stale, never refused: it was paid for, and a
reader of the record can judge it, given that it pins the version it saw (L4). Whoever starts the next turn should know.
What was so at the start is no news; that nobody looked is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_core.dispatch.refusals import Notice
from radial_core.dispatch.standing import current_versions, is_member_at, stopped_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.assignment import Assignment
    from radial_core.dispatch.standing import Watched
    from radial_core.index import Index

_WHOLE: Final = "$"  # it is about no field of what was sent


def moved(assignment: Assignment, index: Index | None) -> Iterator[Notice]:
    """Report what the index no longer shows as it was at the start, of the request first; none: nobody looked.

    The names are `MovesUnchecked`; `RequestGone`, `RequestEdited`, `NotWanted`, `AuthorRemoved` of the request; and of
    each record that it names `SubjectGone`, `SubjectEdited`, `SubjectSuperseded`.
    """
    if index is None:
        yield Notice("MovesUnchecked", "nobody looked whether the request or what it names has moved since", _WHOLE)
        return
    yield from _of_request(assignment, index)
    currents = current_versions(index, [watched.ref.uri for watched in assignment.watched])
    for watched in assignment.watched:
        yield from _of_subject(watched, index, currents)


def _of_request(assignment: Assignment, index: Index) -> Iterator[Notice]:
    uri, cid = assignment.request
    entry, view = index.entry(uri), index.request(uri)
    if entry is None or view is None:
        yield Notice("RequestGone", f"the request {uri} no longer counts", _WHOLE)
        return
    if entry.cid != cid:
        yield Notice("RequestEdited", f"the request {uri} counts in another version now, {entry.cid}", _WHOLE)
    stopped = stopped_at(index, uri)
    is_ours = assignment.terminal_uri in view.fulfilled_by  # written by this very turn, before the answer was lost
    if stopped is not None and stopped != assignment.stopped and not is_ours:
        yield Notice("NotWanted", f"nobody is to go on with the request any more: {stopped.text}", _WHOLE)
    if not is_member_at(index, uri, assignment.author):
        message = f"{assignment.author} is no member of the request's space any more: the record would not count"
        yield Notice("AuthorRemoved", message, _WHOLE)


def _of_subject(watched: Watched, index: Index, currents: dict[str, str]) -> Iterator[Notice]:
    uri, cid = watched.ref
    entry = index.entry(uri)
    if entry is None:
        yield Notice("SubjectGone", f"{uri} no longer counts", _WHOLE)
    elif entry.cid != cid:
        yield Notice("SubjectEdited", f"{uri} counts in another version now, {entry.cid}", _WHOLE)
    elif currents[uri] != watched.current:
        yield Notice("SubjectSuperseded", f"{uri} has a later version now, {currents[uri]}", _WHOLE)
