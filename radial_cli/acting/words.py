"""Words of a command line that stand for one of a few values."""

from __future__ import annotations

from typing import Final

from radial_cli.exits import USAGE, Failure
from radial_cli.untrusted import one_line

_SWITCH: Final = {"on": True, "off": False}


def is_on(text: str) -> bool:
    """Read a switch. Raises `Failure` for what is neither `on` nor `off`."""
    return _SWITCH[chosen(text, tuple(_SWITCH), "a switch")]


def chosen(text: str, allowed: tuple[str, ...], what: str) -> str:
    """Check that a word is one of those allowed. Raises `Failure`."""
    if text not in allowed:
        raise Failure(f"{one_line(text, 100)} is not {what}", f"Use one of: {', '.join(allowed)}.", USAGE)
    return text


def named(text: str, what: str) -> str:
    """Check that a name is one: records are not renamed. Raises `Failure` for one that nobody could see."""
    if not text.strip():
        raise Failure(f"{what} needs a name that can be seen", "Give one that others will know it by.", USAGE)
    return text


def pair(text: str, mark: str, shape: str) -> tuple[str, str]:
    """Split a word at a mark. Raises `Failure` when a side is empty."""
    left, found, right = text.partition(mark)
    if not (left.strip() and found and right.strip()):
        raise Failure(f"{one_line(text, 100)} is not {shape}", "`--help` has an example.", USAGE)
    return left.strip(), right.strip()
