"""RAD-7.22: every open word is explained beside the lexicons, no other is, and nothing branches on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radial_core.embedded import DOCUMENTS
from radial_core.jsonform import from_json
from radial_core.structure import structural_faults
from tests.core.lexicon_cases import PREFIX, full

WHERE = {
    "closeGoal.disposition": ["completed", "dropped", "superseded", "parked"],
    "review.findings[].severity": ["blocking", "major", "minor", "nit"],
    "agent.harness": ["claude-code", "codex", "pi", "command"],
    "agent.models[].costHint": ["low", "medium", "high"],
}


def open_words() -> Iterator[tuple[str, list[str]]]:
    """Find the open vocabularies of all lexicons, by the place where a record holds the word."""
    for document in DOCUMENTS:
        definitions = document["defs"]
        for name, definition in definitions.items():
            for field, schema in definition.get("record", definition)["properties"].items():
                if "knownValues" in schema:
                    yield f"{_place(document, name)}.{field}", schema["knownValues"]


def _place(document: dict[str, Any], name: str) -> str:
    """Say where in its record a definition is used: here always as the items of one list of `main`."""
    record = document["id"].removeprefix(PREFIX)
    if name == "main":
        return str(record)
    properties = document["defs"]["main"]["record"]["properties"].items()
    (field,) = [field for field, schema in properties if schema.get("items", {}).get("ref") == f"#{name}"]
    return f"{record}.{field}[]"


def explained(readme: str) -> dict[str, list[str]]:
    """Read the sections of the README on open vocabularies: place → the words in its list."""
    _, _, section = readme.partition("## Open vocabularies")
    section, _, _ = section.partition("\n## ")
    parts = re.split(r"^### `(.+?)`.*$", section, flags=re.MULTILINE)
    return {
        place: re.findall(r"^- `(.+?)`: \S", text, flags=re.MULTILINE)
        for place, text in zip(parts[1::2], parts[2::2], strict=True)
    }


@pytest.fixture
def readme(root: Path) -> str:
    return (root / "lexicons" / "README.md").read_text(encoding="utf-8")


def test_the_open_words_are_these() -> None:
    assert dict(open_words()) == WHERE


def test_every_open_word_is_explained_and_no_other(readme: str) -> None:
    assert explained(readme) == dict(open_words())


def test_the_promise_is_made(readme: str) -> None:
    assert "nothing branches on them" in readme


@pytest.mark.parametrize("word", ["", "anything else", "COMPLETED", "\u4e16\u754c"], ids=ascii)
def test_any_other_word_is_as_valid(word: str) -> None:
    review, agent = full("review"), full("agent")
    review["findings"][0]["severity"] = word
    agent["models"][0]["costHint"] = word
    for value in ({**full("closeGoal"), "disposition": word}, review, {**agent, "harness": word}):
        assert structural_faults(value["$type"], from_json(value)) == ()


def test_no_code_of_the_fold_knows_an_open_word(root: Path) -> None:
    # Dispatch may: it says what a turn of ours writes, and reads what a harness reports. No record is read there.
    # `completed` and `parked` are what the two legacy endings read as (G2): produced there, compared nowhere.
    words = {word for _, known in open_words() for word in known} - {"completed", "parked", "command", "pi"}
    knowing = [
        (path.name, word)
        for path in (root / "radial_core").rglob("*.py")
        if path.name != "embedded.py" and path.parent.name != "dispatch"
        for word in words
        if re.search(rf"""["']{word}["']""", path.read_text(encoding="utf-8"))
    ]
    # V6: `superseded` is also a reason why a version does not count, which is another thing altogether.
    assert [(name, word) for name, word in knowing if word != "superseded"] == []


def test_every_closed_vocabulary_is_named(readme: str) -> None:
    closed = {
        f"{document['id'].removeprefix(PREFIX)}.{field}"
        for document in DOCUMENTS
        for definition in document["defs"].values()
        for field, schema in definition.get("record", definition)["properties"].items()
        if "enum" in schema
    }
    section = readme.partition("## Closed vocabularies")[2].partition("\n## ")[0]
    assert set(re.findall(r"`([a-zA-Z]+\.[a-zA-Z]+)`", section)) == closed
