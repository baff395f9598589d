"""Reading agrees with the lexicons: a value is read exactly when no fault is found in it (L1)."""

from __future__ import annotations

import copy
import random
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import parse_instant
from radial_core.canonical import measure
from radial_core.embedded import DOCUMENTS
from radial_core.jsonform import JsonError, from_json
from radial_core.reading import Read, read_record
from radial_core.records import CLASSES, PREFIX, wire_name
from radial_core.structure import structural_faults
from tests.core.lexicon_cases import FAULTY, SOUND, Case
from tests.histories import FIELDS, HistoryMaker

SCHEMAS = {document["id"]: document["defs"]["main"] for document in DOCUMENTS}


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_sound_values_are_read(case: Case) -> None:
    read = read_record(case.nsid, from_json(case.value))
    assert read is not None
    assert read.record.kind == case.record
    assert read.created_at == parse_instant(case.value["createdAt"])


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_faulty_values_are_not_read(case: Case) -> None:
    assert read_record(case.nsid, from_json(case.value)) is None


@pytest.mark.parametrize("value", [None, 7, "text", [], [{}], b"", True], ids=repr)
def test_what_is_no_object_is_not_read(value: Any) -> None:
    assert read_record(PREFIX + "space", value) is None


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


@given(st.randoms(use_true_random=False), st.sampled_from(sorted(FIELDS)))
def test_generated_values_are_read_exactly_when_no_fault_is_found(rng: random.Random, kind: str) -> None:
    maker = HistoryMaker(rng.choice)
    maker.history(5)
    value = _spoilt(rng, maker.record(kind))
    try:
        value = from_json(value)
    except JsonError:
        return
    if measure(value) is None:
        read = read_record(PREFIX + kind, value)
        assert isinstance(read, Read) is (structural_faults(PREFIX + kind, value) == ())


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
