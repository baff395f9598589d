"""The packets of the example space, against the story that it is made from: whose words come, in which order.

The lists were written by hand from `examples/tidewater.toml`; the words are compared with the story's own.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Index, materialize, read_jsonl
from radial_core.dispatch.bundle import bundle
from radial_core.records import PREFIX

if TYPE_CHECKING:
    from pathlib import Path

ALWAYS = {
    "project": ["project/tide-tables"],
    "system": ["artifact/architecture-1/body"],
    "criteria": [],
    "findings": [],
    "checks": ["project/tide-tables/checks/0", "project/tide-tables/checks/1"],
    "guests": [],
    "images": [],
}
QUIET_THREAD = ["message/how-long/body", "message/a-quarter-hour/body"]
SPRING_THREAD = [
    "message/which-datum/body", "message/chart-datum/body", "message/clubhouse/body", "message/which-printer/body",
]  # fmt: skip
ANSWERED_CHECKS = [
    "project/tide-tables/checks/0", "checkrun/build-quiet-2/results/0", "checkrun/build-quiet-1/results/0",
    "project/tide-tables/checks/1", "checkrun/build-quiet-2/results/1", "checkrun/build-quiet-1/results/1",
]  # fmt: skip
PLAN_FINDINGS = ["review/plan-quiet-1/findings/0", "review/plan-quiet-1/findings/1"]
PLAN_CRITERIA = ["artifact/plan-quiet-2/criteria/0", "artifact/plan-quiet-2/criteria/1"]
EXPECTED: dict[str, dict[str, list[str]]] = {
    "plan-quiet": {
        "goal": ["goal/quiet-gauge/body"],
        "request": ["built in", "built in", "artifactRequest/plan-quiet"],
        "basis": [],
        "thread": QUIET_THREAD,
    },
    "review-plan-quiet": {
        "goal": ["goal/quiet-gauge/body"],
        "request": ["built in", "built in", "artifactRequest/review-plan-quiet"],
        "basis": ["artifact/plan-quiet-1/body"],
        "criteria": ["artifact/plan-quiet-1/criteria/0", "artifact/plan-quiet-1/criteria/1"],
        "findings": PLAN_FINDINGS,
        "thread": QUIET_THREAD,
    },
    "build-quiet": {
        "goal": ["goal/quiet-gauge/body"],
        "request": ["built in", "built in", "artifactRequest/build-quiet/brief"],
        "basis": ["artifact/plan-quiet-2/body", "artifact/plan-quiet-1/body"],
        "criteria": PLAN_CRITERIA,
        "findings": ["review/plan-quiet-2", *PLAN_FINDINGS],
        "thread": QUIET_THREAD,
    },
    "answer-datum": {
        "goal": ["goal/spring-tides/body"],
        "request": ["built in", "built in", "artifactRequest/answer-datum"],
        "basis": ["message/which-datum/body"],
        "thread": SPRING_THREAD,
        "guests": ["blessComment/gus/body"],
    },
    "build-spring": {
        "goal": ["goal/spring-tides/body"],
        "request": ["built in", "built in", "artifactRequest/build-spring"],
        "basis": ["artifact/plan-spring-1/body", "message/chart-datum/body"],
        "criteria": [f"artifact/plan-spring-1/criteria/{at}" for at in range(3)],
        "thread": SPRING_THREAD,
        "guests": ["blessComment/gus/body"],
    },
    "architecture": {
        "goal": [],
        "request": [
            "artifactType/architecture/brief", "artifactType/architecture/outputSpec",
            "artifactRequest/architecture/brief",
        ],
        "basis": [],
        "thread": [],
    },
    "architecture-again": {
        "goal": ["goal/quiet-gauge/body"],
        "request": [
            "artifactType/architecture/brief", "artifactType/architecture/outputSpec",
            "artifactRequest/architecture-again/brief",
        ],
        "basis": [
            "artifact/architecture-1/body", "artifact/build-quiet-2/body", "artifact/plan-quiet-2/body",
            "artifact/build-quiet-1/body", "artifact/plan-quiet-1/body",
        ],
        "criteria": PLAN_CRITERIA,
        "findings": ["review/build-quiet-2/findings/0", "review/plan-quiet-2", *PLAN_FINDINGS],
        "checks": ANSWERED_CHECKS,
        "thread": [*QUIET_THREAD, "message/merged/body"],
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def index(root: Path) -> Index:
    return materialize(read_jsonl((root / "examples/space.jsonl").read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def story(root: Path) -> dict[str, Any]:
    """Return what was written first at each name: of the space's records none but profiles may change (V1, V2)."""
    told: dict[str, Any] = {}
    for one in tomllib.loads((root / "examples/tidewater.toml").read_text(encoding="utf-8"))["record"]:
        told.setdefault(one["name"], one.get("value"))
    return told


def request(index: Index, key: str) -> str:
    ends = f"/{PREFIX}artifactRequest/{key}"
    spaces = [
        [*(one.records for one in space.projects), *(one.records for one in space.goals)] for space in index.spaces
    ]
    (found,) = [uri for places in spaces for records in places for uri in records if uri.endswith(ends)]
    return found


@pytest.mark.parametrize("key", EXPECTED)
def test_what_each_turn_is_told(key: str, index: Index) -> None:
    packet = bundle(index, request(index, key))
    found = {
        section.name: [
            "built in" if piece.uri is None else piece.uri.partition(PREFIX)[2] + piece.part for piece in section.pieces
        ]
        for section in packet.sections
    }
    assert found == ALWAYS | EXPECTED[key]
    assert not packet.is_partial


@pytest.mark.parametrize("key", EXPECTED)
def test_the_words_are_the_story_s(key: str, index: Index, story: dict[str, Any]) -> None:
    addressed = 0
    for piece in bundle(index, request(index, key)).pieces():
        if piece.uri is None:
            continue
        value = story[piece.uri.partition(PREFIX)[2]]
        for step in piece.part.split("/")[1:]:
            value = value[int(step) if isinstance(value, list) else step]
        words = {"finding": "body", "check": "command", "checkResult": "log"}
        if piece.kind in words:
            value = value.get(words[piece.kind], "")
        if piece.why.startswith("addressed, "):
            addressed += 1
            assert piece.text == ""
        elif piece.part:
            assert piece.text == value
    assert addressed == (2 if key in {"build-quiet", "architecture-again"} else 0)


def test_nobody_who_is_no_member_any_more_is_heard(index: Index) -> None:
    text = bundle(index, request(index, "architecture-again")).to_markdown()
    assert "Rust" not in text
    assert "oskar" not in text
