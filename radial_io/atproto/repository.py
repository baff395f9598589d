"""A whole repo out of a CAR: taken in chunks, verified, then read record by record in bounded memory.

    with RepositoryReader(collections=("com.disnetdev.radial.",)) as reader:
        for chunk in chunks:
            reader.feed(chunk)
        repository = reader.verify(did, key, latest=latest_rev(now))
        for entry in repository.entries():
            ...

Strategy: a repo is believed whole or not at all. Before one record is given out, the CAR is complete, the commit is
signed by the account, the tree under it is the canonical one and every block that it names is there: so absence is
proven too. A record that nobody can read spoils itself alone, and a path that atproto does not allow likewise: they are
given as what they are, in their place. Of the tree nothing is kept: it is walked once to be judged, and again to be
read, which costs less than remembering it.

A CAR with only what is new (`since`) is not read: its tree leads to blocks that it leaves out, and it tells of no
deletion. What a whole one costs is a read of a file; it is asked for when the rev has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import TracebackType
from typing import Any, Final, Self

import attrs

from radial_core.cids import Cid
from radial_core.identifiers import is_nsid, is_record_key
from radial_io.atproto.car import CarLimits, CarReader
from radial_io.atproto.commits import Commit, verify_commit
from radial_io.atproto.dagcbor import DEEPEST, decode
from radial_io.atproto.keys import SigningKey
from radial_io.atproto.mst import walk
from radial_io.atproto.spelling import spell_cid
from radial_io.atproto.spool import Spool
from radial_io.errors import CarError, DagCborError, MissingBlockError, quoted

_MEBIBYTE: Final = 2**20


@attrs.frozen
class RepositoryLimits:
    """What a repo may cost.

    `memory`: bytes of blocks in memory, beyond which they go to a temporary file. `max_depth`: levels of a record's
    value (L6 counts them); `longest_spoiled`: bytes that are kept of what is no record.
    """

    car: CarLimits = attrs.field(factory=CarLimits)
    memory: int = 64 * _MEBIBYTE
    max_depth: int = DEEPEST
    longest_spoiled: int = 65_536


@attrs.frozen
class Entry:
    """One record: its collection, its key, its CID as text, its DAG-CBOR."""

    collection: str
    rkey: str
    cid: str
    raw: bytes


@attrs.frozen
class SpoiledEntry:
    """An entry that is no record, and why. `raw` is what there is of it, cut at the limit.

    When the path itself is none, `collection` and `rkey` are None.
    """

    collection: str | None
    rkey: str | None
    cid: str
    reason: str
    raw: bytes


@attrs.frozen
class Repository:
    """A verified repo: every record of the wanted collections that is in it at `commit.rev`, and no other.

    `records` counts what `entries` gives; `passed_over` what is in other collections.
    """

    commit: Commit
    records: int
    passed_over: int
    _spool: Spool = attrs.field(repr=False, eq=False)
    _wanted: tuple[bytes, ...] = attrs.field(repr=False)
    _limits: RepositoryLimits = attrs.field(repr=False)

    def entries(self) -> Iterator[Entry | SpoiledEntry]:
        """Give the entries of the wanted collections in the order of their paths, as long as the reader is open."""
        for key, cid in walk(self.commit.data.binary, self._spool.get):
            if key.startswith(self._wanted):
                yield read_entry(key, cid, self._spool.get(cid) or b"", self._limits)


class RepositoryReader:
    """Takes the CAR of a repo in chunks. `collections` are the beginnings of those wanted; all of the tree is checked.

    A context manager: at the end of its block the temporary file, if there is one, is gone.
    """

    def __init__(self, collections: tuple[str, ...] = ("",), limits: RepositoryLimits | None = None) -> None:
        self._limits = limits or RepositoryLimits()
        self._wanted = tuple(beginning.encode() for beginning in collections)
        self._car = CarReader(self._limits.car)
        self._spool = Spool(self._limits.memory)

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes. Raises `CarError`."""
        for cid, raw in self._car.feed(chunk):
            self._spool.put(cid, raw)

    def verify(self, did: str, key: SigningKey, *, latest: str) -> Repository:
        """Say that all is there, and check it: CAR whole, commit signed, tree complete and canonical.

        `latest` is the greatest rev that is believed, from `latest_rev`. Raises `DisprovedError`; after its
        `SignatureError` it may be asked again with another key.
        """
        self._car.finish()
        commit = verify_commit(*self._root(), did=did, key=key, latest=latest)
        records = passed_over = 0
        for path, cid in walk(commit.data.binary, self._spool.get):
            if cid not in self._spool:
                raise MissingBlockError(f"the record {quoted(path.decode('ascii', 'replace'))} is not there", cid)
            if path.startswith(self._wanted):
                records += 1
            else:
                passed_over += 1
        return Repository(commit, records, passed_over, self._spool, self._wanted, self._limits)

    def _root(self) -> tuple[bytes, Cid]:
        """Give the block of the commit, and its CID."""
        roots = self._car.roots or ()
        if len(roots) != 1:
            raise CarError(f"a CAR with {len(roots)} roots is no repo")
        block = self._spool.get(roots[0])
        if block is None:
            raise MissingBlockError("the commit is not in the CAR", roots[0])
        return block, Cid(roots[0])

    def close(self) -> None:
        """Let go of the blocks."""
        self._spool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_entry(path: bytes, cid: bytes, raw: bytes, limits: RepositoryLimits) -> Entry | SpoiledEntry:
    """Read what stands in a tree: a record, or the reason why it is none."""
    name = spell_cid(cid)
    collection, _, rkey = path.decode("ascii", "replace").partition("/")
    if not _is_collection(collection) or not is_record_key(rkey):
        reason = f"{quoted(f'{collection}/{rkey}')} is no path of a record"
        return SpoiledEntry(None, None, name, reason, raw[: limits.longest_spoiled])
    reason = _fault(raw, limits.max_depth)
    if reason:
        return SpoiledEntry(collection, rkey, name, reason, raw[: limits.longest_spoiled])
    return Entry(collection, rkey, name, raw)


# Paths come in order, so that one collection is asked for again and again.
@lru_cache(maxsize=8)
def _is_collection(text: str) -> bool:
    return is_nsid(text)


def _fault(raw: bytes, max_depth: int) -> str:
    try:
        value: Any = decode(raw, max_depth=max_depth)
    except DagCborError as error:
        return str(error)
    return "" if isinstance(value, dict) else "a record that is no object"
