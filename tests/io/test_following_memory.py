"""Memory is bounded by what is configured, not by the size of the repo."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.memory import peak, served

pytestmark = pytest.mark.slow

RECORDS = 40_000
LEAST = 20 * 2**20  # bytes of their blocks, by far: each record is of 400 to 700


def test_a_large_repo_takes_what_memory_it_may_and_no_more(tmp_path: Path) -> None:
    with served(RECORDS) as directory:
        peaks = {}
        for memory in (2, 256):
            folder = tmp_path / str(memory)
            folder.mkdir()
            peaks[memory] = peak(directory, folder, memory)
    print(", ".join(f"--memory {memory}: {found / 2**20:.0f} MiB" for memory, found in peaks.items()))
    assert peaks[2] < peaks[256] - LEAST / 2
