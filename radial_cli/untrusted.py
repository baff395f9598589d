r"""Text that others wrote, made fit for a terminal.

Strategy: nothing is dropped and nothing is obeyed. Characters that move the cursor, recolour, reorder or hide text are
spelled out (`\x1b`, `\u202e`), so that a reader sees that they are there and a terminal does not. What remains may be
any letter of any script; the two joiners stay, because Persian and emoji families are written with them.
"""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but for tab and newline, C1 with its second CSI among them
    "\xad\u061c\u180e"  # soft hyphen, Arabic and Mongolian marks
    "\u200b\u200e\u200f\u2028-\u202e"  # zero width space, direction marks, separators, bidi embeddings and overrides
    "\u2060-\u206f\ufeff\ufff9-\ufffb"  # word joiner to bidi isolates, byte order mark, annotations
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U00013430-\U0001343f"  # controls of shorthand, music, hieroglyphs
    "\U000e0000-\U000e0fff"  # tags and variation selectors that spell hidden text
    "\ud800-\udfff"  # halves of surrogate pairs, as file names may hold
    "]"
)
_GAPS: Final = re.compile(r"\s+")


def visible(text: str) -> str:
    """Spell out what a terminal would act upon; newlines and tabs stay."""
    return _UNSEEN.sub(_spelled, text.replace("\r\n", "\n"))


def one_line(text: str, most: int | None = None) -> str:
    """Give a text on one line, spelled out, cut with `…` after `most` characters."""
    text = text.strip()
    if most is None or len(text) <= most:
        return visible(_GAPS.sub(" ", text))
    return visible(_GAPS.sub(" ", text[:most]).rstrip() + "…")


def file_name(name: str) -> str:
    r"""Give a file's name on one line, spelled out in full: a newline in it is `\n`."""
    return visible(name.replace("\n", "\\n").replace("\t", "\\t"))


def escaped_json(text: str) -> str:
    r"""Escape in JSON text, as `\uXXXX`, what a terminal would act upon: the JSON stays the same."""
    return _UNSEEN.sub(lambda match: "".join(f"\\u{unit:04x}" for unit in _utf16(match[0])), text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # noqa: PLR2004


def _utf16(character: str) -> list[int]:
    units = character.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
