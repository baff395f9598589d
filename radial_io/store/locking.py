"""One writer at a time.

Strategy: the lock is the operating system's, on a small file beside the store: it ends with the process that holds it,
however that ends, and nobody has to clear anything away. What stands in the file (who, since when) is for the message
alone. Whether somebody writes is asked by trying; a writer who meets such a question tries again.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from radial_io.store.errors import StoreBusyError

_LEAST_WAIT: Final = 0.2  # seconds: longer than any question takes
_STEP: Final = 0.02


def lock_file(store: Path) -> Path:
    """Give the path of the file that is locked for a store: one for all symbolic links to it."""
    store = store.resolve()
    return store.with_name(store.name + ".lock")


@contextmanager
def writing(store: Path, wait: float) -> Iterator[None]:
    """Be the only writer in the block. Raises `StoreBusyError` when another one is, also after `wait` seconds."""
    handle = os.open(lock_file(store), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(store, handle, max(wait, _LEAST_WAIT))
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()} {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}\n".encode(), 0)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _lock(store: Path, handle: int, wait: float) -> None:
    end = time.monotonic() + wait
    while not _try(handle, fcntl.LOCK_EX):
        if time.monotonic() >= end:
            raise _busy(store, handle)
        time.sleep(_STEP)


def _try(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _busy(store: Path, handle: int) -> StoreBusyError:
    holder, _, since = os.pread(handle, 64, 0).decode("ascii", "replace").strip().partition(" ")
    if not holder.isdigit():
        return StoreBusyError(f"another process writes to {store}", None)
    return StoreBusyError(f"process {holder} writes to {store} since {since} (`ps -p {holder}` shows it)", int(holder))


def is_written(store: Path) -> bool:
    """Tell whether somebody holds the store for writing at this moment."""
    with suppress(OSError):
        handle = os.open(lock_file(store), os.O_RDONLY | os.O_CLOEXEC)
        try:
            return not _try(handle, fcntl.LOCK_SH)
        finally:
            os.close(handle)
    return False
