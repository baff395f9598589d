"""An index that moved by one record costs the places it touched, and a planner gives what `plan` gives."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from radial_core import Index, materialize
from radial_core.dispatch.plan import Planner, plan, why
from radial_core.dispatch.state import State, Turn
from tests.core.small_world import ANN, BOT, ROOT, SPACE, add, ref, write
from tests.dispatch.scene import ADD_BOT, BASE, CAT, GOAL, OPERATOR, PROJECT, minute, request, run_by
from tests.dispatch.test_plan import ARCHIVED, CLOSED, DONE, OPEN, QUESTION, REMOVED, REPLY, claim, held

GOALS = [
    write(ROOT, "goal", 6, f"g{n}", space=ref(SPACE), project=ref(PROJECT), title="t", body="b") for n in range(20)
]
ASKED = [write(ANN, "artifactRequest", 7, f"q{n}", goal=ref(goal), type="plan") for n, goal in enumerate(GOALS)]
MANY = (*BASE, *GOALS, *ASKED)
PLACES = 1 + 1 + 1 + len(GOALS)  # the space, the project, the goal of the base and these

ABROAD = write(BOT, "message", 20, goal=ref(GOAL), body="which?", re=ref(ASKED[3]))
MOVES: dict[str, tuple[tuple[Any, ...], int]] = {
    "nothing": ((), 0),
    "what is known": ((GOALS[0],), 0),
    "a request": ((request(10),), 1),
    "a message on the goal": ((write(ANN, "message", 20, goal=ref(GOALS[1]), body="b"),), 1),
    "a question asked from elsewhere": ((ABROAD,), 2),
    "a new goal": ((write(ROOT, "goal", 6, "new", space=ref(SPACE), project=ref(PROJECT), title="t", body="b"),), 1),
    "the project's archiving": ((ARCHIVED,), PLACES - 1),  # all but the space itself
    "what is reviewed by itself": (
        (write(ROOT, "setAutoReview", 20, project=ref(PROJECT), type="plan", enabled=True),),
        PLACES - 1,
    ),
    "a name for the project": ((write(ANN, "editProject", 20, project=ref(PROJECT), name="n"),), 1),
    "a new member": ((add(SPACE, 20, "did:plc:dan", "human", "member"),), 1),  # the space's own shelf
    "another grant for somebody": ((add(SPACE, 20, CAT, "agent", "admin"),), 1),
    "a member who is called an agent now": ((add(SPACE, 20, ANN, "agent", "agent"),), PLACES),  # R6: it may ask
    "our agent's removal": ((REMOVED,), PLACES),
}


@pytest.mark.parametrize("name", MOVES)
def test_as_many_places_are_looked_at_as_moved(name: str) -> None:
    records, places = MOVES[name]
    planner, index = Planner(), materialize(MANY)
    planner.survey(index, OPERATOR, State(), minute(60))
    dockets = planner.dockets
    assert dockets is not None
    assert dockets.drawn_up == PLACES
    grown = index.extend(records)
    found = planner.survey(grown, OPERATOR, State(), minute(60))
    assert dockets.drawn_up == PLACES + places
    assert found.actions == plan(grown, OPERATOR, State(), minute(60))


def test_another_operator_has_other_dockets() -> None:
    planner, index = Planner(), materialize((*BASE, OPEN))
    assert planner.survey(index, OPERATOR, State(), minute(60)).actions
    assert planner.survey(index, run_by("did:plc:nobody"), State(), minute(60)).actions == ()
    assert planner.survey(index, run_by(CAT), State(), minute(60)).actions


ELSEWHERE = write(BOT, "artifact", 8, goal=ref(GOALS[1]), request=ref(ASKED[1]), type="plan", title="t", body="b")
JUDGED = request(11, "review", subject=ref(ELSEWHERE))
STEPS = (
    OPEN, claim(CAT, OPEN.uri, 59), QUESTION, ABROAD, REPLY, REMOVED, DONE, CLOSED, ARCHIVED, *ASKED[:4], ELSEWHERE,
    JUDGED,
)  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_a_planner_that_followed_gives_what_a_fresh_one_gives(seed: int) -> None:
    order = [*BASE, *GOALS[:4], *STEPS]
    Random(seed).shuffle(order)
    planner, index, state = Planner(), materialize([]), State()
    for record in order:
        index = index.extend([record])
        followed = planner.survey(index, OPERATOR, state, minute(60))
        assert followed.actions == plan(index, OPERATOR, state, minute(60))
        for asked in (OPEN, JUDGED, *ASKED[:4]):
            assert followed.why(asked.uri) == why(index, OPERATOR, state, minute(60), asked.uri)


def test_a_lease_ends_also_while_the_index_stands() -> None:
    planner, index = Planner(), materialize((*BASE, OPEN, claim(CAT, OPEN.uri, 59)))
    for now, taken in ((60, 0), (73, 0), (74, 1)):
        assert len(planner.survey(index, OPERATOR, State(), minute(now)).actions) == taken


def test_an_index_of_another_lineage_is_no_harm() -> None:
    planner = Planner()
    for records in ((*BASE, OPEN), MANY, (*BASE, DONE, OPEN), (), (ADD_BOT,)):
        index: Any = materialize(records)
        assert planner.survey(index, OPERATOR, State(), minute(60)).actions == plan(
            index, OPERATOR, State(), minute(60)
        )


def test_what_stays_as_it_is_at_a_place_that_moved_is_the_same_object() -> None:
    planner, index = Planner(), materialize((*MANY, *(request(10 + n) for n in range(30))))
    planner.survey(index, OPERATOR, State(), minute(60))
    dockets = planner.dockets
    assert dockets is not None
    before = dict(dockets.by_request)
    planner.survey(index.extend([request(50)]), OPERATOR, State(), minute(60))
    assert len(dockets.by_request) == len(before) + 1
    assert all(dockets.by_request[uri] is candidate for uri, candidate in before.items())


def test_a_plan_makes_no_view_of_what_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view of a place costs as much as everything that ever happened there."""
    mine = claim(BOT, OPEN.uri, 58)
    running = State(
        turns=(
            Turn(request=ASKED[0].uri, did=BOT, started_at=minute(50)),
            Turn(request=OPEN.uri, did=BOT, started_at=minute(58)),
        ),
        claims=(held(OPEN.uri, 58, settled=True),),
    )  # fmt: skip
    index = materialize((*MANY, OPEN, mine))
    monkeypatch.setattr(Index, "_table", None)
    assert plan(index, run_by(BOT, turns=9), running, minute(60))
    with pytest.raises(TypeError):
        why(index, OPERATOR, running, minute(60), GOALS[0].uri)


MOVED_ON = {
    "a request that is gone": (OPEN, write(ANN, "retractRequest", 20, "back", request=ref(OPEN))),
    "a request that was not there yet": (OPEN, request(11)),
    "an agent that was let in no longer": (OPEN, REMOVED),
}


@pytest.mark.parametrize("name", MOVED_ON)
def test_a_survey_answers_by_what_it_was_made_from_also_when_its_planner_has_moved_on(name: str) -> None:
    first, later = MOVED_ON[name]
    planner, index, asked = Planner(), materialize((*BASE, first)), (OPEN.uri, request(11).uri)
    reasons = {uri: why(index, OPERATOR, State(), minute(60), uri) for uri in asked}
    unasked, half_asked = (planner.survey(index, OPERATOR, State(), minute(60)) for _ in range(2))
    assert half_asked.why(OPEN.uri) == reasons[OPEN.uri]
    grown = index.extend([later])
    moved = planner.survey(grown, OPERATOR, State(), minute(60))
    other_state = State(may_not_start="somebody said so")
    planner.survey(grown, OPERATOR, other_state, minute(90))
    for survey in (unasked, half_asked):
        assert {uri: survey.why(uri) for uri in asked} == reasons
    assert moved.why(OPEN.uri) == why(grown, OPERATOR, State(), minute(60), OPEN.uri)


def test_a_survey_of_an_operator_that_is_another_by_now_answers_for_that_one() -> None:
    planner, index = Planner(), materialize((*BASE, OPEN))
    before = planner.survey(index, OPERATOR, State(), minute(60))
    planner.survey(index, run_by("did:plc:nobody"), State(), minute(60))
    assert before.why(OPEN.uri) == why(index, OPERATOR, State(), minute(60), OPEN.uri)
