"""What each daemon's run has used, counted from outside, and held against its budget (issue 6: budgets hold).

Strategy: nothing of the core is asked. Turns are counted when they start and what they report when they end; time is
true time. A limit is broken when a turn starts although what is certain has reached it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from radial_core.dispatch.budget import Budget
    from tests.simulation.daemon import Daemon


_MOST: Final = 2**40  # of anything that a turn uses here


class Report(NamedTuple):
    """What a turn's harness said that it used; None is nothing said. What nobody can have used tells nothing."""

    tokens: int | None = None
    cost: int | None = None


class Bill:
    """One run of one daemon."""

    def __init__(self, began: int) -> None:
        self.began = began
        self.turns = self.retries = self.tokens = self.cost = 0
        self.seen = (0, 0, 0)  # seconds, tokens and cost when its daemon last planned
        self.silent: set[str] = set()  # limits on what was not reported, or went on when it was spent
        self.mine: set[str] = set()  # what this run began, and goes on
        self.tried: Counter[str] = Counter()  # turns in a row, by request, that came to nothing by themselves

    def looked_at(self, now: int) -> None:
        """Its daemon plans: what it starts is judged by what was certain then."""
        self.seen = (now - self.began, self.tokens, self.cost)

    def started(self, request: str) -> None:
        self.turns += 1
        self.mine.add(request)
        self.retries += self.tried[request] > 0

    def ended(self, request: str, how: str, report: Report) -> None:
        if request in self.mine:  # else it began in an earlier run
            self.mine.remove(request)
            told = {name: used for name, used in report._asdict().items() if used is not None and used < _MOST}
            self.tokens += told.get("tokens", 0)
            self.cost += told.get("cost", 0)
            self.silent |= report._asdict().keys() - told.keys()
        if how == "asked":
            self.tried[request] = 0
        elif how not in {"cancelled", "blocked"}:
            self.tried[request] += 1

    def again(self, now: int) -> Bill:
        """Begin another run: what was tried stays tried."""
        bill = Bill(now)
        bill.tried = self.tried
        return bill

    def unsaid(self, budget: Budget) -> set[str]:
        """Name the limits that could not be enforced."""
        return {name for name in self.silent if getattr(budget, name) is not None}

    def spent(self, daemon: Daemon, request: str) -> list[str]:
        """Name the limits that forbid one more turn on a request, those of slots aside."""
        seconds, tokens, cost = self.seen
        used = {
            "turns": self.turns,
            "seconds": seconds,
            "tokens": tokens,
            "cost": cost,
            "retries": self.retries if self.tried[request] else -1,
        }
        limits = {name: getattr(daemon.operator.budget, name) for name in used}
        return [name for name, limit in limits.items() if limit is not None and used[name] >= limit]
