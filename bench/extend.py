"""One more record: `python -m bench.extend [--sizes 10000 100000 1000000] [--json]`.

Strategy: an index over nearly the whole corpus is extended by the records left out, one at a time, each extension timed
by itself in CPU time and each from the index that the one before gave. Two ways to leave records out: the *newest*, as
they arrive while people work, and *any*, so that anchors and grants come long after what stands on them, and whole
goals, projects and memberships are judged anew. Beside them, in the same process, stand the floor (`bench.floor`) and
one whole fold of the same corpus, a record; and what it takes to ask for the digest after each extension, whose upper
levels list all that stands under them (D2).
"""

from __future__ import annotations

import argparse
import json
import random
from time import thread_time_ns
from typing import TYPE_CHECKING, Any, Final

from bench.floor import fold_nothing
from bench.records import as_read
from bench.timing import timed
from radial_core import Index, Record, materialize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core import Deletion

MICRO: Final = 1e6
_LEFT_OUT: Final = 2_000
_COLUMNS: Final = ("floor", "fold", "p50", "p90", "p99", "greatest", "p50WithDigest", "p99WithDigest")


def leave_out(corpus: Sequence[Record | Deletion], how: str) -> tuple[list[Record | Deletion], list[Record | Deletion]]:
    """Split a corpus: what is folded at once, and the records that come one at a time."""
    places = [place for place, seen in enumerate(corpus) if isinstance(seen, Record)]
    dice = random.Random(0)
    left = set(places[-_LEFT_OUT:] if how == "newest" else dice.sample(places, _LEFT_OUT))
    late = [corpus[place] for place in sorted(left)]
    if how == "any":
        dice.shuffle(late)
    return [seen for place, seen in enumerate(corpus) if place not in left], late


def extend(index: Index, late: Sequence[Record | Deletion], *, digest: bool) -> list[float]:
    """Extend by one record after another; give the microseconds of each, sorted."""
    taken = []
    for seen in late:
        start = thread_time_ns()
        index = index.extend([seen])
        if digest:
            index.digest  # noqa: B018 - it is made when asked for
        taken.append((thread_time_ns() - start) / 1e3)
    return sorted(taken)


def measure(size: int, how: str, seed: int) -> dict[str, Any]:
    """Take the figures of one size."""
    corpus = as_read(size, seed)
    base, late = leave_out(corpus, how)
    floor = timed(lambda: fold_nothing(corpus)) * MICRO / len(corpus)
    fold = timed(lambda: materialize(corpus)) * MICRO / len(corpus)
    index = materialize(base)
    plain, told = extend(index, late, digest=False), extend(index, late, digest=True)
    figures = (
        *(floor, fold),
        *(_at(plain, share) for share in (0.5, 0.9, 0.99, 1)),
        *(_at(told, share) for share in (0.5, 0.99)),
    )
    return {"records": size, "leftOut": how, **dict(zip(_COLUMNS, figures, strict=True))}


def _at(sorted_times: Sequence[float], share: float) -> float:
    return sorted_times[min(len(sorted_times) - 1, int(len(sorted_times) * share))]


def main() -> None:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.extend", description="One more record.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="records in the index")
    parser.add_argument("--seed", type=int, default=0, help="seed of the corpus (0)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    rows = [measure(size, how, arguments.seed) for how in ("newest", "any") for size in arguments.sizes]
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"microseconds of CPU time; {_LEFT_OUT:,} extensions by one record; floor and fold are a record")
    print("{:<10}{:>12}".format("left out", "records") + "".join(f"{column:>15}" for column in _COLUMNS))
    for row in rows:
        print(f"{row['leftOut']:<10}{row['records']:>12,}" + "".join(f"{row[column]:>15.1f}" for column in _COLUMNS))


if __name__ == "__main__":
    main()
