"""Websockets over the same guarded connections as every other question.

Strategy: the handshake is a question of the client's; what follows is frames, read by wsproto without I/O. A message is
put together here, so its size is bounded while it comes and not after it is there. No compression is agreed to: nothing
small unfolds into something large. Nothing runs beside the reader: bytes are read when somebody waits for a message, so
who is slow slows the server down, and fills no memory.

Silence is no fault, for a stream may have nothing to say; a dead connection is one. So after `_QUIET` seconds without a
byte the other side is asked for a sign of life, and when none comes for as long again, the socket is closed.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import httpcore
import httpx
from anyio import current_time, move_on_after
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, Event, Ping, TextMessage
from wsproto.utilities import ProtocolError, generate_accept_token

from radial_io.atproto.messages import Binary, Closed, Idle, Message, Text
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import UnreadableError, mapped, quoted

_CHUNK: Final = 65_536
_QUIET: Final = 45.0
_PARTING: Final = 2.0  # seconds for saying goodbye
_LOST: Final = 1006
_TOO_BIG: Final = 1009


class Socket:
    """An open websocket."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, max_message: int) -> None:
        self._stream = stream
        self._connection = Connection(ConnectionType.CLIENT)
        self._max_message = max_message
        self._parts: list[str] | list[bytes] = []
        self._size = 0
        self._heard_at = current_time()
        self._is_asked = False
        self._closed: Closed | None = None

    async def receive(self, idle: float) -> Message:
        """Wait for a message, `idle` seconds at most. Once closed, it is closed."""
        ends_at = current_time() + idle
        while True:
            for event in self._connection.events():
                if (message := await self._met(event)) is not None:
                    return message
            if self._closed is not None:
                return self._closed
            if not await self._read(ends_at):
                return await self._idle()

    async def send(self, text: str) -> None:
        """Send a text message. A socket that is gone says so at the next `receive`."""
        await self._write(TextMessage(text))

    async def close(self) -> None:
        """Say goodbye, briefly, and close."""
        if self._closed is None:
            self._closed = Closed(1000)
            with move_on_after(_PARTING):
                await self._write(CloseConnection(1000))
        with suppress(httpcore.NetworkError):
            await self._stream.aclose()

    async def _read(self, ends_at: float) -> bool:
        """Read some bytes; tell whether there was something before the time was over."""
        left = ends_at - current_time()
        if left <= 0:
            return False
        try:
            data = await self._stream.read(_CHUNK, timeout=left)
        except httpcore.ReadTimeout:
            return False
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            self._closed = Closed(_LOST, quoted(error) or "the connection was lost")
            return True
        if not data:
            self._closed = Closed(_LOST, "the connection was cut")
            return True
        self._heard_at, self._is_asked = current_time(), False
        self._connection.receive_data(data)
        return True

    async def _met(self, event: Event) -> Text | Binary | Closed | None:
        match event:
            case TextMessage() | BytesMessage():
                return await self._put_together(event)
            case Ping():
                await self._write(event.response())
            case CloseConnection():
                with suppress(ProtocolError):
                    await self._write(event.response())
                self._closed = Closed(int(event.code), quoted(event.reason or ""))
                return self._closed
        return None

    async def _put_together(self, event: TextMessage | BytesMessage) -> Text | Binary | Closed | None:
        self._size += len(event.data)
        if self._size > self._max_message:
            await self._write(CloseConnection(_TOO_BIG))
            self._closed = Closed(_TOO_BIG, f"a message of more than {self._max_message} bytes")
            return self._closed
        self._parts.append(event.data)  # type: ignore[arg-type] # a message's frames are all of one kind
        if not event.message_finished:
            return None
        parts, self._parts, self._size = self._parts, [], 0
        return Text("".join(parts)) if isinstance(event, TextMessage) else Binary(b"".join(parts))  # type: ignore[arg-type]

    async def _idle(self) -> Closed | Idle:
        silence = current_time() - self._heard_at
        if silence >= _QUIET and not self._is_asked:
            self._is_asked = True
            await self._write(Ping())
        elif silence >= 2 * _QUIET:
            self._closed = Closed(_LOST, "the other side gives no sign of life")
            return self._closed
        return Idle()

    async def _write(self, event: Event) -> None:
        if self._closed is not None and not isinstance(event, CloseConnection):
            return
        with suppress(httpcore.NetworkError, httpcore.TimeoutException):
            await self._stream.write(self._connection.send(event), timeout=_QUIET)


@asynccontextmanager
async def open_socket(
    client: XrpcClient,
    url: str,
    *,
    max_message: int,
    subprotocols: tuple[str, ...] = (),
    headers: tuple[tuple[str, str], ...] = (),
) -> AsyncIterator[Socket]:
    """Open a websocket (ws:// or wss://) for the block. Raises `RequestError` or `AddressError`."""
    nonce = base64.b64encode(secrets.token_bytes(16))
    asked = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-key": nonce.decode(),
        "sec-websocket-version": "13",
        **({"sec-websocket-protocol": ", ".join(subprotocols)} if subprotocols else {}),
        **dict(headers),
    }
    asking = "http" + url.removeprefix("ws")
    named = asking.partition("?")[0]
    answer = await client.upgrade(asking, asked)
    try:
        if answer.headers.get("sec-websocket-accept") != generate_accept_token(nonce).decode():
            raise UnreadableError(named, "its answer opens no websocket", b"")
        socket = Socket(_stream_of(answer), max_message)
        try:
            yield socket
        finally:
            await socket.close()
    finally:
        with mapped(named):
            await answer.aclose()


def _stream_of(answer: httpx.Response) -> httpcore.AsyncNetworkStream:
    stream: httpcore.AsyncNetworkStream = answer.extensions["network_stream"]
    return stream
