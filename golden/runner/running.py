"""The whole run: every case in turn, whatever becomes of the one before.

Strategy: an implementation that broke off is started again for the next case, so one bad case costs one case. Two
things end a run early, because going on would say nothing more: a program that cannot be started, and one that breaks
off again and again without a pass in between. Lists of exceptions are strict: they excuse wrong answers and skips that
they name, never a broken conversation, and a name on a list that passes is a fault of the list.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from golden.runner.judging import Plan, Result, judge
from golden.runner.process import Broken
from golden.runner.talking import Implementation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from golden.runner.suite import Case

PASSED: Final = "passed"
STATUSES: Final = (
    PASSED, "failed", "skipped", "errored", "crashed", "timeout", "protocol-error", "stale-xfail",
)  # fmt: skip
_BROKEN: Final = frozenset({"crashed", "timeout", "protocol-error"})
_EXCUSED: Final = {"failed": "xfails", "errored": "xfails", "skipped": "skips"}
_GIVE_UP: Final = 20  # broken conversations in a row


@dataclass(frozen=True)
class Exceptions:
    """The cases that are expected to fail, and those that may be skipped."""

    xfails: frozenset[str] = frozenset()
    skips: frozenset[str] = frozenset()

    def apply(self, result: Result) -> Result:
        """Excuse a result that is listed; a listed case that passes is stale."""
        listed = self.xfails | self.skips
        if result.status == PASSED and result.id in listed:
            return replace(result, status="stale-xfail", message="a list of exceptions names it, and it passes")
        excusing = {"xfails": self.xfails, "skips": self.skips}.get(_EXCUSED.get(result.status, ""), frozenset())
        return replace(result, allowed=result.id in excusing)


@dataclass
class Outcome:
    """What became of every case. `not_run` counts those that a run which ended early did not reach."""

    results: list[Result] = field(default_factory=list)
    not_run: int = 0

    def add(self, result: Result, tell: Callable[[Result], None]) -> None:
        """Keep one more result, and tell it."""
        self.results.append(result)
        tell(result)

    @property
    def is_green(self) -> bool:
        """Nothing is wrong that no list allows, everything was run, and at least one case passed."""
        fine = all(result.status == PASSED or result.allowed for result in self.results)
        return fine and not self.not_run and any(result.status == PASSED for result in self.results)


class Bench:
    """Implementations, each a process of its own, and the cases that they take in turn."""

    def __init__(self, implementations: Sequence[Implementation], plan: Plan) -> None:
        self._all = implementations
        self._plan = plan
        self._idle: SimpleQueue[Implementation] = SimpleQueue()
        for implementation in implementations:
            self._idle.put(implementation)
        self._in_a_row = 0
        self._ended = False

    def run(self, cases: Sequence[Case], exceptions: Exceptions, tell: Callable[[Result], None]) -> Outcome:
        """Try every case and tell each result, in the order of the cases."""
        outcome = Outcome()
        try:
            self._run(cases, exceptions, outcome, tell)
            for implementation in self._all:
                if (result := self._part(implementation)) is not None:
                    outcome.add(result, tell)
        finally:
            self._abandon()
        return outcome

    def _run(
        self, cases: Sequence[Case], exceptions: Exceptions, outcome: Outcome, tell: Callable[[Result], None]
    ) -> None:
        with ThreadPoolExecutor(len(self._all)) as pool:
            try:
                for found in pool.map(self._try, cases):
                    if found is None:
                        outcome.not_run += 1
                    else:
                        outcome.add(exceptions.apply(found), tell)
            except BaseException:  # somebody wants no more of it: end what the pool would wait for
                self._abandon()
                raise

    def _abandon(self) -> None:
        """End every process that still runs, and start no other."""
        self._ended = True
        for implementation in self._all:
            implementation.kill()

    def _try(self, case: Case) -> Result | None:
        implementation = self._idle.get()
        try:
            return None if self._ended else self._judge(case, implementation)
        finally:
            self._idle.put(implementation)

    def _judge(self, case: Case, implementation: Implementation) -> Result:
        try:
            if not implementation.runs:
                implementation.start()
        except (Broken, OSError) as end:
            self._ended = True
            status, stderr = (end.status, end.stderr) if isinstance(end, Broken) else ("crashed", "")
            return Result(case.id, status, message=f"it cannot be started again: {end}", stderr=stderr)
        result = judge(case, implementation.ask, self._plan)
        if result.status in _BROKEN:
            implementation.kill()
        self._in_a_row = self._in_a_row + 1 if result.status in _BROKEN else 0
        self._ended = self._ended or self._in_a_row >= _GIVE_UP
        return result

    @staticmethod
    def _part(implementation: Implementation) -> Result | None:
        try:
            implementation.stop()
        except Broken as end:
            return Result("(stop)", end.status, message=end.message, stderr=end.stderr)
        return None
