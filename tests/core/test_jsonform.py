"""Atproto's JSON (O5): what a document may not hold, each fault with its place, and all of them at once."""

from __future__ import annotations

import base64
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from radial_core.canonical import CanonicalError
from radial_core.cids import Cid
from radial_core.jsonform import JsonError, from_json, parse_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable

LINK = "bafyreiclp443lavogvhj3d2ob2cxbfuscni2k5jk7bebjzg7khl3esabwq"
FRACTION = "a number with a fraction or an exponent"
BEYOND = "an integer beyond 64 bits"
HALF = "half of a surrogate pair"


def faults_of(text: str) -> list[str]:
    with pytest.raises(JsonError) as raised:
        parse_json(text)
    assert str(raised.value) == "; ".join(raised.value.faults)
    return list(raised.value.faults)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" [true, false] ", [True, False]),
        ("0", 0),
        ("-0", 0),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ('"\\u0000\\u007f\\u00e9"', "\0\x7fé"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ('{"b": 1, "a": {"": []}}', {"b": 1, "a": {"": []}}),
        ('{"$type": "blob"}', {"$type": "blob"}),
        (f'{{"$link": "{LINK}"}}', Cid.parse(LINK)),
        (f'[{{"$link": "{LINK.upper()}"}}]', [Cid.parse(LINK)]),
        ('{"a": {"$bytes": ""}}', {"a": b""}),
        ('{"$bytes": "AP8"}', b"\0\xff"),
        ('{"$bytes": "AP8="}', b"\0\xff"),
        ('{"$bytes": "+/+/"}', b"\xfb\xff\xbf"),
        ('{"a": "$link"}', {"a": "$link"}),
    ],
)
def test_sound_documents(text: str, value: Any) -> None:
    found = parse_json(text)
    assert found == value
    assert type(found) is type(value)


def test_the_order_of_keys_is_kept() -> None:
    assert list(parse_json('{"b": 1, "a": 2, "c": 3}')) == ["b", "a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nul",
        "'a'",
        "[1,]",
        "{,}",
        '{"a":1,}',
        "{a:1}",
        "[1 2]",
        '"\t"',
        '"\\x"',
        "01",
        "+1",
        "1.",
        ".5",
        "{}{}",
        "[] x",
        "// x\n1",
        "\ufeff{}",
        "[1",
        '"open',
    ],
)
def test_what_is_no_json(text: str) -> None:
    (fault,) = faults_of(text)
    assert fault.startswith("not JSON: ")
    assert fault.endswith(" @ $")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5", [f"{FRACTION} @ $"]),
        ("1.0", [f"{FRACTION} @ $"]),
        ("-0.0", [f"{FRACTION} @ $"]),
        ("1e3", [f"{FRACTION} @ $"]),
        ("1E-3", [f"{FRACTION} @ $"]),
        ('{"a": [NaN, Infinity, -Infinity]}', [f"{FRACTION} @ $.a[{index}]" for index in range(3)]),
        ("9223372036854775808", [f"{BEYOND} @ $"]),
        ("[-9223372036854775809]", [f"{BEYOND} @ $[0]"]),
        ("1" * 20, [f"{BEYOND} @ $"]),
        ("[" + "9" * 1_000_000 + "]", [f"{BEYOND} @ $[0]"]),
        ("-" + "9" * 1_000_000, [f"{BEYOND} @ $"]),
        ('"\\ud800"', [f"{HALF} @ $"]),
        ('["\\udc00\\ud800"]', [f"{HALF} @ $[0]"]),
        ('{"\\ud800": 1.5}', [f"{HALF} in a key @ $['\\ud800']", f"{FRACTION} @ $['\\ud800']"]),
        ('{"a": 1, "a": 1}', ["the key 'a' stands here twice @ $"]),
        ('{"a": 1, "\\u0061": 2, "b": 3, "b": 3, "b": 3}', [f"the key '{key}' stands here twice @ $" for key in "ab"]),
        ('[{"x": {"é": null, "é": null}}]', ["the key '\\xe9' stands here twice @ $[0].x"]),
        ('{"a": {"$link": 7}}', ["$link holds no string @ $.a"]),
        ('{"$link": null}', ["$link holds no string @ $"]),
        ('{"$link": {"$link": "x"}}', ["$link holds no string @ $"]),
        ('{"$link": ""}', ["$link: not a CID @ $"]),
        (f'{{"$link": "{LINK[:-1]}"}}', ["$link: not a CID @ $"]),
        (f'{{"$link": "{LINK}", "x": 1}}', ["$link stands with other keys @ $"]),
        (f'{{"$link": "{LINK}", "$bytes": "QQ"}}', ["$link stands with other keys @ $"]),
        (f'{{"$link": "{LINK}", "$link": "{LINK}"}}', ["the key '$link' stands here twice @ $"]),
        ('{"$bytes": 7}', ["$bytes holds no string @ $"]),
        ('{"$bytes": [1]}', ["$bytes holds no string @ $"]),
        ('{"$bytes": "A"}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "AAAAA"}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "-_-_"}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "Q Q="}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "QQ==\\n"}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "QQ==="}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "QQ==QQ=="}', ["$bytes: not base64 @ $"]),
        ('{"$bytes": "é"}', ["$bytes: not base64 @ $"]),
        ('{"$type": "x", "$bytes": "QQ"}', ["$bytes stands with other keys @ $"]),
    ],
    ids=lambda item: item[:30] if isinstance(item, str) else None,
)
def test_each_fault_has_its_place(text: str, expected: list[str]) -> None:
    assert faults_of(text) == expected


def test_all_faults_are_told_at_once_in_the_order_of_the_document() -> None:
    text = '{"a": 1.5, "b": [{"$link": 1}, 99999999999999999999], "c": {"d": 1, "d": "\\ud800"}, "e": {"$bytes": "?"}}'
    assert faults_of(text) == [
        f"{FRACTION} @ $.a",
        "$link holds no string @ $.b[0]",
        f"{BEYOND} @ $.b[1]",
        "the key 'd' stands here twice @ $.c",
        f"{HALF} @ $.c.d",
        "$bytes: not base64 @ $.e",
    ]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
def test_512_levels_are_read_and_513_are_not(opening: str, closing: str) -> None:
    half = 512 // (1 + (len(opening) == 6))
    value = parse_json(opening * half + "7" + closing * half)
    levels = 0
    while value != 7:
        levels += 1
        value = value[0] if isinstance(value, list) else value["a"]
    assert levels == 512
    (fault,) = faults_of("[" + opening * half + "7" + closing * half + "]")
    assert fault == "nested deeper than 512 levels @ $"


def test_brackets_in_strings_are_no_levels() -> None:
    text = "[" * 1_000 + '\\"' + "{" * 1_000
    assert parse_json(f'{{"a": "{text}", "{text}": []}}') == {"a": text.replace("\\", ""), text.replace("\\", ""): []}
    assert parse_json("[" + "[],{}," * 1_000 + "1]")[-1] == 1


def test_a_string_that_never_ends_is_read_in_one_pass() -> None:
    for text in ('["' + "\\" * 300_000, '"' + "[" * 300_000, '"[' * 300_000, "[" * 300_000, "]" * 300_000):
        (fault,) = faults_of(text)
        assert fault.startswith(("not JSON: ", "nested deeper than 512 levels"))


def test_a_caller_deep_in_its_own_stack_gets_a_fault_and_no_crash() -> None:
    text = "[" * 500 + "]" * 500

    def down(frames: int) -> Any:
        return parse_json(text) if frames == 0 else down(frames - 1)

    spare = sys.getrecursionlimit() - 400
    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    if sys.version_info < (3, 12):
        with pytest.raises(JsonError, match="nested too deeply for the stack that is left"):
            down(spare - depth)
    else:  # the parser counts its own levels and has room for more than 512
        assert down(spare - depth)


def test_parsed_json_may_come_from_another_parser() -> None:
    assert from_json({"a": [{"$bytes": "QQ"}, 2**63 - 1, "x", None, True]}) == {"a": [b"A", 2**63 - 1, "x", None, True]}
    with pytest.raises(JsonError) as raised:
        from_json({"a": [1.5, 2**63, "\ud800"], "\udfff": 0})
    assert set(raised.value.faults) == {
        f"{FRACTION} @ $.a[0]",
        f"{BEYOND} @ $.a[1]",
        f"{HALF} @ $.a[2]",
        f"{HALF} in a key @ $['\\udfff']",
    }


def test_reading_leaves_the_tree_alone() -> None:
    tree = {"a": [{"$link": LINK}]}
    from_json(tree)
    assert tree == {"a": [{"$link": LINK}]}
    value = {"a": [b"x"]}
    to_json(value)
    assert value == {"a": [b"x"]}


def test_bytes_are_written_without_padding() -> None:
    assert to_json([b"", b"A", b"AB", b"ABC", Cid.parse(LINK)]) == [
        {"$bytes": ""},
        {"$bytes": "QQ"},
        {"$bytes": "QUI"},
        {"$bytes": "QUJD"},
        {"$link": LINK},
    ]


def test_no_depth_overflows_the_stack_in_either_direction() -> None:
    tower: Any = 7
    for _ in range(100_000):
        tower = {"a": [tower]}
    read = from_json(tower)
    for _ in range(100_000):
        read = read["a"][0]
    assert read == 7
    with pytest.raises(CanonicalError, match="nested deeper than 512 levels"):
        to_json(tower)


def test_a_line_with_countless_faults_is_told_briefly() -> None:
    # Each fault once carried its whole path, so that a short line could ask for gigabytes.
    key, faults = "a" * 20_000, 20_000
    with pytest.raises(JsonError) as caught:
        parse_json('{"' + key + '":[' + ",".join(["1.5"] * faults) + "]}")
    assert len(caught.value.faults) == 101
    assert caught.value.faults[-1] == f"and {faults - 100} more faults @ $"
    assert len(str(caught.value)) < 30_000


TEXTS = st.text(max_size=6) | st.sampled_from(["$link", "$bytes", "$type", "\u2028", '"\\', "[{"])
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    TEXTS,
    st.binary(max_size=7),
    st.binary(min_size=32, max_size=32).map(Cid.of_sha256),
)
KEYS = TEXTS.filter(lambda key: key not in {"$link", "$bytes"})
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)


@given(VALUES, st.booleans())
def test_what_is_written_is_read_back(value: Any, ascii_only: bool) -> None:  # noqa: FBT001 - drawn
    assert parse_json(json.dumps(to_json(value), ensure_ascii=ascii_only)) == value


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.text(st.characters(), max_size=4)
    | st.sampled_from(["\ud800", LINK, "QQ", 10**30]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "$link", "$bytes", "\udfff"]), inner, max_size=3)
    ),
    max_leaves=15,
)


def places(tree: Any, path: str = "$") -> dict[str, Any]:
    """Every value of a tree by its path."""
    found = {path: tree}
    if isinstance(tree, list):
        for index, inner in enumerate(tree):
            found |= places(inner, f"{path}[{index}]")
    elif isinstance(tree, dict):
        for key, inner in tree.items():
            found |= places(inner, f"{path}.{key}" if key.isascii() else f"{path}[{key!a}]")
    return found


def outcome(read: Callable[[Any], Any], document: Any) -> tuple[Any, tuple[str, ...]]:
    try:
        return read(document), ()
    except JsonError as fault:
        return None, fault.faults


@given(JUNK)
def test_junk_is_read_or_every_fault_has_a_place(tree: Any) -> None:
    value, faults = outcome(parse_json, json.dumps(tree))
    known = places(tree)
    assert {fault.split(" @ ")[1] for fault in faults} <= known.keys()
    assert len(set(faults)) == len(faults)
    if not faults:
        assert places(to_json(value)).keys() == known.keys()


@given(JUNK)
def test_parsed_json_has_the_faults_of_its_text(tree: Any) -> None:
    value, faults = outcome(from_json, tree)
    same_value, same_faults = outcome(parse_json, json.dumps(tree))
    assert value == same_value
    assert sorted(faults) == sorted(same_faults)


@given(st.binary(max_size=30))
def test_base64_is_read_with_and_without_padding(data: bytes) -> None:
    padded = base64.b64encode(data).decode()
    for text in (padded, padded.rstrip("=")):
        assert parse_json(json.dumps({"$bytes": text})) == data


@pytest.mark.parametrize("text", ["=", "==", "AA=", "AAA==", "AAAA=", "AAAA====", "A", "AAAAA", "A===", "AA=A"])
def test_base64_with_other_padding_is_none(text: str) -> None:
    with pytest.raises(JsonError, match="not base64"):
        parse_json(json.dumps({"$bytes": text}))
