"""When to ask again: the schedule, read without a clock."""

from __future__ import annotations

import pytest

from radial_io.atproto.retries import Patience, asked_wait

NOW = 1_800_000_000.0  # 2027-01-15T08:00:00Z
DATE = "Fri, 15 Jan 2027 08:00:00 GMT"


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {}, None),
        (500, {}, None),
        (429, {"retry-after": "7"}, 7.0),
        (503, {"retry-after": " 7 "}, 7.0),
        (503, {"retry-after": "Fri, 15 Jan 2027 08:00:30 GMT"}, 30.0),
        (503, {"retry-after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        (429, {"ratelimit-reset": "1800000042"}, 42.0),  # an epoch, not a delay
        (429, {"ratelimit-reset": "1799999999"}, 0.0),
        (429, {"retry-after": "3", "ratelimit-reset": "1800000042"}, 3.0),
        (500, {"ratelimit-reset": "1800000042"}, None),  # the PDS sends it with every answer
        (429, {"retry-after": "soon", "ratelimit-reset": "later"}, None),
        (429, {"retry-after": "-5"}, None),
        (429, {"retry-after": "1" * 400}, None),
        (429, {"retry-after": "٣"}, None),
    ],
)
def test_what_the_server_asks(status: int, headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(status, headers, NOW) == seconds


def test_a_reset_is_measured_on_the_servers_own_clock() -> None:
    headers = {"date": DATE, "ratelimit-reset": "1800000042"}
    assert asked_wait(429, headers, NOW + 5000) == 42.0


def test_our_own_wait_doubles_up_to_a_limit_and_is_jittered() -> None:
    patience = Patience(first_wait=1.0, longest_own_wait=4.0)
    assert [patience.wait(attempt, None, 1.0) for attempt in (1, 2, 3, 4)] == [1.0, 2.0, 4.0, 4.0]
    assert [patience.wait(attempt, None, 0.0) for attempt in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, 2.0]


def test_what_was_asked_is_never_undercut() -> None:
    assert Patience().wait(1, 30.0, 0.0) == 30.0
    assert Patience().wait(1, 30.0, 1.0) == 33.0
