"""Files for their owner alone, replaced as a whole.

Strategy: a new file is written beside the old one, with mode 0600 from its first moment, made durable, and put in its
place: whoever reads meets the old one or the new one, and nobody else meets either.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from radial_io.accounts.errors import VaultError


def make_folder(folder: Path) -> None:
    """Make a folder for its owner alone. Raises `VaultError`."""
    with told(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def replace(file: Path, text: str) -> None:
    """Put a text in the place of a file. Raises `VaultError`."""
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
    """Read a file; None when it is not there. Raises `VaultError`."""
    with told(file):
        try:
            return file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the system's errors in the block into ours; they name the file and not what is in it."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise VaultError(f"{path} cannot be used: {reason or 'the system refuses'}") from error
