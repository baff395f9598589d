"""The simulation finds what it is there to find: each guard that is taken away breaks an invariant, at a known seed."""

from __future__ import annotations

import pytest

from tests.simulation.guards import BLIND, GUARDS, broken, rows, without
from tests.simulation.watch import INVARIANTS


def test_every_guard_has_its_row() -> None:
    assert rows().keys() == GUARDS.keys()


def test_every_invariant_is_broken_by_some_guard_that_is_gone() -> None:
    assert set(INVARIANTS) - {invariant for invariant, _ in rows().values()} == set()


@pytest.mark.parametrize("guard", GUARDS)
def test_without_its_guard_an_invariant_breaks(guard: str) -> None:
    invariant, seed = rows()[guard]
    with without(guard):
        assert broken(seed, BLIND.get(guard, frozenset())) == invariant
    assert broken(seed) is None
