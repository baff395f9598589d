"""CIDs: the two spellings that are recognised here and the many that are the library's, held against each other."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from multiformats import CID

from radial_core.cids import Cid, base32

if TYPE_CHECKING:
    from pathlib import Path

# {"hello": "world"} is a1 65 hello 65 world in CBOR.
HELLO = b"\xa1\x65hello\x65world"
SHA256 = hashlib.sha256(HELLO).digest()
HELLO_CID = "b" + base64.b32encode(b"\x01\x71\x12\x20" + SHA256).decode().rstrip("=").lower()


def library_reads(text: str) -> bytes | None:
    try:
        return bytes(CID.decode(text))
    except Exception:  # noqa: BLE001 - the library raises four unrelated kinds
        return None


def we_read(text: str) -> bytes | None:
    try:
        return Cid.parse(text).binary
    except ValueError:
        return None


def test_a_records_cid_is_version_1_dag_cbor_sha_256() -> None:
    cid = Cid.of_sha256(SHA256)
    assert cid.binary == b"\x01\x71\x12\x20" + SHA256
    assert str(cid) == HELLO_CID
    assert repr(cid) == f"Cid('{HELLO_CID}')"
    assert str(CID("base32", 1, "dag-cbor", ("sha2-256", SHA256))) == HELLO_CID


def test_one_cid_of_many_spellings_is_one_value() -> None:
    cid = Cid.parse(HELLO_CID)
    spellings = [
        CID.decode(HELLO_CID).encode(base) for base in ("base16", "base32", "base32upper", "base36", "base58btc")
    ]
    spellings += [CID.decode(HELLO_CID).encode(base) for base in ("base64url", "base32hex")]
    assert len({*spellings}) == 7
    assert {Cid.parse(text) for text in spellings} == {cid}
    assert {str(Cid.parse(text)) for text in spellings} == {HELLO_CID}


def test_cids_sort_by_their_bytes() -> None:
    least, greatest = Cid.of_sha256(b"\0" * 32), Cid.of_sha256(b"\xff" * 32)
    assert sorted([greatest, least]) == [least, greatest]


def test_version_0_has_a_spelling_of_its_own() -> None:
    text = "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR"  # from the interop files
    cid = Cid.parse(text)
    assert cid.binary[:2] == b"\x12\x20"
    assert len(cid.binary) == 34
    assert str(cid) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b",
        ".",
        "noop",
        "example.com",
        "https://example.com",
        "bafy",
        HELLO_CID[1:],
        HELLO_CID[:-1],
        HELLO_CID + "a",
        " " + HELLO_CID,
        HELLO_CID + "\n",
        HELLO_CID[:20] + " " + HELLO_CID[21:],
        HELLO_CID[:20] + "1" + HELLO_CID[21:],  # base32 has no digit one
        HELLO_CID[:20] + "é" + HELLO_CID[21:],
        "b" + base64.b32encode(b"\x02\x71\x12\x20" + SHA256).decode().rstrip("=").lower(),  # no such version
        "b" + base64.b32encode(b"\x01\x71\x12\x20" + SHA256[:-1]).decode().rstrip("=").lower(),  # a byte is missing
        "b" + base64.b32encode(b"\x01\x71\x12\x1f" + SHA256).decode().rstrip("=").lower(),  # a byte too many
        "cid:" + HELLO_CID,
        "b" + "a" * 400,
    ],
)
def test_what_is_no_cid_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a CID"):
        Cid.parse(text)


def test_spare_bits_at_the_end_are_zero() -> None:
    # 36 bytes are 57.6 characters: the last of the 58 has two spare bits, and only one spelling leaves them zero.
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    last = alphabet.index(HELLO_CID[-1])
    assert last % 4 == 0
    for spare in (1, 2, 3):
        with pytest.raises(ValueError, match="not a CID"):
            Cid.parse(HELLO_CID[:-1] + alphabet[last + spare])


@given(st.binary(min_size=32, max_size=32), st.sampled_from([b"\x01\x71", b"\x01\x55", b"\x01\x70"]))
def test_the_usual_spelling_reads_as_the_library_reads_it(digest: bytes, head: bytes) -> None:
    text = base32(head + b"\x12\x20" + digest)
    assert we_read(text) == library_reads(text) == head + b"\x12\x20" + digest
    assert str(Cid.parse(text)) == text


DAMAGE = st.sampled_from(["=", "A", "a", "1", "8", "b", "z", " ", "\n", "é", "", "q", "4"])


@given(st.binary(min_size=32, max_size=32), st.integers(0, 58), DAMAGE)
def test_a_damaged_spelling_reads_as_the_library_reads_it(digest: bytes, place: int, damage: str) -> None:
    text = base32(b"\x01\x71\x12\x20" + digest)
    damaged = text[:place] + damage + text[place + 1 :]
    assert we_read(damaged) == library_reads(damaged)


@given(st.text(max_size=60) | st.text("bafkreiq234567zf01QmB", max_size=64))
def test_any_text_reads_as_the_library_reads_it(text: str) -> None:
    assert we_read(text) == library_reads(text)


def test_the_library_stays_unloaded_until_an_unusual_cid_turns_up(root: Path) -> None:
    unusual = "f" + (b"\x01\x71\x12\x20" + SHA256).hex()
    program = f"""
import sys
from radial_core.cids import Cid
assert str(Cid.parse({HELLO_CID!r})) == {HELLO_CID!r}
assert "multiformats" not in sys.modules
Cid.parse({unusual!r})
assert "multiformats" in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=root)
