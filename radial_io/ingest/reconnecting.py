"""What all streams have in common: to stay connected, to take messages in batches, to have repos looked at.

Strategy: one loop, told by a `Stream` what to open and how to turn messages into a batch.

- A batch is what is there: after the first message only those are waited for that come at once. Alone, an event is
  stored as soon as it comes; in a flood, batches grow up to the limits of count and bytes.
- A stream that says nothing for `idle` seconds is given up and opened anew: some fall silent and stay connected.
- After every end the next try waits, longer each time, with jitter, until a connection brings something again.
- Who is followed is asked between two batches, so a change takes effect within a second.
- Every repo is looked at once when the stream begins, then every `check` seconds: whatever was lost unseen, by a host
  or by a process that was killed between two steps, is found then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import attrs

from radial_core.instants import parse_instant
from radial_io.atproto.retries import Patience
from radial_io.errors import RadialIoError
from radial_io.ingest.attending import Followed, Reread, StreamFlow
from radial_io.ingest.requests import Binary, Closed, Connect, Disconnect, Idle, Now, Pause, Receive, Take, Text
from radial_io.store.values import Batch, Failure, Source

TOO_BIG: Final = 1009  # the close code for a message over the limit
_MEBIBYTE: Final = 2**20


@attrs.frozen(kw_only=True)
class StreamLimits:
    """What a stream may cost, and how patient it is.

    Bytes of one `message`; `messages` and `bytes` of one batch. Seconds: `linger`, for one more message of a batch
    (none: what has arrived is the batch); `tick`, between two looks at who is followed; `idle`, without any message;
    `check`, between two looks at every repo; `hush`, that a host may be without an event and raise no doubt.
    `quarantine`, bytes kept of what is set aside.
    """

    message: int = 5 * _MEBIBYTE
    messages: int = 500
    bytes: int = 8 * _MEBIBYTE
    linger: float = 0.0
    tick: float = 1.0
    idle: float = 600.0
    check: float = 6 * 3600.0
    hush: int = 3600
    quarantine: int = 65_536
    patience: Patience = attrs.field(factory=lambda: Patience(first_wait=1.0, longest_own_wait=120.0))


@attrs.frozen
class Outcome:
    """What became of some messages: whether they brought anything, and the words with which the connection ends."""

    progress: bool
    ends: str = ""


AGAIN: Final = "the connection is opened anew"


class Stream(Protocol):
    """One kind of stream."""

    @property
    def source(self) -> Source:
        """Whose cursor it moves."""

    def opening(self, followed: frozenset[str], now: str) -> StreamFlow[Connect]:
        """Say what to open; what has to be sent at once is for `opened`."""

    def opened(self, followed: frozenset[str]) -> StreamFlow[None]:
        """Say and ask what follows an opening."""

    def take(self, messages: list[Text | Binary], followed: frozenset[str], now: str) -> StreamFlow[Outcome]:
        """Turn messages into a batch and have it taken."""

    def changed(self, before: frozenset[str], followed: frozenset[str]) -> StreamFlow[str]:
        """Meet a change of who is followed. Give the words with which the connection ends for it, or nothing."""

    def ended(self, end: Closed | RadialIoError | None) -> None:
        """Learn how a connection came to its end, or did not come about: None when it fell silent."""


@attrs.define
class _Connection:
    """One run of the loop remembers this much."""

    progress: bool = False
    silent: float = 0.0
    words: str = ""


def keep_reading(stream: Stream, *, limits: StreamLimits, jitter: Callable[[], float]) -> StreamFlow[None]:
    """Read a stream for as long as the generator lives. `jitter` is drawn from 0 to 1 for every wait."""
    attempt = 0
    checks = _Checks(limits.check)
    while True:
        connection = _Connection()
        try:
            yield from _read(stream, limits, checks, connection)
        except RadialIoError as error:
            stream.ended(error)
            connection.words = error.explained()
        yield Disconnect()
        attempt = 0 if connection.progress else attempt + 1
        if connection.words != AGAIN:
            yield Take(Batch(source=stream.source, failures=(Failure("", stream.source, connection.words),)))
            yield Pause(limits.patience.wait(attempt + 1, None, jitter()))


@attrs.define
class _Checks:
    """When every repo is looked at."""

    period: float
    last: int | None = None

    def due(self, now: str) -> str:
        seconds = parse_instant(now).seconds
        if self.last is not None and seconds - self.last < self.period:
            return ""
        why = "it is looked at from time to time" if self.last is not None else "following it begins"
        self.last = seconds
        return why


def _read(stream: Stream, limits: StreamLimits, checks: _Checks, connection: _Connection) -> StreamFlow[None]:
    """Read one connection to its end."""
    followed: frozenset[str] = yield Followed()
    now: str = yield Now()
    yield (yield from stream.opening(followed, now))
    yield from stream.opened(followed)
    while not connection.words:
        messages, closed = yield from _gather(limits)
        now = yield Now()
        before, followed = followed, (yield Followed())
        if messages:
            outcome = yield from stream.take(messages, followed, now)
            connection.progress |= outcome.progress
            connection.words = outcome.ends
        connection.silent = 0.0 if messages else connection.silent + limits.tick
        yield from _attend(stream, before, followed, checks.due(now), connection)
        if closed is not None and not connection.words:
            stream.ended(closed)
            connection.words = f"the host closed the stream ({closed.code}{': ' * bool(closed.reason)}{closed.reason})"
        elif connection.silent >= limits.idle and not connection.words:
            stream.ended(None)
            connection.words = f"nothing came for {limits.idle:.0f} s"


def _attend(
    stream: Stream, before: frozenset[str], followed: frozenset[str], check: str, connection: _Connection
) -> StreamFlow[None]:
    """Meet a change of who is followed; have repos looked at when it is time, and those that are new."""
    for did in sorted(followed if check else followed - before):
        yield Reread(did, check or "following it begins")
    if before != followed:
        words = yield from stream.changed(before, followed)
        connection.words = connection.words or words


def _gather(limits: StreamLimits) -> StreamFlow[tuple[list[Text | Binary], Closed | None]]:
    """Wait for a message, then take those that come at once."""
    messages: list[Text | Binary] = []
    size = 0
    wait = limits.tick
    while len(messages) < limits.messages and size < limits.bytes:
        message: Text | Binary | Closed | Idle = yield Receive(wait)
        if isinstance(message, Closed):
            return messages, message
        if isinstance(message, Idle):
            break
        messages.append(message)
        size += len(message.text if isinstance(message, Text) else message.data)
        wait = limits.linger
    return messages, None


def websocket(origin: str) -> str:
    """Give the address of a host's websockets: its own, with the other scheme."""
    return "ws" + origin.removeprefix("http")


def reread_all(dids: frozenset[str], why: str) -> StreamFlow[None]:
    """Have every repo looked at."""
    for did in sorted(dids):
        yield Reread(did, why)
