"""Streams end to end: real sockets, the real driving loop, the real store; hosts with faults on loopback."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import attrs
import pytest
from anyio.abc import SocketAttribute, SocketStream
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, BytesMessage, CloseConnection, TextMessage

from radial_core import materialize
from radial_io.atproto.answers import CAR
from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import read_multikey
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import open_client
from radial_io.errors import RadialIoError, RefusedError
from radial_io.ingest.attending import Rereads, StreamFlow
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.firehose import firehose
from radial_io.ingest.jetstream import jetstream
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Binary, Closed, Connect, Text
from radial_io.ingest.streaming import run_stream
from radial_io.ingest.tap import tap
from radial_io.store.errors import StoreError
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Taken
from tests.io.fakes import LOOPBACK, FakePds, Reply, serving
from tests.io.streams_fakes import Stage, told_whole
from tests.io.streams_fakes_hosts import FirehoseHost, JetstreamHost, StreamHost, TapHost

pytestmark = pytest.mark.anyio

NOW = "2026-01-01T02:00:00Z"
LIMITS = StreamLimits(
    message=100_000, tick=0.05, linger=0.005, idle=0.3, patience=Patience(first_wait=0.01, longest_own_wait=0.05)
)
PLANS: list[dict[int, Any]] = [
    {1: "cut", 2: "close"},
    {0: "refuse"},
    {1: "garble", 3: "stall"},
    {2: "big"},
    {1: "twice", 2: "late", 4: "slow"},
]


@attrs.define
class Served:
    """Puts a host of the play behind a socket."""

    host: StreamHost
    posts: list[tuple[str, Any, str]] = attrs.field(factory=list)
    opened: list[str] = attrs.field(factory=list)

    async def serve(self, stream: SocketStream) -> None:
        async with stream:
            try:
                head = await _head(stream)
                if head.startswith(b"POST "):
                    await self._post(stream, head)
                elif self.host.queue is None or self.host.is_over:
                    await self._stream(stream, head)
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return

    async def _post(self, stream: SocketStream, head: bytes) -> None:
        text, _, body = head.partition(b"\r\n\r\n")
        length = int(text.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        while len(body) < length:
            body += await stream.receive()
        secret = text.split(b"authorization: ")[1].split(b"\r\n")[0].decode()
        self.posts.append((text.split()[1].decode(), json.loads(body), secret))
        await stream.send(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

    async def _stream(self, stream: SocketStream, head: bytes) -> None:
        path = head.split()[1].decode()
        self.opened.append(path)
        asked = head.lower()
        protocols = ("xrpc.v1.json",) if b"sec-websocket-protocol: xrpc.v1.json" in asked else ()
        try:
            self.host.connect(Connect(f"ws://host{path}", 0, protocols))
        except RefusedError as error:
            body = json.dumps({"error": error.name}).encode()
            size = str(len(body)).encode()
            await stream.send(b"HTTP/1.1 400 Bad\r\ncontent-length: " + size + b"\r\n\r\n" + body)
            return
        except RadialIoError:
            return
        peer = WSConnection(ConnectionType.SERVER)
        peer.receive_data(head)
        list(peer.events())
        await stream.send(peer.send(AcceptConnection(subprotocol=protocols[0] if protocols else None)))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._hear, stream, peer, tasks.cancel_scope)
            await self._send(stream, peer)
            tasks.cancel_scope.cancel()
        self.host.queue = None

    async def _send(self, stream: SocketStream, peer: WSConnection) -> None:
        while (queue := self.host.queue) is not None:
            while queue:
                match queue.pop(0):
                    case Text(text):
                        await stream.send(peer.send(TextMessage(text)))
                    case Binary(data):
                        await stream.send(peer.send(BytesMessage(data)))
                    case Closed(1009):
                        await stream.send(peer.send(BytesMessage(b"\0" * 2 * LIMITS.message)))
                    case Closed(1006):
                        return
                    case Closed(code, reason):
                        await stream.send(peer.send(CloseConnection(code, reason)))
                        return
            await anyio.sleep(0.002)

    async def _hear(self, stream: SocketStream, peer: WSConnection, scope: anyio.CancelScope) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            while self._listens_on(peer, await stream.receive()):
                pass
        self.host.queue = None
        scope.cancel()

    def _listens_on(self, peer: WSConnection, data: bytes) -> bool:
        """Hear what was said; who takes leave is told nothing more, nor listened to."""
        peer.receive_data(data)
        events = [*peer.events()]
        for event in events:
            if isinstance(event, TextMessage):
                self.host.heard(str(event.data))
        return not any(isinstance(event, CloseConnection) for event in events)


async def _head(stream: SocketStream) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        head += await stream.receive()
    return head


@asynccontextmanager
async def _served(host: StreamHost) -> AsyncIterator[tuple[str, Served]]:
    served = Served(host)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, served.serve)
        yield f"http://127.0.0.1:{listener.extra(SocketAttribute.local_port)}", served  # noqa: S610 - no database
        tasks.cancel_scope.cancel()


@attrs.frozen
class Directory:
    """Knows one PDS, and the keys of the play."""

    stage: Stage
    pds: str

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:  # noqa: ARG002 - nothing changes
        return Identity(did, self.pds, read_multikey(self.stage.repos[did].signer.multikey))


def _pds(stage: Stage) -> FakePds:
    """Gives the repos of the play, signed."""

    def answer(nsid: str, query: dict[str, str]) -> Reply:
        repo = stage.repos[query["did"]]
        if not repo.commits:
            return Reply.json({"error": "RepoNotFound"}, 400)
        if nsid.endswith("getRepo"):
            return Reply(repo.head.car(), headers={"content-type": CAR})
        return Reply.json({"cid": "x", "rev": repo.head.rev})

    return FakePds(intercept=answer)


Make = Callable[[str], StreamFlow[None]]
KINDS: dict[str, tuple[Callable[..., StreamHost], Make]] = {
    "firehose": (FirehoseHost, lambda url: firehose(url, jitter=lambda: 0.5, limits=LIMITS)),
    "jetstream 1": (JetstreamHost, lambda url: jetstream(url, version=1, jitter=lambda: 0.5, limits=LIMITS)),
    "jetstream 2": (
        lambda *plans: JetstreamHost(*plans, version=2),
        lambda url: jetstream(url, version=2, jitter=lambda: 0.5, limits=LIMITS),
    ),
    "tap": (TapHost, lambda url: tap(url, jitter=lambda: 0.5, password="s3cret", limits=LIMITS)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("plans", [[], PLANS], ids=["sound", "faulty"])
async def test_over_real_sockets_into_the_real_store(kind: str, plans: list[dict[int, Any]], tmp_path: Path) -> None:
    make_host, make_flow = KINDS[kind]
    stage = Stage(make_host(*plans))
    rereads = Rereads(spacing=0.02)
    with serving(_pds(stage).answer) as pds, open_store(tmp_path / "store.db", write=True) as store:
        async with _served(stage.host) as (url, served), open_client(LOOPBACK) as client:  # type: ignore[arg-type]
            directory = Directory(stage, pds)
            world = World(client=client, resolver=directory, store=store, clock=lambda: NOW)

            async def look(did: str, _why: str) -> None:
                await carry_out(read_repo(did), world)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: run_stream(make_flow(url), world, followed=_dids, look=look, rereads=rereads))
                for _ in range(len(stage.play)):
                    await anyio.sleep(0.02)
                    stage.perform()
                await _arrived(store, stage, rereads, kind)
                tasks.cancel_scope.cancel()
    assert len(served.opened) >= len(plans)
    if kind == "tap":
        assert {post[::2] for post in served.posts} == {("/repos/add", "Basic YWRtaW46czNjcmV0")}


def _dids() -> frozenset[str]:
    return Stage(FirehoseHost()).followed


async def _arrived(store: Store, stage: Stage, rereads: Rereads, kind: str) -> None:
    """Wait until the store gives the digest of somebody who missed nothing."""
    expected = told_whole(stage).digest()
    for _ in range(400):
        await anyio.sleep(0.05)
        if kind != "firehose" and not stage.host.plans:
            for did in _dids():  # what is told without proof is looked at from time to time: this is such a time
                rereads.ask(did, "it is looked at from time to time")
        digest = materialize(observation for _, observation in store.observations()).digest
        if digest == expected and not stage.host.plans:
            return
    raise AssertionError("it does not arrive")


class FullStore:
    """Cannot keep anything."""

    def take(self, _batch: Batch, _now: str) -> Taken:
        raise StoreError("the disk is full")

    def __getattr__(self, name: str) -> Any:
        return lambda *_arguments: None


async def test_when_nothing_can_be_kept_the_stream_ends_and_says_why() -> None:
    stage = Stage(FirehoseHost())
    async with _served(stage.host) as (url, _), open_client(LOOPBACK) as client:  # type: ignore[arg-type]
        world = World(client=client, resolver=Directory(stage, url), store=FullStore(), clock=lambda: NOW)
        stage.perform()
        flow = firehose(url, jitter=lambda: 0.5, oldest=True, limits=LIMITS)
        with pytest.raises(StoreError, match="disk is full"):
            await run_stream(flow, world, followed=frozenset, look=lambda _did, _why: anyio.lowlevel.checkpoint())
