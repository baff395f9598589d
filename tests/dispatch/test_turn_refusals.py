"""What a turn does not write, and with which words it says so."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import attrs
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
        ("artifact", {"title": "t", "body": "b", "criteria": ["c", ""]}, "EmptyText", "$.criteria[1]"),
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
        "says nothing @ $.body: write what a reader needs to know"
    )


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_title_is_one_line_and_has_no_end(end: str) -> None:
    for title in (f"T{end}", f"{end}T", f"T{end}U"):
        _, answer = submit(started(), {"title": title, "body": "b"})
        assert names(answer) == ("LongTitle", "$.title")


# Spaces; controls; zero width; soft hyphen; direction; marks on nothing; blank letters of Hangul; blank Braille.
NOTHING = [
    "",
    " \t\n",
    "\x00\x1b",
    "\u200b\u200d\u2060\ufeff",
    "\xad",
    "\u202e",
    "\u2028\u2029",
    "\u20dd",
    "\u0301\ufe0f\u034f",
    "\u3164\u115f",
    "\u2800",
]
SOMETHING = ["a", "0", ".", "é", "e\u0301", "字", "👍", "👩\u200d🚀", "\u200bx", "✓", "\U0003ffff", "\ue000"]


@pytest.mark.parametrize("text", NOTHING + SOMETHING)
def test_a_text_says_something_where_one_is_asked_for(text: str) -> None:
    finding = {"severity": "nit", "body": text}
    told = [
        ("artifact", {"title": text, "body": "b"}, "$.title"),
        ("artifact", {"title": "t", "body": text}, "$.body"),
        ("artifact", {"title": "t", "body": "b", "summary": text}, "$.summary"),
        ("artifact", {"title": "t", "body": "b", "criteria": [text]}, "$.criteria[0]"),
        ("review", {"verdict": "approve", "findings": [finding]}, "$.findings[0].body"),
        ("reply", {"body": text}, "$.body"),
    ]
    for kind, said, path in told:
        _, answer = submit(started(kind), said)
        assert isinstance(answer, Write) if text in SOMETHING else names(answer) == ("EmptyText", path)
    _, answer = ask(started(), text)
    assert isinstance(answer, Write) if text in SOMETHING else names(answer) == ("EmptyText", "$.body")


def test_what_is_too_deep_is_not_called_too_long() -> None:
    deep: Any = "x"
    for _ in range(64):
        deep = [deep]
    _, answer = submit(started(), {**SAID["artifact"], "criteria": deep})
    assert names(answer)[0] == "TooDeep"
    assert "64 levels" in str(answer)
    assert "shorten" not in str(answer)
    _, answer = submit(started(), {**SAID["artifact"], "criteria": deep[0]})
    assert names(answer) == ("Malformed", "$.criteria[0]")


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
    assert "a turn asks 2 questions at most" in str(answer)
    assert after is turn
    _, answer = submit(turn, SAID["artifact"])
    assert isinstance(answer, Write)


def test_a_turn_may_be_let_ask_once_or_never() -> None:
    assert "a turn asks no questions" in str(ask(started(bounds=Bounds(questions=0)))[1])
    turn, answer = ask(started(bounds=Bounds(questions=1)))
    turn, _ = advance(turn, Written(record_of(answer).cid))
    assert "a turn asks one question at most" in str(ask(turn)[1])


@pytest.mark.parametrize("name", ["record", "file", "questions"])
def test_a_bound_is_no_number_below_nothing(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Bounds(**{name: -1})
    assert getattr(Bounds(**{name: 0}), name) == 0


def test_a_bound_that_was_lowered_holds_for_what_was_asked_before() -> None:
    turn = started(bounds=Bounds(questions=2))
    for _ in range(2):
        turn, answer = ask(turn)
        turn, _ = advance(turn, Written(record_of(answer).cid))
    assert names(ask(attrs.evolve(turn, bounds=Bounds(questions=1)))[1]) == ("TooManyQuestions", "$")


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
        ({"commit": COMMIT, "pr": "at://did:plc:x/sh.tangled.repo.pull/1"}, Looked(), None, None),
        ({"commit": COMMIT, "pr": PULL, "branch": "radial/impl-a"}, Looked(), None, None),
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


@pytest.mark.parametrize(
    "pull",
    [
        "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
        "ssh://git.example/site/2", "mailto:a@x.example",
        "https://user:word@git.example/site/2", "https://git.example/<script>", "https://git.example/'", "http://",
        "at://did:plc:x", "https://git.example/" + "x" * 2048,
    ],
)  # fmt: skip
@pytest.mark.parametrize("ours", [None, True, False])
def test_a_pull_request_is_linked_by_a_plain_address_or_its_record(pull: str, *, ours: bool | None) -> None:
    """Readers make a link of it and a forge's tool is given it; it is a URI, so no lexicon objects (L1)."""
    _, answer = submit(started(), {**SAID["artifact"], "links": {"pr": pull}}, looked=Looked(pull_ours=ours))
    assert names(answer) == ("UnfitPull", "$.links.pr")


# What `git check-ref-format refs/heads/NAME` says, rule by rule of its manual.
BRANCHES = [
    "main",
    "radial/impl-ab12",
    "a",
    "1",
    "a.b",
    "a/b.c/d",
    "x@y",
    "@x",
    "a-",
    "a{b}",
    "é",
    "字/a",
    "a.lock.b",
    "x.locks",
]
NO_REFS = [
    "", ".a", "a/.b", "a.lock", "a.lock/b", "a..b", "a\x00b", "a\x1fb", "a\x7f", "a b", "a~1", "a^", "a:b", "a?", "a*",
    "a[b", "a]\\", "/a", "a/", "a//b", "a.", "a@{b", "a\n", "a/b/.lock",
]  # fmt: skip
# Refs by their letters, and yet: read as an option, as the state of a checkout, as another name for the same.
NO_BRANCHES = [
    "-a", "--upload-pack=x", "-", "HEAD", "@", "refs/heads/main", "refs/tags/v1", "refs/remotes/origin/main",
    "FETCH_HEAD", "ORIG_HEAD", "c0ffee" + "0" * 34,
]  # fmt: skip


@pytest.mark.parametrize("name", [*BRANCHES, *NO_REFS, *NO_BRANCHES])
def test_a_branch_is_linked_by_a_name_that_git_takes_for_one(name: str) -> None:
    _, answer = submit(started(), {**SAID["artifact"], "links": {"branch": name}})
    if name in BRANCHES:
        assert isinstance(answer, Write)
    else:
        assert names(answer) == ("UnfitBranch", "$.links.branch")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")
@pytest.mark.parametrize("name", [*BRANCHES, *NO_REFS, *NO_BRANCHES])
def test_git_says_the_same_of_those_names(name: str) -> None:
    if "\x00" in name:
        return  # no argument of a process can hold it
    done = subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], check=False)
    assert (done.returncode == 0) is (name not in NO_REFS)


def test_links_that_nobody_followed_are_kept_and_reported() -> None:
    links = {"commit": COMMIT, "pr": PULL, "branch": "main"}
    told = {
        Looked(): ["CommitUnchecked", "PullUnchecked"],
        Looked(commit_found=True): ["PullUnchecked"],
        Looked(pull_ours=True): ["CommitUnchecked"],
        Looked(commit_found=True, pull_ours=True): [],
    }
    for looked, expected in told.items():
        _, answer = submit(started(), {**SAID["artifact"], "links": links}, looked=looked)
        assert isinstance(answer, Write)
        assert [notice.name for notice in answer.notices] == expected
        assert all(notice.path in {"$.links.commit", "$.links.pr"} for notice in answer.notices)
    _, answer = submit(started(), {**SAID["artifact"], "links": {"branch": "main"}})
    assert isinstance(answer, Write)
    assert answer.notices == ()


def test_nothing_is_demanded_of_a_plan() -> None:
    for links in ({}, {"branch": "radial/plan"}):
        _, answer = submit(started(), {**SAID["artifact"], "links": links})
        assert isinstance(answer, Write)


# Findings -----------------------------------------------------------------------------------------------------------

FILES = Listing(COMMIT, {"src/a.py": 10, "lib/a.py": 3, "logo.png": None, "empty.txt": 0, "one.txt": 1})


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
    assert "the file is no text and has no lines at commit" in told(path="logo.png", line=3)
    assert "leave the line out" in told(path="logo.png", line=3)
    assert "the file is empty at commit" in told(path="empty.txt", line=1)
    assert "the file has one line at commit" in told(path="one.txt", line=2)
    assert "name line 1, or none" in told(path="one.txt", line=2)
    assert not any(f"{number} lines" in told(path=path, line=9) for number in (0, 1) for path in FILES.lines)
    assert "use one of blocking, major, minor, nit" in told(severity="high")


def test_the_severities_are_those_that_the_lexicon_knows(root: Path) -> None:
    document = (root / "lexicons/com/disnetdev/radial/review.json").read_text(encoding="utf-8")
    assert '"knownValues": [\n' + ",\n".join(f'            "{word}"' for word in SEVERITIES) in document


def test_places_that_nobody_could_check_are_kept_and_reported() -> None:
    found = [{"severity": "nit", "body": "b", "path": "no", "line": 9}, {"severity": "nit", "body": "b"}]
    for more, words in (([], "1 place was"), (found, "2 places were")):
        _, answer = submit(started("review"), {"verdict": "approve", "findings": found + more})
        assert isinstance(answer, Write)
        assert [str(notice) for notice in answer.notices] == [
            f"no listing of the commit: {words} not checked @ $.findings"
        ]


@pytest.mark.parametrize("findings", [{}, {"findings": []}])
def test_a_review_that_asks_for_changes_and_names_none_is_reported(findings: dict[str, Any]) -> None:
    for verdict, expected in (("request_changes", ["NoFindings"]), ("approve", [])):
        _, answer = submit(started("review"), {"verdict": verdict, **findings}, listing=FILES)
        assert isinstance(answer, Write)
        assert [notice.name for notice in answer.notices] == expected


def test_a_listing_of_another_commit_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match=f"but {COMMIT} was reviewed"):
        submit(started("review"), SAID["review"], listing=Listing("f" * 40, {}))
