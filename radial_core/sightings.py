"""What was seen at one URI, and when: versions, their sightings, deletions, and the order among them (O3–O4, V5).

Strategy: nothing is chosen here. The sightings of each version are gathered, the one order of the URI is decided from
all of them, and the deletions are summed up so that a sighting is held against all at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.instants import Instant, parse_instant
from radial_core.observations import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.observations import Observation

_NO_REV: Final = ""  # less than every revision
_NO_SEEN_AT: Final = Instant(-1, "")  # earlier than every instant


class Sighting(NamedTuple):
    """That one version, or nothing, was seen: in which revision and when, as far as known."""

    rev: str | None
    seen_at: Instant | None


class Deletions:
    """The deletions seen at a URI, summed up so that a sighting is held against all of them at once (V5)."""

    def __init__(self, deletions: Sequence[Sighting]) -> None:
        self.any = bool(deletions)
        self._last_rev = max((d.rev for d in deletions if d.rev is not None), default=_NO_REV)
        self._last = _last_seen_at(deletions)
        self._last_without_rev = _last_seen_at([d for d in deletions if d.rev is None])

    def all_before(self, seen: Sighting) -> bool:
        """V5: later by revision where both are known, else by sighting where both are known, else not later."""
        if seen.rev is None:
            return _is_after(seen.seen_at, self._last)
        return seen.rev > self._last_rev and _is_after(seen.seen_at, self._last_without_rev)


def _last_seen_at(deletions: Sequence[Sighting]) -> Instant | None:
    """Give the last of their instants; nothing when one of them has none, so that no sighting is after it."""
    times = [d.seen_at for d in deletions if d.seen_at is not None]
    return max(times, default=_NO_SEEN_AT) if len(times) == len(deletions) else None


def _is_after(seen_at: Instant | None, last: Instant | None) -> bool:
    if last is _NO_SEEN_AT:  # there is nothing to be after
        return True
    return seen_at is not None and last is not None and seen_at > last


class Version(NamedTuple):
    """One CID seen at a URI: a record observation of it, and the sightings that matter to the question at hand."""

    seen: Record
    sightings: tuple[Sighting, ...]

    @property
    def cid(self) -> str:
        """The version's name."""
        return self.seen.cid


def gather(observations: Sequence[Observation]) -> tuple[list[Version], Deletions]:
    """Gather the versions with all their sightings (O4), and the deletions."""
    # Where every revision is known, no question is decided by times (O3, V5): then nobody reads them.
    is_timed = any(seen.rev is None for seen in observations)
    versions: dict[str, tuple[Record, list[Sighting]]] = {}
    deletions: list[Sighting] = []
    for seen in observations:
        at = parse_instant(seen.seen_at) if is_timed and seen.seen_at is not None else None
        if isinstance(seen, Record):
            versions.setdefault(seen.cid, (seen, []))[1].append(Sighting(seen.rev, at))
        else:
            deletions.append(Sighting(seen.rev, at))
    return [Version(seen, tuple(sightings)) for seen, sightings in versions.values()], Deletions(deletions)


class Order(NamedTuple):
    """The one order of the versions at a URI: by what every sighting has, else by both with unknowns at the far end."""

    by_rev: bool
    by_seen_at: bool

    def earliest(self, version: Version) -> tuple[object, ...]:
        """Sort key: the earlier version is less. Of two that tie, the lesser CID is earlier."""
        if not self.by_seen_at:
            return min(seen.rev or _NO_REV for seen in version.sightings), version.cid
        times = [s.seen_at for s in version.sightings if s.seen_at is not None]
        seen_at = (not times, min(times, default=_NO_SEEN_AT))
        if not self.by_rev:
            return (*seen_at, version.cid)
        revs = [s.rev for s in version.sightings if s.rev is not None]
        return (not revs, min(revs, default=_NO_REV), *seen_at, version.cid)

    def latest(self, version: Version) -> tuple[object, ...]:
        """Sort key: the later version is greater. Of two that tie, the greater CID is later."""
        if not self.by_seen_at:
            return max(seen.rev or _NO_REV for seen in version.sightings), version.cid
        times = [s.seen_at for s in version.sightings if s.seen_at is not None]
        seen_at = (bool(times), max(times, default=_NO_SEEN_AT))
        if not self.by_rev:
            return (*seen_at, version.cid)
        revs = [s.rev for s in version.sightings if s.rev is not None]
        return (bool(revs), max(revs, default=_NO_REV), *seen_at, version.cid)


def order_of(observations: Sequence[Observation]) -> Order:
    """Decide the order from all sightings of a record at the URI; deletions have no say (O3)."""
    records = [seen for seen in observations if isinstance(seen, Record)]
    if all(seen.rev is not None for seen in records):
        return Order(by_rev=True, by_seen_at=False)
    if all(seen.seen_at is not None for seen in records):
        return Order(by_rev=False, by_seen_at=True)
    return Order(by_rev=True, by_seen_at=True)
