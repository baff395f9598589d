"""Reading a repo: what it costs to verify it, beside what it costs to hash it.

    python -m bench.verify [--records N] [--runs N] [--json]

Strategy: one repo of N records is generated, and the same bytes are read in chunks in turns: hashed once (the floor:
nobody can check a block for less), read as a CAR, verified whole, and verified and read record by record. All of it in
one process, so that the ratios travel between machines. The servers it must not be slower than gave 18,000 to 55,000
records a second.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from bench.timing import in_turns
from radial_io.atproto.car import CarReader
from radial_io.atproto.dagcbor import decode
from radial_io.atproto.repository import RepositoryLimits, RepositoryReader
from tests.io.repos import DID, KEY, LATEST, RADIAL, make_repo, many_records

if TYPE_CHECKING:
    from collections.abc import Callable

_CHUNK: Final = 65_536
_SERVED: Final = (18_000, 55_000)  # records a second, of two versions of the reference PDS on this kind of machine


def _actions(car: bytes, blocks: list[bytes], records: list[bytes]) -> dict[str, Callable[[], object]]:
    chunks = [car[at : at + _CHUNK] for at in range(0, len(car), _CHUNK)]

    def hash_all() -> None:
        for block in blocks:
            sha256(block).digest()

    def read_car() -> None:
        reader = CarReader()
        for chunk in chunks:
            reader.feed(chunk)
        reader.finish()

    def decode_all() -> None:
        for record in records:
            decode(record)

    def verify(memory: int, *, entries: bool) -> None:
        with RepositoryReader((RADIAL,), RepositoryLimits(memory=memory)) as reader:
            for chunk in chunks:
                reader.feed(chunk)
            repository = reader.verify(DID, KEY, latest=LATEST)
            for _ in repository.entries() if entries else ():
                pass

    ample = 2 * len(car) + 1000 * len(blocks)
    return {
        "sha256 of every block": hash_all,
        "CAR read, hashes checked": read_car,
        "records decoded, nothing else": decode_all,
        "verified whole": lambda: verify(ample, entries=False),
        "verified and read": lambda: verify(ample, entries=True),
        "the same through a file": lambda: verify(0, entries=True),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    repo = make_repo(dict(many_records(options.records)))
    car = repo.car()
    times = in_turns(_actions(car, repo.blocks(), list(repo.records.values())), options.runs)
    floor = times["sha256 of every block"].best
    rows = {
        name: {"seconds": taken.best, "recordsPerSecond": options.records / taken.best, "ratio": taken.best / floor}
        for name, taken in times.items()
    }
    if options.json:
        print(json.dumps({"records": options.records, "blocks": len(repo.blocks()), "bytes": len(car), "rows": rows}))
        return
    print(
        f"{options.records:,} records, {len(repo.blocks()):,} blocks, {len(car) / 1e6:.1f} MB; best of {options.runs}"
    )
    print(f"{'':<32}{'records/s':>12}{'x sha256':>10}{'x PDS':>14}")
    for name, row in rows.items():
        served = " – ".join(f"{row['recordsPerSecond'] / speed:.1f}" for speed in reversed(_SERVED))
        print(f"{name:<32}{row['recordsPerSecond']:>12,.0f}{row['ratio']:>10.1f}{served:>14}")


if __name__ == "__main__":
    main()
