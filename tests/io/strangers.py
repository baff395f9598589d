"""A network in a box, every request of which is written down: a directory, servers of people, a backlink index.

Nothing of it is a socket: what is asked of a host that is not here is a host that is down. Repos are signed by hand
(`streams_fakes_repo`), and proofs are cut out of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import anyio
import anyio.lowlevel
import attrs
import cbor2
import httpx

from radial_core import Index, Record, materialize
from radial_core.cids import Cid
from radial_io.atproto.blobs import BlobRef
from radial_io.atproto.identity import DidResolver
from radial_io.atproto.xrpc import XrpcClient
from tests.io.fakes import ALICE, PREFIX, Reply, cid
from tests.io.streams_fakes_repo import SignedRepo, Signer, Write, car

T = TypeVar("T")

DIRECTORY: Final = "plc.directory"
INDEX: Final = "index.example.com"
MESSAGE: Final = f"{PREFIX}message"
GINA: Final = "did:plc:" + "g" * 24
NOW: Final = "2026-06-01T12:00:00Z"

Answer = Callable[[str, dict[str, str]], Reply | None]  # without a reply the request is never answered


def refused(name: str, status: int = 400) -> Reply:
    return Reply.json({"error": name, "message": "so it is"}, status)


def blob_ref(raw: bytes, claimed: str = "image/png") -> BlobRef:
    """The name of a blob, its CID computed by hand."""
    return BlobRef(Cid(b"\x01\x55\x12\x20" + hashlib.sha256(raw).digest()), len(raw), claimed)


def blob_value(blob: BlobRef) -> dict[str, Any]:
    """A blob as it stands in a record's value in memory."""
    return {"$type": "blob", "ref": blob.cid, "mimeType": blob.claimed, "size": blob.size}


@attrs.frozen
class _Pieces(httpx.AsyncByteStream):
    """A body that comes in pieces."""

    body: bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.body), 1000):
            yield self.body[start : start + 1000]


@attrs.define
class Network:
    """Hosts that answer, by name; `asked` is every request, as `HOST/NSID-or-path`, in order."""

    hosts: dict[str, Answer] = attrs.field(factory=dict)
    documents: dict[str, Any] = attrs.field(factory=dict)
    repos: dict[str, SignedRepo] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)
    requests: list[httpx.Request] = attrs.field(factory=list)
    stalls: set[str] = attrs.field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.hosts[DIRECTORY] = self._document

    def _document(self, path: str, _query: dict[str, str]) -> Reply:
        document = self.documents.get(path)
        document = document.pop(0) if isinstance(document, list) and len(document) > 1 else document
        document = document[0] if isinstance(document, list) else document
        return refused("NotFound", 404) if document is None else Reply.json(document)

    def live(self, did: str, *hosts: str, signer: Signer | None = None) -> None:
        """Let the directory say where somebody is: at the first host when asked first, and so on; then at the last."""
        documents = []
        for host in hosts:
            service = {"id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": f"https://{host}"}
            document: dict[str, Any] = {"id": did, "service": [service]}
            if signer is not None:
                method = {"id": f"{did}#atproto", "type": "Multikey", "controller": did}
                document["verificationMethod"] = [method | {"publicKeyMultibase": signer.multikey}]
            documents.append(document)
        self.documents[did] = documents

    def settle(self, did: str, host: str, number: int, records: Mapping[str, Any]) -> SignedRepo:
        """Make an account on a server of its own, with a signed repo that holds these records, by path."""
        signer = Signer.numbered(number)
        self.live(did, host, signer=signer)
        repo = self.repos[did] = SignedRepo(did, signer)
        repo.commit(*(Write(path, value) for path, value in records.items()))
        self.hosts[host] = self.prove
        return repo

    def prove(self, nsid: str, query: dict[str, str]) -> Reply:
        """Answer `sync.getRecord` as a PDS does: with more of the tree than needed, and the record if there is one."""
        if nsid != "com.atproto.sync.getRecord" or query["did"] not in self.repos:
            return refused("RepoNotFound")
        head = self.repos[query["did"]].head
        record = head.records.get(f"{query['collection']}/{query['rkey']}")
        blocks = [head.raw, *head.nodes.values(), *([] if record is None else [record])]
        return Reply(car(head.cid, blocks), headers={"content-type": "application/vnd.ipld.car"})

    async def _carry(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path.removeprefix("/xrpc/").removeprefix("/")
        self.asked.append(f"{request.url.host}/{path}")
        self.requests.append(request)
        if request.url.host in self.stalls:
            await anyio.sleep_forever()
        if request.url.host not in self.hosts:
            raise httpx.ConnectError("nobody is there")
        reply = self.hosts[request.url.host](path, dict(request.url.params))
        if reply is None:
            await anyio.sleep_forever()
            raise AssertionError
        return httpx.Response(reply.status, headers=dict(reply.headers), stream=_Pieces(reply.body))

    @asynccontextmanager
    async def client(self) -> AsyncIterator[XrpcClient]:
        async def at_once(_seconds: float) -> None:
            await anyio.lowlevel.checkpoint()

        async with httpx.AsyncClient(transport=httpx.MockTransport(self._carry), trust_env=False) as http:
            yield XrpcClient(http, sleep=at_once, jitter=lambda: 0.0)

    def run(self, work: Callable[[XrpcClient, DidResolver], Awaitable[T]]) -> T:
        """Do something with a client and a resolver that remembers nothing."""

        async def inside() -> T:
            async with self.client() as client:
                return await work(client, DidResolver(client))

        return anyio.run(inside)

    def blob_requests(self) -> list[str]:
        """Tell which hosts were asked for blobs."""
        return [asked.partition("/")[0] for asked in self.asked if asked.endswith("getBlob")]


@attrs.define
class Writing:
    """Records of a space, as they are written."""

    records: list[Record] = attrs.field(factory=list)

    def put(self, did: str, name: str, /, **fields: Any) -> dict[str, str]:
        """Write a record by its kind and key; gives its strongref."""
        kind, _, key = name.partition("/")
        value = {"$type": PREFIX + kind, "createdAt": "2026-01-01T00:00:00Z"} | fields
        uri = f"at://{did}/{PREFIX}{kind}/{key}"
        made = Record(uri=uri, cid=_cid(value), value=value)
        self.records.append(made)
        return {"uri": uri, "cid": made.cid}

    def index(self) -> Index:
        return materialize(self.records)


def _cid(value: Any) -> str:
    return cid(_linked(value))


def _linked(value: Any) -> Any:
    """Spell links as cbor2 writes them."""
    if isinstance(value, Cid):
        return cbor2.CBORTag(42, b"\0" + value.binary)
    if isinstance(value, dict):
        return {key: _linked(item) for key, item in value.items()}
    return value


def write_space(*, asks: bool) -> tuple[Writing, dict[str, str]]:
    """A space of Alice's with one goal; gives the goal's strongref too."""
    writing = Writing()
    space = writing.put(ALICE, "space/main", name="Lab")
    project = writing.put(
        ALICE, "project/tool", space=space, name="Tool", gitUrl="https://git.example.com/tool", defaultBranch="main"
    )
    goal = writing.put(ALICE, "goal/quiet", space=space, project=project, title="Quiet", body="Make it quiet.")
    if asks:
        writing.put(ALICE, "setGuestComments/on", space=space, enabled=True)
    return writing, goal


def message(goal: Mapping[str, str], body: str, at: str = "2026-02-01T00:00:00Z", **fields: Any) -> dict[str, Any]:
    """A message on a goal."""
    return {"$type": MESSAGE, "createdAt": at, "goal": dict(goal), "body": body} | fields
