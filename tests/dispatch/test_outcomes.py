"""Causes differ in what helps: waiting, another try, mending our own setup, or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import pytest

from radial_core.dispatch.actions import StartTurn, Warn
from radial_core.dispatch.outcomes import BY_CAUSE, BY_REJECTION, Cause, Rejection, ending_of
from radial_core.dispatch.receipts import ended, mended, settle, started, unsettled
from radial_core.dispatch.retry import ENDS, after_turn, is_due
from radial_core.dispatch.state import State, Tries
from radial_core.dispatch.turn import Outcome
from tests.core.small_world import BOT
from tests.dispatch.scene import minute, request, run_by, survey

if TYPE_CHECKING:
    from radial_core.dispatch.routing import Operator

MINE = request(10, assignee=BOT)
# the kind of every cause, written down by hand
KINDS = {
    "output": "NO_RECORD REFUSED MALFORMED TRUNCATED UNWILLING CRASHED OVER_TIME OVER_MEMORY",
    "transient": "RATE_LIMITED OVERLOADED NO_ANSWER CUT_OFF UNREACHABLE HOST",
    "setup": "UNAUTHORIZED UNKNOWN_MODEL UNSUPPORTED NO_HARNESS NO_CHECKOUT",
    "budget": "BUDGET",
    "stopped": "INTERRUPTED WITHDRAWN",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}


def test_every_cause_has_its_kind_and_its_next_step() -> None:
    assert {cause.name: ending.kind for cause, ending in BY_CAUSE.items()} == KIND_OF
    assert set(BY_CAUSE) == set(Cause)
    assert set(BY_REJECTION) == set(Rejection)
    assert all(ending.end in ENDS and ending.next for ending in (*BY_CAUSE.values(), *BY_REJECTION.values()))
    assert len({cause.value for cause in Cause}) == len(Cause)


@pytest.mark.parametrize("cause", Cause)
@pytest.mark.parametrize("name", ["delivered", "unconfirmed", "asked", "cancelled"])
def test_what_a_turn_wrote_goes_before_why_it_ended(name: str, cause: Cause) -> None:
    assert ending_of(name, cause) == ending_of(name)
    assert Outcome(name, None, (), None).amounts_to(cause).end == Outcome(name, None, (), None).end


@pytest.mark.parametrize("cause", Cause)
def test_of_a_turn_that_wrote_nothing_the_cause_decides(cause: Cause) -> None:
    assert Outcome("nothing", None, (), None).amounts_to(cause) == BY_CAUSE[cause]


def test_a_rejection_is_no_failure() -> None:
    """The turn wrote its record; the request is answered, and nothing tries again by itself."""
    assert {ending.end for ending in BY_REJECTION.values()} == {"written"}


@pytest.mark.parametrize(
    ("end", "failed", "outages"),
    [("written", 3, 0), ("failed", 3, 0), ("outage", 2, 5), ("blocked", 2, 4), ("asked", 0, 0), ("cancelled", 2, 4)],
)
def test_each_end_counts_for_itself(end: str, failed: int, outages: int) -> None:
    before = Tries(failed=2, outages=4, ended_at=minute(1))
    after = after_turn(before, end, minute(2), "no key")
    assert (after.failed, after.outages) == (failed, outages)
    assert after.blocked == ("no key" if end == "blocked" else None)


def run(cause: Cause, state: State, operator: Operator, now: int) -> tuple[State, str]:
    """Plan; if a turn starts, let it end of the cause at once and be taken in. Give the state, and what was planned."""
    actions = survey(MINE, state=state, now=now, operator=operator).actions
    for action in actions:
        if isinstance(action, Warn):
            return attrs.evolve(state, done=state.done | {action.key}), action.text
        assert isinstance(action, StartTurn)
        state = started(state, action, minute(now))
        end = BY_CAUSE[cause].end
        state = ended(state, MINE.uri, end, minute(now), why=f"{cause.value}: set the key")
        return settle(state, unsettled(state)), "started"
    return state, ""


def history(cause: Cause, operator: Operator, state: State | None = None, first: int = 60) -> tuple[State, list[str]]:
    """Plan once an hour for 40 hours, in each of which the wait after a turn is over."""
    said: list[str] = []
    state = state or State()
    for hour in range(40):
        state, what = run(cause, state, operator, first + 61 * hour)
        said += [what] if what else []
    return state, said


@pytest.mark.parametrize("bound", [1, 5, 10])
def test_as_many_tries_as_the_operator_allows_and_one_word_after_them(bound: int) -> None:
    _, said = history(Cause.NO_RECORD, run_by(BOT, attempts=bound))
    assert said[:-1] == ["started"] * bound
    assert said[-1] == f"{MINE.uri} is left open: {bound} turns in a row came to nothing"


def test_an_outage_is_waited_for_longer_than_a_failure() -> None:
    _, said = history(Cause.OVERLOADED, run_by(BOT, attempts=2, outages=7))
    assert said[:-1] == ["started"] * 7
    assert said[-1] == f"{MINE.uri} is left open: 7 turns in a row were broken off from outside"


def test_the_usual_bounds_are_five_failures_and_a_day_of_outages() -> None:
    assert (run_by(BOT).attempts, run_by(BOT).outages) == (5, 24)


def test_what_our_setup_lacks_is_tried_once_and_again_when_it_was_mended() -> None:
    state, said = history(Cause.UNAUTHORIZED, run_by(BOT))
    assert said == [
        "started",
        f"{MINE.uri} is left open until that is mended: the provider does not accept our credential: set the key",
    ]
    assert survey(MINE, state=state, now=4000).why(MINE.uri).rule == "setup"
    _, again = history(Cause.UNAUTHORIZED, run_by(BOT), mended(state), first=4000)
    assert again == said


def test_a_request_that_is_left_open_for_another_reason_is_told_of_again() -> None:
    state, _ = history(Cause.UNAUTHORIZED, run_by(BOT))
    _, said = history(Cause.NO_RECORD, run_by(BOT, attempts=2), mended(state), first=4000)
    assert said == ["started", "started", f"{MINE.uri} is left open: 2 turns in a row came to nothing"]


def test_recovery_within_the_bound_goes_on_without_asking_anybody() -> None:
    operator = run_by(BOT, attempts=3, outages=3)
    state = State()
    for number, cause in enumerate([Cause.NO_RECORD, Cause.CUT_OFF, Cause.CUT_OFF, Cause.NO_RECORD, Cause.CUT_OFF]):
        state, what = run(cause, state, operator, 60 + 61 * number)
        assert what == "started"
    assert (state.tries[MINE.uri].failed, state.tries[MINE.uri].outages) == (2, 1)


def test_what_was_stopped_counts_for_nothing() -> None:
    _, said = history(Cause.INTERRUPTED, run_by(BOT, attempts=1))
    assert said == ["started"] * 40


@pytest.mark.parametrize(
    ("failed", "outages", "waits"),
    [(0, 0, 0), (1, 0, 1), (4, 0, 8), (4, 1, 8), (4, 4, 8), (4, 5, 16), (1, 4, 8), (0, 9, 60), (9, 1, 60)],
)
def test_an_outage_shortens_no_wait(failed: int, outages: int, waits: int) -> None:
    """The first minute, two, four, eight, sixteen, up to sixty: after so many failures, or so many outages."""
    tries = Tries(failed=failed, outages=outages, ended_at=minute(60))
    assert is_due(tries, minute(60 + waits), 900)
    assert not waits or not is_due(tries, minute(60 + waits).plus(-1), 900)


def test_a_turn_after_failures_and_an_outage_is_the_next_of_both() -> None:
    tries = {MINE.uri: Tries(failed=4, outages=1, ended_at=minute(60))}
    assert survey(MINE, state=State(tries=tries), now=67).actions == ()
    [start] = survey(MINE, state=State(tries=tries), now=68).actions
    assert isinstance(start, StartTurn)
    assert start.attempt == 6


def test_a_wait_after_outages_grows_with_them() -> None:
    later = {MINE.uri: Tries(failed=0, outages=3, ended_at=minute(60))}
    found = survey(MINE, state=State(tries=later), now=63)
    assert found.actions == ()
    assert found.why(MINE.uri) == (
        "outages",
        "3 turns in a row were broken off from outside; the next one waits",
    )
    assert survey(MINE, state=State(tries=later), now=64).actions
