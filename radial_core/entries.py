"""A record as the rules see it: its URI, the version that V chose, and what else was seen there.

Strategy: an entry is a function of the observations of its one URI, so it is made once and shared by every fold that
holds the same ones. Whether it counts, and where, is decided over entries and written nowhere in them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from radial_core.instants import Instant
from radial_core.records import RadialRecord

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    # Every order of records is this one (P3): the instant's two parts, then the URI by code point.
    Order: TypeAlias = tuple[int, str, str]

RECORD = TypeVar("RECORD", bound=RadialRecord)
RECORD_co = TypeVar("RECORD_co", bound=RadialRecord, covariant=True)


class Entry(NamedTuple, Generic[RECORD_co]):
    """One record: `did` is its author (O6), `value` the chosen version as it came, `record` as the rules read it.

    `others` are the CIDs of the other versions seen, sorted. `closed` is the effective legacy ending of a goal (V4) and
    false for everything else. Entries sort as they stand, by `order`: no two of different URIs are equal up to there.
    """

    seconds: int
    fraction: str
    uri: str
    cid: str
    did: str
    record: RECORD_co
    value: Any
    others: tuple[str, ...] = ()
    closed: bool = False

    @property
    def order(self) -> Order:
        """The record's place among others (P3): the instant of its creation, then its URI."""
        return self[:3]

    @property
    def instant(self) -> Instant:
        """The instant of the record's creation (L2)."""
        return Instant(self.seconds, self.fraction)

    def was_seen_as(self, cid: str) -> bool:
        """Tell whether a version that is not the chosen one has been seen: there may be thousands."""
        at = bisect_left(self.others, cid)
        return self.others[at : at + 1] == (cid,)

    @property
    def created_at(self) -> str:
        """The record's own spelling of its creation."""
        text: str = self.value["createdAt"]
        return text


def in_order(entries: Iterable[Entry[RECORD]]) -> list[Entry[RECORD]]:
    """Sort records, no URI twice, by (createdAt instant, URI): the one order of every list of records (P3)."""
    return sorted(entries)
