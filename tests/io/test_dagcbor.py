"""The strict reader: what it takes, what it refuses and where, and that it agrees with an independent codec."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import cbor2
import pytest
from hypothesis import given, strategies as st

from radial_core.canonical import encode
from radial_core.cids import Cid
from radial_core.jsonform import from_json
from radial_io.atproto.dagcbor import decode, decode_first
from radial_io.errors import DagCborError

CID = bytes.fromhex("01711220") + bytes(range(32))
RAW_CID = bytes.fromhex("01551220") + bytes(range(32))
LINK = bytes.fromhex("d82a582500")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("00", 0),
        ("17", 23),
        ("1818", 24),
        ("18ff", 255),
        ("190100", 256),
        ("1a00010000", 65_536),
        ("1b0000000100000000", 2**32),
        ("1b7fffffffffffffff", 2**63 - 1),
        ("20", -1),
        ("3818", -25),
        ("3b7fffffffffffffff", -(2**63)),
        ("40", b""),
        ("4301ff00", b"\x01\xff\x00"),
        ("60", ""),
        ("63e282ac", "€"),
        ("64f09f8dad", "\U0001f36d"),
        ("7818" + "61" * 24, "a" * 24),
        ("80", []),
        ("82018102", [1, [2]]),
        ("9818" + "00" * 24, [0] * 24),
        ("a0", {}),
        ("a26161016162a1616302", {"a": 1, "b": {"c": 2}}),
        ("a361620061630062616100", {"b": 0, "c": 0, "aa": 0}),  # the longer key comes later
        ("a26000616100", {"": 0, "a": 0}),
        ("f4", False),
        ("f5", True),
        ("f6", None),
        (LINK.hex() + CID.hex(), Cid(CID)),
        (LINK.hex() + RAW_CID.hex(), Cid(RAW_CID)),
        ("82a080", [{}, []]),
        ("83a0a1616180f6", [{}, {"a": []}, None]),
    ],
)
def test_what_is_taken(text: str, value: Any) -> None:
    raw = bytes.fromhex(text)
    assert decode(raw) == value
    assert type(decode(raw)) is type(value)
    assert decode_first(b"\x00" + raw + b"\x01", 1) == (value, 1 + len(raw))


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("", "cut short", 0),
        ("1817", "longer than it need be", 0),
        ("1800", "longer than it need be", 0),
        ("1900ff", "longer than it need be", 0),
        ("1a0000ffff", "longer than it need be", 0),
        ("1b00000000ffffffff", "longer than it need be", 0),
        ("3817", "longer than it need be", 0),
        ("58010a", "longer than it need be", 0),
        ("780161", "longer than it need be", 0),
        ("980100", "longer than it need be", 0),
        ("b801616100", "longer than it need be", 0),
        ("a178016100", "longer than it need be", 1),
        ("1b8000000000000000", "beyond 64 bits", 0),
        ("3b8000000000000000", "beyond 64 bits", 0),
        ("1c", "a head that CBOR does not have", 0),
        ("1f", "not told", 0),
        ("5f4101ff", "not told", 0),
        ("7f6161ff", "not told", 0),
        ("9f01ff", "not told", 0),
        ("bf616101ff", "not told", 0),
        ("a17f6161ff01", "not told", 1),
        ("ff", "a break", 0),
        ("8100ff", "behind the value", 2),
        ("0000", "behind the value", 1),
        ("a2616201616101", "out of order", 4),
        ("a262616101616201", "out of order", 5),
        ("a2616101616102", "out of order", 4),
        ("a2600060f6", "out of order", 3),
        ("a10001", "no string", 1),
        ("a1416101", "no string", 1),
        ("a1f601", "no string", 1),
        ("a1a001", "no string", 1),
        ("f93c00", "float", 0),
        ("fa3f800000", "float", 0),
        ("fb3ff0000000000000", "float", 0),
        ("fb7ff8000000000000", "float", 0),
        ("fb8000000000000000", "float", 0),
        ("81f90000", "float", 1),
        ("f7", "undefined", 0),
        ("e0", "simple value", 0),
        ("f0", "simple value", 0),
        ("f818", "simple value", 0),
        ("f8ff", "simple value", 0),
        ("fc", "simple value", 0),
        ("c074323032302d30312d30315430303a30303a30305a", "a tag", 0),
        ("c11a514b67b0", "a tag", 0),
        ("c249010000000000000000", "a tag", 0),
        ("d81c80", "a tag", 0),
        ("d81d00", "a tag", 0),
        ("d823612e", "a tag", 0),
        ("d9d9f700", "a tag", 0),
        ("d9002a" + "582500" + CID.hex(), "a tag", 0),  # 42 in two bytes
        ("d82a" + "590025" + "00" + CID.hex(), "a tag", 0),
        ("d82a60", "a tag", 0),
        ("d82a5824" + CID.hex(), "a tag", 0),  # no zero before the CID
        ("d82a582501" + CID.hex(), "a tag", 0),
        ("d82a582600" + CID.hex() + "00", "a tag", 0),
        (LINK.hex() + "00711220" + "00" * 32, "neither DAG-CBOR nor raw", 0),
        (LINK.hex() + "01701220" + "00" * 32, "neither DAG-CBOR nor raw", 0),
        (LINK.hex() + "01711320" + "00" * 32, "neither DAG-CBOR nor raw", 0),
        (LINK.hex() + CID.hex()[:-2], "cut short", 40),
        ("d82a58", "cut short", 3),
        ("61ff", "UTF-8", 1),
        ("62c328", "UTF-8", 1),
        ("63eda080", "UTF-8", 1),  # half of a surrogate pair
        ("62c080", "UTF-8", 1),  # zero in two bytes
        ("64f4908080", "UTF-8", 1),  # beyond Unicode
        ("820061ff", "UTF-8", 3),
        ("a161ff00", "UTF-8", 2),
        ("6261", "cut short", 2),
        ("4261", "cut short", 2),
        ("5b7fffffffffffffff", "cut short", 9),
        ("7b7fffffffffffffff", "cut short", 9),
        ("9b7fffffffffffffff", "more items than bytes", 0),
        ("bbffffffffffffffff", "more items than bytes", 0),
        ("81", "more items than bytes", 0),
        ("8201", "more items than bytes", 0),
        ("a16161", "cut short", 3),
        ("19ff", "cut short", 2),
    ],
)
def test_what_is_refused(text: str, reason: str, offset: int) -> None:
    with pytest.raises(DagCborError, match=reason) as caught:
        decode(bytes.fromhex(text))
    assert caught.value.offset == offset
    assert str(caught.value) == f"{caught.value.reason} @ byte {offset}"


def _nested(levels: int, innermost: bytes) -> bytes:
    return b"\x81" * levels + innermost


def test_depth_is_counted_as_the_core_counts_it() -> None:
    # L6: containers, links and byte strings are levels; a text is none.
    assert decode(_nested(2, b"\x00"), max_depth=2) == [[0]]
    assert decode(_nested(2, b"\x60"), max_depth=2) == [[""]]
    for innermost in (b"\x80", b"\xa0", b"\x40", LINK + CID):
        assert decode(_nested(2, innermost), max_depth=3)
        with pytest.raises(DagCborError, match="nested deeper than 2 levels"):
            decode(_nested(2, innermost), max_depth=2)
    with pytest.raises(DagCborError, match="nested deeper"):
        decode(b"\xa1\x61a\xa1\x61a\xa0", max_depth=2)


def test_a_hostile_depth_is_an_error_like_any_other_and_python_is_left_as_it_is() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(DagCborError, match="nested deeper than 512 levels") as caught:
        decode(b"\x81" * 1_000_000 + b"\x00")
    assert caught.value.offset == 512
    deep = decode(_nested(100_000, b"\x00"), max_depth=100_000)
    levels = 0
    while isinstance(deep, list):  # taken apart by hand: the destructor of so deep a list is Python's own affair
        deep, levels = deep[0], levels + 1
    assert (deep, levels) == (0, 100_000)
    assert sys.getrecursionlimit() == limit


def test_the_interop_data_model(shared: Path) -> None:
    cases = json.loads((shared / "fixtures/atproto-interop/data-model/data-model-fixtures.json").read_text())
    assert len(cases) == 3
    for case in cases:
        raw = base64.b64decode(case["cbor_base64"] + "=" * (-len(case["cbor_base64"]) % 4))
        assert decode(raw) == from_json(case["json"])


def test_a_real_record(shared: Path) -> None:
    raw = (shared / "fixtures/atproto-interop/extra-indigo/feedpost_record.cbor").read_bytes()
    value = decode(raw)
    assert value["$type"] == "app.bsky.feed.post"
    assert encode(value) == raw


_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(max_size=40)
    | st.binary(max_size=40)
    | st.binary(min_size=32, max_size=32).map(Cid.of_sha256)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=30), inner, max_size=30),
    max_leaves=60,
)


@given(_VALUES)
def test_what_the_core_writes_is_read_back(value: Any) -> None:
    raw = encode(value)
    assert decode(raw) == value


@given(_VALUES, st.data())
def test_every_cut_is_seen(value: Any, data: st.DataObject) -> None:
    raw = encode(value)
    cut = data.draw(st.integers(0, len(raw) - 1))
    with pytest.raises(DagCborError):
        decode(raw[:cut])


def _with_byte(raw: bytes, at: int, byte: int) -> bytes:
    at %= len(raw)
    return raw[:at] + bytes([byte]) + raw[at + 1 :]


_SPOILT = st.builds(_with_byte, _VALUES.map(encode), st.integers(0, 2**16), st.integers(0, 255))


@given(st.binary(max_size=60) | _SPOILT)
def test_whatever_is_read_is_the_one_spelling_of_its_value(raw: bytes) -> None:
    """An independent judge: what `cbor2` reads and writes back to the same bytes, less what atproto does not have."""
    try:
        value = decode(raw)
    except DagCborError:
        assert not _is_canonical(raw)
    else:
        assert encode(value) == raw


def _is_canonical(raw: bytes) -> bool:
    try:
        value = cbor2.loads(raw)
        return cbor2.dumps(value, canonical=True) == raw and _is_of_atproto(value)
    except (cbor2.CBORError, ValueError, TypeError, UnicodeError, OverflowError):
        return False


def _is_of_atproto(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_of_atproto(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(_is_of_atproto, value))
    if isinstance(value, cbor2.CBORTag):
        content = value.value
        is_blessed = isinstance(content, bytes) and content[:5].hex() in {"0001711220", "0001551220"}
        return value.tag == 42 and is_blessed and len(content) == 37
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return value is None or isinstance(value, str | bytes)
