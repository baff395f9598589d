"""What a turn is told, as one value: sections of pieces, and what the packet says of itself.

Strategy: a packet is a value, and its JSON, its Markdown and its CID are functions of it. It names what it was compiled
from, what it lacks (partial) and what its compiler had not read (stale): two facts, either without the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

from radial_core.canonical import cid_of
from radial_core.dispatch import markdown
from radial_core.dispatch.piece import Piece, Section, written
from radial_core.identifiers import StrongRef

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT: Final = 1


class Amounts(NamedTuple):
    """How much of a packet is not here."""

    omitted_pieces: int
    omitted_bytes: int
    cut_pieces: int
    cut_bytes: int


@attrs.frozen(kw_only=True)
class Bundle:
    """A context packet: what the turn for one request is told.

    `subjects` are the request and the records that it names, in the versions that count. `behind` are repos of which
    whoever compiled the packet knows that it has not read all, or nothing if nobody looked: freshness, which says
    nothing about completeness.
    """

    request: StrongRef
    subjects: tuple[StrongRef, ...]
    space: str
    project: StrongRef
    goal: StrongRef | None
    limit: int
    sections: tuple[Section, ...]
    notices: tuple[str, ...]
    behind: tuple[str, ...] | None
    behind_unlisted: int

    def section(self, name: str) -> Section:
        """Give the section of a name; `KeyError` when there is none."""
        return {section.name: section for section in self.sections}[name]

    def pieces(self) -> Iterator[Piece]:
        """Give all pieces in order."""
        for section in self.sections:
            yield from section.pieces

    @property
    def amounts(self) -> Amounts:
        """How much was left out, and how much was cut off what is here."""
        cut = [piece.size - piece.shown for piece in self.pieces() if piece.is_cut]
        omitted = [section.omitted for section in self.sections]
        return Amounts(sum(one.pieces for one in omitted), sum(one.bytes for one in omitted), len(cut), sum(cut))

    @property
    def is_partial(self) -> bool:
        """Whether anything was left out or cut."""
        return any(self.amounts)

    @property
    def is_stale(self) -> bool | None:
        """Whether some repo is ahead of what the packet was compiled from; `None` when nobody knows."""
        return None if self.behind is None else bool(self.behind) or self.behind_unlisted > 0

    @property
    def cid(self) -> str:
        """The packet's revision: the CID of what it tells. How fresh that is has no part in it."""
        return cid_of(self._told())

    def _told(self) -> dict[str, Any]:
        amounts = self.amounts
        return {
            "format": FORMAT,
            "sections": [section.to_json() for section in self.sections],
            "request": self.request._asdict(),
            "space": self.space,
            "project": self.project._asdict(),
            "goal": None if self.goal is None else self.goal._asdict(),
            "limit": self.limit,
            "partial": self.is_partial,
            "omitted": {"pieces": amounts.omitted_pieces, "bytes": amounts.omitted_bytes},
            "cut": {"pieces": amounts.cut_pieces, "bytes": amounts.cut_bytes},
            "notices": list(self.notices),
        }

    def to_json(self) -> dict[str, Any]:
        """Give the packet as JSON, with its revision and how fresh it is; what changes least stands first."""
        told = self._told()
        behind = {"repos": list(self.behind or ()), "unlisted": self.behind_unlisted}
        return {"packet": told, "revision": cid_of(told), "stale": self.is_stale, "behind": behind}

    def to_markdown(self) -> str:
        """Give the content of `bundle.md`."""
        return markdown.to_markdown(self)

    def to_json_text(self) -> str:
        """Give the content of `bundle.json`: one line, no byte of it left to chance."""
        return written(self.to_json()) + "\n"
