"""Bodies: the words of a record, or the file that it names when they were too long for it.

Strategy: whose record counts decides whose file is fetched. A file may be of any type, so what comes out are bytes; it
is text when it is UTF-8, whatever its media type says.
"""

from __future__ import annotations

from typing import Final

import attrs

from radial_core import Index
from radial_io.atproto.blobs import BlobLimits, BlobRef, read_blob_ref
from radial_io.errors import BlobError
from radial_io.viewing.files import Files

LIMITS: Final = BlobLimits()


@attrs.frozen
class Body:
    """What a record says: its `text`, which is a summary when there is a `blob` with the whole."""

    uri: str
    author: str
    text: str
    blob: BlobRef | None


def find_body(uri: str, index: Index) -> Body | None:
    """Find the body of a record that counts; None when it does not count or has none. Nobody is asked.

    Raises `BlobError` when it names a file that cannot be checked.
    """
    entry = index.entry(uri)
    text = entry.value.get("body") if entry is not None else None
    if entry is None or not isinstance(text, str):
        return None
    named = entry.value.get("bodyBlob")
    return Body(uri, entry.did, text, None if named is None else read_blob_ref(named))


async def fetch_body(body: Body, files: Files) -> bytes:
    """Give the whole body. Raises `BlobError`, or a `RadialIoError` of the look-up or the request."""
    if body.blob is None:
        return body.text.encode()
    return await files.fetch(body.author, body.blob, LIMITS)


def text_of(raw: bytes) -> str:
    """Read a body as text. Raises `BlobError` for one that is none."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BlobError(f"a body that is no text: byte {error.start + 1} of {len(raw)} is not UTF-8") from error
