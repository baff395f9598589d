"""One writer at a time.

Strategy: the lock is the operating system's, on a small file beside the store: it ends with the process that holds it,
however that ends, and nobody has to clear anything away. What stands in the file is who holds it, since when, and, as
soon as it has begun, in which session: before that, what the store holds is an earlier writer's. Whether somebody
writes is asked by trying; a writer who meets such a question tries again.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from radial_io.store.errors import StoreBusyError

_LEAST_WAIT: Final = 0.2  # seconds: longer than any question takes
_STEP: Final = 0.02
_SESSION: Final = 2  # the place of its number among the words in the file


def lock_file(store: Path) -> Path:
    """Give the path of the file that is locked for a store: one for all symbolic links to it."""
    store = store.resolve()
    return store.with_name(store.name + ".lock")


@contextmanager
def writing(store: Path, wait: float) -> Iterator[Callable[[int], None]]:
    """Be the only writer in the block; gives what is called with the number of its session once that has begun.

    Raises `StoreBusyError` when another one is, also after `wait` seconds.
    """
    handle = os.open(lock_file(store), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(store, handle, max(wait, _LEAST_WAIT))
        os.ftruncate(handle, 0)
        holder = f"{os.getpid()} {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        os.pwrite(handle, f"{holder}\n".encode(), 0)
        yield lambda session: _announce(handle, holder, session)
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def _announce(handle: int, holder: str, session: int) -> None:
    os.pwrite(handle, f"{holder} {session}\n".encode(), 0)


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
    words = _words(handle)
    if len(words) < _SESSION or not words[0].isdigit():
        return StoreBusyError(f"another process writes to {store}", None)
    holder, since = words[:_SESSION]
    return StoreBusyError(f"process {holder} writes to {store} since {since} (`ps -p {holder}` shows it)", int(holder))


def _words(handle: int) -> list[str]:
    return os.pread(handle, 64, 0).decode("ascii", "replace").split()


def is_written(store: Path) -> bool:
    """Tell whether somebody holds the store for writing at this moment."""
    return _held(store) is not None


def session_of(store: Path) -> int | None:
    """Give the session of whoever holds the store for writing at this moment, once it has begun."""
    words = _held(store) or []
    return int(words[_SESSION]) if len(words) > _SESSION and words[_SESSION].isdigit() else None


def _held(store: Path) -> list[str] | None:
    """Give what stands in the file while somebody holds it."""
    with suppress(OSError):
        handle = os.open(lock_file(store), os.O_RDONLY | os.O_CLOEXEC)
        try:
            return None if _try(handle, fcntl.LOCK_SH) else _words(handle)
        finally:
            os.close(handle)
    return None
