"""Observations and their lines (O1, O2, O5): what is taken, what is malformed and why, and what is written back."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import Deletion, MalformedLine, Record, read_jsonl, to_line
from radial_core.canonical import cid_of
from radial_core.cids import Cid
from radial_core.jsonform import JsonError
from radial_core.observations import observation_of, parse_observation
from tests.oracle import canonical as oracle

URI = "at://did:plc:root/com.disnetdev.radial.space/s"
VALUE = {"$type": "com.disnetdev.radial.space", "name": "Lab", "createdAt": "2026-01-01T00:00:00Z"}
CID = oracle.cid_of(VALUE)
OTHER_CID = oracle.cid_of({})
REV = "3kaaaaaaaaaa2"
SEEN_AT = "2026-01-02T03:04:05.678+01:00"
LINE = json.dumps({"uri": URI, "cid": CID, "value": VALUE, "rev": REV, "seenAt": SEEN_AT})
GONE = json.dumps({"uri": URI, "deleted": True})


def line(**changes: Any) -> str:
    """Give a sound line but for some keys; `...` takes one out."""
    whole = {"uri": URI, "cid": CID, "value": VALUE, **changes}
    return json.dumps({key: inner for key, inner in whole.items() if inner is not ...})


def faults_of(text: str) -> list[str]:
    with pytest.raises(JsonError) as raised:
        parse_observation(text)
    return list(raised.value.faults)


# What is taken ------------------------------------------------------------------------------------------------------


def test_a_record_with_everything() -> None:
    assert parse_observation(LINE) == Record(uri=URI, cid=CID, value=VALUE, rev=REV, seen_at=SEEN_AT)


def test_a_deletion_with_everything() -> None:
    text = json.dumps({"uri": URI, "deleted": True, "rev": REV, "seenAt": SEEN_AT})
    assert parse_observation(text) == Deletion(uri=URI, rev=REV, seen_at=SEEN_AT)


def test_a_cid_that_is_left_out_is_computed() -> None:
    assert parse_observation(line(cid=...)) == Record(uri=URI, cid=CID, value=VALUE)


@pytest.mark.parametrize("key", ["rev", "seenAt", "cid", "deleted"])
def test_null_means_absent(key: str) -> None:
    assert parse_observation(line(**{key: None})) == Record(uri=URI, cid=CID, value=VALUE)


def test_a_null_value_beside_a_deletion_is_absent_too() -> None:
    text = json.dumps({"uri": URI, "deleted": True, "value": None, "cid": None, "rev": None, "seenAt": None})
    assert parse_observation(text) == Deletion(uri=URI)


def test_not_deleted_is_no_deletion() -> None:
    others: list[Any] = [False, 0, 1, "true", "yes", []]
    for said in others:  # O5 speaks of `deleted: true` and of nothing else
        assert parse_observation(line(deleted=said)) == Record(uri=URI, cid=CID, value=VALUE)


def test_keys_that_nobody_knows_are_passed_over() -> None:
    assert parse_observation(line(note="hello", seen_at="now")) == Record(uri=URI, cid=CID, value=VALUE)


@pytest.mark.parametrize("value", [5, "text", [], {}, False, 0, "", {"createdAt": None}, {"a": [None]}], ids=str)
def test_a_value_may_be_anything_but_null(value: Any) -> None:
    # Whether it is a record is for the fold to say (L1), one record at a time.
    found = parse_observation(line(value=value, cid=...))
    assert found == Record(uri=URI, cid=oracle.cid_of(value), value=value)


@pytest.mark.parametrize("uri", ["", "anything", "at://ada.example/x", "🙂", "http://example.com"])
def test_a_uri_may_be_any_text(uri: str) -> None:
    # O6 is the fold's.
    assert parse_observation(line(uri=uri)).uri == uri


def test_links_and_bytes_become_values() -> None:
    plain = {"ref": {"$link": CID}, "raw": {"$bytes": "QUI"}}
    found = parse_observation(line(value=plain, cid=oracle.cid_of(plain)))
    assert found == Record(uri=URI, cid=oracle.cid_of(plain), value={"ref": Cid.parse(CID), "raw": b"AB"})


# What is malformed --------------------------------------------------------------------------------------------------

BOTH = "an observation has either a value or deleted: true @ $"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", ["an observation is one JSON object @ $"]),
        ("null", ["an observation is one JSON object @ $"]),
        (f'"{URI}"', ["an observation is one JSON object @ $"]),
        (f'{{"$link": "{CID}"}}', ["an observation is one JSON object @ $"]),
        ('{"$bytes": ""}', ["an observation is one JSON object @ $"]),
        (LINE + LINE, [f"not JSON: Extra data at character {len(LINE) + 1} @ $"]),
        (LINE[:-1], [f"not JSON: Expecting ',' delimiter at character {len(LINE)} @ $"]),
        ("{}", ["no string @ $.uri", BOTH]),
        (line(uri=...), ["no string @ $.uri"]),
        (line(uri=None), ["no string @ $.uri"]),
        (line(uri=5), ["no string @ $.uri"]),
        (line(uri=[URI]), ["no string @ $.uri"]),
        (line(uri={"$bytes": "QQ"}), ["no string @ $.uri"]),
        (line(value=...), [BOTH]),
        (line(value=None), [BOTH]),
        (line(value=..., deleted=False), [BOTH]),
        (line(value=..., deleted=None), [BOTH]),
        (line(deleted=True), [BOTH]),
        (line(deleted=1, value=...), [BOTH]),
        (line(deleted="true", value=...), [BOTH]),
        (line(rev=""), ["not a TID @ $.rev"]),
        (line(rev=3), ["not a TID @ $.rev"]),
        (line(rev="3kaaaaaaaaaa1"), ["not a TID @ $.rev"]),
        (line(rev="3KAAAAAAAAAA2"), ["not a TID @ $.rev"]),
        (line(rev="zkaaaaaaaaaa2"), ["not a TID @ $.rev"]),
        (line(seenAt=""), ["not a datetime @ $.seenAt"]),
        (line(seenAt=1_767_225_600), ["not a datetime @ $.seenAt"]),
        (line(seenAt="2026-01-01"), ["not a datetime @ $.seenAt"]),
        (line(seenAt="2026-01-01T00:00:00-00:00"), ["not a datetime @ $.seenAt"]),
        (line(cid=5), [f"the CID of the value is {CID} @ $.cid"]),
        (line(cid={"$link": CID}), [f"the CID of the value is {CID} @ $.cid"]),
        (line(cid=""), [f"the CID of the value is {CID} @ $.cid"]),
        (line(cid=OTHER_CID), [f"the CID of the value is {CID} @ $.cid"]),
        (line(cid=CID.upper()), [f"the CID of the value is {CID} @ $.cid"]),
        (line(value={"a": 1.5}), ["a number with a fraction or an exponent @ $.value.a"]),
        (line(value={"a": [2**63]}), ["an integer beyond 64 bits @ $.value.a[0]"]),
        (line(value={"a": "\ud800"}), ["half of a surrogate pair @ $.value.a"]),
        (line(uri="\udfff"), ["half of a surrogate pair @ $.uri"]),
        (line(value={"a": {"$link": "x"}}), ["$link: not a CID @ $.value.a"]),
        (line(value={"a": {"$bytes": "?"}}), ["$bytes: not base64 @ $.value.a"]),
        (f'{{"uri": "{URI}", "uri": "{URI}", "deleted": true}}', ["the key 'uri' stands here twice @ $"]),
        (
            f'{{"uri": "{URI}", "value": [{{"a": {{"b": 1, "b": 1}}}}]}}',
            ["the key 'b' stands here twice @ $.value[0].a"],
        ),
        (f'{{"uri": "{URI}", "note": 1.5, "deleted": true}}', ["a number with a fraction or an exponent @ $.note"]),
    ],
    ids=lambda item: item[-40:] if isinstance(item, str) else None,
)
def test_each_way_to_be_malformed(text: str, expected: list[str]) -> None:
    assert faults_of(text) == expected


def test_a_deletion_says_nothing_about_a_cid() -> None:
    # Nobody can check it, so it is neither kept nor held against the line.
    assert parse_observation(json.dumps({"uri": URI, "deleted": True, "cid": CID})) == Deletion(uri=URI)


def test_all_faults_of_a_line_at_once() -> None:
    assert faults_of(line(uri=7, value=..., deleted="yes", rev="x", seenAt="y", cid=8)) == [
        "no string @ $.uri",
        BOTH,
        "not a TID @ $.rev",
        "not a datetime @ $.seenAt",
    ]
    assert faults_of(line(value={"a": 1.5, "b": {"$link": 1}, "c": ["\ud800"]})) == [
        "a number with a fraction or an exponent @ $.value.a",
        "$link holds no string @ $.value.b",
        "half of a surrogate pair @ $.value.c[0]",
    ]


@pytest.mark.parametrize(("brackets", "levels"), [("[]", 511), ("{}", 511)])
def test_a_line_of_512_levels_is_read_and_deeper_ones_may_be_malformed(brackets: str, levels: int) -> None:
    opening, closing = (brackets[0] + '"a":' * (brackets == "{}")), brackets[1]
    head = f'{{"uri": "{URI}", "value": '
    deep = parse_observation(head + opening * levels + "7" + closing * levels + "}")
    assert isinstance(deep, Record)
    assert deep.cid == cid_of(deep.value)
    assert parse_observation(to_line(deep)).uri == URI
    levels += 1
    assert faults_of(head + opening * levels + "7" + closing * levels + "}") == ["nested deeper than 512 levels @ $"]


def test_a_parsed_object_is_checked_as_its_line_is() -> None:
    # For callers that have parsed already: links and bytes are values, and what is no atproto data has no CID.
    assert observation_of({"uri": URI, "value": {"a": b"AB"}}) == Record(
        uri=URI, cid=oracle.cid_of({"a": {"$bytes": "QUI"}}), value={"a": b"AB"}
    )
    with pytest.raises(JsonError) as raised:
        observation_of({"uri": URI, "value": {"a": 1.5}})
    assert raised.value.faults == ("float is not a type of atproto data @ $.value.a",)


# Many lines ---------------------------------------------------------------------------------------------------------


def test_blank_lines_are_skipped_and_counted() -> None:
    lines = ["", LINE, "  \t\n", "\n", "no line", GONE + "\n", "\r\n"]
    malformed: list[MalformedLine] = []
    assert list(read_jsonl(lines, on_malformed=malformed.append)) == [parse_observation(LINE), Deletion(uri=URI)]
    assert [(one.number, one.faults) for one in malformed] == [(5, ("not JSON: Expecting value at character 1 @ $",))]


def test_every_bad_line_is_named_and_none_takes_its_neighbours_along() -> None:
    lines = [line(rev="x"), LINE, "[", line(uri=1, seenAt="y"), GONE]
    malformed: list[MalformedLine] = []
    assert len(list(read_jsonl(lines, on_malformed=malformed.append))) == 2
    assert [one.number for one in malformed] == [1, 3, 4]
    assert malformed[2].faults == ("no string @ $.uri", "not a datetime @ $.seenAt")
    assert str(malformed[2]) == "line 4: no string @ $.uri; not a datetime @ $.seenAt"


def test_without_anybody_to_tell_the_first_bad_line_is_raised() -> None:
    reader = read_jsonl([LINE, "", "bad", GONE])
    assert next(reader) == parse_observation(LINE)
    with pytest.raises(MalformedLine) as raised:
        next(reader)
    assert raised.value.number == 3
    assert isinstance(raised.value, ValueError)
    assert list(reader) == []


def test_nothing_is_read_ahead() -> None:
    def lines() -> Any:
        yield LINE
        pytest.fail("the second line was asked for too early")

    assert next(read_jsonl(lines())) == parse_observation(LINE)


@pytest.mark.parametrize("text", [LINE, LINE.encode(), "", b""], ids=ascii)
def test_text_that_is_not_cut_into_lines_is_a_callers_mistake(text: Any) -> None:
    with pytest.raises(TypeError, match="takes lines"):
        next(read_jsonl(text))


# Made by hand -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Record, Deletion])
def test_what_is_no_revision_and_no_datetime_is_refused(kind: Any) -> None:
    rest = {"uri": URI, "cid": CID, "value": VALUE} if kind is Record else {"uri": URI}
    with pytest.raises(ValueError, match="rev must be a TID, not 'x'"):
        kind(**rest, rev="x")
    with pytest.raises(ValueError, match="not an atproto datetime"):
        kind(**rest, seen_at="yesterday")
    for name, wrong in (("uri", None), ("uri", b"at://"), ("rev", 3), ("seen_at", 3), ("rev", b"3kaaaaaaaaaa2")):
        with pytest.raises(TypeError):
            kind(**{**rest, name: wrong})


def test_uri_and_cid_are_strings() -> None:
    with pytest.raises(TypeError, match="uri must be a str, not NoneType"):
        Record(uri=None, cid=CID, value=VALUE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cid must be a str, not Cid"):
        Record(uri=URI, cid=Cid.parse(CID), value=VALUE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="uri must be a str, not int"):
        Deletion(uri=7)  # type: ignore[arg-type]


def test_a_cid_has_a_utf_8_form() -> None:
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        Record(uri=URI, cid="\ud800", value=VALUE)


def test_they_are_frozen_and_named() -> None:
    with pytest.raises(TypeError):
        Record(URI, CID, VALUE)  # type: ignore[call-arg]
    record = Record(uri=URI, cid=CID, value=VALUE)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        record.cid = "x"  # type: ignore[misc]
    assert (record.rev, record.seen_at) == (None, None)
    assert record == Record(uri=URI, cid=CID, value=dict(VALUE))
    assert record != Record(uri=URI, cid=CID, value=VALUE, rev=REV)
    different: object = Deletion(uri=URI)
    assert record != different


# Written back -------------------------------------------------------------------------------------------------------


def test_a_line_says_what_is_known_and_no_more() -> None:
    assert json.loads(to_line(Record(uri=URI, cid=CID, value=VALUE))) == {"uri": URI, "cid": CID, "value": VALUE}
    assert json.loads(to_line(Deletion(uri=URI, rev=REV))) == {"uri": URI, "deleted": True, "rev": REV}
    assert json.loads(to_line(parse_observation(LINE))) == json.loads(LINE)


TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5) | st.binary(max_size=4)
    | st.binary(min_size=32, max_size=32).map(Cid.of_sha256)
    | st.sampled_from(["\n", "\r", "\u2028", "\x85", '"', "\\", "\0"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=4).filter(lambda key: key not in {"$link", "$bytes"}), inner, max_size=4),
    max_leaves=12,
).filter(lambda tree: tree is not None)  # fmt: skip
REVS = st.none() | st.text("234567abcdefghij", min_size=13, max_size=13)
TIMES = st.none() | st.sampled_from([SEEN_AT, "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999999-23:59"])
RECORDS = st.builds(
    lambda uri, value, rev, seen_at: Record(uri=uri, cid=cid_of(value), value=value, rev=rev, seen_at=seen_at),
    st.text(max_size=9), TREES, REVS, TIMES,
)  # fmt: skip
DELETIONS = st.builds(Deletion, uri=st.text(max_size=9), rev=REVS, seen_at=TIMES)


@given(st.lists(RECORDS | DELETIONS, max_size=5))
def test_what_is_written_is_read_back(observations: list[Record | Deletion]) -> None:
    lines = [to_line(one) for one in observations]
    assert list(read_jsonl(lines)) == observations
    assert list(read_jsonl("\n".join(lines).split("\n"))) == observations
    assert [to_line(one) for one in read_jsonl(lines)] == lines


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from([URI, CID, REV, SEEN_AT, "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "cid", "value", "deleted", "rev", "seenAt", "$link"]), inner, max_size=6
        )
    ),
    max_leaves=12,
)


@given(st.lists(JUNK.map(json.dumps) | st.text(max_size=20) | st.sampled_from([LINE, GONE, ""]), max_size=6))
def test_no_line_crashes_and_each_is_read_or_named(lines: list[str]) -> None:
    malformed: list[MalformedLine] = []
    observations = list(read_jsonl(lines, on_malformed=malformed.append))
    blank = sum(not text.strip() for text in lines)
    assert len(observations) + len(malformed) + blank == len(lines)
    assert all(one.faults and 1 <= one.number <= len(lines) for one in malformed)
    assert [one.number for one in malformed] == sorted({one.number for one in malformed})


def test_a_line_has_one_end_for_every_reader() -> None:
    value = {**VALUE, "note": "a\x85b\u2028c\u2029d\u000be"}
    observation = Record(uri=URI, cid=cid_of(value), value=value)
    text = to_line(observation)
    assert text.splitlines() == [text]
    assert list(read_jsonl([text])) == [observation]


@pytest.mark.parametrize("lines", ["{}", b"{}"], ids=repr)
def test_text_that_is_not_cut_into_lines_is_refused(lines: Any) -> None:
    with pytest.raises(TypeError, match="takes lines"):
        next(read_jsonl(lines))
