"""Files for their owner alone, replaced as a whole.

Strategy: a new file is written beside the old one, with mode 0600 from its first moment, made durable, and put in its
place: whoever reads meets the old one or the new one, and nobody else meets either. One that came out of a backup, or
was copied, may be open to others: it is closed to them before it is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from radial_io.accounts.errors import OwnFileError

_OTHERS: Final = 0o077


def make_folder(folder: Path) -> None:
    """Make a folder for its owner alone, and those above it that are not there. Raises `OwnFileError`."""
    with told(folder):
        _make(folder)


def _make(folder: Path) -> None:
    if folder.is_dir():
        return
    _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)  # with `parents`, those above it would be open to others


def replace(file: Path, text: str) -> None:
    """Put a text in the place of a file. Raises `OwnFileError`."""
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    with told(file):
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                os.fchmod(stream.fileno(), 0o600)  # one that was left behind may have been anything
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def read(file: Path) -> str | None:
    """Read a file; None when it is not there. Raises `OwnFileError`."""
    with told(file):
        try:
            with file.open(encoding="utf-8") as stream:
                _close_to_others(stream.fileno())
                return stream.read()
        except FileNotFoundError:
            return None


def _close_to_others(handle: int) -> None:
    """Take a file from everybody but its owner; where that cannot be done, as on a disk that is read only, it stays."""
    if stat.S_IMODE(os.fstat(handle).st_mode) & _OTHERS:
        with suppress(OSError):
            os.fchmod(handle, 0o600)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the system's errors in the block into ours; they name the file and not what is in it."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise OwnFileError(f"{path} cannot be used: {reason or 'the system refuses'}") from error
