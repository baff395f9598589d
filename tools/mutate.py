"""Test the tests: change the rules in small ways, one at a time, and list the changes that no test notices.

Strategy: mutmut makes the mutants and tries the tests on each, in a copy of what they need under `.cache/mutation`, so
that the checkout may be edited meanwhile. Two things are ours. Sentences are left alone: how a reason is worded is no
contract. And a mutant is known by what it changes (file, function, lines), not by its number, so that
`tests/mutation/survivors.toml` can say of each survivor why it may live, and stays true when code moves. A run that was
interrupted is taken up where it stopped; after a change to the tests only what they had missed is tried again, after a
change to the code everything.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mutmut.__main__ import cli
from mutmut.mutation import mutators
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
from mutmut.utils.format_utils import orig_function_and_class_names_from_key

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tools.mutation_page import ROOT, Figures, Key, read_survivors, total, write_figures

WORKPLACE = ROOT / ".cache" / "mutation"
CODE = ("radial_core", "radial_cli/__init__.py", "radial_cli/driver.py")
TESTS = ("golden", "pyproject.toml", *(f"tests/{name}" for name in ("conftest.py", "histories.py", "oracle", "golden")))
TESTS_OF_MUTANTS = ("tests/core", "tests/mutation/contract.py", "tests/mutation/afresh.py")
NOTICED = frozenset({"killed", "timeout"})
DECIDED = NOTICED | {"survived", "no tests"}
LEAST_SCORE = 90  # percent


class Mutant(NamedTuple):
    """A mutant under the name it has in this run, what became of it, and, unless it was noticed, its key."""

    name: str
    file: str
    verdict: str
    key: Key | None


# The copy ------------------------------------------------------------------------------------------------------------


def prepare(*, afresh: bool) -> None:
    """Bring the copy up to date, and forget the verdicts that a change has made stale."""
    code, tests = _files(*CODE), _files(*TESTS, *TESTS_OF_MUTANTS)
    stamp, now = WORKPLACE / "stamp.json", [_fingerprint(code), _fingerprint(tests)]
    then = json.loads(stamp.read_text(encoding="utf-8")) if stamp.is_file() else [None, None]
    if afresh or then[0] != now[0]:
        shutil.rmtree(WORKPLACE, ignore_errors=True)
        _copy(code + tests)
    elif then[1] != now[1]:
        for place in (WORKPLACE, WORKPLACE / "mutants"):
            shutil.rmtree(place / "tests", ignore_errors=True)
            shutil.rmtree(place / "golden", ignore_errors=True)
        _copy(tests)
        (WORKPLACE / "mutants" / "mutmut-stats.json").unlink(missing_ok=True)  # which tests reach what
    _keep(NOTICED if then[1] != now[1] else DECIDED)
    stamp.write_text(json.dumps(now), encoding="utf-8")


def _files(*places: str) -> list[str]:
    """Give the files of the checkout in these places as git sees them: no caches, nothing that is ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *places]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted({name for name in listed.split("\0") if name and (ROOT / name).is_file()})


def _fingerprint(names: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return digest.hexdigest()


def _copy(names: Iterable[str]) -> None:
    for name in names:
        target = WORKPLACE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def _keep(kept: frozenset[str]) -> None:
    """Keep these verdicts and forget all others, so that their mutants are tried again."""
    for meta in _metas():
        tree = json.loads(meta.read_text(encoding="utf-8"))
        codes = tree["exit_code_by_key"].items()
        tree["exit_code_by_key"] = {name: code if status_by_exit_code[code] in kept else None for name, code in codes}
        meta.write_text(json.dumps(tree), encoding="utf-8")


def _metas() -> list[Path]:
    """List the files in which mutmut keeps its verdicts, one beside each file of mutants."""
    return sorted((WORKPLACE / "mutants").glob("**/*.py.meta"))


# mutmut --------------------------------------------------------------------------------------------------------------


def leave_sentences_alone() -> None:
    """Take from mutmut its changes to texts that are worded for people: those with a blank in them."""
    change_text = mutators.operator_string

    def change_word(node: Any) -> Iterable[Any]:
        return () if " " in getattr(node, "value", " ") else change_text(node)

    operators: Any = mutators.mutation_operators
    operators[:] = [(kind, change_word if made is change_text else made) for kind, made in operators]


def run(modules: Iterable[str], workers: int) -> None:
    """Make the mutants and try those without a verdict, or all of the modules that are named."""
    names = [f"{module}.*" for module in modules]
    cli(["run", "--max-children", str(workers), *names], standalone_mode=False)


def verdicts() -> Iterator[Mutant]:
    """Give every mutant with its verdict."""
    for meta in _metas():
        file = meta.relative_to(WORKPLACE / "mutants").as_posix().removesuffix(".meta")
        for name, code in json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"].items():
            verdict = status_by_exit_code[code]
            yield Mutant(name, file, verdict, None if verdict in NOTICED else _key(name, file))


def _key(name: str, file: str) -> Key:
    function, owner = orig_function_and_class_names_from_key(name)
    lines = get_diff_for_mutant(name, path=file).splitlines()[2:]
    changed = [f"{line[0]} {line[1:].strip()}" for line in lines if line[:1] in {"-", "+"}]
    return Key(file, f"{owner}.{function}" if owner else function, "\n".join(changed))


# What came of it -----------------------------------------------------------------------------------------------------


def survivors_with_reasons(mutants: list[Mutant]) -> list[str]:
    """Tell of the survivors that are explained, why they may live."""
    living = {mutant.key for mutant in mutants}
    return [_told(survivor.key, survivor.why) for survivor in read_survivors() if survivor.key in living]


def complaints(mutants: list[Mutant], files: set[str]) -> list[str]:
    """Say what is wrong: mutants not tried, survivors without a reason, reasons without a survivor, a low score."""
    if untried := sum(mutant.verdict not in DECIDED for mutant in mutants):
        return [f"{untried} mutants have no verdict yet: run it again"]
    explained = {survivor.key for survivor in read_survivors() if survivor.key.file in files}
    living = {mutant.key: mutant for mutant in mutants if mutant.key is not None}
    score = total(figures(mutants)).score
    return [
        *(_told(key, f"{one.verdict}, and nobody says why") for key, one in living.items() if key not in explained),
        *(_told(key, "explained, but noticed or gone") for key in sorted(explained - living.keys())),
        *([f"only {score:.1f} % are noticed"] if score < LEAST_SCORE else []),
    ]


def _told(key: Key, what: str) -> str:
    return f"{key.file} {key.function}: {what}\n{key.change}\n"


def figures(mutants: list[Mutant]) -> list[Figures]:
    """Count the mutants that have a verdict, file by file."""
    every = [mutant.file for mutant in mutants if mutant.verdict in DECIDED]
    noticed = [mutant.file for mutant in mutants if mutant.key is None]
    return [Figures(file, every.count(file), noticed.count(file)) for file in sorted({*every})]


def show(rows: list[Figures]) -> None:
    """Print the figures as a table."""
    print(f"\n{'':34}{'mutants':>9}{'noticed':>9}{'left':>6}{'score':>9}")
    for row in [*rows, total(rows)]:
        print(f"{row.file:34}{row.mutants:9}{row.noticed:9}{row.left:6}{row.score:8.1f}%")


# The command ---------------------------------------------------------------------------------------------------------


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="of radial_core.rules, or leases; without: all")
    parser.add_argument("--afresh", action="store_true", help="try every mutant again, whatever is known")
    parser.add_argument("--record", action="store_true", help="write the figures for the docs")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="how many to try at a time (2)")
    chosen = parser.parse_args()
    if chosen.record and chosen.modules:
        parser.error("figures are recorded of the whole, not of single modules")
    return chosen


def dotted(module: str) -> str:
    """Name a module in full: `claims`, `rules/claims.py` and `radial_core.rules.claims` are one."""
    last = module.removesuffix(".py").replace("/", ".").rpartition(".")[2]
    return "radial_core.leases" if last == "leases" else f"radial_core.rules.{last}"


def main() -> int:
    """Run, report, and end with 1 when the tests are not as good as they are said to be."""
    chosen = options()
    modules = [dotted(module) for module in chosen.modules]
    os.environ["RADIAL_HYPOTHESIS"] = "ci"  # the same examples for every mutant
    prepare(afresh=chosen.afresh)
    os.chdir(WORKPLACE)
    leave_sentences_alone()
    run(modules, chosen.workers)
    files = {module.replace(".", "/") + ".py" for module in modules} or {*_mutated_files()}
    mutants = [mutant for mutant in verdicts() if mutant.file in files]
    wrong = complaints(mutants, files)
    print("", *survivors_with_reasons(mutants), *wrong, sep="\n")
    show(figures(mutants))
    if chosen.record and not wrong:
        write_figures(figures(mutants))
    return 1 if wrong else 0


def _mutated_files() -> Iterator[str]:
    yield from (meta.relative_to(WORKPLACE / "mutants").as_posix().removesuffix(".meta") for meta in _metas())


if __name__ == "__main__":
    sys.exit(main())
