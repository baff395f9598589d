"""A record in a few words, kind by kind; what is anybody's text is cut."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core import Record, materialize
from radial_core.query.notes import LONGEST_TITLE, note
from tests.core.small_world import (
    ADD_ANN,
    ADD_EVE,
    ANN,
    AUDIT,
    BLOB,
    BOT,
    CHECKRUN,
    CLAIM,
    CLOSE,
    EDIT,
    EVE,
    GOAL,
    GUESTS,
    IMAGE,
    JOIN,
    MERGE,
    PLAN,
    PROFILE,
    PROJECT,
    QUESTION,
    REMOVE_EVE,
    REQUEST,
    RETRACTION,
    REVIEW,
    SPACE,
    SWITCH,
    TYPE,
    UNPARK,
    UNSHELVE,
    WITHDRAWAL,
    WORLD,
    ref,
    write,
)


def noted(record: Record, *more: Record) -> tuple[str | None, str | None, str]:
    index = materialize([*WORLD, record, *more])
    entry = index.entry(record.uri)
    assert entry is not None
    found = note(entry, index.place_of(record.uri))
    assert (found.uri, found.author, found.created_at) == (
        record.uri,
        record.uri.split("/")[2],
        record.value["createdAt"],
    )
    return found.title, found.says, found.standing


@pytest.mark.parametrize(
    ("record", "title", "says"),
    [
        (SPACE, "Lab", None),
        (ADD_EVE, EVE, "member"),
        (ADD_ANN, ANN, "admin"),
        (REMOVE_EVE, EVE, "removed"),
        (JOIN, None, None),
        (PROJECT, "Site", None),
        (EDIT, "New site", None),
        (write(ANN, "editProject", 60, project=ref(PROJECT), gitUrl="https://x.example"), None, None),
        (SWITCH, "plan", "off"),
        (UNSHELVE, None, "taken up"),
        (write(ANN, "archiveProject", 60, project=ref(PROJECT), archived=True), None, "archived"),
        (GOAL, "Ship", None),
        (CLOSE, None, "completed"),
        (write(ANN, "closeGoal", 60, goal=ref(GOAL), closed=True), None, "ended"),
        (write(ANN, "closeGoal", 60, goal=ref(GOAL), closed=False), None, "reopened"),
        (UNPARK, None, "reopened"),
        (write(ANN, "archiveGoal", 60, goal=ref(GOAL), archived=True), None, "parked"),
        (TYPE, "audit", None),
        (REQUEST, "plan", None),
        (RETRACTION, None, "retracted"),
        (CLAIM, None, None),
        (PLAN, "T", "plan"),
        (AUDIT, None, "audit"),
        (REVIEW, None, "approve"),
        (QUESTION, None, None),
        (write(BOT, "message", 60, goal=ref(GOAL), body="", declines=True), None, "declines"),
        (PROFILE, "coder", None),
        (IMAGE, None, None),
        (write(ANN, "image", 60, blob=BLOB, name="x.png"), "x.png", None),
        (write(ANN, "image", 60, blob=BLOB, alt="A gauge", name="x.png"), "A gauge", None),
        (GUESTS, None, "on"),
        (write(ANN, "setGuestComments", 60, space=ref(SPACE), enabled=False), None, "off"),
        (WITHDRAWAL, None, "retracted"),
    ],
)
def test_what_a_record_says_is_claimed(record: Any, title: str | None, says: str | None) -> None:
    assert noted(record) == (title, says, "claimed")


@pytest.mark.parametrize(
    ("results", "says"),
    [([True], "passed"), ([True, False], "failed"), ([], "failed")],
)
def test_checks_and_merges_are_observed(results: list[bool], says: str) -> None:
    """X4: no results, no pass."""
    run = write(
        BOT, "checkrun", 60, artifact=ref(PLAN), commit="c0", results=[{"name": "t", "pass": one} for one in results]
    )
    assert noted(run) == ("c0", says, "observed")
    assert noted(CHECKRUN) == ("c0ffee", "passed", "observed")
    assert noted(MERGE) == ("https://git.example/site/1", "merged", "observed")


def test_a_long_title_and_a_long_word_are_cut() -> None:
    wanted = write(ANN, "artifactRequest", 60, goal=ref(GOAL), type="x" * 300)
    work = write(BOT, "artifact", 61, goal=ref(GOAL), request=ref(wanted), type="x" * 300, title="y" * 300, body="")
    cut = "x" * LONGEST_TITLE + "…"
    assert noted(wanted)[0] == cut
    assert noted(work, wanted) == ("y" * LONGEST_TITLE + "…", cut, "claimed")
    just = write(ANN, "goal", 62, space=ref(SPACE), project=ref(PROJECT), title="z" * LONGEST_TITLE, body="")
    assert noted(just)[0] == "z" * LONGEST_TITLE
