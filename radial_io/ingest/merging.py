"""From a signed repo to batches for the store, in as little memory as a page and a batch take.

Strategy: the tree gives a repo's records in the order of their paths, and the store can give what it holds in the same
order, page by page. So the two are merged: what is not the last version that was seen there, up to this revision, is
news; what only the store has is gone in the revision that was signed (O2). Neither is ever in memory whole, however
large the repo. Everything else is as in `settling`: batches are bounded, the last one alone carries the cursor.
A deletion may be written before the reading has come to its end: the tree was walked and verified whole before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

import attrs

from radial_core.records import COLLECTIONS
from radial_io.ingest.limits import Limits
from radial_io.ingest.requests import Flow, HeldPage, RepoOf, Take
from radial_io.ingest.settling import Place, Whole, added, last_batch
from radial_io.store.values import Batch, Gone, Repo, Seen, Source, Spoiled, Standing, Taken

_SHELVES: Final = tuple(sorted(COLLECTIONS))


def merge(whole: Whole, limits: Limits) -> Flow[Taken]:
    """Write a whole reading whose `found` come in the order of (collection, rkey). Gives what changed."""
    held = _HeldInOrder(whole.did, limits.batch)
    gathered = _Gathered(whole.source, limits)
    total = Taken()
    for found in whole.found:
        place = _place(found)
        while place is not None and (lost := (yield from held.before(place))) is not None:
            total = added(total, (yield from gathered.gone(whole, lost)))
        known = held.at(place)
        if isinstance(found, Spoiled) or (isinstance(found, Seen) and not _is_known(found, known)):
            total = added(total, (yield from gathered.put(found)))
    while (lost := (yield from held.before(None))) is not None:
        total = added(total, (yield from gathered.gone(whole, lost)))
    total = added(total, (yield from gathered.flush()))
    if not whole.is_latest:
        return total
    repo: Repo = yield RepoOf(whole.did)
    return added(total, (yield Take(last_batch(whole, (), repo))))


def _place(found: Seen | Spoiled | Place) -> Place | None:
    if isinstance(found, tuple):
        return found
    return None if found.collection is None or found.rkey is None else (found.collection, found.rkey)


def _is_known(seen: Seen, known: Standing | None) -> bool:
    if known is None or known.cid != seen.cid:
        return False
    return known.rev is not None and seen.rev is not None and known.rev <= seen.rev


class _HeldInOrder:
    """What the store holds of one repo, in the order of (collection, rkey), asked for page by page."""

    def __init__(self, did: str, page: int) -> None:
        self.did = did
        self.size = page
        self.shelves: Iterator[str] = iter(_SHELVES)
        self.shelf: str | None = next(self.shelves)
        self.after = ""
        self.page: deque[Standing] = deque()

    def before(self, place: Place | None) -> Flow[Standing | None]:
        """Give the next that stands before a place, or before the end of all; None when there is no more."""
        while not self.page and self.shelf is not None and (place is None or self.shelf <= place[0]):
            found: tuple[Standing, ...] = yield HeldPage(self.did, self.shelf, self.after, self.size)
            self.page.extend(found)
            if found:
                self.after = found[-1].rkey
            else:
                self.shelf, self.after = next(self.shelves, None), ""
        if self.page and (place is None or (self.page[0].collection, self.page[0].rkey) < place):
            return self.page.popleft()
        return None

    def at(self, place: Place | None) -> Standing | None:
        """Give what stands at a place, once everything before it was given."""
        if self.page and (self.page[0].collection, self.page[0].rkey) == place:
            return self.page.popleft()
        return None


@attrs.define
class _Gathered:
    """News, until there is a batch of it; the cursor stays where it is."""

    source: Source
    limits: Limits
    seen: list[Seen] = attrs.field(factory=list)
    spoiled: list[Spoiled] = attrs.field(factory=list)
    lost: list[Gone] = attrs.field(factory=list)
    size: int = 0

    def put(self, found: Seen | Spoiled) -> Flow[Taken]:
        """Take note of a record."""
        if isinstance(found, Seen):
            self.seen.append(found)
        else:
            self.spoiled.append(found)
        self.size += len(found.raw)
        return (yield from self._flush_full())

    def gone(self, whole: Whole, lost: Standing) -> Flow[Taken]:
        """Take note of what the tree does not have; not so where the store saw it in a later revision."""
        if whole.is_latest and (lost.rev is None or lost.rev < whole.rev):
            self.lost.append(Gone(whole.did, lost.collection, lost.rkey, whole.rev))
        return (yield from self._flush_full())

    def _flush_full(self) -> Flow[Taken]:
        number = len(self.seen) + len(self.spoiled) + len(self.lost)
        if number < self.limits.batch and self.size < self.limits.batch_bytes:
            return Taken()
        return (yield from self.flush())

    def flush(self) -> Flow[Taken]:
        """Write what there is."""
        if not (self.seen or self.spoiled or self.lost):
            return Taken()
        batch = Batch(source=self.source, seen=tuple(self.seen), spoiled=tuple(self.spoiled), gone=tuple(self.lost))
        self.seen, self.spoiled, self.lost, self.size = [], [], [], 0
        taken: Taken = yield Take(batch)
        return taken
