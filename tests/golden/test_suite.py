"""The suite guards itself: every file is what it says it is, every rule is pinned, and what is generated is in step."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from golden.runner.judging import question
from golden.runner.suite import Case, identity, load, manifest
from tests.golden.schema import Schema
from tools import golden_coverage

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "golden"
CASES = load(GOLDEN)
SCENARIOS = [case for case in CASES if case.kind == "scenarios"]
SCHEMAS = {"canonical": "canonical", "lines": "line", "records": "record", "scenarios": "scenario"}


def read(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


RULES: dict[str, list[str]] = read("rules.json")
PINS: dict[str, list[str] | str] = read("pins.json")
SENTENCES = [f"{rule}.{number}" for rule, texts in RULES.items() for number in range(1, len(texts) + 1)]


# Files


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_case_keeps_to_its_schema(kind: str) -> None:
    schema = Schema(read(f"schemas/{SCHEMAS[kind]}.schema.json"))
    cases = [case for case in CASES if case.kind == kind]
    assert cases
    assert {case.id: faults for case in cases if (faults := schema.faults(case.document))} == {}


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (["id"], 7, "$.id is no string"),
        (["expect", 0, "indx"], {}, "$.expect[0].indx is unknown"),
        (["expect", 0, "index", "spaces", 0, "nmae"], "", "$.expect[0].index.spaces[0].nmae is unknown"),
        (["description"], "it should be so", "$.description is what it must not be"),
        (["rules"], ["T9"], "$.rules[0] does not match"),
        (["records", 0], {"uri": "at://x"}, "$.records[0] is not exactly one of"),
        (["expect", 0, "live"], {}, "$.expect[0].at is missing beside live"),
    ],
)
def test_the_schema_notices(path: list[str | int], value: Any, fault: str) -> None:
    document = read("scenarios/smoke/a-goal-gets-its-plan.json")
    at: Any = document
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    faults = Schema(read("schemas/scenario.schema.json")).faults(document)
    assert [one for one in faults if one.startswith(fault)], faults


def test_a_scenario_is_named_after_its_path() -> None:
    assert {case.id: case.document["id"] for case in SCENARIOS if case.id != case.document["id"]} == {}


def test_no_description_stands_twice() -> None:
    told = Counter((case.kind, case.document["description"]) for case in CASES)
    assert [description for description, times in told.items() if times > 1] == []


def test_there_are_enough_scenarios_and_a_smoke() -> None:
    assert len(SCENARIOS) >= 200
    assert sum(case.folder == "smoke" for case in SCENARIOS) >= 3


def test_records_are_valid_where_they_say_so() -> None:
    records = [case for case in CASES if case.kind == "records"]
    assert {("fault" in case.document) == case.id.startswith("records/invalid/") for case in records} == {True}
    lines = [case for case in CASES if case.kind == "lines"]
    assert {case.document["malformed"] == case.id.startswith("lines/malformed/") for case in lines} == {True}


def test_every_cid_and_every_byte_string_is_true() -> None:
    command = [sys.executable, "golden/drivers/cid.py", "--check", "golden"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_question_is_known_to_the_runner() -> None:
    for case in SCENARIOS:
        for expectation in case.document["expect"]:
            assert question(expectation).keys() - {"at", "sightings"} <= {"index", *expectation}


# Rules


def cited(case: Case) -> list[str]:
    found: list[str] = case.document["rules"]
    return found


def test_every_cited_rule_exists() -> None:
    known = {*RULES, *SENTENCES}
    assert {case.id: strange for case in SCENARIOS if (strange := {*cited(case)} - known)} == {}


def test_every_rule_is_cited_by_a_scenario() -> None:
    pinned = {rule.split(".")[0] for case in SCENARIOS for rule in cited(case)}
    assert RULES.keys() - pinned == {"S0", "J1"}  # the fold as a whole and its JSON: every scenario is about them


def test_the_list_of_rules_is_that_of_the_reference() -> None:
    page = (ROOT / "docs/reference/protocol.md").read_text(encoding="utf-8")
    assert [*re.findall(r"^\| ([A-Z]\d+) \|", page, re.MULTILINE)] == [
        rule for rule in RULES if rule not in {"S0", "J1"}
    ]


def test_a_sentence_is_said_once_and_shortly() -> None:
    texts = [text for texts in RULES.values() for text in texts]
    assert {text for text in texts if not (10 <= len(text) <= 140 and text.endswith("."))} == set()
    for rule, said in RULES.items():
        assert len({*said}) == len(said), rule


def test_pins_name_what_is_there() -> None:
    names = {case.id for case in CASES}
    assert list(PINS) == SENTENCES
    assert {key: strange for key, pins in PINS.items() if isinstance(pins, list) and (strange := {*pins} - names)} == {}
    assert {key for key, pins in PINS.items() if len({*pins}) != len(pins) and isinstance(pins, list)} == set()


def test_every_sentence_is_pinned() -> None:
    holes = {row.name: row.text for rows in golden_coverage.sentences().values() for row in rows if row.is_hole}
    assert holes == {}


# What is generated


def test_the_table_of_coverage_is_in_step() -> None:
    message = "run tools/golden_coverage.py"
    assert golden_coverage.PAGE.read_text(encoding="utf-8") == golden_coverage.page(), message


def test_the_manifest_is_in_step() -> None:
    assert (GOLDEN / "MANIFEST").read_text(encoding="utf-8") == manifest(GOLDEN), "run tools/golden_manifest.py"
    assert identity(GOLDEN)[1]
