"""When which repo is looked at next: decisions about values; the time is an argument.

Strategy: who is new is due at once, then every `Pace.interval`, a little sooner or later so that looks spread out by
themselves, and more rarely after failures. A repo is never looked at twice at the same time, and one that leaves the
agenda is not due any more, also when it is being looked at just then. Times are seconds of one clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush

import attrs

from radial_io.ingest.poll import Pace


@attrs.define
class _Entry:
    """One repo: when it is due, which look that will be, and how many before it failed in a row."""

    due: float
    turn: int = 0
    failures: int = 0


@attrs.define
class Agenda:
    """Who is due when."""

    pace: Pace = attrs.field(factory=Pace)
    _entries: dict[str, _Entry] = attrs.field(factory=dict, init=False)
    _waiting: list[tuple[float, str]] = attrs.field(factory=list, init=False)
    _running: dict[str, _Entry] = attrs.field(factory=dict, init=False)

    def keep(self, dids: Iterable[str], now: float, later: Collection[str] = ()) -> None:
        """Have these on the agenda and no others; who is new is due now, or `later`, some time within the interval."""
        wanted = set(dids)
        for did in self._entries.keys() - wanted:
            del self._entries[did]
        for did in sorted(wanted - self._entries.keys()):
            due = now + (self.pace.first(did) if did in later else 0.0)
            self._entries[did] = _Entry(due)
            heappush(self._waiting, (due, did))
        if len(self._waiting) > 2 * len(self._entries) + 16:  # what left is swept out
            self._waiting = [(entry.due, did) for did, entry in self._entries.items()]
            heapify(self._waiting)

    def begin(self, now: float) -> str | None:
        """Give a repo that is due, which is then being looked at; None when none is."""
        while self._waiting and self._waiting[0][0] <= now:
            due, did = heappop(self._waiting)
            entry = self._entries.get(did)
            if entry is not None and entry.due == due and did not in self._running:
                self._running[did] = entry
                return did
        return None

    def end(self, did: str, now: float, *, failed: bool) -> None:
        """Say that a look is over, and how it went."""
        begun = self._running.pop(did, None)
        entry = self._entries.get(did)
        if entry is None:
            return
        if entry is begun:  # else it left and came back meanwhile, and is due as whoever is new
            entry.turn += 1
            entry.failures = entry.failures + 1 if failed else 0
            entry.due = now + self.pace.next(did, entry.turn, entry.failures)
        heappush(self._waiting, (entry.due, did))

    def wait(self, now: float) -> float | None:
        """Give the seconds until somebody may be due; None when nobody is waited for."""
        return max(0.0, self._waiting[0][0] - now) if self._waiting else None
