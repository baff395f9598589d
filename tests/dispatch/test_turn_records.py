"""What a turn writes, word for word; what anchors it; what is never taken from the agent."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from radial_core import materialize
from radial_core.dispatch.assignment import Assignment, assign
from radial_core.dispatch.drafting import Write
from radial_core.dispatch.findings import Listing
from radial_core.dispatch.lifecycle import (
    Ask,
    Hold,
    Observe,
    Start,
    Submit,
    Written,
)
from radial_core.dispatch.links import Looked
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.turn import Turn, advance
from radial_core.identifiers import StrongRef
from tests.core.small_world import (
    ANN,
    AUDIT,
    BOT,
    EVE,
    GOAL,
    PLAN,
    PREFIX,
    PROJECT,
    QUESTION,
    REPLY,
    ROOT,
    SPACE,
    UNSEEN,
    WORLD,
    again,
    ref,
    uri_of,
    write,
)
from tests.dispatch.turns import (
    ANSWER,
    CLAIM,
    CODE,
    COMMIT,
    INDEX,
    NOW,
    OPEN_PLAN,
    RECORDS,
    REVIEW,
    SAID,
    ask,
    assigned,
    names,
    record_of,
    started,
    submit,
    value_of,
)
from tests.oracle.canonical import cid_of

# The records, word for word -----------------------------------------------------------------------------------------


def key(written: bytes) -> str:
    """Hash the DAG-CBOR of what a record answers, by hand."""
    return base64.b32encode(hashlib.sha256(written).digest()[:20]).decode().lower()


def text(content: str) -> bytes:
    """Write a text of 24 to 255 bytes in DAG-CBOR."""
    return bytes([0x78, len(content)]) + content.encode()


def test_an_artifact_is_written_with_all_its_anchors() -> None:
    said = {"title": "T", "body": "B", "criteria": ["c"], "links": {"commit": COMMIT}}
    _, answer = submit(started(configured="m-1", claim=CLAIM), said, looked=Looked(commit_found=True))
    assert isinstance(answer, Write)
    assert answer.value == {
        "$type": PREFIX + "artifact", "request": ref(OPEN_PLAN), "goal": ref(GOAL), "type": "plan", "prev": ref(PLAN),
        **said, "model": "m-1", "claim": {"uri": CLAIM.uri, "cid": CLAIM.cid}, "createdAt": NOW,
    }  # fmt: skip
    assert answer.cid == cid_of(answer.value)
    assert answer.uri == uri_of(BOT, "artifact", key(b"\x82\x68terminal" + text(OPEN_PLAN.uri)))
    assert answer.ref == StrongRef(answer.uri, answer.cid)
    assert (answer.file, answer.notices) == (None, ())


def test_a_review_names_its_request_and_its_very_subject() -> None:
    findings = [{"path": "a.py", "line": 2, "severity": "major", "body": "no"}]
    listing = Listing(COMMIT, {"a.py": 2})
    _, answer = submit(started("review"), {"verdict": "request_changes", "findings": findings}, listing=listing)
    assert value_of(answer) == {
        "$type": PREFIX + "review", "subject": ref(CODE), "request": ref(REVIEW), "verdict": "request_changes",
        "findings": findings, "createdAt": NOW,
    }  # fmt: skip


def test_a_reply_stands_under_its_subject_in_its_thread() -> None:
    _, answer = submit(started("reply"), {"body": "Because."})
    assert value_of(answer) == {
        "$type": PREFIX + "message", "goal": ref(GOAL), "root": ref(QUESTION), "parent": ref(REPLY), "re": ref(ANSWER),
        "body": "Because.", "createdAt": NOW,
    }  # fmt: skip


def test_a_question_is_about_its_request_and_is_no_reply() -> None:
    turn = started()
    turn, answer = ask(turn)
    assert value_of(answer) == {
        "$type": PREFIX + "message", "goal": ref(GOAL), "re": ref(OPEN_PLAN), "body": "which?", "createdAt": NOW,
    }  # fmt: skip
    first = record_of(answer)
    assert first.uri == uri_of(BOT, "message", key(b"\x84\x68question" + text(OPEN_PLAN.uri) + b"\x611\x00"))
    _, answer = ask(advance(turn, Written(first.cid))[0])
    assert record_of(answer).uri == uri_of(
        BOT, "message", key(b"\x84\x68question" + text(OPEN_PLAN.uri) + b"\x611\x01")
    )


def test_a_turn_that_is_run_again_delivers_at_the_same_place_and_asks_at_another() -> None:
    first, second = assigned(turn="1"), assigned(turn="2")
    assert first.terminal_uri == second.terminal_uri
    assert first.question_uri(0) != second.question_uri(0)
    assert assigned("review").terminal_uri != first.terminal_uri


# What anchors a turn ------------------------------------------------------------------------------------------------


def test_prev_is_the_one_version_of_the_same_type_and_anchor_that_the_request_is_based_on() -> None:
    goal = write(ROOT, "goal", 70, "next", space=ref(SPACE), project=ref(PROJECT), title="Next", body="N")
    wanted = write(ANN, "artifactRequest", 71, goal=ref(goal), type="plan")
    other = write(BOT, "artifact", 72, goal=ref(goal), request=ref(wanted), type="plan", body="o")
    cases = {
        "none": (None, None),
        "another goal": ([other], None),
        "one, and one of another goal": ([other, PLAN], PLAN),
        "one": ([PLAN], PLAN),
        "one, named twice": ([PLAN, PLAN], PLAN),
        "another type": ([AUDIT], None),
        "two": ([PLAN, CODE], None),
        "one among others": ([AUDIT, PLAN, GOAL], PLAN),
    }
    for name, (basis, prev) in cases.items():
        based = None if basis is None else [ref(one) for one in basis]
        request = write(ANN, "artifactRequest", 81, goal=ref(GOAL), type="plan", basedOn=based)
        work = assign(materialize([*RECORDS, goal, wanted, other, request]), request.uri, author=BOT, turn="1")
        assert isinstance(work, Assignment)
        assert dict(work.fields).get("prev") == (None if prev is None else StrongRef(prev.uri, prev.cid)), name


def test_anchors_are_pinned_at_the_versions_that_count() -> None:
    edited = again(GOAL, title="Another")
    request = write(ANN, "artifactRequest", 81, goal=ref(edited), type="plan")
    index = materialize([*(one for one in WORLD if one is not GOAL), again(GOAL, "3kaaaaaaaaaa2"), request])
    work = assign(index, request.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    assert dict(work.fields)["goal"] == StrongRef(GOAL.uri, GOAL.cid)


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"type": "audit", "basedOn": [ref(PLAN)]}, ("artifact", PLAN)),
        ({"type": "audit", "basedOn": [ref(GOAL), ref(PLAN)]}, ("artifact", PLAN)),
        ({"type": "audit", "basedOn": [ref(GOAL)]}, ("goal", GOAL)),
        ({"type": "audit", "basedOn": [ref(REPLY)]}, ("goal", GOAL)),
        ({"type": "audit", "subject": ref(REPLY)}, ("goal", GOAL)),
        ({"type": "review", "subject": ref(AUDIT)}, ("artifact", AUDIT)),
        ({"type": "audit"}, None),
    ],
)
def test_a_request_at_a_project_is_asked_about_where_there_is_a_thread(fields: dict[str, Any], place: Any) -> None:
    request = write(ANN, "artifactRequest", 81, project=ref(PROJECT), **fields)
    index = materialize([*RECORDS, request])
    work = assign(index, request.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    turn, _ = advance(Turn(assignment=work), Start())
    _, answer = ask(turn)
    if place is None:
        assert names(answer) == ("NoThread", "$")
        return
    assert value_of(answer)[place[0]] == ref(place[1])
    assert value_of(answer)["re"] == ref(request)


def test_what_the_index_does_not_bear_out_is_refused_before_the_start() -> None:
    gone = {"uri": uri_of(ANN, "artifact", "gone"), "cid": UNSEEN}
    unseen = write(ANN, "artifactRequest", 81, goal=ref(GOAL), type="review", subject=gone)
    index = INDEX.extend([unseen])
    cases = [
        (GOAL.uri, BOT, "UnknownRequest", "$.request"),
        (OPEN_PLAN.uri, EVE, "NoMember", "$.author"),
        (ANSWER.uri, ANN, "AssignedToAnother", "$.author"),
        (unseen.uri, BOT, "UnknownSubject", "$.subject"),
    ]
    for request, author, name, path in cases:
        found = assign(index, request, author=author, turn="1")
        assert isinstance(found, Refusal)
        assert (found.name, found.objections[0].path) == (name, path)
    assert isinstance(assign(index, OPEN_PLAN.uri, author=ROOT, turn="1"), Assignment)


# What is never taken from the agent ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["artifact", "review", "reply"])
def test_the_daemons_fields_are_refused_by_name_even_when_they_are_right(kind: str) -> None:
    turn = started(kind, configured="m", claim=CLAIM)
    _, answer = submit(turn, SAID[kind])
    for name, value in {**value_of(answer), "author": BOT, "uri": "x", "rkey": "x"}.items():
        if name in SAID[kind]:
            continue
        after, answer = submit(turn, {**SAID[kind], name: value})
        assert names(answer)[0] == "FilledByDaemon"
        assert names(answer)[1] in {f"$.{name}", f"$[{name!r}]"}
        assert after is turn


def test_the_model_is_the_one_last_observed_else_the_configured_one_else_nothing() -> None:
    def models(turn: Turn, *reports: str) -> list[str | None]:
        found = []
        for report in (None, *reports):
            if report is not None:
                turn, _ = advance(turn, Observe(report))
            turn, answer = ask(turn)
            found.append(value_of(answer).get("model"))
            turn, _ = advance(turn, Written("c"))
        _, answer = submit(turn, SAID["artifact"])
        return [*found, value_of(answer).get("model")]

    assert models(started()) == [None, None]
    assert models(started(configured="set")) == ["set", "set"]
    assert models(started(configured="set"), "seen", "rerouted") == ["set", "seen", "rerouted", "rerouted"]
    assert models(started(), "seen") == [None, "seen", "seen"]


@pytest.mark.parametrize("name", ["", "x" * 513, "a\nb", "\x1b[31m", "\ud800", "\u202e"])
def test_what_a_harness_calls_its_model_is_fit_for_a_record_or_no_report(name: str) -> None:
    """Otherwise every submission of the turn would fail, and its agent could not mend it."""
    with pytest.raises(ValueError, match="no name of a model"):
        Observe(name)
    with pytest.raises(ValueError, match="no name of a model"):
        started(configured=name)
    assert Observe("x" * 512).model == "x" * 512


def test_a_later_report_does_not_rewrite_what_was_handed_out() -> None:
    turn, answer = submit(started(configured="set"), SAID["artifact"])
    turn, _ = advance(turn, Observe("rerouted"))
    assert value_of(answer)["model"] == "set"
    assert turn.pending == answer


def test_the_claim_is_the_one_that_is_held_at_the_write() -> None:
    renewed = StrongRef(CLAIM.uri, cid_of({"renewed": True}))
    turn, _ = advance(started(claim=CLAIM), Hold(renewed))
    _, answer = submit(turn, SAID["artifact"])
    assert value_of(answer)["claim"] == {"uri": renewed.uri, "cid": renewed.cid}


def test_a_moment_that_is_none_is_the_callers_mistake() -> None:
    for event in (Ask(said={"body": "x"}, at="now"), Submit(kind="artifact", said=SAID["artifact"], at="now")):
        with pytest.raises(ValueError, match="not an atproto datetime"):
            advance(started(), event)


@pytest.mark.parametrize("linked", ["c0ffee", "HEAD", COMMIT.upper(), "--detach".ljust(40, "0"), COMMIT + "\n"])
def test_nothing_but_a_whole_commit_hash_is_handed_on_as_the_one_under_review(linked: str) -> None:
    """Somebody's record says it, and whoever runs the turn gives it to git."""
    links = {"commit": linked}
    code = write(ANN, "artifact", 64, goal=ref(GOAL), request=ref(OPEN_PLAN), type="plan", body="b", links=links)
    asked = write(ANN, "artifactRequest", 65, goal=ref(GOAL), type="review", subject=ref(code))
    found = assign(materialize([*RECORDS, code, asked]), asked.uri, author=BOT, turn="1")
    assert isinstance(found, Assignment)
    assert found.commit is None
    assert assigned("review").commit == COMMIT
