"""Files that a person asked for: made anew, never over another one unless told so."""

from __future__ import annotations

from pathlib import Path

from radial_cli.exits import USAGE, Failure
from radial_cli.files import replacing, target
from radial_cli.untrusted import file_name


def may_write(name: str, *, force: bool) -> Path:
    """Give the path of a file that may be written. Raises `Failure` for one that is there, unless with `force`."""
    path = target(name)
    if path.exists() and not force:
        raise Failure(f"{file_name(name)} is there already", "Name another file, or replace it with --force.", USAGE)
    return path


def write_bytes(path: Path, raw: bytes) -> None:
    """Write a file; it is whole or not there. Raises `Failure` when the disk refuses."""
    with replacing(path) as stream:
        stream.write(raw)
