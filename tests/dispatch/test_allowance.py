"""A run's budget in a plan: new work stops when it is spent, for a reason, and nothing else does (seed §12)."""

from __future__ import annotations

from itertools import permutations

import attrs
import pytest

from radial_core.dispatch import receipts
from radial_core.dispatch.actions import ReleaseClaim, RenewClaim, StartTurn, Warn, WriteClaim
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.state import Run, State, Tries, Turn
from radial_core.dispatch.usage import Count, Usage, total
from tests.core.small_world import BOT
from tests.dispatch.scene import minute, request, run_by, survey
from tests.dispatch.test_plan import MINE, OPEN, claim, held

SECOND, THIRD = request(11), request(12, assignee=BOT)
TRIED = {MINE.uri: Tries(failed=1, ended_at=minute(1))}


def told(tokens: int, cost: int | None = None) -> Usage:
    return Usage(input=Count.of(tokens), output=Count.of(0), cost=Count.of(cost))


NEW, AGAIN = "nothing new starts", "no request is tried again"
SPENT = {
    "turns": (Budget(turns=3), Run(turns=3), NEW, "turns: 3 of 3"),
    "seconds": (Budget(seconds=60), Run(seconds=61), NEW, "seconds: 61 of 60"),
    "tokens": (Budget(tokens=500), Run(turns=2, ended=total([told(300), told(200)])), NEW, "tokens: 500 of 500"),
    "cost": (Budget(cost=7), Run(turns=1, ended=total([told(1, 9)])), NEW, "cost: 9 of 7"),
    "retries": (Budget(retries=2), Run(turns=4, retries=2), AGAIN, "retries: 2 of 2"),
}


@pytest.mark.parametrize("name", SPENT)
def test_a_spent_budget_stops_new_work_with_one_warning_and_why_names_the_limit(name: str) -> None:
    budget, run, stops, text = SPENT[name]
    found = survey(MINE, state=State(run=run, tries=TRIED), operator=run_by(BOT, budget=budget))
    [warning] = found.actions
    assert warning == Warn(key=f"budget 1 {name} spent", text=f"the budget of this run is spent, {stops}: {text}")
    assert found.why(MINE.uri) == ("budget", f"the budget allows no more: {text}")
    told_already = State(run=run, tries=TRIED, done=frozenset({warning.key}))
    assert survey(MINE, state=told_already, operator=run_by(BOT, budget=budget)).actions == ()
    next_run = attrs.evolve(told_already, run=Run(number=2))
    actions = survey(MINE, state=next_run, operator=run_by(BOT, budget=budget)).actions
    assert [type(action) for action in actions] == [StartTurn]


def test_one_that_is_not_spent_lets_everything_through() -> None:
    budget = Budget(turns=3, seconds=60, tokens=500, cost=9, slots=2, retries=2)
    run = Run(turns=2, retries=1, seconds=59, ended=total([told(499, 8)]))
    [start] = survey(MINE, state=State(run=run, tries=TRIED), operator=run_by(BOT, budget=budget)).actions
    assert isinstance(start, StartTurn)


def test_spent_retries_stop_retries_and_nothing_that_is_new() -> None:
    state = State(run=Run(retries=1), tries=TRIED)
    found = survey(MINE, THIRD, state=state, operator=run_by(BOT, budget=Budget(retries=1)))
    assert [action.key for action in found.actions] == [f"start {THIRD.uri}", "budget 1 retries spent"]
    assert found.why(MINE.uri).text == "the budget allows no more: retries: 1 of 1"


def test_what_is_told_of_a_spent_budget_is_so() -> None:
    """Of each limit of nothing: that nothing new starts is told exactly when a request that nobody tried is not."""
    for name in (field.name for field in attrs.fields(Budget)):
        found = survey(MINE, operator=run_by(BOT, budget=Budget(**{name: 0})))
        starts = any(isinstance(action, StartTurn | WriteClaim) for action in found.actions)
        warned = any(isinstance(action, Warn) and NEW in action.text for action in found.actions)
        assert (starts, warned) == {"retries": (True, False), "egress": (True, False), "slots": (False, False)}.get(
            name, (False, True)
        ), name


def test_that_nobody_holds_a_limit_on_egress_is_told_once_in_a_run() -> None:
    operator = run_by(BOT, budget=Budget(egress=5))
    [warning] = survey(operator=operator).actions
    text = "the limit on egress cannot be enforced: no gateway says what it has let out"
    assert warning == Warn(key="budget 1 egress unenforced", text=text)
    said = State(done=frozenset({warning.key}))
    assert survey(state=said, operator=operator).actions == ()
    [again] = survey(state=receipts.begun(said), operator=operator).actions
    assert again.key == "budget 2 egress unenforced"


def test_what_one_plan_starts_counts_in_that_plan() -> None:
    found = survey(MINE, THIRD, operator=run_by(BOT, turns=5, budget=Budget(turns=1)))
    assert [action.key for action in found.actions] == [f"start {MINE.uri}"]
    assert found.why(THIRD.uri) == ("budget", "the budget allows no more: turns: 1 of 1")


def test_a_claim_has_a_turn_kept_for_it() -> None:
    operator = run_by(BOT, turns=5, budget=Budget(turns=1))
    found = survey(OPEN, SECOND, THIRD, operator=operator)
    [written] = found.actions
    assert isinstance(written, WriteClaim)
    assert written.request == OPEN.uri
    reason = ("budget", "the budget allows no more: turns: 1 of 1, 1 of them kept for claims that wait")
    assert found.why(THIRD.uri) == found.why(SECOND.uri) == reason
    waits = State(claims=(held(OPEN.uri, 59),))
    assert survey(OPEN, THIRD, claim(BOT, OPEN.uri, 59), state=waits, operator=operator).actions == ()
    won = State(claims=(held(OPEN.uri, 59, settled=True),))
    [start] = survey(OPEN, THIRD, claim(BOT, OPEN.uri, 59), state=won, operator=operator).actions
    assert isinstance(start, StartTurn)
    assert start.request == OPEN.uri


def test_of_two_claims_that_won_the_last_turn_takes_one_and_the_other_is_released() -> None:
    state = State(claims=(held(OPEN.uri, 59, settled=True), held(SECOND.uri, 59, settled=True)))
    records = (OPEN, SECOND, claim(BOT, OPEN.uri, 59), claim(BOT, SECOND.uri, 59))
    start, release = survey(*records, state=state, operator=run_by(BOT, budget=Budget(turns=1))).actions
    assert isinstance(start, StartTurn)
    assert isinstance(release, ReleaseClaim)
    assert release.request == SECOND.uri
    assert "the budget allows no more: turns: 1 of 1" in release.reason


def test_slots_are_free_again_and_nobody_is_warned() -> None:
    operator = run_by(BOT, turns=5, budget=Budget(slots=1))
    busy = State(turns=(Turn(request=THIRD.uri, did=BOT, started_at=minute(59)),))
    found = survey(MINE, THIRD, state=busy, operator=operator)
    assert found.actions == ()
    assert found.why(MINE.uri) == ("budget", "the budget allows no more: slots: 1 of 1")
    assert [type(action) for action in survey(MINE, THIRD, operator=operator).actions] == [StartTurn]


def test_what_runs_goes_on_and_is_kept_covered() -> None:
    running = State(
        turns=(Turn(request=OPEN.uri, did=BOT, started_at=minute(46)),),
        claims=(held(OPEN.uri, 50, settled=True),),
        run=Run(turns=1),
        done=frozenset({"budget 1 turns spent"}),
    )
    [renewal] = survey(
        OPEN, claim(BOT, OPEN.uri, 50), state=running, operator=run_by(BOT, budget=Budget(turns=1))
    ).actions
    assert isinstance(renewal, RenewClaim)


def test_what_was_not_reported_is_said_once_and_counts_neither_as_nothing_nor_as_spent() -> None:
    run = Run(turns=2, ended=total([told(400), Usage()]))
    operator = run_by(BOT, budget=Budget(tokens=500))
    found = survey(MINE, state=State(run=run), operator=operator)
    start, warning = found.actions
    assert isinstance(start, StartTurn)
    text = "the limit on tokens cannot be enforced: 1 of 2 ended turns did not report all of it; at least 400 counted"
    assert warning == Warn(key="budget 1 tokens unenforced", text=text)
    [line] = found.budget()
    assert (line.name, str(line), line.untold) == ("tokens", "tokens: at least 400 of 500", 1)
    assert survey(MINE, operator=operator).budget()[0].untold == 0
    assert survey(MINE).budget() == ()


def test_one_turn_cannot_spend_everybody_s_budget_by_what_it_says() -> None:
    run = Run(turns=2, ended=total([told(400, 3), told(2**53 - 1, 2**53 - 1)]))
    found = survey(MINE, state=State(run=run), operator=run_by(BOT, budget=Budget(tokens=10**6, cost=10**6)))
    start, *warnings = found.actions
    assert isinstance(start, StartTurn)
    assert [one.key for one in warnings] == [
        f"budget 1 {name}" for name in ("tokens unenforced", "cost unenforced", "unbelieved")
    ]
    text = (
        "1 turns reported more than 1,000,000,000 tokens or a cost of 10,000,000,000 millionths each:"
        " what they used is taken as unknown"
    )
    assert warnings[-1] == Warn(key="budget 1 unbelieved", text=text)
    said = State(run=run, done=frozenset(one.key for one in warnings))
    assert survey(state=said, operator=run_by(BOT)).actions == ()
    [again] = survey(state=attrs.evolve(said, run=attrs.evolve(run, number=2)), operator=run_by(BOT)).actions
    assert again.key == "budget 2 unbelieved"


def test_that_turns_go_on_when_the_time_is_over_is_told_once_in_a_run() -> None:
    running = (Turn(request=OPEN.uri, did=BOT, started_at=minute(59)),)
    operator = run_by(BOT, budget=Budget(seconds=60))
    state = State(turns=running, claims=(held(OPEN.uri, 59, settled=True),), run=Run(turns=1, seconds=60))
    here = (OPEN, claim(BOT, OPEN.uri, 59))
    spent, unenforced = survey(*here, state=state, operator=operator).actions
    assert spent.key == "budget 1 seconds spent"
    text = "the limit on seconds cannot be enforced: 1 running turns go on"
    assert unenforced == Warn(key="budget 1 seconds unenforced", text=text)
    said = attrs.evolve(state, done=frozenset({spent.key, unenforced.key}))
    assert survey(*here, state=said, operator=operator).actions == ()
    for over, turns in ((60, ()), (59, running)):
        quiet = attrs.evolve(said, turns=turns, run=Run(turns=1, seconds=over), claims=state.claims if turns else ())
        keys = {action.key for action in survey(*here, state=quiet, operator=operator).actions}
        assert unenforced.key not in keys


def test_what_an_earlier_run_began_takes_up_a_slot_and_is_not_waited_for() -> None:
    old = Turn(request=THIRD.uri, did=BOT, started_at=minute(1), run=1)
    state = State(turns=(old,), run=Run(number=2))
    found = survey(MINE, THIRD, state=state, operator=run_by(BOT, turns=5, budget=Budget(slots=1, tokens=10)))
    assert found.actions == ()
    assert [line.unenforced for line in found.budget()] == [None, None]


def test_a_turn_that_cannot_be_started_waits_by_a_count_of_its_own() -> None:
    [start] = survey(MINE).actions
    failing = State(tries={start.key: Tries(failed=3, ended_at=minute(60))})  # waits 20 seconds
    assert survey(MINE, state=failing).actions == ()
    assert survey(MINE, state=failing, now=61).actions == (start,)
    tried = State(tries={MINE.uri: Tries(failed=1, ended_at=minute(59))})
    [again] = survey(MINE, state=tried).actions
    assert isinstance(again, StartTurn)
    assert (again.attempt, again.key) == (2, start.key)


def test_what_is_asked_first_has_no_part_in_what_is_answered_next() -> None:
    """Neither does a claim whose receipt was lost, and that nobody came to for lack of room."""
    records = (OPEN, SECOND, THIRD, claim(BOT, OPEN.uri, 59), claim(BOT, SECOND.uri, 59))
    for budget in (Budget(), Budget(turns=1), Budget(turns=2), Budget(turns=1, slots=1)):
        operator, asked = run_by(BOT, turns=1, budget=budget), (OPEN.uri, SECOND.uri, THIRD.uri)
        found = [
            {uri: one.why(uri) for uri in order}
            for order in permutations(asked)
            for one in (survey(*records, operator=operator),)
        ]
        assert all(reasons == found[0] for reasons in found)
