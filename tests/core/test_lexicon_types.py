"""Every type and attribute of the lexicon language, on small lexicons of our own: what passes, what is said if not."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core.cids import Cid
from radial_core.lexicon import Catalog, compile_lexicons

NSID = "org.example.thing"
LINK = Cid.parse("bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity")


def catalog(schema: dict[str, Any], key: str = "any", **definitions: Any) -> Catalog:
    """Make a catalog of one record with a field `it` of the schema."""
    record = {"type": "object", "properties": {"it": schema}}
    main = {"type": "record", "key": key, "record": record}
    return compile_lexicons([{"lexicon": 1, "id": NSID, "defs": {"main": main, **definitions}}])


def said(schema: dict[str, Any], value: Any, **definitions: Any) -> list[str]:
    faults = catalog(schema, **definitions).faults(NSID, {"$type": NSID, "it": value})
    return [str(fault) for fault in faults]


BLOB = {"$type": "blob", "ref": LINK, "mimeType": "text/plain", "size": 0}

KINDS: dict[str, Any] = {
    "null": None,
    "boolean": True,
    "integer": 1,
    "string": "",
    "bytes": b"",
    "cid-link": LINK,
    "array": [],
    "object": {},
}
NAMES = {
    "null": "null",
    "boolean": "a boolean",
    "integer": "an integer",
    "string": "a string",
    "bytes": "bytes",
    "cid-link": "a link",
    "array": "an array",
    "object": "an object",
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "array": {"type": "array", "items": {"type": "null"}},
    "object": {"type": "object", "properties": {}},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_each_kind_of_value_is_of_its_own_type_alone(kind: str, other: str) -> None:
    expected = [] if kind == other else [f"must be {NAMES[kind]}, not {NAMES[other]} @ $.it"]
    assert said(SCHEMAS.get(kind, {"type": kind}), KINDS[other]) == expected


def test_a_value_of_no_known_kind_is_named_so() -> None:
    assert said({"type": "integer"}, 1.5) == ["must be an integer, not something else @ $.it"]


@pytest.mark.parametrize(
    ("schema", "good", "bad", "message"),
    [
        ({"type": "boolean", "const": True}, [True], [False], "must be true"),
        ({"type": "integer", "const": 3}, [3], [2, 4], "must be 3"),
        ({"type": "integer", "enum": [3, 5]}, [3, 5], [4], "must be one of 3, 5"),
        ({"type": "integer", "minimum": -1}, [-1, 0], [-2], "must be at least -1"),
        ({"type": "integer", "maximum": -1}, [-1, -2], [0], "must be at most -1"),
        ({"type": "string", "const": "a"}, ["a"], ["A", ""], "must be a"),
        ({"type": "string", "enum": ["a", "b"]}, ["a", "b"], ["c", "A"], "must be one of a, b"),
        (
            {"type": "string", "minLength": 4},
            ["abcd", "\u20aca"],
            ["abc", "\u00e9a"],
            "must have at least 4 bytes of UTF-8",
        ),
        (
            {"type": "string", "maxLength": 4},
            ["abcd", "\u20aca"],
            ["abcde", "\u20acab"],
            "must have at most 4 bytes of UTF-8",
        ),
        ({"type": "string", "minGraphemes": 2}, ["ab"], ["a\u0301"], "must have at least 2 graphemes"),
        ({"type": "string", "maxGraphemes": 1}, ["a\u0301", ""], ["ab"], "must have at most 1 graphemes"),
        ({"type": "bytes", "minLength": 2}, [b"ab"], [b"a"], "must have at least 2 bytes"),
        ({"type": "bytes", "maxLength": 2}, [b"ab"], [b"abc"], "must have at most 2 bytes"),
        ({"type": "string", "knownValues": ["a"]}, ["a", "b"], [], ""),
        ({"type": "string", "default": "a"}, ["b"], [], ""),
        ({"type": "string", "format": "did"}, ["did:a:b"], ["alice.test"], "must be a valid did"),
        (
            {"type": "string", "format": "datetime"},
            ["2026-01-01T00:00:00Z"],
            ["2026-01-01"],
            "must be a valid datetime",
        ),
        ({"type": "string", "format": "nsid"}, ["a.b.c"], ["a.b"], "must be a valid nsid"),
    ],
    ids=repr,
)
def test_attributes_bind_at_their_bounds(schema: dict[str, Any], good: list[Any], bad: list[Any], message: str) -> None:
    for value in good:
        assert said(schema, value) == []
    for value in bad:
        assert said(schema, value) == [f"{message} @ $.it"]


def test_all_rules_of_one_value_are_told_at_once() -> None:
    schema = {"type": "string", "maxLength": 2, "enum": ["ab"], "format": "nsid"}
    assert said(schema, "abc") == [
        "must be a valid nsid @ $.it",
        "must be one of ab @ $.it",
        "must have at most 2 bytes of UTF-8 @ $.it",
    ]


def test_an_array_tells_its_own_faults_and_then_every_items() -> None:
    schema = {"type": "array", "items": {"type": "integer", "minimum": 1}, "minLength": 3, "maxLength": 4}
    assert said(schema, [1, 2, 3]) == []
    assert said(schema, [0, 1]) == ["must have at least 3 items @ $.it", "must be at least 1 @ $.it[0]"]
    assert said(schema, [1, 0, 1, 1, "1"]) == [
        "must have at most 4 items @ $.it",
        "must be at least 1 @ $.it[1]",
        "must be an integer, not a string @ $.it[4]",
    ]


def test_an_object_asks_for_what_is_required_and_lets_null_be_only_where_it_may() -> None:
    schema = {
        "type": "object",
        "required": ["c", "a"],
        "nullable": ["b", "c"],
        "properties": {name: {"type": "integer"} for name in "abcd"},
    }
    assert said(schema, {"a": 1, "c": 1}) == []
    assert said(schema, {"a": 1, "c": None, "b": None, "more": None}) == []
    assert said(schema, {}) == ["is missing @ $.it.a", "is missing @ $.it.c"]
    assert said(schema, {"d": None, "c": "1", "a": None}) == [
        "must be an integer, not null @ $.it.a",
        "must be an integer, not a string @ $.it.c",
        "must be an integer, not null @ $.it.d",
    ]


def test_paths_quote_what_is_no_plain_name() -> None:
    schema = {"type": "object", "properties": {"a b": {"type": "integer"}}}
    assert said(schema, {"a b": ""}) == ["must be an integer, not a string @ $.it['a b']"]


def test_unknown_is_any_object_but_a_blob() -> None:
    objects: list[Any] = [{}, {"a": [None]}, {"$type": "a.b.c"}, {"$type": 7}]
    for value in objects:
        assert said({"type": "unknown"}, value) == []
    others: list[Any] = [LINK, b"", [], None, "a"]
    for value, kind in zip(others, ("a link", "bytes", "an array", "null", "a string"), strict=True):
        assert said({"type": "unknown"}, value) == [f"must be an object, not {kind} @ $.it"]
    assert said({"type": "unknown"}, BLOB) == ["must be an object, not a blob @ $.it"]


@pytest.mark.parametrize(
    ("accept", "good", "bad"),
    [
        (["image/*"], ["image/png", "image/"], ["video/png", "Image/png", "image"]),
        (["*/*"], ["image/png", "a/b"], ["image"]),
        (["image/png", "text/*"], ["image/png", "text/plain"], ["image/gif", "image/png2"]),
        ([], ["anything"], []),
    ],
    ids=repr,
)
def test_a_blob_is_of_a_type_that_is_accepted(accept: list[str], good: list[str], bad: list[str]) -> None:
    schema = {"type": "blob", "accept": accept}
    for mime in good:
        assert said(schema, {**BLOB, "mimeType": mime}) == []
    for mime in bad:
        assert said(schema, {**BLOB, "mimeType": mime}) == [f"must be one of {', '.join(accept)} @ $.it.mimeType"]


def test_a_blob_has_a_size_that_fits() -> None:
    schema = {"type": "blob", "maxSize": 10}
    assert said(schema, {**BLOB, "size": 10}) == []
    assert said(schema, {**BLOB, "size": 11}) == ["must be at most 10 @ $.it.size"]
    assert said(schema, {**BLOB, "size": -1}) == ["must be at least 0 @ $.it.size"]
    assert said({"type": "blob"}, {**BLOB, "size": 2**63 - 1}) == []
    assert said(schema, {**BLOB, "size": True, "$type": "Blob", "ref": str(LINK)}) == [
        "must be blob @ $.it.$type",
        "must be a link, not a string @ $.it.ref",
        "must be an integer, not a boolean @ $.it.size",
    ]


PERSON = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
PLACE = {"type": "object", "properties": {"town": {"type": "string"}}}


def test_a_token_is_its_own_full_name() -> None:
    schema = {"type": "ref", "ref": "#red"}
    assert said(schema, f"{NSID}#red", red={"type": "token"}) == []
    assert said(schema, "#red", red={"type": "token"}) == [f"must be {NSID}#red @ $.it"]
    assert said(schema, 7, red={"type": "token"}) == ["must be a string, not an integer @ $.it"]


@pytest.mark.parametrize("reference", ["#person", f"{NSID}#person"])
def test_a_reference_stands_for_its_definition(reference: str) -> None:
    schema = {"type": "ref", "ref": reference}
    assert said(schema, {"name": "Ada"}, person=PERSON) == []
    assert said(schema, {"name": 7}, person=PERSON) == ["must be a string, not an integer @ $.it.name"]


def test_an_open_union_lets_pass_what_it_does_not_know() -> None:
    schema = {"type": "union", "refs": ["#person", "#place"]}
    defs = {"person": PERSON, "place": PLACE}
    assert said(schema, {"$type": f"{NSID}#person", "name": "Ada"}, **defs) == []
    assert said(schema, {"$type": f"{NSID}#place"}, **defs) == []
    assert said(schema, {"$type": "org.example.other", "name": 7}, **defs) == []
    assert said(schema, {"$type": f"{NSID}#person"}, **defs) == ["is missing @ $.it.name"]
    assert said(schema, {"name": "Ada"}, **defs) == ["is missing @ $.it.$type"]
    assert said(schema, {"$type": 7}, **defs) == ["must be a string, not an integer @ $.it.$type"]
    assert said(schema, "Ada", **defs) == ["must be an object, not a string @ $.it"]


def test_a_closed_union_does_not() -> None:
    schema = {"type": "union", "refs": ["#person", "#place"], "closed": True}
    defs = {"person": PERSON, "place": PLACE}
    assert said(schema, {"$type": f"{NSID}#place"}, **defs) == []
    message = f"must be one of {NSID}#person, {NSID}#place @ $.it.$type"
    assert said(schema, {"$type": "org.example.other"}, **defs) == [message]
    assert said(schema, {"$type": "#place"}, **defs) == [message]


def test_a_union_knows_the_main_definition_by_both_its_names() -> None:
    schema = {"type": "union", "refs": [NSID], "closed": True}
    inner = {"it": {"$type": "org.example.other"}}
    for tag in (NSID, f"{NSID}#main"):
        assert said(schema, {"$type": tag}) == []
        assert said(schema, {"$type": tag, **inner}) == [f"must be one of {NSID} @ $.it.it.$type"]


def test_definitions_may_be_cyclic() -> None:
    tree = {"type": "object", "properties": {"more": {"type": "array", "items": {"type": "ref", "ref": "#tree"}}}}
    schema = {"type": "ref", "ref": "#tree"}
    value: dict[str, Any] = {}
    for _ in range(60):
        value = {"more": [{}, value]}
    assert said(schema, value, tree=tree) == []
    value = {"more": 7}
    for _ in range(60):
        value = {"more": [{}, value, value]}
        value = {"more": [value["more"][1]]}
    assert said(schema, value, tree=tree) == ["must be an array, not an integer @ $.it" + 60 * ".more[0]" + ".more"]


def test_definitions_may_lie_in_other_documents() -> None:
    record = {"type": "object", "properties": {"it": {"type": "ref", "ref": "org.example.shared#person"}}}
    first = {"lexicon": 1, "id": NSID, "defs": {"main": {"type": "record", "key": "any", "record": record}}}
    second = {"lexicon": 1, "id": "org.example.shared", "defs": {"person": PERSON, "main": PLACE}}
    for documents in ([first, second], [second, first]):
        faults = compile_lexicons(documents).faults(NSID, {"$type": NSID, "it": {"name": None}})
        assert [str(fault) for fault in faults] == ["must be a string, not null @ $.it.name"]


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("any", ["a", "self", "3jzfcijpj2z2a"], ["", ".", "a/b"]),
        ("tid", ["3jzfcijpj2z2a"], ["self", "3JZFCIJPJ2Z2A"]),
        ("nsid", ["a.b.c"], ["self", "3jzfcijpj2z2a"]),
        ("literal:self", ["self"], ["Self", "literal:self", ""]),
    ],
)
def test_a_record_key_is_of_the_kind_the_record_asks_for(key: str, good: list[str], bad: list[str]) -> None:
    made = catalog({"type": "null"}, key)
    for rkey in good:
        assert made.faults(NSID, {"$type": NSID}, rkey) == ()
    for rkey in bad:
        assert [str(f) for f in made.faults(NSID, {"$type": NSID}, rkey)] == [f"the record key must be {key} @ $"]
    assert [f.path for f in made.faults(NSID, {}, bad[0])] == ["$", "$.$type"]


def test_a_record_names_its_own_type() -> None:
    made = catalog({"type": "null"})
    assert [str(f) for f in made.faults(NSID, {})] == ["is missing @ $.$type"]
    assert [str(f) for f in made.faults(NSID, {"$type": "a.b.c"})] == [f"must be {NSID} @ $.$type"]
    assert [str(f) for f in made.faults(NSID, None)] == ["must be an object, not null @ $"]


def test_a_record_that_is_in_no_catalog_is_the_callers_mistake() -> None:
    with pytest.raises(KeyError, match=r"a\.b\.c"):
        catalog({"type": "null"}).faults("a.b.c", {})


def test_many_faults_are_told_in_one_walk() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    faults = said(schema, 100_000 * [""])
    assert len(faults) == 100_000
    assert faults[-1] == "must be an integer, not a string @ $.it[99999]"
