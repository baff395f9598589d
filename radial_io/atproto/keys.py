"""Public keys of accounts, and the signatures that they make."""

from __future__ import annotations

import attrs


@attrs.frozen
class SigningKey:
    """A public key: the curve `k256` or `p256`, and the point in its compressed form (33 bytes)."""

    curve: str
    point: bytes

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Tell whether this key signed the message: ECDSA over SHA-256, 64 bytes r and s, s in the lower half."""
        raise NotImplementedError


def read_multikey(text: str) -> SigningKey:
    """Read a Multikey (`z…`, curve named inside). Raises `KeyFormatError`."""
    raise NotImplementedError


def read_legacy_key(kind: str, text: str) -> SigningKey:
    """Read the key of a verification method whose type names the curve. Raises `KeyFormatError`."""
    raise NotImplementedError


def read_did_key(did: str) -> SigningKey:
    """Read a `did:key:z…`. Raises `KeyFormatError`."""
    raise NotImplementedError
