"""How far the clock is off, by hand-computed readings; and the waits (seed §12)."""

from __future__ import annotations

from collections import Counter
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
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from radial_core import materialize, parse_instant
from radial_core.dispatch import receipts
from radial_core.dispatch.clock import (
    Sample,
    estimates,
    future_warning,
    is_ahead,
    is_right,
    kept,
    read_date,
    skew_warning,
    tolerance,
)
from radial_core.dispatch.plan import Planner
from radial_core.dispatch.reports import usage_of
from radial_core.dispatch.retry import after_turn, after_write, is_due, may_write, wait_for_turn
from radial_core.dispatch.state import State, Tries
from tests.core.small_world import ANN, BOT, EVE, ROOT, SPACE, add, ref, write
from tests.dispatch.scene import BASE, CAT, GOAL, PROJECT, minute, run_by, survey

if TYPE_CHECKING:
    from radial_core import Deletion, Record


def reading(server: str, low: float, high: float, received: int = 0) -> Sample:
    return Sample(server, Decimal(str(low)), Decimal(str(high)), minute(received))


def test_a_date_header_bounds_the_difference() -> None:
    sent, received = parse_instant("2026-01-01T00:00:00.2Z"), parse_instant("2026-01-01T00:00:00.7Z")
    # The server wrote 00:01:00 at some moment from :00 to :01 of its own clock, between .2 and .7 of ours.
    found = read_date("pds", parse_instant("2026-01-01T00:01:00Z"), sent, received)
    assert found == Sample("pds", Decimal("59.3"), Decimal("60.8"), received)


ESTIMATES: dict[str, tuple[list[tuple[str, float, float]], list[tuple[str, float, float]]]] = {
    "nothing is known": ([], []),
    "one reading": ([("a", 0, 1)], [("a", 0, 1)]),
    "readings narrow each other": ([("a", 0, 1), ("a", 0.5, 1.5)], [("a", 0.5, 1)]),
    "a slow answer takes nothing back": ([("a", 0, 1), ("a", -70, 9)], [("a", 0, 1)]),
    "a clock that was set in between": ([("a", 60, 61), ("a", 0, 1)], [("a", 0, 1)]),
    "each server by itself": ([("b", 900, 901), ("a", 0, 1), ("b", 899, 900.5)], [("a", 0, 1), ("b", 900, 900.5)]),
    "a clock that was set between question and answer": ([("a", 0, 1), ("a", 5, -5), ("b", 1, 0)], [("a", 0, 1)]),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_the_estimate(name: str) -> None:
    readings, expected = ESTIMATES[name]
    assert estimates(reading(*one) for one in readings) == tuple(reading(*one) for one in expected)


WORDS: dict[str, tuple[list[tuple[str, float, float]], str | None, bool]] = {
    # what was read, what is told, and whether our clock is known to be right; 30 seconds are tolerated
    "nothing was read": ([], None, False),
    "one server that is believed": ([("a", 40.9, 41)], "at least 40 s behind that of a;", False),
    "the other way": ([("a", -41, -40.9)], "at least 40 s ahead of that of a;", False),
    "a slow answer that may be right": ([("a", -69, 1)], None, False),
    "a slow answer that is certainly not": ([("a", -200, -31.5)], "at least 31 s ahead of that of a;", False),
    "from what is tolerated to what is not": ([("a", 30, 31)], None, False),
    "up to what is tolerated": ([("a", -30, 30)], None, True),
    "of two that differ neither": ([("a", 900, 901), ("b", 0, 1)], None, False),
    "of two that differ neither, the other way": ([("a", -901, -900), ("b", 0, 1)], None, False),
    "two that are off in different ways": ([("a", -901, -900), ("b", 900, 901)], None, False),
    "two of one mind": ([("a", 900, 901), ("b", 40, 41)], "at least 900 s behind that of a;", False),
    "two of three": ([("a", 900, 901), ("b", 40, 41), ("c", 0, 1)], "at least 900 s behind that of a;", False),
    "three of three": ([("a", 900, 901), ("b", 40, 41), ("c", 50, 51)], "at least 50 s behind that of c;", False),
    "one of three": ([("a", 900, 901), ("b", 0, 1), ("c", 0, 1)], None, True),
    "two of four": ([("a", 90, 91), ("b", 90, 91), ("c", 0, 1), ("d", 0, 1)], None, False),
}


@pytest.mark.parametrize("name", WORDS)
def test_who_is_believed(name: str) -> None:
    readings, words, right = WORDS[name]
    samples = [reading(*one) for one in readings]
    found = skew_warning(samples, 900)
    assert (found is None) == (words is None)
    assert found is None or words is None or words in found[1]
    assert is_right(samples, 900) == right


BOUND = st.integers(-100, 100)


@given(
    off=BOUND,
    honest=st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90)), min_size=1, max_size=5),
    lies=st.lists(st.tuples(BOUND, BOUND), max_size=4),
)
def test_liars_who_are_fewer_tell_no_right_clock_that_it_is_off_nor_a_wrong_one_that_it_is_right(
    off: int, honest: list[tuple[int, int]], lies: list[tuple[int, int]]
) -> None:
    """However slow the answers are: the bounds of those who do not lie hold what is so."""
    samples = [reading(f"h{n}", off - early, off + late) for n, (early, late) in enumerate(honest)]
    samples += [reading(f"l{n}", low, high) for n, (low, high) in enumerate(lies[: len(honest) - 1])]
    found = skew_warning(samples, 900)
    assert found is None or (off > 30 and "behind" in found[1]) or (off < -30 and "ahead of" in found[1])
    assert not (is_right(samples, 900) and abs(off) > 30)


def test_a_laptop_that_slept_on_a_question_is_told_nothing() -> None:
    asked = minute(60)
    slow = read_date("pds", asked, asked, asked.plus(70))  # between 70 seconds behind and one ahead
    assert slow == Sample("pds", Decimal(-70), Decimal(1), asked.plus(70))
    assert survey(state=receipts.clock_read(State(), slow, 900), now=62).actions == ()


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
        assert f"at least {abs(ahead)} s {words} that of pds.example" in text


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


DAY = 24 * 60


def ahead_of(*records: Record | Deletion, state: State | None = None) -> list[str]:
    """Give what is told of records from the future."""
    keys = [action.key for action in survey(*records, state=state).actions]
    assert all(key.startswith("future ") for key in keys)
    return [key.removeprefix("future ") for key in keys]


def test_nobody_s_record_from_the_future_hides_another_s() -> None:
    far = write(ANN, "message", 20 * DAY, "far", goal=ref(GOAL), body="b")
    near = write(CAT, "message", 3 * DAY, "near", goal=ref(GOAL), body="b")
    asked = write(ROOT, "artifactRequest", 9 * DAY, "asked", project=ref(PROJECT), type="dance")
    assert ahead_of(far) == [far.uri]
    told = State(done=frozenset({f"future {far.uri}"}))
    assert ahead_of(far, near, asked, state=told) == [near.uri, asked.uri]
    assert ahead_of(far, near, asked) == [near.uri, asked.uri, far.uri]


def test_of_one_author_the_last_record_is_told_of_wherever_it_is() -> None:
    here = write(ANN, "message", 20 * DAY, "here", goal=ref(GOAL), body="b")
    there = write(ANN, "artifactRequest", 21 * DAY, "there", project=ref(PROJECT), type="dance")
    goal = write(CAT, "goal", 20 * DAY, "late", space=ref(SPACE), project=ref(PROJECT), title="t", body="b")
    grant = add(SPACE, 9 * DAY, "did:plc:dan", "human", "member")  # root's
    assert ahead_of(here, there) == [there.uri]
    assert ahead_of(here) == [here.uri]
    assert ahead_of(here, there, goal, grant) == [grant.uri, goal.uri, there.uri]


def test_where_none_of_ours_is_a_member_nothing_is_told() -> None:
    space = write(EVE, "space", 1, "eves", name="Eve's")
    project = write(
        EVE, "project", 2, "p", space=ref(space), name="P", gitUrl="https://git.example/p", defaultBranch="main"
    )
    goal = write(EVE, "goal", 3, "g", space=ref(space), project=ref(project), title="t", body="b")
    far = write(EVE, "message", 20 * DAY, "far", goal=ref(goal), body="b")
    near = write(ANN, "message", 3 * DAY, "near", goal=ref(GOAL), body="b")
    assert ahead_of(space, project, goal, far, near) == [near.uri]
    theirs = write(EVE, "addMember", 4, "bot", space=ref(space), did=BOT, kind="agent", role="agent")
    assert ahead_of(space, project, goal, far, near, theirs) == [near.uri, far.uri]
    out = write(EVE, "removeMember", 5, "out", space=ref(space), did=BOT, membership=ref(theirs))
    planner, index = Planner(), materialize([*BASE, space, project, goal, far])
    for news, told in (((), []), ((theirs,), [far.uri]), ((out,), [])):
        index = index.extend(news)
        found = planner.survey(index, run_by(BOT), State(), minute(60)).actions
        assert [action.key for action in found] == [f"future {uri}" for uri in told]


def test_a_few_are_told_at_a_time_and_all_of_them_in_the_end_each_once() -> None:
    people = [f"did:plc:p{number:02}" for number in range(20)]
    grants = [add(SPACE, 6 + n, did, "human", "member") for n, did in enumerate(people)]
    late = [write(did, "message", DAY + n, goal=ref(GOAL), body="b") for n, did in enumerate(people)]
    state, told = State(), []
    for _ in range(4):
        found = ahead_of(*grants, *late, state=state)
        told.append(found)
        for uri in found:
            state = receipts.wrote(state, f"future {uri}")
    uris = [one.uri for one in late]
    assert told == [uris[:8], uris[8:16], uris[16:], []]


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
OFF = [reading("a", 1234.25, 1234.5), Sample("b", Decimal("1234.5"), Decimal("1234.5" + "0" * 60 + "1"), minute(0))]


def _reckoned() -> object:
    now, later = parse_instant("2026-01-01T00:00:00.123456789Z"), parse_instant("2026-01-01T00:20:34.500000001Z")
    warnings = (skew_warning(OFF, 900), skew_warning(OFF, 299), future_warning("at://x", later, now))
    cost = usage_of(
        "pi", [{"type": "message_end", "message": {"role": "assistant", "usage": {"cost": {"total": PRICE}}}}]
    )
    right = is_right([reading("a", -29.9, 29.9)], 299), is_right(OFF, 299), kept(OFF, reading("c", 0, 1))
    read = estimates(OFF), read_date("a", later, now, now), tolerance(299), is_ahead(later, now, 299)
    return read, right, warnings, cost


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


def test_one_server_that_is_asked_often_displaces_no_other() -> None:
    state = State()
    for server in ("a", "b", *["often"] * 20):
        state = receipts.clock_read(state, reading(server, 90, 91), 900)
    assert Counter(one.server for one in state.clock) == {"a": 1, "b": 1, "often": 8}
    for number in range(20):
        state = receipts.clock_read(state, reading(f"s{number}", 0, 1), 900)
    assert [one.server for one in state.clock] == [f"s{number}" for number in range(4, 20)]


@pytest.mark.parametrize(
    ("received", "stays"), [(0, True), (3600, True), (3601, False), (-30, True), (-31, False), (86_400, False)]
)
def test_a_reading_counts_for_an_hour_and_not_when_it_lies_in_our_future(*, received: int, stays: bool) -> None:
    """Else a server that nobody asks any more would have a say for ever."""
    newest = Sample("b", Decimal(90), Decimal(91), minute(60).plus(received))
    found = kept([reading("a", 0, 1, 60)], newest)
    assert [one.server for one in found] == ["a", "b"][not stays :]


def test_a_reading_that_tells_nothing_changes_nothing() -> None:
    state = State(clock=(reading("a", 90, 91),), done=frozenset({"clock a"}))
    assert receipts.clock_read(state, reading("a", 1, 0, 999), 900) == state


def test_that_the_clock_may_be_right_again_is_no_reason_to_tell_once_more_that_it_is_off() -> None:
    state = State(clock=(reading("a", 90, 91),), done=frozenset({"clock a"}))
    unsure = receipts.clock_read(state, reading("a", -70, 40), 900)
    assert unsure.done == {"clock a"}
    assert survey(state=unsure).actions == ()


def test_what_else_was_told_stays_told_when_the_clock_is_right() -> None:
    state = State(done=frozenset({"clock a", "future b", "clocks"}))
    assert receipts.clock_read(state, reading("b", 0, 1), 900).done == {"future b", "clocks"}
    assert receipts.clock_read(state, reading("b", 90, 91), 900).done == state.done
