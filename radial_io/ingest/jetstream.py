"""Following repos on Jetstream, version 1 (`/subscribe`) and version 2 (`network.bsky.jetstream.subscribeEvents`).

    flow = jetstream("https://jetstream.example", version=2, jitter=random.random)

Strategy: what comes is the host's word, see `radial_io.ingest.telling`; every repo is read and verified each `check`
seconds. The two versions differ in a table, `Version`: address, cursor, form of a message, and how a change of those
who are followed is told.

- Cursors: version 1 counts microseconds, version 2 numbers events, and neither means anything to another host. They
  are kept apart by their `Source`, and a stream is asked for a little more than is missing: at the switch from replay
  to live, events come twice, late, or not at all. What is known already the store knows.
- A host clamps an old or a future cursor in silence: the first event after a break shows it, and repos are looked at.
- Filters: our collections by prefix, and the members' DIDs as long as they are few enough for the host, else all DIDs:
  then it is filtered here. No size filter, because it leaves out in silence; no compression.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

import attrs

from radial_core.instants import Instant, parse_instant
from radial_core.records import PREFIX
from radial_io.atproto.commits import latest_rev
from radial_io.errors import RadialIoError, RefusedError, quoted
from radial_io.ingest.attending import Reread, StreamFlow
from radial_io.ingest.proving import Taking, account_state, look_up_moved
from radial_io.ingest.reconnecting import (
    AGAIN,
    TOO_BIG,
    Outcome,
    StreamLimits,
    keep_reading,
    reread_all,
    websocket,
)
from radial_io.ingest.requests import Binary, Closed, Connect, CursorOf, Send, Take, Text
from radial_io.ingest.telling import (
    AccountChange,
    IdentityChange,
    NewState,
    Told,
    Unusable,
    did_in,
    parse_object,
    read_change,
    take_told,
)
from radial_io.store.values import Adapter, Source

MOST_DIDS: Final = 10_000  # that a host takes as a filter
MOST_DIDS_IN_URL: Final = 50  # more are sent, or filtered here: servers and proxies bound the length of a URL
LIMITS: Final = StreamLimits(check=900.0)

_COLLECTIONS: Final = f"{PREFIX}*"
_EPOCH: Final = parse_instant("1970-01-01T00:00:00Z").seconds
_MICROSECONDS: Final = 1_000_000
_V2: Final = "network.bsky.jetstream.subscribeEvents"
_TOO_OLD: Final = "CursorTooOld"
_GREATEST: Final = 2**63
_KINDS: Final = frozenset({"commit", "account", "identity", "sync"})


@attrs.frozen
class Message:
    """One message: what it tells, its place in the stream (in the version's own count), its time in seconds.

    `ends` are the words with which the host ends the stream.
    """

    told: Told | None = None
    place: int | None = None
    seconds: int | None = None
    ends: str = ""


@attrs.frozen
class Version:
    """What differs between the versions. `rewind` is how much more is asked for, in the cursor's own count."""

    adapter: Adapter
    path: str
    collections: str
    dids: str
    rewind: int
    takes_updates: bool
    subprotocols: tuple[str, ...]
    read: Callable[[str, str], Message]


def jetstream(
    host: str, *, version: int, jitter: Callable[[], float], limits: StreamLimits = LIMITS
) -> StreamFlow[None]:
    """Follow one host (scheme, host and port) for as long as the generator lives. `version` is 1 or 2."""
    wire = VERSIONS[version]
    return keep_reading(Jetstream(Source(wire.adapter, host), wire, limits), limits=limits, jitter=jitter)


@attrs.define
class Jetstream:
    """One host's stream: how far it was read, `place` and `seconds` of the last event."""

    source: Source
    version: Version
    limits: StreamLimits
    place: int | None = None
    seconds: int | None = None
    doubt: str = ""
    begun: bool = False
    at_start: bool = True

    def opening(self, followed: frozenset[str], _now: str) -> StreamFlow[Connect]:
        """Open the stream a little before the last event."""
        if not self.begun:
            self.place, self.seconds = read_cursor((yield CursorOf(self.source)))
            self.begun = True
        elif self.place is None:
            self.doubt = self.doubt or "the stream is followed from now on"
        self.at_start = True
        url = f"{websocket(self.source.host)}{self.version.path}?{urlencode(self._query(followed))}"
        return Connect(url, self.limits.message, self.version.subprotocols)

    def _query(self, followed: frozenset[str]) -> list[tuple[str, str]]:
        query = [(self.version.collections, _COLLECTIONS)]
        if len(followed) <= MOST_DIDS_IN_URL:
            query += [(self.version.dids, did) for did in sorted(followed)]
        elif self.version.takes_updates:
            query.append(("requireHello", "true"))
        else:
            query.append(("kinds", "commit"))  # of all accounts of the network, the rest would be a flood
        if self.place is not None:
            query.append(("cursor", str(max(0, self.place - self.version.rewind))))
        return query

    def opened(self, followed: frozenset[str]) -> StreamFlow[None]:
        """Send the filters that the address does not hold; have repos looked at where there is a doubt."""
        if self.version.takes_updates and len(followed) > MOST_DIDS_IN_URL:
            yield Send(options_update(followed))
        doubt, self.doubt = self.doubt, ""
        yield from reread_all(followed if doubt else frozenset(), doubt)

    def changed(self, _before: frozenset[str], followed: frozenset[str]) -> StreamFlow[str]:
        """Tell the host who is followed now; a version that takes no messages is opened anew."""
        if not self.version.takes_updates:
            return AGAIN
        yield Send(options_update(followed))
        return ""

    def ended(self, end: Closed | RadialIoError | None) -> None:
        """Give the cursor up where it does not lead on."""
        if isinstance(end, Closed) and end.code == TOO_BIG:
            self.doubt = f"a message of more than {self.limits.message} bytes: the stream is followed from now on"
            self.place = None
        elif isinstance(end, RefusedError) and end.name == _TOO_OLD:
            self.doubt = "a cursor older than what the host keeps: the stream is followed from now on"
            self.place = None

    def take(self, messages: list[Text | Binary], followed: frozenset[str], now: str) -> StreamFlow[Outcome]:
        """Turn messages into a batch and have it taken; then say which repos have to be read anew."""
        taking = Taking(self.source, now)
        latest = latest_rev(now)
        ends, progress = "", False
        for message in messages:
            text = message.text if isinstance(message, Text) else ""
            read = self.version.read(text, latest)
            self._meet(read, followed, taking)
            ends = read.ends or ends
            progress |= read.place is not None
            if read.told is not None:
                yield from take_told(read.told, text, followed, taking, self.limits.quarantine)
        yield from look_up_moved(taking)
        yield Take(taking.batch(write_cursor(self.place, self.seconds)))
        for did, why in taking.doubts.items():
            yield Reread(did, why)
        return Outcome(progress, ends)

    def _meet(self, message: Message, followed: frozenset[str], taking: Taking) -> None:
        """Move the cursor; after a break, see first whether the message follows where the stream was left."""
        if message.place is None:
            return
        if self.at_start and self.place is not None:
            doubt = self._doubt(message.place, message.seconds)
            taking.doubt_all(followed if doubt else frozenset(), doubt)
            if doubt and message.place < self.place:
                self.place = self.seconds = None
        self.at_start = False
        if self.place is None or message.place > self.place:
            self.place, self.seconds = message.place, message.seconds

    def _doubt(self, place: int, seconds: int | None) -> str:
        asked = (self.place or 0) - self.version.rewind
        if place < asked:
            return "the stream goes back behind where it was asked for"
        if self.seconds is None or seconds is None or seconds - self.seconds > self.limits.hush:
            return "the stream goes on long after where it was left"
        return ""


def options_update(followed: frozenset[str]) -> str:
    """Spell the message that replaces all filters of version 1. No DIDs is all DIDs."""
    dids = sorted(followed) if len(followed) <= MOST_DIDS else []
    payload = {"wantedCollections": [_COLLECTIONS], "wantedDids": dids, "maxMessageSizeBytes": 0}
    return json.dumps({"type": "options_update", "payload": payload}, separators=(",", ":"))


def write_cursor(place: int | None, seconds: int | None) -> str | None:
    """Spell how far a stream was read: the host's own count, and the second of that event as of an instant."""
    return None if place is None else f"{place} {'' if seconds is None else seconds}".rstrip()


def read_cursor(text: str | None) -> tuple[int | None, int | None]:
    """Read it back; nothing for what is none."""
    parts = (text or "").split(" ")
    if not all(part.isascii() and part.isdecimal() and len(part) <= len(str(_GREATEST)) for part in parts):
        return None, None
    return int(parts[0]), int(parts[1]) if len(parts) > 1 else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and value.__class__ is int and 0 <= value < _GREATEST else None


def _read_v1(text: str, latest: str) -> Message:
    """Read a message of version 1."""
    fields = parse_object(text)
    if fields is None:
        return Message(Unusable("a message that is no JSON object"))
    place = _count(fields.get("time_us"))
    seconds = None if place is None else _EPOCH + place // _MICROSECONDS
    return Message(_told(fields.get("kind"), fields, fields.get(str(fields.get("kind"))), latest), place, seconds)


def _read_v2(text: str, latest: str) -> Message:
    """Read a message of version 2."""
    fields = parse_object(text) or {}
    kind, payload = fields.get("$type"), fields.get("payload")
    if kind == "error":
        said = ": ".join(quoted(fields[key]) for key in ("error", "message") if isinstance(fields.get(key), str))
        return Message(ends=f"the host ended the stream: {said}")
    if kind != "message" or not isinstance(payload, dict):
        return Message(Unusable("a message that is no JSON object of a known type"))
    time = _instant(payload.get("time"))
    told = _told(str(payload.get("$type")).removeprefix(f"{_V2}#"), payload, payload, latest)
    return Message(told, _count(payload.get("seq")), time and time.seconds)


def _instant(text: object) -> Instant | None:
    try:
        return parse_instant(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _told(kind: object, event: Mapping[str, Any], part: object, latest: str) -> Told | None:
    """Read an event; `part` holds what is of its kind. Kinds that nobody knows tell nothing."""
    if not isinstance(kind, str) or kind not in _KINDS:
        return None
    did = did_in(event)
    if did is None or not isinstance(part, dict):
        return Unusable(f"an event of kind {kind} without a DID, or without content", did)
    match kind:
        case "commit":
            return read_change(part, did, part.get("operation"), latest)
        case "account":
            return _account(part, did)
        case "identity":
            return IdentityChange(did)
        case _:
            return NewState(did)


def _account(part: Mapping[str, Any], did: str) -> Told:
    """Read an account's state: it stands in the event, or in the upstream event that version 2 wraps."""
    inner = part.get("account")
    fields = inner if isinstance(inner, dict) else part
    active, status = fields.get("active"), fields.get("status")
    if not isinstance(active, bool):
        return Unusable("an account event that does not say whether it is active", did)
    return AccountChange(did, account_state(active=active, status=status if isinstance(status, str) else None))


VERSIONS: Final[Mapping[int, Version]] = {
    1: Version(
        adapter="jetstream",
        path="/subscribe",
        collections="wantedCollections",
        dids="wantedDids",
        rewind=5 * _MICROSECONDS,
        takes_updates=True,
        subprotocols=(),
        read=_read_v1,
    ),
    2: Version(
        adapter="jetstream2",
        path=f"/xrpc/{_V2}",
        collections="collections",
        dids="dids",
        rewind=2_000,
        takes_updates=False,
        subprotocols=("xrpc.v1.json",),
        read=_read_v2,
    ),
}
