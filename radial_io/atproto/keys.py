"""Public keys of accounts, and the signatures that they make.

Strategy: a key is its curve and its compressed point, whatever form it was written in, so that two spellings of one key
are equal. atproto knows two curves, k256 and p256, and three spellings: Multikey (`z`, base58, two bytes that name the
curve, a compressed point), the same as `did:key:`, and the older verification methods whose type names the curve and
whose point is bare, of 33 or 65 bytes. A signature is r and s in 64 bytes, s in the lower half of the order: of the two
that everybody can make out of one, the other is refused, so that a commit has one set of bytes.
"""

from __future__ import annotations

from typing import Final

import attrs
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from radial_io.errors import KeyFormatError, quoted

_ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS: Final = {character: value for value, character in enumerate(_ALPHABET)}
_LONGEST_TEXT: Final = 100  # characters; a point of 65 bytes takes 89. Reading base58 is quadratic
_DID_KEY: Final = "did:key:"
_COMPRESSED: Final = 33
_UNCOMPRESSED: Final = 65
_HALF: Final = 32

_CURVES: Final[dict[str, ec.EllipticCurve]] = {"k256": ec.SECP256K1(), "p256": ec.SECP256R1()}
_ORDERS: Final = {
    "k256": 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141,
    "p256": 0xFFFFFFFF_00000000_FFFFFFFF_FFFFFFFF_BCE6FAAD_A7179E84_F3B9CAC2_FC632551,
}
_PREFIXES: Final = {b"\xe7\x01": "k256", b"\x80\x24": "p256"}
_LEGACY_TYPES: Final = {
    "EcdsaSecp256k1VerificationKey2019": "k256",
    "EcdsaSecp256r1VerificationKey2019": "p256",
}
_HASH: Final = ec.ECDSA(hashes.SHA256())


@attrs.frozen
class SigningKey:
    """A public key: the curve `k256` or `p256`, and the point in its compressed form (33 bytes)."""

    curve: str
    point: bytes
    _loaded: ec.EllipticCurvePublicKey = attrs.field(eq=False, repr=False)

    @classmethod
    def of_point(cls, curve: str, point: bytes) -> SigningKey:
        """Take a point of 33 or 65 bytes. Raises `KeyFormatError` when it is not on the curve."""
        try:
            loaded = ec.EllipticCurvePublicKey.from_encoded_point(_CURVES[curve], point)
        except ValueError as error:
            raise KeyFormatError(f"{len(point)} bytes that are no point of {curve}") from error
        return cls(curve, loaded.public_bytes(Encoding.X962, PublicFormat.CompressedPoint), loaded)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Tell whether this key signed the message: ECDSA over SHA-256, 64 bytes r and s, s in the lower half."""
        if len(signature) != 2 * _HALF:
            return False
        r, s = int.from_bytes(signature[:_HALF], "big"), int.from_bytes(signature[_HALF:], "big")
        order = _ORDERS[self.curve]
        if not 0 < r < order or not 0 < s <= order // 2:
            return False
        try:
            self._loaded.verify(encode_dss_signature(r, s), message, _HASH)
        except InvalidSignature:
            return False
        return True


def read_multikey(text: str) -> SigningKey:
    """Read a Multikey (`z…`, the curve named inside). Raises `KeyFormatError`."""
    binary = _base58(text)
    curve = _PREFIXES.get(binary[:2])
    if curve is None or len(binary) != 2 + _COMPRESSED:
        raise KeyFormatError(f"{quoted(text)} is no Multikey of k256 or p256")
    return SigningKey.of_point(curve, binary[2:])


def read_legacy_key(kind: str, text: str) -> SigningKey:
    """Read the key of a verification method whose type `kind` names the curve. Raises `KeyFormatError`."""
    curve = _LEGACY_TYPES.get(kind)
    if curve is None:
        raise KeyFormatError(f"a key of type {quoted(kind)}")
    point = _base58(text)
    if len(point) not in {_COMPRESSED, _UNCOMPRESSED}:
        raise KeyFormatError(f"{quoted(text)} is no point of {curve}")
    return SigningKey.of_point(curve, point)


def read_did_key(did: str) -> SigningKey:
    """Read a `did:key:z…`. Raises `KeyFormatError`."""
    if not did.startswith(_DID_KEY):
        raise KeyFormatError(f"{quoted(did)} is no did:key")
    return read_multikey(did.removeprefix(_DID_KEY))


def _base58(text: str) -> bytes:
    """Read multibase text in base58, which `z` announces."""
    if not 1 < len(text) <= _LONGEST_TEXT or text[0] != "z":
        raise KeyFormatError(f"{quoted(text)} is no base58")
    number = 0
    for character in text[1:]:
        digit = _DIGITS.get(character)
        if digit is None:
            raise KeyFormatError(f"{quoted(text)} is no base58")
        number = number * 58 + digit
    zeros = len(text) - 1 - len(text[1:].lstrip("1"))
    return b"\0" * zeros + number.to_bytes((number.bit_length() + 7) // 8, "big")
