"""Which pieces of a section are shown, and how much of each, when there is no room for all.

Strategy: pieces are taken by rank until the room is full and shown in their own order. The piece that no longer fits is
cut; what is not even begun is counted, with its bytes, and its record is named as long as there is room for names. A
piece costs what it takes in the longer of the packet's two forms, so that neither form is ever longer than allowed. A
text that cannot fit is not written to find that out: the work is linear in what was handed in.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

import attrs

from radial_core.dispatch.cutting import cut_at
from radial_core.dispatch.markdown import piece_text, section_text
from radial_core.dispatch.piece import Omitted, Piece, Section, byte_length, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHARE_OF_NAMES: Final = 8  # an eighth of the room is kept for the names of what is left out
_KEYS: Final = 100  # bytes, and more, of the keys of a piece in JSON
_AROUND_A_NAME: Final = len('"",')  # as much as `- ` and the end of a line


class Candidate(NamedTuple):
    """A piece that could be shown; of two, the one with the lesser rank is taken first, else the earlier one.

    As much of its text as takes `grant` bytes is shown however short a piece may be, if the section has room for that.
    """

    rank: tuple[int, int]
    piece: Piece
    grant: int = 0


def fill(name: str, candidates: Sequence[Candidate], room: int, longest: int) -> Section:
    """Make a section of at most `room` bytes of these candidates, none longer than `longest` and what it is granted."""
    free = room - _cost_around(Section(name, room, (), _omitted([one.piece for one in candidates])))
    chosen = _choose(candidates, free, longest)
    if len(chosen) < len(candidates):
        chosen = _choose(candidates, free - free // _SHARE_OF_NAMES, longest)
    pieces = tuple(chosen[at] for at in sorted(chosen))
    omitted = _omitted([one.piece for at, one in enumerate(candidates) if at not in chosen])
    left = _records(one.piece for at, one in enumerate(candidates) if at not in chosen)
    names = as_many(left, free - sum(map(cost, pieces)), _AROUND_A_NAME)
    return Section(name, room, pieces, omitted._replace(records=names, unlisted=len(left) - len(names)))


def cost(piece: Piece) -> int:
    """Count the bytes that a piece takes in the longer of the packet's two forms."""
    return max(byte_length(piece_text(piece)), byte_length(written(piece.to_json())) + 1)


def _cost_around(section: Section) -> int:
    return max(byte_length(section_text(section)), byte_length(written(section.to_json())) + 1)


def _choose(candidates: Sequence[Candidate], free: int, longest: int) -> dict[int, Piece]:
    chosen: dict[int, Piece] = {}
    for at in sorted(range(len(candidates)), key=lambda at: candidates[at].rank):
        fitted = fit(candidates[at].piece, min(free, max(longest, _granted(candidates[at]))))
        if fitted is not None:
            chosen[at] = fitted
            free -= cost(fitted)
    return chosen


def _granted(candidate: Candidate) -> int:
    return candidate.grant and cost(attrs.evolve(candidate.piece, text="")) + candidate.grant


def fit(piece: Piece, room: int) -> Piece | None:
    """Give the piece, or as much of it as takes so many bytes; nothing when not a character of its text would fit."""
    if _least(piece) > room:
        return None
    if piece.shown <= room and cost(piece) <= room:
        return piece
    longest = min(len(piece.text) - 1, room)

    def cost_of(length: int) -> int:
        return cost(attrs.evolve(piece, text=piece.text[:length]))

    if longest < 1 or cost_of(1) > room:
        return None
    length = bisect_right(range(1, longest + 1), room, key=cost_of)
    return attrs.evolve(piece, text=piece.text[: cut_at(piece.text, length)])


def _least(piece: Piece) -> int:
    """Bound from below what a piece costs, without writing it: most that do not fit are known by that."""
    named = (piece.uri or "", piece.cid or "", piece.author or "", piece.why, *(str(value) for _, value in piece.marks))
    return _KEYS + sum(map(len, named)) + sum(len(text) for _, text in piece.fields)


def _records(pieces: Iterable[Piece]) -> dict[str, None]:
    return {piece.uri: None for piece in pieces if piece.uri is not None}


def _omitted(pieces: Sequence[Piece]) -> Omitted:
    return Omitted(len(pieces), sum(piece.size for piece in pieces), (), len(_records(pieces)))


def as_many(names: Iterable[str], free: int, around: int) -> tuple[str, ...]:
    """Take names, each of which costs its own length and `around`, as long as so many bytes are free."""
    taken: list[str] = []
    for name in names:
        free -= len(name) + around
        if free < 0:
            break
        taken.append(name)
    return tuple(taken)
