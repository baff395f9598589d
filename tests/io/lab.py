"""A world in a box: everything that a flow of requests can ask for, without a network, a clock or a task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs
import cbor2

from radial_io.atproto.documents import Identity
from radial_io.atproto.keys import read_multikey
from radial_io.atproto.xrpc import Get
from radial_io.ingest.requests import (
    Ask,
    CursorOf,
    Download,
    Drop,
    Flow,
    HeldOf,
    HeldPage,
    NextChunk,
    Now,
    Pause,
    RepoOf,
    Request,
    Resolve,
    Take,
)
from radial_io.store.store import Store
from tests.io.fakes import GOAL, FakePds, answered
from tests.io.streams_fakes_repo import SignedRepo, Signer, Write

T = TypeVar("T")


class InterruptedByHandError(Exception):
    """The process ends here."""


@attrs.define
class Lab:
    """Answers whatever a flow asks, by hand: servers of `FakePds`, repos that are signed, a real store, no network.

    `refuse` is asked first, with each request: it may raise. `kept` is what downloads keep, by name.
    """

    store: Store
    pds: FakePds = attrs.field(factory=FakePds)
    signed: dict[str, SignedRepo] = attrs.field(factory=dict)
    identities: dict[str, Identity] = attrs.field(factory=dict)
    fresh: dict[str, Identity] = attrs.field(factory=dict)
    refuse: Callable[[Request], None] = lambda _request: None
    cars: dict[str, bytes] = attrs.field(factory=dict)
    kept: dict[str, bytes] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)
    requests: list[Request] = attrs.field(factory=list)
    pauses: list[float] = attrs.field(factory=list)
    seconds: int = 0
    _chunks: list[bytes] = attrs.field(factory=list)
    _keep: str = ""
    _read: bytes = b""

    def join(self, did: str, number: int = 1) -> SignedRepo:
        """Make an account."""
        repo = self.signed[did] = SignedRepo(did, Signer.numbered(number))
        self.identities[did] = self.identity(did)
        return repo

    def identity(self, did: str, pds: str = "https://pds.example.com") -> Identity:
        return Identity(did, pds, read_multikey(self.signed[did].signer.multikey))

    def write(self, did: str, /, **values: Any) -> None:
        """Write goals by record key; None deletes."""
        full = {"$type": GOAL, "createdAt": "2026-01-01T00:00:00Z"}
        self.commit(did, {f"{GOAL}/{key}": None if value is None else full | value for key, value in values.items()})

    def commit(self, did: str, values: Mapping[str, Any]) -> None:
        """Write records by path, and let the server list them."""
        head = self.signed[did].commit(*(Write(path, value) for path, value in values.items()))
        self.pds.rev = head.rev
        listed: dict[str, dict[str, Any]] = {}
        for path, raw in head.records.items():
            collection, _, rkey = path.partition("/")
            listed.setdefault(collection, {})[rkey] = cbor2.loads(raw)
        self.pds.repos[did] = listed

    def run(self, flow: Flow[T]) -> T:
        try:
            return answered(flow, self.answer)
        finally:
            flow.close()
            self._chunks = []

    def answer(self, request: Request) -> Any:
        self.requests.append(request)
        self.refuse(request)
        return _WAYS[type(request)](self, request)

    def ask(self, request: Ask) -> bytes:
        who = _who(request.question)
        self.asked.append(request.question.nsid.rpartition(".")[2])
        assert request.server == self.identities[who].pds
        return self.pds.ask(request.question)

    def resolve(self, request: Resolve) -> Identity:
        if request.fresh and request.did in self.fresh:
            self.identities[request.did] = self.fresh[request.did]
        return self.identities[request.did]

    def begin(self, request: Download) -> bool:
        keep, did = request.keep, _who(request.question)
        is_kept = keep in self.kept
        if not is_kept:
            self.asked.append("getRepo")
        body = self.kept[keep] if is_kept else self.cars[did] if did in self.cars else self.signed[did].head.car()
        self._chunks = [body[start : start + 4000] for start in range(0, len(body), 4000)]
        self._keep, self._read = keep, body
        return is_kept

    def next_chunk(self, _request: NextChunk) -> bytes | None:
        if self._chunks:
            return self._chunks.pop(0)
        if self._keep:
            self.kept[self._keep] = self._read
        return None

    def takes(self) -> list[Take]:
        """Give the batches that were taken."""
        return [request for request in self.requests if isinstance(request, Take)]

    def now(self) -> str:
        self.seconds += 1
        return f"2027-01-01T{self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}Z"


_WAYS: dict[type, Callable[[Lab, Any], Any]] = {
    Ask: Lab.ask,
    Download: Lab.begin,
    NextChunk: Lab.next_chunk,
    Drop: lambda lab, request: lab.kept.pop(request.keep, None),
    Resolve: Lab.resolve,
    Take: lambda lab, request: lab.store.take(request.batch, lab.now()),
    HeldOf: lambda lab, request: lab.store.held(request.did),
    HeldPage: lambda lab, request: lab.store.held_page(request.did, request.collection, request.after, request.size),
    CursorOf: lambda lab, request: lab.store.cursor(request.source),
    RepoOf: lambda lab, request: lab.store.repo(request.did),
    Pause: lambda lab, request: lab.pauses.append(request.seconds),
    Now: lambda lab, _request: lab.now(),
}


def _who(question: Get) -> str:
    parameters = dict(question.parameters)
    return parameters.get("did") or parameters["repo"]
