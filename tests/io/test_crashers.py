"""What stands in tests/crashers/READER, in hexadecimal, crashed that reader, or would crash a careless one: not again.

And a short hunt for more, the same one each time; `python -m tests.io.fuzzing` hunts for longer.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.io.fuzzing import CRASHERS, READERS, changed, crash, hunt, seeds

FILES = sorted(path for reader in READERS for path in (CRASHERS / reader).glob("*.hex"))


def test_there_are_crashers() -> None:
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_crashed_once_does_not_again(path: Path) -> None:
    assert crash(path.parent.name, bytes.fromhex(path.read_text())) is None


@pytest.mark.parametrize("reader", READERS)
def test_good_bytes_are_taken(reader: str) -> None:
    if reader in {"repo", "car", "tree", "proof", "event"}:
        return  # a part of a repo is no repo; they have tests of their own
    for data in seeds()[reader]:
        READERS[reader](data)


@pytest.mark.parametrize("reader", READERS)
def test_a_short_hunt(reader: str) -> None:
    found = list(hunt(reader, seeds()[reader], random.Random(reader), 80))
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_longer_hunt_with_real_repos(reader: str, shared: Path) -> None:
    found = list(hunt(reader, seeds(shared)[reader], random.Random(f"{reader} longer"), 1500))
    assert found == []


@given(st.sampled_from(sorted(READERS)), st.binary(max_size=200))
def test_any_bytes(reader: str, data: bytes) -> None:
    assert crash(reader, data) is None


def test_the_hunter_sees_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(data: bytes) -> None:
        data[5]

    monkeypatch.setitem(READERS, "careless", careless)
    assert isinstance(crash("careless", b""), IndexError)
    assert any(isinstance(error, IndexError) for _, error in hunt("careless", [b"123456"], random.Random(1), 100))
    dice = random.Random(2)
    assert len({changed(b"123456", dice) for _ in range(50)}) > 25
