"""Blobs: the files that records name, from the server of whoever wrote the record.

Strategy: what a blob is, its record says: the hash of its bytes and how many there are; where it is, the author's DID
says at the time of asking. Nothing else is believed: not the address that somebody wrote into a text, not the media
type, neither the record's nor the server's. So the only way in is a `BlobRef`, read from the value of a record. A file
that says it is longer than we take is not asked for; one that is longer than it says is not read to its end; and the
bytes leave here only when they are those that were named.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import attrs

from radial_core.cids import Cid
from radial_io.atproto.answers import ANYTHING
from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver
from radial_io.atproto.moving import where_it_is
from radial_io.atproto.xrpc import MEBIBYTE, Get, Span, XrpcClient
from radial_io.errors import BlobError, quoted

GET_BLOB: Final = "com.atproto.sync.getBlob"
_RAW_CID: Final = b"\x01\x55\x12\x20"  # version 1, raw bytes, SHA-256, 32 bytes: how a blob is named
_CID_BYTES: Final = 36


@attrs.frozen(kw_only=True)
class BlobLimits:
    """What one blob may cost: `longest` bytes, whatever its record says, `seconds` in all, `stall` without a byte."""

    longest: int = 32 * MEBIBYTE
    seconds: float = 300.0
    stall: float = 20.0


@attrs.frozen
class BlobRef:
    """A blob as a record names it: its CID, its size in bytes, and the media type that the author claims."""

    cid: Cid
    size: int
    claimed: str


def read_blob_ref(value: Any) -> BlobRef:
    """Read the blob that stands in a record's value. Raises `BlobError` for one that cannot be checked."""
    fields = value if isinstance(value, dict) else {}
    cid, size, claimed = (fields.get(name) for name in ("ref", "size", "mimeType"))
    if fields.get("$type") != "blob" or not isinstance(cid, Cid) or size.__class__ is not int or size < 0:
        raise BlobError("this is not the name of a blob")
    if len(cid.binary) != _CID_BYTES or not cid.binary.startswith(_RAW_CID):
        raise BlobError(f"the blob {cid} is not named by the SHA-256 of its bytes")
    return BlobRef(cid, size, quoted(claimed) if isinstance(claimed, str) else "")


def is_blob(raw: bytes, blob: BlobRef) -> bool:
    """Tell whether these bytes are the blob."""
    return len(raw) == blob.size and sha256(raw).digest() == blob.cid.binary[len(_RAW_CID) :]


async def fetch_blob(
    did: str, blob: BlobRef, *, client: XrpcClient, resolver: Resolver, limits: BlobLimits | None = None
) -> bytes:
    """Fetch a blob of the author `did` from where their repo is now, and check it.

    Raises `BlobError` for one that is too long, without asking anybody, and for bytes that are others; else a
    `RadialIoError` of the look-up or the request.
    """
    limits = limits or BlobLimits()
    if blob.size > limits.longest:
        raise BlobError(f"the blob {blob.cid} has {blob.size} bytes, and {limits.longest} are taken")
    span = Span(longest=blob.size, seconds=limits.seconds, stall=limits.stall)
    question = Get(GET_BLOB, (("did", did), ("cid", str(blob.cid))))

    async def attempt(identity: Identity) -> bytes:
        raw = await client.collect(identity.pds, question, span, ANYTHING)
        if not is_blob(raw, blob):
            raise BlobError(f"{identity.pds} gave {len(raw)} bytes that are not the blob {blob.cid} of {did}")
        return raw

    return await where_it_is(did, resolver, attempt)
