"""Answers over HTTP, judged before anybody parses them: size, kind, what an error says, whether to ask again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx

from radial_io.atproto.retries import TOO_MANY
from radial_io.errors import (
    NotJsonError,
    RadialIoError,
    RateLimitError,
    RedirectError,
    TooLargeError,
    UnreachableError,
    mapped,
    quoted,
)

JSON: Final = "application/json"
CAR: Final = "application/vnd.ipld.car"
ANYTHING: Final = "*/*"  # what a blob claims to be is not believed, so it is not asked about
_FIRST_REDIRECT: Final = 300


class AgainError(Exception):
    """An attempt failed in a way that may pass: the error if it does not, and the wait that was asked for."""

    def __init__(self, error: RadialIoError, status: int = 0, asked: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.status = status
        self.asked = asked


def given_up(again: AgainError, url: str) -> RadialIoError:
    """Give the error of the last attempt; a server that is still too busy for us is no refusal."""
    return RateLimitError(url, again.status, again.asked) if again.status == TOO_MANY else again.error


@contextmanager
def passing(url: str) -> Iterator[None]:
    """Map errors, and take a server that is not to be reached for one that may be later."""
    try:
        with mapped(url):
            yield
    except UnreachableError as error:
        raise AgainError(error) from error


async def body_of(url: str, answer: httpx.Response, longest: int) -> bytes:
    """Read a body up to its limit of size."""
    body = bytearray()
    with passing(url):
        async for piece in answer.aiter_raw():
            body += piece
            if len(body) > longest:
                raise TooLargeError(url, f"an answer of more than {longest} bytes", bytes(body[:longest]))
    return bytes(body)


def check_kind(url: str, answer: httpx.Response, wanted: str) -> None:
    """Refuse what no limit and no parser should have to deal with."""
    check_redirect(url, answer)
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if wanted not in {kind, ANYTHING} and not (wanted == JSON and kind.endswith("+json")):
        names = {JSON: "JSON", CAR: "a CAR"}
        raise NotJsonError(url, f"answered with {quoted(kind) or 'something'} instead of {names[wanted]}", b"")
    if answer.headers.get("content-encoding", "identity").lower() != "identity":
        raise NotJsonError(url, "answered compressed, which was not asked for", b"")


def check_redirect(url: str, answer: httpx.Response) -> None:
    """Refuse an answer that points elsewhere."""
    if answer.status_code >= _FIRST_REDIRECT:
        raise RedirectError(url, f"points to {quoted(answer.headers.get('location', 'nowhere'))}")


def said_in(body: bytes) -> tuple[str, str]:
    """Read the name and the message of an XRPC error; empty where there is none."""
    try:
        said: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "", ""
    if not isinstance(said, dict):
        return "", ""
    return tuple(quoted(said[key]) if isinstance(said.get(key), str) else "" for key in ("error", "message"))  # type: ignore[return-value]
