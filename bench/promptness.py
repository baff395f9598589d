"""How soon a write is in the index, for each way of following: from the PDS's answer to the index that holds it.

    python -m bench.promptness [--writes 50] [--interval 1.0] [--members 5]

Strategy: a PDS of our own, on this machine, with a space of so many members. `radial watch` is run as a library, with
its store on the disk and the fold, as anybody runs it. Then one member after the other writes a message, at moments
that have nothing to do with the interval, and each is timed until an index has it. The writer, the PDS and the follower
share the machine's cores. A write may be in the index before its author has the answer: that counts as no time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any, Final

import anyio
import attrs
from anyio import to_thread

from radial_core import Index
from radial_io.atproto.identity import open_servers
from radial_io.ingest.choosing import read_choice
from radial_io.ingest.following import Following, Servers as Asked, Settings
from radial_io.ingest.poll import Pace
from radial_io.ingest.watching import watch_spaces
from radial_io.store.store import open_store
from tests.pds.accounts import Account, Servers, account, running

_PREFIX: Final = "com.disnetdev.radial."
_PATIENCE: Final = 30.0
_STEP: Final = 0.002


@attrs.define
class Space:
    """A space on the PDS, with a goal that everybody writes about."""

    servers: Servers
    people: list[Account]
    space: dict[str, str] = attrs.field(factory=dict)
    goal: dict[str, str] = attrs.field(factory=dict)

    def found(self) -> None:
        """Write what the messages stand on."""
        root, *others = self.people
        self.space = _put(root, "space", "main", name="Bench")
        for number, member in enumerate(others):
            fields = {"did": member.did, "kind": "human", "role": "member"}
            _put(root, "addMember", f"m{number}", space=self.space, **fields)
        git = {"gitUrl": "https://git.example.com/t", "defaultBranch": "main"}
        project = _put(root, "project", "p", space=self.space, name="Tool", **git)
        self.goal = _put(root, "goal", "g", space=self.space, project=project, title="Go", body="On.")


def _put(who: Account, kind: str, rkey: str, /, **fields: Any) -> dict[str, str]:
    value = {"$type": _PREFIX + kind, "createdAt": "2026-01-01T00:00:00Z", **fields}
    return who.create_record(_PREFIX + kind, rkey, value)


async def measure(space: Space, folder: Path, way: str, writes: int, interval: float) -> list[float]:
    """Follow one way; give the seconds that each write took, in order."""
    index: list[Index] = []
    came: dict[str, float] = {}
    waiting: set[str] = set()

    def changed(_before: Index | None, after: Index) -> None:
        moment = perf_counter()
        index[:] = [after]
        for uri in [uri for uri in waiting if after.entry(uri) is not None]:
            came.setdefault(uri, moment)

    with open_store(folder / "store.db", write=True) as store:
        async with open_servers(plc=space.servers.plc) as (client, resolver):
            servers = Asked(client=client, resolver=resolver, clock=_now)
            settings = Settings(choice=read_choice([way]), pace=Pace(interval=interval))
            following = Following([space.space["uri"]], store=store, servers=servers, settings=settings)
            async with anyio.create_task_group() as tasks:
                dice = Random(way)
                tasks.start_soon(lambda: watch_spaces(following, jitter=dice.random, on_index=changed))
                await _until(lambda: bool(index) and index[0].entry(space.goal["uri"]) is not None)
                await anyio.sleep(2 * interval + 2)  # streams are open by then
                delays = [await _delay(space, way, number, dice, waiting, came) for number in range(writes)]
                tasks.cancel_scope.cancel()
    return sorted(delays)


async def _delay(space: Space, way: str, number: int, dice: Random, waiting: set[str], came: dict[str, float]) -> float:
    who = space.people[number % len(space.people)]
    rkey = f"{way}-{number}"
    uri = f"at://{who.did}/{_PREFIX}message/{rkey}"
    waiting.add(uri)

    def write() -> float:
        sleep(dice.random() * 0.2)
        _put(who, "message", rkey, goal=space.goal, body=f"Message {number}.")
        return perf_counter()

    answered = await to_thread.run_sync(write)
    await _until(lambda: uri in came)
    return max(0.0, came[uri] - answered)


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(int(_PATIENCE / _STEP)):
        if is_so():
            return
        await anyio.sleep(_STEP)
    raise TimeoutError("it does not come")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writes", type=int, default=50)
    parser.add_argument("--interval", type=float, default=1.0)
    parser.add_argument("--members", type=int, default=5)
    asked = parser.parse_args()
    with ExitStack() as stack:
        servers = stack.enter_context(running())
        people = [stack.enter_context(account(servers, f"prompt-{number}")) for number in range(asked.members)]
        space = Space(servers, people)
        space.found()
        for way in ("poll", "repo", "firehose"):
            folder = Path(stack.enter_context(TemporaryDirectory()))
            delays = anyio.run(measure, space, folder, way, asked.writes, asked.interval)
            middle, late = delays[len(delays) // 2], delays[len(delays) * 99 // 100]
            how = "" if way == "firehose" else f", every {asked.interval:g} s"
            print(
                f"{way}{how}: from the PDS's answer to the index: p50 {middle * 1e3:,.0f} ms, p99 {late * 1e3:,.0f} ms"
            )


if __name__ == "__main__":
    main()
