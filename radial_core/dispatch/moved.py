"""What happened to the records that a turn works on while it ran.

Strategy: work on something that has moved since is kept and said to be stale, never refused: it was paid for, and a
reader of the record can judge it, given that it pins the version it saw (L4). Whoever starts the next turn should know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.dispatch.assignment import current_version
from radial_core.dispatch.refusals import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.assignment import Assignment, Watched
    from radial_core.index import Index


def moved(assignment: Assignment, index: Index) -> tuple[Notice, ...]:
    """Report what a turn works on and the index no longer shows as it was at the start, one notice for each.

    The names are `SubjectGone`, `SubjectEdited` and `SubjectSuperseded`.
    """
    return tuple(notice for watched in assignment.watched for notice in _news(watched, index))


def _news(watched: Watched, index: Index) -> Iterator[Notice]:
    path, (uri, cid) = f"$.{watched.field}", watched.ref
    entry = index.entry(uri)
    if entry is None:
        yield Notice("SubjectGone", f"{uri} no longer counts", path)
    elif entry.cid != cid:
        yield Notice("SubjectEdited", f"{uri} counts in another version now, {entry.cid}", path)
    elif (current := current_version(index, uri)) != watched.current:
        yield Notice("SubjectSuperseded", f"{uri} has a later version now, {current}", path)
