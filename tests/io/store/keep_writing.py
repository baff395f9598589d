"""Writes batch after batch into a store until somebody kills it: `python -m tests.io.store.keep_writing FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Gone, RepoState, Spoiled
from tests.io.store.making import ADA, CLAIM, GOAL, NOON, REPO, REV_1, REV_2, seen

BATCHES = 400
EACH = 30


def numbered(number: int) -> Batch:
    """Make the batch that cursor `number` covers: all of it names its number, and each widens the one before."""
    keys = [f"{number}-{each}" for each in range(EACH)]
    before = (seen({"n": f"{number - 1}-0"}, f"{number - 1}-0", REV_2),) if number > 1 else ()
    return Batch(
        source=REPO,
        cursor=str(number),
        seen=(*(seen({"n": key}, key, REV_1) for key in keys), *before),
        gone=(Gone(ADA, CLAIM, f"{number}", REV_1),),
        spoiled=(Spoiled(ADA, GOAL, f"{number}", None, None, "no map", b"\x00" * 100),),
        repos=(RepoState(ADA, REV_1, str(number), REPO),),
    )


def write_on(store: Store) -> None:
    """Go on from where the store stands."""
    for number in range(int(store.cursor(REPO) or 0) + 1, BATCHES + 1):
        store.take(numbered(number), NOON)


if __name__ == "__main__":
    with open_store(Path(sys.argv[1]), write=True, busy_wait=30) as opened:
        print("begun", flush=True)
        write_on(opened)
