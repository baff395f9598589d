"""A large repo: a sync that is cut off half-way goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import anyio
import httpx
import pytest

from radial_io.atproto.identity import open_servers
from radial_io.ingest.choosing import read_choice
from radial_io.ingest.following import Following, Servers as Asked, Settings
from radial_io.ingest.syncing import Synced, sync_spaces
from radial_io.store.errors import StoreError
from radial_io.store.store import open_store
from tests.pds.accounts import Account, Servers, account
from tests.pds.following import Observer
from tests.pds.story import PREFIX, at

pytestmark = pytest.mark.pds

MESSAGE: Final = f"{PREFIX}message"
AT_ONCE: Final = 200
PATIENCE: Final = 120.0


@pytest.fixture(params=[2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def large(servers: Servers, request: pytest.FixtureRequest) -> Iterator[tuple[Account, int]]:
    """An account whose space has so many messages."""
    with account(servers, f"big-{request.param}-{abs(hash(request.node.name)) % 1000}") as who:
        who.create_record(f"{PREFIX}space", "main", {"$type": f"{PREFIX}space", "createdAt": at(0), "name": "Big"})
        fill(who, request.param)
        yield who, request.param


def fill(who: Account, count: int) -> None:
    """Write so many messages, about a goal that nobody has seen."""
    goal = {
        "uri": f"at://{who.did}/{PREFIX}goal/g",
        "cid": "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
    }
    for start in range(0, count, AT_ONCE):
        writes = [
            {
                "$type": "com.atproto.repo.applyWrites#create",
                "collection": MESSAGE,
                "rkey": f"m{number:06}",
                "value": {
                    "$type": MESSAGE,
                    "createdAt": at(1),
                    "goal": goal,
                    "body": f"Message {number}. " + "x" * 300,
                },
            }
            for number in range(start, min(count, start + AT_ONCE))
        ]
        who.call("com.atproto.repo.applyWrites", repo=who.did, writes=writes)


def observer(servers: Servers, folder: Path, who: Account) -> Observer:
    return Observer(servers, folder / "store.db", f"at://{who.did}/{PREFIX}space/main")


def versions(store: Path) -> int:
    try:
        with open_store(store, write=False) as opened:
            return opened.stats().versions
    except StoreError:
        return 0


def cut_off(observer: Observer, half: int) -> int:
    """Start a sync and kill it when half is written; give how much that was."""
    with observer.running("sync", "--source", "repo", "--no-fold") as process:
        end = monotonic() + PATIENCE
        while versions(observer.store) < half:
            assert monotonic() < end
            assert process.poll() is None
            sleep(0.002)
        process.kill()
        process.wait(PATIENCE)
    return versions(observer.store)


def cut_somewhere(servers: Servers, folder: Path, who: Account, count: int) -> tuple[Observer, int]:
    """Cut a sync off before all is written; a small repo may be there whole before the knife falls."""
    for attempt in range(10):
        place = folder / str(attempt)
        place.mkdir()
        cut = observer(servers, place, who)
        held = cut_off(cut, count // 2)
        if held < count:
            return cut, held
    raise AssertionError("the knife never fell in time")


def resumed(observer: Observer) -> tuple[Synced, list[str]]:
    """Sync in this process; give how it went, and what was asked of the PDS."""
    asked: list[str] = []

    async def note(request: httpx.Request) -> None:
        asked.append(request.url.path.rpartition("/")[2])

    async def sync() -> Synced:
        with open_store(observer.store, write=True) as store:
            async with open_servers(plc=observer.servers.plc) as (client, resolver):
                client.http.event_hooks = {"request": [note]}
                servers = Asked(client=client, resolver=resolver, clock=lambda: "2027-01-01T00:00:00Z")
                settings = Settings(choice=read_choice(["repo"]))
                return await sync_spaces(Following([observer.space], store=store, servers=servers, settings=settings))

    return anyio.run(sync), asked


def test_a_sync_that_is_cut_off_half_way_reads_nothing_again(
    servers: Servers, large: tuple[Account, int], tmp_path: Path
) -> None:
    who, count = large
    cut, held = cut_somewhere(servers, tmp_path, who, count)
    assert count // 2 <= held < count
    start = monotonic()
    synced, asked = resumed(cut)
    print(f"cut off with {held:,} of {count:,} records written; the rest took {monotonic() - start:.2f} s")
    assert asked == [who.did, "com.atproto.sync.getLatestCommit"]
    assert (synced.taken.new, synced.taken.known) == (count + 1 - held, 0)
    whole = observer(servers, tmp_path, who)
    whole.sync("--source", "poll", "--no-fold")
    assert cut.index().digest == whole.index().digest
    _, asked = resumed(cut)
    assert asked == [who.did, "com.atproto.sync.getLatestCommit"]
