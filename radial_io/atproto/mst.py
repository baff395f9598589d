"""A repo's tree (MST): its nodes, and the walk that shows that it is the one tree of its keys.

Strategy: a key stands on the layer that its own hash gives it, in the order of keys, and each node writes of a key only
what differs from the one before. So there is one tree for a set of keys, and a signed root proves what is in the repo
*and what is not*: if the tree is that one, and all of it is there. The walk checks just this: every node in its one
spelling and on its layer, no node without need, keys in strict order over the whole tree. Layers fall by one from node
to node, so the walk ends, never deeper than a hash has pairs of bits; and a node with keys can be met only once.

Nodes are nearly all of what is read of a repo of short records, so their fixed form is read by a loop of its own. What
it does not understand, the strict reader of DAG-CBOR explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final, TypeAlias

import attrs

from radial_core.canonical import encode
from radial_core.cids import Cid
from radial_io.atproto.dagcbor import CID_BYTES, DAG_CBOR_CID, decode
from radial_io.errors import DagCborError, MissingBlockError, TreeError, quoted

BlockOf: TypeAlias = Callable[[bytes], "bytes | None"]

_HASH_BITS: Final = 256
_LINK_HEAD: Final = b"\xd8\x2a\x58\x25\x00" + DAG_CBOR_CID  # nodes and records are DAG-CBOR
_LINK_BYTES: Final = 5 + CID_BYTES
_NULL: Final = 0xF6
_LEAF: Final = b"at\xf6av" + _LINK_HEAD
_LEAF_BYTES: Final = 5 + _LINK_BYTES
# Heads of DAG-CBOR: the argument is in the byte itself, or in one or two bytes behind it. No node needs more.
_SHORT, _ONE_BYTE, _TWO_BYTES = 24, 24, 25
_UNSIGNED, _BYTES, _ARRAY = 0x00, 0x40, 0x80


@attrs.frozen
class Node:
    """A node: the subtree before its first key, and (key, CID of the record, subtree behind it) for each key."""

    left: bytes | None
    entries: tuple[tuple[bytes, bytes, bytes | None], ...]


def layer_of(key: bytes) -> int:
    """Give the layer of the tree where a key stands: pairs of leading zero bits of its SHA-256."""
    return (_HASH_BITS - int.from_bytes(sha256(key).digest(), "big").bit_length()) // 2


def walk(root: bytes, block_of: BlockOf) -> Iterator[tuple[bytes, bytes]]:
    """Give every key and CID (binary) of the tree, in the order of keys, checking the whole tree on the way.

    Raises `TreeError` at the first fault, `MissingBlockError` for a node that is not there: what was given before is
    not proven to be all of it then.
    """
    top = node_at(root, block_of)
    if not top.entries and top.left is not None:
        raise TreeError("the topmost node has no key")
    last = b""
    # What comes next, the nearest at the end: keys, and subtrees with the layer that they must be on.
    coming: list[tuple[bytes, bytes] | tuple[bytes, int]] = []
    _unfold(top, layer_of(top.entries[0][0]) if top.entries else 0, coming)
    while coming:
        first, second = coming.pop()
        if isinstance(second, int):
            if second < 0:
                raise TreeError("a node below the lowest layer")
            node = node_at(first, block_of)
            if not node.entries and node.left is None:
                raise TreeError("a node below the topmost holds nothing")
            _unfold(node, second, coming)
        elif first <= last:
            raise TreeError(f"keys out of order: {_shown(first)} behind {_shown(last)}")
        else:
            last = first
            yield first, second


def _unfold(node: Node, layer: int, coming: list[tuple[bytes, bytes] | tuple[bytes, int]]) -> None:
    """Put what a node holds before what comes, when every key of it belongs on this layer."""
    for key, value, right in reversed(node.entries):
        if layer_of(key) != layer:
            raise TreeError(f"{_shown(key)} stands on layer {layer} and belongs on {layer_of(key)}")
        if right is not None:
            coming.append((right, layer - 1))
        coming.append((key, value))
    if node.left is not None:
        coming.append((node.left, layer - 1))


def node_at(cid: bytes, block_of: BlockOf) -> Node:
    """Read the node with this CID. Raises `TreeError`, `MissingBlockError`."""
    raw = block_of(cid)
    if raw is None:
        raise MissingBlockError(f"the node {Cid(cid)} is not there", cid)
    try:
        return read_node(raw)
    except TreeError as error:
        raise TreeError(f"the node {Cid(cid)}: {error}") from error


def read_node(raw: bytes) -> Node:
    """Read a node in its one spelling. Raises `TreeError`."""
    try:
        return _read(raw)
    except (IndexError, _UnusualError):
        raise TreeError(_explained(raw)) from None


def write_node(node: Node) -> bytes:
    """Write a node in its one spelling."""
    entries, last = [], b""
    for key, value, right in node.entries:
        shared = shared_prefix(last, key)
        entries.append({"k": key[shared:], "p": shared, "t": right and Cid(right), "v": Cid(value)})
        last = key
    return encode({"e": entries, "l": node.left and Cid(node.left)})


def shared_prefix(left: bytes, right: bytes) -> int:
    """Count the bytes at the beginning that two keys have in common."""
    for at, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return at
    return min(len(left), len(right))


class _UnusualError(Exception):
    """A node that is not in its one spelling."""


def _read(raw: bytes) -> Node:
    if raw[:3] != b"\xa2ae":
        raise _UnusualError
    count, at = _head(raw, 3, _ARRAY)
    entries: list[tuple[bytes, bytes, bytes | None]] = []
    key = b""
    for _ in range(count):
        if raw[at : at + 3] != b"\xa4ak":
            raise _UnusualError
        size, begin = raw[at + 3] - _BYTES, at + 4
        if not 0 <= size < _SHORT:
            size, begin = _head(raw, at + 3, _BYTES)
        at = begin + size
        suffix = raw[begin:at]
        if raw[at : at + 2] != b"ap":
            raise _UnusualError
        shared, at = _head(raw, at + 2, _UNSIGNED)
        if shared >= len(key) or not suffix or suffix[0] <= key[shared]:
            _check_key(key, shared, suffix)
        key = key[:shared] + suffix
        end = at + _LEAF_BYTES
        if raw.startswith(_LEAF, at):  # most keys: nothing below
            entries.append((key, raw[end - CID_BYTES : end], None))
            at = end
            continue
        right, at = _link_or_null(raw, at, b"at")
        value, at = _link_or_null(raw, at, b"av")
        if value is None:
            raise _UnusualError
        entries.append((key, value, right))
    left, at = _link_or_null(raw, at, b"al")
    if at != len(raw):
        raise _UnusualError
    return Node(left, tuple(entries))


def _head(raw: bytes, at: int, kind: int) -> tuple[int, int]:
    """Read an argument of this kind; give it and where it ends."""
    argument = raw[at] - kind
    if 0 <= argument < _SHORT:
        return argument, at + 1
    if argument == _ONE_BYTE and raw[at + 1] >= _SHORT:
        return raw[at + 1], at + 2
    if argument == _TWO_BYTES and raw[at + 1]:
        return raw[at + 1] << 8 | raw[at + 2], at + 3
    raise _UnusualError


def _link_or_null(raw: bytes, at: int, name: bytes) -> tuple[bytes | None, int]:
    """Read a named link, or the null in its place; give it and where it ends."""
    begin = at + len(name)
    if raw[at:begin] != name:
        raise _UnusualError
    if raw[begin] == _NULL:
        return None, begin + 1
    end = begin + _LINK_BYTES
    if raw[begin : begin + len(_LINK_HEAD)] != _LINK_HEAD or end > len(raw):
        raise _UnusualError
    return raw[end - CID_BYTES : end], end


def _check_key(last: bytes, shared: int, suffix: bytes) -> None:
    """Check that a key is greater than the one before it, and shortened as far as it can be."""
    if shared > len(last):
        raise TreeError(f"a key shares {shared} bytes with one of {len(last)}")
    if not suffix or (shared < len(last) and suffix[0] < last[shared]):
        raise TreeError(f"keys out of order behind {_shown(last)}")
    if shared < len(last) and suffix[0] == last[shared]:
        raise TreeError(f"a key behind {_shown(last)} that is not shortened as it can be")


def _explained(raw: bytes) -> str:
    try:
        decode(raw)
    except DagCborError as error:
        return f"no canonical DAG-CBOR: {error}"
    return "not of the form that a node of a tree has"


def _shown(key: bytes) -> str:
    return quoted(key.decode("ascii", "replace"))
