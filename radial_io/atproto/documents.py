"""DID documents, read: where a repo is, which key signs it, which handles are claimed.

Strategy: a DID document is a stranger's text about itself. It must name the DID it was asked for, and its PDS is the
first service with the right id and type whose endpoint is scheme, host and port alone. The signing key is the first
verification method with the right id that the DID itself controls; a document without a usable key still says where the
repo is, it only cannot be verified. Ids are read in both spellings (`#atproto_pds`, or with the DID before it), because
directories in use give either. did:plc is asked of one directory; did:web of its own host, https, at the well-known
place, and of a bare host only: atproto knows no others. Nothing here asks anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import attrs

from radial_core.identifiers import is_did
from radial_io.atproto.addresses import PUBLIC, Reach, origin
from radial_io.atproto.handles import normal_handle
from radial_io.atproto.keys import SigningKey, read_legacy_key, read_multikey
from radial_io.errors import AddressError, IdentityError, KeyFormatError, quoted

LONGEST_DOCUMENT: Final = 262_144  # bytes

_PLC: Final = re.compile(r"did:plc:[a-z2-7]{24}").fullmatch
_WEB: Final = re.compile(r"did:web:(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)").fullmatch
_PDS_TYPE: Final = "AtprotoPersonalDataServer"
_MULTIKEY: Final = "Multikey"
_MOST_HANDLES: Final = 16
_HANDLE_SCHEME: Final = "at://"


@attrs.frozen
class Identity:
    """What a DID document says that we use.

    `pds` is scheme, host and port. `key` signs the repo's commits; None when the document names none that can be used.
    `handles` are claims of the document alone, in its order; who shows one has to ask the handle's host too.
    """

    did: str
    pds: str
    key: SigningKey | None = None
    handles: tuple[str, ...] = ()


def is_plc(did: str) -> bool:
    """Tell whether a DID is looked up in a directory."""
    return _PLC(did) is not None


def web_host(did: str) -> str | None:
    """Give the host that answers for a did:web; None for every other DID."""
    match = _WEB(did)
    return match["host"] if match else None


def document_url(did: str, plc: str) -> str:
    """Give the URL of a DID's document. Raises `IdentityError` for a DID that atproto does not use."""
    if is_plc(did):
        return f"{plc}/{did}"
    if host := web_host(did):
        return f"https://{host}/.well-known/did.json"
    known = "neither did:plc nor did:web with a bare host" if is_did(did) else "no DID"
    raise IdentityError(f"{quoted(did)} is {known}")


def read_document(document: Any, did: str, reach: Reach = PUBLIC) -> Identity:
    """Read a DID document, given as parsed JSON. Raises `IdentityError` for one without a usable PDS."""
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
    return Identity(did, pds, _key(document, did), _handles(document))


def _key(document: dict[str, Any], did: str) -> SigningKey | None:
    """Give the signing key, when the first method that claims to be it is one that can be used."""
    methods = _named(document, "verificationMethod", f"{did}#atproto", "#atproto")
    method = next((entry for entry in methods if entry.get("controller") == did), {})
    kind, text = method.get("type"), method.get("publicKeyMultibase")
    if not isinstance(kind, str) or not isinstance(text, str):
        return None
    try:
        return read_multikey(text) if kind == _MULTIKEY else read_legacy_key(kind, text)
    except KeyFormatError:
        return None


def _handles(document: dict[str, Any]) -> tuple[str, ...]:
    names = document.get("alsoKnownAs")
    texts = (name for name in (names if isinstance(names, list) else ()) if isinstance(name, str))
    claimed = (normal_handle(text.removeprefix(_HANDLE_SCHEME)) for text in texts if text.startswith(_HANDLE_SCHEME))
    return tuple(islice(dict.fromkeys(filter(None, claimed)), _MOST_HANDLES))


def _named(document: dict[str, Any], part: str, *names: str) -> Iterator[dict[str, Any]]:
    """Give the entries of one part of a document that have one of these ids, in order."""
    entries = document.get(part)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and entry.get("id") in names:
            yield entry
