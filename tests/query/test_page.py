"""The reference of questions and answers (docs/reference/query.md) is true: its example, its program, its words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from radial_core import materialize, read_jsonl
from radial_core.jsonviews import to_plain
from radial_core.query.answers import HIGHEST_LIMIT, QUESTIONS, SURFACE, USUAL_LIMIT, Question
from radial_core.query.asking import Reader
from radial_core.query.inbox import KINDS
from radial_core.query.schema import SCHEMA
from radial_core.query.web import REFERENCES


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "reference" / "query.md").read_text(encoding="utf-8")


def block(page: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_example_is_what_is_answered(page: str, root: Path) -> None:
    with (root / "examples" / "space.jsonl").open(encoding="utf-8") as lines:
        reader = Reader(materialize(read_jsonl(lines)))
    about = "at://did:plc:rookfqvxmcalvufrjz2czjkw/com.disnetdev.radial.artifact/plan-quiet-1"
    answer = reader.ask(Question(ask="dependents", about=about, limit=1))
    assert json.loads(block(page, "json")) == json.loads(json.dumps(to_plain(answer)))


def test_the_program_prints_how_much_rests_on_a_plan(page: str, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block(page, "python")], cwd=root, capture_output=True, text=True, check=True
    )
    # By hand: the request for its review and that review; the second plan, its approval and what was built on it: the
    # request, two versions, two check runs, the request for a review with its claim and the review, the merge, the talk
    # about it, and the request for another look at the architecture. What a member who left wrote does not count.
    assert done.stdout == "15\n"


def test_every_question_key_reference_and_limit_is_described(page: str) -> None:
    assert f"This is surface {SURFACE}." in page
    assert re.findall(r"^\| `(\w+)` \| (?:a URI|words) \|", page, re.MULTILINE) == [*QUESTIONS]
    assert f"At most {USUAL_LIMIT} items" in page
    assert f"up to {HIGHEST_LIMIT}" in page
    keys = {*SCHEMA["properties"]}
    for part in ("note", *keys):
        schema = SCHEMA["$defs"].get(part) or SCHEMA["properties"][part]
        schema = schema.get("oneOf", [schema])[0]
        keys |= {*schema.get("properties", {}), *schema.get("items", {}).get("properties", {})}
    fields = {field for names in REFERENCES.values() for field in names}
    assert {key for key in keys | fields if f"`{key}`" not in page} == set()


def test_every_kind_of_the_inbox_is_described(root: Path) -> None:
    page = (root / "docs" / "how-to" / "asking.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*KINDS]
