"""One change asked of a server over a real socket: an answer whatever its status, or which of two ways to get none."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest

from radial_io.atproto.addresses import Reach
from radial_io.atproto.procedures import Answer, Procedure, UnsentError, call_once
from radial_io.atproto.xrpc import open_client
from radial_io.errors import AddressError, UnreachableError
from tests.io.fakes import LOOPBACK

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n"


@contextmanager
def saying(said: bytes, *, silent: bool = False) -> Iterator[tuple[str, list[bytes]]]:
    """Listen once, hear a whole request, say something and hang up; gives the URL and what was heard."""
    heard: list[bytes] = []
    done = threading.Event()

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
            while len(body) < int(fields[b"content-length"]):
                body += connection.recv(65_536)
            heard.extend((head, body))
            connection.sendall(said)
            if silent:
                done.wait(10)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}", heard
        finally:
            done.set()
            thread.join()


def ask(url: str, body: bytes = b"{}", *, seconds: float = 10, reach: Reach = LOOPBACK) -> Answer:
    async def work() -> Answer:
        async with open_client(reach) as client:
            headers = {"authorization": "Bearer token"}
            return await call_once(client, url, Procedure("a.b.c", body), headers, seconds=seconds)

    return anyio.run(work)


def answer(status: int, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_a_good_answer_has_its_value() -> None:
    with saying(answer(200, b'{"uri": "at://x"}')) as (url, heard):
        assert ask(url, b'{"a": 1}') == Answer(200, {"uri": "at://x"})
    assert heard[1] == b'{"a": 1}'
    assert b"authorization: Bearer token" in heard[0]
    assert heard[0].startswith(b"POST /xrpc/a.b.c ")


def test_a_long_body_arrives_whole() -> None:
    body = json.dumps({"x": "y" * 1_000_000}).encode()
    with saying(answer(200, b"{}")) as (url, heard):
        assert ask(url, body).is_good
    assert heard[1] == body


SWAP = b'{"error": "InvalidSwap", "message": "Record was at x"}'


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param(answer(400, SWAP), Answer(400, {}, "InvalidSwap", "Record was at x"), id="an error with a name"),
        pytest.param(answer(429, b"<h1>Slow</h1>", "content-type: text/html"), Answer(429, {}), id="429 HTML"),
        pytest.param(answer(429, b"{}", "retry-after: 7"), Answer(429, {}, asked=7.0), id="429 with a wait"),
        pytest.param(answer(500, b""), Answer(500, {}), id="500"),
        pytest.param(answer(302, b"", "location: http://elsewhere.example"), Answer(302, {}), id="a redirect"),
        pytest.param(answer(200, b""), Answer(200, {}), id="nothing"),
        pytest.param(answer(200, b"[1]"), Answer(200, {}), id="a list"),
        pytest.param(answer(200, b"<html>"), Answer(200, {}), id="no JSON"),
        pytest.param(answer(200, b"[" * 100_000), Answer(200, {}), id="too deep"),
        pytest.param(answer(200, b'"' + b"x" * 2**20 + b'"'), Answer(200, {}), id="too long"),
    ],
)
def test_every_other_answer_is_one_too(said: bytes, expected: Answer) -> None:
    with saying(said) as (url, _):
        assert ask(url) == expected


@pytest.mark.parametrize("said", [b"", HEAD[:20], HEAD, HEAD + b'{"uri":', b"nonsense\r\n\r\n"])
def test_of_half_an_answer_it_is_not_known_what_became_of_the_change(said: bytes) -> None:
    with saying(said) as (url, _), pytest.raises(UnreachableError) as failed:
        ask(url)
    assert not isinstance(failed.value, UnsentError)


@pytest.mark.parametrize("said", [b"", HEAD, HEAD + b"{"])
def test_nor_of_one_that_does_not_end_in_time(said: bytes) -> None:
    with saying(said, silent=True) as (url, _), pytest.raises(UnreachableError, match="in time") as failed:
        ask(url, seconds=0.3)
    assert not isinstance(failed.value, UnsentError)


def test_where_nobody_listens_nothing_was_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(UnsentError):
        ask(f"http://127.0.0.1:{port}")


def test_a_host_that_is_not_public_is_not_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        with pytest.raises(AddressError):
            ask(f"http://127.0.0.1:{listener.getsockname()[1]}", reach=Reach())
        listener.settimeout(0.1)
        with pytest.raises(TimeoutError):
            listener.accept()
