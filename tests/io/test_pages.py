"""Answers of `listRecords`, whole and broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_io.errors import NotJsonError
from radial_io.ingest.pages import Held, Page, SetAside, Skimmed, read_item, read_page, skim
from tests.io.fakes import ALICE, BOB, SPACE, cid

PREFIX = f"at://{ALICE}/{SPACE}/"
VALUE = {"$type": SPACE, "name": "x", "createdAt": "2026-01-01T00:00:00Z"}
ITEM = {"uri": PREFIX + "one", "cid": cid(VALUE), "value": VALUE}


def test_a_page() -> None:
    assert read_page("u", json.dumps({"records": [ITEM], "cursor": "one"}).encode()) == Page((ITEM,), "one")
    assert read_page("u", b'{"records": [], "cursor": null, "more": 1}') == Page((), None)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"records": {}}',
        b'{"records": [], "cursor": 5}',
        b"\xff",
        b'{"records": [' + b"[" * 100_000 + b"]" * 100_000 + b"]}",
        b'{"records": [' + b"9" * 5000 + b"]}",
    ],
)
def test_no_page(body: bytes) -> None:
    with pytest.raises(NotJsonError) as caught:
        read_page("u", body)
    assert caught.value.body == body


def test_an_item() -> None:
    assert read_item(ITEM, PREFIX) == Held(PREFIX + "one", cid(VALUE), VALUE)


def test_a_value_that_is_no_object_is_the_cores_to_judge() -> None:
    assert read_item({"uri": PREFIX + "one", "cid": cid("x"), "value": "x"}, PREFIX) == Held(
        PREFIX + "one", cid("x"), "x"
    )


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (None, "cannot hold this item"),
        ({"cid": cid(VALUE), "value": VALUE}, "cannot hold this item"),
        (ITEM | {"uri": 5}, "cannot hold this item"),
        ({"uri": PREFIX + "one", "value": VALUE}, "no cid or no value"),
        ({"uri": PREFIX + "one", "cid": cid(VALUE)}, "no cid or no value"),
        (ITEM | {"uri": f"at://{BOB}/{SPACE}/one"}, "cannot hold this item"),
        (ITEM | {"uri": f"at://{ALICE}/{SPACE}x/one"}, "cannot hold this item"),
        (ITEM | {"uri": PREFIX + "one/two"}, "cannot hold this item"),
        (ITEM | {"uri": PREFIX}, "cannot hold this item"),
        (ITEM | {"value": VALUE | {"name": "y"}}, cid(VALUE | {"name": "y"})),
        (ITEM | {"value": VALUE | {"n": 1.5}}, "fraction"),
        (ITEM | {"value": VALUE | {"n": 2**64}}, "64 bits"),
        (ITEM | {"value": VALUE | {"n": {"$bytes": "@@"}}}, "base64"),
        (ITEM | {"value": VALUE | {"n": {"$link": "nope"}}}, "CID"),
        (ITEM | {"value": VALUE | {"n": "\ud800"}}, "surrogate"),
    ],
)
def test_an_item_is_set_aside(item: Any, reason: str) -> None:
    judged = read_item(item, PREFIX)
    assert isinstance(judged, SetAside)
    assert reason in judged.reason


@pytest.mark.parametrize("item", [None, {}, "x", {"value": VALUE}])
def test_an_item_without_a_name_stands_under_its_collections(item: Any) -> None:
    judged = read_item(item, PREFIX)
    assert judged == SetAside(PREFIX, None, f"the listing of {PREFIX} cannot hold this item")


def test_an_item_of_this_repo_is_named_in_full() -> None:
    uri = PREFIX + "r" * 512
    assert read_item({"uri": uri, "value": VALUE}, PREFIX) == SetAside(uri, None, "the item has no cid or no value")


def test_a_value_too_deep_to_be_written_is_set_aside() -> None:
    deep: Any = "x"
    for _ in range(600):
        deep = [deep]
    judged = read_item(ITEM | {"value": VALUE | {"deep": deep}}, PREFIX)
    assert isinstance(judged, SetAside)
    assert judged.uri == PREFIX + "one"
    assert "512 levels" in judged.reason


def test_a_deep_page_is_skimmed() -> None:
    deep = '{"d": ' * 100_000 + "1" + "}" * 100_000
    body = f'{{"records": [{{"uri": "{PREFIX}one", "cid": "bafy", "value": {deep}}}], "cursor": "one"}}'
    assert skim(body.encode()) == Skimmed(PREFIX + "one", "bafy", "one")


def test_what_a_value_says_of_itself_is_not_believed() -> None:
    inner = {"uri": "at://liar/x/y", "cid": "liar", "cursor": "liar", "records": [{"uri": "liar"}]}
    tricks = 'x", "uri": "at://liar/x/y", "cursor": "liar'
    value = {"a": inner, "b": [inner], "c": tricks, "": inner, "records": [[inner]]}
    page = {"first": {"uri": "liar", "cursor": "liar"}, "records": [{"value": value, "uri": "me", "cid": "c"}]}
    page |= {"last": [{"uri": "liar", "cursor": "liar"}], "cursor": "on"}
    assert skim(json.dumps(page).encode()) == Skimmed("me", "c", "on")


@pytest.mark.parametrize(
    ("body", "skimmed"),
    [
        (b"", Skimmed(None, None, None)),
        (b"<html><body>no</body></html>", Skimmed(None, None, None)),
        (b'{"records": [{"uri": "me", "cid": "c", "value": {"x": "cut off he', Skimmed("me", "c", None)),
        (b'{"records": [{"uri": "me", "value": {"x": "a\\"}, \\"cid\\": \\"liar\\"', Skimmed("me", None, None)),
        (b'{"cursor": "on", "records": [{"uri": "m', Skimmed(None, None, "on")),
        (b'{"cursor": null, "records": [{"uri": 5}]}', Skimmed(None, None, None)),
        (b'{"cursor": "\\u00', Skimmed(None, None, None)),
        (b"]}}}{{{[", Skimmed(None, None, None)),
        (b'"records"', Skimmed(None, None, None)),
    ],
)
def test_skimming_what_there_is(body: bytes, skimmed: Skimmed) -> None:
    assert skim(body) == skimmed


_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
_TREES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["uri", "cid", "cursor", "records", "", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(value=_TREES, before=_TREES, after=_TREES, uri=st.text(), cursor=st.text(), gap=st.sampled_from([None, 1]))
def test_skimming_agrees_with_parsing(
    value: Any, before: Any, after: Any, uri: str, cursor: str, gap: int | None
) -> None:
    page = {"before": before, "records": [{"x": before, "uri": uri, "value": value}], "cursor": cursor, "after": after}
    assert skim(json.dumps(page, indent=gap).encode()) == Skimmed(uri, None, cursor)


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\\ au', max_size=60).map(str.encode))
def test_skimming_never_fails(body: bytes) -> None:
    assert isinstance(skim(body), Skimmed)
