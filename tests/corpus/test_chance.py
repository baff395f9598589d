"""Dice and clock: chance that is the same everywhere, instants that keep their value in every spelling."""

from collections import Counter
from random import Random

import pytest

from radial_core.identifiers import is_tid
from radial_core.instants import parse_instant
from radial_corpus.clock import DAY, SPELLINGS, spell, tid
from radial_corpus.dice import Deck, Dice, weighted

# The first numbers of the Mersenne twister for the seed 0, as printed in many a tutorial.
TWISTER = [0.8444218515250481, 0.7579544029403025, 0.420571580830845]


def test_the_dice_are_the_mersenne_twister() -> None:
    dice = Dice(0)
    assert [dice.share() for _ in TWISTER] == TWISTER


def test_draws_stay_within_their_bounds_and_reach_them() -> None:
    dice = Dice(1)
    assert {dice.below(3) for _ in range(200)} == {0, 1, 2}
    assert {dice.between(4, 6) for _ in range(200)} == {4, 5, 6}
    assert {dice.pick("ab") for _ in range(200)} == {"a", "b"}
    assert {len(dice.some("abc", 1, 2)) for _ in range(200)} == {1, 2}


def test_shuffling_keeps_every_item_and_moves_some() -> None:
    items = [*range(50)]
    shuffled = Dice(2).shuffled(items)
    assert sorted(shuffled) == items
    assert shuffled != items


def test_a_deck_deals_every_card_before_any_comes_again() -> None:
    deck = Deck(Dice(3), weighted((2, "a"), (1, "b")))
    for _ in range(20):
        assert Counter(deck.deal() for _ in range(3)) == {"a": 2, "b": 1}


def test_the_usual_spelling_is_known() -> None:
    assert spell(0) == "2026-01-01T00:00:00.000Z"
    assert spell(31 * DAY + 3_723_004) == "2026-02-01T01:02:03.004Z"


@pytest.mark.parametrize("number", range(len(SPELLINGS)))
def test_every_spelling_names_the_same_instant(number: int) -> None:
    draw = Random(4)
    for _ in range(200):
        instant = draw.choice([1, 1000]) * draw.randrange(DAY)
        assert parse_instant(SPELLINGS[number](instant)) == parse_instant(spell(instant))


def test_tids_are_legal_sort_by_time_and_differ() -> None:
    assert tid(0, 0, 0) == "3mbd3542k2222"
    tids = [tid(instant, serial, 9) for instant in range(3) for serial in range(1_000)]
    assert all(map(is_tid, tids))
    assert tids == sorted(set(tids))
