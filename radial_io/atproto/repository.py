"""A whole repo out of a CAR: taken in chunks, verified, then read record by record in bounded memory.

    with RepositoryReader(collections=("com.disnetdev.radial.",)) as reader:
        for chunk in chunks:
            reader.feed(chunk)                                     # CarError
        repository = reader.verify(did, key, latest=latest_rev(now))   # DisprovedError; SignatureError: again, with a fresh key
        for entry in repository.entries():
            ...
"""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Self

import attrs

from radial_core.cids import Cid
from radial_io.atproto.car import CarLimits
from radial_io.atproto.commits import Commit
from radial_io.atproto.keys import SigningKey


@attrs.frozen
class RepositoryLimits:
    """What a repo may cost: its CAR, the bytes of blocks kept in memory (more go to a temporary file), levels of a value."""

    car: CarLimits = CarLimits()
    memory: int = 64 * 2**20
    max_depth: int = 512
    longest_spoiled: int = 65_536


@attrs.frozen
class Entry:
    """One record: where it is, its CID as text, its DAG-CBOR."""

    collection: str
    rkey: str
    cid: str
    raw: bytes


@attrs.frozen
class SpoiledEntry:
    """An entry that is no record; `raw` is what there is of it, cut at a limit. A path that is none leaves both empty."""

    collection: str | None
    rkey: str | None
    cid: str
    reason: str
    raw: bytes


@attrs.frozen
class Repository:
    """A verified repo: every record of the wanted collections that was in it at `commit.rev`, and no other."""

    commit: Commit
    records: int

    def entries(self) -> Iterator[Entry | SpoiledEntry]:
        """Give the entries of the wanted collections in the order of their paths. While the reader is open."""
        raise NotImplementedError


class RepositoryReader:
    """Takes the CAR of a repo in chunks. Blocks beyond `limits.memory` go to a temporary file, which `close` removes."""

    def __init__(self, collections: tuple[str, ...] = ("",), limits: RepositoryLimits | None = None) -> None:
        raise NotImplementedError

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes. Raises `CarError`."""
        raise NotImplementedError

    def verify(self, did: str, key: SigningKey, *, latest: str) -> Repository:
        """Say that all is there, and check it: CAR whole, commit signed, tree complete and canonical.

        May be asked again with another key. Raises `DisprovedError`.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the blocks."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


__all__ = ["Cid", "Entry", "Repository", "RepositoryLimits", "RepositoryReader", "SpoiledEntry"]
