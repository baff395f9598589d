"""A process that reads repos one way into a store, in small steps, and can be killed at any of them.

python -m tests.pds.sync_once PLC FOLDER WAY DID…
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import anyio

from radial_io.atproto.identity import open_servers
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.limits import Limits
from radial_io.ingest.poll import poll_repo
from radial_io.ingest.repo import read_repo
from radial_io.store.store import open_store

WAYS = {"poll": poll_repo, "repo": read_repo}
STEPS = Limits(batch=2)


async def sync(plc: str, folder: Path, way: str, dids: list[str]) -> bool:
    """Look at each repo; tell whether all was well."""
    with open_store(folder / "store.db", write=True, busy_wait=5) as store:
        async with open_servers(plc=plc) as (client, resolver):
            world = World(
                client=client,
                resolver=resolver,
                store=store,
                clock=lambda: datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                keeping=Keeping(folder / "kept"),
                limits=STEPS,
            )
            readings = [await carry_out(WAYS[way](did, STEPS), world) for did in dids]
    return all(reading.how != "failed" for reading in readings)


if __name__ == "__main__":
    print("begun", flush=True)
    sys.exit(not anyio.run(sync, sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
