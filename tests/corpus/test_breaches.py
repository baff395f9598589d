"""Each way to break a rule is ignored by that rule, and what is dealt as allowed is ignored by none but V5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from radial_core import Deletion, Record, materialize
from radial_corpus.breaches import BREACHES
from radial_corpus.corpus import decks
from radial_corpus.dice import Dice
from radial_corpus.goals import ENDINGS, SCENES, set_goal
from radial_corpus.oddities import ODDITIES
from radial_corpus.spaces import found

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_corpus.room import Desk, Scene

CASES = [(rule, breach) for rule, breaches in BREACHES.items() for breach in dict.fromkeys(breaches)]
ALLOWED = [*dict.fromkeys((*SCENES, *ODDITIES, *ENDINGS))]


def new_desk() -> Desk:
    """Set a goal in a new space that has a neighbour."""
    dice = Dice(5)
    dealt = decks(dice)
    neighbour = found(dice, dealt, 0, 1_000, None)
    room = found(dice, dealt, 1, 1_000, neighbour.projects[0])
    room.pen.seen[:0] = neighbour.pen.drain()
    return set_goal(room)


def rules_after(scenes: Iterable[Scene], desk: Desk, times: int = 30) -> tuple[set[str], set[str]]:
    """Give the rules that ignore something before, and after so many scenes of each."""
    before = seen_rules(desk)
    for scene in scenes:
        for _ in range(times):
            scene(desk)
    return before, seen_rules(desk)


def seen_rules(desk: Desk) -> set[str]:
    observed: list[Record | Deletion] = desk.pen.seen
    return {row.rule for row in materialize(observed).ignored}


@pytest.mark.parametrize(("rule", "breach"), CASES, ids=lambda case: case if isinstance(case, str) else case.__name__)
def test_a_breach_is_ignored_by_its_rule(rule: str, breach: Scene) -> None:
    before, after = rules_after([breach], new_desk())
    assert before == set()
    # What an ignored record carries falls with it; a stranger's goal, or that of somebody who left, is ignored itself.
    assert after - {"L5", "T5"} == {rule} - {"L5", "T5"}
    assert rule in after


@pytest.mark.parametrize("scene", ALLOWED, ids=lambda scene: scene.__name__.strip("_"))
def test_what_is_allowed_counts(scene: Scene) -> None:
    desk = new_desk()
    desk.room.decks.oddities.deal = lambda: lambda _desk: None  # type: ignore[method-assign]
    _, after = rules_after([scene], desk)
    # A released claim is gone for good, and a visitor's words with the visitor.
    assert after <= {"V5"}
