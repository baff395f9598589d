"""Pictures before they are uploaded: one of four kinds by their own bytes, whole, and nothing else besides.

Strategy: what is shown is judged by its beginning (`viewing.containers`); what we bring into the world ourselves is
read to its end. A file that is a picture to one program and something else to another hides that behind the picture's
end, or has no end at all; so the parts of the container are walked, and the last one has to end where the file does.
Nothing is decoded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radial_io.errors import BlobError
from radial_io.viewing.containers import container_of

MOST_BYTES: Final = 10_000_000  # what the lexicon of an image allows
_WORDS: Final = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP", "image/gif": "GIF"}


def require_picture(raw: bytes) -> str:
    """Give the media type of a picture that may be uploaded. Raises `BlobError` with the reason for what may not."""
    if len(raw) > MOST_BYTES:
        raise BlobError(f"a picture of {len(raw):,} bytes; {MOST_BYTES:,} are allowed")
    kind = container_of(raw)
    end = _ENDS[kind](raw)
    if end is None:
        raise BlobError(f"begins as {_WORDS[kind]} and is not one to its end: it is cut short, or something else")
    if raw[end:].strip(b"\0"):
        raise BlobError(f"{len(raw) - end:,} bytes stand behind the end of the {_WORDS[kind]}: save the picture anew")
    return kind


def _end_of_png(raw: bytes) -> int | None:
    """Walk the chunks: length, name, data, checksum."""
    place = 8
    while place + 12 <= len(raw):
        name = raw[place + 4 : place + 8]
        place += 12 + int.from_bytes(raw[place : place + 4], "big")
        if name == b"IEND":
            return place if place <= len(raw) else None
    return None


def _end_of_jpeg(raw: bytes) -> int | None:
    """Walk the segments; in a scan's data, a marker is an `ff` that neither a zero nor a restart follows."""
    place = 2
    while place + 2 <= len(raw):
        if raw[place] != _MARK:
            return None
        marker = raw[place + 1]
        if marker == _END_OF_IMAGE:
            return place + 2
        if marker == _MARK:  # filling
            place += 1
            continue
        place += 2 + int.from_bytes(raw[place + 2 : place + 4], "big")
        if marker == _START_OF_SCAN:
            place = _end_of_scan(raw, place)
    return None


_MARK: Final = 0xFF
_START_OF_SCAN: Final = 0xDA
_END_OF_IMAGE: Final = 0xD9
_IN_A_SCAN: Final = frozenset({0, *range(0xD0, 0xD8)})


def _end_of_scan(raw: bytes, place: int) -> int:
    while (found := raw.find(_MARK, place)) >= 0 and found + 1 < len(raw):
        if raw[found + 1] not in _IN_A_SCAN:
            return found
        place = found + 2
    return len(raw)


def _end_of_webp(raw: bytes) -> int | None:
    """Take the container at its word: its size is in its head, and is even."""
    size = int.from_bytes(raw[4:8], "little") + 8
    return size + size % 2 if size <= len(raw) else None


def _end_of_gif(raw: bytes) -> int | None:
    """Walk the blocks: pictures and extensions, each with its chain of data."""
    place = 13 + _colours(raw[10])
    while place < len(raw):
        kind = raw[place]
        if kind == _TRAILER:
            return place + 1
        if kind not in _SKIPPED:
            return None
        if kind == _IMAGE and place + 9 < len(raw):
            place += _colours(raw[place + 9])
        place = _end_of_chain(raw, place + _SKIPPED[kind])
    return None


_TRAILER: Final = 0x3B
_IMAGE: Final = 0x2C
_SKIPPED: Final = {_IMAGE: 11, 0x21: 2}  # bytes before the data: the descriptor and the code size; the two names


def _colours(flags: int) -> int:
    """Give the bytes of the table of colours that these flags announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _end_of_chain(raw: bytes, place: int) -> int:
    while place < len(raw) and raw[place]:
        place += raw[place] + 1
    return place + 1


_ENDS: Final[dict[str, Callable[[bytes], int | None]]] = {
    "image/png": _end_of_png,
    "image/jpeg": _end_of_jpeg,
    "image/webp": _end_of_webp,
    "image/gif": _end_of_gif,
}
