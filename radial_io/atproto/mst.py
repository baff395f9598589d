"""A repo's tree (MST): read node by node, walked whole, checked to be the canonical tree of its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def layer_of(key: bytes) -> int:
    """Give the layer of the tree where a key stands: pairs of leading zero bits of its SHA-256."""
    raise NotImplementedError


def walk(root: bytes, block_of: Callable[[bytes], bytes | None]) -> Iterator[tuple[bytes, bytes]]:
    """Give every key and CID (binary) of the tree, in the order of keys, checking the whole tree on the way.

    Raises `TreeError` at the first fault, `MissingBlockError` for a node that is not there: nothing that was given
    before is proven complete then.
    """
    raise NotImplementedError
