"""Questions over a real socket to servers that answer badly."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest

from radial_io.atproto.retries import Patience
from radial_io.atproto.xrpc import Get, XrpcClient, open_client
from radial_io.errors import (
    NotJsonError,
    RateLimitError,
    RedirectError,
    RefusedError,
    TooLargeError,
    UnreachableError,
)
from tests.io.fakes import LOOPBACK, Reply, serving

JSON = {"content-type": "application/json"}
NOW = 1_800_000_000.0


@asynccontextmanager
async def _client(naps: list[float] | None = None, **settings: Any) -> AsyncIterator[XrpcClient]:
    """A client that notes its waits instead of waiting, and throws no dice."""

    async def sleep(seconds: float) -> None:
        if naps is not None:
            naps.append(seconds)

    async with httpx.AsyncClient(timeout=5, trust_env=False) as http:
        yield XrpcClient(http, sleep=sleep, now=lambda: NOW, jitter=lambda: 0.0, **settings)


def _get(url: str, naps: list[float] | None = None, **settings: Any) -> bytes:
    """Ask once, in a loop of its own."""

    async def get() -> bytes:
        async with _client(naps, **settings) as client:
            return await client.get(url)

    return anyio.run(get)


def _in_turn(*replies: Reply) -> Callable[[str, dict[str, str]], Reply]:
    waiting = list(replies)
    return lambda _path, _query: waiting.pop(0) if len(waiting) > 1 else waiting[0]


GOOD = Reply.json({"ok": True})


@pytest.mark.anyio
async def test_a_question_and_its_answer() -> None:
    asked: list[tuple[str, dict[str, str]]] = []
    heard: list[dict[str, str]] = []

    def answer(nsid: str, query: dict[str, str]) -> Reply:
        asked.append((nsid, query))
        return GOOD

    with serving(answer, heard) as url:
        async with _client() as client:
            assert json.loads(await client.query(url, Get("a.b.c", (("x", "1 &2"),)))) == {"ok": True}
    assert asked == [("a.b.c", {"x": "1 &2"})]
    assert heard[0]["user-agent"].startswith("radial-py/")
    assert heard[0]["accept-encoding"] == "identity"
    assert not heard[0].keys() & {"authorization", "cookie"}


def test_500_once_is_asked_again() -> None:
    naps: list[float] = []
    with serving(_in_turn(Reply.json({}, 500), GOOD)) as url:
        _get(url, naps)
    assert naps == [0.25]  # half of half a second: the dice show nought


def test_500_for_good_gives_up_with_the_servers_words() -> None:
    naps: list[float] = []
    broken = Reply.json({"error": "InternalServerError", "message": "oh\x1b[31m no"}, 500)
    with serving(_in_turn(broken)) as url, pytest.raises(RefusedError) as caught:
        _get(url, naps)
    assert (caught.value.status, caught.value.name) == (500, "InternalServerError")
    assert "oh [31m no" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert naps == [0.25, 0.5, 1.0]


@pytest.mark.parametrize(
    ("limited", "nap"),
    [
        (Reply.json({}, 429), 0.25),
        (Reply.json({}, 429, retry_after="9"), 9.0),
        (Reply.json({}, 429, ratelimit_reset="1800000030", date="Fri, 15 Jan 2027 08:00:00 GMT"), 30.0),
        (Reply(b"<html>slow down</html>", 429, {"content-type": "text/html"}), 0.25),
    ],
)
def test_429_is_waited_for(limited: Reply, nap: float) -> None:
    naps: list[float] = []
    with serving(_in_turn(limited, GOOD)) as url:
        _get(url, naps)
    assert naps == [nap]


def test_429_for_good_is_a_limit_and_no_refusal() -> None:
    naps: list[float] = []
    with (
        serving(_in_turn(Reply.json({}, 429))) as url,
        pytest.raises(RateLimitError) as caught,
    ):
        _get(url, naps)
    assert (caught.value.status, caught.value.wait, len(naps)) == (429, None, 3)
    assert "slow down" in str(caught.value)
    assert "later" in caught.value.explained()


def test_429_for_an_hour_is_reported_at_once() -> None:
    naps: list[float] = []
    with (
        serving(_in_turn(Reply.json({}, 429, retry_after="3600"))) as url,
        pytest.raises(RateLimitError) as caught,
    ):
        _get(url, naps)
    assert caught.value.wait == 3600
    assert naps == []


@pytest.mark.anyio
async def test_a_server_that_asks_us_to_slow_down_is_left_alone_by_all_others_too() -> None:
    """Whoever comes meanwhile waits until it may be asked; another server is asked at once."""
    naps: list[float] = []
    limited = Reply.json({}, 429, retry_after="9")
    with serving(_in_turn(limited, limited, GOOD)) as url, serving(_in_turn(GOOD)) as other:
        async with _client(naps, patience=Patience(attempts=2)) as client:
            with pytest.raises(RateLimitError):
                await client.get(url)
            await client.get(other)
            assert naps == [9.0]
            await client.get(url)
    assert naps == [9.0, 9.0]


@pytest.mark.anyio
async def test_how_far_a_servers_clock_is_ahead_is_remembered() -> None:
    dated = Reply.json({}, date="Fri, 15 Jan 2027 08:00:30 GMT")
    with serving(_in_turn(dated)) as url, serving(_in_turn(GOOD)) as silent:
        async with _client() as client:
            await client.get(url)
            await client.get(silent)
            assert client.skews == {url.removeprefix("http://"): 30.0}


def test_400_is_not_asked_again() -> None:
    naps: list[float] = []
    refusal = Reply.json({"error": "RepoNotFound", "message": "Could not find repo"}, 400)
    with serving(_in_turn(refusal)) as url, pytest.raises(RefusedError) as caught:
        _get(url, naps)
    assert (caught.value.status, caught.value.name, naps) == (400, "RepoNotFound", [])


@pytest.mark.parametrize("body", [b"[" * 100_000, b"<html>", b"[1]", b'{"error": 5}', b"x" * 100_000, b"\xff"])
def test_an_error_body_can_hold_anything(body: bytes) -> None:
    with serving(_in_turn(Reply(body, 400))) as url, pytest.raises(RefusedError) as caught:
        _get(url)
    assert caught.value.name == ""


def test_a_huge_body_is_cut() -> None:
    huge = Reply(b'{"records": "' + b"x" * 300_000 + b'"}')
    with serving(_in_turn(huge)) as url, pytest.raises(TooLargeError) as caught:
        _get(url, longest=100_000)
    assert caught.value.body == huge.body[:100_000]


def test_html_is_no_answer() -> None:
    page = Reply(b"<html>hello</html>", 200, {"content-type": "text/html; charset=utf-8"})
    with serving(_in_turn(page)) as url, pytest.raises(NotJsonError, match="text/html"):
        _get(url)


def test_a_redirect_is_not_followed() -> None:
    heard: list[dict[str, str]] = []
    with serving(_in_turn(GOOD), heard) as elsewhere:
        moved = Reply(b"", 302, {"location": f"{elsewhere}/secrets"})
        with serving(_in_turn(moved)) as url, pytest.raises(RedirectError, match="/secrets"):
            _get(url)
    assert heard == []


def test_a_compressed_answer_is_not_unfolded() -> None:
    bomb = Reply(gzip.compress(b"0" * 10_000_000), 200, JSON | {"content-encoding": "gzip"})
    with serving(_in_turn(bomb)) as url, pytest.raises(NotJsonError, match="compressed"):
        _get(url)


def test_a_did_document_may_have_a_json_type_of_its_own() -> None:
    document = Reply(b"{}", 200, {"content-type": "application/did+ld+json; charset=utf-8"})
    with serving(_in_turn(document)) as url:
        assert _get(url) == b"{}"


def test_nobody_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    naps: list[float] = []
    with pytest.raises(UnreachableError) as caught:
        _get(f"http://127.0.0.1:{port}", naps)
    assert len(naps) == 3
    assert "run the command again" in caught.value.explained()


def test_an_answer_cut_off_halfway_is_no_answer() -> None:
    short = Reply(b'{"records"', 200, JSON | {"content-length": "1000", "connection": "close"})
    with serving(_in_turn(short)) as url, pytest.raises(UnreachableError):
        _get(url)


def test_a_whole_answer_has_a_deadline() -> None:
    """A server that keeps sending a little never trips a timeout between pieces."""
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")
        try:
            while not is_over.wait(0.005):
                connection.sendall(b" ")
        except OSError:
            pass
        connection.close()

    thread = threading.Thread(target=drip)
    thread.start()
    port = listener.getsockname()[1]
    try:
        with (
            pytest.raises(UnreachableError, match="no whole answer in time"),
        ):
            _get(f"http://127.0.0.1:{port}", deadline=0.05, patience=Patience(attempts=1))
    finally:
        is_over.set()
        thread.join()
        listener.close()


@pytest.mark.parametrize(("head", "drop"), [(b"HTTP/1.1 200 OK\r\nx: ", b"x"), (b"", b"HTTP/1.1 100 Continue\r\n\r\n")])
def test_the_head_of_an_answer_has_the_deadline_too(head: bytes, drop: bytes) -> None:
    """A server that drips header bytes, or tells us for ever to go on, never trips a timeout between pieces."""
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        try:
            connection.sendall(head)
            while not is_over.wait(0.005):
                connection.sendall(drop)
        except OSError:
            pass
        connection.close()

    thread = threading.Thread(target=drip)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        with pytest.raises(UnreachableError, match="no answer in time"):
            _get(url, deadline=0.1, patience=Patience(attempts=1))
    finally:
        is_over.set()
        thread.join()
        listener.close()


@pytest.mark.anyio
async def test_a_slow_answer_is_no_answer() -> None:
    def never(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("")

    async with httpx.AsyncClient(transport=httpx.MockTransport(never)) as http:
        client = XrpcClient(http, patience=Patience(attempts=1))
        with pytest.raises(UnreachableError, match="no answer in time"):
            await client.get("https://pds.example.com")


@pytest.mark.anyio
async def test_the_guarded_transport_keeps_its_connection() -> None:
    ports: list[dict[str, str]] = []
    with serving(_in_turn(GOOD), ports) as url:
        async with open_client(LOOPBACK) as client:
            for _ in range(3):
                await client.get(url)
    assert len(ports) == 3
