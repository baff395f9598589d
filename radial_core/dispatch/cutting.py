"""Shortening a text where a reader would: at a code point, and where it is cheap between characters.

Strategy: a cut keeps a prefix and adds nothing to it; that something is missing is said beside the text, never in it.
Python's strings know no halves of surrogate pairs, so a cut between code points is one between whole characters of
UTF-8. A cut that would part a letter from its marks, or a family of emoji, moves back a little, if not too far.
"""

from __future__ import annotations

from typing import Final

from radial_core.lexicon.graphemes import count_graphemes

_FARTHEST: Final = 32  # code points that a cut moves back for the sake of a whole character


def boundary(text: str, end: int) -> int:
    """Give the last place at or before `end` that parts no character, as far as 32 code points can tell."""
    for at in range(end, max(0, end - _FARTHEST), -1):
        window = text[max(0, at - _FARTHEST) : at]
        if count_graphemes(window + text[at : at + 1]) > count_graphemes(window):
            return at
    return end


def clipped(text: str, most: int) -> str:
    """Give the longest prefix of at most so many bytes that ends between characters (see `boundary`)."""
    if len(text) <= most and len(text.encode()) <= most:
        return text
    kept = text[:most].encode()[:most].decode(errors="ignore")
    return text[: boundary(text, len(kept))]
