"""The command line of the runner.

Strategy: exit status 0 says green, 1 says red, 2 says that the question was wrong: an option, a name, a file, a command
that does not exist. Everything that decides a run is printed at its head.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from golden.runner.judging import VARIANTS, Plan, Result
from golden.runner.process import Broken
from golden.runner.running import Bench, Exceptions, Outcome
from golden.runner.suite import Case, UsageError, identity, load, read_exceptions, select
from golden.runner.talking import PROTOCOL, Implementation
from golden.runner.telling import Repeating, Teller, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

GREEN, RED, USAGE, INTERRUPTED = 0, 1, 2, 130
SECONDS: Final = 10.0  # for one answer
_GOLDEN: Final = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class _Job:
    """A run, as the command line orders it."""

    cases: list[Case]
    command: list[str]
    plan: Plan
    exceptions: Exceptions


def parser() -> argparse.ArgumentParser:
    """Describe the command line."""
    made = argparse.ArgumentParser(
        prog="golden/run.py", description="Run the golden suite against an implementation (see PROTOCOL.md)."
    )
    made.add_argument("command", nargs="?", help="the command that starts the implementation, as one argument")
    made.add_argument("--list", action="store_true", help="print the names of the cases and end")
    made.add_argument("--only", action="append", default=[], metavar="ID", help="a case or a folder; may be repeated")
    made.add_argument("--variant", action="append", choices=[*VARIANTS], help="a variant of scenarios; may be repeated")
    made.add_argument("--seed", type=int, default=0, help="what shuffling starts from (default 0)")
    made.add_argument(
        "--timeout", type=_seconds, default=SECONDS, metavar="S", help="seconds for one answer (default 10)"
    )
    made.add_argument("--jobs", type=_count, default=1, metavar="N", help="processes to run side by side (default 1)")
    made.add_argument("--xfails", type=Path, metavar="FILE", help="cases that are expected to fail")
    made.add_argument("--skips", type=Path, metavar="FILE", help="cases that may be skipped")
    made.add_argument("--report", type=Path, metavar="FILE", help="write every result as a line of JSON")
    return made


def _seconds(text: str) -> float:
    if not 0 < (seconds := float(text)) <= 3600:  # noqa: PLR2004 - an hour is no wait but a mistake
        raise argparse.ArgumentTypeError("more than 0 and at most 3600 seconds")
    return seconds


def _count(text: str) -> int:
    if (count := int(text)) < 1:
        raise argparse.ArgumentTypeError("at least one")
    return count


def main(arguments: Sequence[str], golden: Path = _GOLDEN) -> int:
    """Run as told and give the exit status."""
    options = parser().parse_args(arguments)
    try:
        return _main(options, golden)
    except UsageError as fault:
        print(f"golden/run.py: {fault}", file=sys.stderr)
        return USAGE
    except BrokenPipeError:  # nobody reads on: what Python still holds for standard output goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return RED
    except KeyboardInterrupt:
        print("golden/run.py: interrupted", file=sys.stderr)
        return INTERRUPTED


def _main(options: argparse.Namespace, golden: Path) -> int:
    everything = load(golden)
    cases = select(everything, options.only)
    if options.list:
        print(*(case.id for case in cases), sep="\n")
        return GREEN
    job = _Job(cases, _words(options.command), _plan(options), _exceptions(options, everything))
    with ExitStack() as files:
        report = files.enter_context(_report(options.report)) if options.report is not None else None
        repeating = Repeating(_program(), options.command, job.plan, _repeated(options))
        teller = Teller(sys.stdout, repeating, report)
        outcome = _run(job, options, teller, golden)
    teller.sum_up(outcome)
    return GREEN if outcome.is_green else RED


def _words(command: str | None) -> list[str]:
    try:
        words = shlex.split(command or "")
    except ValueError as fault:
        raise UsageError(f"the command cannot be read: {fault}") from fault
    if not words:
        raise UsageError("name the command that starts the implementation, as one argument")
    return words


def _plan(options: argparse.Namespace) -> Plan:
    return Plan(tuple(name for name in VARIANTS if options.variant is None or name in options.variant), options.seed)


def _exceptions(options: argparse.Namespace, cases: list[Case]) -> Exceptions:
    lists = (
        read_exceptions(file, cases) if file is not None else frozenset() for file in (options.xfails, options.skips)
    )
    return Exceptions(*lists)


def _repeated(options: argparse.Namespace) -> list[str]:
    return [] if options.timeout == SECONDS else ["--timeout", f"{options.timeout:g}"]


def _program() -> list[str]:
    """The words that start this runner again, as they were typed where that is known."""
    python = "python" if shutil.which("python") == sys.executable else sys.executable
    return [python, sys.argv[0] if sys.argv[0].endswith("run.py") else str(_GOLDEN / "run.py")]


def _report(path: Path) -> IO[str]:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as fault:
        raise UsageError(f"{path} cannot be written: {fault.strerror}") from fault


def _run(job: _Job, options: argparse.Namespace, teller: Teller, golden: Path) -> Outcome:
    name, as_made = identity(golden)
    changed = "" if as_made else ", not that of its MANIFEST"
    teller.say(f"golden suite {name}{changed}, protocol {PROTOCOL}: {len(job.cases)} cases")
    teller.say(f"variants: {', '.join(job.plan.variants)}; seed {job.plan.seed}")
    first = Implementation(job.command, options.timeout)
    try:
        first.start()
    except OSError as fault:
        raise UsageError(f"{job.command[0]} cannot be started: {fault.strerror}") from fault
    except Broken as end:
        result = Result("(start)", end.status, message=end.message, stderr=end.stderr)
        teller.tell(result)
        return Outcome([result], not_run=len(job.cases))
    more = [Implementation(job.command, options.timeout) for _ in range(options.jobs - 1)]
    try:
        teller.say(f"implementation: {plain(first.name)}")
        teller.say()
        return Bench([first, *more], job.plan).run(job.cases, job.exceptions, teller.tell)
    finally:
        first.kill()  # it ran before there was a bench to end it
