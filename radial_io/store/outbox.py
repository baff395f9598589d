"""The outbox: what somebody means to write, kept from before it is sent until the store holds it.

    with open_outbox(store) as outbox:
        entries = outbox.add(letters, now)          # durable, all or none
        outbox.mark_written(entries, "3m…", now)    # the server has it
        outbox.drop(entries)                        # and so has the store

Strategy: a file of its own beside the store (decision 18), because a watcher may hold the store for hours, and somebody
has to be able to act meanwhile. An entry fixes everything before the first attempt: the author, the place, the bytes,
their CID, what they replace. So a repeat is the same request, and whether it was done can be looked up. Every method is
one short transaction of its own, durable when it returns; any number of processes may use the file, and a killed one
leaves what it had recorded. Files that are at the server but in no record yet are remembered as well, to be sent once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import attrs

from radial_io.store.errors import DamagedStoreError, ForeignStoreError, NewerStoreError, mapped, unusable

Operation: TypeAlias = Literal["create", "update", "delete"]
State: TypeAlias = Literal["pending", "written", "refused"]

_APPLICATION: Final = 0x52414442  # "RADB": tells an outbox from a store
_SCHEMA: Final = 1
_BUSY: Final = 30.0  # seconds: others hold it for moments
_TABLES: Final = """
CREATE TABLE entries (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    act TEXT NOT NULL,
    did TEXT NOT NULL,
    collection TEXT NOT NULL,
    rkey TEXT NOT NULL,
    operation TEXT NOT NULL,
    cid TEXT,
    replaces TEXT,
    value TEXT,
    prepared TEXT NOT NULL,
    state TEXT NOT NULL,
    rev TEXT,
    ended TEXT,
    words TEXT
) STRICT;
CREATE INDEX entries_of ON entries (did, state);
CREATE TABLE uploads (
    did TEXT NOT NULL,
    cid TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (did, cid, kind)
) STRICT, WITHOUT ROWID;
"""
_COLUMNS: Final = (
    "entry, act, did, collection, rkey, operation, cid, replaces, value, prepared, state, rev, ended, words"
)
_ADD: Final = """
INSERT INTO entries (act, did, collection, rkey, operation, cid, replaces, value, prepared, state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending')
"""
_UPLOADED: Final = "INSERT OR REPLACE INTO uploads (did, cid, kind, at) VALUES (?, ?, ?, ?)"


@attrs.frozen(kw_only=True)
class Letter:
    """One intended change of a repo: what is recorded before it is sent.

    `act` is common to what belongs together. `value` is the record as JSON text and `cid` that of its canonical bytes,
    both None for a deletion; `replaces` is the CID of the version that must stand there, None for a new record.
    """

    act: str
    did: str
    collection: str
    rkey: str
    operation: Operation
    cid: str | None = None
    replaces: str | None = None
    value: str | None = attrs.field(default=None, repr=False)

    @property
    def uri(self) -> str:
        """The record's URI."""
        return f"at://{self.did}/{self.collection}/{self.rkey}"


@attrs.frozen(kw_only=True)
class Entry:
    """A letter in the outbox: its `number`, when it was `prepared`, what became of it and when that `ended`.

    `pending`: it is not known to be written. `written`: the server has it as of `rev`, the store perhaps not.
    `refused`: the server will not have it, `words` say why. Times are datetimes.
    """

    number: int
    letter: Letter
    prepared: str
    state: State
    rev: str | None = None
    ended: str | None = None
    words: str | None = None


def outbox_file(store: Path) -> Path:
    """Give the file of the outbox of a store: one for all symbolic links to it."""
    store = store.resolve()
    return store.with_name(store.name + ".outbox")


class ForeignOutboxError(ForeignStoreError):
    """A file where an outbox should be, but none of ours."""

    advice = "Move it away: a new one is made when you act. This one is left as it is."


class DamagedOutboxError(DamagedStoreError):
    """The bytes of an outbox are not what was written."""

    advice = (
        "Move it away. What waited in it was not sent, or perhaps it was: `radial sync` shows what is written; "
        "do the rest again."
    )


@contextmanager
def _mapped(file: Path) -> Iterator[None]:
    """Turn the errors of sqlite3 inside the block into ours: what helps a store does not help an outbox."""
    try:
        with mapped(file):
            yield
    except ForeignStoreError as error:
        raise ForeignOutboxError(f"{file} is no outbox of this program") from error
    except DamagedStoreError as error:
        raise DamagedOutboxError(str(error)) from error


@contextmanager
def open_outbox(store: Path) -> Iterator[Outbox]:
    """Open the outbox beside a store for the block; it is made if it is not there. Raises `StoreError`."""
    file = outbox_file(store)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise unusable(file, error, "written") from error
    with _mapped(file), closing(_connect(file)) as db:
        yield Outbox(file, db)


def peek_outbox(store: Path) -> tuple[Entry, ...]:
    """Give what the outbox beside a store keeps, in order; nothing where there is none. Raises `StoreError`."""
    file = outbox_file(store)
    if not file.exists():
        return ()
    uri = f"{file.as_uri()}?mode=ro"
    with _mapped(file), closing(sqlite3.connect(uri, uri=True, timeout=_BUSY, isolation_level=None)) as db:
        if _is_empty(file, db):  # it is just being made
            return ()
        return Outbox(file, db).entries()


def _connect(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, timeout=_BUSY, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA synchronous = FULL")
        with _transaction(db):
            _bring_forward(file, db)
    except BaseException:
        db.close()
        raise
    return db


def _bring_forward(file: Path, db: sqlite3.Connection) -> None:
    if _is_empty(file, db):
        for statement in filter(str.strip, _TABLES.split(";")):
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(f"PRAGMA user_version = {_SCHEMA}")


def _is_empty(file: Path, db: sqlite3.Connection) -> bool:
    """Tell whether nothing is in this database yet. Raises `StoreError` unless it is empty or an outbox of ours."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    is_empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != _APPLICATION and not (is_empty and application == version == 0):
        raise ForeignStoreError(f"{file} is a database of another program")
    if version > _SCHEMA:
        raise NewerStoreError(f"{file} has schema {version}, and this program knows those up to {_SCHEMA}")
    return bool(is_empty)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk has ended it already
            db.execute("ROLLBACK")
        raise


class Outbox:
    """An open outbox. Raises `StoreError` where nothing could be kept."""

    def __init__(self, file: Path, db: sqlite3.Connection) -> None:
        self.file = file
        self._db = db

    def add(self, letters: Iterable[Letter], now: str) -> tuple[Entry, ...]:
        """Record what is going to be sent, in this order: all or none."""
        entries: list[Entry] = []
        with self._change():
            for letter in letters:
                number = self._db.execute(_ADD, (*_row(letter), now)).lastrowid
                entries.append(Entry(number=number or 0, letter=letter, prepared=now, state="pending"))
        return tuple(entries)

    def mark_written(self, entries: Iterable[Entry], rev: str | None, now: str) -> None:
        """Record that the server has these, as of this revision."""
        self._mark("UPDATE entries SET state = 'written', rev = ?, ended = ? WHERE entry = ?", entries, rev, now)

    def mark_refused(self, entries: Iterable[Entry], words: str, now: str) -> None:
        """Record that the server will not have these, and why."""
        self._mark("UPDATE entries SET state = 'refused', words = ?, ended = ? WHERE entry = ?", entries, words, now)

    def drop(self, entries: Iterable[Entry]) -> int:
        """Keep these no more; give how many were there."""
        with self._change():
            gone = self._db.executemany("DELETE FROM entries WHERE entry = ?", [(entry.number,) for entry in entries])
        return gone.rowcount

    def entries(self, did: str | None = None, *, state: State | None = None) -> tuple[Entry, ...]:
        """Give what is kept, in the order in which it was recorded."""
        asked = (
            f"SELECT {_COLUMNS} FROM entries WHERE did = coalesce(?, did) AND state = coalesce(?, state) ORDER BY entry"  # noqa: S608 - our own text
        )
        with _mapped(self.file):
            return tuple(_entry(row) for row in self._db.execute(asked, (did, state)))

    def upload(self, did: str, cid: str, kind: str) -> str | None:
        """Give when a file was brought to the server of this account, which no record may have named yet."""
        asked = "SELECT at FROM uploads WHERE did = ? AND cid = ? AND kind = ?"
        with _mapped(self.file):
            found = self._db.execute(asked, (did, cid, kind)).fetchone()
        return None if found is None else str(found[0])

    def note_upload(self, did: str, cid: str, kind: str, now: str) -> None:
        """Record that a file is at the server of this account."""
        with self._change():
            self._db.execute(_UPLOADED, (did, cid, kind, now))

    def forget_uploads(self, did: str, before: str | None = None) -> None:
        """Take no file of this account to be at its server any more, or none that was brought `before` a datetime."""
        with self._change():
            self._db.execute("DELETE FROM uploads WHERE did = ? AND at < coalesce(?, at || 'x')", (did, before))

    def _mark(self, change: str, entries: Iterable[Entry], told: str | None, now: str) -> None:
        with self._change():
            self._db.executemany(change, [(told, now, entry.number) for entry in entries])

    @contextmanager
    def _change(self) -> Iterator[None]:
        with _mapped(self.file), _transaction(self._db):
            yield


def _row(letter: Letter) -> tuple[str | None, ...]:
    names = (letter.act, letter.did, letter.collection, letter.rkey, letter.operation)
    return (*names, letter.cid, letter.replaces, letter.value)


def _entry(row: Any) -> Entry:
    number, act, did, collection, rkey, operation, cid, replaces, value, prepared, state, rev, ended, words = row
    letter = Letter(
        act=act,
        did=did,
        collection=collection,
        rkey=rkey,
        operation=operation,
        cid=cid,
        replaces=replaces,
        value=value,
    )
    return Entry(number=number, letter=letter, prepared=prepared, state=state, rev=rev, ended=ended, words=words)
