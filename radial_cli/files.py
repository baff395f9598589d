"""Files that are whole or not there.

Strategy: a new file grows beside the old one under a hidden name and takes its place in one step when it is complete.
An interruption, a full disk or a bug leaves the old file as it was and no half of a new one.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from radial_cli.exits import USAGE, Failure
from radial_cli.stopping import UNFINISHED
from radial_cli.untrusted import file_name


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
