"""From a record that counts to a piece: which of its fields are its text, which are short, which the fold has checked.

Strategy: one table, a row for each kind of record that a packet quotes. A kind without a row is named with the date of
its record and nothing more. Short fields are cut at 512 bytes, so that a title cannot be a body; what they lose counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core.dispatch.cutting import clipped
from radial_core.dispatch.piece import Mark, Piece, byte_length
from radial_core.identifiers import AtUri, is_did
from radial_core.records import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from radial_core.entries import Entry

    Marks: TypeAlias = Sequence[tuple[str, Mark]]

LONGEST_FIELD: Final = 512


class Shape(NamedTuple):
    """The field that holds a record's text, if any, and its short fields; a slash leads into an object."""

    text: str | None
    fields: tuple[str, ...]


_PLAIN: Final = Shape(None, ("createdAt",))
_SHAPES: Final = {
    "artifact": Shape(
        "body", ("createdAt", "type", "title", "model", "links/branch", "links/commit", "links/pr")
    ),
    "artifactRequest": Shape("brief", ("createdAt", "type")),
    "blessComment": Shape("body", ("createdAt",)),
    "goal": Shape("body", ("createdAt", "title")),
    "message": Shape("body", ("createdAt", "model")),
    "review": Shape(None, ("createdAt", "model")),
}  # fmt: skip


def record_piece(entry: Entry[Any], why: str, marks: Marks = ()) -> Piece:
    """Quote a record as a whole."""
    shape = _SHAPES.get(entry.record.kind, _PLAIN)
    fields = ((name.rpartition("/")[2], _at(entry.value, name)) for name in shape.fields)
    text = None if shape.text is None else entry.value.get(shape.text)
    part = "" if text is None else f"/{shape.text}"
    return quote(entry, part, why, text=text or "", fields=fields, marks=(*marks, *_blob_marks(entry)))


def quote(
    entry: Entry[Any],
    part: str,
    why: str,
    *,
    text: str,
    fields: Iterable[tuple[str, str | None]] = (),
    marks: Marks = (),
    kind: str | None = None,
) -> Piece:
    """Quote a part of a record; fields that are nothing are left out."""
    given = [(name, value) for name, value in fields if value is not None]
    return Piece(
        uri=entry.uri,
        cid=entry.cid,
        author=entry.did,
        kind=kind or entry.record.kind,
        part=part,
        why=why,
        marks=tuple(marks),
        fields=tuple((name, clipped(value, LONGEST_FIELD)) for name, value in given),
        text=text,
        size=byte_length(text) + sum(byte_length(value) for _, value in given),
    )


def _at(value: Any, path: str) -> str | None:
    *outer, last = path.split("/")
    for name in outer:
        value = value.get(name, {})
    found: str | None = value.get(last)
    return found


def _blob_marks(entry: Entry[Any]) -> Marks:
    """Name the blob that holds a body too long for its record, which then holds a summary; artifacts alone have one."""
    blob = entry.value.get("bodyBlob") if entry.record.__class__ is Artifact else None
    return () if blob is None else (("whole text in blob", str(blob["ref"])), ("bytes of the blob", blob["size"]))


def unheld_piece(uri: str, cid: str | None, why: str, kind: str) -> Piece:
    """Name a record that does not count here: no words, and no author but the DID in its URI."""
    authority = AtUri.parse(uri).authority
    author = authority if is_did(authority) else None  # O6: a handle is nobody's DID
    return Piece(uri=uri, cid=cid, author=author, kind=kind, part="", why=why)
