"""A piece of a packet: somebody's words, and where they are from; and a section of such.

Strategy: what the fold says of a record (`marks`) and what its author wrote (`fields`, `text`) never mix. A piece says
how long the words are and how much of them is here; a section says what it left out.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeAlias

import attrs

Mark: TypeAlias = str | int | bool


def byte_length(text: str) -> int:
    """Count the bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def counted(number: int, noun: str) -> str:
    """Spell a number of things: `1 piece`, `2 pieces`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _own_length(piece: Piece) -> int:
    return byte_length(piece.text) + sum(byte_length(text) for _, text in piece.fields)


@attrs.frozen(kw_only=True)
class Piece:
    """Somebody's words, and where they are from.

    `uri` and `cid` are the record and the version that counts, `author` is the DID that signed it; a text that is built
    into Radial has none of them. Of what does not count here they say what is known: the version that whoever named it
    saw, if any, and the DID in the URI, if there is one. `part` is a JSON pointer into the record's value. `marks` are
    what the fold says; `fields` (short) and `text` are the author's. `size` is the bytes of both as they were written,
    `shown` those that are here.
    """

    uri: str | None
    cid: str | None
    author: str | None
    kind: str
    part: str
    why: str
    marks: tuple[tuple[str, Mark], ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    text: str = ""
    size: int = attrs.field(default=attrs.Factory(_own_length, takes_self=True))

    @property
    def shown(self) -> int:
        """The bytes of the author's words that are here."""
        return _own_length(self)

    @property
    def is_cut(self) -> bool:
        """Whether fewer bytes are here than were written."""
        return self.shown < self.size

    def to_json(self) -> dict[str, Any]:
        """Give the piece as JSON."""
        return {
            "uri": self.uri,
            "cid": self.cid,
            "author": self.author,
            "kind": self.kind,
            "part": self.part,
            "why": self.why,
            "marks": dict(self.marks),
            "fields": dict(self.fields),
            "text": self.text,
            "size": self.size,
            "shown": self.shown,
            "cut": self.is_cut,
        }


class Omitted(NamedTuple):
    """What a section leaves out: how many pieces, of how many bytes, of which records, and how many more records."""

    pieces: int = 0
    bytes: int = 0
    records: tuple[str, ...] = ()
    unlisted: int = 0


@attrs.frozen
class Section:
    """Pieces of one sort. `room` bounds the bytes of the section in either form."""

    name: str
    room: int
    pieces: tuple[Piece, ...]
    omitted: Omitted

    def to_json(self) -> dict[str, Any]:
        """Give the section as JSON."""
        pieces = [piece.to_json() for piece in self.pieces]
        omitted = self.omitted._asdict() | {"records": list(self.omitted.records)}
        return {"name": self.name, "room": self.room, "pieces": pieces, "omitted": omitted}


def written(value: Any) -> str:
    """Write JSON in the one way of the packets: no spaces, no escapes but the necessary ones, keys as they come."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
