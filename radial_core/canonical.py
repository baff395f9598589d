"""The one way to write a value: DAG-CBOR bytes, their CID, and the JSON spelling of links and bytes.

Strategy: `measure` walks a value once, with a stack of its own, before anything else touches it. It refuses what is
not atproto data and bounds depth and size (L6), so that no encoder and no later walk can overflow or be kept busy for
ever. Only then does `cbor2` see the value: its canonical form is DAG-CBOR's for everything that `measure` lets pass.
In memory a link is a `Cid` and a byte string is `bytes`; `{"$link": …}` and `{"$bytes": …}` exist in JSON alone (O5).
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

import attrs
import cbor2

from radial_core.cids import Cid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Path: TypeAlias = tuple[str | int, ...]
    # A path while it grows: (everything before, last step). Spelled only when there is something to say.
    Trail: TypeAlias = "tuple[Trail, str | int] | None"

MAX_DEPTH: Final = 64
MAX_BYTES: Final = 1_048_576
# L6 calls a deeper or longer value invalid, yet its CID can be asked for: no encoder is ever handed more (O5).
MAX_WRITTEN_DEPTH: Final = 512
MAX_WRITTEN_BYTES: Final = 64 * MAX_BYTES

_LEAST_INTEGER: Final = -(2**63)
_GREATEST_INTEGER: Final = 2**63 - 1
_HEAD: Final = 9  # bytes of the longest head of a CBOR item
_SLACK: Final = 2 * _HEAD  # an item of one byte, held by an object, is taken for two of the longest heads at most
_WIDEST: Final = 4  # bytes of the widest character in UTF-8
_LINK_TAG: Final = 42
_LONGEST_KEY: Final = 80  # of a key as it is spelled
_LONGEST_PATH: Final = 128  # steps
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*", re.ASCII).fullmatch


class CanonicalError(ValueError):
    """A value that has no canonical bytes. Its text is `message @ $.path`."""


@attrs.frozen
class Misfit:
    """What keeps a value out: a `message`, the `path` from the value, and whether it is one of L6's two bounds."""

    message: str
    path: Path
    crosses_bound: bool = False

    def __str__(self) -> str:
        return f"{self.message} @ {spell_path(self.path)}"


def spell_path(path: Path) -> str:
    """Spell a path from the root `$`, as in `$.findings[2].line`; a key that is no plain name is quoted.

    Long keys and long paths are cut: a fault is for people, and its text stays short whatever the value.
    """
    cut = "…" if len(path) > _LONGEST_PATH else ""
    return "$" + "".join(_step(part) for part in path[:_LONGEST_PATH]) + cut


def _step(part: str | int) -> str:
    if isinstance(part, int):
        return f"[{part}]"
    return f".{part}" if len(part) <= _LONGEST_KEY and _PLAIN_KEY(part) else f"[{part[:_LONGEST_KEY]!a}]"


def measure(value: Any, *, max_depth: int = MAX_DEPTH, max_bytes: int = MAX_BYTES) -> Misfit | None:
    """Find something that keeps `value` from being the value of a record, or nothing.

    Refused is what atproto's data model lacks (floats, integers beyond 64 bits, lone surrogates, keys that are no
    strings, objects of other classes), and a value nested deeper than `max_depth` or longer than `max_bytes` in
    DAG-CBOR (L6). Linear in the size of the value and bounded by `max_bytes`: a value that contains itself is merely
    too deep.
    """
    if value.__class__ is dict:
        record: dict[Any, Any] = value
        usual = _usual_length(record, min(2, max_depth) - 1)
        if usual is not None and usual <= max_bytes:
            return None
    most = 0  # what was measured so far takes no more bytes than this, and no less than an eighteenth of it
    first: Misfit | None = None
    walk = _Walk(value)
    for item in walk:
        kind = item.__class__
        # L6: arrays, objects, `$link` and `$bytes` are levels; the record itself is the first.
        if kind in _LEVELS and walk.depth > max_depth:
            return Misfit(f"nested deeper than {max_depth} levels", walk.path(), crosses_bound=True)
        weight = _object_weight(item) if kind is dict else _weight(item)
        if weight is None:
            # §0: a crossed bound (L6) is told before what is no atproto data (L1): the walk goes on.
            first = first or Misfit(_complaint(item), walk.path())
            continue
        most += weight
        if most > _SLACK * max_bytes:
            return _too_long(max_bytes)
        if kind is dict or kind is list:
            walk.enter(item)
    if first is None and most > max_bytes and len(_dumps(value)) > max_bytes:
        return _too_long(max_bytes)
    return first


def _usual_length(value: dict[Any, Any], deeper: int) -> int | None:
    """Bound the bytes of an object as most are, of ASCII texts, switches and objects of such; nothing for others."""
    length = _SLACK
    for key, item in value.items():
        if key.__class__ is not str or not key.isascii():
            return None
        kind = item.__class__
        if kind is str and item.isascii():
            length += len(item)
        elif kind is dict and deeper:
            inner = _usual_length(item, deeper - 1)
            if inner is None:
                return None
            length += inner
        elif kind is not bool:
            return None
        length += len(key) + _SLACK
    return length


def _too_long(max_bytes: int) -> Misfit:
    return Misfit(f"longer than {max_bytes} bytes of DAG-CBOR", (), crosses_bound=True)


_LEVELS: Final = frozenset({dict, list, Cid, bytes})


def _weight(item: Any) -> int | None:
    """Bound the bytes of an item from above, but for what an array holds; nothing for a misfit."""
    kind = item.__class__
    if kind is str:
        return _HEAD + _WIDEST * len(item) if is_well_formed(item) else None
    if kind is int:
        return _HEAD if _LEAST_INTEGER <= item <= _GREATEST_INTEGER else None
    if kind is bytes or kind is Cid:
        return _HEAD + len(item if kind is bytes else item.binary)
    return _HEAD if item is None or kind is bool or kind is list else None


def _object_weight(item: dict[Any, Any]) -> int | None:
    """Bound the bytes of an object from above, with the texts it holds; nothing when a key is no sound string."""
    weight = _HEAD + 2 * _HEAD * len(item)
    for key, held in item.items():
        if key.__class__ is str and key.isascii():
            weight += len(key)
        elif key.__class__ is str and is_well_formed(key):
            weight += _WIDEST * len(key)
        else:
            return None
        if held.__class__ is str and held.isascii():  # most of what there is: the walk passes it over
            weight += len(held)
    return weight


class _Walk:
    """Visits the items of a value depth first; a container's own items only when it is entered.

    The ASCII strings that an object holds are not visited: `_object_weight` has counted them.
    """

    def __init__(self, value: object) -> None:
        self._levels: list[Iterator[tuple[str | int | None, Any]]] = [iter(((None, value),))]
        self._steps: list[str | int | None] = [None]

    @property
    def depth(self) -> int:
        """The level of the item visited last; the value itself is on the first."""
        return len(self._levels)

    def path(self) -> Path:
        """Give the way to the item visited last."""
        return tuple(step for step in self._steps if step is not None)

    def enter(self, item: dict[Any, Any] | list[Any]) -> None:
        """Visit the items of this container next."""
        if isinstance(item, dict):
            held = [(key, inner) for key, inner in item.items() if inner.__class__ is not str or not inner.isascii()]
            self._levels.append(iter(held))
        else:
            self._levels.append(iter(enumerate(item)))
        self._steps.append(None)

    def __iter__(self) -> Iterator[Any]:
        levels, steps = self._levels, self._steps
        while levels:
            for step, item in levels[-1]:
                steps[-1] = step
                depth = len(levels)
                yield item
                if len(levels) > depth:
                    break
            else:
                levels.pop()
                steps.pop()


def path_along(trail: Trail) -> Path:
    """Give the path that a walk has taken."""
    steps: list[str | int] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    return tuple(reversed(steps))


def is_well_formed(text: str) -> bool:
    """Tell whether a string has a UTF-8 form: it holds no half of a surrogate pair."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _complaint(item: object) -> str:
    if item.__class__ is str:
        return "a string with half of a surrogate pair"
    if item.__class__ is dict:
        return "an object with a key that is not a well-formed string"
    if item.__class__ is int:
        return "an integer beyond 64 bits"
    return f"{item.__class__.__name__} is not a type of atproto data"


def _encode_link(encoder: cbor2.CBOREncoder, link: Cid) -> None:
    encoder.encode(cbor2.CBORTag(_LINK_TAG, b"\0" + link.binary))


def _dumps(value: object) -> bytes:
    return cbor2.dumps(value, canonical=True, default=_encode_link)


def encode(value: object) -> bytes:
    """Write the canonical DAG-CBOR bytes of a value.

    Raises `CanonicalError` for what is not atproto data, for more than 512 levels (O5) and for more than 64 MiB.
    """
    require_canonical(value)
    return _dumps(value)


def require_canonical(value: object) -> None:
    """Raise `CanonicalError` for a value that has no canonical bytes, or more than anybody should write."""
    misfit = measure(value, max_depth=MAX_WRITTEN_DEPTH, max_bytes=MAX_WRITTEN_BYTES)
    if misfit is not None:
        raise CanonicalError(str(misfit))


def cid_of(value: object) -> str:
    """Give the CID of a value as text: version 1, DAG-CBOR, SHA-256. Raises as `encode` does."""
    return cid_of_bytes(encode(value))


def cid_of_bytes(canonical: bytes) -> str:
    """Give the CID of a value whose canonical bytes are at hand."""
    return str(Cid.of_sha256(hashlib.sha256(canonical).digest()))


def cid_of_projection(projection: dict[str, Any]) -> str:
    """Give the CID of a value that this package built itself, of strings, lists and booleans: nothing to check."""
    return cid_of_bytes(_dumps(projection))
