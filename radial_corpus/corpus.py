"""The corpus as a whole: how many spaces, how large, and the deal of what happens.

Strategy: the number asked for is shared out among the spaces beforehand, and each space writes its history, goal after
goal, until its share is used up. So the count is exact, the mix is the same at every size, and no more is held than the
goal at hand. The decks are shared: what is rare comes round in a corpus of small spaces as in one large one.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from radial_corpus.affairs import AFFAIRS
from radial_corpus.breaches import BREACHES
from radial_corpus.dice import Deck, Dice
from radial_corpus.goals import ENDINGS, SCENES
from radial_corpus.oddities import ODDITIES
from radial_corpus.room import Decks
from radial_corpus.spaces import found, history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core import Deletion, Record

# The spaces grow in number and in size: 100 records make one space, 10,000 seven, a million about a hundred.
_SPACES: Final = 0.6
_SMALLEST: Final = 400


def observations(records: int, seed: int = 0) -> Iterator[Record | Deletion]:
    """Yield exactly `records` observations of invented spaces: the same for the same `records` and `seed`.

    Each space comes as a whole, in the rough order of time. Raises `ValueError` for a negative number.
    """
    if records < 0:
        raise ValueError(f"a corpus has no {records} records")
    return _observations(records, Dice(seed))


def _observations(records: int, dice: Dice) -> Iterator[Record | Deletion]:
    shared, neighbour = decks(dice), None
    for number, share in enumerate(shares(records, dice)):
        room = found(dice, shared, number, share, neighbour)
        yield from islice(history(room, share), share)
        neighbour = room.projects[0]


def decks(dice: Dice) -> Decks:
    """Lay out everything that may happen."""
    return Decks(
        scenes=Deck(dice, SCENES),
        oddities=Deck(dice, ODDITIES),
        endings=Deck(dice, ENDINGS),
        affairs=Deck(dice, AFFAIRS),
        breaches=Deck(dice, [breach for breaches in BREACHES.values() for breach in breaches]),
    )


def shares(records: int, dice: Dice) -> list[int]:
    """Share out the observations among spaces of different sizes."""
    count = max(1, round((records / _SMALLEST) ** _SPACES))
    weights = [0.4 + dice.share() for _ in range(count)]
    bounds = [round(records * sum(weights[:number]) / sum(weights)) for number in range(count + 1)]
    return [bound - before for before, bound in pairwise(bounds)]
