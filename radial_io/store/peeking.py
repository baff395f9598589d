"""Looking at a store's file without changing it: not even an older schema is brought forward."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from radial_io.store import tables
from radial_io.store.errors import mapped
from radial_io.store.opening import connect_reader, schema


def peeked(path: Path) -> tuple[int, int]:
    """Give the schema's number, and the newest that this program knows. Raises a `StoreError`."""
    with mapped(path), closing(connect_reader(path)) as connection:
        return schema(connection), len(tables.STEPS)
