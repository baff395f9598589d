"""Write docs/reference/mutation.md: what the mutation run came to, and why each survivor may live.

Strategy: the figures are those of the last recorded run (`scripts/mutate --record`), the reasons are written by hand;
both are data under tests/mutation, and the page is the two put together. A test holds the page against them, and the
lines that a survivor changes against the code, so that a reason does not outlive what it is about.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests" / "mutation" / "survivors.toml"
FIGURES = ROOT / "tests" / "mutation" / "figures.toml"
PAGE = ROOT / "docs" / "reference" / "mutation.md"

_HEAD = """# Which changes no test notices

Made by `tools/mutation_page.py` from `tests/mutation/figures.toml` and `tests/mutation/survivors.toml`: change those.

`scripts/mutate` changes `radial_core/rules/` and `radial_core/leases.py` in one small way after another (`<` becomes
`<=`, `and` becomes `or`, an argument is dropped or `None`) and runs the golden suite and the unit tests that reach the
changed function. A change that no test notices is a *survivor*: a test is missing, or the change changes nothing. Here
are all of them. The command ends with an error when one lives that does not stand here, when one that stands here has
been noticed, or when fewer than 90 of 100 are noticed.

```sh
scripts/mutate                # everything; an interrupted run is taken up where it stopped
scripts/mutate claims leases  # the mutants of these modules, again
scripts/mutate --record       # everything, and the figures below
```

After a change to the tests only what they had missed is tried again, after a change to the code everything.

Left out are the sentences of reasons, whose wording is free (that there is one is not), and the tables at the head of
modules, which the tool cannot reach: `tests/mutation/test_tables.py` changes each of those itself.
"""


class Key(NamedTuple):
    """What a mutant is known by: the file, the function in it, and its `- old` and `+ new` lines."""

    file: str
    function: str
    change: str


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test notices, and why that is no hole."""

    key: Key
    why: str

    @property
    def old_lines(self) -> list[str]:
        """Give the lines that the mutant changes, as they stand in the code."""
        return [line[2:] for line in self.key.change.splitlines() if line.startswith("- ")]


@dataclass(frozen=True)
class Figures:
    """How many mutants a file has, and how many of them some test notices."""

    file: str
    mutants: int
    noticed: int

    @property
    def left(self) -> int:
        """How many live."""
        return self.mutants - self.noticed

    @property
    def score(self) -> float:
        """Give the share that is noticed, in percent."""
        return 100 * self.noticed / self.mutants if self.mutants else 100.0


def total(rows: list[Figures]) -> Figures:
    """Add figures up."""
    return Figures("all", sum(row.mutants for row in rows), sum(row.noticed for row in rows))


def read_survivors() -> list[Survivor]:
    """Read the survivors, in the order of their file."""
    return [
        Survivor(Key(row["file"], row["function"], change.strip()), " ".join(row["why"].split()))
        for row in _read(SURVIVORS)["survivor"]
        for change in row["changes"]
    ]


def read_figures() -> list[Figures]:
    """Read the figures of the last recorded run."""
    return [Figures(**row) for row in _read(FIGURES)["figures"]]


def write_figures(rows: list[Figures]) -> None:
    """Record the figures of a run."""
    lines = [f'    {{ file = "{row.file}", mutants = {row.mutants}, noticed = {row.noticed} }},' for row in rows]
    head = "# Written by `scripts/mutate --record`."
    FIGURES.write_text("\n".join([head, "figures = [", *lines, "]", ""]), encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def page() -> str:
    """Give the text of the whole page."""
    rows = read_figures()
    table = [_row(f"`{row.file}`", row) for row in rows]
    head = ["| file | mutants | noticed | survivors | score |", "|---|--:|--:|--:|--:|"]
    sections = [_section(file, [*group]) for file, group in groupby(read_survivors(), key=lambda one: one.key.file)]
    return "\n".join([_HEAD, *head, *table, _row("**all**", total(rows)), "", *sections])


def _row(name: str, row: Figures) -> str:
    return f"| {name} | {row.mutants} | {row.noticed} | {row.left} | {row.score:.1f} % |"


def _section(file: str, survivors: list[Survivor]) -> str:
    reasons = groupby(survivors, key=lambda one: (one.key.function, one.why))
    return "\n".join([f"## {file}\n", *(_reason(*told, [*group]) for told, group in reasons)])


def _reason(function: str, why: str, survivors: list[Survivor]) -> str:
    changes = "\n\n".join(one.key.change for one in survivors)
    return f"`{function}`: {why}\n\n```diff\n{changes}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
