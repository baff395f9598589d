"""Blobs: images of their own, and long bodies of artifacts (M4).

Strategy: a blob's bytes are nowhere here, only its link; it is the CID of what it would say.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from radial_core.cids import Cid
from radial_corpus.words import sentence, slug

if TYPE_CHECKING:
    from radial_corpus.dice import Dice
    from radial_corpus.pen import Pen, Written

_RAW: Final = b"\x01\x55\x12\x20"  # version 1, raw bytes, SHA-256
_IMAGES: Final = ("image/png", "image/jpeg", "image/webp", "image/gif")
_LARGEST: Final = 4_000_000


def blob(dice: Dice, mime_type: str) -> dict[str, Any]:
    """Make up a blob of a type."""
    link = Cid(_RAW + hashlib.sha256(slug(dice).encode()).digest())
    return {"$type": "blob", "ref": link, "mimeType": mime_type, "size": dice.between(400, _LARGEST)}


def show_image(pen: Pen, did: str) -> Written:
    """Let somebody upload an image."""
    dice = pen.dice
    fields: dict[str, Any] = {"blob": blob(dice, dice.pick(_IMAGES))}
    if dice.chance(0.6):
        fields["alt"] = sentence(dice)
    if dice.chance(0.5):
        fields["name"] = f"{slug(dice)}.png"
    return pen.write(did, "image", fields)
