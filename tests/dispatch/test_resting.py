"""What somebody else's claim keeps from us is not looked at again until it can be otherwise (C4)."""

from __future__ import annotations

from random import Random

import pytest

from radial_core import materialize
from radial_core.dispatch.plan import Planner, plan
from radial_core.dispatch.state import State
from tests.core.small_world import ANN, BOT, ref, write
from tests.dispatch.scene import BASE, CAT, GOAL, OPERATOR, minute, request, run_by
from tests.dispatch.test_plan import claim

MANY = 40
ASKED = [request(10 + n) for n in range(MANY)]
TAKEN = [claim(CAT, one.uri, 59, key=f"c{n}") for n, one in enumerate(ASKED)]
ALL = (*BASE, *ASKED, *TAKEN)
WIDE = run_by(BOT, turns=100, claims=100)
ELSEWHERE = write(ANN, "message", 40, goal=ref(GOAL), body="b")


def looked(planner: Planner) -> int:
    assert planner.dockets is not None
    return planner.dockets.resting.looked


def test_each_is_looked_at_once_for_as_long_as_nothing_moved() -> None:
    planner, index = Planner(), materialize(ALL)
    for now in (60, 61, 65, 72):
        assert planner.survey(index, WIDE, State(), minute(now)).actions == ()
        assert looked(planner) == MANY
    assert len(planner.survey(index, WIDE, State(), minute(75)).actions) == MANY  # the leases are over


def test_one_more_record_makes_nobody_look_at_them_again() -> None:
    planner, index = Planner(), materialize(ALL)
    planner.survey(index, WIDE, State(), minute(60))
    grown = index.extend([ELSEWHERE])
    assert planner.survey(grown, WIDE, State(), minute(60)).actions == ()
    assert looked(planner) == MANY
    newer = claim(ANN, ASKED[0].uri, 58, key="newer")
    planner.survey(grown.extend([newer]), WIDE, State(), minute(60))
    assert looked(planner) == MANY + 1


def test_a_claim_of_which_more_was_observed_is_looked_at_again() -> None:
    planner, index = Planner(), materialize((*BASE, ASKED[0], claim(CAT, ASKED[0].uri, 59)))
    assert planner.survey(index, WIDE, State(), minute(60)).actions == ()
    earlier = index.extend([claim(CAT, ASKED[0].uri, 59, saw=40)])  # the same version, and seen before after all
    assert len(planner.survey(earlier, WIDE, State(), minute(60)).actions) == 1


def test_the_lease_that_lasts_longest_is_what_is_waited_for() -> None:
    one, two = claim(CAT, ASKED[0].uri, 50, lasts=11), claim(ANN, ASKED[0].uri, 51, lasts=30)
    planner, index = Planner(), materialize((*BASE, ASKED[0], one, two))
    for now in (60, 62, 80):
        assert planner.survey(index, WIDE, State(), minute(now)).actions == ()
    assert looked(planner) == 1
    assert len(planner.survey(index, WIDE, State(), minute(81)).actions) == 1


@pytest.mark.parametrize("saw", [None, 60])
def test_what_is_not_certain_is_looked_at_each_time(saw: int | None) -> None:
    theirs = claim(CAT, ASKED[0].uri, 59, saw=saw)
    if saw is None:  # no sighting is known: it counts as seen now (C5)
        theirs = type(theirs)(uri=theirs.uri, cid=theirs.cid, value=theirs.value)
    planner, index = Planner(), materialize((*BASE, ASKED[0], theirs))
    for _ in range(3):
        now = minute(60) if saw is None else minute(60).plus(-10)  # a little before it was seen: a clock set back
        assert planner.survey(index, WIDE, State(), now).actions == ()
    assert looked(planner) == 3


@pytest.mark.parametrize("seed", range(8))
def test_a_planner_that_rests_gives_what_a_fresh_one_gives(seed: int) -> None:
    """Whatever is observed, and wherever our clock goes."""
    dice = Random(seed)
    planner, index = Planner(), materialize((*BASE, *ASKED[:6]))
    for step in range(40):
        about, did = dice.choice(ASKED[:6]).uri, dice.choice((CAT, ANN, BOT))
        made = dice.randrange(30, 90)
        saw = dice.choice((made, made, dice.randrange(20, 120)))
        index = index.extend([claim(did, about, made, lasts=dice.choice((1, 15, 60)), key=f"k{step % 9}", saw=saw)])
        for now in dice.choices(range(30, 150), k=3):
            operator = dice.choice((WIDE, WIDE, WIDE, OPERATOR))
            found = planner.survey(index, operator, State(), minute(now))
            assert found.actions == plan(index, operator, State(), minute(now))
