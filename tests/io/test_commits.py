"""Commits: what makes one, what spoils one, and which revs are in the future."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from radial_core.cids import Cid
from radial_io.atproto.car import read_car
from radial_io.atproto.commits import Commit, latest_rev, verify_commit
from radial_io.atproto.keys import SigningKey, read_legacy_key
from radial_io.errors import CommitError, SignatureError
from tests.io.repos import DID, KEY, LATEST, REV, SIGNER, STRANGER, key_of, signed_commit
from tests.io.streams_fakes_repo import block, cid_of, link

DATA = cid_of(b"\xa0")
PREV = cid_of(b"prev")
P256_ORDER = 115792089210356248762697446949407573529996955224135760342422259061068512044369


def _verify(raw: bytes, *, key: SigningKey = KEY, did: str = DID, latest: str = LATEST) -> Commit:
    return verify_commit(raw, Cid(cid_of(raw)), did=did, key=key, latest=latest)


@pytest.mark.parametrize("prev", [None, PREV])
def test_a_commit(prev: bytes | None) -> None:
    raw = signed_commit(DATA, prev=link(prev))
    assert _verify(raw) == Commit(Cid(cid_of(raw)), DID, REV, Cid(DATA), None if prev is None else Cid(prev))


def test_a_field_that_nobody_knows_is_signed_like_the_others() -> None:
    assert _verify(signed_commit(DATA, extra=["x"])).rev == REV


def test_the_other_curve() -> None:
    private = ec.derive_private_key(11, ec.SECP256R1())
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    unsigned = {"did": DID, "version": 3, "data": link(DATA), "rev": REV, "prev": None}
    r, s = decode_dss_signature(private.sign(block(unsigned), ec.ECDSA(hashes.SHA256())))
    low, high = sorted((s, P256_ORDER - s))
    key = SigningKey.of_point("p256", point)
    good, bad = (block(unsigned | {"sig": r.to_bytes(32) + number.to_bytes(32)}) for number in (low, high))
    assert _verify(good, key=key).did == DID
    with pytest.raises(SignatureError):
        _verify(bad, key=key)
    with pytest.raises(SignatureError):
        _verify(good, key=KEY)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"version": 2}, "version 3"),
        ({"version": 4}, "version 3"),
        ({"version": "3"}, "version 3"),
        ({"version": ...}, "version 3"),
        ({"did": "did:plc:" + "b" * 24}, "not of"),
        ({"did": ["x"]}, "`did`"),
        ({"did": ...}, "`did`"),
        ({"rev": "today"}, "`rev`"),
        ({"rev": 7}, "`rev`"),
        ({"rev": ...}, "`rev`"),
        ({"data": None}, "`data`"),
        ({"data": ...}, "`data`"),
        ({"data": link(bytes.fromhex("01551220") + bytes(32))}, "`data`"),
        ({"data": "bafyrei"}, "`data`"),
        ({"prev": ...}, "`prev`"),
        ({"prev": "x"}, "`prev`"),
        ({"sig": ...}, "`sig`"),
        ({"sig": None}, "`sig`"),
        ({"sig": bytes(63)}, "`sig`"),
        ({"sig": bytes(65)}, "`sig`"),
        ({"sig": "x" * 64}, "`sig`"),
        ({"extra": 0.5}, "DAG-CBOR"),
        ({"extra": [[[[[[[[]]]]]]]]}, "DAG-CBOR"),
    ],
)
def test_what_spoils_a_commit(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(CommitError, match=reason) as caught:
        _verify(signed_commit(DATA, **fields))
    assert not isinstance(caught.value, SignatureError)


@pytest.mark.parametrize("raw", [b"", b"\xf6", block([]), block("commit"), signed_commit(DATA) + b"\x00"])
def test_what_is_no_commit(raw: bytes) -> None:
    with pytest.raises(CommitError):
        _verify(raw)


def test_the_bytes_must_be_what_the_cid_says() -> None:
    raw = signed_commit(DATA)
    for cid in (cid_of(b"other"), bytes.fromhex("01551220") + sha256(raw).digest()):
        with pytest.raises(CommitError, match="what its CID says"):
            verify_commit(raw, Cid(cid), did=DID, key=KEY, latest=LATEST)


def test_a_commit_that_is_not_in_its_one_spelling() -> None:
    value = cbor2.loads(signed_commit(DATA))
    unsorted = cbor2.dumps(dict(reversed(value.items())))
    with pytest.raises(CommitError, match="out of order"):
        _verify(unsorted)


def test_only_the_signature_is_worth_another_key() -> None:
    raw = signed_commit(DATA, signer=STRANGER)
    with pytest.raises(SignatureError, match=DID):
        _verify(raw)
    assert _verify(raw, key=key_of(STRANGER)).rev == REV
    unsigned = {"did": DID, "version": 3, "data": link(DATA), "rev": REV, "prev": None}
    # `sig` is left out of what is signed, not set to null.
    with pytest.raises(SignatureError):
        _verify(block(unsigned | {"sig": SIGNER.sign(block(unsigned | {"sig": None}))}))
    with pytest.raises(SignatureError):
        _verify(signed_commit(DATA, sig=bytes(64)))


@pytest.mark.parametrize(
    ("now", "lead", "microseconds"),
    [
        ("1970-01-01T00:00:00Z", 0, 0),
        ("1970-01-01T00:00:01.5Z", 0, 1_500_000),
        ("1970-01-01T00:00:00.0000019Z", 0, 1),
        ("1970-01-01T00:00:00Z", 300, 300_000_000),
        ("2023-11-14T22:13:20.000001Z", 0, 1_700_000_000_000_001),
        ("2023-11-15T00:13:20+02:00", 0, 1_700_000_000_000_000),
    ],
)
def test_the_latest_rev_that_is_believed(now: str, lead: int, microseconds: int) -> None:
    # A TID is the microseconds of Unix time and ten bits more, in thirteen digits of five bits.
    bits = f"{microseconds:054b}" + "1" * 10
    padded = "0" * 1 + bits
    expected = "".join("234567abcdefghijklmnopqrstuvwxyz"[int(padded[at : at + 5], 2)] for at in range(0, 65, 5))
    assert latest_rev(now, lead=lead) == expected


def test_before_time_began_nothing_is_believed_but_its_beginning() -> None:
    assert latest_rev("1969-12-31T00:00:00Z") == "2" * 13
    with pytest.raises(ValueError, match="datetime"):
        latest_rev("now")


def test_a_rev_in_the_future_is_refused() -> None:
    raw = signed_commit(DATA)
    assert _verify(raw, latest=REV).rev == REV
    with pytest.raises(CommitError, match="in the future") as caught:
        _verify(raw, latest=REV[:-1] + chr(ord(REV[-1]) - 1))
    assert not isinstance(caught.value, SignatureError)


def _real(shared: Path, name: str) -> tuple[str, SigningKey, bytes, Cid]:
    folder = shared / "fixtures/atproto-interop/extra-indigo"
    document = json.loads((folder / f"{name}.didDoc.json").read_text())
    method = document["verificationMethod"][0]
    (root,), blocks = read_car((folder / f"{name}.repo.car").read_bytes())
    return document["id"], read_legacy_key(method["type"], method["publicKeyMultibase"]), blocks[root], Cid(root)


def test_real_repos_of_an_older_version_are_refused_by_it(shared: Path) -> None:
    for name in ("paul_staging", "fakermaker"):
        did, key, raw, cid = _real(shared, name)
        with pytest.raises(CommitError, match="version 3"):
            verify_commit(raw, cid, did=did, key=key, latest=LATEST)


def test_the_signatures_of_real_repos(shared: Path) -> None:
    # Version 2 signs as version 3 does. One has its s in the upper half, as was allowed then.
    for name, is_signed in (("paul_staging", True), ("fakermaker", False)):
        _, key, raw, _ = _real(shared, name)
        value = cbor2.loads(raw)
        assert key.verifies(block({k: v for k, v in value.items() if k != "sig"}), value["sig"]) is is_signed


def test_a_real_repo_of_somebody_else(shared: Path) -> None:
    did, key, raw, cid = _real(shared, "greenground")
    with pytest.raises(CommitError, match=f"not of {did}"):
        verify_commit(raw, cid, did=did, key=key, latest=LATEST)
