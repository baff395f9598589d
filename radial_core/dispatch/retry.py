"""When to try again, and when to leave it (seed §12).

Strategy: every wait doubles up to a bound, and what can cost something is tried a bounded number of times. What is
counted is turns in a row that came to nothing; a question is no failure, somebody's reply starts the count anew. A
moment that lies in our own future was stamped by a clock that has been set back since: nobody waits for it.
"""

from __future__ import annotations

from typing import Final

from radial_core.dispatch.clock import is_ahead
from radial_core.dispatch.state import Tries
from radial_core.instants import Instant

_TURN: Final = (60, 3600)  # seconds: the first wait, the longest
_WRITE: Final = (5, 60)

# What a turn's end adds to the count of failures, and whether it starts it anew.
ENDS: Final = {"written": (1, True), "failed": (1, True), "asked": (0, False), "cancelled": (0, True)}


def after_turn(tries: Tries | None, end: str, ended_at: Instant) -> Tries:
    """Give what a turn's end amounts to; `end` is `written`, `failed`, `asked` or `cancelled`.

    A turn that wrote its record counts too: if its request is still open when everything has been taken in, then the
    record did not answer it.
    """
    more, keep = ENDS[end]
    failed = (tries.failed if tries is not None and keep else 0) + more
    return Tries(failed=failed, ended_at=ended_at, settled=False)


def after_write(tries: Tries | None, ended_at: Instant) -> Tries:
    """Give what one more failure to write amounts to."""
    return Tries(failed=(0 if tries is None else tries.failed) + 1, ended_at=ended_at)


def wait_for_turn(failed: int) -> int:
    """Give the seconds to wait after so many turns in a row that came to nothing."""
    return _wait(failed, *_TURN)


def is_due(tries: Tries, now: Instant, lease: int) -> bool:
    """Tell whether the wait after a turn is over."""
    return _is_over(tries, wait_for_turn(tries.failed), now, lease)


def may_write(tries: Tries | None, now: Instant, lease: int) -> bool:
    """Tell whether a write may be tried, again or at all."""
    return tries is None or _is_over(tries, _wait(tries.failed, *_WRITE), now, lease)


def _wait(failed: int, first: int, longest: int) -> int:
    return min(first * 2 ** min(failed - 1, 30), longest) if failed else 0


def _is_over(tries: Tries, wait: int, now: Instant, lease: int) -> bool:
    return is_ahead(tries.ended_at, now, lease) or now >= tries.ended_at.plus(wait)
