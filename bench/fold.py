"""The fold against the floor: `python -m bench.fold [--records 100000] [--json]`.

Strategy: both run in this one process, in turns, over the same records, which are in memory already. What counts is the
ratio; it travels between machines. Around it: whether the cost grows with the corpus, what memory it takes, what share
the digest has, how long it takes to read and to write JSON, to import the core and to start the command.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, Final

from bench import processes, table
from bench.floor import fold_nothing
from bench.records import as_read
from bench.timing import COLLECTORS, in_turns, timed
from radial_core import materialize, read_jsonl, to_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core import Deletion, Record

MICRO: Final = 1e6
_TRACED: Final = 10_000  # tracing allocations is slow


def compare(corpus: list[Record | Deletion], runs: int) -> dict[str, dict[str, float]]:
    """Time floor, fold, and fold with every view made: microseconds a record at best and in the middle, and ratios."""
    actions: dict[str, Callable[[], object]] = {
        "floor": lambda: fold_nothing(corpus),
        "fold": lambda: materialize(corpus).digest,
        "shown": lambda: materialize(corpus).spaces,
    }
    found = {}
    for name, collector in COLLECTORS.items():
        with collector():
            times = in_turns(actions, runs)
        floor, folded, shown = times["floor"], times["fold"], times["shown"]
        found[name] = {
            "floorBest": floor.best * MICRO / len(corpus),
            "floorMedian": floor.median * MICRO / len(corpus),
            "foldBest": folded.best * MICRO / len(corpus),
            "foldMedian": folded.median * MICRO / len(corpus),
            "shownBest": shown.best * MICRO / len(corpus),
            "shownMedian": shown.median * MICRO / len(corpus),
            "ratioOfBests": folded.best / floor.best,
            "ratioOfMedians": folded.median / floor.median,
            "shownRatioOfBests": shown.best / floor.best,
            "shownRatioOfMedians": shown.median / floor.median,
        }
    return found


def digest_share(corpus: list[Record | Deletion]) -> float:
    """Give what the digest tree takes (D2), as a share of the fold without it: it is made when asked for."""
    index = materialize(corpus)
    digest = timed(lambda: index.digest)
    return digest / timed(lambda: materialize(corpus))


def edges(corpus: list[Record | Deletion]) -> dict[str, float]:
    """Time what stands around a fold, in microseconds a record: reading lines, the index as JSON, its text."""
    lines = [*map(to_line, corpus)]
    index = materialize(corpus)
    plain = index.to_json()
    seconds = {
        "readLines": timed(lambda: [*read_jsonl(lines)]),
        "toJson": timed(index.to_json),
        "dumps": timed(lambda: json.dumps(plain)),
    }
    return {name: taken * MICRO / len(corpus) for name, taken in seconds.items()}


def measure(records: int, sizes: list[int], runs: int, seed: int) -> dict[str, Any]:
    """Take all figures."""
    linear = [{"records": size, **compare(as_read(size, seed), runs)["as it is"]} for size in sizes]
    corpus = as_read(records, seed)
    return {
        "records": records,
        "runs": runs,
        "seed": seed,
        "collectors": compare(corpus, runs),
        "sizes": linear,
        "digestShare": digest_share(corpus),
        "edges": edges(corpus),
        "memory": processes.memory(records, seed),
        "traced": {"records": _TRACED, **processes.traced_memory(_TRACED, seed)},
        "importSeconds": processes.import_seconds(5),
        "helpSeconds": processes.help_seconds(5),
    }


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.fold", description="The fold against the floor.")
    parser.add_argument("--records", type=int, default=100_000, help="size of the corpus (100000)")
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[10_000], help="other sizes, to see whether it is linear"
    )
    parser.add_argument("--runs", type=int, default=5, help="how often each is run (5)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the corpus (0)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    figures = measure(arguments.records, arguments.sizes, arguments.runs, arguments.seed)
    print(json.dumps(figures, indent=2) if arguments.json else table.drawn(figures))


if __name__ == "__main__":
    main()
