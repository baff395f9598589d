"""How fast a repo goes from a real PDS into the store, beside how fast the PDS serves it.

    python -m bench.ingest [--records 20000]

Strategy: a PDS of our own, on this machine, gets a repo with that many messages. Then, in turns, so that whatever
disturbs one disturbs the other: the PDS serves the repo to somebody who throws it away; we take what was kept of a
download (decode, verify, store); and we do both at once, as `radial sync` does. Wall time, for the PDS has a process of
its own: the two share the machine's cores, so ratios say more than figures. Then listing the same repo,
a reading that was cut off at half, and how soon a write is in the store of somebody who polls.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any, Final

import anyio
import attrs
import httpx
from anyio import to_thread

from radial_io.atproto.identity import open_servers
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.poll import Pace, keep_polling, poll_repo
from radial_io.ingest.repo import GET_REPO, read_repo
from radial_io.ingest.requests import Flow, Take
from radial_io.ingest.visiting import Reading
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Taken
from tests.pds.accounts import Account, Servers, account, running

_MESSAGE: Final = "com.disnetdev.radial.message"
_AT_ONCE: Final = 200
_NOW: Final = "2027-01-01T00:00:00Z"
_TURNS: Final = 3
_WRITES: Final = 30
_PERIOD: Final = 0.37  # seconds between two writes: no fraction of the polling's


@attrs.frozen
class Bench:
    """The servers, the repo and a folder."""

    servers: Servers
    who: Account
    folder: Path

    async def look(self, flow: Flow[Reading], store: Store, keeping: Keeping | None) -> Reading:
        """Carry out one look."""
        async with open_servers(plc=self.servers.plc) as (client, resolver):
            world = World(client=client, resolver=resolver, store=store, clock=lambda: _NOW, keeping=keeping)
            return await carry_out(flow, world)

    def read(self, name: str, keeping: Keeping | None, look: Callable[[str], Flow[Reading]]) -> tuple[float, float]:
        """Read the repo into a new store; give the seconds of wall and of CPU time."""
        with open_store(self.folder / f"{name}.db", write=True) as store:
            start, cpu = perf_counter(), process_time()
            reading = anyio.run(self.look, look(self.who.did), store, keeping)
            taken = perf_counter() - start, process_time() - cpu
            if reading.how != "read":
                raise SystemExit("; ".join(reading.words))
        return taken

    def serve(self) -> tuple[float, int]:
        """Let the PDS serve the repo to nobody; give the seconds and the bytes."""
        start, size = perf_counter(), 0
        url, plain = f"{self.servers.pds}/xrpc/{GET_REPO}", {"accept-encoding": "identity"}
        with httpx.stream("GET", url, params={"did": self.who.did}, headers=plain) as answer:
            for piece in answer.iter_raw():
                size += len(piece)
        return perf_counter() - start, size


def _fill(who: Account, count: int) -> None:
    """Write so many messages; CIDs of what they are about are made up."""
    cid = "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"
    goal = {"uri": f"at://{who.did}/com.disnetdev.radial.goal/g", "cid": cid}
    for start in range(0, count, _AT_ONCE):
        writes = [
            {
                "$type": "com.atproto.repo.applyWrites#create",
                "collection": _MESSAGE,
                "rkey": f"m{number:06}",
                "value": {
                    "$type": _MESSAGE,
                    "createdAt": _NOW,
                    "goal": goal,
                    "body": f"Message {number}. " + "x" * 300,
                },
            }
            for number in range(start, min(count, start + _AT_ONCE))
        ]
        who.call("com.atproto.repo.applyWrites", repo=who.did, writes=writes)


class _KeptOnly(Keeping):
    """Keeps what there is, for the next turn."""

    def drop(self, name: str) -> None:
        """Do nothing."""


def _measure(bench: Bench, count: int) -> Iterator[str]:
    keeping = _KeptOnly(bench.folder / "kept")
    bench.read("first", keeping, read_repo)
    served, ours, both, listed = [], [], [], []
    size = 0
    for turn in range(_TURNS):
        seconds, size = bench.serve()
        served.append(seconds)
        ours.append(bench.read(f"kept{turn}", keeping, read_repo))
        both.append(bench.read(f"both{turn}", None, read_repo)[0])
    listed.append(bench.read("listed", None, poll_repo)[0])
    yield f"{count:,} records, a CAR of {size / 1e6:.1f} MB, {_TURNS} turns; records a second, best and median"
    yield _line("the PDS serves getRepo to nobody", count, served)
    yield _line("kept CAR: decode, verify, store", count, [wall for wall, _ in ours])
    yield _line("the same, CPU time", count, [cpu for _, cpu in ours])
    yield _line("getRepo to store, over the network", count, both)
    yield _line("listRecords to store (one turn)", count, listed)
    ratio = median(served) / median(wall for wall, _ in ours)
    yield f"we take {ratio:.2f} times what the PDS serves, median to median"


def _line(what: str, count: int, seconds: list[float]) -> str:
    return f"  {what:<38}{count / min(seconds):>9,.0f}{count / median(seconds):>9,.0f}"


class _HalfwayError(Exception):
    """Half of it is written."""


def _until(flow: Flow[Reading], takes: int, seen: list[str]) -> Flow[Reading]:
    """Pass a flow on; end it after so many batches. `seen` gets the kinds of its requests."""
    request = next(flow)
    try:
        while True:
            seen.append(type(request).__name__)
            if isinstance(request, Take) and (takes := takes - 1) < 0:
                raise _HalfwayError
            answer: Any = yield request
            request = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


def _resumed(bench: Bench, count: int) -> Iterator[str]:
    """Cut a reading off at half, and go on with a new one, as a new process would."""
    keeping = Keeping(bench.folder / "resumed")
    with open_store(bench.folder / "resumed.db", write=True) as store:
        with suppress(_HalfwayError):
            anyio.run(bench.look, _until(read_repo(bench.who.did), count // 1000, []), store, keeping)
        held = len(store.held(bench.who.did))
        requests: list[str] = []
        start = perf_counter()
        reading = anyio.run(bench.look, _until(read_repo(bench.who.did), count, requests), store, keeping)
        seconds = perf_counter() - start
    asks = requests.count("Ask")
    yield f"cut off with {held:,} records written; the rest: {seconds:.2f} s, {reading.taken.new:,} new, "
    yield f"  {reading.taken.known:,} written again, {asks} question to the PDS, nothing downloaded"


@attrs.frozen
class _Watched:
    """A store, and when which record came into it."""

    store: Store
    came: dict[str, float] = attrs.field(factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def take(self, batch: Batch, now: str) -> Taken:
        taken = self.store.take(batch, now)
        self.came.update({seen.rkey: perf_counter() for seen in batch.seen})
        return taken


def _prompt(bench: Bench, who: Account) -> Iterator[str]:
    """Write records one by one while the repo is polled every second; see how soon each is in the store."""
    wrote: dict[str, float] = {}
    with open_store(bench.folder / "prompt.db", write=True) as store:
        watched = _Watched(store)

        def write() -> None:
            for number in range(_WRITES):
                value = {"$type": _MESSAGE, "createdAt": _NOW, "body": "late"}
                who.create_record(_MESSAGE, f"n{number}", value)
                wrote[f"n{number}"] = perf_counter()
                sleep(_PERIOD)

        async def watch() -> None:
            async with open_servers(plc=bench.servers.plc) as (client, resolver):
                world = World(client=client, resolver=resolver, store=watched, clock=lambda: _NOW)
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(carry_out, keep_polling(who.did, Pace(interval=1.0)), world)
                    await to_thread.run_sync(write)
                    await anyio.sleep(3)
                    tasks.cancel_scope.cancel()

        anyio.run(watch)
    waits = sorted(watched.came[name] - moment for name, moment in wrote.items())
    yield f"from a write to the store, polled every second: p50 {waits[len(waits) // 2]:.2f} s, p99 {waits[-1]:.2f} s"


@contextmanager
def _bench(count: int) -> Iterator[Bench]:
    with running() as servers, account(servers, "bench") as who, TemporaryDirectory() as folder:
        _fill(who, count)
        yield Bench(servers, who, Path(folder))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    count: int = parser.parse_args().records
    with _bench(count) as bench, account(bench.servers, "prompt") as who:
        for line in chain(_measure(bench, count), _resumed(bench, count), _prompt(bench, who)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
