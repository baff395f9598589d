"""A server that one account writes to, in memory, and that can be told to misbehave before or after it does its work.

It knows how a PDS writes: `putRecord` with `swapRecord`, `deleteRecord`, `applyWrites` that creates or fails as a whole
with status 500, files. CIDs are computed by `fakes.cid`, not by the code under test.
"""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import attrs
import httpx

from radial_io.accounts.book import Accounts
from radial_io.accounts.credentials import Tokens
from radial_io.accounts.session import Session
from radial_io.accounts.values import Account, Secret
from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import XrpcClient
from radial_io.writing.writer import Manners
from tests.io.fakes import ALICE, cid

HOME = "https://home.example"
ACCESS = "eyJhY2Nlc3M0MjQyNDI0Mg.access.token"
REFRESH = "eyJyZWZyZXNoNDI0MjQyNA.refresh.token"
ACCOUNT = Account(ALICE, "alice.example", HOME, "file")

Fault = Callable[[str, int], httpx.Response | Exception | None]


def nothing(_nsid: str, _number: int) -> None:
    """Misbehave never."""


def error(status: int, name: str = "", message: str = "", **headers: str) -> httpx.Response:
    named = {key.replace("_", "-"): text for key, text in headers.items()}
    return httpx.Response(status, json={"error": name, "message": message}, headers=named)


@attrs.define
class Home:
    """One repo and its server. `before` and `after` are asked with the procedure and the number of the request."""

    records: dict[str, Any] = attrs.field(factory=dict)  # by `collection/rkey`
    before: Fault = nothing
    after: Fault = nothing
    access: str = ACCESS
    refresh: str = REFRESH
    rev: int = 0
    asked: list[tuple[str, Any]] = attrs.field(factory=list)
    naps: list[float] = attrs.field(factory=list)
    commits: list[tuple[str, ...]] = attrs.field(factory=list)  # what each commit touched
    files: set[str] = attrs.field(factory=set)
    stored_kind: str | None = None

    def calls(self, nsid: str) -> int:
        return sum(name.endswith(nsid) for name, _ in self.asked)

    @property
    def rev_text(self) -> str:
        return (
            "3kaaaaaaaaa"
            + "234567abcdefghijklmnopqrstuvwxyz"[self.rev // 32]
            + "234567abcdefghijklmnopqrstuvwxyz"[self.rev % 32]
        )

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer as over a wire: the body is read by whoever asked, and a fault can be had several times."""
        said = self._answer(request)
        return httpx.Response(said.status_code, headers=said.headers, stream=httpx.ByteStream(said.content))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        nsid = request.url.path.removeprefix("/xrpc/")
        is_json = request.headers.get("content-type") == "application/json" and request.content
        body = json.loads(request.content) if is_json else request.content
        self.asked.append((nsid, body if request.method == "POST" else dict(request.url.params)))
        if (fault := self.before(nsid, len(self.asked))) is not None:
            return _give(fault)
        if request.method == "POST" and not self._is_known(nsid, request.headers.get("authorization", "")):
            return error(400, "ExpiredToken", "Token has expired")
        done = getattr(self, "_" + nsid.rpartition(".")[2])(request, body)
        return _give(fault) if (fault := self.after(nsid, len(self.asked))) is not None else done

    def _is_known(self, nsid: str, header: str) -> bool:
        wanted = self.refresh if nsid.endswith((".refreshSession", ".deleteSession")) else self.access
        return header == f"Bearer {wanted}" or nsid.endswith(".createSession")

    def _commit(self, *keys: str) -> dict[str, str]:
        self.rev += 1
        self.commits.append(keys)
        return {"cid": cid(self.rev), "rev": self.rev_text}

    def _putRecord(self, _request: httpx.Request, body: Any) -> httpx.Response:  # noqa: N802
        key = f"{body['collection']}/{body['rkey']}"
        standing = cid(self.records[key]) if key in self.records else None
        said = {"uri": f"at://{ALICE}/{key}", "cid": cid(body["record"])}
        if standing == said["cid"]:
            return httpx.Response(200, json=said)
        if body["swapRecord"] != standing:
            return error(400, "InvalidSwap", f"Record was at {standing}")
        self.records[key] = body["record"]
        return httpx.Response(200, json={**said, "commit": self._commit(key)})

    def _deleteRecord(self, _request: httpx.Request, body: Any) -> httpx.Response:  # noqa: N802
        key = f"{body['collection']}/{body['rkey']}"
        if key not in self.records:
            return httpx.Response(200, json={})
        if body.get("swapRecord", standing := cid(self.records[key])) != standing:
            return error(400, "InvalidSwap", f"Record was at {standing}")
        del self.records[key]
        return httpx.Response(200, json={"commit": self._commit(key)})

    def _applyWrites(self, _request: httpx.Request, body: Any) -> httpx.Response:  # noqa: N802
        new = {f"{write['collection']}/{write['rkey']}": write["value"] for write in body["writes"]}
        if len(body["writes"]) > 200:
            return error(400, "InvalidRequest", "Too many writes. Max: 200")
        if new.keys() & self.records.keys():
            return error(500, "InternalServerError", "Internal Server Error")
        self.records |= new
        results = [{"uri": f"at://{ALICE}/{key}", "cid": cid(value)} for key, value in new.items()]
        return httpx.Response(200, json={"commit": self._commit(*new), "results": results})

    def _getRecord(self, request: httpx.Request, _body: Any) -> httpx.Response:  # noqa: N802
        key = f"{request.url.params['collection']}/{request.url.params['rkey']}"
        if key not in self.records:
            return error(400, "RecordNotFound", f"Could not locate record: at://{ALICE}/{key}")
        value = self.records[key]
        return httpx.Response(200, json={"uri": f"at://{ALICE}/{key}", "cid": cid(value), "value": value})

    def _getLatestCommit(self, _request: httpx.Request, _body: Any) -> httpx.Response:  # noqa: N802
        return httpx.Response(200, json={"cid": cid(self.rev), "rev": self.rev_text})

    def _uploadBlob(self, request: httpx.Request, body: bytes) -> httpx.Response:  # noqa: N802
        digest = hashlib.sha256(body).digest()
        link = "b" + base64.b32encode(b"\x01\x55\x12\x20" + digest).decode().rstrip("=").lower()
        self.files.add(link)
        kind = self.stored_kind or request.headers["content-type"]
        blob = {"$type": "blob", "ref": {"$link": link}, "mimeType": kind, "size": len(body)}
        return httpx.Response(200, json={"blob": blob})

    def _refreshSession(self, _request: httpx.Request, _body: Any) -> httpx.Response:  # noqa: N802
        self.access, self.refresh = f"{self.access}+", f"{self.refresh}+"
        return httpx.Response(200, json={"accessJwt": self.access, "refreshJwt": self.refresh, "did": ALICE})

    def _createSession(self, _request: httpx.Request, body: Any) -> httpx.Response:  # noqa: N802
        if body["password"] != "abcd-efgh-ijkl-mnop":
            return error(401, "AuthenticationRequired", f"Invalid identifier or password {body['password']}")
        said = {"accessJwt": self.access, "refreshJwt": self.refresh, "did": ALICE, "handle": "alice.example"}
        return httpx.Response(200, json=said)

    def _deleteSession(self, _request: httpx.Request, _body: Any) -> httpx.Response:  # noqa: N802
        self.access = self.refresh = "nobody's"
        return httpx.Response(200)

    async def nap(self, seconds: float) -> None:
        self.naps.append(seconds)

    def manners(self, **patience: Any) -> Manners:
        """Wait by noting it; throw no dice."""
        usual = {"attempts": 6, "longest_asked_wait": 330.0}
        return Manners(Patience(**(usual | patience)), self.nap, lambda: 0.0)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[XrpcClient]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(self.answer)) as http:
            yield XrpcClient(http, sleep=self.nap, jitter=lambda: 0.0)

    @asynccontextmanager
    async def session(self, folder: Path) -> AsyncIterator[Session]:
        """Open a session whose tokens lie in a file."""
        accounts = Accounts(folder / "accounts")
        tokens = Tokens(Secret(ACCESS), Secret(REFRESH))
        if accounts.vault(ACCOUNT).read(ALICE) is None:
            accounts.vault(ACCOUNT).keep(ALICE, tokens.to_secret())
            accounts.add(ACCOUNT)
        async with self.client() as client:
            yield Session(accounts, ACCOUNT, client, tokens)


@contextmanager
def served(home: Home) -> Iterator[str]:
    """Put it behind a socket on loopback; gives the URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers.get("content-length") or 0))
            request = httpx.Request(self.command, f"{HOME}{self.path}", headers=dict(self.headers), content=content)
            try:
                answer = home.answer(request)
            except Exception:  # noqa: BLE001 - a fault that is no answer cuts the connection
                self.close_connection = True
                return
            body = b"".join(answer.stream)  # type: ignore[arg-type]
            self.send_response_only(answer.status_code)
            for name, text in {**answer.headers, "content-length": str(len(body))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _give(fault: httpx.Response | Exception) -> httpx.Response:
    if isinstance(fault, Exception):
        raise fault
    return fault


def once(nsid: str, fault: httpx.Response | Exception, *more: httpx.Response | Exception) -> Fault:
    """Misbehave so at the first requests of this procedure, one fault each."""
    waiting = [fault, *more]
    return lambda asked, _number: waiting.pop(0) if asked.endswith(nsid) and waiting else None
