"""RK-5.16: the public names are few, each for a reason that is written down. `public_names.txt` is the list.

A new name costs a line there; past the budget it costs an old name, or an argument for a larger budget.
"""

from pathlib import Path

import pytest

import radial_core

BUDGET = 24


@pytest.fixture
def listed() -> dict[str, str]:
    """Return the listed names, each with its note."""
    text = (Path(__file__).parent / "public_names.txt").read_text(encoding="utf-8")
    rows = [line.partition(": ") for line in text.splitlines() if line and not line.startswith("#")]
    return {name: note for name, _, note in rows}


def test_the_public_names_are_the_listed_ones(listed: dict[str, str]) -> None:
    assert sorted(radial_core.__all__) == sorted(listed)


def test_every_public_name_is_there_and_described(listed: dict[str, str]) -> None:
    undescribed = [name for name in listed if not (getattr(radial_core, name).__doc__ or "").strip()]
    assert undescribed == []


def test_every_public_name_has_its_reason(listed: dict[str, str]) -> None:
    assert [name for name, note in listed.items() if not note.strip()] == []


def test_the_public_names_keep_to_their_budget(listed: dict[str, str]) -> None:
    assert len(listed) <= BUDGET
