"""Random histories: every invariant of `watch` holds in each (issue 6). A failure names its seed.

`RADIAL_HISTORIES=20000 pytest tests/simulation/test_histories.py -m slow` runs as many as that.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.simulation.history import History

FEW = 30
MANY = int(os.environ.get("RADIAL_HISTORIES", "300"))
A_BATCH = 20


@pytest.fixture(scope="module")
def events() -> Counter[str]:
    """Run a few histories: in each every invariant holds, or this fails."""
    return sum((History(seed).run() for seed in range(FEW)), start=Counter())


def test_every_invariant_holds_and_much_happens(events: Counter[str]) -> None:
    """A simulation of quiet days would show nothing."""
    for name in (
        "turns",
        "claim",
        "renewals",
        "crashes",
        "artifact",
        "review",
        "artifactRequest",
        "checkrun",
        "message",
    ):
        assert events[name] >= 5, name
    assert events["overlaps"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, FEW + MANY, A_BATCH))
def test_every_invariant_holds_in_many_histories(first: int) -> None:
    for seed in range(first, first + A_BATCH):
        History(seed).run()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("daemons", [10, 25, 50])
def test_every_invariant_holds_among_many_daemons(daemons: int, seed: int) -> None:
    History(seed, daemons=daemons).run()


def test_a_seed_is_a_history() -> None:
    one, two = History(3), History(3)
    assert one.run() == two.run()
    assert one.world.witness.digest == two.world.witness.digest
    assert one.world.time == two.world.time
