"""From what an agent said to the record that is written: complete, or not at all.

Strategy: the agent's fields and the daemon's never meet under one name (`submission`), so a record is their sum. It is
judged as a reader will judge it (L1), and only then as one that has to pass through a server: what is too long for a
record goes into a file beside it, if it is an artifact's body and a summary can stand in its place. The CID of a file
is that of its bytes, so the record is complete before anything was sent.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.canonical import cid_of
from radial_core.cids import Cid
from radial_core.dispatch.assignment import COLLECTIONS
from radial_core.dispatch.refusals import Notice, Objection, Refusal, gather, refuse
from radial_core.dispatch.submission import UNRECORDED
from radial_core.identifiers import StrongRef
from radial_core.jsonform import to_json
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.dispatch.assignment import Fields

_RAW_SHA256: Final = b"\x01\x55\x12\x20"
MARKDOWN: Final = "text/markdown"
_MEND: Final = "mend it and submit again"


@attrs.frozen(kw_only=True)
class Bounds:
    """How much a turn may write. All lengths are in bytes.

    `record` bounds the JSON of one record: a server takes 150 KiB in one request, which says a little more. `file`
    bounds a body that goes into a file, `questions` how often the turn may ask.
    """

    record: int = 148 * 1024
    file: int = 5_000_000
    questions: int = 8


@attrs.frozen(kw_only=True)
class Stamp:
    """What the daemon knows at the moment of a write: `at` is a datetime (L2), the others as last observed."""

    at: str
    model: str | None
    claim: StrongRef | None


@attrs.frozen
class File:
    """A body that is too long for its record: to be uploaded before the record that refers to it is written."""

    content: bytes = attrs.field(repr=False)
    mime_type: str = MARKDOWN

    @property
    def blob(self) -> dict[str, Any]:
        """The value by which a record refers to it."""
        link = Cid(_RAW_SHA256 + hashlib.sha256(self.content).digest())
        return {"$type": "blob", "ref": link, "mimeType": self.mime_type, "size": len(self.content)}


@attrs.frozen
class Write:
    """The exact record to write: its `value` at its `uri`, the `cid` of that, a `file` to upload first, or none.

    The key is deterministic and the record is made once: it is to be created, never put over another. One that stands
    there already is this very record, written before an answer was lost, or another that fulfilled the same request.
    `addressed` are the findings that its agent says to have taken up: kept beside the record, which says nothing of it.
    """

    uri: str
    cid: str
    value: dict[str, Any] = attrs.field(repr=False, hash=False)
    file: File | None = None
    notices: tuple[Notice, ...] = ()
    addressed: tuple[str, ...] = ()

    @property
    def ref(self) -> StrongRef:
        """How others will refer to it."""
        return StrongRef(self.uri, self.cid)


def draft(
    kind: str, said: Mapping[str, Any], *, uri: str, fields: Fields, stamp: Stamp, bounds: Bounds
) -> Write | Refusal:
    """Make the record of a submission whose shape was judged, or refuse it: `Malformed` or `BodyTooLong`."""
    collection = COLLECTIONS[kind]
    spoken = {name: value for name, value in said.items() if name not in UNRECORDED}
    value = {"$type": collection, **_filled(fields), **spoken, **_stamped(stamp)}
    faults = structural_faults(collection, value)
    refusal = gather(("Malformed", Objection(fault.message, fault.path, _MEND)) for fault in faults)
    if refusal is not None:
        return refusal
    if _length(value) <= bounds.record:
        return _write(uri, value)
    return _beside(kind, said, uri, value, bounds)


def _filled(fields: Fields) -> dict[str, Any]:
    return {name: _reference(value) if isinstance(value, StrongRef) else value for name, value in fields}


def _reference(ref: StrongRef) -> dict[str, str]:
    return {"uri": ref.uri, "cid": ref.cid}


def _stamped(stamp: Stamp) -> dict[str, Any]:
    """C7, N3: the claim and the model where they are known; nothing stands for what is not."""
    known: dict[str, Any] = {"createdAt": stamp.at}
    if stamp.model is not None:
        known["model"] = stamp.model
    if stamp.claim is not None:
        known["claim"] = _reference(stamp.claim)
    return known


def _length(value: dict[str, Any]) -> int:
    return len(json.dumps(to_json(value), ensure_ascii=False).encode())


def _write(uri: str, value: dict[str, Any], file: File | None = None) -> Write:
    return Write(uri, cid_of(value), value, file)


def _beside(kind: str, said: Mapping[str, Any], uri: str, value: dict[str, Any], bounds: Bounds) -> Write | Refusal:
    """Put the body of an artifact into a file, with the summary in its place."""
    if kind != "artifact":
        message = f"the record would be longer than {bounds.record} bytes"
        return refuse("BodyTooLong", message, "shorten it")
    if "summary" not in said:
        message = f"the record would be longer than {bounds.record} bytes"
        return refuse("BodyTooLong", message, "add a summary: the body then goes into a file beside it", "body")
    file = File(said["body"].encode())
    if len(file.content) > bounds.file:
        message = f"the body has {len(file.content)} bytes; a file may have {bounds.file}"
        return refuse("BodyTooLong", message, "shorten it, or commit it and link the commit", "body")
    shorter = {**value, "body": said["summary"], "bodyBlob": file.blob}
    if _length(shorter) > bounds.record:
        message = f"without its body the record would still be longer than {bounds.record} bytes"
        return refuse("BodyTooLong", message, "shorten the summary, the criteria and the links")
    return _write(uri, shorter, file)
