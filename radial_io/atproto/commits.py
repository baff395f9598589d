"""Commits: the signed roots of repos.

Strategy: a commit proves as much as is checked of it. Its bytes have the hash they are named by, are in the one
spelling, say version 3, name the DID and a rev that is not in the future (such a one would outrank all that is yet to
come), and the account's key signed the same map without its `sig`. Only the last may turn out otherwise when it is
checked again, against a key looked up afresh: it has an error of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final

import attrs

from radial_core.canonical import encode
from radial_core.cids import Cid
from radial_core.identifiers import is_tid
from radial_core.instants import parse_instant
from radial_io.atproto.dagcbor import DAG_CBOR_CID, decode
from radial_io.atproto.keys import SigningKey
from radial_io.errors import CommitError, DagCborError, SignatureError, quoted

_VERSION: Final = 3
_DEPTH: Final = 8
_SIGNATURE_BYTES: Final = 64
_EPOCH: Final = parse_instant("1970-01-01T00:00:00Z")
_ALPHABET: Final = "234567abcdefghijklmnopqrstuvwxyz"
_TID_LENGTH: Final = 13
_CLOCK_BITS: Final = 10  # of a TID, behind its microseconds


@attrs.frozen
class Commit:
    """A commit: its own `cid`, whose it is, its rev, the root of its tree (`data`), the commit before it if it says."""

    cid: Cid
    did: str
    rev: str
    data: Cid
    prev: Cid | None


def latest_rev(now: str, *, lead: int = 300) -> str:
    """Give the greatest rev that is not in the future at `now`, an atproto datetime.

    `lead` is how many seconds the clocks of others may be ahead. Raises `ValueError` for what is no datetime.
    """
    seconds, digits = parse_instant(now)
    microseconds = (seconds - _EPOCH.seconds + lead) * 10**6 + int(digits[:6].ljust(6, "0"))
    number = max(0, (microseconds + 1 << _CLOCK_BITS) - 1)
    return "".join(_ALPHABET[number >> 5 * place & 31] for place in reversed(range(_TID_LENGTH)))


def verify_commit(block: bytes, cid: Cid, *, did: str, key: SigningKey, latest: str) -> Commit:
    """Read a commit and check it: hash, form, DID, rev (not after `latest`), signature.

    Raises `CommitError`; `SignatureError` when nothing but the signature is wrong.
    """
    if cid.binary != DAG_CBOR_CID + sha256(block).digest():
        raise CommitError("the commit is not what its CID says")
    value = _value(block)
    if value.get("did") != did:
        raise CommitError(f"a commit of {quoted(value.get('did'))}, not of {did}")
    if value["rev"] > latest:
        raise CommitError(f"the rev {value['rev']} is in the future")
    signature = value.pop("sig")
    if not key.verifies(encode(value), signature):
        raise SignatureError(f"the commit {cid} of {did} is not signed by its key")
    return Commit(cid, did, value["rev"], value["data"], value["prev"])


def _value(block: bytes) -> dict[str, Any]:
    """Read the fields of a commit and check that each is what it must be."""
    try:
        value = decode(block, max_depth=_DEPTH)
    except DagCborError as error:
        raise CommitError(f"the commit is no canonical DAG-CBOR: {error}") from error
    if not isinstance(value, dict) or value.get("version") != _VERSION:
        raise CommitError("no commit of version 3")
    for name, is_right in _FIELDS.items():
        if name not in value or not is_right(value[name]):
            raise CommitError(f"a commit whose `{name}` is missing or not what it must be")
    return value


_FIELDS: Final[dict[str, Callable[[Any], bool]]] = {
    "did": lambda item: isinstance(item, str),
    "rev": lambda item: isinstance(item, str) and is_tid(item),
    "data": lambda item: isinstance(item, Cid) and item.binary.startswith(DAG_CBOR_CID),
    "prev": lambda item: item is None or isinstance(item, Cid),
    "sig": lambda item: isinstance(item, bytes) and len(item) == _SIGNATURE_BYTES,
}
