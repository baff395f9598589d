"""Goals, requests, members: rows for a person, a pipe and a program. The facts are those of the example's story."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, PREFIX, ROOK, SPACE, WREN, line, ref, uri


def rows(text: str) -> list[dict[str, str]]:
    """Read tab-separated fields under a line of names."""
    names, *lines = [each.split("\t") for each in text.splitlines()]
    return [dict(zip(names, fields, strict=True)) for fields in lines]


def keys(found: list[dict[str, str]]) -> list[str]:
    return [row["uri"].partition(PREFIX)[2] for row in found]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], ["goal/spring-tides", "goal/ten-years"]),
        (["--ended"], ["goal/quiet-gauge", "goal/text-messages"]),
        (["--all"], ["goal/quiet-gauge", "goal/spring-tides", "goal/text-messages", "goal/ten-years"]),
        (["--space", SPACE], ["goal/spring-tides", "goal/ten-years"]),
        (["--space", "space/tidewater", "--ended"], ["goal/quiet-gauge", "goal/text-messages"]),
    ],
)
def test_goals_are_chosen(options: list[str], expected: list[str], radial: Call, example: Path) -> None:
    done = radial("goals", *options, example)
    assert (done.status, done.err) == (0, "")
    assert keys(rows(done.out)) == expected
    as_json = json.loads(radial("goals", *options, example, "--json").out)
    assert [goal["uri"].partition(PREFIX)[2] for goal in as_json["goals"]] == expected


def test_a_pipe_gets_every_field_in_full(radial: Call, example: Path) -> None:
    assert rows(radial("goals", "--ended", example).out)[0] == {
        "state": "ended, completed",
        "created": "2026-03-02T09:00:00Z",
        "author": BEN,
        "uri": uri(BEN, "goal/quiet-gauge"),
        "title": "Warn the crew when the gauge goes quiet",
        "space": SPACE,
        "number": "1",
    }
    assert rows(radial("members", example).out)[1] == {
        "did": BEN,
        "kind": "human",
        "role": "admin",
        "joined": "yes",
        "since": "2026-03-03T08:05:00Z",
        "granted by": ADA,
        "space": SPACE,
    }


def test_goals_of_archived_projects_leave_the_list(radial: Call, example: Path) -> None:
    archive = line(ADA, "archiveProject/a", project=ref(ADA, "project/tide-tables"), archived=True)
    stdin = example.read_bytes() + archive.encode()
    done = radial("goals", "-", stdin=stdin)
    assert rows(done.out) == []
    assert "there are no such goals" in done.err
    assert len(rows(radial("goals", "--all", "-", stdin=stdin).out)) == 4


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            ["--open"],
            [
                ("open", "architecture", "", "artifactRequest/architecture-again"),
                ("awaiting input", "implementation", ROOK, "artifactRequest/build-spring"),
                ("open", "plan", "", "artifactRequest/plan-ten-years"),
            ],
        ),
        (
            ["--dispatchable"],
            [
                ("open", "architecture", "", "artifactRequest/architecture-again"),
                ("awaiting input", "implementation", ROOK, "artifactRequest/build-spring"),
                ("open", "plan", "", "artifactRequest/plan-ten-years"),
            ],
        ),
    ],
)
def test_requests_are_chosen(options: list[str], expected: list[tuple[str, ...]], radial: Call, example: Path) -> None:
    found = rows(radial("requests", *options, example).out)
    told = [(row["state"], row["type"], row["for"], key) for row, key in zip(found, keys(found), strict=True)]
    assert told == expected


def test_an_open_request_on_an_ended_goal_is_not_dispatchable(radial: Call, example: Path) -> None:
    late = line(BEN, "artifactRequest/late", goal=ref(BEN, "goal/quiet-gauge"), type="plan")
    stdin = example.read_bytes() + late.encode()
    opened = rows(radial("requests", "--open", "-", stdin=stdin).out)
    states = dict(zip(keys(opened), (row["state"] for row in opened), strict=True))
    assert states["artifactRequest/late"] == "open, on hold"
    assert "artifactRequest/late" not in keys(rows(radial("requests", "--dispatchable", "-", stdin=stdin).out))


def test_all_requests_come_place_by_place(radial: Call, example: Path) -> None:
    found = rows(radial("requests", example).out)
    assert len(found) == 12
    assert [row["place"] for row in found[:3]] == [uri(ADA, "project/tide-tables")] * 2 + [uri(BEN, "goal/quiet-gauge")]
    fates = {key: row["state"] for row, key in zip(found, keys(found), strict=True)}
    assert fates["artifactRequest/build-texts"] == "declined"
    assert fates["artifactRequest/plan-texts"] == "retracted"
    assert fates["artifactRequest/answer-datum"] == "fulfilled"


def test_a_terminal_gets_a_table_of_short_names(radial: Call, example: Path) -> None:
    shown = radial("goals", example, terminal=True).out
    assert "goal/ten-years" in shown
    assert "at://" not in shown
    grouped = radial("requests", example, terminal=True).out
    assert "Keep ten years of readings" in grouped
    assert "its claims have lapsed" in grouped
    people = radial("members", example, terminal=True).out
    assert WREN in people


def test_several_spaces_stand_under_their_names(radial: Call, example: Path) -> None:
    other = "did:web:other.example"
    more = line(other, "space/ebb", name="Ebb")
    stdin = example.read_bytes() + more.encode()
    shown = radial("members", "-", stdin=stdin, terminal=True).out
    assert "Tidewater" in shown
    assert "Ebb" in shown
    assert len(rows(radial("members", "-", stdin=stdin).out)) == 5
    assert [row["did"] for row in rows(radial("members", "--space", "space/ebb", "-", stdin=stdin).out)] == [other]


def test_the_digest_tree_names_every_place(radial: Call, example: Path) -> None:
    tree = json.loads(radial("digest", "--tree", "--json", example).out)
    shown = radial("digest", "--tree", example).out
    space = tree["spaces"][0]
    digests = {tree["digest"], space["digest"], *(each["digest"] for each in (*space["projects"], *space["goals"]))}
    assert {each.split()[0] for each in shown.splitlines() if "bafyrei" in each} == digests
    assert len(digests) == 7
    assert json.loads(radial("digest", "--json", example).out) == {"digest": tree["digest"]}


def test_all_goals_and_the_ended_ones_are_two_questions(radial: Call, example: Path) -> None:
    done = radial("goals", "--all", "--ended", example)
    assert (done.status, done.out) == (2, "")
    assert "--all and --ended do not go together" in done.err


def test_materialize_sums_up(radial: Call, example: Path) -> None:
    text = " ".join(radial("materialize", example).out.split())
    assert "4 members, 1 project, 4 goals (2 open), 12 requests (3 open), 6 artifacts" in text
    assert "72 observations of 68 records 1 image, 6 records with deletions or versions that are passed over" in text
    assert "T5 3 by somebody who is no member" in text
