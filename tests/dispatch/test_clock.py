"""How far the clock is off, by hand-computed readings; and the waits (seed §12)."""

from __future__ import annotations

from decimal import (
    ROUND_DOWN,
    ROUND_UP,
    Context,
    Decimal,
    FloatOperation,
    Inexact,
    InvalidOperation,
    Rounded,
    Subnormal,
    localcontext,
)
from typing import Any

import pytest

from radial_core import parse_instant
from radial_core.dispatch import receipts
from radial_core.dispatch.clock import Sample, estimate, future_warning, is_ahead, read_date, skew_warning, tolerance
from radial_core.dispatch.reports import usage_of
from radial_core.dispatch.retry import after_turn, after_write, is_due, may_write, wait_for_turn
from radial_core.dispatch.state import State, Tries
from tests.core.small_world import ANN, BOT, ref, write
from tests.dispatch.scene import GOAL, minute, survey


def reading(server: str, low: float, high: float) -> Sample:
    return Sample(server, Decimal(str(low)), Decimal(str(high)))


def test_a_date_header_bounds_the_difference() -> None:
    sent, received = parse_instant("2026-01-01T00:00:00.2Z"), parse_instant("2026-01-01T00:00:00.7Z")
    # The server wrote 00:01:00 at some moment from :00 to :01 of its own clock, between .2 and .7 of ours.
    assert read_date("pds", parse_instant("2026-01-01T00:01:00Z"), sent, received) == reading("pds", 59.3, 60.8)


ESTIMATES: dict[str, tuple[Any, Any]] = {
    "nothing is known": ([], None),
    "the middle of one reading": ([("a", 0, 1)], ("a", 0.5)),
    "readings narrow each other": ([("a", 0, 1), ("a", 0.5, 1.5)], ("a", 0.75)),
    "a clock that was set in between": ([("a", 60, 61), ("a", 0, 1)], ("a", 0.5)),
    "the middle server": ([("a", 0, 1), ("b", 900, 901), ("c", 1, 2)], ("c", 1.5)),
    "the lower of two": ([("a", 5, 6), ("b", 900, 901)], ("a", 5.5)),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_the_estimate(name: str) -> None:
    readings, expected = ESTIMATES[name]
    found = estimate(reading(*one) for one in readings)
    assert (None if found is None else (found.server, float(found.ahead))) == expected


@pytest.mark.parametrize(("lease", "seconds"), [(60, 6), (100, 10), (300, 30), (900, 30), (3600, 30)])
def test_a_tenth_of_a_lease_is_tolerated_and_thirty_seconds_at_most(lease: int, seconds: int) -> None:
    assert tolerance(lease) == seconds


@pytest.mark.parametrize(
    ("ahead", "words"), [(30, None), (-30, None), (31, "behind"), (-31, "ahead of"), (90000, "behind")]
)
def test_a_clock_that_is_off_either_way_is_worth_a_word(ahead: int, words: str | None) -> None:
    found = skew_warning([reading("pds.example", ahead, ahead)], 900)
    assert (found is None) == (words is None)
    if found is not None:
        server, text = found
        assert server == "pds.example"
        assert f"{abs(ahead)} s {words} that of pds.example" in text


def test_a_plan_warns_of_its_clock_once() -> None:
    state = State(clock=(reading("pds.example", 40, 41),))
    [warning] = survey(state=state).actions
    assert warning.key == "clock pds.example"
    assert survey(state=State(clock=state.clock, done=frozenset({warning.key}))).actions == ()


def test_records_warn_one_way() -> None:
    tomorrow = write(ANN, "message", 60 + 24 * 60, goal=ref(GOAL), body="from tomorrow")
    past, soon = (write(ANN, "message", at, goal=ref(GOAL), body="b") for at in (0, 60))
    [warning] = survey(tomorrow, past).actions
    assert warning.key == f"future {tomorrow.uri}"
    assert survey(past, soon).actions == ()
    ours = write(BOT, "message", 60 + 24 * 60, goal=ref(GOAL), body="ours")
    assert survey(ours).actions == ()  # what we wrote ourselves tells nothing of others


def test_ahead_is_beyond_what_is_tolerated() -> None:
    assert not is_ahead(minute(60).plus(30), minute(60), 900)
    assert is_ahead(minute(60).plus(31), minute(60), 900)


def test_waits_double_up_to_an_hour() -> None:
    assert [wait_for_turn(failed) for failed in (0, 1, 2, 3, 6, 7, 1000)] == [0, 60, 120, 240, 1920, 3600, 3600]


@pytest.mark.parametrize(("end", "failed"), [("written", 3), ("failed", 3), ("asked", 0), ("cancelled", 2)])
def test_what_a_turn_s_end_amounts_to(end: str, failed: int) -> None:
    assert after_turn(Tries(failed=2, ended_at=minute(1)), end, minute(2)) == Tries(
        failed=failed, ended_at=minute(2), settled=False
    )
    assert after_turn(None, "failed", minute(2)).failed == 1


def test_a_wait_ends_at_its_very_instant_and_nobody_waits_for_our_own_future() -> None:
    tries = after_write(after_write(None, minute(1)), minute(2))
    assert tries == Tries(failed=2, ended_at=minute(2))
    assert not may_write(tries, minute(2).plus(9), 900)
    assert may_write(tries, minute(2).plus(10), 900)
    assert may_write(None, minute(0), 900)
    assert is_due(Tries(failed=9, ended_at=minute(500)), minute(2), 900)
    assert not is_due(Tries(failed=9, ended_at=minute(2)), minute(2), 900)


AMBIENT = {
    "few digits": Context(prec=1, rounding=ROUND_UP),
    "rounding the other way": Context(prec=3, rounding=ROUND_DOWN),
    "small exponents": Context(prec=9, Emax=1, Emin=-1),
    "everything is an error": Context(prec=2, traps=[Inexact, Rounded, Subnormal, FloatOperation, InvalidOperation]),
}
OFF = [reading("a", 1234.25, 1234.5), Sample("b", Decimal("1234.5"), Decimal("1234.5" + "0" * 60 + "1"))]


def _reckoned() -> object:
    now, later = parse_instant("2026-01-01T00:00:00.123456789Z"), parse_instant("2026-01-01T00:20:34.500000001Z")
    warnings = (skew_warning(OFF, 900), skew_warning(OFF, 299), future_warning("at://x", later, now))
    cost = usage_of(
        "pi", [{"type": "message_end", "message": {"role": "assistant", "usage": {"cost": {"total": PRICE}}}}]
    )
    return estimate(OFF), read_date("a", later, now, now), tolerance(299), is_ahead(later, now, 299), warnings, cost


PRICE = 1234.567891


@pytest.mark.parametrize("name", AMBIENT)
def test_the_context_of_the_program_around_us_changes_nothing(name: str) -> None:
    usual = _reckoned()
    with localcontext(AMBIENT[name]):
        assert _reckoned() == usual


def test_that_the_clock_is_off_is_told_again_when_it_was_right_in_between() -> None:
    state, told = State(), []
    for ahead in (0, 50, 50, 0, -90, -90, 20, 50):
        state = receipts.clock_read(state, reading("pds.example", ahead, ahead + 0.5), 900)
        [*found] = survey(state=state).actions
        for action in found:
            state = receipts.wrote(state, action.key)
        told.append([action.key for action in found])
    assert told == [[], ["clock pds.example"], [], [], ["clock pds.example"], [], [], ["clock pds.example"]]
    assert len(state.clock) == 8
    assert len(receipts.clock_read(state, reading("pds.example", 0, 1), 900).clock) == 8


def test_what_else_was_told_stays_told_when_the_clock_is_right() -> None:
    state = State(done=frozenset({"clock a", "future b", "clocks"}))
    assert receipts.clock_read(state, reading("b", 0, 1), 900).done == {"future b", "clocks"}
    assert receipts.clock_read(state, reading("b", 90, 91), 900).done == state.done
