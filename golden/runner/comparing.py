"""How an expectation is held against an answer, and one answer against another.

Strategy: JSON values are compared by what they are in JSON: `true` is not 1, 1 is not 1.0, strings are equal code point
by code point. Two questions are kept apart. Does the answer *contain* what is expected (objects partly, lists in full)?
Are two answers *the same*? Both walk in the order of the expectation and give the first place that differs. The walk
keeps its own stack: an answer may be nested as deeply as it likes.
"""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII).fullmatch


class _Absent:
    """Stands where one side has nothing at all, not even null."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()


class Difference(NamedTuple):
    """The first place where two values differ: `$.spaces[0].name`, what was expected there, what was found."""

    path: str
    expected: Any
    found: Any


def first_missing(expected: Any, found: Any, path: str = "$") -> Difference | None:
    """Give the first difference where `found` does not contain `expected`: keys that are not expected are not read."""
    return _first(expected, found, path, partly=True)


def first_difference(one: Any, other: Any, path: str = "$") -> Difference | None:
    """Give the first difference between two values; the order of an object's keys is none."""
    return _first(one, other, path, partly=False)


def _first(expected: Any, found: Any, path: str, *, partly: bool) -> Difference | None:
    stack = [(path, expected, found)]
    while stack:
        here, wanted, got = stack.pop()
        if wanted.__class__ is not got.__class__:
            return Difference(here, wanted, got)
        if isinstance(wanted, dict):
            stack.extend(reversed([*_members(here, wanted, got, partly=partly)]))
        elif isinstance(wanted, list):
            pairs = enumerate(zip_longest(wanted, got, fillvalue=ABSENT))
            stack.extend(reversed([(f"{here}[{index}]", *pair) for index, pair in pairs]))
        elif wanted != got:
            return Difference(here, wanted, got)
    return None


def _members(path: str, wanted: dict[str, Any], got: dict[str, Any], *, partly: bool) -> Iterator[tuple[str, Any, Any]]:
    keys = wanted if partly else {**wanted, **got}
    for key in keys:
        step = f".{key}" if _PLAIN_KEY(key) else f"[{json.dumps(key)}]"
        yield path + step, wanted.get(key, ABSENT), got.get(key, ABSENT)
