"""Files on their way to the author's server: checked before, verified after, not sent twice; and long bodies.

Strategy: a file is named by its bytes, so what the server answers is compared with what we sent, and uploading again
makes no second file; but it costs as much as the first time. So it is remembered, beside the outbox, which files are at
the server, and one that was brought within the last hour is not brought again. A file counts for nothing until a record
names it: servers let go of those that none does, and a write that fails for that forgets what was remembered.

A body over the ceiling of a record becomes a file, whole; the record keeps its beginning, up to where a paragraph or a
line ends, and says that there is more (RAD-4.18). The ceiling is measured as the text is sent, in JSON.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import attrs

from radial_core.cids import Cid
from radial_core.jsonform import JsonError, from_json
from radial_io.accounts.session import Session
from radial_io.atproto.blobs import is_blob, read_blob_ref
from radial_io.atproto.procedures import Answer, Procedure
from radial_io.errors import BlobError, RateLimitError, RefusedError, RequestError, UnreachableError
from radial_io.store.outbox import open_outbox
from radial_io.writing.errors import WriteRefusedError
from radial_io.writing.pictures import require_picture
from radial_io.writing.writer import Manners

UPLOAD: Final = "com.atproto.repo.uploadBlob"
_RAW: Final = b"\x01\x55\x12\x20"  # version 1, raw bytes, SHA-256, 32 bytes
_REMEMBERED: Final = timedelta(hours=1)
_SECONDS: Final = 300.0
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500

CEILING: Final = 100_000  # bytes of a body in JSON; a request has 153,600 for the whole record
SUMMARY: Final = 2_000  # characters


@attrs.frozen
class LongBody:
    """A body that is too long for a record: the `summary` that stands in the record, and the file with the whole."""

    summary: str
    raw: bytes = attrs.field(repr=False)
    kind: str = "text/markdown"


async def upload_blob(
    raw: bytes, kind: str, *, session: Session, store: Path, manners: Manners | None = None
) -> dict[str, Any]:
    """Upload a file; give the blob as a record holds it (`$type`, `ref`, `mimeType`, `size`).

    One that this outbox knows to be at the server is not uploaded again. Raises `BlobError` where the server names
    other bytes, `WriteRefusedError`, `SessionEndedError`, or a `RequestError` when it does not work out for now.
    """
    cid = Cid(_RAW + sha256(raw).digest())
    with open_outbox(store) as outbox:
        now = datetime.now(UTC)
        outbox.forget_uploads(session.did, _moment(now - _REMEMBERED))
        if outbox.upload(session.did, str(cid), kind) is not None:
            return {"$type": "blob", "ref": cid, "mimeType": kind, "size": len(raw)}
        answer = await _uploaded(Procedure(UPLOAD, raw, kind), session, manners or Manners())
        blob = _verified(answer, raw, session.pds)
        outbox.note_upload(session.did, str(cid), blob["mimeType"], _moment(now))
    return blob


async def upload_picture(
    raw: bytes, *, session: Session, store: Path, manners: Manners | None = None
) -> dict[str, Any]:
    """Upload a picture of one of the four kinds, told by its own bytes (RAD-4.24).

    Raises `BlobError` for whatever is none, else as `upload_blob` does.
    """
    kind = require_picture(raw)
    blob = await upload_blob(raw, kind, session=session, store=store, manners=manners)
    if blob["mimeType"] != kind:
        raise BlobError(f"{session.pds} takes a picture of {kind} for {blob['mimeType']}")
    return blob


async def _uploaded(procedure: Procedure, session: Session, manners: Manners) -> Answer:
    """Send a file until the server takes it: twice is once."""
    attempt = 0
    while True:
        attempt += 1
        answer, trouble = await _attempted(procedure, session)
        if trouble is None:
            return answer
        if attempt >= manners.patience.attempts:
            raise trouble
        await manners.sleep(manners.wait(attempt, answer.asked, session.pds))


async def _attempted(procedure: Procedure, session: Session) -> tuple[Answer, RequestError | None]:
    """Send a file once; give with the answer what may pass. Raises for what will not."""
    try:
        answer = await session.call(procedure, seconds=_SECONDS)
    except UnreachableError as error:
        return Answer(0, {}), error
    if answer.is_good:
        return answer, None
    if answer.status == _TOO_MANY:
        return answer, RateLimitError(session.pds, answer.status, answer.asked)
    if answer.status >= _SERVER_ERROR:
        return answer, RefusedError(session.pds, answer.status, answer.name, answer.message)
    raise _refusal(answer, session.pds)


def _refusal(answer: Answer, server: str) -> WriteRefusedError:
    said = ": ".join(part for part in (answer.name, answer.message) if part) or "no reason given"
    return WriteRefusedError(
        f"{server} does not take the file: status {answer.status} ({said})", answer.status, answer.name
    )


def _verified(answer: Answer, raw: bytes, server: str) -> dict[str, Any]:
    """Read the blob that the server names. Raises `BlobError` unless it is the file that it was sent."""
    try:
        blob = from_json(answer.value.get("blob"))
    except JsonError as error:
        raise BlobError(f"{server} names no blob") from error
    if not is_blob(raw, read_blob_ref(blob)) or not isinstance(blob.get("mimeType"), str):
        raise BlobError(f"{server} names another file than it was sent")
    return {name: blob[name] for name in ("$type", "ref", "mimeType", "size")}


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def long_body(text: str) -> LongBody | None:
    """Give how a body is written that is over the ceiling of a record; None for one that fits."""
    if len(json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")) <= CEILING:
        return None
    raw = text.encode()
    return LongBody(
        f"{_beginning(text)}\n\n*(The whole text, {len(raw):,} bytes, is in the file of this record.)*", raw
    )


def _beginning(text: str) -> str:
    """Cut a text where a paragraph ends, else a line, else a word; not in its first half."""
    head = text[:SUMMARY]
    for end in ("\n\n", "\n", " "):
        place = head.rfind(end, SUMMARY // 2)
        if place > 0:
            return head[:place].rstrip()
    return head
