"""Pictures that prose refers to: from a locator to bytes, and no other way.

Strategy: the steps go in one direction. A locator names a record; the record has to count in the index, so its author
is a member and it is well-formed (L1, T7); the record names the blob; the blob is asked for at the author's own server
and has to be what the record says; and its beginning has to be that of a picture. A text cannot shorten the way: a DID,
a CID or an address that stands in it is never read as the name of anything. What is found on the way is a value, also
when it is nothing, so that whoever draws can say what is missing.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import attrs

from radial_core import Index
from radial_core.identifiers import record_parts
from radial_core.images import ImageLocator, image_locators
from radial_core.records import PREFIX
from radial_io.atproto.blobs import BlobLimits, BlobRef, read_blob_ref
from radial_io.errors import BlobError
from radial_io.viewing.containers import container_of
from radial_io.viewing.files import Files

LIMITS: Final = BlobLimits(longest=10_000_000)  # as the lexicon says
_COLLECTION: Final = f"{PREFIX}image"


@attrs.frozen
class Picture:
    """A picture whose record counts: who published it, its blob, and what its record says of it."""

    uri: str
    cid: str
    author: str
    blob: BlobRef
    alt: str | None
    name: str | None


@attrs.frozen
class Missing:
    """A picture that is not to be had, and why, in words."""

    uri: str
    reason: str


Found: TypeAlias = Picture | Missing


@attrs.frozen
class Bytes:
    """A picture's bytes, checked, and the media type that they say themselves."""

    raw: bytes
    kind: str


def find_picture(uri: str, index: Index) -> Found:
    """Find the picture whose record has this URI, if it counts (M4). Nobody is asked."""
    parts = record_parts(uri)
    if parts is None or parts[1] != _COLLECTION:
        return Missing(uri, "this is not the URI of an image record")
    entry = index.entry(uri)
    if entry is None:
        return Missing(uri, " ".join(index.explain(uri).sentences))
    try:
        blob = read_blob_ref(entry.value.get("blob"))
    except BlobError as error:
        return Missing(uri, str(error))
    return Picture(uri, entry.cid, entry.did, blob, entry.value.get("alt"), entry.value.get("name"))


def pictures_in(text: str, index: Index) -> tuple[tuple[ImageLocator, Found], ...]:
    """Find the pictures that a text refers to, in the order in which it does. Nobody is asked."""
    return tuple((locator, find_picture(locator.uri, index)) for locator in image_locators(text))


async def fetch_picture(picture: Picture, files: Files) -> Bytes:
    """Fetch a picture and check it. Raises `BlobError` for what is none, else as `Files.fetch` does."""
    raw = await files.fetch(picture.author, picture.blob, LIMITS)
    return Bytes(raw, container_of(raw))
