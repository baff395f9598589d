"""When to ask again.

Strategy: a schedule of values, without a clock or a sleep of its own, so that a test can read it. Only questions that
change nothing are asked again. The server's own word goes before our guess: `Retry-After` (seconds, or a date), then
`ratelimit-reset`, which is an epoch and not a delay, so it is measured against the server's `Date` where it has one:
then only one clock is read. Every wait is jittered, for many readers start at the same time.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import attrs

TOO_MANY = 429
RETRIED = frozenset({TOO_MANY, 500, 502, 503, 504})


@attrs.frozen(kw_only=True)
class Patience:
    """How often to ask (`attempts`, the first included) and how long to wait in between; all times in seconds.

    One server is asked `at_once` questions at the same time at most.
    """

    attempts: int = 4
    at_once: int = 4
    first_wait: float = 0.5
    longest_own_wait: float = 20.0
    longest_asked_wait: float = 120.0

    def wait(self, attempt: int, asked: float | None, jitter: float) -> float:
        """Give the seconds to wait after attempt number `attempt` (from 1); `jitter` is drawn from 0 to 1.

        What the server `asked` is a floor, stretched by up to a tenth; our own back-off doubles and is halved at most.
        """
        if asked is not None:
            return asked * (1 + jitter / 10)
        return min(self.longest_own_wait, self.first_wait * 2.0 ** (attempt - 1)) * (0.5 + jitter / 2)


def asked_wait(status: int, headers: Mapping[str, str], now: float) -> float | None:
    """Give the seconds that an answer asks us to wait; None when it says nothing that can be read.

    `headers` has lower-case names; `now` is our epoch, used when the server gives no `Date`.
    """
    server_now = epoch_of(headers.get("date"))
    server_now = now if server_now is None else server_now
    after = headers.get("retry-after", "").strip()
    if _is_count(after):
        return float(after)
    if (until := epoch_of(after)) is not None:
        return max(0.0, until - server_now)
    reset = headers.get("ratelimit-reset", "").strip()
    if status == TOO_MANY and _is_count(reset):
        return max(0.0, float(reset) - server_now)
    return None


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(2**53))


def epoch_of(date: str | None) -> float | None:
    """Read an HTTP date: seconds since 1970, None when it is none."""
    try:
        return parsedate_to_datetime(date or "").timestamp()
    except (ValueError, OverflowError):
        return None
