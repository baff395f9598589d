"""From a DID to the PDS that holds its repo, asking servers.

Strategy: what a document says is read in `documents`; here it is fetched. Only a directory on this machine leads to
servers on it; a did:web leads to public hosts alone. A handle is asked for apart, and only to be shown.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final, Protocol

import anyio
import attrs
import httpx

from radial_io.atproto.addresses import PUBLIC, Reach, origin, plain, reach_of
from radial_io.atproto.documents import (
    LONGEST_DOCUMENT,
    Identity,
    document_url,
    is_plc,
    read_document,
    web_host,
)
from radial_io.atproto.handles import LONGEST_ANSWER, handle_url, read_handle_answer
from radial_io.atproto.remembering import IdentityCache
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import (
    AddressError,
    GivenUrlError,
    IdentityError,
    NotJsonError,
    RateLimitError,
    RefusedError,
    RequestError,
    TooLargeError,
    UnreachableError,
    mapped,
)

PUBLIC_DIRECTORY: Final = "https://plc.directory"

_PLAIN: Final = {"accept": "text/plain", "accept-encoding": "identity"}
_SERVER_ERROR: Final = 500
_SAID_OF_PLC: Final = {404: "was never registered", 410: "was given up by its owner"}


class Resolver(Protocol):
    """Whatever can say where a repo is."""

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        """Give the identity of a DID; with `fresh`, asked anew and not remembered. Raises `RadialIoError`."""


@attrs.frozen
class FixedPds:
    """Every repo is on one given PDS: no DID document is looked up."""

    pds: str

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:  # noqa: ARG002 - it never changes
        """Give the DID and the PDS."""
        return Identity(did, self.pds)


@attrs.frozen
class DidResolver:
    """Looks DID documents up: did:plc in the directory at `plc` (scheme, host and port), did:web at its host."""

    client: XrpcClient
    plc: str = PUBLIC_DIRECTORY
    reach: Reach = PUBLIC

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:  # noqa: ARG002 - nothing is remembered
        """Fetch a DID document and read it. Raises `IdentityError`, `AddressError` or `RequestError`."""
        url = document_url(did, self.plc)
        web = web_host(did)
        if web is not None and self.reach.opens(web, 443):
            raise IdentityError(f"{did} names a private host")
        try:
            body = await self.client.get(url)
        except RefusedError as error:
            if is_plc(did) and error.status in _SAID_OF_PLC:
                raise IdentityError(f"{did} {_SAID_OF_PLC[error.status]}, says {self.plc}") from error
            raise
        if len(body) > LONGEST_DOCUMENT:
            raise TooLargeError(url, f"a document of more than {LONGEST_DOCUMENT} bytes", b"")
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise NotJsonError(url, "answered with something that is not JSON", body) from error
        return read_document(document, did, PUBLIC if web else self.reach)


@attrs.define
class RememberingResolver:
    """Asks another resolver as seldom as it may. `clock` gives seconds that only grow."""

    resolver: Resolver
    clock: Callable[[], float]
    cache: IdentityCache = attrs.field(factory=IdentityCache)

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        """Give the identity of a DID; with `fresh`, because what is remembered is doubted. Raises `RadialIoError`."""
        known = self.cache.get(did, self.clock(), self.cache.doubted if fresh else self.cache.fresh)
        return known or await self._asked(did, fresh=fresh)

    async def _asked(self, did: str, *, fresh: bool) -> Identity:
        try:
            identity = await self.resolver.identity(did, fresh=fresh)
        except IdentityError:
            self.cache.forget(did)
            raise
        except RequestError as error:
            known = None if fresh or _is_an_answer(error) else self.cache.get(did, self.clock(), self.cache.stale)
            if known is None:
                raise
            return known
        self.cache.keep(identity, self.clock())
        return identity


def _is_an_answer(error: RequestError) -> bool:
    """Tell whether a refusal is about the question rather than the state of the server."""
    if not isinstance(error, RefusedError) or isinstance(error, RateLimitError):
        return False
    return error.status < _SERVER_ERROR


async def confirmed_handle(http: httpx.AsyncClient, identity: Identity, *, seconds: float = 10.0) -> str | None:
    """Give the handle that a document claims first, when the handle's host names the DID in turn; else None.

    `http` is that of an `XrpcClient`, whose connections are guarded. A host that does not answer in time confirms
    nothing, and neither does DNS, which is not asked.
    """
    handle = next(iter(identity.handles), None)
    try:
        owner = None if handle is None else await owner_of_handle(http, handle, seconds=seconds)
    except (AddressError, RequestError):
        return None
    return handle if owner == identity.did else None


async def owner_of_handle(http: httpx.AsyncClient, handle: str, *, seconds: float = 10.0) -> str | None:
    """Ask a handle's host whose it is; None when it names nobody, or there is no such host on the open internet.

    `http` as for `confirmed_handle`. DNS is not asked. Raises `AddressError` or `RequestError`.
    """
    url = handle_url(handle)
    return None if url is None else read_handle_answer(await _short_text(http, url, seconds))


async def _short_text(http: httpx.AsyncClient, url: str, seconds: float) -> bytes:
    """Fetch a body of whatever kind, of which no more is read than a handle's host has to say."""
    body = bytearray()
    try:
        with mapped(url), anyio.fail_after(seconds):
            async with http.stream("GET", url, headers=_PLAIN, follow_redirects=False) as answer:
                if answer.status_code != httpx.codes.OK:
                    return b""
                async for piece in answer.aiter_raw():
                    body += piece
                    if len(body) > LONGEST_ANSWER:
                        break
    except TimeoutError as error:
        raise UnreachableError(url, "no answer in time") from error
    return bytes(body)


@asynccontextmanager
async def open_servers(
    *, pds: str | None = None, plc: str | None = None, hosts: Iterable[str] = ()
) -> AsyncIterator[tuple[XrpcClient, Resolver]]:
    """Open a client and a resolver for the servers that an operator names by hand; closed at the end of the block.

    With `pds`, every repo is read from that one; without either, the public directory is asked. A server given by hand
    may be private: it, and the servers beside it when it is a directory on this machine; so may those of `hosts`, which
    stream. Raises `GivenUrlError` for a URL that is no server's, `UnreachableError` for a name without an address.
    """
    given = plc if pds is None else pds
    server, reach = (PUBLIC_DIRECTORY, PUBLIC) if given is None else await server_given(given, is_directory=pds is None)
    reach = attrs.evolve(reach, beside=tuple([(await server_given(host, is_directory=False))[1] for host in hosts]))
    async with open_client(reach) as client:
        if pds is not None:
            yield client, FixedPds(server)
        else:
            yield client, RememberingResolver(DidResolver(client, server, reach), time.monotonic)


async def server_given(url: str, *, is_directory: bool) -> tuple[str, Reach]:
    """Read a URL given by hand: the server, and what it opens. Raises as `open_servers` does."""
    server = plain_given(url)
    try:
        reach = await reach_of(server, neighbours=is_directory)
        return origin(server, reach), reach
    except AddressError as error:
        raise GivenUrlError(str(error)) from error


def plain_given(url: str) -> str:
    """Give the plain form of a URL given by hand, of which nothing is looked up. Raises `GivenUrlError`."""
    try:
        return plain(url)
    except AddressError as error:
        raise GivenUrlError(str(error)) from error
