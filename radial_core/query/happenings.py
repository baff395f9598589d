"""What happened: lately and everywhere, or to one thing from its beginning.

Strategy: a happening is a record that counts, noted with who wrote it and what it says; when is what its author says
(L2). Nothing is summed up, so nothing is left out but what lies before the limit, and that is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from radial_core.query.notes import Note, note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.instants import Instant
    from radial_core.query.web import Web


@attrs.frozen(kw_only=True)
class Lately:
    """The latest happenings, in order (createdAt, URI); `total` counts all there are since then."""

    notes: tuple[Note, ...]
    total: int

    @property
    def truncated(self) -> bool:
        """Whether earlier ones were left out."""
        return self.total > len(self.notes)


def lately(
    index: Index, limit: int, *, since: Instant | None = None, within: str | None = None, by: str | None = None
) -> Lately:
    """List the latest records that count, at most `limit` (1 or more): all, or those of one space, project or goal.

    `since` leaves out what is dated before an instant, `by` what somebody else wrote. A space has everything in it, a
    project its goals. Profiles and pictures happen nowhere (T7), and are left out.
    """
    entries = [
        entry
        for entry in _within(index, within)
        if (since is None or entry.instant >= since) and by in (None, entry.did)
    ]
    entries.sort()
    return Lately(notes=_noted(index, entries[-limit:]), total=len(entries))


def _within(index: Index, within: str | None) -> Iterable[Entry[Any]]:
    for holding in index.filing.holdings.values():
        for shelf in holding.shelves():
            if within in (None, holding.space.uri, shelf.entry.uri, shelf.project):
                yield from shelf.everything()


def timeline(index: Index, web: Web, uri: str) -> tuple[Note, ...]:
    """List what happened to a record that counts, its own making among it, in order (createdAt, URI).

    Of a space, a project or a goal that is everything that stands there; of anything else, what refers to it.
    """
    shelf = index.filing.shelf_of(uri)
    if shelf is not None and shelf.entry.uri == uri:
        return _noted(index, shelf.everything())
    found = {uri, *(edge.source for edge in web.into(uri))}
    return _noted(index, sorted(entry for each in found if (entry := index.entry(each)) is not None))


def _noted(index: Index, entries: Iterable[Entry[Any]]) -> tuple[Note, ...]:
    return tuple(note(entry, index.place_of(entry.uri)) for entry in entries)
