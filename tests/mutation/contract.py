"""What a mutant has to get past first: the golden suite, asked in this process.

Strategy: a mutant lives for a moment, so nothing is read twice. The cases are loaded once, when this module is
imported; every mutant runs in a fork that has them already, and ends at the first thing that is wrong. The cases that
speak of the mutated module come first. Two variants of each scenario are enough: if order matters, one of them shows
it. `scripts/mutate` names this file; its own name keeps it out of other runs, which have these cases anyway.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from golden.runner.judging import Plan, judge
from golden.runner.suite import Case, load
from radial_cli.driver import reply

CASES = [case for case in load(Path(__file__).parents[2] / "golden") if case.kind in {"scenarios", "records"}]
PLAN = Plan(variants=("as-given", "reversed"))

# The folder of scenarios that speaks of a module, where the two are not of one name.
FOLDERS = {"threads": "messages", "leases": "claims"}


def relevant_first(module: str) -> list[Case]:
    """Order the cases for a test of `radial_core.rules.claims`."""
    name = module.rpartition(".")[2]
    folder = FOLDERS.get(name, name)
    return sorted(CASES, key=lambda case: case.folder != folder)


def ask(request: dict[str, Any]) -> dict[str, Any]:
    """Ask our own implementation; whatever it keeps out, it says why."""
    answer = reply(request)
    for one in answer.get("answers", ()):
        for row in one["index"]["ignored"]:
            assert isinstance(row["reason"], str)
            assert row["reason"].strip()
    return answer


def test_the_golden_suite_holds() -> None:
    mutant = os.environ.get("MUTANT_UNDER_TEST", "")  # radial_core.rules.claims.x_rank__mutmut_3
    for case in relevant_first(mutant.rpartition(".")[0]):
        result = judge(case, ask, PLAN)
        assert result.status == "passed", result
