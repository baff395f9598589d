"""Killed at any moment, started again: nothing half-written, no cursor ahead of its data, the same set in the end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from radial_core import to_line
from radial_io.store.store import Store, open_store
from tests.io.store.keep_writing import BATCHES, EACH, numbered, write_on
from tests.io.store.making import ADA, GOAL, NOON, REPO


def everything(store: Store) -> list[str]:
    return [to_line(one) for one in store.every_sighting()]


def require_whole(store: Store) -> int:
    """Check that the store holds what its cursor covers, all of it and no more; give the cursor."""
    cursor = int(store.cursor(REPO) or 0)
    stats = store.stats()
    assert (stats.versions, stats.deletions, stats.quarantined) == (cursor * EACH, cursor, cursor)
    assert store.repo(ADA).root == (str(cursor) if cursor else None)
    assert {key for _, key in store.held(ADA)} == {f"{n}-{each}" for n in range(1, cursor + 1) for each in range(EACH)}
    return cursor


@pytest.mark.slow
def test_a_writer_killed_at_random_moments_leaves_a_whole_store_each_time(tmp_path: Path, root: Path) -> None:
    file = tmp_path / "store.db"
    chance = random.Random(4)
    command = [sys.executable, "-m", "tests.io.store.keep_writing", str(file)]
    reached, kills, ends = 0, 0, set()
    for _ in range(100):
        writer = subprocess.Popen(
            command, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"begun\n"
        time.sleep(chance.uniform(0.0, 0.06))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        kills += writer.returncode == -signal.SIGKILL
        with open_store(file, write=False) as store:
            now = require_whole(store)
            assert list(store.faults()) == []
        assert now >= reached, "what was durable once stays"
        reached = now
        ends.add(now)
        if kills >= 20 or reached == BATCHES:
            break
    assert kills >= 5
    assert len(ends) >= 5, "it was killed in the middle, not only before and after"
    with open_store(file, write=True) as store, open_store(tmp_path / "never.db", write=True) as undisturbed:
        write_on(store)
        write_on(undisturbed)
        assert require_whole(store) == BATCHES
        assert everything(store) == everything(undisturbed)


def test_a_transaction_that_never_ended_never_was(tmp_path: Path, root: Path) -> None:
    """The same without chance: the writer ends inside its transaction, when all is written and nothing committed."""
    file = tmp_path / "store.db"
    program = (
        "import os, sys; from pathlib import Path\n"
        "from radial_io.store import keeping, store as face\n"
        "from tests.io.store.keep_writing import numbered\n"
        "with face.open_store(Path(sys.argv[1]), write=True) as store:\n"
        "    store.take(numbered(1), '2026-03-01T12:00:00Z')\n"
        "    whole = keeping.set_aside\n"
        "    keeping.set_aside = lambda *given: (whole(*given), os._exit(9))\n"
        "    store.take(numbered(2), '2026-03-01T12:00:00Z')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(file)], cwd=root, check=False)
    assert ended.returncode == 9
    with open_store(file, write=True) as store:
        assert require_whole(store) == 1
        store.take(numbered(2), NOON)
        assert require_whole(store) == 2
        assert (GOAL, "2-0") in store.held(ADA)
