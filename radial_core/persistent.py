"""Maps that never change: a new one costs what it changes and shares the rest with the old.

Strategy: most maps are made once, whole, by one fold: that is a plain dict which nobody writes to any more, the *base*.
What later folds change lies over it in a trie of small dicts, by the bits of a key's hash: to change one key copies one
small dict and the nodes above it, whatever the size of the map. A change that is large beside the map makes a new base
instead. `None` is never a value: it stands for a key that is not there. The order of the keys means nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    # A leaf of the trie is a dict, a branch a list of 32 nodes.
    _Node: TypeAlias = "dict[Any, Any] | list[Any]"

K = TypeVar("K")
V = TypeVar("V")

_BITS: Final = 5  # of the hash, at each branch
_MASK: Final = (1 << _BITS) - 1
_LONGEST_LEAF: Final = 32
_LAST_SHIFT: Final = 55  # below it the hash is used up, and a leaf takes whatever comes
_SMALL: Final = 4  # a change of a quarter of the map makes a new base
_NOTHING: Final[dict[Any, Any]] = {}


class PersistentMap(Generic[K, V]):
    """An immutable map. `get` gives the value of a key, or `None`."""

    __slots__ = ("_base", "_over", "_size", "get")

    get: Callable[[K], V | None]

    def __init__(self, base: dict[K, V], over: _Node = _NOTHING, size: int | None = None) -> None:
        """Take a dict as it is: whoever gives it must not change it any more."""
        self._base = base
        self._over = over
        self._size = len(base) if size is None else size
        self.get = base.get if over is _NOTHING else _layered(base, over)

    def __len__(self) -> int:
        return self._size

    def __contains__(self, key: K) -> bool:
        return self.get(key) is not None

    def __getitem__(self, key: K) -> V:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[K]:
        return (key for key, _ in self.items())

    def values(self) -> Iterator[V]:
        """Give the values, in no order."""
        return (value for _, value in self.items())

    def items(self) -> Iterator[tuple[K, V]]:
        """Give the pairs, in no order."""
        changed: dict[K, V | None] = {}
        for leaf in _leaves(self._over):
            changed |= leaf
        yield from ((key, value) for key, value in self._base.items() if key not in changed)
        yield from ((key, value) for key, value in changed.items() if value is not None)

    def updated(self, changes: dict[K, V | None]) -> PersistentMap[K, V]:
        """Give this map with some keys changed; those whose value is `None` are no longer there.

        The dict given must not be changed any more.
        """
        if not changes:
            return self
        if not self._size and None not in changes.values():
            return PersistentMap(cast("dict[K, V]", changes))
        if len(changes) * _SMALL >= self._size:
            return PersistentMap(self._merged(changes))
        over, size = self._over, self._size
        for key, value in changes.items():
            size += (value is not None) - (self.get(key) is not None)
            over = _put(over, key, value)
        return PersistentMap(self._base, over, size)

    def _merged(self, changes: Mapping[K, V | None]) -> dict[K, V]:
        merged = dict(self.items())
        for key, value in changes.items():
            if value is None:
                merged.pop(key, None)
            else:
                merged[key] = value
        return merged


def _layered(base: dict[Any, Any], over: _Node) -> Callable[[Any], Any]:
    below = base.get

    def get(key: Any) -> Any:
        node, bits = over, hash(key)
        while node.__class__ is list:
            node = node[bits & _MASK]
            bits >>= _BITS
        return node[key] if key in node else below(key)

    return get


def _put(root: _Node, key: Any, value: Any) -> _Node:
    """Give the trie with one key changed: the nodes on the way are copied, all others shared."""
    bits, shift = hash(key), 0
    grown: list[Any] = [root]
    above, branch = grown, 0
    while (node := above[branch]).__class__ is list:
        above[branch] = copied = node.copy()
        above, branch = copied, (bits >> shift) & _MASK
        shift += _BITS
    leaf = {**node, key: value}
    above[branch] = leaf if len(leaf) <= _LONGEST_LEAF or shift > _LAST_SHIFT else _split(leaf, shift)
    result: _Node = grown[0]
    return result


def _split(leaf: dict[Any, Any], shift: int) -> list[Any]:
    branches: list[Any] = [_NOTHING] * (_MASK + 1)
    for key, value in leaf.items():
        branch = (hash(key) >> shift) & _MASK
        branches[branch] = {**branches[branch], key: value}
    return branches


def _leaves(root: _Node) -> Iterator[dict[Any, Any]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
        else:
            waiting.extend(node)


class Draft(Generic[K, V]):
    """A map while it changes: what was set since, over the map as it was. `get` gives the value of a key, or `None`."""

    __slots__ = ("_before", "changes", "get")

    def __init__(self, before: PersistentMap[K, V]) -> None:
        self._before = before
        self.changes: dict[K, V | None] = {}
        self.get: Callable[[K], V | None] = _over(self.changes, before.get) if len(before) else self.changes.get

    def __getitem__(self, key: K) -> V:
        value = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def put(self, key: K, value: V | None) -> None:
        """Set a key, or with `None` take it away."""
        if value is not None or key in self.changes or self._before.get(key) is not None:
            self.changes[key] = value

    def done(self) -> PersistentMap[K, V]:
        """Give the map as it is now; the draft is of no more use."""
        return self._before.updated(self.changes)


def _over(changes: Mapping[Any, Any], below: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda key: changes[key] if key in changes else below(key)
