"""From the bytes that were received to the value that they spell."""

from __future__ import annotations

from typing import Any

from radial_core.canonical import CanonicalError, cid_of, cid_of_bytes
from radial_core.jsonform import JsonError, parse_json
from radial_io.atproto.dagcbor import decode
from radial_io.errors import DagCborError


class UnreadableRawError(ValueError):
    """Bytes that spell no value; the text says why."""


def value_of(raw: bytes, *, is_json: bool) -> Any:
    """Read a value. Raises `UnreadableRawError`."""
    try:
        return parse_json(raw.decode()) if is_json else decode(raw)
    except (JsonError, DagCborError, UnicodeDecodeError) as fault:
        raise UnreadableRawError(str(fault)) from None


def cid_in(raw: bytes, *, is_json: bool) -> str:
    """Give the CID of the value that the bytes spell. Raises `UnreadableRawError`."""
    value = value_of(raw, is_json=is_json)
    try:
        return cid_of(value) if is_json else cid_of_bytes(raw)
    except CanonicalError as fault:
        raise UnreadableRawError(str(fault)) from None
