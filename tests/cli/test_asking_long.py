"""No member floods a list: whatever texts they write, and were they a megabyte each, an overview can be read."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cli.conftest import Call
from tests.cli.people import ADA, BEN, ROOK, SPACE, line, ref, uri

LONG = "A" * 100_000
WIDEST = 800  # characters: some names and titles, each cut


def world() -> bytes:
    """Every text that a member may make up, in a space of three."""
    space, project, goal = ref(ADA, "space/tidewater"), ref(BEN, "project/p"), ref(BEN, "goal/g")
    asked, made = ref(ADA, "artifactRequest/q"), ref(ROOK, "artifact/a")
    work: dict[str, Any] = {"type": LONG, "body": LONG, "title": LONG, "model": LONG, "criteria": [LONG]}
    lines = [
        line(ADA, "space/tidewater", name=LONG),
        line(ADA, "addMember/ben", space=space, did=BEN, kind="human", role="admin"),
        line(ADA, "addMember/rook", space=space, did=ROOK, kind="agent", role="agent"),
        line(BEN, "project/p", space=space, name=LONG, gitUrl=f"https://git.example/{LONG[:8000]}",
             defaultBranch=LONG, checks=[{"name": LONG, "command": LONG}], autoReview={LONG: True}),
        line(BEN, "goal/g", space=space, project=project, title=LONG, body=LONG),
        line(BEN, "goal/done", space=space, project=project, title=LONG, body=LONG),
        line(BEN, "closeGoal/done", goal=ref(BEN, "goal/done"), closed=True, disposition=LONG),
        line(BEN, "artifactType/t", space=space, name=LONG, brief=LONG, outputSpec=LONG, scope="goal"),
        line(ROOK, "agent/a", handleName=LONG, harness=LONG, models=[{"name": LONG}], artifactTypes=[LONG]),
        line(ADA, "artifactRequest/q", goal=goal, type=LONG, brief=LONG),
        line(BEN, "artifactRequest/odd", goal=goal, type=LONG + "B", brief=LONG),
        line(ROOK, "artifact/a", goal=goal, request=asked, **work),
        line(ADA, "artifactRequest/system", project=project, type=LONG),
        line(ROOK, "artifact/p", project=project, request=ref(ADA, "artifactRequest/system"), **work),
        line(BEN, "review/r", subject=made, verdict="approve", model=LONG),
        line(ROOK, "checkrun/c", artifact=made, commit=LONG, results=[{"name": LONG, "pass": False, "log": LONG}]),
        line(ROOK, "merge/m", artifact=made, pr=f"https://git.example/{LONG[:8000]}", commit=LONG),
        line(ROOK, "message/m", goal=goal, body=LONG, re=asked, model=LONG, mentions=[ADA]),
        line(BEN, "artifactRequest/a", goal=goal, type=LONG, assignee=ADA),
    ]  # fmt: skip
    return "".join(lines).encode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", SPACE],
        ["show", ROOK],
        ["inbox", "--as", ADA],
        ["inbox", "--as", BEN],
        ["queue"],
        ["system"],
        ["goals", "--all"],
        ["requests"],
        ["log"],
        ["provenance", uri(ROOK, "artifact/a")],
        ["provenance", uri(ROOK, "artifact/a"), "--format", "dot"],
        ["provenance", uri(ROOK, "artifact/a"), "--format", "mermaid"],
        ["query", "impact", SPACE],
        ["query", "subject", uri(ROOK, "artifact/a")],
        ["query", "dependents", uri(BEN, "goal/g")],
        ["query", "search", "aaaa"],
    ],
    ids=" ".join,
)
def test_an_overview_cuts_every_text(arguments: list[str], radial: Call) -> None:
    done = radial(*arguments, "-", stdin=world(), terminal=True)
    assert done.status == 0
    shown = [re.sub(r"\x1b\[[0-9;]*m", "", each) for each in done.out.splitlines()]
    assert "AAA" in done.out
    assert max(map(len, shown)) < WIDEST


def test_the_thing_itself_is_shown_whole(radial: Call) -> None:
    """Whoever runs a project's checks reads all of them."""
    for name, times in (("project/p", 5), ("goal/g", 2), ("artifact/a", 2)):
        author = ROOK if name.startswith("artifact") else BEN
        assert radial("show", uri(author, name), "-", stdin=world(), terminal=True).out.count(LONG) >= times, name
