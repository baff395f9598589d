"""Blobs kept on disk: a bounded folder of files, each named by its CID.

Strategy: it saves asking, and nothing rests on it. A file grows under another name and takes its place when it is
whole; it is read like an answer of a stranger, and one whose bytes are no longer its CID's is thrown away. When there
is more than there may be, what was not read for longest goes first. Only the user may read it. A disk that fails costs
the keeping and nothing else.
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from radial_io.atproto.blobs import BlobRef, is_blob

_FOLDER_MODE: Final = 0o700
_FILE_MODE: Final = 0o600
_PART: Final = ".part"
_DEAD_AFTER: Final = 3600.0  # seconds after which a file that still grows belongs to a process that is gone
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@attrs.frozen
class Cupboard:
    """A folder with room for `room` bytes; it is made when it is needed."""

    folder: Path
    room: int = 256 * 2**20

    def read(self, blob: BlobRef) -> bytes | None:
        """Give the bytes of a blob, if they are here."""
        path = self._path(blob)
        try:
            if path.stat().st_size != blob.size:
                return None
            raw = path.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            if is_blob(raw, blob):
                os.utime(path)
                return raw
            path.unlink()
        return None

    def keep(self, blob: BlobRef, raw: bytes) -> None:
        """Keep the bytes of a blob, if there is room for them and the disk allows it."""
        if len(raw) > self.room:
            return
        part = self._path(blob).with_suffix(f".{secrets.token_hex(4)}{_PART}")
        with suppress(OSError):
            self.folder.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            try:
                with os.fdopen(os.open(part, _NEW_FILE, _FILE_MODE), "wb") as file:
                    file.write(raw)
                part.replace(self._path(blob))
            finally:
                part.unlink(missing_ok=True)
            self._make_room()

    def _path(self, blob: BlobRef) -> Path:
        return self.folder / str(blob.cid)

    def _make_room(self) -> None:
        """Throw away what is too much: the dead first, then what was not read for longest."""
        left = self.room
        for path, state in sorted(self._held(), key=lambda held: -held[1].st_mtime_ns):
            is_dead = path.suffix == _PART and time.time() - state.st_mtime > _DEAD_AFTER
            left -= state.st_size
            if is_dead or left < 0:
                path.unlink(missing_ok=True)

    def _held(self) -> list[tuple[Path, os.stat_result]]:
        return [(path, path.stat()) for path in self.folder.iterdir() if path.is_file()]
