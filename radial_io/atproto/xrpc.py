"""Questions to atproto servers: small, bounded, patient, without secrets.

Strategy: only GET, so every question may be asked again. A body is streamed and cut at a limit; it is asked for
uncompressed, so that the limit is on what was sent and no small answer can unfold into a large one. A whole answer,
its head included, has a deadline, not each of its pieces. Redirects are answers, not instructions: they are never
followed. The clock, the sleep and the dice are arguments.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import httpx

from radial_core.version import __version__
from radial_io.atproto.addresses import ENDS_AT, PUBLIC, GuardedTransport, Reach
from radial_io.atproto.retries import RETRIED, TOO_MANY, Patience, asked_wait
from radial_io.errors import (
    NotJsonError,
    RadialIoError,
    RateLimitError,
    RedirectError,
    RefusedError,
    TooLargeError,
    UnreachableError,
    mapped,
    quoted,
)

MEBIBYTE = 2**20
_BAD_REQUEST = 400
_FIRST_REDIRECT = 300
_ERROR_BYTES = 4096
_HEADERS = {
    "accept": "application/json",
    "accept-encoding": "identity",
    "user-agent": f"radial-py/{__version__}",
}


@attrs.frozen
class Get:
    """One question: an XRPC query and its parameters."""

    nsid: str
    parameters: tuple[tuple[str, str], ...] = ()


class XrpcClient:
    """Asks servers and gives back the bytes of their JSON answers.

    `deadline` bounds one attempt, in seconds; `longest` bounds a body, in bytes.
    """

    def __init__(
        self,
        http: httpx.Client,
        *,
        patience: Patience | None = None,
        deadline: float = 60.0,
        longest: int = 16 * MEBIBYTE,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._http = http
        self._patience = patience or Patience()
        self._deadline = deadline
        self._longest = longest
        self._sleep = sleep
        self._now = now
        self._jitter = jitter

    def query(self, server: str, question: Get) -> bytes:
        """Ask one server (scheme, host and port) an XRPC question. Raises as `get` does."""
        return self.get(f"{server}/xrpc/{question.nsid}", question.parameters)

    def get(self, url: str, parameters: tuple[tuple[str, str], ...] = ()) -> bytes:
        """Fetch a JSON body, asking again where that may help. Raises `RequestError` or `AddressError`."""
        attempt = 1
        while True:
            try:
                return self._once(url, parameters)
            except _AgainError as again:
                if attempt == self._patience.attempts:
                    raise _given_up(again, url) from again.error.__cause__
                self._sleep(self._wait(attempt, again, url))
            attempt += 1

    def _wait(self, attempt: int, again: _AgainError, url: str) -> float:
        if again.asked is not None and again.asked > self._patience.longest_asked_wait:
            raise RateLimitError(url, again.status, again.asked) from again.error
        return self._patience.wait(attempt, again.asked, self._jitter())

    def _once(self, url: str, parameters: tuple[tuple[str, str], ...]) -> bytes:
        ends_at = time.monotonic() + self._deadline
        try:
            with (
                mapped(url),
                self._http.stream(
                    "GET",
                    url,
                    params=parameters,
                    headers=_HEADERS,
                    follow_redirects=False,
                    extensions={ENDS_AT: ends_at},
                ) as answer,
            ):
                if answer.status_code >= _BAD_REQUEST:
                    raise self._refusal(url, answer, ends_at)
                _check_kind(url, answer)
                return _body(url, answer, self._longest, ends_at)
        except UnreachableError as error:
            raise _AgainError(error) from None

    def _refusal(self, url: str, answer: httpx.Response, ends_at: float) -> RadialIoError | _AgainError:
        """Turn an error status into an error of ours: one to try again, or one to report."""
        try:
            body = _body(url, answer, _ERROR_BYTES, ends_at)
        except TooLargeError:
            body = b""
        name, message = _said(body)
        error = RefusedError(url, answer.status_code, name, message)
        if answer.status_code not in RETRIED:
            return error
        return _AgainError(error, answer.status_code, asked_wait(answer.status_code, answer.headers, self._now()))


class _AgainError(Exception):
    """An attempt failed in a way that may pass: the error if it does not, and the wait that was asked for."""

    def __init__(self, error: RadialIoError, status: int = 0, asked: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.status = status
        self.asked = asked


def _given_up(again: _AgainError, url: str) -> RadialIoError:
    """Give the error of the last attempt; a server that is still too busy for us is no refusal."""
    return RateLimitError(url, again.status, again.asked) if again.status == TOO_MANY else again.error


def _body(url: str, answer: httpx.Response, longest: int, ends_at: float) -> bytes:
    """Read a body up to its limits of size and time."""
    body = bytearray()
    for piece in answer.iter_raw():
        body += piece
        if len(body) > longest:
            raise TooLargeError(url, f"an answer of more than {longest} bytes", bytes(body[:longest]))
        if time.monotonic() > ends_at:
            raise UnreachableError(url, "no whole answer in time")
    return bytes(body)


def _check_kind(url: str, answer: httpx.Response) -> None:
    """Refuse what no limit and no parser should have to deal with."""
    if answer.status_code >= _FIRST_REDIRECT:
        raise RedirectError(url, f"points to {quoted(answer.headers.get('location', 'nowhere'))}")
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not (kind == "application/json" or kind.endswith("+json")):
        raise NotJsonError(url, f"answered with {quoted(kind) or 'something'} instead of JSON", b"")
    if answer.headers.get("content-encoding", "identity").lower() != "identity":
        raise NotJsonError(url, "answered compressed, which was not asked for", b"")


def _said(body: bytes) -> tuple[str, str]:
    """Read the name and the message of an XRPC error; empty where there is none."""
    try:
        said: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(said, dict):
        return "", ""
    return tuple(quoted(said[key]) if isinstance(said.get(key), str) else "" for key in ("error", "message"))  # type: ignore[return-value]


@contextmanager
def open_client(reach: Reach = PUBLIC, *, connect_timeout: float = 5.0) -> Iterator[XrpcClient]:
    """Open a client whose connections are guarded; they are closed at the end of the block.

    `reach` opens private servers that the operator named by hand.
    """
    timeout = httpx.Timeout(20.0, connect=connect_timeout)
    transport = GuardedTransport(reach)
    with httpx.Client(transport=transport, timeout=timeout, trust_env=False) as http:
        yield XrpcClient(http)
