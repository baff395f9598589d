"""Record keys that follow from what a record answers, so that writing twice writes once.

Strategy: a crash between a write and its receipt must repeat nothing. So no key is drawn: it is a hash over the purpose
and over everything that tells this record from another of the same purpose. A URI is thus known before its record is.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from radial_core.canonical import encode

_BYTES: Final = 20  # of the hash: no two records of a repo meet by chance, and base32 needs no padding


def record_key(purpose: str, *parts: str | int) -> str:
    """Give the key, 32 characters of `a-z2-7`, of the record that serves a purpose for these parts."""
    digest = hashlib.sha256(encode([purpose, *parts])).digest()[:_BYTES]
    return base64.b32encode(digest).decode("ascii").lower()
