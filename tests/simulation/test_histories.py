"""Random histories: every invariant of `watch` holds in each (issue 6). A failure names its seed.

`RADIAL_HISTORIES=20000 pytest tests/simulation/test_histories.py -m slow` runs as many as that.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.simulation.history import History

FEW = 100
MANY = int(os.environ.get("RADIAL_HISTORIES", "300"))
A_BATCH = 20


ENOUGH = (
    "clock jumps forwards mid-lease", "clock jumps backwards mid-lease", "sleeps for hours under a claim",
    "sleeps in the midst of a plan", "dies mid-turn", "removed mid-turn", "goal ends mid-turn",
    "project archived mid-turn", "retracted mid-turn", "cut off from its own claim", "claim out of reach",
    "turns cancelled", "turns asked", "overlaps",
)  # fmt: skip
SOMETIMES = (
    "claim without a receipt", "artifact without a receipt", "review without a receipt", "checkrun without a receipt",
    "artifactRequest without a receipt", "message without a receipt", "artifact out of reach", "turns outage",
    "turns blocked", "work under a lost claim",
)  # fmt: skip


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
    for name in ENOUGH:
        assert events[name] >= 3, name
    for name in SOMETIMES:
        assert events[name] >= 1, name


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
