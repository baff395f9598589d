"""Strategy: a datetime is a fraction of seconds since 0000-01-01T00:00:00Z, exactly (L2).

The grammar is one regular expression; what it cannot say (days of a month, hours of a day) is one
comparison each. Years count as the proleptic Gregorian calendar does, with a year 0 that is a leap year.
"""

from __future__ import annotations

import functools
import re
from fractions import Fraction

GRAMMAR = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-9]{2})"
)


def is_datetime(text: str) -> bool:
    """L2: say whether the text is a datetime."""
    return _parse(text) is not None


def instant(text: str) -> Fraction:
    """L2: the instant a datetime names. ValueError: the text is none."""
    parsed = _parse(text)
    if parsed is None:
        raise ValueError(f"no datetime: {text!r}")
    return parsed


@functools.lru_cache(maxsize=100_000)
def _parse(text: str) -> Fraction | None:
    match = GRAMMAR.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, zone = match.group(7) or "0", match.group(8)
    if not 1 <= month <= 12 or not 1 <= day <= _days_in_month(year, month):
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    offset = _offset(zone)
    if offset is None:
        return None
    days = _days_before_year(year) + sum(_days_in_month(year, m) for m in range(1, month)) + day - 1
    whole = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    result = whole + _decimal(fraction)
    return None if result < 0 else result


def _decimal(digits: str) -> Fraction:
    """Read the digits after the point, any number of them, in pieces that Python agrees to read as integers."""
    kept = digits.rstrip("0") or "0"
    number = 0
    for start in range(0, len(kept), 1000):
        piece = kept[start : start + 1000]
        number = number * 10 ** len(piece) + int(piece)
    return Fraction(number, 10 ** len(kept))


def _offset(zone: str) -> int | None:
    """Read a zone as minutes; `-00:00` and offsets of a day or more are refused."""
    if zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if zone == "-00:00" or hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (-1 if zone[0] == "-" else 1)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        return 29 if _is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _days_before_year(year: int) -> int:
    leaps = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400
    return year * 365 + leaps
