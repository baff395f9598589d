"""What memory a sync takes, for repos of growing size: the peak of the resident set of a process of its own.

    python -m bench.memory [--sizes 1000 10000 50000 150000] [--memory 4]

Strategy: signed repos are made here, without a PDS, and served on loopback by this process; `radial sync --source repo
--no-fold --memory N` reads each into a new store, in a process that then tells its peak. Bytes a record, between one
size and the next, say what is left to grow when the blocks themselves are on the disk.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from radial_io.atproto.answers import CAR
from tests.io.fakes import Reply, serving
from tests.io.repos import DID, RADIAL, REV, SIGNER, make_repo, many_records

_SPACE: Final = f"at://{DID}/{RADIAL}space/main"
_MEASURED: Final = """
import sys
from radial_cli.main import run
status = run(sys.argv[1:])
print(status, next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


@contextmanager
def served(count: int) -> Iterator[str]:
    """Serve a repo of so many records, and the directory that knows it; gives the directory's URL."""
    space = {"$type": f"{RADIAL}space", "createdAt": "2026-01-01T00:00:00Z", "name": "Large"}
    body = make_repo({f"{RADIAL}space/main": space, **dict(many_records(count))}).car()

    def answer(nsid: str, _query: dict[str, str]) -> Reply:
        if nsid.endswith("getRepo"):
            return Reply(body, headers={"content-type": CAR})
        return Reply.json({"cid": "x", "rev": REV})

    with serving(answer) as pds, serving(lambda _path, _query: Reply.json(_document(pds))) as directory:
        yield directory


def _document(pds: str) -> dict[str, Any]:
    key = {"id": "#atproto", "type": "Multikey", "controller": DID, "publicKeyMultibase": SIGNER.multikey}
    service = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": pds}
    return {"id": DID, "verificationMethod": [key], "service": [service]}


def peak(directory: str, folder: Path, memory: int) -> int:
    """Give the peak of one sync, in bytes."""
    options = ["--source", "repo", "--no-fold", "--memory", str(memory), "--plc", directory]
    command = [sys.executable, "-c", _MEASURED, "sync", _SPACE, *options, "--store", str(folder / "store.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, kibibytes = map(int, done.stdout.split())
    if status:
        raise SystemExit(done.stderr)
    return kibibytes * 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 50_000, 150_000])
    parser.add_argument("--memory", type=int, default=4)
    asked = parser.parse_args()
    before: tuple[int, int] | None = None
    for count in asked.sizes:
        with served(count) as directory, TemporaryDirectory() as folder:
            found = peak(directory, Path(folder), asked.memory)
        growth = "" if before is None else f", {(found - before[1]) / (count - before[0]):,.0f} bytes a record more"
        print(f"{count:>9,} records: {found / 2**20:,.0f} MiB{growth}", flush=True)
        before = (count, found)


if __name__ == "__main__":
    main()
