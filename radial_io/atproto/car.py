"""A reader of CAR files (version 1): in chunks, bounded, every block checked against its CID. It does no I/O.

Strategy: a CAR is a header and then blocks, each after its length; the order of the blocks means nothing. A block is
given out when all of it is there and its bytes have the hash that its CID says: hashing is cheaper than anything that
could be done with a block, so it is never left out. What is incomplete is kept in pieces and joined once, so that no
server gains by sending single bytes. A CAR does not say how many blocks it has: a cut between two of them is no fault
here, and is found by whoever walks the tree.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final, NoReturn, TypeAlias

import attrs

from radial_core.cids import Cid
from radial_io.atproto.dagcbor import BLESSED_CIDS, CID_BYTES, decode
from radial_io.errors import CarError, DagCborError

Block: TypeAlias = tuple[bytes, bytes]  # the CID in its binary form, and the bytes

_HEADER_DEPTH: Final = 3
_KIND: Final = 4  # bytes of a CID before its hash: version, codec, hash function, length
_LONGEST_VARINT: Final = 9  # bytes
_MORE: Final = 0x80


@attrs.frozen
class CarLimits:
    """How much of a CAR is taken: bytes of its header, of a block, of all of it; and the number of blocks."""

    longest_header: int = 4096
    longest_block: int = 2 * 2**20
    most_bytes: int = 2**30
    most_blocks: int = 2_000_000


class CarReader:
    """Takes a CAR in chunks of any size and gives its blocks as they are completed.

    `roots` is None until the header is read. After an error the reader is of no more use.
    """

    def __init__(self, limits: CarLimits | None = None) -> None:
        self.roots: tuple[bytes, ...] | None = None
        self._limits = limits or CarLimits()
        self._pieces: list[bytes] = []
        self._have = 0  # bytes in the pieces
        self._need = 1  # bytes without which nothing more can be read
        self._passed = 0  # bytes read before the pieces
        self._blocks = 0

    def feed(self, chunk: bytes) -> list[Block]:
        """Take the next bytes; give the blocks that they complete, checked. Raises `CarError`."""
        self._pieces.append(chunk)
        self._have += len(chunk)
        if self._passed + self._have > self._limits.most_bytes:
            raise CarError(f"a CAR of more than {self._limits.most_bytes} bytes")
        if self._have < self._need:
            return []
        data = b"".join(self._pieces)
        at = 0 if self.roots is not None else self._header(data)
        blocks, at = self._take(data, at) if self.roots is not None else ([], 0)
        self._pieces, self._have = [data[at:]], len(data) - at
        self._passed += at
        return blocks

    def finish(self) -> None:
        """Say that no more comes. Raises `CarError` when that cuts the header or a block in two."""
        if self.roots is None:
            raise CarError("a CAR that ends before its header does")
        if self._have:
            raise CarError(f"a CAR cut short within block {self._blocks + 1}, after {self._passed + self._have} bytes")

    def _header(self, data: bytes) -> int:
        """Read the header, if all of it is there; give where it ends."""
        size, begin = self._length(data, 0)
        if size > self._limits.longest_header:
            raise CarError(f"a header of more than {self._limits.longest_header} bytes: this is no CAR")
        end = begin + size
        self._need = end
        if begin == 0 or end > len(data):
            return 0
        self.roots = _roots(data[begin:end])
        return end

    def _take(self, data: bytes, at: int) -> tuple[list[Block], int]:
        """Read the blocks that are complete; give them and where the first incomplete one begins."""
        blocks: list[Block] = []
        total, longest = len(data), self._limits.longest_block + CID_BYTES
        while at < total:
            first, second = data[at], data[at + 1] if at + 1 < total else 0
            if first >= _MORE > second > 0:  # the length of most blocks has two bytes
                size, begin = second << 7 | first - _MORE, at + 2
            else:
                size, begin = self._length(data, at)
            if size > longest:
                self._refuse("is longer than the limit")
            end = begin + size
            if begin == 0 or end > total:
                self._need = end - at if begin else total - at + 1
                return blocks, at
            content = begin + CID_BYTES
            cid, block = data[begin:content], data[content:end]
            if size < CID_BYTES or cid[:_KIND] not in BLESSED_CIDS:
                self._refuse("has a CID that is neither DAG-CBOR nor raw with SHA-256")
            if sha256(block).digest() != cid[_KIND:]:
                self._refuse("is not what its CID says")
            self._blocks += 1
            if self._blocks > self._limits.most_blocks:
                raise CarError(f"a CAR of more than {self._limits.most_blocks} blocks")
            blocks.append((cid, block))
            at = end
        self._need = 1
        return blocks, at

    def _length(self, data: bytes, at: int) -> tuple[int, int]:
        """Read a length; give it and where it ends: 0 when it is not all there."""
        value = shift = 0
        for end, byte in enumerate(data[at : at + _LONGEST_VARINT], at + 1):
            value |= (byte & ~_MORE) << shift
            if byte < _MORE:
                if byte == 0:
                    self._refuse("has the length zero" if end == at + 1 else "has a length with needless bytes")
                return value, end
            shift += 7
        if len(data) - at >= _LONGEST_VARINT:
            self._refuse("has a length of too many bytes")
        return 0, 0

    def _refuse(self, fault: str) -> NoReturn:
        part = "the header" if self.roots is None else f"block {self._blocks + 1}"
        raise CarError(f"{part} {fault}")


def _roots(header: bytes) -> tuple[bytes, ...]:
    try:
        value: Any = decode(header, max_depth=_HEADER_DEPTH)
    except DagCborError as error:
        raise CarError(f"the header is no DAG-CBOR: {error}") from error
    if not isinstance(value, dict) or value.get("version") != 1 or value.keys() != {"roots", "version"}:
        raise CarError("the header is not that of a CAR of version 1")
    roots = value["roots"]
    if not isinstance(roots, list) or not all(isinstance(root, Cid) for root in roots):
        raise CarError("the header names roots that are no CIDs")
    return tuple(root.binary for root in roots)


def read_car(raw: bytes, limits: CarLimits | None = None) -> tuple[tuple[bytes, ...], dict[bytes, bytes]]:
    """Read a short CAR whole: its roots, and its blocks by CID. Raises `CarError`."""
    reader = CarReader(limits)
    blocks = dict(reader.feed(raw))
    reader.finish()
    return reader.roots or (), blocks
