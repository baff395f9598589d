"""How far our own clock is off, as far as the servers' `Date` headers tell.

Strategy: a server says its time to the second, cut off, so half a second is added; the median over the servers is
believed, so that one clock that is off, or one liar, moves little. It is for a person to be warned: no time of ours or
of anybody is ever corrected by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

import attrs

WORTH_A_WARNING: Final = 10.0  # seconds: what Date tells is a second or two off itself
_CUT_OFF: Final = 0.5


@attrs.frozen
class Skew:
    """By how many seconds the `servers` are ahead of our clock; negative when they are behind it."""

    seconds: float
    servers: int

    def in_words(self) -> str:
        """Say it to a person."""
        way = "behind" if self.seconds > 0 else "ahead of"
        return f"this machine's clock is {abs(self.seconds):.0f} s {way} that of {self.servers} of the servers"

    @property
    def is_worth_a_warning(self) -> bool:
        """Whether the clock should be set."""
        return abs(self.seconds) >= WORTH_A_WARNING


def estimated(samples: Mapping[str, float]) -> Skew | None:
    """Estimate from what each server's last `Date` was ahead of our clock, in seconds; None without any."""
    return Skew(round(median(samples.values()) + _CUT_OFF, 1), len(samples)) if samples else None
