"""How far our own clock is off, and when that is worth a word (seed §12).

Strategy: no instant of anybody is ever corrected. A wrong clock costs lag, not correctness, so a person is warned and
that is all. A server's `Date` header is cut off to the second and arrives some time after it was written, so each
reading gives bounds between which the difference lies; the readings of one server narrow each other down, and the
median over the servers is believed, so that one clock that is off, or one liar, moves little. Records tell one way
only: one dated in the future says that its writer's clock is ahead or ours behind, one in the past says nothing.
Whatever the program around us does with its decimals, ours are reckoned in a context of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Final, NamedTuple

from radial_core.instants import Instant

CLOCK: Final = "clock "  # begins the keys of warnings that ours is off
_MOST: Final = 30  # seconds
_DIGITS: Final = 50  # more than any two instants that differ by something that matters
_CONTEXT: Final = Context(
    prec=_DIGITS, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, capitals=1, clamp=0, flags=[], traps=[]
)


class Sample(NamedTuple):
    """One reading of a server's clock: it is ahead of ours by at least `low` and at most `high` seconds."""

    server: str
    low: Decimal
    high: Decimal


class Skew(NamedTuple):
    """What the readings come to: a `server` of the middle and by how many seconds it is `ahead` of our clock."""

    server: str
    ahead: Decimal


def tolerance(lease: int) -> Decimal:
    """Give how many seconds a clock may be off without a word: 30, or a tenth of a lease when that is less."""
    return min(Decimal(_MOST), _CONTEXT.divide(lease, 10))


def read_date(server: str, date: Instant, sent_at: Instant, received_at: Instant) -> Sample:
    """Read a `Date` header: the server wrote it after we sent the request and before we received the answer.

    `date` is cut off to the second, so the truth lies up to a second after it.
    """
    return Sample(server, date.since(received_at), _CONTEXT.add(date.since(sent_at), 1))


def estimate(samples: Iterable[Sample]) -> Skew | None:
    """Estimate from readings in the order in which they were made; nothing without any."""
    bounds: dict[str, Sample] = {}
    for sample in samples:
        bounds[sample.server] = _narrowed(bounds.get(sample.server, sample), sample)
    middles = sorted((_middle(bound), server) for server, bound in bounds.items())
    if not middles:
        return None
    ahead, server = middles[(len(middles) - 1) // 2]
    return Skew(server, ahead)


def _middle(bound: Sample) -> Decimal:
    return _CONTEXT.divide(_CONTEXT.add(bound.low, bound.high), 2)


def _narrowed(known: Sample, sample: Sample) -> Sample:
    low, high = max(known.low, sample.low), min(known.high, sample.high)
    # Bounds that do not meet: a clock was set in between, and the last reading is of the clock as it is.
    return sample if low > high else Sample(sample.server, low, high)


def skew_warning(samples: Iterable[Sample], lease: int) -> tuple[str, str] | None:
    """Say which server to look at and what to tell, if our clock is off, either way, by more than is tolerated."""
    skew = estimate(samples)
    if skew is None or skew.ahead.copy_abs() <= tolerance(lease):
        return None
    off, way = _rounded(skew.ahead.copy_abs()), "behind" if skew.ahead > 0 else "ahead of"
    return skew.server, (
        f"this machine's clock is {off} s {way} that of {skew.server}; up to {tolerance(lease):f} s are tolerated."
        " Nothing is corrected by it: set the clock"
    )


def is_ahead(instant: Instant, now: Instant, lease: int) -> bool:
    """Tell whether an instant lies further in the future than is tolerated."""
    return instant > now and instant.since(now) > tolerance(lease)  # the exact difference is the slow part


def future_warning(uri: str, instant: Instant, now: Instant) -> str:
    """Say that a record is dated in the future."""
    ahead = _rounded(instant.since(now))
    return f"{uri} is dated {ahead} s in the future: its writer's clock is ahead, or this one is behind"


def _rounded(seconds: Decimal) -> str:
    with localcontext(_CONTEXT):
        return f"{seconds:.0f}"
