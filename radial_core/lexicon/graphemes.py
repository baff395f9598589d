"""Counting what a reader would call characters.

Strategy: the boundaries of UAX #29 as far as `unicodedata` can tell them, because a full table would be a dependency
or a large file for a limit that none of our own lexicons uses. Joined to what stands before them are: combining marks,
variation selectors, emoji modifiers and tags, joiners and whatever symbol follows one, the second of two regional
indicators, the later jamo of a Hangul syllable, and a line feed after a carriage return. Not known are the prepended
marks and the conjuncts of some Indic scripts. Verdicts may differ between Unicode versions; no digest depends on one.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_ZERO_WIDTH_JOINER: Final = "\u200d"
_MARKS: Final = frozenset({"Mn", "Mc", "Me"})
_SYMBOLS: Final = frozenset({"So", "Sm", "Sk"})
# Joined to their predecessor though their category does not say so.
_EXTENDING: Final = (
    ("\u1160", "\u11ff"),  # vowels and finals of Hangul
    ("\u200c", "\u200d"),  # joiners
    ("\ud7b0", "\ud7fb"),  # more vowels and finals of Hangul
    ("\U0001f3fb", "\U0001f3ff"),  # skin tones
    ("\U000e0020", "\U000e007f"),  # tags, as in the flags of regions
)


def count_graphemes(text: str) -> int:
    """Count the extended grapheme clusters of a text (an approximation: see the strategy)."""
    if text.isascii():
        return len(text) - text.count("\r\n")
    count, previous, flags = 0, "", 0
    for character in text:
        flags = flags + 1 if _is_flag_half(character) else 0
        joined = _extends(character) or _joins(previous, character) or (flags > 0 and flags % 2 == 0)
        count += not (previous and joined)
        previous = character
    return count


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _extends(character: str) -> bool:
    return unicodedata.category(character) in _MARKS or any(first <= character <= last for first, last in _EXTENDING)


def _joins(previous: str, character: str) -> bool:
    if previous == _ZERO_WIDTH_JOINER:
        return unicodedata.category(character) in _SYMBOLS
    return previous == "\r" and character == "\n"
