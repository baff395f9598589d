"""Websockets, against a server that speaks them well, badly, or too much."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from anyio.abc import SocketAttribute, SocketStream
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    BytesMessage,
    CloseConnection,
    Event,
    Ping,
    Pong,
    RejectConnection,
    RejectData,
    Request,
    TextMessage,
)

from radial_io.atproto import sockets
from radial_io.atproto.messages import Binary, Closed, Idle, Text
from radial_io.atproto.retries import Patience
from radial_io.atproto.sockets import Socket, open_socket
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import (
    AddressError,
    RadialIoError,
    RateLimitError,
    RefusedError,
    UnreachableError,
    UnreadableError,
)
from tests.io.fakes import LOOPBACK

pytestmark = pytest.mark.anyio


class Peer:
    """The server's side of one connection."""

    def __init__(self, stream: SocketStream) -> None:
        self.stream = stream
        self.connection = WSConnection(ConnectionType.SERVER)
        self.heard: list[Event] = []

    async def say(self, *events: Event) -> None:
        for event in events:
            await self.stream.send(self.connection.send(event))

    async def hear(self) -> Event:
        """Wait for the next event."""
        while not self.heard:
            self.connection.receive_data(await self.stream.receive())
            self.heard += self.connection.events()
        return self.heard.pop(0)

    async def accept(self) -> Request:
        request = await self.hear()
        assert isinstance(request, Request)
        await self.say(AcceptConnection())
        return request


Play = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def _host(play: Play) -> AsyncIterator[str]:
    """Serve one connection as `play` does; gives the URL."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")

    async def serve(stream: SocketStream) -> None:
        async with stream:
            try:
                await play(Peer(stream))
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return

    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        port = listener.extra(SocketAttribute.local_port)  # noqa: S610 - no database is near
        yield f"ws://127.0.0.1:{port}"
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def _open(play: Play, max_message: int = 1000) -> AsyncIterator[Socket]:
    async with (
        _host(play) as url,
        open_client(LOOPBACK) as client,
        open_socket(client, url, max_message=max_message) as socket,
    ):
        yield socket


async def test_messages_of_both_kinds_and_a_goodbye() -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.say(TextMessage("one"), BytesMessage(b"two"), CloseConnection(1008, "Consumer\x1bTooSlow"))

    async with _open(play) as socket:
        assert await socket.receive(5) == Text("one")
        assert await socket.receive(5) == Binary(b"two")
        assert await socket.receive(5) == Closed(1008, "Consumer TooSlow")
        assert await socket.receive(5) == Closed(1008, "Consumer TooSlow")
        await socket.send("nobody hears this")


async def test_what_is_sent_arrives() -> None:
    heard: list[str] = []

    async def play(peer: Peer) -> None:
        await peer.accept()
        message = await peer.hear()
        assert isinstance(message, TextMessage)
        heard.append(message.data)
        await peer.say(TextMessage("thanks"))

    async with _open(play) as socket:
        await socket.send("hello")
        assert await socket.receive(5) == Text("thanks")
    assert heard == ["hello"]


async def test_the_handshake_says_what_is_wanted() -> None:
    asked: list[Request] = []

    async def play(peer: Peer) -> None:
        asked.append(await peer.accept())

    async with _host(play) as url, open_client(LOOPBACK) as client:
        secret = (("authorization", "Basic c2VjcmV0"),)
        opening = open_socket(
            client, f"{url}/x?cursor=5", max_message=10, subprotocols=("xrpc.v1.json",), headers=secret
        )
        async with opening as socket:
            assert isinstance(await socket.receive(5), Closed)
    (request,) = asked
    assert (request.target, request.subprotocols) == ("/x?cursor=5", ["xrpc.v1.json"])
    assert (b"authorization", b"Basic c2VjcmV0") in request.extra_headers


async def test_a_message_in_pieces_is_put_together() -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.say(*(BytesMessage(b"x" * 100, message_finished=number == 8) for number in range(9)))

    async with _open(play) as socket:
        assert await socket.receive(5) == Binary(b"x" * 900)


@pytest.mark.parametrize("kind", [TextMessage, BytesMessage])
@pytest.mark.parametrize("pieces", [1, 10**9])
async def test_a_message_that_is_too_long_is_not_put_together(
    kind: type[TextMessage | BytesMessage], pieces: int
) -> None:
    """Also one that never ends: what is kept of it is bounded."""
    data: Any = "x" * 2000 if kind is TextMessage else b"x" * 2000

    async def play(peer: Peer) -> None:
        await peer.accept()
        for number in range(pieces):
            await peer.say(kind(data, message_finished=number == pieces - 1))

    async with _open(play, max_message=1000) as socket:
        assert await socket.receive(5) == Closed(1009, "a message of more than 1000 bytes")


async def test_a_message_of_the_greatest_length() -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.say(BytesMessage(b"x" * 1000), BytesMessage(b"y" * 1001))

    async with _open(play, max_message=1000) as socket:
        assert await socket.receive(5) == Binary(b"x" * 1000)
        assert isinstance(await socket.receive(5), Closed)


async def test_a_ping_is_answered_and_is_no_message() -> None:
    heard: list[Event] = []

    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.say(Ping(b"there?"))
        heard.append(await peer.hear())
        await peer.say(TextMessage("good"))

    async with _open(play) as socket:
        assert await socket.receive(5) == Text("good")
    assert [event.payload for event in heard if isinstance(event, Pong)] == [b"there?"]


async def test_nothing_for_a_while_and_then_something() -> None:
    said = anyio.Event()

    async def play(peer: Peer) -> None:
        await peer.accept()
        await said.wait()
        await peer.say(TextMessage("late"))

    async with _open(play) as socket:
        assert await socket.receive(0.05) == Idle()
        assert await socket.receive(0) == Idle()
        said.set()
        assert await socket.receive(5) == Text("late")


async def test_a_host_that_is_asked_for_a_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that answers stays; one that does not is given up."""
    monkeypatch.setattr(sockets, "_QUIET", 0.05)
    heard: list[Event] = []
    is_deaf = anyio.Event()

    async def play(peer: Peer) -> None:
        await peer.accept()
        heard.append(await peer.hear())
        await peer.say(heard[0].response())  # type: ignore[attr-defined]
        is_deaf.set()
        await anyio.sleep_forever()

    async with _open(play) as socket:
        while not is_deaf.is_set():
            assert await socket.receive(0.02) == Idle()
        with anyio.fail_after(5):
            while isinstance(last := await socket.receive(0.02), Idle):
                pass
    assert isinstance(heard[0], Ping)
    assert last == Closed(1006, "the other side gives no sign of life")


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff\xff", b"\x83\x00", b"\x81\x85abcdhello", b"\x81\x02\xff\xff"])
async def test_what_is_no_frame_closes_the_socket(garbage: bytes) -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.stream.send(garbage)
        await anyio.sleep_forever()

    async with _open(play) as socket:
        closed = await socket.receive(5)
        assert isinstance(closed, Closed)
        assert closed.code in {1002, 1007}
        assert await socket.receive(5) == closed


async def test_a_connection_that_is_cut() -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()
        await peer.stream.send(b"\x82\x7e\x10\x00half")

    async with _open(play) as socket:
        closed = await socket.receive(5)
    assert isinstance(closed, Closed)
    assert closed.code == 1006


async def _failing(play: Play, **settings: float) -> RadialIoError:
    """Try to open a socket; give the error, which names the host but not its query: that may be pages of DIDs."""
    async with _host(play) as url, httpx.AsyncClient(timeout=5, trust_env=False) as http:
        client = XrpcClient(http, patience=Patience(attempts=3), **settings)  # type: ignore[arg-type]
        with pytest.raises(RadialIoError) as caught:
            async with open_socket(client, f"{url}?wantedDids=did%3Aplc%3Aaaa", max_message=10):
                pass
    assert url.removeprefix("ws://") in str(caught.value)
    assert "wantedDids" not in str(caught.value)
    return caught.value


def _rejecting(status: int, body: bytes = b"", **headers: str) -> Play:
    async def play(peer: Peer) -> None:
        await peer.hear()
        named = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
        named.append((b"content-length", str(len(body)).encode()))
        await peer.say(RejectConnection(status_code=status, headers=named, has_body=True), RejectData(body))

    return play


async def test_a_refusal_has_the_hosts_words_and_is_not_asked_again() -> None:
    error = await _failing(_rejecting(400, b'{"error": "CursorTooOld", "message": "gone"}'))
    assert isinstance(error, RefusedError)
    assert (error.status, error.name) == (400, "CursorTooOld")


async def test_a_busy_host_is_a_limit() -> None:
    error = await _failing(_rejecting(429, retry_after="7"))
    assert isinstance(error, RateLimitError)
    assert error.wait == 7


async def test_503_is_a_refusal() -> None:
    assert isinstance(await _failing(_rejecting(503)), RefusedError)


async def test_an_answer_that_opens_nothing() -> None:
    async def play(peer: Peer) -> None:
        await peer.stream.receive()
        await peer.stream.send(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")

    error = await _failing(play)
    assert isinstance(error, UnreadableError)
    assert "200" in str(error)


async def test_a_handshake_of_somebody_else() -> None:
    head = b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n"

    async def play(peer: Peer) -> None:
        await peer.stream.receive()
        await peer.stream.send(head + b"sec-websocket-accept: x\r\n\r\n")
        await anyio.sleep_forever()

    error = await _failing(play)
    assert isinstance(error, UnreadableError)
    assert "opens no websocket" in str(error)


async def test_a_host_that_does_not_answer() -> None:
    async def play(_peer: Peer) -> None:
        await anyio.sleep_forever()

    error = await _failing(play, deadline=0.05)
    assert isinstance(error, UnreachableError)
    assert "in time" in str(error)


async def test_a_socket_is_guarded_like_every_connection() -> None:
    async def play(peer: Peer) -> None:
        await peer.accept()

    async with _host(play) as url, open_client() as client:
        with pytest.raises(AddressError):
            async with open_socket(client, url, max_message=10):
                pass
