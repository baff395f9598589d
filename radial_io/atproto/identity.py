"""From a DID to the PDS that holds its repo.

Strategy: a DID document is a stranger's text about itself. It must name the DID it was asked for, and its PDS is the
first service with the right id and type whose endpoint is scheme, host and port alone. did:plc is asked of one
directory; did:web of its own host, https, at the well-known place, and of a bare host only: atproto knows no others.
Both ways to write an id (`#atproto_pds` or with the DID before it) and both kinds of key are read, because
directories in use give either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

import attrs

from radial_core.identifiers import is_did
from radial_io.atproto.addresses import names_private_host, origin
from radial_io.atproto.xrpc import XrpcClient, open_client
from radial_io.errors import AddressError, IdentityError, NotJsonError, RefusedError, quoted

PUBLIC_DIRECTORY: Final = "https://plc.directory"

_PLC: Final = re.compile(r"did:plc:[a-z2-7]{24}").fullmatch
_WEB: Final = re.compile(r"did:web:(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)").fullmatch
_PDS_TYPE: Final = "AtprotoPersonalDataServer"
_KEY_TYPES: Final = frozenset({"Multikey", "EcdsaSecp256k1VerificationKey2019", "EcdsaSecp256r1VerificationKey2019"})
_SAID_OF_PLC: Final = {404: "was never registered", 410: "was given up by its owner"}


@attrs.frozen
class SigningKey:
    """The key that signs a repo's commits, as its document has it: the kind of spelling, and the multibase text."""

    kind: str
    multibase: str


@attrs.frozen
class Identity:
    """What a DID document says that we use. `pds` is scheme, host and port; a key is not needed to read records."""

    did: str
    pds: str
    key: SigningKey | None = None


class Resolver(Protocol):
    """Whatever can say where a repo is."""

    def identity(self, did: str) -> Identity:
        """Give the identity of a DID. Raises `RadialIoError`."""


@attrs.frozen
class FixedPds:
    """Every repo is on one given PDS: no DID document is looked up."""

    pds: str

    def identity(self, did: str) -> Identity:
        """Give the DID and the PDS; the key stays unknown."""
        return Identity(did, self.pds)


@attrs.frozen
class DidResolver:
    """Looks DID documents up: did:plc in the directory at `plc` (scheme, host and port), did:web at its host."""

    client: XrpcClient
    plc: str = PUBLIC_DIRECTORY
    allow_private: bool = False

    def identity(self, did: str) -> Identity:
        """Fetch a DID document and read it. Raises `IdentityError`, `AddressError` or `RequestError`."""
        url = document_url(did, self.plc)
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
        return read_document(document, did, allow_private=self.allow_private)


@contextmanager
def open_servers(*, pds: str | None = None, plc: str = PUBLIC_DIRECTORY) -> Iterator[tuple[XrpcClient, Resolver]]:
    """Open a client and a resolver for the servers that an operator names by hand; closed at the end of the block.

    With `pds`, every repo is read from that one. Only where the URL given names this machine or a private network may
    such addresses be contacted at all. Raises `AddressError` for a URL that is more than scheme, host and port.
    """
    given = plc if pds is None else pds
    allow_private = names_private_host(given)
    server = origin(given, allow_private=allow_private)
    with open_client(allow_private=allow_private) as client:
        yield client, FixedPds(server) if pds is not None else DidResolver(client, server, allow_private)


def document_url(did: str, plc: str) -> str:
    """Give the URL of a DID's document. Raises `IdentityError` for a DID that atproto does not use."""
    if _PLC(did):
        return f"{plc}/{did}"
    if match := _WEB(did):
        return f"https://{match['host']}/.well-known/did.json"
    known = "neither did:plc nor did:web with a bare host" if is_did(did) else "no DID"
    raise IdentityError(f"{quoted(did)} is {known}")


def read_document(document: Any, did: str, *, allow_private: bool) -> Identity:
    """Read a DID document. Raises `IdentityError` for one without a usable PDS."""
    if not isinstance(document, dict) or document.get("id") != did:
        raise IdentityError(f"the document of {did} is that of somebody else, or of nobody")
    service = _named(document, "service", f"{did}#atproto_pds", "#atproto_pds")
    endpoint = next((entry.get("serviceEndpoint") for entry in service if entry.get("type") == _PDS_TYPE), None)
    if not isinstance(endpoint, str):
        raise IdentityError(f"the document of {did} names no PDS")
    try:
        pds = origin(endpoint, allow_private=allow_private)
    except AddressError as error:
        raise IdentityError(f"the PDS of {did} cannot be used: {error}") from error
    return Identity(did, pds, _signing_key(document, did))


def _signing_key(document: dict[str, Any], did: str) -> SigningKey | None:
    for method in _named(document, "verificationMethod", f"{did}#atproto", "#atproto"):
        kind, text = method.get("type"), method.get("publicKeyMultibase")
        if method.get("controller") == did and kind in _KEY_TYPES and isinstance(text, str):
            return SigningKey(kind, text)
    return None


def _named(document: dict[str, Any], part: str, *names: str) -> Iterator[dict[str, Any]]:
    """Give the entries of one part of a document that have one of these ids, in order."""
    entries = document.get(part)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") in names:
            yield entry
