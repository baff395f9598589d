"""A reader of CAR files (version 1): streamed, bounded, every block checked against its CID. No I/O."""

from __future__ import annotations

from typing import TypeAlias

import attrs

Block: TypeAlias = tuple[bytes, bytes]  # the CID in its binary form, and the bytes


@attrs.frozen
class CarLimits:
    """How much of a CAR is taken, in bytes and in blocks."""

    longest_header: int = 4096
    longest_block: int = 4 * 2**20
    most_bytes: int = 2**30
    most_blocks: int = 4_000_000


class CarReader:
    """Takes a CAR in chunks of any size and gives its blocks, as they are completed. Raises `CarError`."""

    roots: tuple[bytes, ...] | None

    def __init__(self, limits: CarLimits | None = None) -> None:
        raise NotImplementedError

    def feed(self, chunk: bytes) -> list[Block]:
        """Take the next bytes; give the blocks that they complete, checked. `roots` is known after the header."""
        raise NotImplementedError

    def finish(self) -> None:
        """Say that no more comes. Raises `CarError` when that cuts a block or the header in two."""
        raise NotImplementedError


def read_car(raw: bytes, limits: CarLimits | None = None) -> tuple[tuple[bytes, ...], dict[bytes, bytes]]:
    """Read a short CAR whole: its roots, and its blocks by CID. Raises `CarError`."""
    raise NotImplementedError
