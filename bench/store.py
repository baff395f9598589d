"""Writing into the store: what it costs beside reading what is written.

    python -m bench.store [--records N] [--runs N] [--seed N] [--json]

Strategy: the corpus is handed over as adapters do it, as DAG-CBOR blocks in batches. The floor is what must happen to
each record anyhow before it can be stored: its block is hashed and decoded. Both are measured in turns in one process.
Two clocks are read. The processor's says what the work is, whatever else the machine does; ratios are of it. The wall's
says what it takes: a batch is durable when the disk says so, a wait that is the same for one record and for a thousand.
Records come repo by repo, as repos give them.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Final

import attrs

from bench.records import as_read
from radial_core import Record
from radial_core.canonical import encode
from radial_core.identifiers import record_parts
from radial_io.atproto.dagcbor import decode
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Seen, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SOURCE: Final = Source("repo", "https://pds.example", "did:plc:bench")
_FLOOR: Final = "hashed and decoded (the floor)"
_NOW: Final = "2026-03-01T12:00:00Z"
_FIRST, _SECOND = "3kaaaaaaaaaa2", "3kaaaaaaaaab2"
_LIVE: Final = 500  # records that come one by one, each a transaction
_SERVED: Final = (18_000, 55_000)  # records a second, of two versions of the reference PDS on this kind of machine


def handed_over(records: int, seed: int) -> list[Seen]:
    """Give the versions of a corpus as an adapter hands them over."""
    seen = []
    for one in as_read(records, seed):
        parts = record_parts(one.uri)
        if isinstance(one, Record) and parts is not None:
            seen.append(Seen(*parts, one.cid, _FIRST, encode(one.value), "cbor"))
    return sorted(seen, key=lambda one: (one.did, one.collection, one.rkey))


@attrs.frozen
class Row:
    """Something that was done to so many records, and the seconds that it took on both clocks."""

    records: int
    cpu: float
    wall: float


def timed(records: int, work: Callable[[], Iterable[object]]) -> Row:
    """Do some work to its end."""
    cpu, wall = process_time(), perf_counter()
    for _ in work():
        pass
    return Row(records, process_time() - cpu, perf_counter() - wall)


class Bench:
    """Stores in a folder that is gone at the end, and the time that things take with them."""

    def __init__(self, seen: list[Seen], folder: Path, stack: ExitStack) -> None:
        self.seen = seen
        self.later = [Seen(s.did, s.collection, s.rkey, s.cid, _SECOND, s.raw, s.form) for s in seen]
        self._folder = folder
        self._stack = stack
        self._names = count()

    def empty(self) -> Store:
        """Make a store."""
        return self._stack.enter_context(open_store(self._folder / f"{next(self._names)}.db", write=True))

    def rows(self) -> dict[str, Row]:
        """Give what was done, and how long it took."""
        found = {_FLOOR: timed(len(self.seen), self._read)}
        for size in (100, 10_000):
            found[f"stored, {size:,} at once"] = self._take(self.empty(), self.seen, size)
        store = self.empty()
        found["stored, 1,000 at once"] = self._take(store, self.seen, 1_000)
        found["met again, same revision"] = self._take(store, self.seen, 1_000)
        found["met again, later revision"] = self._take(store, self.later, 1_000)
        found["stored one by one"] = self._take(self.empty(), self.seen[:_LIVE], 1)
        found["read back as observations"] = timed(len(self.seen), store.observations)
        found["what the repos hold"] = timed(len(self.seen), lambda: [store.held(one.did) for one in store.repos()])
        return found

    def _read(self) -> Iterable[object]:
        return ((sha256(one.raw).digest(), decode(one.raw)) for one in self.seen)

    def _take(self, store: Store, seen: list[Seen], size: int) -> Row:
        starts = range(0, len(seen), size)
        batches = [Batch(source=_SOURCE, cursor=str(at), seen=tuple(seen[at : at + size])) for at in starts]
        return timed(len(seen), lambda: (store.take(batch, _NOW) for batch in batches))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    seen = handed_over(options.records, options.seed)
    runs = []
    for _ in range(options.runs):
        with TemporaryDirectory() as folder, ExitStack() as stack:
            runs.append(Bench(seen, Path(folder), stack).rows())
    best = {name: [min(getattr(run[name], clock) for run in runs) for clock in ("cpu", "wall")] for name in runs[0]}
    floor = len(seen) / best[_FLOOR][0]
    rows = {
        name: {"cpuRecordsPerSecond": runs[0][name].records / cpu, "wallRecordsPerSecond": runs[0][name].records / wall}
        for name, (cpu, wall) in best.items()
    }
    if options.json:
        print(json.dumps({"records": len(seen), "bytes": sum(len(one.raw) for one in seen), "rows": rows}))
        return
    mean = sum(len(one.raw) for one in seen) / len(seen)
    print(f"{len(seen):,} versions of {mean:,.0f} bytes; best of {options.runs}")
    print(f"{'records/s':<32}{'processor':>11}{'x floor':>9}{'x PDS':>13}{'wall':>11}")
    for name, row in rows.items():
        speed = row["cpuRecordsPerSecond"]
        served = " – ".join(f"{speed / one:.1f}" for one in reversed(_SERVED))
        print(f"{name:<32}{speed:>11,.0f}{floor / speed:>9.2f}{served:>13}{row['wallRecordsPerSecond']:>11,.0f}")


if __name__ == "__main__":
    main()
