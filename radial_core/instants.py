"""Exact instants of time (rule L2).

Strategy: an atproto datetime is read once into a pair that compares as the instant it names, whatever its spelling.
The pair is (whole seconds since 0000-01-01T00:00:00Z, the fraction's digits without trailing zeros). Digit strings
without trailing zeros compare like the fractions they stand for, so any number of digits stays exact, and Python
compares such pairs at the speed of tuples.

Nothing here knows what time it is.
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from functools import lru_cache
from typing import Final, NamedTuple

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})T", re.ASCII).fullmatch
_TIME = re.compile(r"(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))", re.ASCII).fullmatch
_MINUTE = re.compile(r"(\d{2}):(\d{2}):", re.ASCII).fullmatch
_GRAMMAR_MESSAGE = "not an atproto datetime (like 2026-01-31T12:00:00.000Z)"

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAYS_BEFORE_MONTH = tuple(sum(_MONTH_DAYS[:month]) for month in range(12))
_FEBRUARY = 2

# Decimals, because digits as many as an author likes are subtracted in one pass; Python's integers read only 4300.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])


class Instant(NamedTuple):
    """A moment: `seconds` since 0000-01-01T00:00:00Z and the digits of the `fraction` of the next one.

    Compares, sorts and hashes as the instant. The digits carry no trailing zero: half a second is `"5"`.
    """

    seconds: int
    fraction: str

    def plus(self, seconds: int) -> Instant:
        """Give the instant that lies `seconds` whole seconds later."""
        return Instant(self.seconds + seconds, self.fraction)

    def since(self, earlier: Instant) -> Decimal:
        """Give the exact number of seconds from `earlier` to this instant; negative when `earlier` is later."""
        parts = _EXACT.subtract(_part(self.fraction), _part(earlier.fraction))
        return _EXACT.add(self.seconds - earlier.seconds, parts)


def _part(digits: str) -> Decimal:
    return _EXACT.create_decimal("0." + digits)


def parse_instant(text: str) -> Instant:
    """Read an atproto datetime.

    Raises `ValueError` that says what is wrong: not the grammar of L2, no such date or time of day, or an instant
    before the year 0000.
    """
    seconds = _day(text[:11])
    if len(text) == _USUAL_LENGTH and text[19] == "." and text[23] == "Z" and text.isascii():
        second, fraction = text[17:19], text[20:23]
        if second in _SECONDS and fraction.isdigit():
            return Instant(seconds + _minute(text[11:17]) + _SECONDS[second], fraction.rstrip("0"))
    match = _TIME(text, 11)
    if match is None:
        raise ValueError(_GRAMMAR_MESSAGE)
    hour, minute, second, fraction, sign, offset_hour, offset_minute = match.groups()
    seconds += _of_day(int(hour), int(minute), int(second))
    if sign is not None:
        seconds -= _offset(sign, int(offset_hour), int(offset_minute))
        if seconds < 0:
            raise ValueError("an instant before the year 0000")
    return Instant(seconds, fraction.rstrip("0") if fraction is not None else "")


def is_datetime(text: str) -> bool:
    """Tell whether the text is an atproto datetime in the sense of L2."""
    try:
        parse_instant(text)
    except ValueError:
        return False
    return True


# Records cluster on few days, and the calendar is the slow part.
@lru_cache(maxsize=512)
def _day(text: str) -> int:
    """Count the seconds from 0000-01-01 to a date (with its T) of the proleptic Gregorian calendar."""
    match = _DATE(text)
    if match is None:
        raise ValueError(_GRAMMAR_MESSAGE)
    year, month, day = map(int, match.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= month <= len(_MONTH_DAYS) or not 1 <= day <= _MONTH_DAYS[month - 1] + (leap and month == _FEBRUARY):
        raise ValueError(f"no such date: {text[:-1]}")
    earlier = year - 1  # the year 0000 is itself a leap year: every later year stands 366 days or more after it
    leap_days = earlier // 4 - earlier // 100 + earlier // 400 + 1 if year else 0
    days = year * 365 + leap_days + _DAYS_BEFORE_MONTH[month - 1] + (leap and month > _FEBRUARY) + day - 1
    return days * 86_400


# The spelling that most software writes, with milliseconds and Z, is cut by position: there are only so many minutes.
_USUAL_LENGTH: Final = 24
_SECONDS: Final = {f"{second:02}": second for second in range(60)}


@lru_cache(maxsize=24 * 60)
def _minute(text: str) -> int:
    """Count the seconds from midnight to a time of day that is spelled as `12:34:`."""
    match = _MINUTE(text)
    if match is None:
        raise ValueError(_GRAMMAR_MESSAGE)
    return _of_day(int(match[1]), int(match[2]), 0)


def _of_day(hour: int, minute: int, second: int) -> int:
    # L2: hour 24 and second 60 are refused, so that no instant has a second name on the next day.
    if hour > 23 or minute > 59 or second > 59:  # noqa: PLR2004 - the clock's own numbers
        raise ValueError("no such time of day")
    return hour * 3600 + minute * 60 + second


def _offset(sign: str, hour: int, minute: int) -> int:
    if hour > 23 or minute > 59:  # noqa: PLR2004 - the clock's own numbers
        raise ValueError("no such offset from UTC")
    if sign == "-" and hour == minute == 0:
        raise ValueError("the offset -00:00 says that the zone is unknown")
    return (hour * 60 + minute) * (60 if sign == "+" else -60)
