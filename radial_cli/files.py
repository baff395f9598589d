"""Files that are whole or not there.

Strategy: a new file grows beside the old one under a hidden name and takes its place in one step when it is complete.
An interruption, a full disk or a bug leaves the old file as it was and no half of a new one. What a run left that could
not tidy up (killed, no power) is taken away by a later one, when nobody has written to it for a day.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from radial_cli.exits import USAGE, Failure
from radial_cli.stopping import UNFINISHED
from radial_cli.untrusted import file_name

_DEAD_AFTER: Final = 24 * 3600  # seconds without a byte


def target(name: str) -> Path:
    """Give the path of a file that may be written. Raises `Failure` for what is no plain file or has no folder."""
    if not name:
        raise Failure("an empty name is the name of no file", "Name a file.", USAGE)
    path = Path(name).resolve()  # through a link, to the file that it means
    shown = file_name(name)
    if path.is_dir():
        raise Failure(f"{shown} is a folder", "Name a file in it.", USAGE)
    if path.exists() and not path.is_file():
        raise Failure(f"{shown} is no plain file", "Name one that can be replaced.", USAGE)
    if not path.parent.is_dir():
        raise Failure(f"there is no folder {file_name(str(path.parent))}", "Make it first.", USAGE)
    return path


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file in the block; it takes its place at the end. Raises `Failure` when the disk refuses."""
    _tidy(path)
    growing = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    UNFINISHED.add(growing)
    try:
        with growing.open("xb") as stream:  # it is ours: nobody's link leads elsewhere
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            growing.chmod(path.stat().st_mode & 0o7777)
        growing.replace(path)
    except OSError as error:
        raise Failure(f"{file_name(str(path))} cannot be written: {error.strerror or error}") from error
    finally:
        growing.unlink(missing_ok=True)
        UNFINISHED.discard(growing)


def _tidy(path: Path) -> None:
    """Take away what dead runs left beside this file."""
    is_ours = re.compile(rf"\.{re.escape(path.name[:100])}\.[0-9a-f]{{8}}\.part").fullmatch
    with suppress(OSError):
        for left in path.parent.iterdir():
            if is_ours(left.name) and time.time() - left.stat().st_mtime > _DEAD_AFTER:
                left.unlink()
