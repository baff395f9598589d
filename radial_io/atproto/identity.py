"""From a DID to the PDS that holds its repo.

Strategy: a DID document is a stranger's text about itself. It must name the DID it was asked for, and its PDS is the
first service with the right id and type whose endpoint is scheme, host and port alone. did:plc is asked of one
directory; did:web of its own host, https, at the well-known place, and of a bare host only: atproto knows no others.
Both ways to write an id (`#atproto_pds` or with the DID before it) are read, because directories in use give either.
Only a directory on this machine leads to servers on it; a did:web leads to public hosts alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

import attrs

from radial_core.identifiers import is_did
from radial_io.atproto.addresses import PUBLIC, Reach, origin, plain, reach_of
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, GivenUrlError, IdentityError, NotJsonError, RefusedError, quoted

PUBLIC_DIRECTORY: Final = "https://plc.directory"

_PLC: Final = re.compile(r"did:plc:[a-z2-7]{24}").fullmatch
_WEB: Final = re.compile(r"did:web:(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)").fullmatch
_PDS_TYPE: Final = "AtprotoPersonalDataServer"
_SAID_OF_PLC: Final = {404: "was never registered", 410: "was given up by its owner"}


@attrs.frozen
class Identity:
    """What a DID document says that we use. `pds` is scheme, host and port."""

    did: str
    pds: str


class Resolver(Protocol):
    """Whatever can say where a repo is."""

    def identity(self, did: str) -> Identity:
        """Give the identity of a DID. Raises `RadialIoError`."""


@attrs.frozen
class FixedPds:
    """Every repo is on one given PDS: no DID document is looked up."""

    pds: str

    def identity(self, did: str) -> Identity:
        """Give the DID and the PDS."""
        return Identity(did, self.pds)


@attrs.frozen
class DidResolver:
    """Looks DID documents up: did:plc in the directory at `plc` (scheme, host and port), did:web at its host."""

    client: XrpcClient
    plc: str = PUBLIC_DIRECTORY
    reach: Reach = PUBLIC

    def identity(self, did: str) -> Identity:
        """Fetch a DID document and read it. Raises `IdentityError`, `AddressError` or `RequestError`."""
        url = document_url(did, self.plc)
        if (web := _WEB(did)) and self.reach.opens(web["host"], 443):
            raise IdentityError(f"{did} names a private host")
        try:
            body = self.client.get(url)
        except RefusedError as error:
            if _PLC(did) and error.status in _SAID_OF_PLC:
                raise IdentityError(f"{did} {_SAID_OF_PLC[error.status]}, says {self.plc}") from error
            raise
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise NotJsonError(url, "answered with something that is not JSON", body) from error
        return read_document(document, did, PUBLIC if web else self.reach)


@contextmanager
def open_servers(*, pds: str | None = None, plc: str | None = None) -> Iterator[tuple[XrpcClient, Resolver]]:
    """Open a client and a resolver for the servers that an operator names by hand; closed at the end of the block.

    With `pds`, every repo is read from that one; without either, the public directory is asked. A server given by hand
    may be private: it, and the servers beside it when it is a directory on this machine. Raises `GivenUrlError` for a
    URL that is no server's, `UnreachableError` for a name without an address.
    """
    given = plc if pds is None else pds
    server, reach = (PUBLIC_DIRECTORY, PUBLIC) if given is None else _given(given, is_directory=pds is None)
    with open_client(reach) as client:
        yield client, FixedPds(server) if pds is not None else DidResolver(client, server, reach)


def _given(url: str, *, is_directory: bool) -> tuple[str, Reach]:
    """Read a URL given by hand: the server, and what it opens."""
    try:
        server = plain(url)
        reach = reach_of(server, neighbours=is_directory)
        return origin(server, reach), reach
    except AddressError as error:
        raise GivenUrlError(str(error)) from error


def document_url(did: str, plc: str) -> str:
    """Give the URL of a DID's document. Raises `IdentityError` for a DID that atproto does not use."""
    if _PLC(did):
        return f"{plc}/{did}"
    if match := _WEB(did):
        return f"https://{match['host']}/.well-known/did.json"
    known = "neither did:plc nor did:web with a bare host" if is_did(did) else "no DID"
    raise IdentityError(f"{quoted(did)} is {known}")


def read_document(document: Any, did: str, reach: Reach = PUBLIC) -> Identity:
    """Read a DID document. Raises `IdentityError` for one without a usable PDS."""
    if not isinstance(document, dict) or document.get("id") != did:
        raise IdentityError(f"the document of {did} is that of somebody else, or of nobody")
    service = _named(document, "service", f"{did}#atproto_pds", "#atproto_pds")
    endpoint = next((entry.get("serviceEndpoint") for entry in service if entry.get("type") == _PDS_TYPE), None)
    if not isinstance(endpoint, str):
        raise IdentityError(f"the document of {did} names no PDS")
    try:
        pds = origin(endpoint, reach)
    except AddressError as error:
        raise IdentityError(f"the PDS of {did} cannot be used: {error}") from error
    return Identity(did, pds)


def _named(document: dict[str, Any], part: str, *names: str) -> Iterator[dict[str, Any]]:
    """Give the entries of one part of a document that have one of these ids, in order."""
    entries = document.get(part)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") in names:
            yield entry
