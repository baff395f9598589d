"""Chance, the same everywhere.

Strategy: of the standard library's generator only `random()` is used, whose sequence for a seed is promised never to
change; everything else is arithmetic on it. Sets and hashes are never asked for an order. A `Deck` is chance without
drought: every card comes once before any comes twice, so that what is rare still occurs in a small corpus.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Dice:
    """Draws at random; equal seeds draw alike."""

    def __init__(self, seed: int) -> None:
        self.share = Random(seed).random  # the next number from [0, 1)

    def chance(self, share: float) -> bool:
        """Tell, in `share` of all cases, yes."""
        return self.share() < share

    def below(self, bound: int) -> int:
        """Draw a whole number from 0 to `bound` - 1."""
        return int(self.share() * bound)

    def between(self, least: int, most: int) -> int:
        """Draw a whole number from `least` to `most`, both possible."""
        return least + int(self.share() * (most - least + 1))

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[int(self.share() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Give the items in an order drawn at random."""
        order = [*items]
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def some(self, items: Sequence[T], least: int, most: int) -> list[T]:
        """Draw between `least` and `most` different items, as far as there are any."""
        return self.shuffled(items)[: self.between(least, most)]


class Deck(Generic[T]):
    """Cards that are dealt from a shuffled pile, which is shuffled anew when it has run out."""

    def __init__(self, dice: Dice, cards: Sequence[T]) -> None:
        self._dice = dice
        self._cards = cards
        self._pile: list[T] = []

    def deal(self) -> T:
        """Give the next card."""
        if not self._pile:
            self._pile = self._dice.shuffled(self._cards)
        return self._pile.pop()


def weighted(*cards: tuple[int, T]) -> tuple[T, ...]:
    """Lay out a deck in which each card stands as often as the number before it says."""
    return tuple(card for times, card in cards for _ in range(times))
