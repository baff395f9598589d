"""The 25 lexicons against the protocol's table: sound records pass, and each fault is found where it is, alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from radial_core import embedded
from radial_core.jsonform import from_json
from radial_core.records import COLLECTIONS
from radial_core.structure import CATALOG, structural_faults
from tests.core.lexicon_cases import CID, FAULTY, PREFIX, RECORDS, SOUND, Case, full, least


def _name(case: Case) -> str:
    return ascii(case.name)


def test_the_collections_are_those_of_the_protocol() -> None:
    assert {name.removeprefix(PREFIX) for name in COLLECTIONS} == set(RECORDS)
    assert len(COLLECTIONS) == 25


def test_each_lexicon_names_the_fields_of_the_protocol_and_no_other() -> None:
    documents = {document["id"]: document for document in embedded.DOCUMENTS}
    for record, fields in RECORDS.items():
        main = documents[PREFIX + record]["defs"]["main"]
        assert main["key"] == "any"
        assert set(main["record"]["properties"]) == {field.name for field in fields}, record
        assert set(main["record"]["required"]) == {field.name for field in fields if field.needed}, record
        assert "nullable" not in main["record"], record


@pytest.mark.parametrize("case", SOUND, ids=_name)
def test_a_sound_record_has_no_fault(case: Case) -> None:
    assert structural_faults(case.nsid, from_json(case.value)) == ()


@pytest.mark.parametrize("case", FAULTY, ids=_name)
def test_a_faulty_record_has_its_one_fault_at_its_path(case: Case) -> None:
    faults = structural_faults(case.nsid, from_json(case.value))
    assert tuple(fault.path for fault in faults) == case.paths
    assert [str(fault) for fault in faults] == [f"{fault.message} @ {fault.path}" for fault in faults]


@pytest.mark.parametrize("case", [case for case in FAULTY if case.plain], ids=_name)
def test_the_lexicon_alone_finds_every_plain_fault(case: Case) -> None:
    assert tuple(fault.path for fault in CATALOG.faults(case.nsid, from_json(case.value))) == case.paths


def test_the_old_form_of_a_blob_is_refused() -> None:
    value = {**full("image"), "blob": {"cid": CID, "mimeType": "image/png"}}
    found = [str(fault) for fault in structural_faults(PREFIX + "image", value)]
    assert found == ["is missing @ $.blob.$type", "is missing @ $.blob.ref", "is missing @ $.blob.size"]


@pytest.mark.parametrize("record", RECORDS)
def test_all_faults_are_told_at_once_in_the_order_of_the_lexicon(record: str) -> None:
    needed = [field for field in RECORDS[record] if field.needed]
    empty = {"$type": PREFIX + record}
    by_document = list(
        next(d for d in embedded.DOCUMENTS if d["id"] == PREFIX + record)["defs"]["main"]["record"]["properties"]
    )
    expected = sorted((field.name for field in needed), key=by_document.index)
    found = [fault.path for fault in CATALOG.faults(PREFIX + record, empty)]
    assert found == [f"$.{name}" for name in expected]
    wrong = dict.fromkeys(reversed(full(record)))
    found = [fault.path for fault in CATALOG.faults(PREFIX + record, wrong)]
    assert found == ["$.$type", *(f"$.{name}" for name in by_document if name in wrong)]


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize("value", [None, True, 7, "text", [], b"", [{}]], ids=repr)
def test_a_value_that_is_no_object_is_one_fault(record: str, value: object) -> None:
    assert [fault.path for fault in structural_faults(PREFIX + record, value)] == ["$"]


def test_every_record_key_is_legal_that_atproto_allows() -> None:
    assert CATALOG.faults(PREFIX + "agent", least("agent"), "planner") == ()
    assert [str(f) for f in CATALOG.faults(PREFIX + "agent", least("agent"), "..")] == [
        "the record key must be any @ $"
    ]


def test_the_embedded_documents_are_in_step_with_the_files(root: Path) -> None:
    files = sorted((root / "lexicons").rglob("*.json"))
    read = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    assert sorted(read, key=lambda document: document["id"]) == list(embedded.DOCUMENTS)
    for path, document in zip(files, read, strict=True):
        assert path.relative_to(root / "lexicons").with_suffix("").parts == tuple(document["id"].split("."))


def test_the_tool_would_write_the_module_as_it_is(root: Path) -> None:
    scope: dict[str, object] = {"__name__": "embed_lexicons", "__file__": str(root / "tools" / "embed_lexicons.py")}
    exec((root / "tools" / "embed_lexicons.py").read_text(encoding="utf-8"), scope)  # noqa: S102 - our own script
    assert scope["module"]() == (root / "radial_core" / "embedded.py").read_text(encoding="utf-8")  # type: ignore[operator]


def test_everything_in_a_lexicon_is_described() -> None:
    bare: list[str] = []
    for document in embedded.DOCUMENTS:
        for name, definition in document["defs"].items():
            schema = definition.get("record", definition)
            if not (definition.get("description") or document.get("description")):
                bare.append(f"{document['id']}#{name}")
            properties = schema["properties"].items()
            bare += [f"{document['id']}#{name}.{field}" for field, item in properties if not item.get("description")]
    assert bare == []
