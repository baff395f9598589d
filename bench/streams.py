"""How fast a real PDS's firehose is verified and stored, and how soon a write is in the store.

    python -m bench.streams [--commits 1000] [--writes 50]

Strategy: a PDS of our own, on this machine, gets one account and so many commits. A bare reader replays them and throws
them away: that is how fast the PDS serves. Then the firehose adapter replays them into a new store: every commit is
verified, every operation proven. Then it follows live, and each write is timed from the PDS's answer to the transaction
that holds it; a write may be in the store before its author has the answer, which counts as no time at all. The two
processes share the machine's cores, so ratios say more than figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import anyio
import attrs
from anyio import to_thread

from radial_io.atproto.identity import open_servers
from radial_io.atproto.messages import Binary
from radial_io.atproto.sockets import open_socket
from radial_io.atproto.xrpc import XrpcClient
from radial_io.ingest.driving import World
from radial_io.ingest.firehose import firehose
from radial_io.ingest.reconnecting import websocket
from radial_io.ingest.streaming import run_stream
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Taken
from tests.pds.accounts import Account, Servers, account, running

_MESSAGE: Final = "com.disnetdev.radial.message"
_NOW: Final = "2027-01-01T00:00:00Z"
_SUBSCRIBE: Final = "/xrpc/com.atproto.sync.subscribeRepos?cursor=0"


@attrs.define
class Watched:
    """A store that tells when what was taken."""

    store: Store
    taken: dict[str, float] = attrs.field(factory=dict)

    def take(self, batch: Batch, now: str) -> Taken:
        """Keep a batch and note the time."""
        result = self.store.take(batch, now)
        for seen in batch.seen:
            self.taken.setdefault(seen.rkey, perf_counter())
        return result

    def __getattr__(self, name: str) -> Callable[..., object]:
        """Everything else is the store's."""
        return getattr(self.store, name)  # type: ignore[no-any-return]


def write(who: Account, name: str) -> float:
    """Write a message; give the moment of the answer."""
    record = {"$type": _MESSAGE, "createdAt": _NOW, "body": f"{name}: " + "a line of some length, " * 10}
    who.create_record(_MESSAGE, name, record)
    return perf_counter()


async def replay(client: XrpcClient, pds: str, frames: int) -> float:
    """Read so many frames and throw them away; give frames a second."""
    async with open_socket(client, f"{websocket(pds)}{_SUBSCRIBE}", max_message=5 * 2**20) as socket:
        begun = perf_counter()
        for _ in range(frames):
            if not isinstance(await socket.receive(10), Binary):
                raise TimeoutError("the replay ends early")
        return frames / (perf_counter() - begun)


async def measure(servers: Servers, who: Account, folder: Path, commits: int, writes: int) -> None:
    """Print all figures."""
    with open_store(folder / "store.db", write=True) as store:
        watched = Watched(store)
        async with open_servers(plc=servers.plc) as (client, resolver):
            served = await replay(client, servers.pds, commits)
            print(f"replay, thrown away: {served:,.0f} frames/s")
            world = World(client=client, resolver=resolver, store=watched, clock=lambda: _NOW)  # type: ignore[arg-type]
            async with anyio.create_task_group() as tasks:
                begun = perf_counter()
                flow = firehose(servers.pds, jitter=lambda: 0.5, oldest=True)
                tasks.start_soon(lambda: run_stream(flow, world, followed=lambda: frozenset({who.did}), look=_nothing))
                await _until(lambda: len(watched.taken) >= commits)
                taken = commits / (max(watched.taken.values()) - begun)
                print(f"replay, verified and stored: {taken:,.0f} commits/s, {taken / served:.2f} of that")
                delays = [await _delay(who, watched, f"live{number}") for number in range(writes)]
                tasks.cancel_scope.cancel()
    delays.sort()
    middle, late = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
    print(f"from the PDS's answer to the transaction: p50 {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms")


async def _nothing(_did: str, _why: str) -> None:
    """Look at no repo: it is the stream that is measured."""


async def _delay(who: Account, watched: Watched, name: str) -> float:
    answered = await to_thread.run_sync(write, who, name)
    await _until(lambda: name in watched.taken)
    await anyio.sleep(0.05)
    return max(0.0, watched.taken[name] - answered)


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(60_000):
        if is_so():
            return
        await anyio.sleep(0.001)
    raise TimeoutError("it does not come")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--writes", type=int, default=50)
    asked = parser.parse_args()
    with running() as servers, account(servers, "streams") as who, TemporaryDirectory() as folder:
        for number in range(asked.commits):
            write(who, f"c{number}")
        anyio.run(measure, servers, who, Path(folder), asked.commits, asked.writes)


if __name__ == "__main__":
    main()
