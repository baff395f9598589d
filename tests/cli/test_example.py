"""The example space is what its story makes it, and holds one of nearly everything."""

from __future__ import annotations

import tomllib
from pathlib import Path

from examples.make_space import observations
from radial_core import materialize, read_jsonl, to_line


def test_the_example_is_made_from_its_story(example: Path) -> None:
    story = tomllib.loads(example.with_name("tidewater.toml").read_text(encoding="utf-8"))
    made = "".join(to_line(observation) + "\n" for observation in observations(story))
    assert made == example.read_text(encoding="utf-8")


def test_the_example_ignores_what_its_story_says(example: Path) -> None:
    index = materialize(read_jsonl(example.read_text(encoding="utf-8").splitlines()))
    assert sorted((row.rule, row.uri.rpartition("/")[2]) for row in index.ignored) == [
        ("C2", "half-a-morning"),
        ("L1", "plan-spring-1"),
        ("P2", "architecture"),
        ("T2", "oskar"),
        ("T5", "not-in-rust"),
        ("T5", "rewrite"),
        ("T5", "rewrite-it"),
        ("V5", "architecture-again"),
    ]
    assert {row.uri.rpartition(".")[2]: row.others[0].reason for row in index.edits if row.kept is not None} == {
        "goal/spring-tides": "edit",
        "agent/builder": "superseded",
        "claim/plan-quiet-rook": "superseded",
    }
