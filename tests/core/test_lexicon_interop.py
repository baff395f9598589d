"""The interop files of lexicons: every document and every record is judged as they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from radial_core.canonical import measure
from radial_core.jsonform import from_json
from radial_core.lexicon import Catalog, LexiconError, compile_lexicons

NSID = "example.lexicon.record"


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "fixtures" / "atproto-interop" / "lexicon"


@pytest.fixture(scope="module")
def catalog(folder: Path) -> Catalog:
    files = sorted((folder / "catalog").glob("*.json"))
    assert len(files) == 5
    return compile_lexicons(_read(path) for path in files)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_of_the_catalog_only_the_record_is_validated(catalog: Catalog) -> None:
    assert list(catalog.checks) == [NSID]


def test_valid_documents_are_accepted(folder: Path) -> None:
    cases = _read(folder / "lexicon-valid.json")
    assert len(cases) == 3
    for case in cases:
        compile_lexicons([case["lexicon"]])


def test_invalid_documents_are_refused_with_a_path(folder: Path) -> None:
    places = {
        "invalid lexicon field": "$.lexicon",
        "invalid id field": "$.id",
        "invalid NSID": "$.id",
        "defined unknown": "$.defs.demo.type",
        "defined ref": "$.defs.demo.type",
        "non-main primary": "$.defs.demo.type",
        "record missing type object": "$.defs.main.record.type",
    }
    cases = _read(folder / "lexicon-invalid.json")
    assert {case["name"] for case in cases} == set(places)
    for case in cases:
        with pytest.raises(LexiconError) as raised:
            compile_lexicons([case["lexicon"]])
        (fault,) = raised.value.faults
        assert fault.endswith(f" @ {places[case['name']]}"), case["name"]


def test_valid_records_are_accepted(folder: Path, catalog: Catalog) -> None:
    cases = _read(folder / "record-data-valid.json")
    assert len(cases) == 3
    for case in cases:
        value = from_json(case["data"])
        assert measure(value) is None
        assert catalog.faults(NSID, value, case["rkey"]) == (), case["name"]


def test_invalid_records_are_refused(folder: Path, catalog: Catalog) -> None:
    cases = _read(folder / "record-data-invalid.json")
    assert len(cases) == 50
    for case in cases:
        value = from_json(case["data"])
        assert measure(value) is None
        assert catalog.faults(NSID, value, case["rkey"]), case["name"]
