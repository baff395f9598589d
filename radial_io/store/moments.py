"""Moments as the tables keep them.

Strategy: in UTC, to the second, then the fraction's digits without trailing zeros, and no zone. Such texts compare as
the instants they name, so that the database can tell the earlier one; with a `Z` behind it, each is a datetime again.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from radial_core.instants import parse_instant

_CYCLE: Final = timedelta(days=146_097)  # after 400 years the calendar repeats
_YEARS: Final = 400
_START: Final = datetime(_YEARS, 1, 1, tzinfo=UTC)
_LAST: Final = 315_569_519_999  # 9999-12-31T23:59:59


@lru_cache(maxsize=256)
def kept(text: str) -> str:
    """Give a datetime as it is kept. Raises `ValueError` for what is none.

    What an offset puts into the year 10000 is kept as the last second before it: a sighting never moves later.
    """
    instant = parse_instant(text)
    if instant.seconds > _LAST:
        return "9999-12-31T23:59:59"
    late = instant.seconds >= _CYCLE.total_seconds()
    moment = _START + (timedelta(seconds=instant.seconds) - (_CYCLE if late else timedelta()))
    year = moment.year if late else moment.year - _YEARS
    return f"{year:04}-{moment:%m-%dT%H:%M:%S}" + (f".{instant.fraction}" if instant.fraction else "")


def shown(kept_text: str) -> str:
    """Give a moment that was kept as a datetime."""
    return f"{kept_text}Z"
