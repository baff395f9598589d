"""Strategy: the one way to write a value as bytes, spelled out without any library.

A value is JSON as parsed, where an object with the single key `$link` is a CID and one with the
single key `$bytes` is a byte string (O5). The encoder keeps its own stack, so no depth can overflow
Python's. It writes what DAG-CBOR allows and nothing else: shortest heads, definite lengths, map keys
by length and then bytes, links as tag 42, no floats.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BYTES, TEXT, ARRAY, MAP, TAG = 2, 3, 4, 5, 6


def is_link(value: Any) -> bool:
    """O5: an object whose one key is `$link` is a CID."""
    return isinstance(value, dict) and set(value) == {"$link"}


def is_bytes(value: Any) -> bool:
    """O5: an object whose one key is `$bytes` is a byte string."""
    return isinstance(value, dict) and set(value) == {"$bytes"}


def is_object(value: Any) -> bool:
    """Say whether the value is an object of the data model: neither a link nor bytes."""
    return isinstance(value, dict) and not is_link(value) and not is_bytes(value)


def encode(value: Any) -> bytes:
    """Return the DAG-CBOR bytes of a JSON value. ValueError: outside the data model."""
    written = []
    waiting = [value]
    while waiting:
        head, children = _step(waiting.pop())
        written.append(head)
        waiting.extend(reversed(children))
    return b"".join(written)


def cid_of(value: Any) -> str:
    """D2: the CIDv1 (dag-cbor, sha2-256) of a value, in lower-case base32."""
    binary = b"\x01\x71\x12\x20" + hashlib.sha256(encode(value)).digest()
    return "b" + base64.b32encode(binary).decode().rstrip("=").lower()


def _step(value: Any) -> tuple[bytes, list[Any]]:
    """Return the bytes that open a value, and the values that follow them."""
    if isinstance(value, list):
        return _head(ARRAY, len(value)), value
    if is_object(value):
        keys = sorted(value, key=lambda key: (len(key.encode("utf-8")), key.encode("utf-8")))
        return _head(MAP, len(value)), [part for key in keys for part in (key, value[key])]
    return _leaf(value), []


def _leaf(value: Any) -> bytes:
    """Return the bytes of a value that holds no other."""
    if value is None or isinstance(value, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[value]
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, str):
        return _sized(TEXT, value.encode("utf-8"))
    if is_link(value):
        return _head(TAG, 42) + _sized(BYTES, b"\x00" + _binary_cid(value["$link"]))
    if is_bytes(value):
        return _sized(BYTES, _binary(value["$bytes"]))
    raise ValueError(f"no value of the data model: {type(value).__name__}")


def _sized(major: int, data: bytes) -> bytes:
    return _head(major, len(data)) + data


def _integer(value: int) -> bytes:
    if not -(2**63) <= value < 2**63:
        raise ValueError("an integer outside 64 bits")
    return _head(0, value) if value >= 0 else _head(1, -1 - value)


def _head(major: int, number: int) -> bytes:
    if number < 24:
        return bytes([major << 5 | number])
    for mark, size in ((24, 1), (25, 2), (26, 4)):
        if number < 256**size:
            return bytes([major << 5 | mark]) + number.to_bytes(size, "big")
    return bytes([major << 5 | 27]) + number.to_bytes(8, "big")


def _binary(text: Any) -> bytes:
    if isinstance(text, str):
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    raise ValueError("$bytes holds no text")


def _binary_cid(text: Any) -> bytes:
    """Read the three multibases in common use: base32, base16 and base58."""
    if isinstance(text, str) and text.startswith("b") and text == text.lower():
        return base64.b32decode(text[1:].upper() + "=" * (-len(text[1:]) % 8))
    if isinstance(text, str) and text.startswith("f"):
        return bytes.fromhex(text[1:])
    if isinstance(text, str) and text.startswith("z"):
        number = 0
        for letter in text[1:]:
            number = number * 58 + BASE58.index(letter)
        return number.to_bytes((number.bit_length() + 7) // 8, "big")
    raise ValueError(f"$link is no CID: {text!r}")
