"""Canonical bytes and what may not have them: the data model, L6's bounds, and nothing that keeps anybody busy."""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from radial_core import Record, materialize
from radial_core.canonical import (
    MAX_BYTES,
    CanonicalError,
    Misfit,
    cid_of,
    encode,
    measure,
    spell_path,
)
from radial_core.cids import Cid
from radial_core.jsonform import JsonError, from_json, parse_json, to_json
from radial_core.structure import structural_faults
from tests.core.lexicon_cases import PREFIX, full
from tests.oracle import canonical as oracle

if TYPE_CHECKING:
    from pathlib import Path

LINK = "bafyreiclp443lavogvhj3d2ob2cxbfuscni2k5jk7bebjzg7khl3esabwq"


def nested(levels: int, leaf: Any = 7) -> Any:
    for _ in range(levels):
        leaf = [leaf]
    return leaf


# Bytes, by hand from the CBOR specification -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "f6"),
        (False, "f4"),
        (True, "f5"),
        (0, "00"),
        (23, "17"),
        (24, "1818"),
        (255, "18ff"),
        (256, "190100"),
        (65_536, "1a00010000"),
        (2**32, "1b0000000100000000"),
        (2**63 - 1, "1b7fffffffffffffff"),
        (-1, "20"),
        (-25, "3818"),
        (-(2**63), "3b7fffffffffffffff"),
        ("", "60"),
        ("é", "62c3a9"),
        ("\U0001f600", "64f09f9880"),
        (b"", "40"),
        (b"\0\xff", "4200ff"),
        ([], "80"),
        ([1, [2]], "82018102"),
        ({}, "a0"),
        # Keys by the length of their UTF-8, then by its bytes: "b" before "aa" before "é".
        ({"é": 0, "aa": 1, "b": 2, "": 3}, "a460036162026261610162c3a900"),
        ({"z": 1, "a": {"y": 2, "b": 3}}, "a26161a2616203617902617a01"),
        (Cid.of_sha256(b"\xaa" * 32), "d82a58250001711220" + "aa" * 32),
    ],
)
def test_bytes_by_hand(value: Any, expected: str) -> None:
    assert encode(value).hex() == expected


def test_the_order_of_keys_is_nobodys_business() -> None:
    one = {"createdAt": 1, "a": {"x": 1, "y": 2}}
    other = {"a": {"y": 2, "x": 1}, "createdAt": 1}
    assert list(one) != list(other)
    assert encode(one) == encode(other)
    assert cid_of(one) == cid_of(other)


# The interop files --------------------------------------------------------------------------------------------------


def fixtures(shared: Path, name: str) -> list[dict[str, Any]]:
    text = (shared / "fixtures" / "atproto-interop" / "data-model" / name).read_text(encoding="utf-8")
    cases: list[dict[str, Any]] = json.loads(text)
    return cases


def test_the_interop_fixtures_have_our_bytes_and_cids(shared: Path) -> None:
    cases = fixtures(shared, "data-model-fixtures.json")
    assert len(cases) == 3
    for case in cases:
        value = from_json(case["json"])
        expected = base64.b64decode(case["cbor_base64"] + "=" * (-len(case["cbor_base64"]) % 4))
        assert measure(value) is None
        assert encode(value) == expected
        assert cid_of(value) == case["cid"]
        assert to_json(value) == case["json"]


def test_valid_data_is_valid_here_but_for_a_float_that_looks_like_an_integer(shared: Path) -> None:
    cases = fixtures(shared, "data-model-valid.json")
    assert len(cases) == 5
    for case in cases:
        text = json.dumps(case["json"])
        if case["note"] == "float, but integer-like":
            # O5 refuses it, for not every language can tell 123.0 from 123 once it is read: some would write one CID,
            # some another, and some (DAG-CBOR has floats) a third.
            with pytest.raises(JsonError) as raised:
                parse_json(text)
            assert raised.value.faults == ("a number with a fraction or an exponent @ $.rcrd.a",)
        else:
            assert measure(parse_json(text)) is None, case["note"]


# Each invalid case and who refuses it. The data model's rules about blobs and `$type` are known to lexicons alone.
AT_THE_JSON_FORM = {
    "float": "a number with a fraction or an exponent @ $.rcrd.a",
    "bytes with wrong field type": "$bytes holds no string @ $.lnk",
    "bytes with extra fields": "$bytes stands with other keys @ $.lnk",
    "link with wrong field type": "$link holds no string @ $.lnk",
    "link with bogus CID": "$link: not a CID @ $.lnk",
    "link with extra fields": "$link stands with other keys @ $.lnk",
}
AT_THE_TYPE = {"record with $type null", "record with $type wrong type", "record with empty $type string"}
AT_A_BLOB = {"blob with string size": "$.bodyBlob.size", "blob with missing key": "$.bodyBlob.ref"}
AT_THE_RECORD = {"top-level not an object"}


def test_invalid_data_is_refused_and_it_is_known_where(shared: Path) -> None:
    cases = {case["note"]: case["json"] for case in fixtures(shared, "data-model-invalid.json")}
    assert cases.keys() == AT_THE_JSON_FORM.keys() | AT_THE_TYPE | AT_A_BLOB.keys() | AT_THE_RECORD
    for note, fault in AT_THE_JSON_FORM.items():
        with pytest.raises(JsonError) as raised:
            parse_json(json.dumps(cases[note]))
        assert raised.value.faults == (fault,), note
    for note in AT_THE_TYPE:
        value = from_json({**full("space"), "$type": cases[note]["rcrd"]["$type"]})
        assert [str(fault).split(" @ ")[1] for fault in structural_faults(PREFIX + "space", value)] == ["$.$type"], note
    for note, path in AT_A_BLOB.items():
        value = from_json({**full("artifact"), "bodyBlob": cases[note]["blb"]})
        assert [str(fault).split(" @ ")[1] for fault in structural_faults(PREFIX + "artifact", value)] == [path], note
    for note in AT_THE_RECORD:
        assert [str(fault).split(" @ ")[1] for fault in structural_faults(PREFIX + "space", cases[note])] == ["$"], note


# What is no atproto data --------------------------------------------------------------------------------------------


class Text(str):
    __slots__ = ()


class Number(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (1.5, "float is not a type of atproto data @ $"),
        (123.0, "float is not a type of atproto data @ $"),
        ({"a": float("nan")}, "float is not a type of atproto data @ $.a"),
        ({"a": [0, float("inf")]}, "float is not a type of atproto data @ $.a[1]"),
        (2**63, "an integer beyond 64 bits @ $"),
        ({"a": -(2**63) - 1}, "an integer beyond 64 bits @ $.a"),
        ([10**5000], "an integer beyond 64 bits @ $[0]"),
        ("\ud800", "a string with half of a surrogate pair @ $"),
        ({"a": ["fine", "\udc00x"]}, "a string with half of a surrogate pair @ $.a[1]"),
        ({"\ud800": 1}, "an object with a key that is not a well-formed string @ $"),
        ({"a": {"b": {1: 2}}}, "an object with a key that is not a well-formed string @ $.a.b"),
        ({None: 1}, "an object with a key that is not a well-formed string @ $"),
        ({Text("a"): 1}, "an object with a key that is not a well-formed string @ $"),
        ((1, 2), "tuple is not a type of atproto data @ $"),
        ({"a": {1}}, "set is not a type of atproto data @ $.a"),
        ([bytearray(b"x")], "bytearray is not a type of atproto data @ $[0]"),
        (OrderedDict(a=1), "OrderedDict is not a type of atproto data @ $"),
        ([Text("a")], "Text is not a type of atproto data @ $[0]"),
        ([Number.ONE], "Number is not a type of atproto data @ $[0]"),
        ({"a b": [object()]}, "object is not a type of atproto data @ $['a b'][0]"),
    ],
)
def test_what_is_no_atproto_data_is_refused_with_its_place(value: Any, complaint: str) -> None:
    misfit = measure(value)
    assert misfit is not None
    assert str(misfit) == complaint
    assert not misfit.crosses_bound
    with pytest.raises(CanonicalError) as raised:
        encode(value)
    assert str(raised.value) == complaint
    with pytest.raises(CanonicalError):
        cid_of(value)


def test_a_misfit_that_stands_in_several_places_is_named_at_one_that_can_be_spelled() -> None:
    misfit = object()
    for value in ({"a": [misfit], "b": {None: misfit}}, {"b": {7: misfit, Text("c"): misfit}, "a": [misfit]}):
        found = measure(value)
        assert found is not None
        assert str(found) in {
            "object is not a type of atproto data @ $.a[0]",
            "an object with a key that is not a well-formed string @ $.b",
        }


@pytest.mark.parametrize(
    ("path", "spelled"),
    [
        ((), "$"),
        (("findings", 2, "line"), "$.findings[2].line"),
        (("$type", "a-b", "_x"), "$.$type.a-b._x"),
        (("", "1a", "a.b", "é"), "$['']['1a']['a.b']['\\xe9']"),
        (("x" * 80,), "$." + "x" * 80),
        (("x" * 200,), "$['" + "x" * 80 + "']"),
        (("a",) * 128, "$" + ".a" * 128),
        (("a",) * 200, "$" + ".a" * 128 + "…"),
        (("'" * 200,), '$["' + "'" * 80 + '"]'),
    ],
)
def test_paths_are_spelled_so_that_they_can_be_read_back(path: tuple[str | int, ...], spelled: str) -> None:
    assert spell_path(path) == spelled


# L6: depth ----------------------------------------------------------------------------------------------------------

DEEP = "nested deeper than 64 levels"


@pytest.mark.parametrize("leaf", [7, "text", None, True], ids=str)
def test_64_levels_are_fine_and_65_are_not(leaf: Any) -> None:
    # The record is the first level; a plain leaf is none.
    assert measure({"a": nested(63, leaf)}) is None
    misfit = measure({"a": nested(64, leaf)})
    assert misfit == Misfit(DEEP, ("a", *[0] * 63), crosses_bound=True)


@pytest.mark.parametrize("special", [Cid.parse(LINK), b"", {}, []], ids=["link", "bytes", "object", "list"])
def test_links_and_bytes_and_empty_containers_are_levels(special: Any) -> None:
    assert measure({"a": nested(62, special)}) is None
    misfit = measure({"a": nested(63, special)})
    assert misfit is not None
    assert (misfit.message, misfit.crosses_bound) == (DEEP, True)


def test_a_cid_can_be_asked_for_down_to_512_levels() -> None:
    assert encode(nested(512)) == b"\x81" * 512 + b"\x07"
    with pytest.raises(CanonicalError, match="nested deeper than 512 levels"):
        encode(nested(513))


@pytest.mark.parametrize("levels", [1_000, 100_000])
def test_no_depth_overflows_the_stack(levels: int) -> None:
    tower: Any = {}
    for _ in range(levels):
        tower = {"a": tower}
    for value in (nested(levels), tower):
        misfit = measure(value)
        assert misfit is not None
        assert misfit.crosses_bound
        with pytest.raises(CanonicalError):
            encode(value)


def test_what_contains_itself_is_too_deep() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    knot: dict[str, Any] = {}
    knot["a"] = [knot, knot]
    for value in (ring, knot):
        misfit = measure(value)
        assert misfit is not None
        assert misfit.message == DEEP
        with pytest.raises(CanonicalError):
            encode(value)


# L6: size -----------------------------------------------------------------------------------------------------------

LONG = Misfit("longer than 1048576 bytes of DAG-CBOR", (), crosses_bound=True)


def sized(length: int, filler: str) -> dict[str, str]:
    """Give an object of this many bytes: a1 61 61, then 7a and four bytes of length, then the text."""
    width = len(filler.encode())
    return {"a": filler * ((length - 8) // width) + "x" * ((length - 8) % width)}


@pytest.mark.parametrize("filler", ["x", "é", "⽘", "\U0001f600"])
def test_a_mebibyte_is_fine_and_a_byte_more_is_not(filler: str) -> None:
    assert len(encode(sized(MAX_BYTES, filler))) == 1_048_576
    assert measure(sized(MAX_BYTES, filler)) is None
    assert len(encode(sized(MAX_BYTES + 1, filler))) == 1_048_577
    assert measure(sized(MAX_BYTES + 1, filler)) == LONG


@pytest.mark.parametrize(
    ("item", "width"),
    [
        (None, 1),
        (True, 1),
        (7, 1),
        (-1_000_000, 5),
        ("", 1),
        ("é", 3),
        (b"", 1),
        (b"x", 2),
        ([], 1),
        ({}, 1),
        ({"k": "v"}, 5),
        (Cid.of_sha256(b"\xaa" * 32), 41),  # d8 2a, 58 25, then 00 and 36 bytes
    ],
    ids=str,
)
def test_many_small_things_are_counted_to_the_byte(item: Any, width: int) -> None:
    # 99 and two bytes of length, then the items; nulls bring the sum to the bound where the width does not.
    count, rest = divmod(60_000 - 3, width)
    value = [item] * count + [None] * rest
    assert len(encode(value)) == 60_000
    assert measure(value, max_bytes=60_000) is None
    misfit = measure([*value, None], max_bytes=60_000)
    assert misfit == Misfit("longer than 60000 bytes of DAG-CBOR", (), crosses_bound=True)


def test_long_keys_count_too() -> None:
    # a1, 7a and four bytes of length, the key, 00
    assert measure({"k" * (MAX_BYTES - 7): 0}) is None
    assert measure({"k" * (MAX_BYTES - 6): 0}) == LONG


def exponential(levels: int, leaf: Any) -> Any:
    """Give a value of few objects that stand for 2 ** levels of them."""
    for _ in range(levels):
        leaf = [leaf, leaf]
    return leaf


def test_shared_parts_count_as_often_as_they_stand() -> None:
    assert encode(exponential(4, 1)) == encode(json.loads(json.dumps(exponential(4, 1))))
    # 2 ** 14 leaves of one byte below 2 ** 14 - 1 lists of one byte.
    assert measure(exponential(14, 1), max_bytes=2**15 - 1) is None
    misfit = measure(exponential(14, 1), max_bytes=2**15 - 2)
    assert misfit is not None
    assert misfit.crosses_bound


WIDE = {str(number): "" for number in range(2_000)}


@pytest.mark.parametrize(
    "value",
    [
        exponential(60, 1),
        {"a": exponential(60, "\U0001f600")},
        [[WIDE] * 2_000] * 2_000,  # eight thousand million keys, were they walked
        [["x" * 1_000_000] * 2_000] * 2_000,  # four terabytes, were they written
        [[b"x" * 1_000_000] * 2_000] * 2_000,
        [{"k" * 1_000_000: 1}] * 1_000_000,
    ],
    ids=["ones", "faces", "objects", "strings", "bytes", "keys"],
)
def test_no_shared_part_keeps_anybody_busy(value: Any) -> None:
    misfit = measure(value)
    assert misfit is not None
    assert misfit.crosses_bound
    uri = "at://did:plc:root/com.disnetdev.radial.space/s"
    index = materialize([Record(uri=uri, cid=LINK, value=value)])
    assert [(row.uri, row.rule) for row in index.ignored] == [(uri, "L6")]


# Against the oracle, which writes every byte itself -----------------------------------------------------------------

TEXTS = st.text(max_size=8) | st.sampled_from(["", "aa", "b", "é", "\uffee", "\U0001f600", "x" * 24, "x" * 256])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 23, 24, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, -24, -25, -256, -257]),
    TEXTS,
    st.binary(max_size=40).map(lambda data: {"$bytes": base64.b64encode(data).decode().rstrip("=")}),
    st.binary(min_size=32, max_size=32).map(lambda digest: {"$link": str(Cid.of_sha256(digest))}),
)
KEYS = TEXTS.filter(lambda key: key not in {"$link", "$bytes"})
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=30
)


@given(TREES)
def test_bytes_and_cids_are_the_oracles(tree: Any) -> None:
    value = from_json(tree)
    assert encode(value) == oracle.encode(tree)
    assert cid_of(value) == oracle.cid_of(tree)


@given(TREES)
def test_a_value_fits_exactly_up_to_its_own_size(tree: Any) -> None:
    value = from_json(tree)
    size = len(oracle.encode(tree))
    assert measure(value, max_bytes=size) is None
    misfit = measure(value, max_bytes=size - 1)
    assert misfit == Misfit(f"longer than {size - 1} bytes of DAG-CBOR", (), crosses_bound=True)
