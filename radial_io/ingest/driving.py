"""The loop that carries out what flows ask for.

    world = World(client=client, resolver=resolver, store=store, clock=now, keeping=Keeping(folder))
    reading = await carry_out(poll_repo(did), world)

Strategy: a flow decides, this does; it knows no protocol. One flow is one task: each request is answered before the
next is taken, so what belongs to a flow (its download, its socket) needs no lock, and is closed when the flow ends,
however it ends. Calls of the store run in a thread, one at a time, and are never cut short: a task that is cancelled
while one runs ends after it. An error of a request is the flow's to deal with; an error of the store is not, for
whatever it answered could not be kept.

What all flows share is bounded here: whole repos that are in hand at the same time. How much one server is asked at the
same time, the client sees to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, Protocol, Self, TypeVar

import anyio
import attrs
from anyio import to_thread

from radial_io.atproto import xrpc
from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver
from radial_io.atproto.messages import Message
from radial_io.atproto.sockets import Socket, open_socket
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import RadialIoError
from radial_io.ingest.keeping import Keeper, Keeping
from radial_io.ingest.limits import Limits
from radial_io.ingest.requests import (
    Ask,
    Connect,
    CursorOf,
    Disconnect,
    Download,
    Drop,
    Flow,
    HeldOf,
    HeldPage,
    NextChunk,
    Now,
    Pause,
    Post,
    Receive,
    RepoOf,
    Request,
    Resolve,
    Send,
    Take,
)
from radial_io.store.errors import StoreError
from radial_io.store.values import Batch, Repo, Source, Standing, Taken

Q = TypeVar("Q")
T = TypeVar("T")


async def drive(flow: Generator[Q, Any, T], answer: Callable[[Q], Awaitable[Any]]) -> T:
    """Carry a flow to its end, and give its result. Errors go to the flow first, except those of the store."""
    try:
        request = next(flow)
        while True:
            try:
                result = await answer(request)
            except StoreError:
                raise
            except RadialIoError as error:
                request = flow.throw(error)
            else:
                request = flow.send(result)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        flow.close()


class Books(Protocol):
    """What flows ask of the store."""

    def take(self, batch: Batch, now: str) -> Taken:
        """Keep a batch."""

    def cursor(self, source: Source) -> str | None:
        """Give a cursor."""

    def held(self, did: str) -> Mapping[tuple[str, str], tuple[str, str | None]]:
        """Give what a repo holds as last seen."""

    def held_page(self, did: str, collection: str, after: str, size: int) -> tuple[Standing, ...]:
        """Give a page of what a repo holds of one collection."""

    def repo(self, did: str) -> Repo:
        """Tell what is known of a repo."""


class World:
    """What requests are carried out with, for all flows together. `clock` gives the observer's own time."""

    def __init__(
        self,
        *,
        client: XrpcClient,
        resolver: Resolver,
        store: Books,
        clock: Callable[[], str],
        keeping: Keeping | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.client = client
        self.resolver = resolver
        self.store = store
        self.clock = clock
        self.keeping = keeping
        self.downloads = anyio.Semaphore((limits or Limits()).downloads_at_once)
        self._turn = anyio.CapacityLimiter(1)

    async def ask_store(self, question: Callable[[], T]) -> T:
        """Put a question to the store, when it is its turn."""
        return await to_thread.run_sync(question, limiter=self._turn)


async def carry_out(flow: Flow[T], world: World) -> T:
    """Carry out one flow."""
    async with _Hands(world) as hands:
        return await drive(flow, hands.answer)


@attrs.define
class _Reading:
    """A download in progress: from the server and perhaps into a file, or from a file."""

    closing: AsyncExitStack
    source: xrpc.Download | Iterator[bytes]
    keeper: Keeper | None = None

    async def next_chunk(self) -> bytes | None:
        if not isinstance(self.source, xrpc.Download):
            return next(self.source, None)
        chunk = await self.source.next_chunk()
        if self.keeper is not None:
            if chunk is None:
                self.keeper.finish()
            else:
                self.keeper.write(chunk)
        return chunk

    async def close(self) -> None:
        if self.keeper is not None:
            self.keeper.abandon()
        await self.closing.aclose()


class _Hands:
    """What one flow has open."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._reading: _Reading | None = None
        self._has_room = False
        self._socket: Socket | None = None
        self._talking = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exit: object) -> None:
        with anyio.CancelScope(shield=True):
            await self._stop_reading()
            await self._talking.aclose()

    async def answer(self, request: Request) -> Any:
        """Carry out one request."""
        return await _WAYS[type(request)](self, request)

    async def ask(self, request: Ask) -> bytes:
        return await self._world.client.query(request.server, request.question)

    async def download(self, request: Download) -> bool:
        await self._stop_reading()
        await self._world.downloads.acquire()
        self._has_room = True
        kept = self._world.keeping.read(request.keep) if self._world.keeping and request.keep else None
        closing = AsyncExitStack()
        if kept is not None:
            self._reading = _Reading(closing, kept)
            return True
        client = self._world.client
        opening = client.download(request.server, request.question, request.span)
        try:
            source = await closing.enter_async_context(opening)
        except BaseException:
            self._leave_room()
            raise
        keeper = self._world.keeping.begin(request.keep) if self._world.keeping and request.keep else None
        self._reading = _Reading(closing, source, keeper)
        return False

    async def next_chunk(self, _request: NextChunk) -> bytes | None:
        if self._reading is None:
            return None
        try:
            chunk = await self._reading.next_chunk()
        except RadialIoError:
            await self._stop_reading()
            raise
        if chunk is None:
            reading, self._reading = self._reading, None
            await reading.close()
        return chunk

    async def drop(self, request: Drop) -> None:
        await self._stop_reading()
        if self._world.keeping and request.keep:
            self._world.keeping.drop(request.keep)

    async def _stop_reading(self) -> None:
        reading, self._reading = self._reading, None
        if reading is not None:
            await reading.close()
        self._leave_room()

    def _leave_room(self) -> None:
        if self._has_room:
            self._has_room = False
            self._world.downloads.release()

    async def connect(self, request: Connect) -> None:
        await self._talking.aclose()
        opening = open_socket(
            self._world.client,
            request.url,
            max_message=request.max_message,
            subprotocols=request.subprotocols,
            headers=request.headers,
        )
        self._socket = await self._talking.enter_async_context(opening)

    async def receive(self, request: Receive) -> Message:
        return await self._open_socket().receive(request.idle)

    async def send(self, request: Send) -> None:
        await self._open_socket().send(request.text)

    async def disconnect(self, _request: Disconnect) -> None:
        self._socket = None
        await self._talking.aclose()

    def _open_socket(self) -> Socket:
        if self._socket is None:
            raise ValueError("no socket was opened")
        return self._socket

    async def post(self, request: Post) -> None:
        await self._world.client.post(request.url, request.body, dict(request.headers))

    async def resolve(self, request: Resolve) -> Identity:
        return await self._world.resolver.identity(request.did, fresh=request.fresh)

    async def take(self, request: Take) -> Taken:
        return await self._world.ask_store(partial(self._world.store.take, request.batch, self._world.clock()))

    async def held(self, request: HeldOf) -> Mapping[tuple[str, str], tuple[str, str | None]]:
        return await self._world.ask_store(partial(self._world.store.held, request.did))

    async def held_page(self, request: HeldPage) -> tuple[Standing, ...]:
        page = partial(self._world.store.held_page, request.did, request.collection, request.after, request.size)
        return await self._world.ask_store(page)

    async def cursor(self, request: CursorOf) -> str | None:
        return await self._world.ask_store(partial(self._world.store.cursor, request.source))

    async def repo(self, request: RepoOf) -> Repo:
        return await self._world.ask_store(partial(self._world.store.repo, request.did))

    async def pause(self, request: Pause) -> None:
        await anyio.sleep(request.seconds)

    async def now(self, _request: Now) -> str:
        return self._world.clock()


_WAYS: dict[type[Request], Callable[[_Hands, Any], Awaitable[Any]]] = {
    Ask: _Hands.ask,
    Download: _Hands.download,
    NextChunk: _Hands.next_chunk,
    Drop: _Hands.drop,
    Connect: _Hands.connect,
    Receive: _Hands.receive,
    Send: _Hands.send,
    Disconnect: _Hands.disconnect,
    Post: _Hands.post,
    Resolve: _Hands.resolve,
    Take: _Hands.take,
    HeldOf: _Hands.held,
    HeldPage: _Hands.held_page,
    CursorOf: _Hands.cursor,
    RepoOf: _Hands.repo,
    Pause: _Hands.pause,
    Now: _Hands.now,
}
