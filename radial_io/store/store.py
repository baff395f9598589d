"""The store's face: open it, take batches, read what it holds.

    with open_store(path, write=True) as store:
        store.take(Batch(source=source, cursor="42", seen=(…)), now)      # all of it is durable, or nothing
        index = materialize(observation for _, observation in store.observations())

Strategy: one connection writes, under a lock of this process and a lock against all others. Reading has connections of
its own, each with a transaction of its own: it sees the store as it stood at its first step and never waits. Every
method is one transaction; errors of the database leave here as `StoreError`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

from radial_io.store import keeping, reading, tables, taking, telling, upkeep
from radial_io.store.errors import mapped, unusable
from radial_io.store.locking import session_of, writing
from radial_io.store.moments import kept
from radial_io.store.naming import Names
from radial_io.store.opening import connect_reader, connect_writer, prepare, schema
from radial_io.store.values import (
    Batch,
    Damage,
    Failure,
    Quarantined,
    Repo,
    Source,
    SourceState,
    Standing,
    Stats,
    Taken,
)

if TYPE_CHECKING:
    from radial_core.observations import Observation

_CURSOR: Final = "SELECT cursor FROM sources WHERE adapter = ? AND host = ? AND subject = ?"
_NOTE: Final = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
_SESSION: Final = "store.session"


@contextmanager
def open_store(path: Path, *, write: bool, busy_wait: float = 0.0) -> Iterator[Store]:
    """Open the store at `path` for the block; for writing, make it if it is not there.

    One process may write; `busy_wait` is how many seconds to wait for another one to end. Readers never wait and are
    never waited for. Raises a `StoreError`: `StoreBusyError` while somebody else writes, `NoStoreError`,
    `ForeignStoreError`, `NewerStoreError`, `DamagedStoreError`, `StoreAccessError`.
    """
    with ExitStack() as stack:
        if not write:
            yield stack.enter_context(closing(Store(path, None)))
            return
        prepare(path)
        announce = stack.enter_context(_writable(path, busy_wait))
        store = stack.enter_context(closing(Store(path, connect_writer(path))))
        announce(store.session)
        yield store


@contextmanager
def _writable(path: Path, busy_wait: float) -> Iterator[Callable[[int], None]]:
    with ExitStack() as stack:
        try:
            announce = stack.enter_context(writing(path, busy_wait))
        except OSError as error:
            raise unusable(path, error, "locked") from error
        yield announce


def _up_to_date(path: Path) -> sqlite3.Connection:
    """Open for reading; a store of an older schema is brought forward first, which takes the lock for a moment."""
    connection = connect_reader(path)
    with mapped(path):
        if schema(connection) == len(tables.STEPS):
            return connection
        connection.close()
    with _writable(path, 0.0):
        connect_writer(path).close()
    return connect_reader(path)


class Store:
    """An open store. Its methods may be called from several threads; each is one transaction of its own."""

    def __init__(self, path: Path, writer: sqlite3.Connection | None) -> None:
        self.path = path
        self._writer = writer
        self._writing = RLock()
        self._reading = RLock()
        self.session = 0  # the number of a writer's session
        with ExitStack() as stack:
            if writer is not None:
                stack.callback(writer.close)
                self._names = Names(writer)
                self.session = self._new_session(writer)
            self._reader = _up_to_date(path)
            stack.pop_all()

    def close(self) -> None:
        """Let go of the file. Streams that are still being read go on."""
        with self._reading, self._writing:
            self._reader.close()
            if self._writer is not None:
                # The last writer folds the log into the file, unless somebody reads: then the next one does.
                with suppress(sqlite3.Error):
                    self._writer.close()

    # Writing

    def take(self, batch: Batch, now: str) -> Taken:
        """Keep all of a batch and its cursor in one transaction, or nothing of it.

        `now` is the observer's own clock, a datetime: the first sighting of what is new (O1). That of a version which
        is known stays. Raises `StoreError` when nothing could be kept (disk full), `ValueError` for a caller's mistake.
        """
        taking.require_revisions(batch)
        moment = kept(now)
        with self._transaction() as db:
            new, gone = taking.take_observations(db, self._names, batch, moment)
            keeping.keep_progress(db, self._names, batch, moment, self.session)
            spoiled = keeping.set_aside(db, self._names, batch, moment)
        return Taken(new, len(batch.seen) - new, gone, spoiled)

    def note(self, notes: Mapping[str, str | None]) -> None:
        """Keep notes, all or none; None takes one away."""
        with self._transaction() as db:
            for key, text in notes.items():
                if text is None:
                    db.execute("DELETE FROM notes WHERE key = ?", (key,))
                else:
                    db.execute(_NOTE, (key, text))

    def shrink(self) -> None:
        """Give free room back to the disk."""
        with self._writing, mapped(self.path):
            upkeep.shrink(self._required_writer())

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._writing, mapped(self.path):
            db = self._required_writer()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                self._names.forget()
                with suppress(sqlite3.Error):  # a full disk undoes it by itself
                    db.execute("ROLLBACK")
                raise

    def _required_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            raise TypeError("this store was opened for reading only")
        return self._writer

    def _new_session(self, db: sqlite3.Connection) -> int:
        with self._transaction():
            found = db.execute("SELECT value FROM notes WHERE key = ?", (_SESSION,)).fetchone()
            session = int(found[0]) + 1 if found else 1
            db.execute(_NOTE, (_SESSION, str(session)))
        return session

    # Observations

    def observations(
        self,
        *,
        dids: Collection[str] | None = None,
        collections: Collection[str] | None = None,
        after: int = 0,
        on_damage: Callable[[Damage], None] | None = None,
    ) -> Iterator[tuple[int, Observation]]:
        """Stream observations with their row numbers, in ascending order, as the store stands at the first step.

        A row is one version or one deletion; it has an observation for each sighting that the fold can tell apart. A
        row that gets a sighting which may matter is numbered anew, so that `index.extend` over what comes `after` the
        last number met gives the index of the whole. A version whose bytes are damaged goes to `on_damage`, without it
        `DamagedStoreError` is raised.
        """
        with self._stream() as db:
            places = reading.Places(db, dids, collections)
            yield from reading.observations(db, places, after, on_damage)

    def every_sighting(
        self,
        *,
        dids: Collection[str] | None = None,
        collections: Collection[str] | None = None,
        on_damage: Callable[[Damage], None] | None = None,
    ) -> Iterator[Observation]:
        """Stream all that is known, for another store, by DID, collection, record key and CID."""
        with self._stream() as db:
            yield from reading.in_order_of_uri(db, reading.Places(db, dids, collections), on_damage)

    def held(self, did: str) -> dict[tuple[str, str], tuple[str, str | None]]:
        """Give what a repo holds as last seen: `{(collection, rkey): (cid, greatest rev known)}`."""
        with self._read() as db:
            return telling.held(db, did)

    def held_page(self, did: str, collection: str, after: str, size: int) -> tuple[Standing, ...]:
        """Give some of what a repo holds of one collection, by rkey, after one; nothing only when there is no more."""
        with self._read() as db:
            return telling.held_page(db, did, collection, after, size)

    def last_row(self) -> int:
        """Give the greatest row number in use."""
        with self._read() as db:
            return taking.last_row(db)

    # How far, how well

    def cursor(self, source: Source) -> str | None:
        """Give the cursor up to which all that this source told is in the store."""
        with self._read() as db:
            found = db.execute(_CURSOR, (source.adapter, source.host, source.subject)).fetchone()
            return None if found is None else found[0]

    def repo(self, did: str) -> Repo:
        """Tell what is known of a repo, also of one that was never heard of."""
        with self._read() as db:
            return next(iter(telling.repos(db, did)), Repo(did))

    def repos(self) -> tuple[Repo, ...]:
        """Tell what is known of every repo, by DID."""
        with self._read() as db:
            return telling.repos(db)

    def failures(self) -> tuple[tuple[Failure, str], ...]:
        """Give the last error of each repo from each source, and when it was; by DID, the latest last."""
        with self._read() as db:
            return telling.failures(db)

    def unread(self, dids: Collection[str]) -> tuple[str, ...]:
        """Give those whose repo was never read wholly: while there are any, the store is not ready for them."""
        with self._read() as db:
            return telling.unread(db, dids)

    def sources(self) -> tuple[SourceState, ...]:
        """Tell how far each source was read."""
        with self._read() as db:
            return telling.sources(db, session_of(self.path))

    def quarantine(self, did: str | None = None) -> Iterator[Quarantined]:
        """Stream what could not be taken, by DID, collection and record key."""
        with self._stream() as db:
            yield from telling.quarantine(db, did)

    def stats(self) -> Stats:
        """Count what there is."""
        with self._read() as db:
            return telling.stats(db, self.path)

    def meta(self, key: str) -> str | None:
        """Give a note that somebody made with `note`."""
        with self._read() as db:
            found = db.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
            return None if found is None else found[0]

    # Looking after it

    def faults(self) -> Iterator[str]:
        """Name everything that is wrong with the file, the tables, and the bytes of each version, one by one."""
        with mapped(self.path), closing(connect_reader(self.path)) as db:
            yield from upkeep.faults(db)

    def copy(self, target: Path) -> None:
        """Write a copy, as the store stands now, into a file that is not there or empty."""
        with mapped(self.path), closing(connect_reader(self.path)) as db:
            upkeep.copy(db, target)

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._reading, mapped(self.path):
            self._reader.execute("BEGIN")
            try:
                yield self._reader
            finally:
                self._reader.execute("ROLLBACK")

    @contextmanager
    def _stream(self) -> Iterator[sqlite3.Connection]:
        """Give a connection of one's own: whoever reads slowly keeps nobody else waiting."""
        with mapped(self.path), closing(connect_reader(self.path)) as db:
            db.execute("BEGIN")
            yield db
