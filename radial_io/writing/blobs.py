"""Files on their way to the author's server: checked before, verified after, not sent twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from radial_io.accounts.session import Session


async def upload_blob(raw: bytes, kind: str, *, session: Session, store: Path) -> dict[str, Any]:
    """Upload a file; give the blob as a record holds it (`$type`, `ref`, `mimeType`, `size`).

    One that this outbox knows to be at the server is not uploaded again. Raises `BlobError` where the server names other
    bytes, `UploadError`, or as `execute` does.
    """
    raise NotImplementedError


async def upload_picture(raw: bytes, *, session: Session, store: Path) -> dict[str, Any]:
    """Upload a picture of one of the four kinds, told by its own bytes (RAD-4.24). Raises `BlobError` for others."""
    raise NotImplementedError


@attrs.frozen
class LongBody:
    """A body that is too long for a record: the `summary` that stands in the record, and the file with the whole."""

    summary: str
    raw: bytes = attrs.field(repr=False)


def long_body(text: str) -> LongBody | None:
    """Give how a body is written that is over the ceiling of a record; None for one that fits (RAD-4.18)."""
    raise NotImplementedError
