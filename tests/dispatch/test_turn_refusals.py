"""What a turn does not write, and with which words it says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radial_core.dispatch.drafting import Bounds, Write
from radial_core.dispatch.findings import SEVERITIES, Listing
from radial_core.dispatch.lifecycle import (
    Ask,
    Submit,
    Written,
)
from radial_core.dispatch.links import Demands, Looked
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.turn import advance
from tests.dispatch.turns import (
    COMMIT,
    NOW,
    SAID,
    ask,
    names,
    record_of,
    started,
    submit,
)

# What is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["artifact", "review", "reply"])
@pytest.mark.parametrize("sent", ["artifact", "review", "reply"])
def test_a_turn_writes_the_kind_of_record_that_its_request_asks_for(kind: str, sent: str) -> None:
    turn = started(kind)
    after, answer = advance(turn, Submit(kind=sent, said=SAID[sent], at=NOW))
    if kind == sent:
        assert isinstance(answer, Write)
        return
    commands = {"artifact": "radial artifact submit", "review": "radial review post", "reply": "radial reply post"}
    assert names(answer) == ("WrongKind", "$")
    assert commands[kind] in str(answer)
    assert after is turn


_LONG = "x" * 200


@pytest.mark.parametrize(
    ("kind", "said", "name", "path"),
    [
        ("artifact", None, "NotAnObject", "$"),
        ("artifact", ["title"], "NotAnObject", "$"),
        ("artifact", {"title": 1.5, "body": "b"}, "NotData", "$.title"),
        ("artifact", {"title": "t", "body": "\ud800"}, "NotData", "$.body"),
        ("artifact", {"title": "t", "body": "b", "notes": "n"}, "UnknownField", "$.notes"),
        ("artifact", {"title": "t", "body": "b", "verdict": "approve"}, "UnknownField", "$.verdict"),
        ("artifact", {"title": "t", "body": "b", "links": {"url": "u"}}, "UnknownField", "$.links.url"),
        ("artifact", {"title": "t", "body": "b", "links": {"type": "u"}}, "UnknownField", "$.links.type"),
        ("artifact", {"body": "b"}, "MissingField", "$.title"),
        ("artifact", {"title": "t"}, "MissingField", "$.body"),
        ("artifact", {"title": " \n", "body": "b"}, "EmptyText", "$.title"),
        ("artifact", {"title": "t", "body": ""}, "EmptyText", "$.body"),
        ("artifact", {"title": "t", "body": "b", "summary": " "}, "EmptyText", "$.summary"),
        ("artifact", {"title": "t\nu", "body": "b"}, "LongTitle", "$.title"),
        ("artifact", {"title": "t", "body": "b", "summary": 1}, "Malformed", "$.summary"),
        ("artifact", {"title": "t", "body": "b", "addressed": "x"}, "Malformed", "$.addressed"),
        ("artifact", {"title": "t", "body": "b", "addressed": [1]}, "Malformed", "$.addressed"),
        ("artifact", {"title": 1, "body": "b"}, "Malformed", "$.title"),
        ("artifact", {"title": "t", "body": "b", "criteria": "c"}, "Malformed", "$.criteria"),
        ("artifact", {"title": "t", "body": "b", "links": []}, "Malformed", "$.links"),
        ("artifact", {"title": "t", "body": "b", "links": {"pr": "no uri"}}, "Malformed", "$.links.pr"),
        ("review", {"findings": []}, "MissingField", "$.verdict"),
        ("review", {"verdict": "fine"}, "Malformed", "$.verdict"),
        ("review", {"verdict": "approve", "body": "b"}, "UnknownField", "$.body"),
        ("review", {"verdict": "approve", "findings": {}}, "Malformed", "$.findings"),
        ("review", {"verdict": "approve", "findings": ["x"]}, "Malformed", "$.findings[0]"),
        ("review", {"verdict": "approve", "findings": [{"body": "b"}]}, "MissingField", "$.findings[0].severity"),
        (
            "review",
            {"verdict": "approve", "findings": [{"body": "b", "severity": "nit", "file": "a"}]},
            "UnknownField",
            "$.findings[0].file",
        ),
        (
            "review",
            {"verdict": "approve", "findings": [{"body": "b", "severity": "nit", "path": "a", "line": 0}]},
            "Malformed",
            "$.findings[0].line",
        ),
        ("reply", {}, "MissingField", "$.body"),
        ("reply", {"body": "b", "mentions": []}, "UnknownField", "$.mentions"),
    ],
)
def test_a_submission_that_is_not_of_its_kind_is_refused(kind: str, said: Any, name: str, path: str) -> None:
    turn = started(kind)
    after, answer = submit(turn, said)
    assert names(answer) == (name, path)
    assert after is turn


def test_everything_that_is_wrong_is_named_at_once_with_what_to_do() -> None:
    _, answer = submit(started(), {"model": "m", "notes": 1, "body": " "})
    assert names(answer) == ("FilledByDaemon", "$.model", "$.notes", "$.title", "$.body")
    assert str(answer) == (
        "FilledByDaemon: is not yours to set @ $.model: leave it out: the daemon fills it in; "
        "is no field here @ $.notes: leave it out; "
        "send an object with the fields title, body, summary?, criteria?, links?, addressed?; "
        "is missing @ $.title: add it; "
        "send an object with the fields title, body, summary?, criteria?, links?, addressed?; "
        "is empty @ $.body: write what a reader needs to know"
    )


def test_an_answer_stays_short_whatever_was_sent() -> None:
    finding = {"severity": "nit", "body": ""}
    cases: list[dict[str, Any]] = [
        {"verdict": "approve", "findings": [finding] * 500},
        {"verdict": "approve", "findings": [0] * 500},
        {"verdict": "approve", "findings": [], **{f"x{number}": 0 for number in range(500)}},
    ]
    for said in cases:
        _, answer = submit(started("review"), said)
        assert isinstance(answer, Refusal)
        assert len(answer.objections) == 33
        assert answer.objections[32].message == "there is more wrong"
    _, answer = submit(started("review"), {"verdict": "approve", "findings": [finding] * 32})
    assert isinstance(answer, Refusal)
    assert [fault.path for fault in answer.objections] == [f"$.findings[{number}].body" for number in range(32)]


def test_a_question_is_judged_like_everything_else() -> None:
    for said, expected in (({}, ("MissingField", "$.body")), ({"body": 1}, ("Malformed", "$.body"))):
        turn = started()
        after, answer = advance(turn, Ask(said=said, at=NOW))
        assert names(answer) == expected
        assert after is turn


def test_a_turn_asks_so_often_and_no_more() -> None:
    turn = started(bounds=Bounds(questions=2))
    for _ in range(2):
        turn, answer = ask(turn)
        turn, _ = advance(turn, Written(record_of(answer).cid))
    after, answer = ask(turn)
    assert names(answer) == ("TooManyQuestions", "$")
    assert "at most 2" in str(answer)
    assert after is turn
    _, answer = submit(turn, SAID["artifact"])
    assert isinstance(answer, Write)


# Links --------------------------------------------------------------------------------------------------------------

PULL = "https://git.example/site/2"


@pytest.mark.parametrize(
    ("links", "looked", "name", "path"),
    [
        (None, Looked(), "NoCommit", "$.links.commit"),
        ({"pr": PULL}, Looked(), "NoCommit", "$.links.commit"),
        ({"commit": COMMIT[:7], "pr": PULL}, Looked(), "ShortCommit", "$.links.commit"),
        ({"commit": "main", "pr": PULL}, Looked(), "ShortCommit", "$.links.commit"),
        ({"commit": COMMIT, "pr": PULL}, Looked(commit_found=False), "CommitNotFound", "$.links.commit"),
        ({"commit": COMMIT}, Looked(), "NoPull", "$.links.pr"),
        ({"commit": COMMIT, "pr": PULL}, Looked(pull_ours=False), "ForeignPull", "$.links.pr"),
        ({"commit": COMMIT, "pr": PULL}, Looked(), None, None),
        ({"commit": COMMIT + "ab" * 12, "pr": PULL}, Looked(commit_found=True, pull_ours=True), None, None),
    ],
)
def test_links_lead_to_what_is_demanded(links: Any, looked: Looked, name: str | None, path: str | None) -> None:
    turn = started(demands=Demands(commit=True, pull="gh pr create"))
    said = SAID["artifact"] if links is None else {**SAID["artifact"], "links": links}
    after, answer = submit(turn, said, looked=looked)
    if name is None:
        assert isinstance(answer, Write)
        return
    assert names(answer)[:2] == (name, path)
    assert after is turn
    assert name != "NoPull" or "gh pr create" in str(answer)


def test_nothing_is_demanded_of_a_plan() -> None:
    for links in ({}, {"branch": "radial/plan"}):
        _, answer = submit(started(), {**SAID["artifact"], "links": links})
        assert isinstance(answer, Write)


# Findings -----------------------------------------------------------------------------------------------------------

FILES = Listing(COMMIT, {"src/a.py": 10, "lib/a.py": 3, "logo.png": None, "empty.txt": 0})


@pytest.mark.parametrize(
    ("finding", "name", "path"),
    [
        ({"path": "src/b.py"}, "PathNotFound", "path"),
        ({"path": "a.py", "line": 1}, "PathNotFound", "path"),
        ({"path": "/src/a.py"}, "PathNotFound", "path"),
        ({"path": "src/a.py", "line": 11}, "LineOutOfRange", "line"),
        ({"path": "logo.png", "line": 1}, "LineOutOfRange", "line"),
        ({"path": "empty.txt", "line": 1}, "LineOutOfRange", "line"),
        ({"line": 1}, "LineWithoutPath", "line"),
        ({"severity": "high"}, "UnknownSeverity", "severity"),
        ({"body": "\t"}, "EmptyText", "body"),
        ({"path": "src/a.py", "line": 10}, None, None),
        ({"path": "src/a.py", "line": 1}, None, None),
        ({"path": "src/a.py"}, None, None),
        ({"path": "logo.png"}, None, None),
        ({"path": "empty.txt"}, None, None),
        ({}, None, None),
    ],
)
def test_a_finding_leads_somewhere(finding: dict[str, Any], name: str | None, path: str | None) -> None:
    sound = {"severity": "minor", "body": "b"}
    said = {"verdict": "request_changes", "findings": [sound, {**sound, **finding}]}
    turn = started("review")
    after, answer = submit(turn, said, listing=FILES)
    if name is None:
        assert isinstance(answer, Write)
        assert answer.notices == ()
        return
    assert names(answer) == (name, f"$.findings[1].{path}")
    assert after is turn


def test_a_refused_place_says_which_was_perhaps_meant() -> None:
    def told(**finding: Any) -> str:
        said = {"verdict": "approve", "findings": [{"severity": "nit", "body": "b", **finding}]}
        return str(submit(started("review"), said, listing=FILES)[1])

    assert "did you mean “lib/a.py”, “src/a.py”? name it from the root" in told(path="a.py")
    assert "did you mean" not in told(path="b.py")
    assert "name a line from 1 to 10, or none" in told(path="src/a.py", line=11)
    assert "leave the line out" in told(path="logo.png", line=3)
    assert "use one of blocking, major, minor, nit" in told(severity="high")


def test_the_severities_are_those_that_the_lexicon_knows(root: Path) -> None:
    document = (root / "lexicons/com/disnetdev/radial/review.json").read_text(encoding="utf-8")
    assert '"knownValues": [\n' + ",\n".join(f'            "{word}"' for word in SEVERITIES) in document


def test_places_that_nobody_could_check_are_kept_and_reported() -> None:
    found = [{"severity": "nit", "body": "b", "path": "no", "line": 9}, {"severity": "nit", "body": "b"}]
    _, answer = submit(started("review"), {"verdict": "approve", "findings": found})
    assert isinstance(answer, Write)
    assert [str(notice) for notice in answer.notices] == [
        "no listing of the commit: 1 places were not checked @ $.findings"
    ]


def test_a_listing_of_another_commit_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match=f"but {COMMIT} was reviewed"):
        submit(started("review"), SAID["review"], listing=Listing("f" * 40, {}))
