"""Following a space: every way, over real sockets with faults, asks for members' repos only and arrives; it stops."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import attrs
import httpx
import pytest

from radial_core import Index, materialize
from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import read_multikey
from radial_io.atproto.xrpc import open_client
from radial_io.errors import IdentityError, SpaceUriError
from radial_io.ingest.choosing import read_choice
from radial_io.ingest.following import Following, Servers, Settings
from radial_io.ingest.limits import Limits
from radial_io.ingest.news import BrokeOff, Joined, Left, Looked, News, NoSpace, Opened, TooMany
from radial_io.ingest.poll import Pace
from radial_io.ingest.syncing import sync_spaces
from radial_io.ingest.watching import watch_spaces
from radial_io.store.errors import StoreError
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Taken
from tests.io.fakes import ALICE, BOB, CAROL, LOOPBACK, PREFIX, FakePds, serving
from tests.io.streams_fakes import Stage, record, told_whole, wrote
from tests.io.streams_fakes_hosts import FirehoseHost, JetstreamHost, StreamHost, TapHost
from tests.io.streams_fakes_repo import cid_of, spelled
from tests.io.test_streams_served import LIMITS, PLANS, _pds, _served

pytestmark = pytest.mark.anyio

SPACE = f"at://{ALICE}/{PREFIX}space/main"
PACE = Pace(interval=0.1, longest=0.2)
HOSTS: dict[str, Callable[..., StreamHost]] = {
    "poll": FirehoseHost,
    "repo": FirehoseHost,
    "firehose": FirehoseHost,
    "jetstream": JetstreamHost,
    "jetstream2": lambda *plans: JetstreamHost(*plans, version=2),
    "tap": TapHost,
}


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@attrs.define
class Town:
    """Whom one may ask, and whoever was asked about: each time it is seen whether that was a member's repo."""

    stage: Stage
    pds: str
    following: Following | None = None
    asked: list[str] = attrs.field(factory=list)
    trespasses: list[str] = attrs.field(factory=list)
    news: list[News] = attrs.field(factory=list)
    indexes: list[Index] = attrs.field(factory=list)
    hanging: set[str] = attrs.field(factory=set)  # of whom nothing is to be had

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:  # noqa: ARG002 - nothing changes
        self._see(did)
        if did not in self.stage.repos:
            raise IdentityError(f"{did} leads nowhere")
        return Identity(did, self.pds, read_multikey(self.stage.repos[did].signer.multikey))

    async def see(self, request: httpx.Request) -> None:
        """Look at a request before it leaves."""
        did = request.url.params.get("did") or request.url.params.get("repo")
        if did is not None:
            self._see(did)
        if did in self.hanging:
            await anyio.sleep(60)

    def _see(self, did: str) -> None:
        assert self.following is not None
        self.asked.append(did)
        if did not in self.following.followed:
            self.trespasses.append(did)

    def changed(self, before: Index | None, after: Index) -> None:
        assert before is (self.indexes[-1] if self.indexes else None)
        self.indexes.append(after)


@asynccontextmanager
async def _town(stage: Stage, store: Store, ways: list[str], *, space: str = SPACE) -> AsyncIterator[Town]:
    with serving(_pds(stage).answer if stage.repos else FakePds().answer) as pds:
        async with open_client(LOOPBACK) as client:
            town = Town(stage, pds)
            client.http.event_hooks = {"request": [town.see]}
            streams = attrs.evolve(LIMITS, check=0.3)
            settings = Settings(
                choice=read_choice(ways), pace=PACE, streams=streams, spacing=0.1, tap_password="s3cret"
            )
            servers = Servers(client=client, resolver=town, clock=now)
            town.following = Following([space], store=store, servers=servers, settings=settings, tell=town.news.append)
            yield town


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        await anyio.sleep(0.02)
    raise AssertionError("it does not come")


async def _watch(town: Town, script: Callable[[], Any]) -> None:
    """Watch while a script runs."""
    assert town.following is not None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: watch_spaces(town.following, jitter=lambda: 0.5, on_index=town.changed))  # type: ignore[arg-type]
        await script()
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize("way", HOSTS)
@pytest.mark.parametrize("plans", [[], PLANS], ids=["sound", "faulty"])
async def test_every_way_arrives_and_asks_for_members_only(
    way: str, plans: list[dict[int, Any]], tmp_path: Path
) -> None:
    """Carol is a member from the second commit on, has no repo anywhere, and is removed in the tenth."""
    stage = Stage(HOSTS[way](*plans))
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _served(stage.host) as (url, _):  # type: ignore[arg-type]
            stage.perform()
            chosen = way if way in {"poll", "repo"} else f"{way}={url}"
            async with _town(stage, store, [chosen if way != "poll" else "repo"]) as town:

                async def play() -> None:
                    while stage.performed < len(stage.play):
                        stage.perform()
                        await anyio.sleep(0.05)
                    await until(lambda: bool(town.indexes) and town.indexes[-1].digest == told_whole(stage).digest())
                    await until(lambda: Left(CAROL) in town.news)

                await _watch(town, play)
        assert materialize(seen for _, seen in store.observations()).digest == town.indexes[-1].digest
    assert town.trespasses == []
    assert {ALICE, BOB} <= set(town.asked) <= {ALICE, BOB, CAROL}
    assert [news.did for news in town.news if isinstance(news, Joined)][:3] == [ALICE, BOB, CAROL]


async def test_a_stream_that_is_broken_off_is_stood_in_for_and_the_store_says_so(tmp_path: Path) -> None:
    """While nobody listens there, repos are looked at; the stream's source has its failure."""
    stage = Stage(FirehoseHost())
    for _ in range(4):
        stage.perform()
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _town(stage, store, ["firehose=http://127.0.0.1:9"]) as town:

            async def play() -> None:
                await until(lambda: any(isinstance(news, BrokeOff) for news in town.news))
                while stage.performed < len(stage.play):
                    stage.perform()
                await until(lambda: bool(town.indexes) and town.indexes[-1].digest == told_whole(stage).digest())

            await _watch(town, play)
        (state,) = (state for state in store.sources() if state.source.adapter == "firehose")
        assert state.failure
        assert not state.is_live
    assert not any(isinstance(news, Opened) for news in town.news)
    assert town.trespasses == []


async def test_an_open_stream_that_has_nothing_to_tell_is_live(tmp_path: Path) -> None:
    stage = Stage(FirehoseHost())
    stage.perform()
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _served(stage.host) as (url, _), _town(stage, store, [f"firehose={url}"]) as town:  # type: ignore[arg-type]

            async def play() -> None:
                await until(lambda: any(isinstance(news, Opened) for news in town.news))
                (state,) = (state for state in store.sources() if state.source.adapter == "firehose")
                assert state.is_live

            await _watch(town, play)


async def test_a_look_at_somebody_who_is_removed_meanwhile_is_cut_off(tmp_path: Path) -> None:
    """Bob's server takes its time; before it answers, Alice's repo says that he is no member any more."""
    stage = Stage(FirehoseHost())
    for _ in range(3):
        stage.perform()
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _town(stage, store, ["repo"]) as town:
            following = town.following
            assert following is not None
            await following.begin()
            await following.look(ALICE, "repo")
            await following.refresh()
            assert BOB in following.followed
            town.hanging.add(BOB)
            results: list[Any] = []

            async def look() -> None:
                results.append(await following.look(BOB, "repo"))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(look)
                await until(lambda: BOB in town.asked)
                removal = wrote(ALICE, "removeMember/bob", _removal(stage)).writes
                stage.repos[ALICE].commit(*removal)
                await following.look(ALICE, "repo")
                await following.refresh()
            assert results == [None]
            assert await following.look(BOB, "repo") is None
    assert town.asked.count(BOB) == 2  # who he is, and the question that was never answered


def _removal(stage: Stage) -> dict[str, Any]:
    uri = f"at://{ALICE}/{PREFIX}addMember/bob"
    grant = stage.repos[ALICE].head.records[f"{PREFIX}addMember/bob"]
    space = stage.repos[ALICE].head.records[f"{PREFIX}space/main"]
    named = {"uri": uri, "cid": spelled(cid_of(grant))}
    return record("removeMember", 9, space={"uri": SPACE, "cid": spelled(cid_of(space))}, did=BOB, membership=named)


async def test_a_space_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    stage = Stage(FirehoseHost())
    stage.perform()
    uri = f"at://{ALICE}/{PREFIX}space/elsewhere"
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _town(stage, store, ["repo"], space=uri) as town:

            async def play() -> None:
                await until(lambda: len([news for news in town.news if isinstance(news, Looked)]) > 2)

            await _watch(town, play)
    assert [news for news in town.news if isinstance(news, NoSpace)] == [NoSpace(uri)]


async def test_more_members_than_the_limit_are_said(tmp_path: Path) -> None:
    stage = Stage(FirehoseHost())
    for _ in range(3):
        stage.perform()
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _town(stage, store, ["repo"]) as town:
            assert town.following is not None
            town.following.settings = attrs.evolve(town.following.settings, limits=Limits(repos=2))
            synced = await sync_spaces(town.following)
    assert synced.readings.keys() == {ALICE, BOB}
    assert TooMany(3, 2) in town.news


@attrs.frozen
class FullStore:
    """Cannot keep anything."""

    store: Store

    def take(self, _batch: Batch, _now: str) -> Taken:
        raise StoreError("the disk is full")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


@pytest.mark.parametrize("live", [True, False])
async def test_when_nothing_can_be_kept_it_ends_and_says_why(live: bool, tmp_path: Path) -> None:  # noqa: FBT001
    stage = Stage(FirehoseHost())
    stage.perform()
    with open_store(tmp_path / "store.db", write=True) as store:
        async with _town(stage, FullStore(store), ["repo"]) as town:  # type: ignore[arg-type]
            assert town.following is not None
            with pytest.raises(StoreError, match="disk is full"):
                await (watch_spaces(town.following, jitter=lambda: 0.5) if live else sync_spaces(town.following))


async def test_what_is_no_space_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db", write=True) as store, pytest.raises(SpaceUriError):
        async with _town(Stage(FirehoseHost()), store, ["repo"], space=f"at://{ALICE}/{PREFIX}goal/g"):
            pass
