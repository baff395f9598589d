"""What an agent said, as a value: a copy that nobody else can change, and whether a text says anything.

Strategy: what was judged is what is written, so it is copied once and shares nothing with whoever handed it in. A text
says something if anything of it could be seen: spaces, ends of lines, control characters, marks on nothing and the few
letters that are blank say nothing, however many there are.
"""

from __future__ import annotations

import unicodedata
from typing import Any, Final, cast

# Format and control characters, separators, marks that do not stand alone. What is not assigned yet
# may be a new letter.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs", "Me", "Mn"})
_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol by category, and nothing to see


def says_something(text: str) -> bool:
    """Tell whether there is anything to see in a text."""
    return any(unicodedata.category(character) not in _UNSEEN and character not in _BLANKS for character in text)


def copied(value: Any) -> Any:
    """Copy a value of atproto data, bounded in depth (L6), so that its objects and arrays are nobody else's."""
    if isinstance(value, dict):
        return {name: copied(inner) for name, inner in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [copied(inner) for inner in cast("list[object]", value)]
    return value
