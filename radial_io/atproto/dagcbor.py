"""A strict reader of DAG-CBOR: atproto's part of it, and only the one canonical spelling."""

from __future__ import annotations

from typing import Any, Final

from radial_core.canonical import MAX_WRITTEN_DEPTH

DEEPEST: Final = MAX_WRITTEN_DEPTH


def decode(raw: bytes, *, max_depth: int = DEEPEST) -> Any:
    """Read one value; nothing may follow it. Links are `Cid`, byte strings `bytes`. Raises `DagCborError`.

    `max_depth` counts levels as L6 does: containers, links and byte strings.
    """
    raise NotImplementedError


def decode_first(raw: bytes, start: int = 0, *, max_depth: int = DEEPEST) -> tuple[Any, int]:
    """Read the value that begins at `start`; give it and where it ends. For frames, which are two values in a row."""
    raise NotImplementedError
