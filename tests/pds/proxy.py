"""Somebody between a writer and its server who loses things on purpose, loopback only.

A fault is a name out of `FAULTS`. A plan is asked for one at every request, with the name of the procedure; what was
injected is counted. `on_arrival` and `on_answer` are told of each request: there a test can kill the writer.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import attrs
import httpx

LATE: Final = 0.15  # seconds after the writer was cut off, a lost request arrives all the same
FAULTS: Final = (
    "cut request",
    "cut request, which arrives late",
    "cut answer",
    "half an answer",
    "delay",
    "500 before",
    "500 after",
    "502 after, HTML",
    "429 with Retry-After",
    "429 with ratelimit-reset",
    "429 without headers",
    "429 HTML",
)
KEPT: Final = {"content-type", "retry-after", "ratelimit-reset", "ratelimit-remaining", "date"}


@attrs.define
class Proxy:
    """What was asked for, and what is done to it."""

    url: str = ""
    plan: Callable[[str], str | None] = lambda _nsid: None
    on_arrival: Callable[[str], None] = lambda _nsid: None
    on_answer: Callable[[str], None] = lambda _nsid: None
    injected: Counter[str] = attrs.field(factory=Counter)
    asked: Counter[str] = attrs.field(factory=Counter)
    late: list[threading.Thread] = attrs.field(factory=list)
    lock: threading.Lock = attrs.field(factory=threading.Lock)

    def settle(self) -> None:
        """Wait for what is still on its way."""
        for thread in self.late:
            thread.join()
        self.late.clear()


def _forwarded(target: httpx.URL, method: str, path: str, headers: Any, body: bytes) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection(target.host, target.port or 80, timeout=60)
    try:
        kept = {name: text for name, text in headers.items() if name.lower() not in {"host", "connection"}}
        connection.request(method, path, body or None, kept)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


class Handler(BaseHTTPRequestHandler):
    """Takes a request and does to it what was planned. `proxy` and `target` are set by whoever listens."""

    proxy: Proxy
    target: httpx.URL
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do_GET(self) -> None:
        self.relay()

    def do_POST(self) -> None:
        self.relay()

    def relay(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        nsid = self.path.partition("?")[0].rpartition(".")[2]
        with self.proxy.lock:
            fault = self.proxy.plan(nsid)
            self.proxy.asked[nsid] += 1
            self.proxy.injected.update([fault] if fault else [])
        self.proxy.on_arrival(nsid)
        WAYS[fault](self, nsid, body)

    def ask(self, nsid: str, body: bytes) -> tuple[HTTPResponse, bytes]:
        said = _forwarded(self.target, self.command, self.path, self.headers, body)
        self.proxy.on_answer(nsid)
        return said

    def relayed(self, nsid: str, body: bytes) -> None:
        answer, said = self.ask(nsid, body)
        kept = {name: text for name, text in answer.getheaders() if name.lower() in KEPT}
        self.give(answer.status, said, **kept)

    def give(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response_only(status)
        for name, text in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status: int, name: str, **headers: str) -> None:
        body = json.dumps({"error": name, "message": "as planned"}).encode()
        self.give(status, body, **{"content-type": "application/json"}, **headers)

    def cut(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.close_connection = True

    def arrive_late(self, nsid: str, body: bytes) -> None:
        self.close_connection = True

        def later() -> None:
            time.sleep(LATE)
            self.ask(nsid, body)

        thread = threading.Thread(target=later)
        self.proxy.late.append(thread)
        thread.start()

    def cut_answer(self, nsid: str, body: bytes) -> None:
        self.ask(nsid, body)
        self.close_connection = True

    def halve_answer(self, nsid: str, body: bytes) -> None:
        _, said = self.ask(nsid, body)
        self.send_response_only(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said) + 100))
        self.end_headers()
        self.wfile.write(said[: len(said) // 2])
        self.close_connection = True

    def delay(self, nsid: str, body: bytes) -> None:
        time.sleep(LATE)
        self.relayed(nsid, body)

    def fail(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.refuse(500, "InternalServerError")

    def fail_after(self, nsid: str, body: bytes) -> None:
        self.ask(nsid, body)
        self.refuse(500, "InternalServerError")

    def gateway(self, nsid: str, body: bytes) -> None:
        self.ask(nsid, body)
        self.give(502, b"<h1>Bad gateway</h1>", **{"content-type": "text/html"})

    def busy(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.refuse(429, "RateLimitExceeded", **{"retry-after": "1"})

    def busy_until(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.refuse(429, "RateLimitExceeded", **{"ratelimit-reset": str(int(time.time()) + 1)})

    def busy_silently(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.refuse(429, "RateLimitExceeded")

    def busy_page(self, nsid: str, body: bytes) -> None:  # noqa: ARG002
        self.give(429, b"<h1>Too many requests</h1>", **{"content-type": "text/html"})

    def log_message(self, *_arguments: object) -> None:
        pass


WAYS: Final[dict[str | None, Callable[[Handler, str, bytes], None]]] = {
    None: Handler.relayed,
    **dict(
        zip(
            FAULTS,
            (
                Handler.cut,
                Handler.arrive_late,
                Handler.cut_answer,
                Handler.halve_answer,
                Handler.delay,
                Handler.fail,
                Handler.fail_after,
                Handler.gateway,
                Handler.busy,
                Handler.busy_until,
                Handler.busy_silently,
                Handler.busy_page,
            ),
            strict=True,
        )
    ),
}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_arguments: object) -> None:
        """A client that is killed is part of the play."""


@contextmanager
def between(server: str) -> Iterator[Proxy]:
    """Stand between a writer and a server; a plan that was not set lets everything pass."""
    proxy = Proxy()
    handler = type("Between", (Handler,), {"proxy": proxy, "target": httpx.URL(server)})
    listener = _Server(("127.0.0.1", 0), handler)
    proxy.url = f"http://127.0.0.1:{listener.server_address[1]}"
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield proxy
    finally:
        proxy.settle()
        listener.shutdown()
        thread.join()
        listener.server_close()
