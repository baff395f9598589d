"""Record keys for what people do: TIDs.

Strategy: a key is the time in microseconds and ten bits of chance, so that keys sort as they were made and two devices
of one person do not meet. One maker never gives a key twice, and none before the last, whatever the clock does. A key
is made once, when an act is prepared, and kept in the outbox: a repeat uses the same one.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Final

import attrs

_DIGITS: Final = "234567abcdefghijklmnopqrstuvwxyz"
_LENGTH: Final = 13
_CHANCE_BITS: Final = 10


@attrs.define
class Keys:
    """A maker of record keys: call it for the next one. `clock` gives nanoseconds since 1970."""

    clock: Callable[[], int] = time.time_ns
    chance: int = attrs.field(factory=lambda: secrets.randbelow(1 << _CHANCE_BITS))
    _last: int = 0

    def __call__(self) -> str:
        """Give the next key."""
        self._last = max(self._last + 1, self.clock() // 1000)
        number = self._last << _CHANCE_BITS | self.chance
        return "".join(_DIGITS[number >> 5 * place & 31] for place in reversed(range(_LENGTH)))
