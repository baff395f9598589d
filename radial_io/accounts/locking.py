"""One at a time, among all processes.

Strategy: the lock is the operating system's, on a small file of its own: it ends with the process that holds it,
however that ends. Who waits sleeps in between, so that other tasks of the same process go on.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final

import anyio

from radial_io.accounts.files import told

_STEP: Final = 0.02  # seconds


@asynccontextmanager
async def alone(file: Path) -> AsyncIterator[None]:
    """Be the only one in the block who holds this file. Raises `OwnFileError` when it cannot be made."""
    handle = _opened(file)
    try:
        while not _try(handle):  # noqa: ASYNC110 - it is another process that is waited for
            await anyio.sleep(_STEP)
        yield
    finally:
        os.close(handle)


@contextmanager
def alone_now(file: Path) -> Iterator[None]:
    """Do the same, for what takes a moment only and waits for nobody inside."""
    handle = _opened(file)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _opened(file: Path) -> int:
    with told(file):
        return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
