"""When to try again, and when to leave it (seed §12).

Strategy: every wait doubles up to a bound, and what can cost something is tried a bounded number of times. What is
counted is turns in a row that came to nothing; a question is no failure, somebody's reply starts the count anew. Turns
that were broken off from outside are counted by themselves, against a bound of their own, and one that was not shows
that the outage is over. What only the operator can mend is left until he has. A moment that lies in our own future was
stamped by a clock that has been set back since: nobody waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.clock import is_ahead
from radial_core.dispatch.reasons import Reason
from radial_core.dispatch.state import Tries

if TYPE_CHECKING:
    from radial_core.dispatch.routing import Operator
    from radial_core.instants import Instant

_TURN: Final = (60, 3600)  # seconds: the first wait, the longest
_WRITE: Final = (5, 60)


class End(NamedTuple):
    """What a turn's end adds to the counts, and whether it starts the count of failures anew."""

    failed: int = 0
    outages: int = 0
    keeps: bool = True


ENDS: Final = {
    "written": End(failed=1),
    "failed": End(failed=1),
    "outage": End(outages=1),
    "blocked": End(),
    "asked": End(keeps=False),
    "cancelled": End(),
}


def after_turn(tries: Tries | None, end: str, ended_at: Instant, why: str | None = None) -> Tries:
    """Give what a turn's end amounts to; `end` is a row of `ENDS`, `why` what is to be mended if it is `blocked`.

    A turn that wrote its record counts too: if its request is still open when everything has been taken in, then the
    record did not answer it.
    """
    row = ENDS[end]
    before = tries if tries is not None and row.keeps else Tries(failed=0, ended_at=ended_at)
    return Tries(
        failed=before.failed + row.failed,
        outages=0 if row.failed else before.outages + row.outages,
        blocked=(why or "something is to be mended") if end == "blocked" else None,
        ended_at=ended_at,
        settled=False,
    )


def given_up(request: str) -> str:
    """Give the key of the warning that a request is left open."""
    return f"given up {request}"


def left_open(tries: Tries, operator: Operator) -> Reason | None:
    """Say why a request is left open: a bound is reached, or something is to be mended first."""
    if tries.blocked is not None:
        return Reason("setup", f"left open until that is mended: {tries.blocked}")
    if tries.failed >= operator.attempts:
        return Reason("attempts", f"left open: {tries.failed} turns in a row came to nothing")
    if tries.outages >= operator.outages:
        return Reason("outages", f"left open: {tries.outages} turns in a row were broken off from outside")
    return None


def after_write(tries: Tries | None, ended_at: Instant) -> Tries:
    """Give what one more failure to write amounts to."""
    return Tries(failed=(0 if tries is None else tries.failed) + 1, ended_at=ended_at)


def wait_for_turn(failed: int) -> int:
    """Give the seconds to wait after so many turns in a row that came to nothing."""
    return _wait(failed, *_TURN)


def is_due(tries: Tries, now: Instant, lease: int) -> bool:
    """Tell whether the wait after a turn is over: that for its failures or that for its outages, the longer one."""
    return _is_over(tries, wait_for_turn(max(tries.failed, tries.outages)), now, lease)


def may_write(tries: Tries | None, now: Instant, lease: int) -> bool:
    """Tell whether a write may be tried, again or at all."""
    return tries is None or _is_over(tries, _wait(tries.failed, *_WRITE), now, lease)


def _wait(failed: int, first: int, longest: int) -> int:
    return min(first * 2 ** min(failed - 1, 30), longest) if failed else 0


def _is_over(tries: Tries, wait: int, now: Instant, lease: int) -> bool:
    return is_ahead(tries.ended_at, now, lease) or now >= tries.ended_at.plus(wait)
