"""What an adapter can ask of the world: the closed union `Request`, and the answers.

    def follow(...) -> Flow[None]:
        identity: Identity = yield Resolve(did)                       # a value is sent back
        try:
            body: bytes = yield Ask(identity.pds, Get(nsid, (("did", did),)))
        except RequestError as error:                                 # or an error is thrown in
            ...
        yield Take(Batch(...))

Strategy: an adapter is a generator which yields one request after the other; each is answered before the next is asked.
It has no clock, socket, file or dice of its own, so a test drives it by hand, and `radial_io.ingest.driving` drives it
in the world, one task for each. Whatever a request fails with is thrown into the generator at its `yield`: a
`RadialIoError`. One generator has at most one download and one socket open; both are closed when it ends, however it
ends. Cancelling never cuts a `Take` in two: it is carried out whole or not at all.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import attrs

from radial_io.atproto.messages import Binary, Closed, Idle, Message, Text

if TYPE_CHECKING:
    from radial_io.atproto.xrpc import Get, Span
    from radial_io.store.values import Batch, Source

T = TypeVar("T")


@attrs.frozen
class Ask:
    """Put an XRPC question to a server (scheme, host and port). Answer: the bytes of its JSON, bounded."""

    server: str
    question: Get


@attrs.frozen
class Download:
    """Begin to read a long answer in chunks. Answer: bool, whether it comes from what was kept, not from the server.

    With `keep`, a name, what is read is kept in a file until `Drop(keep)`: once it was read to its end, also by a
    process that is gone, the next such download is answered from it and asks nobody. Fails before the first byte as
    `Ask` does.
    """

    server: str
    question: Get
    span: Span
    keep: str = ""


@attrs.frozen
class NextChunk:
    """Read on in the download. Answer: bytes, some; or None at the end, which is told of the whole answer only."""


@attrs.frozen
class Drop:
    """Forget what a download kept under this name. Answer: None."""

    keep: str


@attrs.frozen
class Connect:
    """Open a websocket (wss://, or ws:// for a server given by hand). Answer: None.

    A message of more than `max_message` bytes ends it: `Closed`, 1009. `headers` may hold a secret, and is not shown.
    """

    url: str
    max_message: int
    subprotocols: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False)


@attrs.frozen
class Receive:
    """Wait for the socket's next message, for `idle` seconds at most. Answer: `Text`, `Binary`, `Closed` or `Idle`."""

    idle: float


@attrs.frozen
class Send:
    """Send a text message over the socket. Answer: None; a socket that is gone says so at the next `Receive`."""

    text: str


@attrs.frozen
class Post:
    """Send JSON, once, to the operator's own server. Answer: None. `headers` may hold a secret, and is not shown."""

    url: str
    body: str
    headers: tuple[tuple[str, str], ...] = attrs.field(default=(), repr=False)


@attrs.frozen
class Disconnect:
    """Close the socket, if one is open. Answer: None."""


@attrs.frozen
class Resolve:
    """Ask who a DID is. Answer: `Identity`; with `fresh`, not from the cache. Raises `RadialIoError`."""

    did: str
    fresh: bool = False


@attrs.frozen
class Take:
    """Write a batch into the store, in one transaction with the cursor that covers it. Answer: `Taken`."""

    batch: Batch


@attrs.frozen
class HeldOf:
    """Ask what the store last saw a repo hold. Answer: {(collection, rkey): (cid, rev or None)}."""

    did: str


@attrs.frozen
class HeldPage:
    """Ask what the store last saw a repo hold in one collection, after a record key.

    Answer: a tuple of `Standing`, by rkey, of at most `size` and more than none unless there is no more.
    """

    did: str
    collection: str
    after: str
    size: int


@attrs.frozen
class CursorOf:
    """Ask how far a source was read. Answer: str, or None when it never was."""

    source: Source


@attrs.frozen
class RepoOf:
    """Ask what the store knows of a repo. Answer: `Repo`, also for one that was never heard of."""

    did: str


@attrs.frozen
class Pause:
    """Wait so many seconds. Answer: None."""

    seconds: float


@attrs.frozen
class Now:
    """Ask for the observer's own time, as in `seenAt`. Answer: a datetime string in UTC."""


Request: TypeAlias = (
    Ask
    | Download
    | NextChunk
    | Drop
    | Connect
    | Receive
    | Send
    | Disconnect
    | Post
    | Resolve
    | Take
    | HeldOf
    | HeldPage
    | CursorOf
    | RepoOf
    | Pause
    | Now
)
Flow: TypeAlias = Generator[Request, Any, T]


__all__ = [
    "Ask",
    "Binary",
    "Closed",
    "Connect",
    "CursorOf",
    "Disconnect",
    "Download",
    "Drop",
    "Flow",
    "HeldOf",
    "HeldPage",
    "Idle",
    "Message",
    "NextChunk",
    "Now",
    "Pause",
    "Post",
    "Receive",
    "RepoOf",
    "Request",
    "Resolve",
    "Send",
    "Take",
    "Text",
]
