"""Flows carried out in the world: real sockets, a real store, cancellation, bounds."""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, get_args

import anyio
import attrs
import httpx
import pytest

from radial_io.atproto.answers import CAR
from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import read_multikey
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import Get, Span, XrpcClient
from radial_io.errors import LimitError, RefusedError, UnreachableError
from radial_io.ingest.driving import _WAYS, World, carry_out
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.limits import Limits
from radial_io.ingest.poll import poll_repo
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Ask, Download, Drop, Flow, NextChunk, Pause, Request, Take
from radial_io.store.errors import StoreFullError
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Repo, Source, Standing, Taken
from tests.io.fakes import ALICE, BOB, GOAL, FakePds, Reply, serving
from tests.io.streams_fakes_repo import SignedRepo, Signer, Write

pytestmark = pytest.mark.anyio

NOW = "2027-01-01T00:00:00Z"
SPAN = Span(longest=10**6, seconds=5.0, stall=5.0)
CAR_HEAD = {"content-type": CAR}
QUESTION = Get("com.atproto.sync.getRepo", (("did", ALICE),))


@attrs.frozen
class Books:
    """A store that remembers batches."""

    batches: list[Batch] = attrs.field(factory=list)
    taking: Callable[[], None] = lambda: None

    def take(self, batch: Batch, now: str) -> Taken:
        assert now == NOW
        self.taking()
        self.batches.append(batch)
        return Taken()

    def cursor(self, source: Source) -> str | None:
        return source.adapter

    def held(self, _did: str) -> Mapping[tuple[str, str], tuple[str, str | None]]:
        return {}

    def held_page(self, _did: str, _collection: str, _after: str, _size: int) -> tuple[Standing, ...]:
        return ()

    def repo(self, did: str) -> Repo:
        return Repo(did)


@attrs.frozen
class Directory:
    """Knows who is where."""

    identities: dict[str, Identity] = attrs.field(factory=dict)

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:  # noqa: ARG002
        return self.identities[did]


@asynccontextmanager
async def _world(store: Any = None, directory: Directory | None = None, **more: Any) -> AsyncIterator[World]:
    async with httpx.AsyncClient(timeout=5, trust_env=False) as http:
        client = XrpcClient(http, patience=Patience(attempts=1, at_once=more.pop("at_once", 4)))
        yield World(
            client=client,
            resolver=directory or Directory(),
            store=Books() if store is None else store,
            clock=lambda: NOW,
            **more,
        )


def _write(repo: SignedRepo, pds: FakePds, count: int) -> None:
    value = {"$type": GOAL, "createdAt": NOW, "title": "x"}
    repo.commit(*(Write(f"{GOAL}/g{number}", value | {"title": str(number)}) for number in range(count)))
    pds.rev = repo.head.rev
    pds.repos[repo.did] = {GOAL: {f"g{number}": value | {"title": str(number)} for number in range(count)}}


@contextmanager
def _pds(*repos: SignedRepo) -> Iterator[tuple[str, FakePds, Directory]]:
    """A server that has these repos, 150 goals each, and whoever knows that."""
    pds = FakePds()
    for repo in repos:
        _write(repo, pds, 150)

    def get_repo(nsid: str, query: dict[str, str]) -> Reply | None:
        signed = {repo.did: repo for repo in repos}
        return Reply(signed[query["did"]].head.car(), headers=CAR_HEAD) if nsid.endswith("getRepo") else None

    pds.intercept = get_repo
    with serving(pds.answer) as url:
        yield (
            url,
            pds,
            Directory({repo.did: Identity(repo.did, url, read_multikey(repo.signer.multikey)) for repo in repos}),
        )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db", write=True) as store:
        yield store


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("*")]


@pytest.mark.parametrize("look", [poll_repo, read_repo])
async def test_several_repos_at_the_same_time(store: Store, tmp_path: Path, look: Any) -> None:
    repos = [SignedRepo(did, Signer.numbered(number)) for number, did in enumerate((ALICE, BOB), start=1)]
    with _pds(*repos) as (_, _, directory):
        async with (
            _world(store, directory, keeping=Keeping(tmp_path / "kept")) as world,
            anyio.create_task_group() as tasks,
        ):
            for repo in repos:
                tasks.start_soon(carry_out, look(repo.did), world)
    assert {len(store.held(repo.did)) for repo in repos} == {150}
    assert store.stats().versions == 300
    assert _names(tmp_path / "kept") == []


async def test_a_hostile_neighbour_costs_nobody_else(store: Store) -> None:
    """Bob's server sends nonsense for ever; Alice's repo is read all the same, and Bob's failure is in words."""
    repo = SignedRepo(ALICE, Signer.numbered(1))
    nonsense = b'{"rev": ' + b"[" * 20_000_000

    def answer(_nsid: str, _query: dict[str, str]) -> Reply:
        return Reply(nonsense)

    with _pds(repo) as (_, _, directory), serving(answer) as elsewhere:
        directory.identities[BOB] = Identity(BOB, elsewhere)
        async with _world(store, directory) as world, anyio.create_task_group() as tasks:
            for did in (ALICE, BOB):
                tasks.start_soon(carry_out, poll_repo(did), world)
    assert len(store.held(ALICE)) == 150
    assert "bytes" in str(store.repo(BOB).failure)


async def test_errors_are_thrown_into_the_flow() -> None:
    def flow(url: str) -> Flow[str]:
        try:
            yield Ask(url, Get("a.b.c"))
        except RefusedError as error:
            return error.name
        return ""

    with serving(lambda _nsid, _query: Reply.json({"error": "Oops"}, 400)) as url:
        async with _world() as world:
            assert await carry_out(flow(url), world) == "Oops"


async def test_a_store_that_fails_ends_the_flow() -> None:
    ended: list[str] = []

    def full() -> None:
        raise StoreFullError("no room")

    def flow() -> Flow[None]:
        try:
            yield Take(Batch(source=Source("poll", "x")))
        except StoreFullError:
            ended.append("caught")
        finally:
            ended.append("over")

    async with _world(Books(taking=full)) as world:
        with pytest.raises(StoreFullError):
            await carry_out(flow(), world)
    assert ended == ["over"]


async def test_cancelling_never_cuts_a_take_in_two() -> None:
    """The batch is whole before the task ends, and the flow learns that it is over."""
    is_taking, may_go_on = threading.Event(), threading.Event()
    ended: list[str] = []

    def slow() -> None:
        is_taking.set()
        assert may_go_on.wait(10)

    def flow() -> Flow[None]:
        try:
            yield Take(Batch(source=Source("poll", "first")))
            yield Take(Batch(source=Source("poll", "second")))
            ended.append("went on")
        finally:
            ended.append("over")

    books = Books(taking=slow)
    async with _world(books) as world, anyio.create_task_group() as tasks:
        tasks.start_soon(carry_out, flow(), world)
        await anyio.to_thread.run_sync(is_taking.wait)
        tasks.cancel_scope.cancel()
        assert books.batches == []
        may_go_on.set()
    assert [batch.source.host for batch in books.batches] == ["first"]
    assert ended == ["over"]


async def test_calls_of_the_store_come_one_at_a_time() -> None:
    running: list[int] = []
    most: list[int] = []

    def count() -> None:
        running.append(1)
        most.append(len(running))
        sleep(0.005)
        running.pop()

    def flow(name: str) -> Flow[None]:
        for _ in range(3):
            yield Take(Batch(source=Source("poll", name)))

    async with _world(Books(taking=count)) as world, anyio.create_task_group() as tasks:
        for name in "abc":
            tasks.start_soon(carry_out, flow(name), world)
    assert (len(most), max(most)) == (9, 1)


def _reading(url: str, span: Span = SPAN, keep: str = "") -> Flow[tuple[bool, bytes]]:
    is_kept: bool = yield Download(url, QUESTION, span, keep)
    body = b""
    chunk: bytes | None
    while (chunk := (yield NextChunk())) is not None:
        body += chunk
    return is_kept, body


async def test_what_was_read_whole_is_kept_until_it_is_dropped(tmp_path: Path) -> None:
    asked: list[dict[str, str]] = []
    body = bytes(range(256)) * 4000

    def dropping(url: str) -> Flow[None]:
        yield from _reading(url, Span(10**7, 5, 5), "name")
        yield Drop("name")

    with serving(lambda _nsid, _query: Reply(body, headers=CAR_HEAD), asked) as url:
        async with _world(keeping=Keeping(tmp_path / "kept")) as world:
            found = [await carry_out(_reading(url, Span(10**7, 5, 5), "name"), world) for _ in range(2)]
            assert found == [(False, body), (True, body)]
            assert len(asked) == 1
            assert (await carry_out(_reading(url, Span(10**7, 5, 5), "another"), world))[0] is False
            await carry_out(dropping(url), world)
            assert (await carry_out(_reading(url, Span(10**7, 5, 5), "name"), world))[0] is False
    Keeping(tmp_path / "kept").drop_others(["another"])
    assert len(_names(tmp_path / "kept")) == 1


async def test_what_was_read_in_part_is_not_kept(tmp_path: Path) -> None:
    def flow(url: str) -> Flow[None]:
        yield Download(url, QUESTION, SPAN, "name")
        yield NextChunk()

    with serving(lambda _nsid, _query: Reply(b"x" * 500_000, headers=CAR_HEAD)) as url:
        async with _world(keeping=Keeping(tmp_path)) as world:
            await carry_out(flow(url), world)
            with pytest.raises(LimitError):
                await carry_out(_reading(url, Span(100_000, 5, 5), "name"), world)
    assert _names(tmp_path) == []


async def test_what_is_kept_is_the_users_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    before = os.umask(0)
    try:
        keeping = Keeping(tmp_path / "kept")
        killed = keeping.begin("name")
        (part,) = (tmp_path / "kept").iterdir()
        part.unlink()
        part.symlink_to(elsewhere)
        keeper = keeping.begin("name")
        keeper.write(b"whole")
        keeper.finish()
    finally:
        os.umask(before)
    killed.abandon()
    assert elsewhere.read_text() == "mine"
    assert b"".join(keeping.read("name") or ()) == b"whole"
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "kept").iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700


async def test_a_disk_that_fails_costs_the_keeping_only(tmp_path: Path) -> None:
    (tmp_path / "no folder").write_text("")
    with serving(lambda _nsid, _query: Reply(b"whole", headers=CAR_HEAD)) as url:
        async with _world(keeping=Keeping(tmp_path / "no folder")) as world:
            assert await carry_out(_reading(url, keep="name"), world) == (False, b"whole")


@contextmanager
def _dripping(head: bytes, drop: bytes, every: float) -> Iterator[str]:
    """A server that sends this, and then a little for ever."""
    is_over = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def drip() -> None:
            connection, _ = listener.accept()
            connection.recv(65536)
            try:
                connection.sendall(head)
                while not is_over.wait(every):
                    connection.sendall(drop)
            except OSError:
                pass
            connection.close()

        thread = threading.Thread(target=drip)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        is_over.set()
        thread.join()


_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/vnd.ipld.car\r\nconnection: close\r\n\r\n"


@pytest.mark.parametrize(
    ("every", "span", "said"),
    [
        (0.01, Span(10**6, 0.2, 5), "was not sent whole within 0 s"),
        (10, Span(10**6, 5, 0.1), "stopped in the middle"),
        (0.01, Span(10**6, 50, 5, slow=0.2), "sent less than 64 KiB in 0 s"),
    ],
)
async def test_a_download_has_a_deadline_one_for_silence_and_one_for_drops(every: float, span: Span, said: str) -> None:
    with _dripping(_HEAD + b"x", b"x", every) as url:
        async with _world() as world:
            with pytest.raises(UnreachableError, match=said):
                await carry_out(_reading(url, span), world)


async def test_a_download_cut_off_halfway_is_none() -> None:
    short = Reply(b"half", headers=CAR_HEAD | {"content-length": "100", "connection": "close"})
    with serving(lambda _nsid, _query: short) as url:
        async with _world() as world:
            with pytest.raises(UnreachableError):
                await carry_out(_reading(url), world)


async def test_so_many_whole_repos_are_in_hand_at_the_same_time() -> None:
    """One waits until another lets go of its own: at its end, or when it says so."""
    inside: list[str] = []
    most: list[int] = []

    def flow(url: str, name: str) -> Flow[None]:
        yield from _reading(url)
        inside.append(name)
        most.append(len(inside))
        yield Pause(0.01)
        inside.remove(name)
        if name == "a":
            yield Drop("")
            yield Pause(0.3)

    start = monotonic()
    with serving(lambda _nsid, _query: Reply(b"x", headers=CAR_HEAD)) as url:
        async with _world(limits=Limits(downloads_at_once=2)) as world, anyio.create_task_group() as tasks:
            for name in "abcdef":
                tasks.start_soon(carry_out, flow(url, name), world)
    assert (len(most), max(most)) == (6, 2)
    assert monotonic() - start < 30


async def test_a_failed_download_leaves_room_for_the_next() -> None:
    def flow(url: str) -> Flow[str]:
        try:
            yield from _reading(url)
        except RefusedError:
            yield Pause(0)
        return (yield from _after(url))

    def _after(url: str) -> Flow[str]:
        try:
            yield from _reading(url)
        except RefusedError as error:
            return error.name
        return ""

    with serving(lambda _nsid, _query: Reply.json({"error": "RepoNotFound"}, 400)) as url:
        async with _world(limits=Limits(downloads_at_once=1)) as world:
            with anyio.fail_after(10):
                assert await carry_out(flow(url), world) == "RepoNotFound"


async def test_one_server_is_asked_so_much_at_the_same_time() -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def answer(_nsid: str, _query: dict[str, str]) -> Reply:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        sleep(0.02)
        with lock:
            running[0] -= 1
        return Reply.json({})

    def flow(url: str) -> Flow[None]:
        yield Ask(url, Get("a.b.c"))

    with serving(answer) as url:
        async with _world(at_once=3) as world, anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(carry_out, flow(url), world)
    assert most == [3]


async def test_every_kind_of_request_is_carried_out() -> None:
    assert set(_WAYS) == set(get_args(Request))
