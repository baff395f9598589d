"""How much a run may use, what is left, and what could not be watched.

Strategy: a limit that is reached stops new work and nothing else; what runs goes on, and partial results stay. Each
limit says who enforces it and how hard, because most are known only afterwards. A limit on something that was not
reported is held against what is certain, and says for how many turns it could not be enforced: they count as unknown
and not as nothing. One that others enforce says so too, for as long as nobody tells us what they counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.usage import Count, Mark, Total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def _is_limit(_budget: object, field: attrs.Attribute[int | None], value: int | None) -> None:
    if value is None:
        return
    if value.__class__ is not int:
        raise ValueError(f"{field.name} is a whole number, not {value}")
    if value < 0:
        raise ValueError(f"{field.name} is a limit of at least 0, not {value}")


def _limit() -> int | None:
    return attrs.field(default=None, validator=_is_limit)


@attrs.frozen(kw_only=True)
class Budget:
    """What a run may use in all; None is no limit. Raises `ValueError` for a negative one, or no whole number.

    `turns` started; `seconds` since the run began; `tokens`; `cost` in millionths; `slots`, the turns at one time;
    `retries`, the turns on a request after one that counts as a failure or an outage (`retry.ENDS`: one that was
    stopped, or that waits for our setup to be mended, does not); `egress`, in millionths, what a gateway lets out.
    """

    turns: int | None = _limit()
    seconds: int | None = _limit()
    tokens: int | None = _limit()
    cost: int | None = _limit()
    slots: int | None = _limit()
    retries: int | None = _limit()
    egress: int | None = _limit()


@attrs.frozen(kw_only=True)
class Spent:
    """What a run has used: turns started, of which some are `running`; whole `seconds`; what the ended ones used.

    `earlier` are those of the running ones that an earlier run began: they take up slots and are charged to that one.
    `egress` is what a gateway says that it has let out, if one does.
    """

    turns: int = 0
    running: int = 0
    earlier: int = 0
    retries: int = 0
    seconds: int = 0
    ended: Total = attrs.field(factory=Total)
    egress: Count = attrs.field(factory=Count)


@attrs.frozen
class Line:
    """One limit of a budget: how much of it is `used`, who enforces it, and what of it could not be enforced.

    `untold` is the number of turns on which it could not be enforced: those that ended and did not report all of what
    the limit is on, or, on seconds, those that go on when they are over.
    """

    name: str
    limit: int
    used: Count
    enforced: str
    unenforced: str | None
    untold: int = 0

    @property
    def reached(self) -> bool:
        """Whether what is certain has reached the limit, so that we stop new work. What others enforce, they stop."""
        return self.name not in _OTHERS and self.used.least >= self.limit

    @property
    def overshoot(self) -> int:
        """How far what is certain has gone beyond it."""
        return max(0, self.used.least - self.limit)

    @property
    def is_loose(self) -> bool:
        """Whether it was not enforced on some turn, or is left to others who say nothing of it."""
        return self.untold > 0 or (self.name in _OTHERS and self.used.mark is Mark.UNKNOWN)

    def __str__(self) -> str:
        """Say it, as in `tokens: at least 1,200 of 1,000`."""
        return f"{self.name}: {self.used} of {self.limit:,}"


@attrs.frozen
class Admission:
    """Whether one more turn may start: the lines that stop it."""

    stopped_by: tuple[Line, ...]

    @property
    def reason(self) -> str | None:
        """Why no turn may start, in words; None when one may."""
        return "the budget allows no more: " + ", ".join(map(str, self.stopped_by)) if self.stopped_by else None


def lines(budget: Budget, spent: Spent) -> tuple[Line, ...]:
    """Give every limit that is set, with what was used of it."""
    return tuple(_lines(budget, spent))


def admit(budget: Budget, spent: Spent, *, retry: bool = False) -> Admission:
    """Tell whether one more turn may start; `retry`: on a request that was tried before."""
    reached = (line for line in lines(budget, spent) if line.reached)
    return Admission(tuple(line for line in reached if retry or line.name != "retries"))


def _lines(budget: Budget, spent: Spent) -> Iterator[Line]:
    for name, (used, enforced, unenforced) in _ROWS.items():
        limit = getattr(budget, name)
        if limit is not None:
            yield Line(name, limit, used(spent), enforced, unenforced(spent), _UNTOLD[name](spent, limit))


def _nothing(_spent: Spent) -> str | None:
    return None


def _running(spent: Spent) -> str | None:
    return f"{spent.running} running turns go on" if spent.running else None


def _untold(spent: Spent, name: str, used: Count) -> str | None:
    missing = _UNTOLD[name](spent, 0)
    said = [f"{missing} of {spent.ended.turns} ended turns did not report all of it"] if missing else []
    running = spent.running - spent.earlier
    said += [f"{running} running turns have not reported"] if running else []
    counted = "" if used.mark is Mark.UNKNOWN else f"; {used} counted"
    return ", ".join(said) + counted if said else None


def _untold_tokens(spent: Spent) -> str | None:
    return _untold(spent, "tokens", spent.ended.usage.tokens)


def _untold_cost(spent: Spent) -> str | None:
    return _untold(spent, "cost", spent.ended.usage.cost)


def _unheard(spent: Spent) -> str | None:
    return "no gateway says what it has let out" if spent.egress.mark is Mark.UNKNOWN else None


def _never(_spent: Spent, _limit: int) -> int:
    return 0


def _going_on(spent: Spent, limit: int) -> int:
    return spent.running if spent.seconds >= limit else 0


_UNTOLD: Final[Mapping[str, Callable[[Spent, int], int]]] = {
    "turns": _never,
    "seconds": _going_on,
    "tokens": lambda spent, _: spent.ended.turns - spent.ended.told_tokens,
    "cost": lambda spent, _: spent.ended.turns - spent.ended.told_cost,
    "slots": _never,
    "retries": _never,
    "egress": _never,
}
_BEFORE: Final = "by us, before a turn starts"
_AFTER: Final = "by us, when a turn has ended and reported: what runs may overshoot"
_ROWS: Final[Mapping[str, tuple[Callable[[Spent], Count], str, Callable[[Spent], str | None]]]] = {
    "turns": (lambda spent: Count.of(spent.turns), _BEFORE, _nothing),
    "seconds": (lambda spent: Count.of(spent.seconds), f"{_BEFORE}: what runs may overshoot", _running),
    "tokens": (lambda spent: spent.ended.usage.tokens, _AFTER, _untold_tokens),
    "cost": (lambda spent: spent.ended.usage.cost, f"{_AFTER}; by the harness's own prices, no bill", _untold_cost),
    "slots": (lambda spent: Count.of(spent.running), _BEFORE, _nothing),
    "retries": (lambda spent: Count.of(spent.retries), _BEFORE, _nothing),
    "egress": (lambda spent: spent.egress, "by the gateway, which may overshoot: to us it is a forecast", _unheard),
}
_OTHERS: Final = frozenset({"egress"})
