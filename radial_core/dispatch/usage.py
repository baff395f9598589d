"""What a turn used, in one form for all harnesses.

Strategy: input is split into counts that exclude each other (fresh, read from a cache, written to one); reasoning is a
part of the output and is never added to it. A count knows how far it can be trusted: reported, a lower bound, or
unknown, which is not nothing. Adding keeps that, so that a sum never looks better than what it was made of. A report
may be cumulative; then only what it adds to the one before counts, and one that comes again adds nothing. A total that
falls is no total: nobody can tell what it counts, so from then on the highest is a lower bound.
"""

from __future__ import annotations

from enum import Enum
from functools import reduce
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable


class Mark(Enum):
    """How far a count can be trusted."""

    REPORTED = "reported"
    AT_LEAST = "at least"
    UNKNOWN = "unknown"


def _fits(count: Count, _field: object, least: int) -> None:
    if least < 0 or (least and count.mark is Mark.UNKNOWN):
        raise ValueError(f"no count: {least}, {count.mark.value}")


@attrs.frozen
class Count:
    """A number that is at least `least`: exactly that where it was reported. What is unknown is at least 0.

    Raises `ValueError` for a negative number, and for one that is called unknown.
    """

    mark: Mark = Mark.UNKNOWN
    least: int = attrs.field(default=0, validator=_fits)

    @classmethod
    def of(cls, number: int | None) -> Count:
        """Give a reported number; None was not reported."""
        return cls() if number is None else cls(Mark.REPORTED, number)

    def __add__(self, other: Count) -> Count:
        """Add; the sum is reported when both are, and unknown when both are."""
        mark = self.mark if self.mark is other.mark else Mark.AT_LEAST
        return Count(mark, self.least + other.least)

    def less_sure(self) -> Count:
        """Give the same as a lower bound: something more may not have been reported."""
        return Count(Mark.AT_LEAST, self.least) if self.mark is Mark.REPORTED else self

    def __str__(self) -> str:
        """Say it, as in `1,001`, `at least 53`, `unknown`."""
        said = {Mark.REPORTED: f"{self.least:,}", Mark.AT_LEAST: f"at least {self.least:,}"}
        return said.get(self.mark, "unknown")


MOST_TOKENS: Final = 1_000_000_000  # of one turn: a hundred thousand a second for three hours, nearly all from a cache
MOST_COST: Final = 10_000_000_000  # of one turn, in millionths
NONE: Final = Count(Mark.REPORTED, 0)
UNKNOWN: Final = Count()


@attrs.frozen(kw_only=True)
class Usage:
    """What one turn, or several, used. All but `cost` are in tokens.

    `fresh`, `cached` and `written` exclude each other and make up `input`, which may be known where they are not.
    `reasoning` is a part of `output`. `cost` is in millionths of the unit of the harness's own prices: an estimate and
    no bill. `notes` say what could not be told and why.
    """

    input: Count = UNKNOWN
    fresh: Count = UNKNOWN
    cached: Count = UNKNOWN
    written: Count = UNKNOWN
    output: Count = UNKNOWN
    reasoning: Count = UNKNOWN
    cost: Count = UNKNOWN
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> Count:
        """All of them, each once."""
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        """Add what two turns, or two requests of one, used."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in COUNTS}
        return Usage(**counts, notes=tuple(dict.fromkeys((*self.notes, *other.notes))))

    def less_sure(self, note: str) -> Usage:
        """Give the same as lower bounds, with the reason."""
        counts = {name: getattr(self, name).less_sure() for name in COUNTS}
        return Usage(**counts, notes=(*self.notes, note))


COUNTS: Final = ("input", "fresh", "cached", "written", "output", "reasoning", "cost")
NOTHING: Final = Usage(input=NONE, fresh=NONE, cached=NONE, written=NONE, output=NONE, reasoning=NONE, cost=NONE)


def add_up(usages: Iterable[Usage]) -> Usage:
    """Add up any number of usages; none at all is nothing."""
    first, *others = [*usages] or [NOTHING]
    return sum(others, first)


def since(before: Usage, now: Usage) -> Usage:
    """Give what a cumulative report adds to an earlier one of the same thread.

    A count that is not reported in both is unknown; of one that is reported before and a lower bound now, what it is
    more is a lower bound. One that is less than before is unknown too, and noted: nobody can tell what it counts.
    """
    pairs = {name: (getattr(before, name), getattr(now, name)) for name in COUNTS}
    return Usage(**{name: _gain(*pair) for name, pair in pairs.items()}, notes=_noted(now.notes, _fallen(before, now)))


def grown(before: Usage, now: Usage) -> Usage:
    """Give a thread's total after one more cumulative report.

    Where anything is less than before, the higher of each count is kept as a lower bound, and what has fallen is noted.
    A report that comes again is for whoever passes them on to leave out.
    """
    fallen = _fallen(before, now)
    unsure = bool(fallen) or any(getattr(before, name).mark is Mark.AT_LEAST for name in COUNTS)
    counts = {name: getattr(now, name) for name in COUNTS}
    if unsure:
        counts = {name: _at_least(getattr(before, name), count) for name, count in counts.items()}
    return Usage(**counts, notes=_noted((*before.notes, *now.notes), fallen))


def _fallen(before: Usage, now: Usage) -> tuple[str, ...]:
    pairs = {name: (getattr(before, name), getattr(now, name)) for name in COUNTS}
    return tuple(
        name for name, (earlier, later) in pairs.items()
        if later.mark is not Mark.UNKNOWN and later.least < earlier.least
    )  # fmt: skip


def _noted(notes: Iterable[str], fallen: Iterable[str]) -> tuple[str, ...]:
    said = (f"{name} is less than in an earlier report of the same thread" for name in fallen)
    return tuple(dict.fromkeys((*notes, *said)))


def _at_least(earlier: Count, later: Count) -> Count:
    return later if later.mark is Mark.UNKNOWN else Count(Mark.AT_LEAST, max(earlier.least, later.least))


def _gain(earlier: Count, later: Count) -> Count:
    more = later.least - earlier.least
    if earlier.mark is not Mark.REPORTED or more < 0:
        return UNKNOWN
    if later.mark is Mark.REPORTED:
        return Count.of(more)
    return Count(Mark.AT_LEAST, more) if later.mark is Mark.AT_LEAST and more else UNKNOWN


def believed(used: Usage) -> Usage:
    """Give what one turn reported as far as a turn can have used it.

    A report is made by what runs beside strangers' text. Of one that names more than `MOST_TOKENS` of anything no count
    of tokens is believed, and no cost above `MOST_COST`: they are unknown, or one turn could spend everybody's budget.
    """
    counts = {name: getattr(used, name) for name in COUNTS if name != "cost"}
    if any(count.least > MOST_TOKENS for count in (*counts.values(), used.tokens)):
        used = Usage(cost=used.cost, notes=(*used.notes, "no turn can have used so many tokens"))
    if used.cost.least > MOST_COST:
        used = attrs.evolve(used, cost=UNKNOWN, notes=(*used.notes, "no turn can have cost so much"))
    return used


@attrs.frozen(kw_only=True)
class Total:
    """What several turns used: how many they were, and how many of them reported all tokens, and all cost.

    `unbelieved` are those that reported more than a turn can use (see `believed`).
    """

    usage: Usage = NOTHING
    turns: int = 0
    told_tokens: int = 0
    told_cost: int = 0
    unbelieved: int = 0

    def plus(self, reported: Usage) -> Total:
        """Add one more turn, as far as its report is believed."""
        usage = believed(reported)
        return Total(
            usage=self.usage + usage if self.turns else usage,
            turns=self.turns + 1,
            told_tokens=self.told_tokens + (usage.tokens.mark is Mark.REPORTED),
            told_cost=self.told_cost + (usage.cost.mark is Mark.REPORTED),
            unbelieved=self.unbelieved + (usage != reported),
        )

    def __str__(self) -> str:
        """Say it with its coverage, as in `at least 1,001 tokens (2 of 3 turns reported)`."""
        return f"{self.usage.tokens} tokens ({self.told_tokens} of {self.turns} turns reported)"


def total(usages: Iterable[Usage]) -> Total:
    """Add up what turns used; a turn of which nothing is known is counted as one, not as nothing."""
    return reduce(Total.plus, usages, Total())
