"""The four kinds of picture that are shown, told by their first bytes.

Strategy: neither a file's name nor what anybody claims decides what it is, only its own beginning: as much of it as the
container's definition fixes, not just the famous first bytes. Whatever is none of the four is refused, above all what
is a document to whoever opens it: SVG holds scripts, HTML is one. Nothing is decoded here. What stands behind a
picture's own end is not looked for: it is inert to whoever takes the file for what it begins as.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from radial_io.errors import BlobError

_PNG: Final = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR"  # the signature, then a header of 13 bytes
_LEAST_PNG: Final = 33  # signature and header with its checksum
_GIF: Final = (b"GIF87a", b"GIF89a")
_LEAST_GIF: Final = 13  # signature and description of the screen
_JPEG: Final = b"\xff\xd8\xff"  # start of image, and the beginning of the marker that must follow
_SEGMENTS: Final = frozenset(range(0xC0, 0xFF)) - frozenset(range(0xD0, 0xDA))  # markers that have a segment
_LEAST_JPEG: Final = 4
_WEBP_CHUNKS: Final = (b"VP8 ", b"VP8L", b"VP8X")
_RIFF_HEAD: Final = 8  # the name, and how many bytes follow


def _is_png(raw: bytes) -> bool:
    return raw.startswith(_PNG) and len(raw) >= _LEAST_PNG


def _is_jpeg(raw: bytes) -> bool:
    return raw.startswith(_JPEG) and len(raw) >= _LEAST_JPEG and raw[3] in _SEGMENTS


def _is_webp(raw: bytes) -> bool:
    is_named = raw[:4] == b"RIFF" and raw[8:12] == b"WEBP" and raw[12:16] in _WEBP_CHUNKS
    return is_named and int.from_bytes(raw[4:8], "little") + _RIFF_HEAD <= len(raw)


def _is_gif(raw: bytes) -> bool:
    return raw.startswith(_GIF) and len(raw) >= _LEAST_GIF


CONTAINERS: Final[dict[str, Callable[[bytes], bool]]] = {
    "image/png": _is_png,
    "image/jpeg": _is_jpeg,
    "image/webp": _is_webp,
    "image/gif": _is_gif,
}


def container_of(raw: bytes) -> str:
    """Give the media type that a file's own beginning says. Raises `BlobError` for what is none of the four."""
    for kind, is_one in CONTAINERS.items():
        if is_one(raw):
            return kind
    raise BlobError(f"{len(raw)} bytes that are no picture: neither PNG, JPEG, WebP nor GIF by their beginning")
