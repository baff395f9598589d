"""Looking something up: how soon after the start, and how soon once everything is there.

    python -m bench.lookups [--records N …] [--looks N] [--seed N] [--json]

Strategy: a store is filled and opened anew, as a command does that was just started: opening, streaming and folding are
the cold start. Then records are looked up in the index by their exact URI, and each look is timed alone, because what
somebody waits for is the slowest of many. Beside it stands the same number of looks into a dictionary of the same URIs,
by the same clock in the same process: nothing can be found sooner.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

from bench.store import handed_over
from radial_core import materialize
from radial_io.store.store import open_store
from radial_io.store.values import Batch, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core import Index


def _filled(path: Path, records: int, seed: int) -> list[str]:
    seen = handed_over(records, seed)
    with open_store(path, write=True) as store:
        for at in range(0, len(seen), 1_000):
            store.take(
                Batch(source=Source("import", "file"), seen=tuple(seen[at : at + 1_000])), "2026-03-01T12:00:00Z"
            )
    return [f"at://{one.did}/{one.collection}/{one.rkey}" for one in seen]


def _started(path: Path) -> tuple[Index, float]:
    start = perf_counter()
    with open_store(path, write=False) as store:
        index = materialize(observation for _, observation in store.observations())
    assert index.digest  # noqa: S101 - every view that it covers is made by now
    return index, perf_counter() - start


def _percentiles(look: Callable[[str], object], uris: list[str]) -> dict[str, float]:
    taken = []
    for uri in uris:
        start = perf_counter()
        look(uri)
        taken.append((perf_counter() - start) * 1e3)
    cuts = quantiles(taken, n=100, method="inclusive")
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98]}


def _measured(records: int, looks: int, seed: int) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        uris = _filled(path, records, seed)
        index, cold = _started(path)
        some = random.Random(seed).choices(uris, k=looks)
        index.explain(some[0])  # what is built at the first look, as any program has it that looks twice
        known = dict.fromkeys(uris, 0)
        found = {"explain": _percentiles(index.explain, some), "floor": _percentiles(known.__getitem__, some)}
    return {"records": len(uris), "coldStartSeconds": cold, "milliseconds": found}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--looks", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [_measured(records, options.looks, options.seed) for records in options.records]
    if options.json:
        print(json.dumps(rows))
        return
    print(f"{'records':>10}{'cold start':>13}   {'milliseconds a look':<22}{'p50':>9}{'p95':>9}{'p99':>9}")
    for row in rows:
        for name, label in (("explain", "index.explain(uri)"), ("floor", "a dictionary's look-up")):
            times = "".join(f"{row['milliseconds'][name][part]:>9.4f}" for part in ("p50", "p95", "p99"))
            head = f"{row['records']:>10,}{row['coldStartSeconds']:>11.2f} s" if name == "explain" else " " * 23
            print(f"{head}   {label:<22}{times}")


if __name__ == "__main__":
    main()
