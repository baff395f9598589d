"""Lexicon documents that are no use: each fault with the document's name and the place, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from radial_core.lexicon import LexiconError, compile_lexicons

NSID = "org.example.thing"


def document(**definitions: Any) -> dict[str, Any]:
    return {"lexicon": 1, "id": NSID, "defs": definitions}


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "record", "key": "any", "record": {"type": "object", "properties": properties}}


def faults(*documents: Any) -> list[str]:
    with pytest.raises(LexiconError) as raised:
        compile_lexicons(documents)
    assert str(raised.value) == "; ".join(raised.value.faults)
    return list(raised.value.faults)


ONE_OF_FIELDS = "array, blob, boolean, bytes, cid-link, integer, null, object, ref, string, union, unknown"
ONE_OF_NAMED = "array, blob, boolean, bytes, cid-link, integer, null, object, string, token"
NATURAL = "must be at least 0"


def test_what_is_no_document_at_all() -> None:
    assert faults([]) == ["document 0: must be an object, not an array @ $"]
    assert faults({}) == [
        "document 0: is missing @ $.lexicon",
        "document 0: is missing @ $.id",
        "document 0: is missing @ $.defs",
    ]
    assert faults(document(), {"lexicon": True, "id": "a", "defs": [], "description": 7}) == [
        "document 1: must be an integer, not a boolean @ $.lexicon",
        "document 1: must be an NSID @ $.id",
        "document 1: must be a string, not an integer @ $.description",
        "document 1: must be an object, not an array @ $.defs",
    ]
    assert faults({**document(), "lexicon": 2}) == [f"{NSID}: must be 1 @ $.lexicon"]


def test_what_is_no_data_is_no_document() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"items": deep}
    assert faults({**document(), "x": deep})[0].startswith(f"{NSID}: nested deeper than 64 levels @ $.x.items")
    assert faults({**document(), "x": 1.5})[0].endswith("@ $.x")


def test_every_document_is_judged_before_any_is_refused() -> None:
    other = {"lexicon": 1, "id": "org.example.other", "defs": {"main": {"type": "token", "description": 7}}}
    assert faults(document(x={}), document(), other) == [
        f"{NSID}: is missing @ $.defs.x.type",
        "org.example.other: must be a string, not an integer @ $.defs.main.description",
    ]


@pytest.mark.parametrize(
    ("definitions", "expected"),
    [
        ({"main": 7}, ["must be an object, not an integer @ main"]),
        ({"a-b": {"type": "token"}}, ["must be named with letters and digits @ a-b"]),
        ({"a": {"type": "params"}}, [f"must be one of {ONE_OF_NAMED} @ a.type"]),
        ({"a": {"type": "union", "refs": []}}, [f"must be one of {ONE_OF_NAMED} @ a.type"]),
        ({"a": {"type": 7}}, ["must be a string, not an integer @ a.type"]),
        ({"main": {"type": "record"}}, ["is missing @ main.key", "is missing @ main.record"]),
        (
            {"main": {**record(), "key": "self"}},
            ["must be any, nsid, tid or literal: and a record key @ main.key"],
        ),
        (
            {"main": {**record(), "key": "literal:.."}},
            ["must be any, nsid, tid or literal: and a record key @ main.key"],
        ),
        (
            {"main": {"type": "record", "key": "any", "record": {"type": "array"}}},
            ["must be one of object @ main.record.type"],
        ),
        ({"a": {"type": "object"}}, ["is missing @ a.properties"]),
        ({"a": {"type": "array"}}, ["is missing @ a.items"]),
        ({"a": {"type": "array", "items": {"type": "token"}}}, [f"must be one of {ONE_OF_FIELDS} @ a.items.type"]),
        ({"a": {"type": "array", "items": {"type": "null"}, "minLength": -1}}, [f"{NATURAL} @ a.minLength"]),
        (
            {"a": {"type": "array", "items": {"type": "null"}, "minLength": 2, "maxLength": 1}},
            ["must be at most maxLength @ a.minLength"],
        ),
        (
            {"a": {"type": "string", "minGraphemes": 2, "maxGraphemes": 1}},
            ["must be at most maxGraphemes @ a.minGraphemes"],
        ),
        ({"a": {"type": "integer", "minimum": 2, "maximum": 1}}, ["must be at most maximum @ a.minimum"]),
        ({"a": {"type": "integer", "minimum": "2", "maximum": 1}}, ["must be an integer, not a string @ a.minimum"]),
        ({"a": {"type": "string", "format": "email"}}, ["must be a format of lexicon strings @ a.format"]),
        (
            {"a": {"type": "string", "enum": ["a", 7], "const": 7}},
            ["must be a string, not an integer @ a.enum[1]", "must be a string, not an integer @ a.const"],
        ),
        ({"a": {"type": "string", "knownValues": "a"}}, ["must be an array, not a string @ a.knownValues"]),
        (
            {"a": {"type": "boolean", "const": 1, "default": "no"}},
            ["must be a boolean, not an integer @ a.const", "must be a boolean, not a string @ a.default"],
        ),
        (
            {"a": {"type": "blob", "accept": "image/png", "maxSize": -1}},
            ["must be an array, not a string @ a.accept", f"{NATURAL} @ a.maxSize"],
        ),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b", "c"], "nullable": ["d"]}},
            ["must be one of the properties @ a.required[1]", "must be one of the properties @ a.nullable[0]"],
        ),
        ({"a": {"type": "object", "properties": []}}, ["must be an object, not an array @ a.properties"]),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "ref"}, "c": 7}}},
            ["is missing @ a.properties.b.ref", "must be an object, not an integer @ a.properties.c"],
        ),
        (
            {"a": {"type": "object", "properties": {"b": {"type": "union", "refs": [7], "closed": "yes"}}}},
            [
                "must be a string, not an integer @ a.properties.b.refs[0]",
                "must be a boolean, not a string @ a.properties.b.closed",
            ],
        ),
        (
            {"main": {"type": "query", "parameters": {"type": "object"}}},
            ["must be one of params @ main.parameters.type"],
        ),
        (
            {"main": {"type": "query", "parameters": {"type": "params", "properties": {"a": {"type": "object"}}}}},
            ["must be one of array, boolean, integer, string, unknown @ main.parameters.properties.a.type"],
        ),
        (
            {
                "main": {
                    "type": "query",
                    "parameters": {
                        "type": "params",
                        "properties": {"a": {"type": "array", "items": {"type": "array"}}},
                    },
                }
            },
            ["must be one of boolean, integer, string, unknown @ main.parameters.properties.a.items.type"],
        ),
        (
            {"main": {"type": "query", "parameters": {"type": "params", "properties": {}, "required": ["a"]}}},
            ["must be one of the properties @ main.parameters.required[0]"],
        ),
        (
            {"main": {"type": "query", "output": {"schema": {"type": "object", "properties": {}}}}},
            ["is missing @ main.output.encoding"],
        ),
        (
            {"main": {"type": "procedure", "input": {"encoding": "a/b", "schema": {"type": "string"}}}},
            ["must be one of object, ref, union @ main.input.schema.type"],
        ),
        ({"main": {"type": "procedure", "errors": [{}]}}, ["is missing @ main.errors[0].name"]),
        ({"main": {"type": "subscription", "message": {}}}, ["is missing @ main.message.schema"]),
        ({"main": {"type": "permission-set"}}, ["is missing @ main.permissions"]),
        (
            {"main": {"type": "permission-set", "permissions": [{"type": "permission"}, {}]}},
            ["is missing @ main.permissions[0].resource", "is missing @ main.permissions[1].type"],
        ),
    ],
    ids=repr,
)
def test_each_fault_of_a_document_has_its_place(definitions: Mapping[str, Any], expected: list[str]) -> None:
    assert faults(document(**definitions)) == [f"{NSID}: {fault.replace('@ ', '@ $.defs.')}" for fault in expected]


def test_a_name_does_not_begin_with_a_digit() -> None:
    assert faults(document(**{"1a": {"type": "token"}})) == [
        f"{NSID}: must be named with letters and digits @ $.defs['1a']"
    ]


@pytest.mark.parametrize("reference", ["", "#", "a", "a.b", "a.b.c#", "a.b.c#d-e", "#a#b", "a.b.c d"])
def test_a_reference_is_a_name_or_an_nsid_or_both(reference: str) -> None:
    schema = {"type": "ref", "ref": reference}
    message = f"{NSID}: must be #name, an NSID or an NSID#name @ $.defs.main.record.properties.it.ref"
    assert faults(document(main=record(it=schema))) == [message]


def test_references_that_lead_nowhere_are_all_found() -> None:
    place = "$.defs.main.record.properties"
    nested = {"type": "object", "properties": {"deep": {"type": "array", "items": {"type": "ref", "ref": "a.b.c"}}}}
    union = {"type": "union", "refs": ["#inner", "a.b.c#d"]}
    inner = {"type": "object", "properties": {"gone": {"type": "ref", "ref": "#gone"}}}
    definitions = {"main": record(x={"type": "ref", "ref": "#gone"}, y=nested, z=union), "inner": inner}
    assert faults(document(**definitions)) == [
        f"{NSID}: leads nowhere: {NSID}#gone @ {place}.x.ref",
        f"{NSID}: leads nowhere: a.b.c#main @ {place}.y.properties.deep.items.ref",
        f"{NSID}: leads nowhere: {NSID}#gone @ $.defs.inner.properties.gone.ref",
        f"{NSID}: leads nowhere: a.b.c#d @ {place}.z.refs[1]",
    ]


def test_references_are_followed_only_from_records() -> None:
    query = {"type": "query", "output": {"encoding": "a/b", "schema": {"type": "ref", "ref": "a.b.c"}}}
    assert compile_lexicons([document(main=query)]).checks == {}


def test_a_union_is_of_objects_and_records() -> None:
    main = record(it={"type": "union", "refs": ["#words", "#red", "#thing", NSID]})
    definitions = {
        "words": {"type": "string"},
        "red": {"type": "token"},
        "thing": {"type": "object", "properties": {}},
    }
    place = "$.defs.main.record.properties.it.refs"
    assert faults(document(main=main, **definitions)) == [
        f"{NSID}: must lead to an object or a record @ {place}[0]",
        f"{NSID}: must lead to an object or a record @ {place}[1]",
    ]


def test_a_name_is_defined_once() -> None:
    assert faults(document(a={"type": "token"}), document(a={"type": "token"})) == [f"{NSID}: is here twice @ $.id"]


def test_attributes_that_are_not_known_pass() -> None:
    main = {**record(it={"type": "string", "shade": "blue"}), "title:lang": {"de": "Ding"}}
    assert list(compile_lexicons([{**document(main=main), "revision": 3}]).checks) == [NSID]
