"""How often a daemon does what, counted from outside (issue 6: no busy loop).

Strategy: of each thing that costs something there are so many within an hour for one request, claim, pull request or
record, and what came to nothing waits before it is tried again. The bounds follow from the operator's own numbers;
what adds to them is misfortune, and is counted: a clock that jumped, a process that died, an answer that was lost.
Nothing of the core is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.simulation.daemon import Daemon

_HOUR: Final = 3600
_CLAIMS: Final = 8  # on one request within an hour: four leases of others that come and go, and as many of its own
_TURN: Final = (60, _HOUR)  # seconds that are waited at first, and at most
_WRITE: Final = (5, 60)
_SLACK: Final = 1  # a moment is a whole second


class Ends:
    """How the turns of a daemon on one request ended, in a row: a question that was asked begins another row."""

    def __init__(self) -> None:
        self.failed = self.outages = 0
        self.at = -_HOUR

    def add(self, how: str, at: int) -> None:
        self.at = at
        if how == "asked":
            self.failed = self.outages = 0
        elif how in {"failed", "written"}:  # what was written and did not answer has failed too
            self.failed, self.outages = self.failed + 1, 0
        elif how == "outage":
            self.outages += 1


class Pace:
    """What the daemons of one world did, and when."""

    def __init__(self) -> None:
        self.ends: defaultdict[tuple[str, str], Ends] = defaultdict(Ends)
        self._did: defaultdict[tuple[str, str, str], deque[int]] = defaultdict(deque)
        self._mishaps: defaultdict[str, deque[int]] = defaultdict(deque)
        self._failures: Counter[tuple[str, str]] = Counter()
        self._failed_at: dict[tuple[str, str], int] = {}

    def mishap(self, did: str, at: int) -> None:
        """Something befell a daemon that makes it do things once more."""
        self._mishaps[did].append(at)

    def failed(self, daemon: Daemon, key: str, at: int) -> None:
        """Something was tried and came to nothing."""
        self._failures[daemon.did, key] += 1
        self._failed_at[daemon.did, key] = at

    def done(self, daemon: Daemon, key: str) -> None:
        self._failures.pop((daemon.did, key), None)

    def is_early(self, daemon: Daemon, key: str, at: int) -> bool:
        """Tell whether something that failed is tried again before its wait is over."""
        times = self._failures[daemon.did, key]
        return times > 0 and _is_early(daemon, self._failed_at[daemon.did, key], _wait(times, *_WRITE), at)

    def starts_early(self, daemon: Daemon, request: str, at: int) -> bool:
        """Tell whether a turn begins before the wait after the last one is over."""
        ends = self.ends[daemon.did, request]
        return _is_early(daemon, ends.at, _wait(max(ends.failed, ends.outages), *_TURN), at)

    def too_often(self, daemon: Daemon, kind: str, what: str, at: int) -> str | None:
        """Count one more thing that was done; say how many there were within the hour, if those are too many."""
        times = _within_an_hour(self._did[daemon.did, kind, what], at)
        times.append(at)
        most = dict(_bounds(daemon))[kind] + len(_within_an_hour(self._mishaps[daemon.did], at))
        return f"{len(times)} times within an hour, {most} at most" if len(times) > most else None


def _bounds(daemon: Daemon) -> Iterator[tuple[str, int]]:
    operator = daemon.operator
    yield "renew", _HOUR // (operator.lease // 3) + 2
    yield "poll", _HOUR // operator.poll_every + 2
    yield "claim", _CLAIMS


def _within_an_hour(times: deque[int], at: int) -> deque[int]:
    while times and times[0] < at - _HOUR:
        times.popleft()
    return times


def _wait(times: int, first: int, longest: int) -> int:
    return min(first * 2 ** (times - 1), longest) if times else 0


def _is_early(daemon: Daemon, last: int, wait: int, at: int) -> bool:
    return daemon.clock.jumped_at <= last and at + _SLACK < last + wait
