"""What one record makes a picture cost, and what a picture of one space says of others in the input."""

from __future__ import annotations

from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, ROOK, SPACE, line, ref, uri

HUGE = "x" * 900_000
PROJECT = {"gitUrl": "https://code.example/p", "defaultBranch": "main"}


def place(author: str, key: str, name: str) -> str:
    """Write a space with a project and a goal, all called `key`."""
    return (
        line(author, f"space/{key}", name=name)
        + line(author, f"project/{key}", space=ref(author, f"space/{key}"), name=name, **PROJECT)
        + goal(author, key, "0")
    )


def goal(author: str, key: str, suffix: str) -> str:
    """Write one more goal."""
    space, project = ref(author, f"space/{key}"), ref(author, f"project/{key}")
    return line(author, f"goal/{key}{suffix}", space=space, project=project, title="G", body="B")


def test_one_huge_type_does_not_widen_hundreds_of_rows(radial: Call) -> None:
    requests = "".join(
        line(ADA, f"artifactRequest/r{number}", goal=ref(ADA, "goal/tidewater0"), type=kind, brief="B")
        for number, kind in enumerate(["plan"] * 100 + [HUGE])
    )
    done = radial("show", SPACE, "-", stdin=(place(ADA, "tidewater", "Tidewater") + requests).encode())
    assert done.status == 0
    assert done.out.count("artifactRequest/r") == 101 + 7  # of the ten latest, all of one date, seven
    assert len(done.out) < 100_000


def test_one_huge_name_is_not_repeated_under_every_goal(radial: Call) -> None:
    goals = "".join(goal(ADA, "tidewater", str(number)) for number in range(1, 50))
    done = radial("show", SPACE, "-", stdin=(place(ADA, "tidewater", HUGE) + goals).encode())
    assert done.status == 0
    assert done.out.count("x" * 120 + "…") == 54  # the space, the project, each goal's line, and the making of both
    assert len(done.out) < 100_000


TWO = (
    place(ADA, "tidewater", "Tidewater")
    + place(BEN, "ebb", "Ebb")
    + line(ROOK, "message/here", goal=ref(ADA, "goal/tidewater0"), body="no member")
    + line(ROOK, "message/there", goal=ref(BEN, "goal/ebb0"), body="no member")
    + line(ROOK, "message/nowhere", goal=ref(ROOK, "goal/none"), body="no member")
    + line(ADA, "message/astray", goal=ref(ROOK, "goal/none"), body="by a member, on nothing")
)


def ignored(text: str) -> str:
    return text.partition("\nIgnored")[2].partition("\nDigest")[0]


def test_each_of_several_spaces_shows_what_is_ignored_of_its_own(radial: Call) -> None:
    here = ignored(radial("show", "space/tidewater", "-", stdin=TWO.encode()).out)
    assert "(2 of this space)" in here
    assert "message/here" in here
    assert "message/astray" in here
    assert "message/there" not in here
    assert "and 2 records of this input outside this space" in here
    there = ignored(radial("show", "space/ebb", "-", stdin=TWO.encode()).out)
    assert "(1 of this space)" in there
    assert "message/there" in there
    assert "and 3 records of this input outside this space" in there


def test_each_of_several_spaces_shows_the_edits_of_its_own(radial: Call) -> None:
    edited = TWO + line(BEN, "space/ebb", name="Ebb", description="edited")
    here = ignored(radial("show", SPACE, "-", stdin=edited.encode()).out)
    assert "Edits and deletions (0 records of this space)" in here
    assert "and 1 record of this input outside this space" in here
    there = ignored(radial("show", uri(BEN, "space/ebb"), "-", stdin=edited.encode()).out)
    assert "Edits and deletions (1 record of this space)" in there
    assert "space/ebb" in there
