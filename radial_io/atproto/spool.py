"""Blocks by CID, in memory up to a budget and in a temporary file beyond it.

Strategy: the order of blocks in a CAR means nothing, so all of them must be at hand before the first can be judged. As
long as they are few they stay in memory. When they cross the budget, all go to one file that has no name and vanishes
with its handle; in memory remain 42 bytes for each: hash, place, length, in buckets that nobody outside can aim at,
since Python's hash of bytes is keyed anew in every process.
"""

from __future__ import annotations

import os
import tempfile
from typing import IO, Final

_OVERHEAD: Final = 256  # bytes that a block in memory costs beside its own
_KIND: Final = 4  # bytes of a CID before its hash
_DIGEST: Final = 32
_PLACE: Final = 6  # bytes of an offset in the file
_LENGTH: Final = 4
_ENTRY: Final = _DIGEST + _PLACE + _LENGTH
_BUCKETS: Final = 2**14


class Spool:
    """Takes checked blocks and gives them back. `memory` is in bytes."""

    def __init__(self, memory: int) -> None:
        self._budget = memory
        self._used = 0
        self._blocks: dict[bytes, bytes] = {}
        self._file: _File | None = None

    @property
    def is_spilled(self) -> bool:
        """Tell whether the blocks are in a file."""
        return self._file is not None

    def put(self, cid: bytes, raw: bytes) -> None:
        """Keep a block; one that is here already is kept once."""
        if self._file is not None:
            self._file.put(cid[_KIND:], raw)
            return
        if cid not in self._blocks:
            self._blocks[cid] = raw
            self._used += len(raw) + _OVERHEAD
        if self._used > self._budget:
            self._spill()

    def get(self, cid: bytes) -> bytes | None:
        """Give a block, or None when it is not here."""
        return self._blocks.get(cid) if self._file is None else self._file.get(cid[_KIND:])

    def __contains__(self, cid: bytes) -> bool:
        return cid in self._blocks if self._file is None else self._file.find(cid[_KIND:]) is not None

    def close(self) -> None:
        """Forget all blocks."""
        self._blocks.clear()
        if self._file is not None:
            self._file.close()

    def _spill(self) -> None:
        self._file = _File()
        while self._blocks:
            cid, raw = self._blocks.popitem()
            self._file.put(cid[_KIND:], raw)


class _File:
    """Blocks in a file, by the hash in their CID."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="radial-")  # noqa: SIM115 - `close` closes it
        self._buckets = [bytearray() for _ in range(_BUCKETS)]
        self._end = 0
        self._is_flushed = True

    def put(self, digest: bytes, raw: bytes) -> None:
        if self.find(digest) is not None:
            return
        self._file.write(raw)
        place = self._end.to_bytes(_PLACE, "big") + len(raw).to_bytes(_LENGTH, "big")
        self._buckets[hash(digest) % _BUCKETS] += digest + place
        self._end += len(raw)
        self._is_flushed = False

    def find(self, digest: bytes) -> tuple[int, int] | None:
        """Give place and length of a block."""
        bucket = self._buckets[hash(digest) % _BUCKETS]
        at = bucket.find(digest)
        while at % _ENTRY and at >= 0:  # the same bytes across two entries
            at = bucket.find(digest, at + 1)
        if at < 0:
            return None
        place = at + _DIGEST
        length = place + _PLACE
        return int.from_bytes(bucket[place:length], "big"), int.from_bytes(bucket[length : length + _LENGTH], "big")

    def get(self, digest: bytes) -> bytes | None:
        found = self.find(digest)
        if found is None:
            return None
        if not self._is_flushed:
            self._file.flush()
            self._is_flushed = True
        place, length = found
        return os.pread(self._file.fileno(), length, place)

    def close(self) -> None:
        self._file.close()
        self._buckets.clear()
