"""An index that moved by one record costs the places it touched, and a planner gives what `plan` gives."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from radial_core import Index, materialize
from radial_core.dispatch.plan import Planner, plan, why
from radial_core.dispatch.state import State, Turn
from tests.core.small_world import ANN, BOT, REVS, ROOT, SPACE, add, again, ref, write
from tests.dispatch.scene import ADD_BOT, BASE, CAT, GOAL, OPERATOR, PROJECT, minute, request, run_by
from tests.dispatch.test_plan import ARCHIVED, CLOSED, DONE, OPEN, QUESTION, REMOVED, REPLY, claim, held

GOALS = [
    write(ROOT, "goal", 6, f"g{n}", space=ref(SPACE), project=ref(PROJECT), title="t", body="b") for n in range(20)
]
ASKED = [write(ANN, "artifactRequest", 7, f"q{n}", goal=ref(goal), type="plan") for n, goal in enumerate(GOALS)]
MANY = (*BASE, *GOALS, *ASKED)
PLACES = 1 + 1 + 1 + len(GOALS)  # the space, the project, the goal of the base and these

ABROAD = write(BOT, "message", 20, goal=ref(GOAL), body="which?", re=ref(ASKED[3]))
# On one goal people talk about the requests of all the others.
TALK = [write(BOT, "message", 20, f"t{n}", goal=ref(GOALS[0]), body="b", re=ref(one)) for n, one in enumerate(ASKED)]
WORK = write(ANN, "artifact", 20, goal=ref(GOALS[0]), request=ref(ASKED[0]), type="plan", title="t", body="b")
TALKED = (*MANY, *TALK, WORK)
MOVES: dict[str, tuple[tuple[Any, ...], int]] = {
    "nothing": ((), 0),
    "what is known": ((GOALS[0],), 0),
    "a request": ((request(10),), 1),
    "a message on the goal": ((write(ANN, "message", 20, goal=ref(GOALS[1]), body="b"),), 1),
    "a question asked from elsewhere": ((ABROAD,), 2),
    "a message beside talk about other places": ((write(ANN, "message", 21, goal=ref(GOALS[0]), body="b"),), 1),
    "a review beside talk about other places": ((write(ANN, "review", 21, subject=ref(WORK), verdict="approve"),), 1),
    "a reply to a question about another place": (
        (write(ANN, "message", 21, goal=ref(GOALS[0]), body="b", parent=ref(TALK[5])),),
        2,
    ),
    "a question about another place in reply to one about yet another": (
        (write(BOT, "message", 21, goal=ref(GOALS[0]), body="b", re=ref(ASKED[3]), parent=ref(TALK[5])),),
        3,
    ),
    "another version of a question about another place": (
        (again(TALK[5], rev=REVS[0], re=ref(ASKED[6])),),
        3,
    ),
    "checks for a project that had them": ((again(PROJECT, rev=REVS[0], checks=[{"name": "u", "command": "u"}]),), 1),
    "a project that has no checks after all": ((again(PROJECT, rev=REVS[0], checks=...),), PLACES - 1),
    "another version of a goal": ((again(GOALS[0], rev=REVS[0], title="u"),), 1),
    "another version of a request": ((again(ASKED[0], rev=REVS[0], type="implementation"),), 1),
    "another version of a grant": ((again(ADD_BOT, rev=REVS[0], role="member"),), 1),
    "another version of a grant, of somebody who is a person after all": (
        (again(ADD_BOT, rev=REVS[0], kind="human"),),
        PLACES,
    ),
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
    planner, index = Planner(), materialize(TALKED)
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


PLACES_OF_TALK = GOALS[:4]
ANSWERS = [
    write(ANN, "artifactRequest", 8, f"an{n}", goal=ref(PLACES_OF_TALK[n]), type="answer", assignee=BOT,
          subject={"uri": f"at://{ANN}/com.disnetdev.radial.message/s{n}", "cid": SPACE.cid})
    for n in range(4)
]  # fmt: skip


def said(dice: Random, number: int) -> Any:
    """Write one of a few messages, or another version of it: somewhere, about something, in reply to something."""
    did = (ANN, BOT)[number % 2]
    uris = [f"at://{(ANN, BOT)[n % 2]}/com.disnetdev.radial.message/s{n}" for n in range(6)]
    fields = {
        "re": dice.choice((None, *(ref(one) for one in (*ASKED[:4], *ANSWERS)))),
        "parent": dice.choice((None, *({"uri": uri, "cid": SPACE.cid} for uri in uris))),
        "goal": ref(PLACES_OF_TALK[dice.choice((0, 0, number % 4))]),
    }
    return again(write(did, "message", 20 + number, f"s{number}", body="b", **fields), dice.choice(REVS))


@pytest.mark.parametrize("seed", range(40))
def test_talk_that_comes_late_in_rings_and_in_other_words_is_followed(seed: int) -> None:
    """R2, R6, M1: a message elsewhere asks, answers, or ends a question, by what it replies to."""
    dice = Random(f"talk {seed}")
    planner, index = Planner(), materialize((*BASE, *PLACES_OF_TALK, *ASKED[:4], *ANSWERS))
    operator = run_by(BOT, turns=20, claims=20)
    for _ in range(25):
        index = index.extend([said(dice, dice.randrange(6))])
        followed = planner.survey(index, operator, State(), minute(60))
        assert followed.actions == plan(index, operator, State(), minute(60))


def test_an_answer_elsewhere_is_one_once_its_subject_has_come_in() -> None:
    """Until then it is a question, which somebody has replied to (R2, R6)."""
    subject = write(ANN, "message", 20, "s", goal=ref(GOALS[0]), body="b")
    asked = write(
        ANN, "artifactRequest", 21, goal=ref(GOALS[1]), type="answer", assignee=BOT, subject=ref(subject)
    )  # fmt: skip
    answer = write(BOT, "message", 22, goal=ref(GOALS[0]), body="b", re=ref(asked), parent=ref(subject))
    reply = write(ANN, "message", 23, goal=ref(GOALS[0]), body="b", parent=ref(answer))
    planner, index = Planner(), materialize((*BASE, *GOALS[:2], asked, answer, reply))
    planner.survey(index, OPERATOR, State(), minute(60))
    assert planner.dockets is not None
    assert [*planner.dockets.by_request] == [asked.uri]
    planner.survey(index.extend([subject]), OPERATOR, State(), minute(60))
    assert [*planner.dockets.by_request] == []


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
