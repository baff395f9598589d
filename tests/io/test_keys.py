"""Keys and signatures, against the interop fixtures and keys made here."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from radial_io.atproto.keys import SigningKey, read_did_key, read_legacy_key, read_multikey
from radial_io.errors import KeyFormatError

CURVES: dict[str, ec.EllipticCurve] = {"k256": ec.SECP256K1(), "p256": ec.SECP256R1()}
ORDER = {
    "k256": 115792089237316195423570985008687907852837564279074904382605163141518161494337,
    "p256": 115792089210356248762697446949407573529996955224135760342422259061068512044369,
}


def _unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _fixture(shared: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "fixtures/atproto-interop/crypto" / name).read_text())
    return found


def test_the_interop_signatures(shared: Path) -> None:
    cases = _fixture(shared, "signature-fixtures.json")
    assert len(cases) == 6
    for case in cases:
        key = read_did_key(case["publicKeyDid"])
        assert key == read_legacy_key(case["didDocSuite"], case["publicKeyMultibase"])
        signature = _unpadded(case["signatureBase64"])
        said = key.verifies(_unpadded(case["messageBase64"]), signature)
        assert said is case["validSignature"], case["comment"]


@pytest.mark.parametrize(("name", "curve"), [("w3c_didkey_K256.json", "k256"), ("w3c_didkey_P256.json", "p256")])
def test_the_interop_did_keys(shared: Path, name: str, curve: str) -> None:
    cases = _fixture(shared, name)
    for case in cases:
        secret = case.get("privateKeyBytesHex")
        number = int.from_bytes(bytes.fromhex(secret) if secret else _base58btc(case["privateKeyBytesBase58"]), "big")
        expected = ec.derive_private_key(number, CURVES[curve]).public_key()
        key = read_did_key(case["publicDidKey"])
        assert key.curve == curve
        assert key.point == expected.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)


def _base58btc(text: str) -> bytes:
    number = 0
    for character in text:
        number = number * 58 + "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".index(character)
    return number.to_bytes(32, "big")


def _signed(curve: str, message: bytes) -> tuple[SigningKey, int, int]:
    private = ec.generate_private_key(CURVES[curve])
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    r, s = decode_dss_signature(private.sign(message, ec.ECDSA(hashes.SHA256())))
    return SigningKey.of_point(curve, point), r, min(s, ORDER[curve] - s)


@pytest.mark.parametrize("curve", ["k256", "p256"])
def test_only_the_low_half_of_s_and_only_this_message(curve: str) -> None:
    key, r, s = _signed(curve, b"hello")

    def verifies(first: int, second: int, message: bytes = b"hello") -> bool:
        return key.verifies(message, first.to_bytes(32, "big") + second.to_bytes(32, "big"))

    assert verifies(r, s)
    assert not verifies(r, s, b"hello!")
    assert not verifies(r, ORDER[curve] - s)
    assert not verifies(0, s)
    assert not verifies(r, 0)
    assert not verifies(r + 1, s)
    assert not verifies(ORDER[curve], s)
    signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    assert not key.verifies(b"hello", signature + b"\0")
    assert not key.verifies(b"hello", signature[:-1])
    assert not key.verifies(b"hello", b"")


def test_a_long_and_a_short_point_are_one_key() -> None:
    private = ec.derive_private_key(7, ec.SECP256K1()).public_key()
    long = private.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    short = private.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    assert SigningKey.of_point("k256", long) == SigningKey.of_point("k256", short)
    assert SigningKey.of_point("k256", short) != SigningKey.of_point("k256", b"\x02" + b"\x01" * 32)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "z",
        "z0",  # no digit of base58
        "Q3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF",
        "mQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF",
        "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",  # ed25519
        "zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribS",  # one digit short
        "z" + "1" * 50,
        "z" + "z" * 1_000_000,
        "zQ3shé",
    ],
)
def test_what_is_no_multikey(text: str) -> None:
    with pytest.raises(KeyFormatError):
        read_multikey(text)


def test_a_multikey_has_the_short_point() -> None:
    public = ec.derive_private_key(7, ec.SECP256K1()).public_key()
    number, text = int.from_bytes(b"\xe7\x01" + public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)), ""
    while number:
        number, digit = divmod(number, 58)
        text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + text
    with pytest.raises(KeyFormatError, match="no Multikey"):
        read_multikey("z" + text)


def test_what_is_no_other_key() -> None:
    with pytest.raises(KeyFormatError):
        read_did_key("did:web:example.com")
    with pytest.raises(KeyFormatError):
        read_legacy_key("Ed25519VerificationKey2020", "zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF")
    with pytest.raises(KeyFormatError):  # a Multikey is no bare point: two bytes too many
        read_legacy_key("EcdsaSecp256k1VerificationKey2019", "zQ3shXjHeiBuRCKmM36cuYnm7YEMzhGnCmCyW92sRJ9pribSF")
    with pytest.raises(KeyFormatError):  # five is not the x of any point of k256
        SigningKey.of_point("k256", b"\x02" + (5).to_bytes(32, "big"))
    with pytest.raises(KeyFormatError):  # the point at infinity
        SigningKey.of_point("p256", b"\0")
