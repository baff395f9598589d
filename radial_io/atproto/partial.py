"""A tree of which some nodes are at hand: looked into, and changed.

Strategy: a commit of a stream brings the nodes on the way to what it changed, and no others. The rest of the tree
stands here as the CIDs of its subtrees, which is all that is needed to compute the root. A node is read when the way
leads through it; when it is not there, `MissingBlockError` says so and nothing is guessed. A changed tree is again the
one tree of its keys: putting a key in splits what lies below it, taking one out joins what lay beside it, and a node
that is left with nothing goes. No way is longer than a hash has pairs of bits, so these functions may call themselves.
"""

from __future__ import annotations

from bisect import bisect_left
from hashlib import sha256
from typing import TypeAlias

import attrs

from radial_io.atproto.dagcbor import DAG_CBOR_CID
from radial_io.atproto.mst import BlockOf, Node, layer_of, node_at, write_node
from radial_io.errors import TreeError


@attrs.define
class _Branch:
    """A node that has been opened; `below` has one subtree more than there are keys."""

    layer: int
    keys: list[bytes]
    values: list[bytes]
    below: list[_Below]


_Below: TypeAlias = "_Branch | bytes | None"  # opened, or the CID of a subtree, or nothing


class PartialTree:
    """The tree under `root` (a CID in its binary form), of whose nodes `block_of` gives those that are at hand.

    Every method raises `MissingBlockError` for a node that it needs and that is not, `TreeError` for one that is wrong.
    """

    def __init__(self, root: bytes, block_of: BlockOf) -> None:
        self._block_of = block_of
        node = node_at(root, block_of)
        if not node.entries and node.left is not None:
            raise TreeError("the topmost node has no key")
        self._root = _branch(node, layer_of(node.entries[0][0]) if node.entries else 0)

    def value(self, key: bytes) -> bytes | None:
        """Give the CID that stands at a key, or None: the tree has no such key."""
        branch = self._root
        while True:
            at = bisect_left(branch.keys, key)
            if at < len(branch.keys) and branch.keys[at] == key:
                return branch.values[at]
            if branch.below[at] is None:
                return None
            branch = self._open(branch, at)

    def put(self, key: bytes, value: bytes) -> None:
        """Let this CID stand at a key, whether it is new or not."""
        layer, root = layer_of(key), self._root
        if not root.keys and root.below == [None]:
            self._root = _Branch(layer, [key], [value], [None, None])
        elif layer > root.layer:
            halves = self._split(root, root.layer, key)
            self._root = _Branch(layer, [key], [value], [_raised(half, root.layer, layer - 1) for half in halves])
        else:
            self._put(root, key, value, layer)

    def remove(self, key: bytes) -> None:
        """Take a key out. Raises `KeyError` when it is not in."""
        if self.value(key) is None:
            raise KeyError(key)
        self._remove(self._root, key)
        while not self._root.keys and self._root.below[0] is not None:
            self._root = self._open(self._root, 0)

    def root(self) -> bytes:
        """Give the CID of the tree as it is now."""
        return _cid(self._root)

    def _open(self, branch: _Branch, at: int) -> _Branch:
        """Give the subtree below a branch, opened; it stays so."""
        opened = self._opened(branch.below[at], branch.layer - 1)
        branch.below[at] = opened
        return opened

    def _opened(self, below: _Below, layer: int) -> _Branch:
        if isinstance(below, _Branch):
            return below
        if below is None or layer < 0:
            raise TreeError("a way that leads below the lowest layer")
        node = node_at(below, self._block_of)
        if not node.entries and node.left is None:
            raise TreeError("a node below the topmost holds nothing")
        return _branch(node, layer)

    def _put(self, branch: _Branch, key: bytes, value: bytes, layer: int) -> None:
        at = bisect_left(branch.keys, key)
        if branch.layer > layer:
            if branch.below[at] is None:
                leaf = _Branch(layer, [key], [value], [None, None])
                branch.below[at] = _raised(leaf, layer, branch.layer - 1)
            else:
                self._put(self._open(branch, at), key, value, layer)
        elif at < len(branch.keys) and branch.keys[at] == key:
            branch.values[at] = value
        else:
            branch.below[at : at + 1] = self._split(branch.below[at], branch.layer - 1, key)
            branch.keys.insert(at, key)
            branch.values.insert(at, value)

    def _split(self, below: _Below, layer: int, key: bytes) -> tuple[_Below, _Below]:
        """Cut a subtree in two: what comes before a key, and what comes after it."""
        if below is None:
            return None, None
        branch = self._opened(below, layer)
        at = bisect_left(branch.keys, key)
        before, after = self._split(branch.below[at], layer - 1, key)
        left = _Branch(layer, branch.keys[:at], branch.values[:at], [*branch.below[:at], before])
        right = _Branch(layer, branch.keys[at:], branch.values[at:], [after, *branch.below[at + 1 :]])
        return _kept(left), _kept(right)

    def _remove(self, branch: _Branch, key: bytes) -> None:
        """Take a key that is known to be there out of a branch."""
        at = bisect_left(branch.keys, key)
        if at < len(branch.keys) and branch.keys[at] == key:
            branch.below[at : at + 2] = [self._joined(branch.below[at], branch.below[at + 1], branch.layer - 1)]
            del branch.keys[at], branch.values[at]
        else:
            lower = self._open(branch, at)
            self._remove(lower, key)
            branch.below[at] = _kept(lower)

    def _joined(self, left: _Below, right: _Below, layer: int) -> _Below:
        """Make one subtree of two neighbours."""
        if left is None or right is None:
            return right if left is None else left
        one, other = self._opened(left, layer), self._opened(right, layer)
        middle = self._joined(one.below[-1], other.below[0], layer - 1)
        below = [*one.below[:-1], middle, *other.below[1:]]
        return _Branch(layer, one.keys + other.keys, one.values + other.values, below)


def _branch(node: Node, layer: int) -> _Branch:
    keys = [key for key, _, _ in node.entries]
    if any(layer_of(key) != layer for key in keys):
        raise TreeError(f"a key that does not belong on layer {layer}")
    return _Branch(layer, keys, [value for _, value, _ in node.entries], [node.left, *(e[2] for e in node.entries)])


def _kept(branch: _Branch) -> _Branch | None:
    """Give a branch, or nothing when there is nothing in it."""
    return branch if branch.keys or branch.below[0] is not None else None


def _raised(below: _Below, layer: int, to: int) -> _Below:
    """Put nodes without keys on top of a subtree until it reaches a layer."""
    if below is not None:
        for above in range(layer + 1, to + 1):
            below = _Branch(above, [], [], [below])
    return below


def _cid(below: _Branch | bytes) -> bytes:
    if isinstance(below, bytes):
        return below
    left, *rights = [None if lower is None else _cid(lower) for lower in below.below]
    node = Node(left, tuple(zip(below.keys, below.values, rights, strict=True)))
    return DAG_CBOR_CID + sha256(write_node(node)).digest()
