"""The pictures that a packet's texts refer to, each once, with what is needed to get it (M4).

Strategy: only what is shown is searched, in the order in which it is shown. A text names a picture's record and nothing
else; whether that record counts here, and which blob it names, the index says. Here is the space of the request: a
picture by a member of another space alone is none. Nothing is fetched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.dispatch.choosing import Candidate
from radial_core.dispatch.quoting import quote, unheld_piece
from radial_core.images import image_locators

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.dispatch.piece import Piece
    from radial_core.index import Index


def pictures(index: Index, space: str, shown: Iterable[Piece]) -> list[Candidate]:
    """Give a candidate for each picture, in the order of first appearance; `space` is the one it is told in."""
    first: dict[str, Piece] = {}
    for piece in shown:
        for locator in image_locators(piece.text):
            first.setdefault(locator.uri, piece)
    return [Candidate((0, at), _picture(index, space, *named)) for at, named in enumerate(first.items())]


def _picture(index: Index, space: str, uri: str, piece: Piece) -> Piece:
    why = f"{piece.uri or 'a template'} refers to it"
    entry = index.entry(uri)
    if entry is None or space not in index.filing.spaces_of(entry.did):
        return unheld_piece(uri, None, f"{why}; it does not count here", "image")
    blob = entry.value["blob"]
    marks = (("blob", str(blob["ref"])), ("type", blob["mimeType"]), ("bytes", blob["size"]))
    fields = (("alt", entry.record.alt), ("name", entry.record.name))
    return quote(entry, "", why, text="", fields=fields, marks=marks)
