"""One change asked of a server, and what it said.

Strategy: a change is asked for once; whether it may be asked for again is for those to say who know what it does. So an
answer is a value, whatever its status, and the two ways to get none are told apart: the request never left
(`UnsentError`), or nobody knows what became of it (`UnreachableError`). An answer that is no JSON, as a page of HTML
from somebody in between, is one without a value; a redirect is an answer too, and is not followed.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, Final

import anyio
import attrs
import httpcore
import httpx

from radial_core.version import __version__
from radial_io.atproto.answers import JSON, AgainError, body_of, said_in
from radial_io.atproto.retries import asked_wait
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import TooLargeError, UnreachableError, mapped

_GOOD: Final = 200
_LONGEST: Final = 2**20
_PIECE: Final = 65_536
_HEADERS: Final = {"accept": JSON, "accept-encoding": "identity", "user-agent": f"radial-py/{__version__}"}
_NEVER_LEFT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpcore.ConnectError, httpcore.ConnectTimeout)


class UnsentError(UnreachableError):
    """The server was not reached: nothing was asked of it."""


@attrs.frozen
class Procedure:
    """A change that is asked for: an XRPC procedure, its body and the body's media type."""

    nsid: str
    body: bytes = attrs.field(repr=False)
    kind: str = JSON


@attrs.frozen
class Answer:
    """What the server said: the status, the value it gave (`{}` for none), and for an error its name and words.

    `asked` is how many seconds it asks us to wait before the next try, if it says.
    """

    status: int
    value: Any = attrs.field(repr=False)
    name: str = ""
    message: str = ""
    asked: float | None = None

    @property
    def is_good(self) -> bool:
        """Tell whether what was asked for was done."""
        return self.status == _GOOD


async def call_once(
    client: XrpcClient, server: str, procedure: Procedure, headers: Mapping[str, str], *, seconds: float = 60.0
) -> Answer:
    """Ask for a change, once; `headers` say in whose name.

    Raises `UnsentError`, `UnreachableError`, or `AddressError` for a server that is never contacted.
    """
    url = f"{server}/xrpc/{procedure.nsid}"
    try:
        with anyio.fail_after(seconds):
            return await _asked(client.http, url, procedure, headers)
    except TimeoutError as error:
        raise UnreachableError(url, "no answer in time") from error
    except AgainError as again:
        raise again.error from again.error.__cause__


async def _asked(http: httpx.AsyncClient, url: str, procedure: Procedure, headers: Mapping[str, str]) -> Answer:
    told = {**_HEADERS, "content-type": procedure.kind, "content-length": str(len(procedure.body))}
    with mapped(url):
        request = http.build_request("POST", url, content=_Pieces(procedure.body), headers=told)
        request.headers.update(headers)
        try:
            answer = await http.send(request, stream=True, follow_redirects=False)
        except _NEVER_LEFT as error:
            raise UnsentError(url, "was not reached") from error
    async with aclosing(answer):
        return _read(answer, await _body(url, answer))


class _Pieces(AsyncIterable[bytes]):
    """A body that leaves in pieces: written in one, a large file would have to leave within the time for one write."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), _PIECE):
            yield self._body[start : start + _PIECE]


async def _body(url: str, answer: httpx.Response) -> bytes:
    try:
        return await body_of(url, answer, _LONGEST)
    except TooLargeError:
        return b""


def _read(answer: httpx.Response, body: bytes) -> Answer:
    asked = asked_wait(answer.status_code, answer.headers, time.time())
    if answer.status_code != _GOOD:
        return Answer(answer.status_code, {}, *said_in(body), asked)
    try:
        value = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        value = {}
    return Answer(answer.status_code, value if isinstance(value, dict) else {}, "", "", asked)
