"""What is written all the same and said about it; what is too long for a record."""

from __future__ import annotations

import hashlib

import pytest

from radial_core import Record, materialize
from radial_core.cids import Cid
from radial_core.dispatch.assignment import Assignment, assign
from radial_core.dispatch.drafting import Bounds, File, Write
from radial_core.dispatch.lifecycle import (
    Start,
)
from radial_core.dispatch.turn import Turn, advance
from tests.core.small_world import (
    ADD_BOT,
    ANN,
    ATTIC,
    AUDIT,
    AUDIT_WANTED,
    BOT,
    CLOSE,
    GOAL,
    PLAN,
    PLAN_AGAIN,
    PROJECT,
    REPLY,
    REQUEST,
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
    CODE,
    INDEX,
    OPEN_PLAN,
    RECORDS,
    SAID,
    assigned,
    names,
    record_of,
    started,
    submit,
)

# What moved meanwhile -----------------------------------------------------------------------------------------------


def test_a_subject_that_moved_is_reported_and_not_refused() -> None:
    newer = write(BOT, "artifact", 90, goal=ref(GOAL), request=ref(OPEN_PLAN), type="plan", body="n", prev=ref(CODE))
    edited = again(CODE, body="changed")
    gone = write(ROOT, "removeMember", 90, space=ref(SPACE), did=BOT, membership=ref(ADD_BOT))
    cases = {
        "nothing": (INDEX, []),
        "something else": (INDEX.extend([write(ANN, "message", 90, goal=ref(GOAL), body="x")]), []),
        "superseded": (INDEX.extend([newer]), ["SubjectSuperseded"]),
        "rewritten": (materialize([*(one for one in RECORDS if one is not CODE), edited]), ["SubjectEdited"]),
        "gone": (INDEX.extend([gone]), ["AuthorRemoved", "SubjectGone"]),
    }
    for name, (index, expected) in cases.items():
        _, answer = submit(started("review"), SAID["review"], index=index)
        assert isinstance(answer, Write)
        assert [notice.name for notice in answer.notices] == expected, name
        assert all(notice.path == "$" for notice in answer.notices)
        assert answer.value["subject"] == ref(CODE)


def test_a_subject_that_was_superseded_before_the_start_has_not_moved() -> None:
    newer = write(BOT, "artifact", 90, goal=ref(GOAL), request=ref(OPEN_PLAN), type="plan", body="n", prev=ref(CODE))
    index = INDEX.extend([newer])
    turn, _ = advance(Turn(assignment=assigned("review", index)), Start())
    _, answer = submit(turn, SAID["review"], index=index)
    assert isinstance(answer, Write)
    assert answer.notices == ()


def test_what_an_artifact_continues_and_what_a_reply_answers_are_watched_too() -> None:
    for kind, record in {"artifact": PLAN, "reply": REPLY}.items():
        index = materialize([*(one for one in RECORDS if one is not record), again(record, body="other")])
        _, answer = submit(started(kind), SAID[kind], index=index)
        assert isinstance(answer, Write)
        assert [notice.name for notice in answer.notices] == ["SubjectEdited"]
        assert record.uri in str(answer.notices[0])


def test_that_nobody_looked_is_said() -> None:
    for kind, said in SAID.items():
        _, answer = submit(started(kind), said, index=None)
        assert isinstance(answer, Write)
        assert [(notice.name, notice.path) for notice in answer.notices] == [("MovesUnchecked", "$")]


# A goal that goes on, an implementation wanted there, and what it is based on.
OPEN = (*(one for one in WORLD if one is not CLOSE), OPEN_PLAN, CODE)
BASIS = (PLAN_AGAIN, AUDIT, GOAL, REPLY)
BUILD = write(
    ANN, "artifactRequest", 82, goal=ref(GOAL), type="build", basedOn=[ref(one) for one in BASIS], assignee=BOT
)
WANTED = (*OPEN, BUILD)


def notices(*records: Record, without: tuple[Record, ...] = (), said: str = "built") -> list[str]:
    """Deliver the build as these records land and others go; give the names of the notices."""
    work = assign(materialize(WANTED), BUILD.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    kept = [one for one in WANTED if one.uri not in {other.uri for other in (*records, *without)}]
    turn, _ = advance(Turn(assignment=work), Start())
    _, answer = submit(turn, {"title": said, "body": "b"}, index=materialize([*kept, *records]))
    assert isinstance(answer, Write)
    assert all(notice.path == "$" for notice in answer.notices)
    return [notice.name for notice in answer.notices]


def test_whatever_a_request_is_based_on_is_watched() -> None:
    newer = write(
        BOT, "artifact", 90, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="n", prev=ref(PLAN_AGAIN)
    )
    audit = write(BOT, "artifact", 91, project=ref(PROJECT), request=ref(AUDIT_WANTED), type="audit", body="n",
                  prev=ref(AUDIT))  # fmt: skip
    assert notices() == []
    assert notices(newer) == notices(audit) == ["SubjectSuperseded"]
    assert notices(newer, audit) == ["SubjectSuperseded"] * 2
    for record in BASIS:
        assert notices(again(record, body="other")) == ["SubjectEdited"], record.uri
    for record in (AUDIT, REPLY):
        assert notices(without=(record,)) == ["SubjectGone"], record.uri
    # What a plan was made from is behind it: not what the turn works on.
    assert notices(again(PLAN, body="other")) == []


def test_what_does_not_count_in_the_space_of_the_request_is_not_watched() -> None:
    """L4: it was never told to the turn, so whatever becomes of it is no news."""
    other = write(
        ANN, "project", 83, "o", space=ref(ATTIC), name="O", gitUrl="https://git.example/o", defaultBranch="m"
    )
    far = write(ANN, "goal", 84, "far", space=ref(ATTIC), project=ref(other), title="Far", body="F")
    lost = {"uri": uri_of(ANN, "artifact", "lost"), "cid": UNSEEN}
    asked = write(ANN, "artifactRequest", 85, goal=ref(GOAL), type="build", basedOn=[ref(far), lost, ref(PLAN)])
    index = materialize([*OPEN, ATTIC, other, far, asked])
    work = assign(index, asked.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    assert [watched.ref.uri for watched in work.watched] == [PLAN.uri]
    later = materialize([*OPEN, ATTIC, other, again(far, body="other"), asked])
    _, answer = submit(advance(Turn(assignment=work), Start())[0], SAID["artifact"], index=later)
    assert isinstance(answer, Write)
    assert answer.notices == ()


FULFILMENT = write(ANN, "artifact", 90, goal=ref(GOAL), request=ref(BUILD), type="build", body="mine")


@pytest.mark.parametrize(
    ("record", "name", "words"),
    [
        (write(ANN, "retractRequest", 90, request=ref(BUILD)), "NotWanted", "retracted by"),
        (FULFILMENT, "NotWanted", f"fulfilled by {FULFILMENT.uri}"),
        (
            write(BOT, "message", 90, goal=ref(GOAL), re=ref(BUILD), body="no", declines=True),
            "NotWanted",
            "declined by",
        ),
        (CLOSE, "NotWanted", "has ended"),
        (write(ANN, "archiveGoal", 90, goal=ref(GOAL), archived=True), "NotWanted", "has ended"),
        (write(ANN, "archiveProject", 90, project=ref(PROJECT), archived=True), "NotWanted", "archived"),
        (again(BUILD, brief="other"), "RequestEdited", BUILD.uri),
        (write(ROOT, "removeMember", 90, space=ref(SPACE), did=BOT, membership=ref(ADD_BOT)), "AuthorRemoved", BOT),
    ],
)
def test_that_a_request_wants_no_work_any_more_is_said(record: Record, name: str, words: str) -> None:
    work = assign(materialize(WANTED), BUILD.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    turn, _ = advance(Turn(assignment=work), Start())
    index = materialize([*(one for one in WANTED if one.uri != record.uri), record])
    _, answer = submit(turn, SAID["artifact"], index=index)
    assert isinstance(answer, Write)
    [told] = [notice for notice in answer.notices if not notice.name.startswith("Subject")]
    assert told.name == name
    assert words in told.message


def test_a_request_that_is_gone_is_said_to_be() -> None:
    assert notices(without=(BUILD,)) == ["RequestGone"]


def test_what_was_so_at_the_start_is_no_news() -> None:
    index = materialize([*WANTED, CLOSE, write(ANN, "retractRequest", 90, request=ref(BUILD))])
    work = assign(index, BUILD.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    _, answer = submit(advance(Turn(assignment=work), Start())[0], SAID["artifact"], index=index)
    assert isinstance(answer, Write)
    assert answer.notices == ()


def test_what_this_turn_wrote_before_its_answer_was_lost_is_no_news_to_it() -> None:
    work = assign(materialize(WANTED), BUILD.uri, author=BOT, turn="1")
    assert isinstance(work, Assignment)
    turn, _ = advance(Turn(assignment=work), Start())
    _, first = submit(turn, SAID["artifact"], index=materialize(WANTED))
    after = materialize([*WANTED, record_of(first)])
    view = after.request(BUILD.uri)
    assert view is not None
    assert view.fulfilled_by
    _, again_ = submit(turn, SAID["artifact"], index=after)
    assert again_ == first


# What is too long ---------------------------------------------------------------------------------------------------


def test_a_long_body_goes_into_a_file_with_its_summary_in_its_place() -> None:
    body = "é" * 600
    turn = started(bounds=Bounds(record=1500))
    after, answer = submit(turn, {"title": "T", "body": body})
    assert names(answer) == ("BodyTooLong", "$.summary")
    assert "add a summary" in str(answer)
    assert after is turn
    _, answer = submit(turn, {"title": "T", "body": body, "summary": "S"})
    assert isinstance(answer, Write)
    digest = hashlib.sha256(body.encode()).digest()
    blob = {"$type": "blob", "ref": Cid(b"\x01\x55\x12\x20" + digest), "mimeType": "text/markdown", "size": 1200}
    assert answer.file == File(body.encode())
    assert (answer.value["body"], answer.value["bodyBlob"]) == ("S", blob)
    assert "summary" not in answer.value
    assert answer.notices == ()


def test_a_summary_that_is_not_needed_is_left_out_and_said_so() -> None:
    _, answer = submit(started(), {**SAID["artifact"], "summary": "S"})
    assert isinstance(answer, Write)
    assert answer.file is None
    assert "summary" not in answer.value
    assert [notice.name for notice in answer.notices] == ["SummaryUnused"]


def test_what_no_file_can_take_is_refused() -> None:
    bounds = Bounds(record=1500, file=1000)
    long = {"title": "T", "body": "x" * 1001, "summary": "S", "criteria": ["y" * 600]}
    bare = {"title": "T", "body": "b"}
    cases = [
        ("artifact", long, "BodyTooLong", ["$.body"], "a file may have 1000"),
        ("reply", {"body": "b" * 1600}, "BodyTooLong", ["$.body"], "shorten it"),
        # It is not the body that is to be shortened, and no summary helps.
        ("artifact", {**long, "body": "b" * 900, "criteria": ["y" * 1200]}, "RecordTooLong", ["$.criteria"], "without"),
        ("artifact", {**bare, "criteria": ["y"] * 800}, "RecordTooLong", ["$.criteria"], "without its body"),
        ("artifact", {**bare, "title": "y" * 1600}, "RecordTooLong", ["$.title"], "without its body"),
        ("artifact", {**bare, "title": "y" * 1600, "addressed": []}, "RecordTooLong", ["$.title"], "without its body"),
        ("artifact", {**bare, "title": "y" * 1600, "summary": "s"}, "RecordTooLong", ["$.title"], "without its body"),
        ("artifact", {**bare, "title": "y" * 1420, "body": "b" * 1001}, "RecordTooLong", ["$.title", "$.body"], "1001"),
        ("review", {"verdict": "approve", "findings": [{"severity": "nit", "body": "b" * 1600}]}, "RecordTooLong",
         ["$.findings"], "shorten it"),
    ]  # fmt: skip
    for kind, said, name, paths, words in cases:
        _, answer = submit(started(kind, bounds=bounds), said)
        assert names(answer) == (name, *paths)
        assert words in str(answer)
    _, answer = submit(started(bounds=Bounds(record=1500)), {**bare, "body": "b" * 1600, "summary": "y" * 1600})
    assert names(answer) == ("RecordTooLong", "$.summary")
    both = {"title": "y" * 1600, "body": "b" * 1600}
    _, answer = submit(started(bounds=Bounds(record=1500)), both)
    assert names(answer) == ("RecordTooLong", "$.title", "$.summary")
    _, answer = submit(started(bounds=bounds), {"title": "T", "body": "x" * 2600})
    assert names(answer) == ("TooLong", "$")


def test_a_record_is_as_long_as_its_json() -> None:
    # `"body": "…"` of line feeds takes two bytes each in JSON, one in DAG-CBOR: the server counts the JSON.
    _, answer = submit(started("reply", bounds=Bounds(record=1500)), {"body": "x" + "\n" * 700})
    assert names(answer)[0] == "BodyTooLong"
    # A letter that is no ASCII is sent as it is, two bytes of UTF-8, and not as six of an escape.
    for body in ("x" * 700, "é" * 350):
        _, answer = submit(started("reply", bounds=Bounds(record=1500)), {"body": body})
        assert isinstance(answer, Write)
