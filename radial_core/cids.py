"""Content identifiers as values.

Strategy: inside, a CID is its binary form and nothing else: two spellings of one CID are equal. Text is parsed by
`multiformats`, which knows every base; the one spelling that nearly every atproto CID has (version 1, base32) is
recognised here first, because the library takes a hundred times longer. It is imported when the first unusual CID
turns up: it would double the time that `import radial_core` takes, and the fold itself never parses a CID.
"""

from __future__ import annotations

import base64

import attrs

_SHA256_DAG_CBOR = b"\x01\x71\x12\x20"
_SHA256_RAW = b"\x01\x55\x12\x20"
_VERSION_0 = b"\x12\x20"
_VERSION_0_BINARY = 34
_COMMON_TEXT = 59
_COMMON_BINARY = 36
_LONGEST_TEXT = 256


def base32(binary: bytes) -> str:
    """Give the multibase spelling `b…`: base32, lower case, no padding."""
    return "b" + base64.b32encode(binary).decode("ascii").rstrip("=").lower()


@attrs.frozen(order=True, repr=False)
class Cid:
    """A CID as its binary form (version, codec, hash). Equal to another of the same bytes, whatever its spelling."""

    binary: bytes

    @classmethod
    def parse(cls, text: str) -> Cid:
        """Read a CID from its text. Raises `ValueError` for anything that is not one."""
        return cls(_common(text) or _any(text))

    @classmethod
    def of_sha256(cls, digest: bytes) -> Cid:
        """Give the CID of DAG-CBOR bytes with this SHA-256: the only kind that names a record."""
        return cls(_SHA256_DAG_CBOR + digest)

    def __str__(self) -> str:
        """Spell it: base32 for version 1, base58 for version 0, which has no other spelling."""
        if len(self.binary) != _VERSION_0_BINARY or not self.binary.startswith(_VERSION_0):
            return base32(self.binary)
        from multiformats import CID  # noqa: PLC0415 - see the strategy

        return str(CID.decode(self.binary))

    def __repr__(self) -> str:
        return f"Cid({str(self)!r})"


def _common(text: str) -> bytes | None:
    if len(text) != _COMMON_TEXT or text[0] != "b":
        return None
    try:
        binary = base64.b32decode(text[1:].upper() + "======")
    except ValueError:
        return None
    regular = binary[:4] in {_SHA256_DAG_CBOR, _SHA256_RAW} and len(binary) == _COMMON_BINARY
    # base32 has spare bits at the end: only the spelling that encodes back is the CID's own.
    return binary if regular and base32(binary) == text else None


def _any(text: str) -> bytes:
    if not 1 < len(text) <= _LONGEST_TEXT:
        raise ValueError("not a CID")
    from multiformats import CID  # noqa: PLC0415 - see the strategy

    try:
        return bytes(CID.decode(text))
    except Exception as fault:  # the library raises four unrelated kinds of error for bad text
        raise ValueError("not a CID") from fault
