"""The reference of the command line (docs/reference/cli.md) is true: exit statuses, verbs, and every JSON key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from radial_cli.exits import MEANINGS
from radial_cli.pictures.ignored import EDITS, RULES
from radial_core import answers
from tests.cli.conftest import Call
from tests.cli.people import BEN, SPACE
from tests.cli.test_help import VERBS


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


def section(page: str, verb: str) -> str:
    return page.partition(f"### `radial {verb} ")[2].partition("\n#")[0]


def tables(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each table of keys: the path of the object that has them, and their names, `…` for `and more`."""
    for table in re.findall(r"^\| key of `.*(?:\n\|.*)*", text, re.MULTILINE):
        head, _, *rows = table.splitlines()
        path = re.findall(r"`(.*?)`", head)[0]
        yield path, [row.split("|")[1].strip().strip("`") for row in rows]


def objects(value: Any, path: str) -> list[dict[str, Any]]:
    """Give the objects at a path such as `$.faulty[]`."""
    found = [value]
    for step in path.split(".")[1:]:
        found = [each[step.removesuffix("[]")] for each in found]
        if step.endswith("[]"):
            found = [inner for each in found for inner in each]
    return found


CALLS = {
    "show": ["show", "artifact/plan-quiet-2", "EXAMPLE"],
    "explain": ["explain", "review/plan-spring-1", "EXAMPLE"],
    "goals": ["goals", "EXAMPLE"],
    "requests": ["requests", "EXAMPLE"],
    "members": ["members", "EXAMPLE"],
    "inbox": ["inbox", "--as", BEN, "EXAMPLE"],
    "queue": ["queue", "EXAMPLE"],
    "system": ["system", "EXAMPLE"],
    "log": ["log", "EXAMPLE"],
    "provenance": ["provenance", "artifact/plan-quiet-1", "--down", "EXAMPLE"],
    "describe": ["describe"],
    "query": ["query", "impact", "artifact/plan-quiet-1", "EXAMPLE"],
    "digest": ["digest", "--tree", "EXAMPLE"],
    "validate": ["validate", "EXAMPLE"],
    "diff": ["diff", "EXAMPLE", "PART"],
    "sample": ["sample", "--records", "10", "-o", "OUTPUT"],
}


@pytest.mark.parametrize("verb", CALLS)
def test_every_documented_key_is_there_and_no_other(
    verb: str, page: str, radial: Call, example: Path, tmp_path: Path
) -> None:
    part = tmp_path / "part.jsonl"
    part.write_text("".join(example.read_text(encoding="utf-8").splitlines(keepends=True)[:60]), encoding="utf-8")
    files = {"EXAMPLE": example, "PART": part, "OUTPUT": tmp_path / "new.jsonl"}
    done = radial(*(files.get(word, word) for word in CALLS[verb]), "--json")
    assert documented_keys_hold(section(page, verb), json.loads(done.out)) > 0


def documented_keys_hold(text: str, value: Any) -> int:
    """Check every table of a section against a JSON value; gives the number of objects looked at."""
    looked_at = 0
    for path, names in tables(text):
        for each in objects(value, path):
            assert set(names) - {"…"} <= each.keys(), path
            assert "…" in names or each.keys() <= set(names), path
            looked_at += 1
    return looked_at


def test_every_verb_is_documented(page: str) -> None:
    for verb in VERBS:
        assert re.search(rf"^\| `radial {verb}\b", page, re.MULTILINE), verb
        assert section(page, verb), verb


def test_the_exit_statuses_are_those_of_the_help(page: str) -> None:
    table = page.partition("## Exit status")[2]
    found = {int(status): meaning for status, meaning in re.findall(r"^\| (\d+) \| (.*) \|$", table, re.MULTILINE)}
    assert found == MEANINGS


def test_materialize_prints_the_keys_of_the_protocol(radial: Call, example: Path) -> None:
    index = json.loads(radial("materialize", "--json", example).out)
    assert list(index) == ["digest", "spaces", "images", "ignored", "edits"]
    assert [space["uri"] for space in index["spaces"]] == [SPACE]


def test_every_rule_and_every_reason_has_its_words() -> None:
    assert RULES.keys() == answers.REMEDIES.keys()
    assert EDITS.keys() == answers._EDITS.keys()
