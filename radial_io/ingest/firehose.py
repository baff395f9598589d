"""Following repos on `com.atproto.sync.subscribeRepos`, of a PDS or of a relay.

    flow = firehose("https://pds.example", jitter=random.random)
    await drive(attended(flow, followed=…, reread=…), answer)

Strategy: nothing of a message is taken that its author's signature does not vouch for.

- A commit must be signed and the tree under it must show what its ops say; then each op is an observation with the
  commit's rev. A replay of what came before the repo's standing is no news for a mirror, but it is for us: it tells of
  versions that were rewritten since, and the earliest is the one that counts (V1). So replays are taken; the store
  knows what it knows.
- A repo's standing advances only over a commit that provably continues it: undoing its ops gives the tree where the
  repo stood (`prevData`). Whatever else happens (a gap, a rewritten history, a commit too big, an op without proof)
  leaves the standing where it is and has the repo read anew. A gap in the numbers of the stream alone means nothing.
- The cursor is written with what it covers. A host that knows our cursor no more, or says nothing twice in a row, or
  sends what is too long to pass, is followed from now on, and every repo is looked at.
- A frame that cannot be read, a commit that proves nothing, a record that is none: each costs itself, is kept in
  quarantine with its reason, and its repo is read anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

import attrs

from radial_core.instants import parse_instant
from radial_io.errors import RadialIoError, quoted
from radial_io.ingest.attending import Reread, StreamFlow
from radial_io.ingest.frames import (
    ACCOUNT,
    COMMIT,
    IDENTITY,
    SYNC,
    BadFrame,
    Event,
    Frame,
    Mark,
    Notice,
    Refusal,
    read_frame,
)
from radial_io.ingest.proving import Prover, Taking, account_state, look_up_moved, take_account
from radial_io.ingest.reconnecting import TOO_BIG, Outcome, StreamLimits, keep_reading, reread_all, websocket
from radial_io.ingest.requests import Binary, Closed, Connect, CursorOf, Take, Text
from radial_io.store.values import Source, Spoiled

_PATH: Final = "/xrpc/com.atproto.sync.subscribeRepos"
_FUTURE: Final = "FutureCursor"
_OUTDATED: Final = "OutdatedCursor"
_SILENCES: Final = 2  # so many connections in a row that say nothing, and the cursor is given up
_KEEP: Final = 5  # seconds after which a cursor is written that covers nothing of ours


def firehose(
    host: str, *, jitter: Callable[[], float], oldest: bool = False, limits: StreamLimits | None = None
) -> StreamFlow[None]:
    """Follow the stream of one host (scheme, host and port) for as long as the generator lives.

    `oldest`: the first time, begin with the oldest event that the host still has, not with now. `jitter` draws from 0
    to 1.
    """
    limits = limits or StreamLimits()
    return keep_reading(Firehose(Source("firehose", host), limits, oldest), limits=limits, jitter=jitter)


@attrs.define
class Firehose:
    """One host's stream: how far it was read, and what is doubtful about it."""

    source: Source
    limits: StreamLimits
    oldest: bool = False
    mark: Mark | None = None
    doubt: str = ""  # why every repo is looked at when the next connection is open
    silences: int = 0
    begun: bool = False
    at_start: bool = True  # no event of this connection was met yet
    kept_at: int = 0
    prover: Prover = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.prover = Prover(self.limits.quarantine)

    def opening(self, _followed: frozenset[str], _now: str) -> StreamFlow[Connect]:
        """Open the stream behind the last event."""
        if not self.begun:
            self.mark = Mark.parse((yield CursorOf(self.source)))
            self.begun = True
        elif self.mark is None and not self.oldest:
            self.doubt = self.doubt or "the stream is followed from now on"
        self.at_start = True
        seq = self.mark.seq if self.mark else 0
        query = f"?{urlencode({'cursor': seq})}" if self.mark or self.oldest else ""
        return Connect(f"{websocket(self.source.host)}{_PATH}{query}", self.limits.message)

    def opened(self, followed: frozenset[str]) -> StreamFlow[None]:
        """Have every repo looked at, if there is a doubt: events come from now on, so nothing falls in between."""
        doubt, self.doubt = self.doubt, ""
        yield from reread_all(followed if doubt else frozenset(), doubt)

    def changed(self, _before: frozenset[str], _followed: frozenset[str]) -> StreamFlow[str]:
        """Nothing to say to the host: it tells of everybody."""
        yield from ()
        return ""

    def ended(self, end: Closed | RadialIoError | None) -> None:
        """Give the cursor up where it does not lead on."""
        self.silences = self.silences + 1 if end is None else 0
        if isinstance(end, Closed) and end.code == TOO_BIG:
            self._give_up(f"a message of more than {self.limits.message} bytes")
        elif self.silences >= _SILENCES:
            self._give_up("a stream that says nothing")

    def take(self, messages: list[Text | Binary], followed: frozenset[str], now: str) -> StreamFlow[Outcome]:
        """Turn messages into a batch and have it taken; then say which repos have to be read anew."""
        self.silences = 0
        taking = Taking(self.source, now)
        ends, progress = "", False
        for message in messages:
            frame = read_frame(message.data) if isinstance(message, Binary) else BadFrame("a text message")
            progress |= isinstance(frame, Event)
            ends = (yield from self._frame(frame, message, followed, taking)) or ends
        yield from look_up_moved(taking)
        yield from self._keep(taking, parse_instant(now).seconds)
        for did, why in taking.doubts.items():
            yield Reread(did, why)
        return Outcome(progress, ends)

    def _frame(self, frame: Frame, message: Text | Binary, followed: frozenset[str], taking: Taking) -> StreamFlow[str]:
        """Deal with one frame. Give the words with which the connection ends, if it does."""
        match frame:
            case Event():
                self._meet(frame, followed, taking)
                if frame.did in followed:
                    yield from self._event(frame, taking)
            case BadFrame(reason, _, did):
                self._spoiled(reason, did, message, followed, taking)
            case Notice(name, _) if name == _OUTDATED:
                taking.doubt_all(followed, "the host has no more all that came since the stream was left")
            case Refusal(name, words):
                if name == _FUTURE:
                    self._give_up("a cursor that the host does not know")
                return f"the host ended the stream: {name}{': ' * bool(words)}{words}"
        return ""

    def _meet(self, event: Event, followed: frozenset[str], taking: Taking) -> None:
        """Move the mark; after a break, see first whether the event follows where the stream was left."""
        if self.at_start and self.mark is not None:
            doubt = self.mark.doubt(event, hush=self.limits.hush)
            taking.doubt_all(followed if doubt else frozenset(), doubt)
            if doubt and event.seq <= self.mark.seq:
                self.mark = None  # another numbering: the old one is no measure
        self.at_start = False
        if self.mark is None or event.seq > self.mark.seq:
            self.mark = Mark(event.seq, event.time)

    def _event(self, event: Event, taking: Taking) -> StreamFlow[None]:
        match event.kind:
            case kind if kind == COMMIT:
                yield from self.prover.commit(event, taking)
            case kind if kind == SYNC:
                yield from self.prover.sync(event, taking)
            case kind if kind == ACCOUNT:
                state = account_state(active=event.body["active"], status=event.body.get("status"))
                yield from take_account(event.did, state, taking)
            case kind if kind == IDENTITY:
                taking.moved.add(event.did)

    def _spoiled(
        self, reason: str, did: str | None, message: Text | Binary, followed: frozenset[str], taking: Taking
    ) -> None:
        """Set a frame aside. Whose it was may be unknown: then it may have been anybody's."""
        if did is not None and did not in followed:
            return
        raw = message.data if isinstance(message, Binary) else message.text.encode()
        words = f"a frame cannot be read: {quoted(reason)}"
        taking.spoiled.append(Spoiled(did or "", None, None, None, None, words, raw[: self.limits.quarantine]))
        taking.doubt_all(followed if did is None else {did}, words)

    def _give_up(self, what: str) -> None:
        """Forget the cursor: the stream is followed from now on, and every repo is looked at."""
        self.mark = None
        self.oldest = False
        self.doubt = f"{what}: the stream is followed from now on"

    def _keep(self, taking: Taking, seconds: int) -> StreamFlow[None]:
        """Write the batch. A cursor that covers nothing of ours is worth a transaction now and then only."""
        if taking.is_empty and seconds - self.kept_at < _KEEP:
            return
        self.kept_at = seconds
        yield Take(taking.batch(str(self.mark) if self.mark else None))
