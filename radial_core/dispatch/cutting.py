"""Shortening a text where a reader would: between characters where that is cheap, and in no fenced block of code.

Strategy: a cut keeps a prefix and adds nothing to it; that something is missing is said beside the text, never in it.
Python's strings know no halves of surrogate pairs, so a cut between code points is one between whole characters of
UTF-8. A cut that would part a letter from its marks, or a family of emoji, moves back a little, if not too far. One
that would leave a block of code open moves back to before it, if that keeps half, else to the end of a line in it.
"""

from __future__ import annotations

from typing import Final

from radial_core.dispatch.fences import opened_before
from radial_core.lexicon.graphemes import count_graphemes

_FARTHEST: Final = 32  # code points that a cut moves back for the sake of a whole character
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")  # halves of flags: which of two is the first, only the run before tells


def cut_at(text: str, end: int) -> int:
    """Give the place, at or before `end`, at which a text is cut: half of `end` is kept, less 32 code points."""
    at = boundary(text, end)
    opened = opened_before(text, at)
    if opened is None:
        return at
    line = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    return next((place for place in (opened, line) if 2 * place >= at), at)


def boundary(text: str, end: int) -> int:
    """Give the last place at or before `end` that parts no character, as far as 32 code points can tell."""
    for at in range(end, max(0, end - _FARTHEST), -1):
        if _begins(text, at):
            return at
    return end


def _begins(text: str, at: int) -> bool:
    """Tell whether a character begins at a place: all but the halves of flags are told by the one code point before."""
    here = text[at : at + 1]
    before = text[max(0, at - (_FARTHEST if _FLAGS[0] <= here <= _FLAGS[1] else 1)) : at]
    return count_graphemes(before + here) > count_graphemes(before)


def clipped(text: str, most: int) -> str:
    """Give the longest prefix of at most so many bytes that ends between characters (see `boundary`)."""
    if len(text) <= most and len(text.encode()) <= most:
        return text
    kept = text[:most].encode()[:most].decode(errors="ignore")
    return text[: boundary(text, len(kept))]
