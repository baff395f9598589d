"""What a store can fail with.

    StoreError                    every failure of a store; `advice` says what to do about it
    ├── NoStoreError              there is none
    ├── StoreBusyError            another process writes to it; `holder` is its process id, if known
    ├── StoreAccessError          it cannot be opened or written: permissions, a folder, a disk that fails
    ├── StoreFullError            there is no room for more; what was in it is as it was
    ├── ForeignStoreError         a file, but no store of ours
    ├── NewerStoreError           written by a newer version of this program
    └── DamagedStoreError         its bytes are not what was written

Strategy: errors of sqlite3 are mapped in one place, `mapped` below, and get no further.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from radial_io.errors import RadialIoError


class StoreError(RadialIoError):
    """Every failure of a store."""


class NoStoreError(StoreError):
    """There is no store."""

    advice = "`radial sync` makes one, and so does `radial import`; --store or RADIAL_STORE names it."


class StoreBusyError(StoreError):
    """Another process writes to it."""

    advice: ClassVar[str] = "Wait for it, or end it. Reading needs no lock, and an ended process leaves none behind."

    def __init__(self, message: str, holder: int | None) -> None:
        super().__init__(message)
        self.holder = holder


class StoreAccessError(StoreError):
    """It cannot be opened or written."""

    advice = "Check the permissions of the file and of its folder, and the disk."


class StoreFullError(StoreError):
    """There is no room for more; what was in it is as it was."""

    advice = "Make room on the disk and go on: what was being written is written again from where its source stood."


class ForeignStoreError(StoreError):
    """A file, but no store of ours."""

    advice = "Name another file: this one is left as it is."


class NewerStoreError(StoreError):
    """Written by a newer version of this program."""

    advice = "Use that version, or another store. This one is left as it is."


class DamagedStoreError(StoreError):
    """Its bytes are not what was written."""

    advice = "`radial store check` says what is left; restore a backup, or move it away and read the spaces anew."


# Also who only reads needs some room beside the file: where there is none for it, SQLite tells of a disk that fails.
_FULL: Final = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE})
_DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT})
_FOREIGN: Final = frozenset({sqlite3.SQLITE_NOTADB})
_LOCKED: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})  # of the system
_PRIMARY: Final = 0xFF  # an extended code holds its kind in the lowest byte


@contextmanager
def mapped(path: Path) -> Iterator[None]:
    """Turn the errors of sqlite3 inside the block into ours."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is None:  # not the database's word, but that of a wrong call: a bug
            raise
        raise _ours(path, error, code) from error


def unusable(path: Path, error: OSError, done: str) -> StoreError:
    """Make our error of the system's; `done` is what could not be done to the file: `written`, `locked`."""
    if error.errno in _NO_ROOM:
        return StoreFullError(f"{path}: there is no room for more")
    return StoreAccessError(f"{path} cannot be {done}: {error.strerror or error}")


def _ours(path: Path, error: sqlite3.Error, code: int) -> StoreError:
    kind = code & _PRIMARY
    if kind in _FULL or code in _FULL:
        return StoreFullError(f"{path}: there is no room for more")
    if kind in _DAMAGED:
        return DamagedStoreError(f"{path}: damaged ({error})")
    if kind in _FOREIGN:
        return ForeignStoreError(f"{path} is no store: it is not a database")
    if kind in _LOCKED:
        return StoreBusyError(f"{path}: another program holds the database", None)
    return StoreAccessError(f"{path}: {error}")
