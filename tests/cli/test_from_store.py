"""Verbs that read files read the store when no file is named, and say the same."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from radial_io.store.store import open_store
from tests.cli.conftest import Call

VERBS = (
    ("show", "space/tidewater"),
    ("goals", "--all"),
    ("requests",),
    ("members",),
    ("explain", "space/tidewater"),
    ("materialize", "--json"),
    ("digest", "--tree"),
)


@pytest.fixture
def store(radial: Call, example: Path, tmp_path: Path) -> Path:
    file = tmp_path / "store.db"
    assert radial("import", "--own", example, "--store", file).status == 0
    return file


@pytest.mark.parametrize("words", VERBS, ids=lambda words: words[0])
def test_the_store_says_what_the_file_says(
    words: tuple[str, ...], radial: Call, example: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = _timeless(radial(*words, example))
    assert wanted[0] == 0
    assert _timeless(radial(*words, "--store", store)) == wanted
    monkeypatch.setenv("RADIAL_STORE", str(store))
    assert _timeless(radial(*words)) == wanted
    assert _timeless(radial(*words, example)) == wanted  # a file goes before the store of the environment


def _timeless(done: tuple[int, str, str]) -> tuple[int, str]:
    return done[0], re.sub(r"\(in the future\)", "", done[1])


def test_a_file_and_a_store_exclude_each_other(radial: Call, example: Path, store: Path) -> None:
    done = radial("goals", example, "--store", store)
    assert done.status == 2
    assert "exclude each other" in done.err


def test_without_either_it_is_said_what_to_do(radial: Call, tmp_path: Path) -> None:
    done = radial("goals", "--store", tmp_path / "none.db")
    assert done.status == 2
    assert "there is no store" in done.err
    assert "radial sync" in done.err
    assert not (tmp_path / "none.db").exists()


def test_looking_stays_possible_while_somebody_writes(radial: Call, store: Path) -> None:
    with open_store(store, write=True):
        assert radial("goals", "--store", store).status == 0


def test_a_process_reads_it_too(start: Callable[..., subprocess.Popen[bytes]], radial: Call, store: Path) -> None:
    out, _ = start("digest", "--store", store).communicate(timeout=30)
    assert out.decode() == radial("digest", "--store", store).out
