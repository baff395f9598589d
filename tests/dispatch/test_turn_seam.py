"""From a plan to a turn and back: what one part hands out, the other takes."""

from __future__ import annotations

import pytest

from radial_core import Index, Instant, materialize, parse_instant
from radial_core.dispatch.actions import StartTurn
from radial_core.dispatch.assignment import Assignment, assign
from radial_core.dispatch.budget import Budget, Spent, admit
from radial_core.dispatch.lifecycle import Ask, Cancel, End, Event, Observe, Start, Submit, Written
from radial_core.dispatch.outcomes import Cause
from radial_core.dispatch.plan import plan, why
from radial_core.dispatch.receipts import ended, settle, started, unsettled
from radial_core.dispatch.retry import ENDS
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from radial_core.dispatch.turn import Outcome, Turn, advance
from tests.core.small_world import ADD_BOT, ANN, BOT, GOAL, PROJECT, SPACE, ref, write
from tests.dispatch.turns import NOW, SAID, record_of

WANTED = write(ANN, "artifactRequest", 81, goal=ref(GOAL), type="plan", assignee=BOT)
OPERATOR = Operator(profiles=(Profile(did=BOT, name="coder", types=("plan",)),), routes={"plan": Route(harness="pi")})
HOUR = 3600


def world() -> Index:
    members = write("did:plc:root", "addMember", 1, space=ref(SPACE), did=ANN, kind="human", role="admin")
    return materialize([SPACE, members, ADD_BOT, PROJECT, GOAL, WANTED])


def moment(hours: int = 0) -> Instant:
    return parse_instant(NOW).plus(hours * HOUR)


def starts(index: Index, state: State, now: Instant) -> list[StartTurn]:
    return [action for action in plan(index, OPERATOR, state, now) if isinstance(action, StartTurn)]


def begun(index: Index, action: StartTurn) -> Turn:
    work = assign(index, action.request, author=action.did, turn=NOW)
    assert isinstance(work, Assignment)
    return advance(Turn(assignment=work, configured=action.route.model), Start())[0]


def test_a_planned_turn_delivers_and_is_not_planned_again() -> None:
    index = world()
    (action,) = starts(index, State(), moment())
    state = started(State(), action, moment())
    turn = begun(index, action)
    turn, _ = advance(turn, Observe("seen"))
    turn, answer = advance(turn, Submit(kind="artifact", said=SAID["artifact"], at=NOW))
    record = record_of(answer)
    turn, _ = advance(turn, Written(record.cid))
    _, outcome = advance(turn, End())
    assert isinstance(outcome, Outcome)
    state = ended(state, action.request, outcome.end, moment())
    state = settle(state, unsettled(state))
    after = index.extend([record])
    assert starts(after, state, moment(48)) == []
    view = after.request(WANTED.uri)
    assert view is not None
    assert (view.open, view.fulfilled_by) == (False, (record.uri,))


@pytest.mark.parametrize(
    ("events", "name", "again_at_once"),
    [
        ((), "nothing", False),
        ((Ask(said={"body": "?"}, at=NOW),), "unconfirmed", False),
        ((Ask(said={"body": "?"}, at=NOW), Written("c")), "asked", True),
        ((Cancel(),), "cancelled", True),
    ],
)
def test_a_turn_that_delivered_nothing_is_planned_again_at_its_time(
    events: tuple[Event, ...], name: str, *, again_at_once: bool
) -> None:
    index = world()
    (action,) = starts(index, State(), moment())
    turn = begun(index, action)
    for event in events:
        turn, _ = advance(turn, event)
    _, outcome = advance(turn, End())
    assert isinstance(outcome, Outcome)
    assert outcome.name == name
    state = ended(started(State(), action, moment()), action.request, outcome.end, moment())
    state = settle(state, unsettled(state))
    assert bool(starts(index, state, moment())) is again_at_once
    assert starts(index, state, moment(48))


def test_a_question_keeps_its_request_from_being_planned_until_somebody_replies() -> None:
    index = world()
    (action,) = starts(index, State(), moment())
    _, answer = advance(begun(index, action), Ask(said={"body": "which?"}, at=NOW))
    question = record_of(answer)
    asked = index.extend([question])
    assert starts(asked, State(), moment()) == []
    reply = write(ANN, "message", 90, goal=ref(GOAL), body="that", parent=ref(question))
    assert starts(asked.extend([reply]), State(), moment())


def test_a_spent_budget_stops_what_is_planned_with_its_reason() -> None:
    spent = admit(Budget(turns=3), Spent(turns=3))
    state = State(may_not_start=spent.reason)
    assert starts(world(), state, moment()) == []
    reason = why(world(), OPERATOR, state, moment(), WANTED.uri)
    assert "turns: 3 of 3" in str(reason)
    assert State(may_not_start=admit(Budget(turns=3), Spent(turns=2)).reason) == State()


def test_every_end_is_one_that_the_plan_knows() -> None:
    names = ("delivered", "unconfirmed", "asked", "cancelled", "nothing")
    endings = {Outcome(name, None, (), None).amounts_to(cause).end for name in names for cause in Cause}
    assert endings == set(ENDS)
