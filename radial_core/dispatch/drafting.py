"""From what an agent said to the record that is written: complete, or not at all.

Strategy: the agent's fields and the daemon's never meet under one name (`submission`), so a record is their sum. It is
judged as a reader will judge it (L1), and as one that has to pass through a server: what is too long for a record goes
into a file beside it, if it is an artifact's body and a summary can stand in its place. The CID of a file is that of
its bytes, so the record is complete before anything was sent. A draft holds what is wrong with it, so that this can be
told together with what others find.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.canonical import cid_of
from radial_core.cids import Cid
from radial_core.dispatch.assignment import COLLECTIONS
from radial_core.dispatch.refusals import Notice, Objection, objection
from radial_core.dispatch.said import copied
from radial_core.dispatch.submission import FIELDS, UNRECORDED
from radial_core.identifiers import StrongRef
from radial_core.jsonform import to_json
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.assignment import Fields
    from radial_core.dispatch.refusals import Named

_RAW_SHA256: Final = b"\x01\x55\x12\x20"
MARKDOWN: Final = "text/markdown"
_MEND: Final = "mend it and submit again"


@attrs.frozen(kw_only=True)
class Bounds:
    """How much a turn may write. All lengths are in bytes.

    `record` bounds the JSON of one record: a server takes 150 KiB in one request, which says a little more. `file`
    bounds a body that goes into a file, `questions` how often the turn may ask. Raises `ValueError` for one below 0.
    """

    record: int = attrs.field(default=148 * 1024, validator=attrs.validators.ge(0))
    file: int = attrs.field(default=5_000_000, validator=attrs.validators.ge(0))
    questions: int = attrs.field(default=8, validator=attrs.validators.ge(0))


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


@attrs.frozen
class Draft:
    """What would be written: the record's `value`, a `file` beside it, or none, and the `faults` that keep it back."""

    value: dict[str, Any] = attrs.field(hash=False)
    file: File | None
    faults: tuple[Named, ...]

    def at(self, uri: str) -> Write:
        """Give the write of a draft that has no fault."""
        return Write(uri, cid_of(self.value), self.value, self.file)


def draft(kind: str, said: Mapping[str, Any], *, fields: Fields, stamp: Stamp, bounds: Bounds) -> Draft:
    """Make the record of a submission: of a copy of what is a field of it, whatever else was sent.

    The names of its faults are `Malformed`, `RecordTooLong` and `BodyTooLong`.
    """
    collection = COLLECTIONS[kind]
    names = [name for name in FIELDS[kind].names if name in said and name not in UNRECORDED]
    spoken = {name: copied(said[name]) for name in names}
    value = {"$type": collection, **_filled(fields), **spoken, **_stamped(stamp)}
    malformed = [
        ("Malformed", Objection(fault.message, fault.path, _MEND)) for fault in structural_faults(collection, value)
    ]
    if _length(value) <= bounds.record:
        return Draft(value, None, tuple(malformed))
    if kind != "artifact" or not isinstance(said.get("body"), str):
        return Draft(value, None, (*malformed, _too_long(value, names, bounds, "the record would be")))
    file = File(said["body"].encode())
    value = {**value, "body": said.get("summary", ""), "bodyBlob": file.blob}
    return Draft(value, file, (*malformed, *_beside(said, value, file, bounds)))


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


def _beside(said: Mapping[str, Any], value: dict[str, Any], file: File, bounds: Bounds) -> Iterator[Named]:
    """Name what keeps a body from going into a file, with the summary in its place in the record."""
    is_long = _length(value) > bounds.record
    if is_long:
        names = [name for name in FIELDS["artifact"].names if name in said and name not in {"body", "addressed"}]
        shown = {**value, "summary": value["body"]}
        yield _too_long(shown, names, bounds, "without its body the record would still be")
    if len(file.content) > bounds.file:
        message = f"has {len(file.content)} bytes; a file may have {bounds.file}"
        yield "BodyTooLong", objection(message, "shorten it, or commit it and link the commit", "body")
    if "summary" not in said and (len(file.content) > bounds.record or not is_long):
        message = f"is missing, and with its body the record would be longer than {bounds.record} bytes"
        remedy = "add a summary: the body then goes into a file beside it; or shorten the body"
        yield "BodyTooLong", objection(message, remedy, "summary")


def _too_long(value: dict[str, Any], names: list[str], bounds: Bounds, what: str) -> Named:
    """Object to the longest of what an agent can shorten."""
    longest = max(names, key=lambda name: _length(value[name]), default=None)
    name = "BodyTooLong" if longest == "body" else "RecordTooLong"
    steps = () if longest is None else (longest,)
    return name, objection(f"{what} longer than {bounds.record} bytes", "shorten it", *steps)


def _length(value: Any) -> int:
    return len(json.dumps(to_json(value), ensure_ascii=False).encode())
