"""From a path to a connection: the file, who may read it, whether it is ours and of a schema that we know.

Strategy: nothing is changed in a file before it has shown that it is a store. A store is made and brought forward in
one transaction, so that a killed process leaves an empty file or a whole one. WAL lets readers look at a steady picture
while the writer goes on; `synchronous = FULL` means that what `take` has returned for survives a power cut too: a
source may be told that its event is kept.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from radial_io.store import tables
from radial_io.store.errors import ForeignStoreError, NewerStoreError, NoStoreError, StoreAccessError, mapped, unusable

_MAGIC: Final = b"SQLite format 3\0"
_CACHE: Final = -16_384  # KiB of pages that one connection keeps at most
_LONGEST_WAL: Final = 64 * 2**20  # bytes that are left on the disk after a long one
_BUSY: Final = 10.0  # seconds: SQLite's own locks are held for moments, as at the end of a writer


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open for writing the store that `prepare` has made sure of, of the newest schema. The caller holds the lock."""
    with mapped(path), ExitStack() as stack:
        connection = stack.enter_context(closing(_connect(path, "rw")))
        version = _require_ours(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA journal_size_limit = {_LONGEST_WAL}")
        _bring_forward(connection, version)
        stack.pop_all()
    return connection


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open a store for reading only. Raises `NoStoreError` when there is none yet; the schema may be an older one."""
    require_file(path)
    with mapped(path):
        try:
            return _reading(path, "ro")
        except sqlite3.OperationalError:
            # A folder that nobody can write to has no room for the files of WAL; nor does anybody change the store.
            file = path.resolve()  # beside the file that a symbolic link leads to
            if file.with_name(file.name + "-wal").exists():
                raise
            return _reading(path, "ro&immutable=1")


def _reading(path: Path, mode: str) -> sqlite3.Connection:
    with ExitStack() as stack:
        connection = stack.enter_context(closing(_connect(path, mode)))
        if _require_ours(path, connection) == 0:
            raise NoStoreError(f"{path} is empty")
        stack.pop_all()
    return connection


def schema(connection: sqlite3.Connection) -> int:
    """Give the schema's number; 0 for an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def prepare(path: Path) -> None:
    """Make the file, and the folder it stands in, for their owner alone; a file that is there must be a database."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise unusable(path, error, "written") from error
    require_file(path)


def require_file(path: Path) -> None:
    """Raise a `StoreError` when there is no such file, or one that is no database."""
    try:
        with path.open("rb") as stream:
            head = stream.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise NoStoreError(f"there is no store {path}") from error
    except OSError as error:
        raise StoreAccessError(f"{path} cannot be read: {error.strerror or error}") from error
    if head and head != _MAGIC:
        raise ForeignStoreError(f"{path} is no store: it is not a database")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA cache_size = {_CACHE}")
    return connection


def _require_ours(path: Path, connection: sqlite3.Connection) -> int:
    """Give the schema's number; nothing has been changed yet."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version, newest = schema(connection), len(tables.STEPS)
    is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != tables.APPLICATION and not (is_empty and application == version == 0):
        raise ForeignStoreError(f"{path} is a database of another program")
    if version > newest:
        raise NewerStoreError(f"{path} has schema {version}, and this program knows those up to {newest}")
    return version


def _bring_forward(connection: sqlite3.Connection, version: int) -> None:
    """Take every step from this schema to the newest, or none."""
    if version == len(tables.STEPS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in tables.STEPS[version:]:
            for statement in filter(str.strip, step.split(";")):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {tables.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(tables.STEPS)}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
