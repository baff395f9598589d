"""What can be wrong with the file that a store is in: looked at from outside, before it is opened."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

from radial_cli.diagnosing.findings import FAULT, NOTE, WARNING, Finding
from radial_io.store.errors import StoreError
from radial_io.store.locking import is_written
from radial_io.store.peeking import peeked

_LITTLE_ROOM: Final = 256 * 2**20  # bytes: a log may grow to a quarter of that before it is folded in


def file_findings(path: Path) -> list[Finding]:
    """Say how the file is."""
    about = str(path)
    try:
        schema, newest = peeked(path)
    except StoreError as error:
        return [Finding(FAULT, "store", about, str(error), error.advice)]
    found = [_lock(path)]
    if schema < newest:
        words = f"the store has schema {schema}, and this program's is {newest}"
        found.append(Finding(NOTE, "schema", about, words, "The next command that opens it brings it forward."))
    return found + _permissions(path) + _room(path)


def _lock(path: Path) -> Finding:
    if is_written(path):
        return Finding(NOTE, "writer", str(path), "a process has the store open for writing", "")
    advice = "`radial watch` follows spaces; `radial sync` reads them once."
    return Finding(NOTE, "writer", str(path), "nobody writes to the store now, so nothing in it is fresh", advice)


def _permissions(path: Path) -> list[Finding]:
    found = []
    about = str(path)
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        advice = f"It tells when you first saw what: chmod 600 {path}"
        found.append(Finding(WARNING, "permissions", about, "others on this machine may open the store", advice))
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        advice = "sync and watch need to write to the file and to its folder."
        found.append(Finding(WARNING, "permissions", about, "you may not write to the store", advice))
    return found


def _room(path: Path) -> list[Finding]:
    free = shutil.disk_usage(path.parent).free
    if free >= _LITTLE_ROOM:
        return []
    return [
        Finding(
            WARNING,
            "disk",
            str(path),
            f"the disk has {free // 2**20} MiB left",
            "Make room: a full disk stops all reading.",
        )
    ]
