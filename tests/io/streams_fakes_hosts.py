"""Hosts that stream the play's commits, as documented or with faults: a firehose, both Jetstreams, a Tap.

A plan is one connection's faults: `{place: fault}`, the place counted over the messages of that connection. Connections
beyond the last plan are without fault.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import parse_qs, urlsplit

import attrs
import cbor2

from radial_io.errors import RefusedError, UnreachableError
from radial_io.ingest.requests import Binary, Closed, Connect, Message, Text
from tests.io.streams_fakes import Host, Told
from tests.io.streams_fakes_repo import commit_body, error_frame, frame, spelled

Fault: TypeAlias = Literal[
    "drop", "twice", "late", "cut", "garble", "close", "stall", "big", "slow", "refuse", "wrong number"
]
FAULTS: Final[tuple[Fault, ...]] = (
    "drop", "twice", "late", "cut", "garble", "close", "stall", "big", "slow", "refuse", "wrong number"
)  # fmt: skip
Plan: TypeAlias = Mapping[int, Fault]
WRONG: Final = 10**12


def time_of(seq: int) -> str:
    return f"2026-01-01T01:{seq // 60 % 60:02}:{seq % 60:02}.000Z"


class StreamHost(Host):
    """A host with plans. Subclasses say how a message is spelled and from where a connection begins."""

    def __init__(self, *plans: Plan) -> None:
        super().__init__()
        self.plans.extend(plans)
        self.plan: Plan = {}
        self.place = 0
        self.held: Message | None = None
        self.is_over = False  # this connection brings nothing more

    @property
    def is_healthy(self) -> bool:
        """Whether what happens now gets through."""
        return not self.plans and not self.is_over and self.held is None

    def tell(self, told: Told) -> None:
        self.log.append(told)
        if self.queue is not None:
            self.send(told)

    def connect(self, request: Connect) -> None:
        self.plan = self.plans.pop(0) if self.plans else {}
        self.place, self.held, self.is_over = 0, None, False
        if self.plan.get(0) == "refuse":
            raise UnreachableError(self.origin, "no answer in time")
        self.queue = []
        self.begin(request, parse_qs(urlsplit(request.url).query))

    def begin(self, request: Connect, query: dict[str, list[str]]) -> None:
        raise NotImplementedError

    def spell(self, told: Told, seq: int) -> Message:
        raise NotImplementedError

    def damaged(self, message: Message, fault: Fault) -> Message:
        raise NotImplementedError

    def parting(self) -> list[Message]:
        """What a host says that finds its reader too slow."""
        return [Closed(1008, "ConsumerTooSlow")]

    def send(self, told: Told) -> None:
        assert self.queue is not None
        if self.is_over:
            return
        fault = self.plan.get(self.place)
        self.place += 1
        message = self.spell(told, WRONG if fault == "wrong number" else told.seq)
        released, self.held = ([self.held] if self.held is not None else []), None
        match fault:
            case "drop":
                pass
            case "twice":
                self.queue += [message, message]
            case "late":
                self.held = message
            case "cut" | "garble":
                self.queue.append(self.damaged(message, fault))
            case "close":
                self.queue += [message, Closed(1006)]
                self.is_over = True
            case "stall":
                self.is_over = True
            case "big":
                self.queue.append(Closed(1009, "too long"))
                self.is_over = True
            case "slow":
                self.queue += self.parting()
                self.is_over = True
            case _:
                self.queue.append(message)
        self.queue += released


class FirehoseHost(StreamHost):
    """A PDS, or with `is_frank` off a relay that neither says that a cursor is too old nor that it is ahead."""

    def __init__(self, *plans: Plan, is_frank: bool = True, keeps: int = 1_000_000) -> None:
        super().__init__(*plans)
        self.is_frank = is_frank
        self.keeps = keeps  # how many of the last events it still has

    def begin(self, request: Connect, query: dict[str, list[str]]) -> None:
        assert self.queue is not None
        assert urlsplit(request.url).path == "/xrpc/com.atproto.sync.subscribeRepos"
        if "cursor" not in query:
            return
        cursor = int(query["cursor"][0])
        last = self.log[-1].seq if self.log else 0
        if cursor > last and self.is_frank:
            self.queue += [Binary(error_frame("FutureCursor", "Cursor in the future.")), Closed(1008)]
            self.is_over = True
            return
        kept = self.log[-self.keeps :] if self.keeps else []
        if self.is_frank and any(told.seq > cursor for told in self.log[: len(self.log) - len(kept)]):
            self.queue.append(Binary(frame("#info", {"name": "OutdatedCursor", "message": "too old"})))
        for told in kept:
            if told.seq > cursor:
                self.send(told)

    def spell(self, told: Told, seq: int) -> Message:
        return Binary(frame("#commit", commit_body(told.did, told.commit, seq, time_of(told.seq))))

    def damaged(self, message: Message, fault: Fault) -> Message:
        assert isinstance(message, Binary)
        raw = message.data
        return Binary(raw[: len(raw) // 2] if fault == "cut" else raw[:20] + b"\xff" + raw[21:])

    def parting(self) -> list[Message]:
        return [Binary(error_frame("ConsumerTooSlow", "Stream consumer too slow")), Closed(1008)]


def tree(raw: bytes) -> Any:
    """The JSON of a record of the play; it has neither links nor byte strings."""
    return cbor2.loads(raw)


class JetstreamHost(StreamHost):
    """A Jetstream of version 1 or 2, with the filters that it was asked for."""

    def __init__(self, *plans: Plan, version: int = 1, keeps_from: int = 0) -> None:
        super().__init__(*plans)
        self.version = version
        self.keeps_from = keeps_from  # the first number that it still has
        self.dids: set[str] = set()

    def place_of(self, told: Told) -> int:
        return told.seq if self.version == 2 else 1_767_229_200_000_000 + 1_000_000 * told.seq

    def begin(self, request: Connect, query: dict[str, list[str]]) -> None:
        assert self.queue is not None
        expected = "/subscribe" if self.version == 1 else "/xrpc/network.bsky.jetstream.subscribeEvents"
        assert urlsplit(request.url).path == expected
        assert request.subprotocols == (() if self.version == 1 else ("xrpc.v1.json",))
        assert query["wantedCollections" if self.version == 1 else "collections"] == ["com.disnetdev.radial.*"]
        self.dids = set(query.get("wantedDids" if self.version == 1 else "dids", []))
        if "cursor" not in query:
            return
        cursor = int(query["cursor"][0])
        if self.version == 2 and cursor < self.keeps_from:
            self.queue = None
            raise RefusedError(self.origin, 400, "CursorTooOld", "")
        last = self.place_of(self.log[-1]) if self.log else 0
        for told in self.log:
            if max(cursor, self.keeps_from) <= self.place_of(told) and cursor <= last:
                self.send(told)

    def heard(self, text: str) -> None:
        super().heard(text)
        assert self.version == 1, "version 2 takes no messages"
        self.dids = set(json.loads(text)["payload"]["wantedDids"])

    def send(self, told: Told) -> None:
        """One message for each op: a fault hits the first of them, or all that follow."""
        if not self.dids or told.did in self.dids:
            for op in told.commit.ops:
                super().send(attrs.evolve(told, commit=attrs.evolve(told.commit, ops=(op,))))

    def spell(self, told: Told, seq: int) -> Message:
        commit = told_change(told, "operation")
        place = self.place_of(attrs.evolve(told, seq=seq))
        if self.version == 1:
            return Text(json.dumps({"did": told.did, "time_us": place, "kind": "commit", "commit": commit}))
        kind = "network.bsky.jetstream.subscribeEvents#commit"
        payload = {"$type": kind, "seq": place, "did": told.did, "time": time_of(told.seq), **commit}
        return Text(json.dumps({"$type": "message", "payload": payload}))

    def damaged(self, message: Message, fault: Fault) -> Message:
        return damaged_text(message, fault)

    def parting(self) -> list[Message]:
        error = {"$type": "error", "error": "ConsumerTooSlow", "message": "slow"}
        return [Text(json.dumps(error)), Closed(1008)] if self.version == 2 else [Closed(1008)]


def told_change(told: Told, action: str) -> dict[str, Any]:
    """The fields of one op as JSON."""
    (op,) = told.commit.ops
    collection, rkey = op["path"].split("/")
    change = {"rev": told.commit.rev, action: op["action"], "collection": collection, "rkey": rkey}
    if op["cid"] is None:
        return change
    raw = told.commit.records[op["path"]]
    return change | {"record": tree(raw), "cid": spelled(op["cid"].value[1:])}


def damaged_text(message: Message, fault: Fault) -> Message:
    assert isinstance(message, Text)
    return Text(message.text[: len(message.text) // 2] if fault == "cut" else message.text.replace('"', "'", 1))


class TapHost(StreamHost):
    """A Tap: what is not acknowledged comes again with the next connection."""

    def __init__(self, *plans: Plan) -> None:
        super().__init__(*plans)
        self.pending: dict[int, Told] = {}
        self.numbered: dict[int, Told] = {}  # all that it ever sent
        self.acked: list[int] = []
        self.number = 0

    def tell(self, told: Told) -> None:
        for op in told.commit.ops:
            self.number += 1
            one = attrs.evolve(told, seq=self.number, commit=attrs.evolve(told.commit, ops=(op,)))
            self.pending[self.number] = self.numbered[self.number] = one
            if self.queue is not None:
                self.send(one)

    def begin(self, request: Connect, query: dict[str, list[str]]) -> None:
        assert urlsplit(request.url).path == "/channel"
        assert not query
        for told in list(self.pending.values()):
            self.send(told)

    def heard(self, text: str) -> None:
        ack = json.loads(text)
        assert ack["type"] == "ack"
        self.acked.append(ack["id"])
        self.pending.pop(ack["id"], None)

    def spell(self, told: Told, seq: int) -> Message:
        record = {"live": True, "did": told.did, **told_change(told, "action")}
        return Text(json.dumps({"id": told.seq if seq != WRONG else WRONG, "type": "record", "record": record}))

    def damaged(self, message: Message, fault: Fault) -> Message:
        return damaged_text(message, fault)
