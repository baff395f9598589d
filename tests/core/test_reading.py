"""Reading agrees with the lexicons: a value is read exactly when no fault is found in it (L1)."""

from __future__ import annotations

import copy
import random
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import parse_instant
from radial_core.canonical import MAX_BYTES, MAX_DEPTH, measure
from radial_core.embedded import DOCUMENTS
from radial_core.jsonform import JsonError, from_json
from radial_core.reading import PLAIN_LIST, PLAIN_TEXT, Read, read_plain, read_sound
from radial_core.records import CLASSES, PREFIX, wire_name
from radial_core.structure import structural_faults
from tests.core.lexicon_cases import FAULTY, SOUND, Case
from tests.histories import FIELDS, HistoryMaker


def read_record(nsid: str, value: Any) -> Read | None:
    """Read a value in which no fault is found."""
    return None if structural_faults(nsid, value) else read_sound(nsid, value)


SCHEMAS = {document["id"]: document["defs"]["main"] for document in DOCUMENTS}


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_sound_values_are_read(case: Case) -> None:
    read = read_record(case.nsid, from_json(case.value))
    assert read is not None
    assert read.record.kind == case.record
    assert read.created_at == parse_instant(case.value["createdAt"])


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_faulty_values_are_not_read(case: Case) -> None:
    assert read_plain(case.nsid, from_json(case.value)) is None


@pytest.mark.parametrize("value", [None, 7, "text", [], [{}], b"", True], ids=repr)
def test_what_is_no_object_is_not_read(value: Any) -> None:
    assert read_plain(PREFIX + "space", value) is None


@pytest.mark.parametrize("owner", CLASSES, ids=lambda owner: owner.kind)
def test_classes_and_lexicons_name_the_same_fields(owner: type[Any]) -> None:
    schema = SCHEMAS[PREFIX + owner.kind]["record"]
    named = {wire_name(owner, field.name): field.default is attrs.NOTHING for field in attrs.fields(owner)}
    assert named.keys() | {"createdAt"} == schema["properties"].keys()
    assert {name for name, needed in named.items() if needed} | {"createdAt"} == set(schema["required"])


def test_every_field_of_a_full_record_is_read() -> None:
    for case in SOUND:
        read = read_record(case.nsid, from_json(case.value))
        assert read is not None
        for field in attrs.fields(type(read.record)):
            told = wire_name(type(read.record), field.name) in case.value
            assert (getattr(read.record, field.name) is not None) is told


# Plain values: read without being measured ---------------------------------------------------------------------------


def agrees(kind: str, value: Any) -> bool:
    """Check that a value which is read as a plain one is what both other readers say; tell whether it was."""
    plain = read_plain(PREFIX + kind, value)
    if plain is None:
        return False
    assert measure(value) is None
    assert structural_faults(PREFIX + kind, value) == ()
    read = read_record(PREFIX + kind, value)
    assert read is not None
    assert (plain.created_at, type(plain.record)) == (read.created_at, type(read.record))
    for field in attrs.fields(type(read.record)):
        assert getattr(plain.record, field.name) == getattr(read.record, field.name)
    return True


@given(st.randoms(use_true_random=False), st.sampled_from(sorted(FIELDS)))
def test_what_is_read_as_plain_is_read_so_by_all(rng: random.Random, kind: str) -> None:
    maker = HistoryMaker(rng.choice)
    maker.history(5)
    try:
        agrees(kind, from_json(_spoilt(rng, maker.record(kind))))
    except JsonError:
        return


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_sound_values_are_plain_unless_they_hold_anything(case: Case) -> None:
    value = from_json(case.value)
    known = SCHEMAS[case.nsid]["record"]["properties"].keys() | {"$type"}
    if agrees(case.record, value):
        assert value.keys() <= known


def test_most_kinds_have_a_plain_reader() -> None:
    assert {case.record for case in SOUND if agrees(case.record, from_json(case.value))} >= set(FIELDS) - {"image"}


GOAL = {
    "$type": PREFIX + "goal",
    "space": {"uri": f"at://did:plc:a/{PREFIX}space/s", "cid": "bafyreia" + "a" * 51},
    "project": {"uri": f"at://did:plc:a/{PREFIX}project/p", "cid": "bafyreia" + "a" * 51},
    "title": "T",
    "body": "B",
    "createdAt": "2026-01-01T00:00:00Z",
}


@pytest.mark.parametrize(
    ("change", "is_plain"),
    [
        ({}, True),
        ({"body": "Ü😀"}, True),
        ({"body": "b" * PLAIN_TEXT}, True),
        ({"body": "b" * (PLAIN_TEXT + 1)}, False),
        ({"body": "\ud800"}, False),
        ({"unknown": 1}, False),
        ({"unknown": 1.5}, False),
        ({"space": GOAL["space"] | {"more": "x"}}, False),  # type: ignore[operator]
        ({"space": GOAL["project"]}, False),
        ({"space": {"uri": f"at://did:plc:{'a' * 300}/{PREFIX}space/s", "cid": "bafyreia" + "a" * 51}}, False),
        ({"createdAt": "2026-01-01T00:00:00." + "0" * PLAIN_TEXT + "Z"}, False),
        ({"closed": 1}, False),
        ({"space": None}, False),
        ({"space": {"uri": 7, "cid": "bafyreia" + "a" * 51}}, False),
        ({"space": GOAL["space"] | {"cid": "?"}}, False),  # type: ignore[operator]
    ],
)
def test_what_is_plain(change: dict[str, Any], *, is_plain: bool) -> None:
    assert agrees("goal", GOAL | change) is is_plain


def test_long_lists_are_not_plain() -> None:
    finding = {"severity": "low", "body": "b"}
    review = {
        "$type": PREFIX + "review",
        "subject": {"uri": f"at://did:plc:a/{PREFIX}artifact/a", "cid": "bafyreia" + "a" * 51},
        "verdict": "approve",
        "createdAt": "2026-01-01T00:00:00Z",
    }
    request = {
        "$type": PREFIX + "artifactRequest",
        "goal": {"uri": f"at://did:plc:a/{PREFIX}goal/g", "cid": "bafyreia" + "a" * 51},
        "type": "plan",
        "createdAt": "2026-01-01T00:00:00Z",
    }
    plain = {"uri": "at://did:plc:a", "cid": "bafyreia" + "a" * 51}
    assert agrees("artifactRequest", request | {"basedOn": [plain] * PLAIN_LIST})
    for other in (None, {}, plain | {"uri": 7}, plain | {"uri": "x"}, plain | {"cid": "?"}, plain | {"more": ""}):
        assert not agrees("artifactRequest", request | {"basedOn": [plain, other]})
    assert agrees("review", review | {"findings": [finding] * PLAIN_LIST})
    assert not agrees("review", review | {"findings": [finding] * (PLAIN_LIST + 1)})
    assert not agrees("review", review | {"findings": [finding | {"line": 2**63}]})
    assert not agrees("review", review | {"findings": [finding | {"more": []}]})


@pytest.mark.parametrize("nsid", sorted(nsid for nsid, schema in SCHEMAS.items() if schema["type"] == "record"))
def test_no_plain_value_comes_near_a_bound(nsid: str) -> None:
    """L6, with all texts and lists as long as plain ones may be: nine bytes a head, four a character."""
    document = next(document for document in DOCUMENTS if document["id"] == nsid)

    def most(schema: Any) -> tuple[int, int]:
        """Give the most bytes and levels; none for a blob and for what may hold anything, which are never plain."""
        parts = schema.get("properties", {})
        if schema["type"] == "ref" and schema["ref"].startswith("#"):
            return most(document["defs"][schema["ref"][1:]])
        if schema["type"] == "array":
            size, depth = most(schema["items"])
            return 9 + PLAIN_LIST * size, depth + 1
        if schema["type"] == "object":
            inner = [most(part) for part in parts.values()]
            return sum(9 + len(name) for name in parts) + sum(s for s, _ in inner), 1 + max(d for _, d in inner)
        leaves = {
            "string": (9 + 4 * PLAIN_TEXT, 0),
            "ref": (45 + 8 * PLAIN_TEXT, 1),
            "boolean": (9, 0),
            "integer": (9, 0),
        }
        return leaves.get(schema["type"], (0, 0))

    size, depth = most(document["defs"]["main"]["record"])
    assert size < MAX_BYTES
    assert depth < MAX_DEPTH


def _spoilt(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    """Change up to three things, anywhere in the value."""
    value = copy.deepcopy(value)
    for _ in range(rng.randrange(4)):
        holder: Any = value
        while True:
            steps = list(holder) if isinstance(holder, dict) else range(len(holder))
            if not steps:
                break
            step = rng.choice(steps)
            if isinstance(holder[step], dict | list) and rng.random() < 0.7:
                holder = holder[step]
                continue
            holder[step] = rng.choice((None, "", "x", 0, True, [], {}, "at://did:plc:a/b.c.d/e", b"".hex(), 10**9))
            break
    return value
