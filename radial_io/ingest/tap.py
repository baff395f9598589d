"""Following repos through a Tap of one's own (indigo's `tap`), which syncs repos and hands out their changes.

    flow = tap("http://tap.internal:2480", password=…, jitter=random.random)

Strategy: Tap keeps what it sent until it is acknowledged, so there is no cursor: an event is acknowledged when the
transaction that holds it is written, one by one, and comes again when that did not happen. What comes twice, the store
knows. Tap tells no deletions when it has read a repo anew, no error when it could not, and nothing of a record that it
cannot decode: so repos are read by us too, each `check` seconds, and whenever an event gives a reason.

Which repos Tap syncs is told over HTTP as membership changes (`Post`). The
password goes into a header, and is in no text and no error.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

import attrs

from radial_io.atproto.commits import latest_rev
from radial_io.errors import RadialIoError
from radial_io.ingest.attending import Reread, StreamFlow
from radial_io.ingest.proving import Taking, account_state, look_up_moved
from radial_io.ingest.reconnecting import Outcome, StreamLimits, keep_reading, websocket
from radial_io.ingest.requests import Binary, Closed, Connect, Post, Send, Take, Text
from radial_io.ingest.telling import (
    AccountChange,
    Change,
    IdentityChange,
    Told,
    Unusable,
    did_in,
    parse_object,
    read_change,
    take_told,
)
from radial_io.store.values import Source

LIMITS: Final = StreamLimits(check=900.0)

_AT_ONCE: Final = 500  # DIDs of one admin call
_ID: Final = re.compile(r'"id"\s*:\s*(\d{1,19})\b').search


def tap(
    host: str, *, jitter: Callable[[], float], password: str = "", limits: StreamLimits = LIMITS
) -> StreamFlow[None]:
    """Follow one Tap (scheme, host and port) for as long as the generator lives."""
    return keep_reading(Tap(Source("tap", host), limits, authorization(password)), limits=limits, jitter=jitter)


def authorization(password: str) -> tuple[tuple[str, str], ...]:
    """Give the headers that a Tap with this admin password asks for."""
    if not password:
        return ()
    return (("authorization", f"Basic {base64.b64encode(f'admin:{password}'.encode()).decode('ascii')}"),)


@attrs.frozen
class Delivery:
    """One message: its number, to be acknowledged, and what it tells. `is_backfill`: Tap has read the repo anew."""

    number: int | None
    told: tuple[Told, ...]
    is_backfill: bool = False


@attrs.define
class Tap:
    """One Tap."""

    source: Source
    limits: StreamLimits
    headers: tuple[tuple[str, str], ...] = attrs.field(repr=False)
    synced: frozenset[str] = frozenset()  # whom it was told to sync, as far as this process knows

    def opening(self, followed: frozenset[str], _now: str) -> StreamFlow[Connect]:
        """Have Tap sync those who are followed, then open its channel. All are told: it may have lost its own list."""
        yield from self._manage(followed, followed)
        return Connect(f"{websocket(self.source.host)}/channel", self.limits.message, headers=self.headers)

    def opened(self, _followed: frozenset[str]) -> StreamFlow[None]:
        """Nothing to say: Tap sends what was not acknowledged."""
        yield from ()

    def changed(self, before: frozenset[str], followed: frozenset[str]) -> StreamFlow[str]:
        """Tell Tap whom to sync and whom no more."""
        yield from self._manage(followed - before, followed)
        return ""

    def _manage(self, added: frozenset[str], followed: frozenset[str]) -> StreamFlow[None]:
        for what, dids in (("add", added), ("remove", self.synced - followed)):
            waiting = iter(sorted(dids))
            while some := list(islice(waiting, _AT_ONCE)):
                yield Post(f"{self.source.host}/repos/{what}", json.dumps({"dids": some}), self.headers)
        self.synced = followed

    def ended(self, _end: Closed | RadialIoError | None) -> None:
        """Nothing to give up: there is no cursor."""

    def take(self, messages: list[Text | Binary], followed: frozenset[str], now: str) -> StreamFlow[Outcome]:
        """Turn messages into a batch and have it taken; only then acknowledge them."""
        taking = Taking(self.source, now)
        latest = latest_rev(now)
        numbers: list[int] = []
        for message in messages:
            text = message.text if isinstance(message, Text) else ""
            delivery = read_delivery(text, latest)
            if delivery.number is not None:
                numbers.append(delivery.number)
            for told in delivery.told:
                yield from take_told(told, text, followed, taking, self.limits.quarantine)
                if delivery.is_backfill and told.did in followed:
                    taking.doubt(str(told.did), "Tap has read the repo anew, which shows no deletions")
        yield from look_up_moved(taking)
        yield Take(taking.batch(None))
        for number in numbers:
            yield Send(json.dumps({"type": "ack", "id": number}, separators=(",", ":")))
        for did, why in taking.doubts.items():
            yield Reread(did, why)
        return Outcome(bool(numbers))


def read_delivery(text: str, latest: str) -> Delivery:
    """Read one message. Never raises for what a Tap sent."""
    fields = parse_object(text)
    if fields is None:
        found = _ID(text[:200])  # the number stands first: what cannot be read is acknowledged once it is set aside
        return Delivery(int(found[1]) if found else None, (Unusable("a message that is no JSON object"),))
    number = fields.get("id")
    number = number if isinstance(number, int) and number.__class__ is int else None
    match fields.get("type"), fields.get("record"), fields.get("identity"):
        case "record", dict(record), _:
            return Delivery(number, (_change(record, latest),), record.get("live") is False)
        case "identity", _, dict(identity):
            return Delivery(number, _identity(identity))
        case _:
            return Delivery(number, (Unusable("a message of no known type"),))


def _change(record: Mapping[str, Any], latest: str) -> Change | Unusable:
    did = did_in(record)
    if did is None:
        return Unusable("a record without a DID")
    return read_change(record, did, record.get("action"), latest)


def _identity(identity: Mapping[str, Any]) -> tuple[Told, ...]:
    did = did_in(identity)
    if did is None:
        return (Unusable("an identity without a DID"),)
    active, status = identity.get("is_active"), identity.get("status")
    if not isinstance(active, bool):
        return (IdentityChange(did),)
    state = account_state(active=active, status=status if isinstance(status, str) else None)
    return IdentityChange(did), AccountChange(did, state)
