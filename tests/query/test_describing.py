"""The description: a constant, and true of the questions that there are (RK-13.1)."""

from __future__ import annotations

import json
from pathlib import Path

from radial_core.query.answers import HIGHEST_LIMIT, QUESTIONS, SURFACE, USUAL_LIMIT
from radial_core.query.describing import describe


def test_it_names_the_surface_the_kinds_and_the_questions(root: Path) -> None:
    found = describe()
    assert found["surface"] == SURFACE
    assert [question["ask"] for question in found["questions"]] == [*QUESTIONS]
    lexicons = {file.stem for file in root.glob("lexicons/com/disnetdev/radial/*.json")}
    assert {kind["kind"] for kind in found["kinds"]} == lexicons
    assert found["limits"] == {"usual": USUAL_LIMIT, "highest": HIGHEST_LIMIT}
    assert json.loads(json.dumps(found)) == found


def test_it_explains_the_keys_of_an_answer_that_need_it() -> None:
    found = describe()
    keys = {*found["schema"]["properties"], *found["schema"]["$defs"]["note"]["properties"]}
    assert found["answers"].keys() <= keys


def test_a_caller_may_change_what_it_was_given() -> None:
    describe()["answers"].clear()
    assert describe()["answers"]
