"""Files that records name: a long text, a picture.

Strategy: a blob is named by the hash of its bytes, so its value is known before it is uploaded, and the record that
will name it can be shown, judged and foreseen first. What a picture is, its own bytes say (RAD-4.24).
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from radial_cli.acting.prepared import Upload
from radial_cli.exits import USAGE, Failure
from radial_cli.untrusted import file_name
from radial_core.cids import Cid
from radial_io.errors import BlobError
from radial_io.writing.pictures import MOST_BYTES, require_picture

_RAW_CID: Final = b"\x01\x55\x12\x20"  # version 1, raw bytes, SHA-256, 32 bytes


def blob_value(upload: Upload) -> dict[str, Any]:
    """Give the blob as a record names it."""
    return {
        "$type": "blob",
        "ref": Cid(_RAW_CID + sha256(upload.raw).digest()),
        "mimeType": upload.kind,
        "size": len(upload.raw),
    }


def picture(name: str) -> Upload:
    """Read a picture. Raises `Failure` for a file that cannot be read, is none, or is too long."""
    shown = file_name(name)
    try:
        with Path(name).open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise Failure(f"{shown} cannot be read: {error.strerror or error}", status=USAGE) from error
    try:
        kind = require_picture(raw)
    except BlobError as error:
        raise Failure(f"{shown}: {error}", "Its own bytes decide, not its name: PNG, JPEG, WebP or GIF.") from error
    return Upload(raw, kind)
