"""How far our own clock is off, and when that is worth a word (seed §12).

Strategy: no instant of anybody is ever corrected. A wrong clock costs lag, not correctness, so a person is warned and
that is all. A server's `Date` header is cut off to the second and arrives some time after it was written, so each
reading gives bounds between which the difference lies, and a slow answer gives wide ones: a server says that our clock
is off when all between its bounds is beyond what is tolerated. The latest readings of one server narrow each other
down, and more than half of the servers have to say the same, so that liars move nothing while they are fewer than half.
Of two servers both have to say it; one alone is believed. Records tell one way only: one dated in the future says that
its writer's clock is ahead or ours behind, one in the past says nothing. Whatever the program around us does with its
decimals, ours are reckoned in a context of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from typing import Final, NamedTuple

from radial_core.instants import Instant

CLOCK: Final = "clock "  # begins the keys of warnings that ours is off
_MOST: Final = 30  # seconds
_READINGS: Final = 8  # of one server that are kept
_SERVERS: Final = 16  # of which readings are kept
_LASTING: Final = 3600  # seconds for which a reading is of the clock as it is
_DIGITS: Final = 50  # more than any two instants that differ by something that matters
_CONTEXT: Final = Context(
    prec=_DIGITS, rounding=ROUND_HALF_EVEN, Emin=MIN_EMIN, Emax=MAX_EMAX, capitals=1, clamp=0, flags=[], traps=[]
)


class Sample(NamedTuple):
    """One reading of a server's clock: it is ahead of ours by at least `low` and at most `high` seconds.

    `at` is when it was received, by our own clock. Bounds the wrong way round come of a clock that was set meanwhile.
    """

    server: str
    low: Decimal
    high: Decimal
    at: Instant


def tolerance(lease: int) -> Decimal:
    """Give how many seconds a clock may be off without a word: 30, or a tenth of a lease when that is less."""
    return min(Decimal(_MOST), _CONTEXT.divide(lease, 10))


def read_date(server: str, date: Instant, sent_at: Instant, received_at: Instant) -> Sample:
    """Read a `Date` header: the server wrote it after we sent the request and before we received the answer.

    `date` is cut off to the second, so the truth lies up to a second after it.
    """
    return Sample(server, date.since(received_at), _CONTEXT.add(date.since(sent_at), 1), received_at)


def kept(samples: Iterable[Sample], sample: Sample) -> tuple[Sample, ...]:
    """Give what is to be kept of readings and one more: by server, each server's in the order in which they were made.

    Of each server the latest few are, of the servers those that were read last, and none that is older than an hour by
    our clock, nor any that lies more than 30 seconds in its future: ours was set since. One that tells nothing changes
    nothing.
    """
    before = tuple(samples)
    if sample.low > sample.high:
        return before
    fresh = (one for one in before if _is_fresh(one, sample))
    servers: dict[str, tuple[Sample, ...]] = {}
    for one in (*fresh, sample):
        servers[one.server] = (*servers.pop(one.server, ())[1 - _READINGS :], one)
    return tuple(one for server in [*servers][-_SERVERS:] for one in servers[server])


def _is_fresh(one: Sample, newest: Sample) -> bool:
    # Answers that came at the same time may be told in another order than that in which they came.
    return one.at <= newest.at.plus(_MOST) and newest.at <= one.at.plus(_LASTING)


def estimates(samples: Iterable[Sample]) -> tuple[Sample, ...]:
    """Estimate how far each server is ahead, from readings in the order in which they were made; by server."""
    bounds: dict[str, Sample] = {}
    for sample in samples:
        if sample.low <= sample.high:
            bounds[sample.server] = _narrowed(bounds.get(sample.server, sample), sample)
    return tuple(bounds[server] for server in sorted(bounds))


def _narrowed(known: Sample, sample: Sample) -> Sample:
    low, high = max(known.low, sample.low), min(known.high, sample.high)
    # Bounds that do not meet: a clock was set in between, and the last reading is of the clock as it is.
    return sample if low > high else sample._replace(low=low, high=high)


def skew_warning(samples: Iterable[Sample], lease: int) -> tuple[str, str] | None:
    """Say which server to look at and what to tell, if our clock is off, either way, by more than is tolerated."""
    found, most = estimates(samples), tolerance(lease)
    behind = sorted((one.low, one.server) for one in found if one.low > most)
    ahead = sorted((_CONTEXT.minus(one.high), one.server) for one in found if one.high < _CONTEXT.minus(most))
    for way, said in (("behind", behind), ("ahead of", ahead)):
        if 2 * len(said) > len(found):
            off, server = said[len(said) // 2]
            least = off.to_integral_value(ROUND_FLOOR, _CONTEXT)
            return server, (
                f"this machine's clock is at least {least:f} s {way} that of {server}; up to {most:f} s are tolerated."
                " Nothing is corrected by it: set the clock"
            )
    return None


def is_right(samples: Iterable[Sample], lease: int) -> bool:
    """Tell whether more than half of the servers say that our clock is off by no more than is tolerated, if at all."""
    found, most = estimates(samples), tolerance(lease)
    return 2 * sum(_CONTEXT.minus(most) <= one.low and one.high <= most for one in found) > len(found)


def is_ahead(instant: Instant, now: Instant, lease: int) -> bool:
    """Tell whether an instant lies further in the future than is tolerated."""
    return instant > now and instant.since(now) > tolerance(lease)  # the exact difference is the slow part


def future_warning(uri: str, instant: Instant, now: Instant) -> str:
    """Say that a record is dated in the future."""
    with localcontext(_CONTEXT):
        ahead = f"{instant.since(now):.0f}"
    return f"{uri} is dated {ahead} s in the future: its writer's clock is ahead, or this one is behind"
