"""Downloads that outlive the process: what was read whole from a server is not asked of it again.

Strategy: a file a name (a repo's is its DID), in one folder. It is written beside its place and moved there when it is
whole, so a file in place is the whole answer. Nobody believes it for that: it is read as if it came from the server. It
is a convenience, so a disk that fails costs the keeping and nothing else. Only the user may read it, and a file that is
begun is a new one: nobody's link leads elsewhere.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import attrs

_PIECE: Final = 262_144
_WHOLE, _PART = ".car", ".part"
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600


@attrs.frozen
class Keeping:
    """A folder of kept downloads; it is made when it is needed."""

    folder: Path

    def read(self, name: str) -> Iterator[bytes] | None:
        """Give what is kept under a name, in pieces; None when nothing is."""
        try:
            file = self._path(name).open("rb")
        except OSError:
            return None
        return _pieces(file)

    def begin(self, name: str) -> Keeper:
        """Begin to keep something under a name."""
        return Keeper(self._path(name))

    def drop(self, name: str) -> None:
        """Forget what is kept under a name."""
        with suppress(OSError):
            self._path(name).unlink()

    def drop_others(self, names: Iterable[str]) -> None:
        """Forget whatever is not kept under one of these names, and what was begun by a process that is gone."""
        wanted = {self._path(name).name for name in names}
        with suppress(OSError):
            for path in self.folder.iterdir():
                if path.suffix in {_WHOLE, _PART} and path.name not in wanted:
                    path.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / (hashlib.sha256(name.encode()).hexdigest() + _WHOLE)


class Keeper:
    """Something that is being kept: piece after piece, then `finish`, or else `abandon`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_suffix(_PART)
        self._file: IO[bytes] | None = None
        with suppress(OSError):
            path.parent.mkdir(_FOLDER_MODE, parents=True, exist_ok=True)
            self._part.unlink(missing_ok=True)  # of a process that is gone
            self._file = open(self._part, "xb", opener=_ours)  # noqa: SIM115 - it is closed when all is written

    def write(self, piece: bytes) -> None:
        """Keep a piece."""
        if self._file is None:
            return
        try:
            self._file.write(piece)
        except OSError:
            self.abandon()

    def finish(self) -> None:
        """Say that all was written."""
        if self._file is None:
            return
        try:
            self._file.close()
            self._part.replace(self._path)
        except OSError:
            self.abandon()
        self._file = None

    def abandon(self) -> None:
        """Forget what was written."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                self._part.unlink()


def _ours(name: str, flags: int) -> int:
    return os.open(name, flags, _FILE_MODE)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
