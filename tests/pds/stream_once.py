"""A process that follows repos on a PDS's firehose into a store, until nothing new comes; it can be killed any time.

python -m tests.pds.stream_once PDS PLC FOLDER START DID…          START: now | oldest
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime
from pathlib import Path

import anyio

from radial_io.atproto.identity import open_servers
from radial_io.ingest.attending import Rereads
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.firehose import firehose
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.repo import read_repo
from radial_io.ingest.streaming import run_stream
from radial_io.store.store import Store, open_store

LIMITS = StreamLimits(messages=3, tick=0.2)  # many small batches: many moments to be killed at
QUIET = 8  # so many looks in a row that find nothing new


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def stream(pds: str, plc: str, folder: Path, start: str, dids: list[str]) -> None:
    with open_store(folder / "store.db", write=True, busy_wait=5) as store:
        async with open_servers(plc=plc) as (client, resolver):
            world = World(client=client, resolver=resolver, store=store, clock=now, keeping=Keeping(folder / "kept"))
            rereads = Rereads(spacing=0.3)

            async def look(did: str, _why: str) -> None:
                await carry_out(read_repo(did), world)

            async def follow() -> None:
                flow = firehose(pds, jitter=random.random, oldest=start == "oldest", limits=LIMITS)
                await run_stream(flow, world, followed=lambda: frozenset(dids), look=look, rereads=rereads)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(follow)
                await _until_quiet(store, rereads)
                tasks.cancel_scope.cancel()


async def _until_quiet(store: Store, rereads: Rereads) -> None:
    before, quiet = "", 0
    while quiet < QUIET:
        await anyio.sleep(0.2)
        state = f"{store.stats()} {store.sources()} {store.repos()} {rereads.waiting}"
        is_begun = bool(store.repos())
        quiet = quiet + 1 if state == before and is_begun and not rereads.waiting else 0
        before = state


if __name__ == "__main__":
    print("begun", flush=True)
    anyio.run(stream, sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4], sys.argv[5:])
