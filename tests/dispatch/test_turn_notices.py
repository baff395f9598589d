"""What is written all the same and said about it; what is too long for a record."""

from __future__ import annotations

import hashlib

from radial_core import materialize
from radial_core.cids import Cid
from radial_core.dispatch.drafting import Bounds, File, Write
from radial_core.dispatch.lifecycle import (
    Start,
)
from radial_core.dispatch.turn import Turn, advance
from tests.core.small_world import (
    ADD_BOT,
    ANN,
    BOT,
    GOAL,
    PLAN,
    REPLY,
    ROOT,
    SPACE,
    again,
    ref,
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
        "gone": (INDEX.extend([gone]), ["SubjectGone"]),
    }
    for name, (index, expected) in cases.items():
        _, answer = submit(started("review"), SAID["review"], index=index)
        assert isinstance(answer, Write)
        assert [notice.name for notice in answer.notices] == expected, name
        assert all(notice.path == "$.subject" for notice in answer.notices)
        assert answer.value["subject"] == ref(CODE)


def test_a_subject_that_was_superseded_before_the_start_has_not_moved() -> None:
    newer = write(BOT, "artifact", 90, goal=ref(GOAL), request=ref(OPEN_PLAN), type="plan", body="n", prev=ref(CODE))
    index = INDEX.extend([newer])
    turn, _ = advance(Turn(assignment=assigned("review", index)), Start())
    _, answer = submit(turn, SAID["review"], index=index)
    assert isinstance(answer, Write)
    assert answer.notices == ()


def test_what_an_artifact_continues_and_what_a_reply_answers_are_watched_too() -> None:
    cases = {"artifact": ("$.prev", PLAN, {"body": "other"}), "reply": ("$.parent", REPLY, {"body": "other"})}
    for kind, (path, record, change) in cases.items():
        index = materialize([*(one for one in RECORDS if one is not record), again(record, **change)])
        _, answer = submit(started(kind), SAID[kind], index=index)
        assert isinstance(answer, Write)
        assert [(notice.name, notice.path) for notice in answer.notices] == [("SubjectEdited", path)]


# What is too long ---------------------------------------------------------------------------------------------------


def test_a_long_body_goes_into_a_file_with_its_summary_in_its_place() -> None:
    body = "é" * 600
    turn = started(bounds=Bounds(record=1500))
    after, answer = submit(turn, {"title": "T", "body": body})
    assert names(answer) == ("BodyTooLong", "$.body")
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
    cases = [
        ("artifact", long, "$.body", "a file may have 1000"),
        ("artifact", {**long, "body": "b" * 900, "criteria": ["y" * 1200]}, "$", "without its body"),
        ("reply", {"body": "b" * 1600}, "$", "shorten it"),
    ]
    for kind, said, path, words in cases:
        _, answer = submit(started(kind, bounds=bounds), said)
        assert names(answer) == ("BodyTooLong", path)
        assert words in str(answer)
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
