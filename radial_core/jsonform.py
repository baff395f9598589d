"""Atproto's JSON and the values it stands for (O5).

Strategy: the standard library's parser does the reading, with hooks that let nothing pass unseen: a duplicated key, a
number with a fraction or an exponent and an integer beyond 64 bits become marks, and one walk over the result (its
stack its own, its depth bounded beforehand) turns `{"$link": …}` and `{"$bytes": …}` into values and names **every**
fault with its path. Writing is the same walk backwards.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.canonical import MAX_WRITTEN_DEPTH, is_well_formed, path_along, require_canonical, spell_path
from radial_core.cids import Cid

if TYPE_CHECKING:
    from radial_core.canonical import Trail

# A string is one match, whatever brackets it holds; the repeat is possessive, so that nothing is tried twice.
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL).finditer
_STEPS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}
_DIGITS_OF_64_BITS: Final = 20
_MOST_FAULTS: Final = 100
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*={0,2}", re.ASCII).fullmatch


class JsonError(ValueError):
    """Text that is not the JSON of atproto data: `faults` holds the first hundred, each as `message @ $.path`."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


@attrs.frozen
class _Mark:
    """Stands in the parsed tree for something that may not be there."""

    message: str


class _Twice(dict[str, Any]):
    """An object some of whose keys stand in it more than once."""

    __slots__ = ("twice",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)


def parse_json(text: str) -> Any:
    """Read one JSON document as an atproto value: links as `Cid`, byte strings as `bytes`.

    Raises `JsonError` with every fault. A document of more than 512 levels is refused unread.
    """
    if _depth(text) > MAX_WRITTEN_DEPTH:
        raise JsonError((f"nested deeper than {MAX_WRITTEN_DEPTH} levels @ $",))
    try:
        tree = _DECODER.decode(text)
    except json.JSONDecodeError as fault:
        raise JsonError((f"not JSON: {fault.msg.removesuffix(' at')} at character {fault.pos + 1} @ $",)) from None
    except RecursionError:
        raise JsonError(("nested too deeply for the stack that is left @ $",)) from None
    return from_json(tree)


def _depth(text: str) -> int:
    """Count the levels of brackets: an upper bound when that is small enough, and no further than the limit."""
    openings = text.count("[") + text.count("{")
    if openings <= MAX_WRITTEN_DEPTH:
        return openings
    depth = deepest = 0
    for match in _BRACKETS(text):
        depth += _STEPS.get(match[0], 0)
        deepest = max(deepest, depth)
        if deepest > MAX_WRITTEN_DEPTH:
            break
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    return value if len(value) == len(pairs) else _Twice(pairs)


def _integer(digits: str) -> int | _Mark:
    # The bound comes first: turning a million digits into a number is quadratic.
    if len(digits) <= _DIGITS_OF_64_BITS and -(2**63) <= (number := int(digits)) < 2**63:
        return number
    return _Mark("an integer beyond 64 bits")


def _no_integer(_text: str) -> _Mark:
    return _Mark("a number with a fraction or an exponent")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_no_integer, parse_constant=_no_integer
)


def from_json(tree: Any) -> Any:
    """Turn parsed JSON into the value it stands for. Raises `JsonError` with every fault."""
    faults = _Faults()
    top: list[Any] = [None]
    # Each entry: a parsed item, the new container that takes its value, and the place there.
    stack: list[tuple[Any, Any, Any, Trail]] = [(tree, top, 0, None)]
    while stack:
        item, home, place, trail = stack.pop()
        kind = item.__class__
        if kind is dict or kind is _Twice:
            for key in _twice(item):
                faults.add(f"the key {ascii(key)[:80]} stands here twice", trail)
            if "$link" in item or "$bytes" in item:
                home[place] = _special(item, trail, faults)
            else:
                home[place] = new = dict.fromkeys(item)
                stack.extend((inner, new, key, (trail, key)) for key, inner in reversed(item.items()))
                for key in item:
                    if not is_well_formed(key):
                        faults.add(f"{_HALF} in a key", (trail, key))
        elif kind is list:
            home[place] = new_list = [None] * len(item)
            stack.extend((item[index], new_list, index, (trail, index)) for index in reversed(range(len(item))))
        else:
            home[place] = item
            if (complaint := _leaf_fault(item)) is not None:
                faults.add(complaint, trail)
    if faults.told:
        raise JsonError(faults.spelled())
    return top[0]


class _Faults:
    """The faults of one document: all are counted, the first hundred are told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.more = 0

    def add(self, message: str, trail: Trail) -> None:
        if len(self.told) < _MOST_FAULTS:
            self.told.append(f"{message} @ {spell_path(path_along(trail))}")
        else:
            self.more += 1

    def spelled(self) -> tuple[str, ...]:
        return (*self.told, f"and {self.more} more faults @ $") if self.more else tuple(self.told)


_HALF: Final = "half of a surrogate pair"


def _twice(item: dict[str, Any]) -> tuple[str, ...]:
    return item.twice if isinstance(item, _Twice) else ()


def _leaf_fault(item: object) -> str | None:
    if isinstance(item, _Mark):
        return item.message
    if isinstance(item, float):
        return "a number with a fraction or an exponent"
    if isinstance(item, int) and not -(2**63) <= item < 2**63:
        return "an integer beyond 64 bits"
    return _HALF if isinstance(item, str) and not is_well_formed(item) else None


def _special(item: dict[str, Any], trail: Trail, faults: _Faults) -> Any:
    """Read `{"$link": CID}` or `{"$bytes": base64}`."""
    key = "$link" if "$link" in item else "$bytes"
    inner = item[key]
    if len(item) != 1:
        faults.add(f"{key} stands with other keys", trail)
    elif not isinstance(inner, str):
        faults.add(f"{key} holds no string", trail)
    else:
        try:
            return Cid.parse(inner) if key == "$link" else _from_base64(inner)
        except ValueError as fault:
            faults.add(f"{key}: {fault}", trail)
    return None


def _from_base64(text: str) -> bytes:
    """Read base64 without padding, or with all of it."""
    bare = text.rstrip("=")
    missing = -len(bare) % 4
    if not _BASE64(text) or missing == 3 or len(text) - len(bare) not in (0, missing):  # noqa: PLR2004 - 6 bits are no byte
        raise ValueError("not base64")
    return base64.b64decode(bare + "=" * missing)


def to_json(value: Any) -> Any:
    """Turn a value into plain JSON: `Cid` becomes `{"$link": …}`, `bytes` becomes `{"$bytes": …}`.

    Keys come in the order of code points, so that one value has one text. Raises `CanonicalError` as `encode` does.
    """
    require_canonical(value)
    top: list[Any] = [None]
    stack: list[tuple[Any, Any, Any]] = [(value, top, 0)]
    while stack:
        item, home, place = stack.pop()
        kind = item.__class__
        if kind is dict:
            home[place] = new = dict.fromkeys(sorted(item))
            stack.extend((inner, new, key) for key, inner in item.items())
        elif kind is list:
            home[place] = new_list = [None] * len(item)
            stack.extend((inner, new_list, index) for index, inner in enumerate(item))
        elif kind is Cid:
            home[place] = {"$link": str(item)}
        elif kind is bytes:
            home[place] = {"$bytes": base64.b64encode(item).decode("ascii").rstrip("=")}
        else:
            home[place] = item
    return top[0]
