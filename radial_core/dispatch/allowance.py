"""What is left of a run's budget while a plan is made (seed §12: runaway spend; see `budget`).

Strategy: a plan may start several turns, so what it starts counts at once. A claim that waits, or that the plan writes,
has one turn kept for it: otherwise a last turn would be claimed for four times, and three claims be released again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.actions import Warn
from radial_core.dispatch.budget import Budget, Spent, admit, lines
from radial_core.dispatch.reasons import Reason
from radial_core.dispatch.usage import MOST_COST, MOST_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.budget import Line
    from radial_core.dispatch.routing import Operator
    from radial_core.dispatch.state import State

_NO_LIMIT: Final = Budget()
_STOPS: Final = {"retries": "no request is tried again"}  # what a limit stops when that is not all that is new


class Allowance:
    """What one plan may still start. A *retry* is a turn on a request that was tried before (see `Budget`)."""

    def __init__(self, budget: Budget, spent: Spent) -> None:
        self._budget = budget
        self._is_unlimited = budget == _NO_LIMIT
        self._spent = spent
        self._kept: dict[str, bool] = {}  # request -> whether its turn is a retry
        self._said: dict[bool, Reason | None] = {}  # of a request for which nothing is kept

    def copied(self) -> Allowance:
        """Give another of which as much is left, to try something with."""
        other = Allowance(self._budget, self._spent)
        other._kept = dict(self._kept)
        return other

    def is_spent(self) -> bool:
        """Tell whether nothing new may start, whatever it is on."""
        return not self._is_unlimited and self.stops(None, retry=False) is not None

    def stops(self, request: str | None, *, retry: bool) -> Reason | None:
        """Say why no turn may start on a request, or on any at all. Where a claim waits, nothing is kept from it."""
        if self._is_unlimited:
            return None
        if request in self._kept:
            return self._judge([], retry=retry)
        if retry not in self._said:
            self._said[retry] = self._judge([*self._kept.values()], retry=retry)
        return self._said[retry]

    def _judge(self, kept: list[bool], *, retry: bool) -> Reason | None:
        found = admit(self._budget, _more(self._spent, len(kept), sum(kept)), retry=retry)
        waiting = f", {len(kept)} of them kept for claims that wait" if kept else ""
        return None if found.reason is None else Reason("budget", found.reason + waiting)

    def keep(self, request: str, *, retry: bool) -> None:
        """Keep a turn for a claim that waits."""
        self._kept[request] = retry
        self._said.clear()

    def take(self, request: str, *, retry: bool) -> None:
        """Count a turn that starts."""
        self._kept.pop(request, None)
        self._spent = _more(self._spent, 1, int(retry))
        self._said.clear()


def _more(spent: Spent, turns: int, retries: int) -> Spent:
    return attrs.evolve(
        spent, turns=spent.turns + turns, running=spent.running + turns, retries=spent.retries + retries
    )


def spent(state: State) -> Spent:
    """Give what the run has used so far."""
    run = state.run
    earlier = sum(1 for turn in state.turns if turn.run != run.number)
    return Spent(
        turns=run.turns,
        running=len(state.turns),
        earlier=earlier,
        retries=run.retries,
        seconds=run.seconds,
        ended=run.ended,
    )


def standing(operator: Operator, state: State) -> tuple[Line, ...]:
    """Give every limit of the budget, with what was used of it and what of it could not be enforced."""
    return lines(operator.budget, spent(state))


def warnings(operator: Operator, state: State) -> Iterator[Warn]:
    """Tell, once a run, of each limit that is spent, and of each that could not be enforced."""
    for line in standing(operator, state):
        key = f"budget {state.run.number} {line.name}"
        if line.reached and line.name != "slots":  # a slot is free again when its turn ends
            stops = _STOPS.get(line.name, "nothing new starts")
            yield Warn(key=f"{key} spent", text=f"the budget of this run is spent, {stops}: {line}")
        if line.is_loose:
            yield Warn(key=f"{key} unenforced", text=f"the limit on {line.name} cannot be enforced: {line.unenforced}")
    unbelieved = state.run.ended.unbelieved
    if unbelieved:
        said = (
            f"{unbelieved} turns reported more than {MOST_TOKENS:,} tokens or a cost of {MOST_COST:,} millionths each"
        )
        yield Warn(key=f"budget {state.run.number} unbelieved", text=f"{said}: what they used is taken as unknown")
