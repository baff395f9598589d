"""Questions to atproto servers: small or long, always bounded, patient, without secrets.

Strategy: questions are GET, so each may be asked again; what is posted goes once, to a server of the operator's own.
A body is streamed and cut at a limit; it is asked for uncompressed, so that the limit is on what was sent and no small
answer can unfold into a large one. A whole answer, its head included, has a deadline, not each of its pieces; a long
download has one for the whole and one for silence. Redirects are answers, not instructions: they are never followed.
Of one server only so many things are asked at once, and when it asks us to slow down, whatever else is meant for it
waits as well. The clock, the sleep and the dice are arguments.
"""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import TypeVar

import anyio
import attrs
import httpx

from radial_core.version import __version__
from radial_io.atproto.addresses import PUBLIC, GuardedTransport, Reach
from radial_io.atproto.answers import (
    CAR,
    JSON,
    AgainError,
    body_of,
    check_kind,
    check_redirect,
    given_up,
    passing,
    said_in,
)
from radial_io.atproto.retries import RETRIED, TOO_MANY, Patience, asked_wait, epoch_of
from radial_io.errors import (
    LimitError,
    RadialIoError,
    RateLimitError,
    RefusedError,
    TooLargeError,
    UnreachableError,
    UnreadableError,
    mapped,
)

T = TypeVar("T")

MEBIBYTE = 2**20
_SWITCHING = 101
_BAD_REQUEST = 400
_ERROR_BYTES = 4096
_GATHERED = 65_536
_HEADERS = {"accept-encoding": "identity", "user-agent": f"radial-py/{__version__}"}


@attrs.frozen
class Get:
    """One question: an XRPC query and its parameters."""

    nsid: str
    parameters: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class Span:
    """How long an answer may be: `longest` bytes, `seconds` for all of it, `stall` seconds without a byte.

    `slow` seconds for any 64 KiB of it: there is room for few long answers at a time, and drops would keep it for ever.
    """

    longest: int
    seconds: float
    stall: float
    slow: float = 120.0


@attrs.define
class _Host:
    """What is known of one server: the gate to its questions, and until when (epoch) it wants to be left alone."""

    gate: anyio.CapacityLimiter
    quiet_until: float = 0.0


class XrpcClient:
    """Asks servers, and gives back the bytes of their answers.

    `deadline` bounds one attempt, in seconds; `longest` bounds a JSON body, in bytes.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        *,
        patience: Patience | None = None,
        deadline: float = 60.0,
        longest: int = 16 * MEBIBYTE,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        now: Callable[[], float] = time.time,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.http = http
        self.skews: dict[str, float] = {}  # by server: how many seconds its `Date` was last ahead of our clock
        self._patience = patience or Patience()
        self._deadline = deadline
        self._longest = longest
        self._sleep = sleep
        self._now = now
        self._jitter = jitter
        self._hosts: dict[str, _Host] = {}

    async def query(self, server: str, question: Get) -> bytes:
        """Ask one server (scheme, host and port) an XRPC question. Raises as `get` does."""
        return await self.get(_url(server, question), question.parameters)

    async def get(self, url: str, parameters: tuple[tuple[str, str], ...] = ()) -> bytes:
        """Fetch a JSON body, asking again where that may help. Raises `RequestError` or `AddressError`."""
        host = self._host(url)
        async with host.gate:
            return await self._patiently(host, url, lambda: self._once(url, parameters))

    @asynccontextmanager
    async def download(self, server: str, question: Get, span: Span, kind: str = CAR) -> AsyncIterator[Download]:
        """Begin to read a long answer that is no JSON. Raises as `get` does before the first byte."""
        url = _url(server, question)
        host = self._host(url)
        async with host.gate:
            ends_at = anyio.current_time() + span.seconds
            answer = await self._patiently(host, url, lambda: self._head(url, question.parameters, span, kind))
            async with aclosing(answer):
                yield Download(url, answer, span, ends_at)

    async def collect(self, server: str, question: Get, span: Span, kind: str) -> bytes:
        """Read an answer of this kind whole. Raises as `get` does, and `LimitError` where it is longer than `span`."""
        body = bytearray()
        async with self.download(server, question, span, kind) as reading:
            while (chunk := await reading.next_chunk()) is not None:
                body += chunk
        return bytes(body)

    async def upgrade(self, url: str, headers: Mapping[str, str]) -> httpx.Response:
        """Ask once for a connection of another kind; give the answer that grants it. Raises as `get` does.

        `url` may have a query; errors name it without.
        """
        named = url.partition("?")[0]
        return await self._only_once(named, self._upgraded(url, named, headers))

    async def post(self, url: str, body: str, headers: Mapping[str, str]) -> None:
        """Send JSON, once, to a server of the operator's own. Raises as `get` does."""
        await self._only_once(url, self._posted(url, body, headers))

    async def _only_once(self, url: str, attempt: Awaitable[T]) -> T:
        try:
            with anyio.fail_after(self._deadline):
                return await attempt
        except TimeoutError as error:
            raise UnreachableError(url, "no answer in time") from error
        except AgainError as again:
            raise given_up(again, url) from again.error.__cause__

    async def _posted(self, url: str, body: str, headers: Mapping[str, str]) -> None:
        with passing(url):
            told = {**_HEADERS, "content-type": JSON, **headers}
            request = self.http.build_request("POST", url, content=body.encode(), headers=told)
            answer = await self.http.send(request, stream=True, follow_redirects=False)
        async with aclosing(answer):
            await self._check_status(url, answer)
            check_redirect(url, answer)

    async def _upgraded(self, url: str, named: str, headers: Mapping[str, str]) -> httpx.Response:
        with passing(named):
            request = self.http.build_request("GET", url, headers={**_HEADERS, **headers})
            answer = await self.http.send(request, stream=True, follow_redirects=False)
        async with AsyncExitStack() as closing:
            closing.push_async_callback(answer.aclose)
            self._note_clock(answer)
            await self._check_status(named, answer)
            if answer.status_code != _SWITCHING:
                check_redirect(named, answer)
                raise UnreadableError(
                    named, f"status {answer.status_code} instead of a connection that stays open", b""
                )
            closing.pop_all()
        return answer

    def _host(self, url: str) -> _Host:
        with mapped(url):
            host = httpx.URL(url).netloc.decode("ascii")
        return self._hosts.setdefault(host, _Host(anyio.CapacityLimiter(self._patience.at_once)))

    async def _patiently(self, host: _Host, url: str, ask: Callable[[], Awaitable[T]]) -> T:
        if (quiet := host.quiet_until - self._now()) > 0:
            await self._sleep(min(quiet, self._patience.longest_asked_wait))
        for attempt in range(1, self._patience.attempts + 1):
            try:
                return await ask()
            except AgainError as again:
                if attempt == self._patience.attempts:
                    raise given_up(again, url) from again.error.__cause__
                wait = self._wait(attempt, again, url)
                if again.status == TOO_MANY:
                    host.quiet_until = self._now() + wait
                await self._sleep(wait)
        raise AssertionError("there is at least one attempt")

    def _wait(self, attempt: int, again: AgainError, url: str) -> float:
        if again.asked is not None and again.asked > self._patience.longest_asked_wait:
            raise RateLimitError(url, again.status, again.asked) from again.error
        return self._patience.wait(attempt, again.asked, self._jitter())

    async def _once(self, url: str, parameters: tuple[tuple[str, str], ...]) -> bytes:
        late = "no answer in time"
        try:
            with anyio.fail_after(self._deadline):
                async with aclosing(await self._open(url, parameters, JSON)) as answer:
                    late = "no whole answer in time"
                    return await body_of(url, answer, self._longest)
        except TimeoutError as error:
            raise AgainError(UnreachableError(url, late)) from error

    async def _head(self, url: str, parameters: tuple[tuple[str, str], ...], span: Span, kind: str) -> httpx.Response:
        try:
            with anyio.fail_after(min(self._deadline, span.seconds)):
                return await self._open(url, parameters, kind, span.stall)
        except TimeoutError as error:
            raise AgainError(UnreachableError(url, "no answer in time")) from error

    async def _open(
        self, url: str, parameters: tuple[tuple[str, str], ...], kind: str, silence: float | None = None
    ) -> httpx.Response:
        """Put a question; give a good answer of this kind, its body unread. Raises `AgainError` where that helps."""
        with passing(url):
            limits = self.http.timeout if silence is None else httpx.Timeout(silence)
            request = self.http.build_request(
                "GET", url, params=parameters, headers=_HEADERS | {"accept": kind}, timeout=limits
            )
            answer = await self.http.send(request, stream=True, follow_redirects=False)
        async with AsyncExitStack() as closing:
            closing.push_async_callback(answer.aclose)
            self._note_clock(answer)
            await self._check_status(url, answer)
            check_kind(url, answer, kind)
            closing.pop_all()
        return answer

    async def _check_status(self, url: str, answer: httpx.Response) -> None:
        if answer.status_code >= _BAD_REQUEST:
            raise await self._refusal(url, answer)

    def _note_clock(self, answer: httpx.Response) -> None:
        date = epoch_of(answer.headers.get("date"))
        if date is not None:
            self.skews[answer.request.url.netloc.decode("ascii")] = date - self._now()

    async def _refusal(self, url: str, answer: httpx.Response) -> RadialIoError | AgainError:
        """Turn an error status into an error of ours: one to try again, or one to report."""
        try:
            body = await body_of(url, answer, _ERROR_BYTES)
        except TooLargeError:
            body = b""
        name, message = said_in(body)
        error = RefusedError(url, answer.status_code, name, message)
        if answer.status_code not in RETRIED:
            return error
        return AgainError(error, answer.status_code, asked_wait(answer.status_code, answer.headers, self._now()))


class Download:
    """A long answer that is being read.

    Servers send it in crumbs, a block in two or three of them: they are gathered, for what costs time is each crumb.
    That a server falls silent is noticed where its bytes are read, not here.
    """

    def __init__(self, url: str, answer: httpx.Response, span: Span, ends_at: float) -> None:
        self._url = url
        self._pieces = answer.aiter_raw(_GATHERED)
        self._span = span
        self._ends_at = ends_at
        self._taken = 0

    async def next_chunk(self) -> bytes | None:
        """Give the next bytes; None when the answer was read whole. Raises `UnreachableError` or `LimitError`."""
        left = max(0.0, self._ends_at - anyio.current_time())
        slow = self._span.slow
        try:
            with mapped(self._url, late="stopped in the middle"), anyio.fail_after(min(left, slow)):
                piece = await anext(self._pieces, None)
        except TimeoutError as error:
            late = f"was not sent whole within {self._span.seconds:.0f} s"
            late = late if left <= slow else f"sent less than {_GATHERED // 1024} KiB in {slow:.0f} s"
            raise UnreachableError(self._url, late) from error
        self._taken += len(piece or b"")
        if self._taken > self._span.longest:
            raise LimitError(self._url, f"an answer of more than {self._span.longest} bytes")
        return piece


def _url(server: str, question: Get) -> str:
    return f"{server}/xrpc/{question.nsid}"


@asynccontextmanager
async def open_client(reach: Reach = PUBLIC, *, connect_timeout: float = 5.0) -> AsyncIterator[XrpcClient]:
    """Open a client whose connections are guarded; they are closed at the end of the block.

    `reach` opens private servers that the operator named by hand.
    """
    timeout = httpx.Timeout(20.0, connect=connect_timeout)
    transport = GuardedTransport(reach)
    async with httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False) as http:
        yield XrpcClient(http)
