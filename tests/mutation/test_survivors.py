"""The survivors that are explained: each is about code that is there, and the page tells them all."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tools import mutation_page
from tools.mutation_page import ROOT, Survivor, read_figures, read_survivors, total

SURVIVORS = read_survivors()


def lines_of(file: str, function: str) -> set[str]:
    """Give the lines of a function, `name` or `Class.name`, without their indentation."""
    source = (ROOT / file).read_text(encoding="utf-8")
    node: ast.Module | ast.FunctionDef | ast.ClassDef = ast.parse(source)
    for name in function.split("."):
        inner = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name)
        node = next(inner)
    return {line.strip() for line in (ast.get_source_segment(source, node) or "").splitlines()}


@pytest.mark.parametrize("survivor", SURVIVORS, ids=lambda survivor: re.sub(r"\s+", " ", f"{survivor.key}"))
def test_a_survivor_changes_lines_that_are_there(survivor: Survivor) -> None:
    assert survivor.old_lines
    message = "the code has changed: run scripts/mutate with this module, and explain anew what lives"
    assert {*survivor.old_lines} <= lines_of(survivor.key.file, survivor.key.function), message


def test_no_survivor_is_explained_twice_or_with_nothing() -> None:
    assert [key for key, times in Counter(survivor.key for survivor in SURVIVORS).items() if times > 1] == []
    assert [survivor for survivor in SURVIVORS if len(survivor.why) < 20] == []


def test_the_recorded_run_reached_every_rule_and_left_those_survivors() -> None:
    rows = read_figures()
    rules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "radial_core/rules").glob("[!_]*.py")}
    assert {row.file for row in rows} == rules | {"radial_core/leases.py"}
    assert Counter({row.file: row.left for row in rows if row.left}) == Counter(one.key.file for one in SURVIVORS)
    assert total(rows).score >= 90


def test_the_page_is_in_step() -> None:
    assert mutation_page.PAGE.read_text(encoding="utf-8") == mutation_page.page(), "run tools/mutation_page.py"
