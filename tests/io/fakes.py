"""A PDS and a PLC directory that can be told to misbehave.

`FakePds.answer` is a plain function, so a flow can be driven without a socket; `serving` puts it behind a real one on
loopback. CIDs are computed here by hand, not by the code under test.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import attrs
import cbor2

from radial_io.atproto.addresses import Reach
from radial_io.atproto.xrpc import Get
from radial_io.errors import RadialIoError, RefusedError

Q = TypeVar("Q")
T = TypeVar("T")

ALICE = "did:plc:" + "a" * 24
BOB = "did:plc:" + "b" * 24
CAROL = "did:plc:" + "c" * 24
DAVE = "did:plc:" + "d" * 24
PREFIX = "com.disnetdev.radial."
SPACE = PREFIX + "space"
GOAL = PREFIX + "goal"
REV = "3kaaaaaaaaaa2"
LOOPBACK = Reach(loopback=True)  # what a directory on this machine opens


def cid(value: Any) -> str:
    """The CID of a value without links and byte strings: version 1, dag-cbor, sha2-256, base32."""
    digest = hashlib.sha256(cbor2.dumps(value, canonical=True)).digest()
    return "b" + base64.b32encode(b"\x01\x71\x12\x20" + digest).decode().rstrip("=").lower()


@attrs.frozen
class Reply:
    """An answer on the wire."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = attrs.field(factory=lambda: {"content-type": "application/json"})

    @classmethod
    def json(cls, value: Any, status: int = 200, **headers: str) -> Reply:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return cls(json.dumps(value).encode(), status, {"content-type": "application/json"} | named)


Intercept = Callable[[str, dict[str, str]], Reply | None]


@attrs.define
class FakePds:
    """Holds repos as `{did: {collection: {rkey: value}}}` and lists them as the reference PDS does."""

    repos: dict[str, dict[str, dict[str, Any]]] = attrs.field(factory=dict)
    rev: str = REV
    ends_silently: bool = False  # no cursor on the last page, as some servers do
    intercept: Intercept = lambda _nsid, _query: None
    asked: list[tuple[str, dict[str, str]]] = attrs.field(factory=list)
    headers: list[dict[str, str]] = attrs.field(factory=list)

    def put(self, did: str, kind: str, rkey: str, /, **fields: Any) -> str:
        """Write a record and give its URI."""
        collection = PREFIX + kind
        value = {"$type": collection, "createdAt": "2026-01-01T00:00:00Z"} | fields
        self.repos.setdefault(did, {}).setdefault(collection, {})[rkey] = value
        return f"at://{did}/{collection}/{rkey}"

    def ref(self, uri: str) -> dict[str, str]:
        did, collection, rkey = uri.removeprefix("at://").split("/")
        return {"uri": uri, "cid": cid(self.repos[did][collection][rkey])}

    def answer(self, nsid: str, query: dict[str, str]) -> Reply:
        """Answer one question, unless the interceptor does."""
        self.asked.append((nsid, query))
        if (reply := self.intercept(nsid, query)) is not None:
            return reply
        did = query.get("did") or query.get("repo") or ""
        if did not in self.repos:
            return Reply.json({"error": "RepoNotFound", "message": f"Could not find repo for DID: {did}"}, 400)
        if nsid == "com.atproto.sync.getLatestCommit":
            return Reply.json({"cid": cid({}), "rev": self.rev})
        return Reply.json(self.page(did, query))

    def page(self, did: str, query: dict[str, str]) -> dict[str, Any]:
        assert query["reverse"] == "true"
        records = self.repos[did].get(query["collection"], {})
        limit = int(query["limit"])
        keys = [key for key in sorted(records) if key > query.get("cursor", "")]
        listed = [
            {"uri": f"at://{did}/{query['collection']}/{key}", "cid": cid(records[key]), "value": records[key]}
            for key in keys[:limit]
        ]
        is_end = not listed or (self.ends_silently and len(keys) <= limit)
        return {"records": listed} if is_end else {"records": listed, "cursor": keys[:limit][-1]}

    def ask(self, question: Get) -> bytes:
        """Answer a flow's question without a socket; errors as the client maps them."""
        reply = self.answer(question.nsid, dict(question.parameters))
        if reply.status != 200:
            said = json.loads(reply.body)
            raise RefusedError(question.nsid, reply.status, said["error"], said["message"])
        return reply.body


def answered(flow: Generator[Q, Any, T], answer: Callable[[Q], Any]) -> T:
    """Drive a flow by hand: without a loop, without a task."""
    try:
        request = next(flow)
        while True:
            try:
                result = answer(request)
            except RadialIoError as error:
                request = flow.throw(error)
            else:
                request = flow.send(result)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


@attrs.define
class FakePlc:
    """A PLC directory: DID documents by DID; a number instead of a document is the status to answer with."""

    documents: dict[str, Any] = attrs.field(factory=dict)

    def register(self, did: str, endpoint: str) -> None:
        service = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": endpoint}
        self.documents[did] = {"id": did, "service": [service]}

    def answer(self, path: str, _query: dict[str, str]) -> Reply:
        document = self.documents.get(path.removeprefix("/"), 404)
        if isinstance(document, int):
            return Reply.json({"message": "not here"}, document)
        return Reply.json(document)


def _handler(
    answer: Callable[[str, dict[str, str]], Reply], heard: list[dict[str, str]]
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body leave together: apart, each answer waits for a delayed acknowledgement

        def do_GET(self) -> None:
            heard.append({name.lower(): text for name, text in self.headers.items()})
            split = urlsplit(self.path)
            reply = answer(split.path.removeprefix("/xrpc/"), dict(parse_qsl(split.query)))
            self.send_response_only(reply.status)  # no Date of its own
            for name, text in {"content-length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_arguments: object) -> None:
            pass

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_arguments: object) -> None:
        """A client that leaves early is part of the play."""


@contextmanager
def serving(answer: Callable[[str, dict[str, str]], Reply], heard: list[dict[str, str]] | None = None) -> Iterator[str]:
    """Serve on a free port of loopback; gives the URL. `heard` gathers the headers of every request."""
    server = _Server(("127.0.0.1", 0), _handler(answer, [] if heard is None else heard))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
