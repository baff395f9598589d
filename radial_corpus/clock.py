"""Invented time: instants and the identifiers made of them.

Strategy: time is a whole number of milliseconds since an arbitrary new year; nobody asks what time it really is. One
instant has many spellings in atproto (L2), so it is spelled the usual way most of the time, and otherwise in another
way that names the very same instant. Record keys and revisions are TIDs: microseconds and a clock's number, in a base32
that sorts.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND: Final = 1_000
MINUTE: Final = 60 * SECOND
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

_NEW_YEAR: Final = date(2026, 1, 1)
_NEW_YEAR_IN_UNIX_TIME: Final = (_NEW_YEAR - date(1970, 1, 1)).days * DAY

_DIGITS: Final = "234567abcdefghijklmnopqrstuvwxyz"
_PAIRS: Final = [high + low for high in _DIGITS for low in _DIGITS]
CLOCKS: Final = 1_024  # how many clocks a TID tells apart
_TICKS: Final = 1_000  # microseconds in a millisecond: how many TIDs of one clock and instant differ


@lru_cache(maxsize=1_024)
def _day(number: int) -> str:
    return (_NEW_YEAR + timedelta(days=number)).isoformat()


def spell(instant: int) -> str:
    """Spell an instant as most programs do: UTC, with milliseconds."""
    return f"{_local(instant)}.{instant % SECOND:03}Z"


def _local(instant: int) -> str:
    day, rest = divmod(instant // SECOND, DAY // SECOND)
    return f"{_day(day)}T{rest // 3_600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def _short(instant: int) -> str:
    fraction = f"{instant % SECOND:03}".rstrip("0")
    return _local(instant) + (f".{fraction}" if fraction else "") + "Z"


def _at_offset(minutes: int) -> Callable[[int], str]:
    hours, rest = divmod(abs(minutes), 60)
    zone = f"{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"
    return lambda instant: f"{_local(instant + minutes * MINUTE)}.{instant % SECOND:03}{zone}"


# Other ways to say the same (L2); the last has more digits than any clock.
SPELLINGS: Final[tuple[Callable[[int], str], ...]] = (
    _short,
    _at_offset(60),
    _at_offset(330),
    _at_offset(-420),
    _at_offset(0),
    lambda instant: f"{_local(instant)}.{instant % SECOND:03}000Z",
    lambda instant: f"{_local(instant)}.{instant % SECOND:03}000000000Z",
)


def tid(instant: int, serial: int, clock: int) -> str:
    """Make a TID. At one instant of one clock, a thousand serial numbers in a row give different ones."""
    micros = (_NEW_YEAR_IN_UNIX_TIME + instant) * _TICKS + serial % _TICKS
    number = micros << 10 | clock
    pairs = _PAIRS
    return (
        f"{_DIGITS[number >> 60]}{pairs[number >> 50 & 1023]}{pairs[number >> 40 & 1023]}{pairs[number >> 30 & 1023]}"
        f"{pairs[number >> 20 & 1023]}{pairs[number >> 10 & 1023]}{pairs[number & 1023]}"
    )
