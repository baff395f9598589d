"""What is wrong with a value, and where.

Strategy: while a fault travels up through the closures its path is a tuple of steps that each level extends; it is
spelled once, on top. A check gives the empty tuple for a sound value, always the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import attrs

from radial_core.canonical import spell_path
from radial_core.cids import Cid

Path: TypeAlias = tuple[str | int, ...]
Found: TypeAlias = tuple[tuple[str, Path], ...]
Check: TypeAlias = Callable[[Any], Found]

NOTHING: Final[Found] = ()

_KINDS: Final[Mapping[type, str]] = {
    dict: "an object",
    list: "an array",
    str: "a string",
    int: "an integer",
    bool: "a boolean",
    type(None): "null",
    bytes: "bytes",
    Cid: "a link",
}


@attrs.frozen
class Fault:
    """One fault of a value: what is wrong, and the `path` from the root `$` to where."""

    message: str
    path: str

    def __str__(self) -> str:
        return f"{self.message} @ {self.path}"


def spelled(found: Found) -> tuple[Fault, ...]:
    """Turn what the checks found into faults."""
    return tuple(Fault(message, spell_path(path)) for message, path in found)


def at(message: str, *steps: str | int) -> Found:
    """Make one fault, `steps` below the value that is being checked."""
    return ((message, steps),)


def under(step: str | int, found: Found) -> Found:
    """Move faults one step down: what was wrong with the inner value, seen from the outer one."""
    return tuple((message, (step, *path)) for message, path in found)


def not_a(kind: str, value: object) -> Found:
    """Say that the value is of another kind than `kind`, which carries its article."""
    return at(f"must be {kind}, not {kind_of(value)}")


def kind_of(value: object) -> str:
    """Name the kind of a value, with its article: `a string`, `an array`, `null`."""
    return _KINDS.get(value.__class__, "something else")
