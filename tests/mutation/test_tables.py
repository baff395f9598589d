"""The tables and bounds at the head of the rules: each is changed in turn, and the golden suite notices.

Strategy: mutmut changes what stands in functions. What they look things up in stands outside, and is changed here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import attrs
import pytest

from golden.runner.judging import judge
from radial_core import leases
from radial_core.records import PREFIX
from radial_core.rules import artifacts, registry, requests, versions
from tests.mutation.contract import PLAN, ask, relevant_first


class Change(NamedTuple):
    """Another value for a name in a module."""

    module: Any
    name: str
    value: Any


def without(table: Any, key: str) -> Any:
    """Give a set or a mapping without one of its keys."""
    return table - {key} if isinstance(table, frozenset) else {name: table[name] for name in table if name != key}


# What loses one entry after another.
TABLES = [
    (artifacts, "_ANSWERED_OTHERWISE"),
    (registry, "BUILT_IN"),
    (registry, "RESERVED"),
    (requests, "_FULFILMENTS"),
    (requests, "_NEEDED"),
    (versions, "RETIRABLE"),
    (versions, "_PICKERS"),
]
BUILT_IN, NEEDED, RETIRABLE = registry.BUILT_IN, requests._NEEDED, versions.RETIRABLE
OTHER_FIELDS: dict[str, Any] = {"name": "Plan", "scope": "project", "brief": "", "output_spec": "", "built_in": False}
TOO_LITTLE = (("subject", "goal"), ("subject", "assignee"), ("goal", "assignee"))

CHANGES = [
    *(
        Change(module, name, without(getattr(module, name), key))
        for module, name in TABLES
        for key in sorted(getattr(module, name))
    ),
    *(Change(leases, "LONGEST_LEASE", 3600 + more) for more in (-1, 1)),
    *(Change(leases, "LONGEST_LIFE", 24 * 3600 + more) for more in (-1, 1)),
    *(Change(versions, "RETIRABLE", RETIRABLE | {PREFIX + kind}) for kind in ("goal", "removeMember")),
    *(Change(requests, "_NEEDED", NEEDED | {"answer": fields}) for fields in TOO_LITTLE),
    *(
        Change(registry, "BUILT_IN", BUILT_IN | {"plan": attrs.evolve(BUILT_IN["plan"], **{field: value})})
        for field, value in OTHER_FIELDS.items()
    ),
]


@pytest.mark.parametrize("number", range(len(CHANGES)), ids=lambda number: f"{number}: {CHANGES[number].name}")
def test_a_changed_table_is_noticed(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    change = CHANGES[number]
    monkeypatch.setattr(*change)
    results = (judge(case, ask, PLAN) for case in relevant_first(change.module.__name__))
    assert any(result.status != "passed" for result in results), change
