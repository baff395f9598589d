"""What a run says: to a person on standard output, to a program as JSON Lines.

Strategy: a result that is not a pass is told when it is known, with the place, both sides and the command that shows it
again; the summary counts by folder, so that a port sees which part of it is behind. Whatever the implementation said is
quoted: escaped to ASCII and cut, because it may hold anything. Only the command to repeat is never cut.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Final

from golden.runner.comparing import ABSENT
from golden.runner.judging import VARIANTS
from golden.runner.running import PASSED, STATUSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from golden.runner.judging import Plan, Result
    from golden.runner.running import Outcome

WIDTH: Final = 160
_MOST_STDERR_LINES: Final = 15


def cut(text: str, width: int = WIDTH) -> str:
    """Shorten a line in its middle, where it is least missed."""
    if len(text) <= width:
        return text
    head = (width - 3) * 2 // 3
    return f"{text[:head]}...{text[len(text) - (width - 3 - head) :]}"


def quoted(value: Any) -> str:
    """Give a value as JSON in ASCII; what is not there at all as a word."""
    return "nothing" if value is ABSENT else json.dumps(value)


@dataclass(frozen=True)
class Repeating:
    """The words of the command that shows one result again."""

    program: Sequence[str]
    command: str
    plan: Plan
    options: Sequence[str] = ()

    def words(self, result: Result) -> str:
        """Give the command line for one result."""
        options: list[str] = []
        if result.variant is not None and result.alone:
            options += ["--variant", result.variant]
        elif len(self.plan.variants) < len(VARIANTS):
            options += [word for variant in self.plan.variants for word in ("--variant", variant)]
        if result.variant == "shuffled" and self.plan.seed:
            options += ["--seed", str(self.plan.seed)]
        only = [] if result.id.startswith("(") else ["--only", result.id]
        return shlex.join([*self.program, *only, *options, *self.options, self.command])


@dataclass
class Teller:
    """Tells results as they come and the summary at the end."""

    out: IO[str]
    repeating: Repeating
    report: IO[str] | None = None
    _folders: dict[str, Counter[str]] = field(default_factory=dict)

    def say(self, line: str = "") -> None:
        """Write one line of bounded length."""
        self.out.write(cut(line) + "\n")
        self.out.flush()

    def tell(self, result: Result) -> None:
        """Tell one result."""
        label = f"{result.status} as listed" if result.allowed else result.status
        self._folders.setdefault(result.id.split("/", 1)[0], Counter())[label] += 1
        if self.report is not None:
            self.report.write(json.dumps(_row(result, self.repeating)) + "\n")
            self.report.flush()
        if result.status != PASSED and not result.allowed:
            for line in _lines(result):
                self.say(line)
            self.out.write(f"  repeat:   {self.repeating.words(result)}\n\n")
            self.out.flush()

    def sum_up(self, outcome: Outcome) -> None:
        """Tell the counts by folder, and the verdict."""
        labels = [name for status in STATUSES for name in (status, f"{status} as listed") if self._has(name)]
        rows = [[folder, *(str(counts[label] or "") for label in labels)] for folder, counts in self._folders.items()]
        total = sum(self._folders.values(), Counter())
        for line in _table([["", *labels], *rows, ["total", *(str(total[label]) for label in labels)]]):
            self.say(line)
        self.say(verdict(outcome))

    def _has(self, label: str) -> bool:
        return label == PASSED or any(label in counts for counts in self._folders.values())


def verdict(outcome: Outcome) -> str:
    """Say whether the run is green, and if not, why."""
    if outcome.is_green:
        return "green"
    wrong = Counter(result.status for result in outcome.results if result.status != PASSED and not result.allowed)
    reasons = [f"{wrong[status]} {status}" for status in STATUSES if wrong[status]]
    if outcome.not_run:
        reasons.append(f"{outcome.not_run} not run")
    if not any(result.status == PASSED for result in outcome.results):
        reasons.append("nothing passed")
    return "red: " + ", ".join(reasons)


def _lines(result: Result) -> Iterator[str]:
    variant = f" [{result.variant}]" if result.variant is not None else ""
    yield f"{result.status.upper()} {result.id}{variant}"
    if result.question is not None:
        yield f"  question: {plain(result.question)}"
    if result.difference is not None:
        yield f"  at:       {result.difference.path}"
        yield f"  expected: {quoted(result.difference.expected)}"
        yield f"  found:    {quoted(result.difference.found)}"
    if result.message is not None:
        yield f"  {plain(result.message)}"
    for line in plain(result.stderr, "\n").splitlines()[-_MOST_STDERR_LINES:]:
        yield f"  stderr | {line}"


def plain(text: str, kept: str = "") -> str:
    """Escape what is not printable ASCII: no terminal acts upon it, and any can show it."""
    return "".join(c if (c.isascii() and c.isprintable()) or c in kept else ascii(c)[1:-1] for c in text)


def _row(result: Result, repeating: Repeating) -> dict[str, Any]:
    row: dict[str, Any] = {"id": result.id, "status": result.status}
    optional = {"variant": result.variant, "question": result.question, "message": result.message}
    row |= {key: value for key, value in optional.items() if value is not None}
    if result.difference is not None:
        path, *sides = result.difference
        row |= {"path": path, **dict(zip(("expected", "found"), (cut(quoted(side)) for side in sides), strict=True))}
    if result.stderr:
        row["stderr"] = result.stderr
    if result.allowed:
        row["allowed"] = True
    return row if result.status == PASSED else row | {"repeat": repeating.words(result)}


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        yield "  ".join([first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]).rstrip()
