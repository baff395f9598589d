"""The five questions: what each answers about the small world, and what every answer states."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from radial_core import Index, Record, materialize
from radial_core.jsonviews import to_plain
from radial_core.query.answers import HIGHEST_LIMIT, LONGEST_WORDS, Answer, Freshness, Question
from radial_core.query.asking import Reader, query
from radial_core.query.schema import SCHEMA
from tests.core.small_world import (
    ADD_BOT,
    ADD_EVE,
    ANN,
    ATTIC,
    AUDIT,
    BLESS,
    BLESS_WITHDRAWN,
    BLOB,
    BOT,
    CHECKRUN,
    CLAIM,
    CLOSE,
    EDIT,
    EVE,
    GOAL,
    IMAGE,
    LAB,
    MERGE,
    PLAN,
    PLAN_AGAIN,
    PROFILE,
    PROJECT,
    QUESTION,
    REMARK,
    REPLY,
    REQUEST,
    RETRACTION,
    REVIEW,
    REVIEW_WANTED,
    SPACE,
    SWITCH,
    UNPARK,
    UNSEEN,
    UNSHELVE,
    UNWANTED,
    WORLD,
    at,
    ref,
    uri_of,
    uris,
    write,
)
from tests.golden.schema import Schema
from tests.histories import histories
from tests.query.test_web import Plain, fold

if TYPE_CHECKING:
    from collections.abc import Iterable

INDEX = materialize(WORLD)
READER = Reader(INDEX)
NOWHERE = uri_of(EVE, "goal", "none")
LEAF = write(EVE, "goal", 70, "stray", space=ref(SPACE), project=ref(PROJECT), title="Stray", body="")


def ask(asks: str, about: str, reader: Reader = READER, **more: Any) -> Answer:
    return reader.ask(Question(ask=asks, about=about, **more))


def named(answer: Answer) -> list[str]:
    return [item.uri for item in answer.items]


def plus(*records: Record) -> Reader:
    return Reader(materialize([*WORLD, *records]))


# What is asked --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "expected", "state"),
    [
        (GOAL, (UNPARK, CLOSE), ["ended"]),
        (PLAN, (REVIEW, CHECKRUN, MERGE), ["superseded", "merged"]),
        (PLAN_AGAIN, (), ["current"]),
        (PROJECT, (EDIT, SWITCH, UNSHELVE), ["open"]),
        (REQUEST, (), ["fulfilled"]),
        (UNWANTED, (RETRACTION,), ["retracted"]),
        (QUESTION, (), ["question", "answered"]),
        (REPLY, (), []),
        (BLESS, (), ["standing"]),
        (ADD_BOT, (), ["current"]),
        (ADD_EVE, None, ["revoked"]),
        (IMAGE, (), []),
    ],
)
def test_a_subject_tells_its_state_and_what_was_decided(record: Record, expected: Any, state: list[str]) -> None:
    answer = ask("subject", record.uri)
    assert answer.subject is not None
    assert [*answer.subject.state] == state
    assert answer.subject.note is not None
    assert (answer.subject.note.cid, answer.resolved) == (record.cid, True)
    if expected is not None:
        assert named(answer) == [*uris(*expected)]


def test_a_withdrawn_blessing_and_who_withdrew_it() -> None:
    answer = ask("subject", BLESS_WITHDRAWN.uri)
    assert answer.subject is not None
    assert answer.subject.state == ("withdrawn",)
    assert [item.note.says for item in answer.items if item.note is not None] == ["retracted"]


def test_a_goal_tells_what_was_decided_about_its_current_artifacts_and_only_the_last_checks() -> None:
    red, green = (
        write(BOT, "checkrun", minute, artifact=ref(PLAN_AGAIN), commit="c", results=[{"name": "t", "pass": passed}])
        for minute, passed in ((60, True), (61, False))
    )
    verdict = write(ANN, "review", 62, subject=ref(PLAN_AGAIN), verdict="request_changes")
    answer = ask("subject", GOAL.uri, plus(red, green, verdict))
    assert [(item.note.says, item.note.standing) for item in answer.items if item.note is not None] == [
        ("reopened", "claimed"),
        ("completed", "claimed"),
        ("failed", "observed"),
        ("request_changes", "claimed"),
    ]
    assert named(answer)[2] == green.uri


def test_rival_versions_open_requests_and_unanswered_questions_have_their_words() -> None:
    rival = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="r", prev=ref(PLAN))
    opened = write(ANN, "closeGoal", 61, goal=ref(GOAL), closed=False)
    wanted = write(ANN, "artifactRequest", 62, goal=ref(GOAL), type="plan", assignee=BOT)
    asked = write(BOT, "message", 63, goal=ref(GOAL), body="?", re=ref(wanted))
    twice = write(BOT, "message", 67, goal=ref(GOAL), body="??", re=ref(wanted))
    refused = write(ANN, "artifactRequest", 64, goal=ref(GOAL), type="plan", assignee=BOT)
    no = write(BOT, "message", 65, goal=ref(GOAL), body="no", re=ref(refused), declines=True)
    shelved = write(ANN, "archiveProject", 66, project=ref(PROJECT), archived=True)
    reader = plus(rival, opened, wanted, asked, twice, refused, no)
    states = {
        record.uri: answer.subject.state
        for record in (PLAN_AGAIN, rival, GOAL, wanted, asked, twice, refused, no)
        if (answer := ask("subject", record.uri, reader)).subject is not None
    }
    assert [*states.values()] == [
        ("rival",),
        ("current",),
        ("open",),
        ("open", "dispatchable", "awaiting input"),
        ("question", "unanswered"),
        ("question", "unanswered"),
        ("declined",),
        (),
    ]
    assert named(ask("subject", refused.uri, reader)) == [no.uri]
    answer = ask("subject", PROJECT.uri, plus(shelved))
    assert answer.subject is not None
    assert answer.subject.state == ("archived",)


def test_dependents_are_those_that_refer_to_a_record_with_their_fields() -> None:
    answer = ask("dependents", PLAN.uri)
    assert named(answer) == [*uris(PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE, REMARK)]
    assert [[link.field for link in item.links] for item in answer.items] == [
        ["prev"], ["subject"], ["subject"], ["artifact"], ["artifact"], ["artifact"],
    ]  # fmt: skip
    assert [(link.field, link.pin) for link in ask("dependents", QUESTION.uri).items[0].links] == [
        ("root", "held"),
        ("parent", "held"),
    ]


def test_dependencies_are_what_a_record_refers_to_in_vain_too() -> None:
    answer = ask("dependencies", REQUEST.uri)
    assert [(item.uri, [link.field for link in item.links]) for item in answer.items] == [
        (GOAL.uri, ["goal"]),
        (AUDIT.uri, ["subject", "basedOn"]),
    ]
    comment = ask("dependencies", BLESS.uri).items[1]
    assert (comment.uri, comment.resolved, comment.note) == (uri_of(EVE, "message", "hi"), False, None)
    assert [(link.field, link.cid, link.pin) for link in comment.links] == [("comment", UNSEEN, None)]


def test_impact_reaches_through_any_number_of_references_near_ones_first() -> None:
    answer = ask("impact", AUDIT.uri)
    # By hand: the request rests on the audit; claim, question and plans on the request; the rest on those.
    assert [(item.uri, item.steps) for item in answer.items] == [
        (REQUEST.uri, 1),
        *((record.uri, 2) for record in (CLAIM, QUESTION, PLAN, PLAN_AGAIN)),
        *((record.uri, 3) for record in (REPLY, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE, REMARK)),
    ]


def test_the_impact_of_a_space_is_everything_that_counts_there() -> None:
    there = {record.uri for record in LAB} - {SPACE.uri, PROFILE.uri, IMAGE.uri}
    assert {*named(ask("impact", SPACE.uri))} == there
    assert named(ask("impact", ATTIC.uri)) == [uri_of(ANN, "addMember", "m51")]


# Search ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("clean", [AUDIT]),
        ("CLEAN", [AUDIT]),
        ("ship", [GOAL]),
        ("all of", [SPACE]),
        ("of all", [SPACE]),
        ("of none", []),
        ("coder", [PROFILE]),
        ("hi", [GOAL, BLESS, QUESTION]),
    ],
)
def test_a_search_finds_records_in_whose_words_all_words_occur(words: str, expected: list[Record]) -> None:
    # "hi": “Ship” is a title; then the latest first: “hi” of the blessing, “which?” of the question.
    assert named(ask("search", words)) == [record.uri for record in expected]


def test_a_search_passes_by_what_was_superseded_or_withdrawn_and_counts_it() -> None:
    answer = ask("search", "hi!")
    assert (named(answer), answer.total, answer.coverage.superseded) == ([], 0, 1)
    assert named(ask("search", "hi!", superseded=True)) == [BLESS_WITHDRAWN.uri]
    first = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="needle")
    second = write(
        BOT, "artifact", 61, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="needle", prev=ref(first)
    )
    assert named(ask("search", "needle", plus(first, second))) == [second.uri]
    assert named(ask("search", "needle", plus(first, second), superseded=True)) == [second.uri, first.uri]


def test_of_versions_in_a_circle_a_search_finds_one() -> None:
    one = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="needle")
    other = write(BOT, "artifact", 61, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="needle", prev=ref(one))
    turned = Record(uri=one.uri, cid=UNSEEN, value={**one.value, "prev": {"uri": other.uri, "cid": UNSEEN}})
    answer = ask("search", "needle", plus(turned, other))
    assert (named(answer), answer.coverage.superseded) == ([other.uri], 1)


def test_a_search_looks_into_findings_criteria_and_pictures_and_shows_where() -> None:
    finding = {"severity": "minor", "body": "x" * 100 + " the Straße is wet " + "y" * 200}
    verdict = write(ANN, "review", 60, subject=ref(PLAN), verdict="approve", findings=[finding])
    work = write(
        BOT, "artifact", 61, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="", criteria=["dry", "strasse"]
    )
    picture = write(ANN, "image", 62, blob=BLOB, alt="Eine Strasse")
    odd = write(ANN, "message", 63, goal=ref(GOAL), body="", criteria=5, alt={"body": 1}, name=["a strasse"])
    answer = ask("search", "STRASSE", plus(verdict, work, picture, odd))
    assert named(answer) == [odd.uri, picture.uri, work.uri, verdict.uri]
    excerpts = [item.excerpt for item in answer.items]
    assert excerpts[:3] == ["a strasse", "Eine Strasse", "strasse"]
    assert excerpts[3] == "…" + ("x" * 100 + " the Straße is wet " + "y" * 200)[65:225] + "…"


def test_a_search_can_be_narrowed_to_a_space() -> None:
    assert named(ask("search", "coder", space=ATTIC.uri)) == [PROFILE.uri]
    answer = ask("search", "clean", space=ATTIC.uri)
    assert (named(answer), answer.coverage.spaces) == ([], (ATTIC.uri,))
    # The attic has its own record, the grant, ann's picture, and bot's profile.
    assert answer.coverage.records == 4


# What every answer states ---------------------------------------------------------------------------------------------


def test_what_is_not_here_is_another_answer_than_what_has_nothing() -> None:
    """RK-13.3."""
    for asks in ("subject", "dependents", "dependencies", "impact"):
        answer = ask(asks, NOWHERE)
        assert (answer.resolved, answer.total, answer.items) == (False, 0, ())
        assert answer.subject is not None
        assert (answer.subject.verdict, answer.subject.note) == ("unknown", None)
    leaf = ask("dependents", REVIEW.uri)
    assert (leaf.resolved, leaf.total, leaf.items) == (True, 0, ())
    ignored = ask("impact", LEAF.uri, plus(LEAF))
    assert (ignored.resolved, ignored.total) == (False, 0)
    assert ignored.subject is not None
    assert (ignored.subject.verdict, ignored.subject.rule) == ("ignored", "T5")
    assert ask("search", "clean").resolved is None


def test_a_truncated_answer_says_so_and_can_be_gone_on_with() -> None:
    """RK-13.2: limit 10 over 50."""
    talk = [write(ANN, "message", 100 + n, artifact=ref(AUDIT), body="") for n in range(49)]  # and the request
    reader = plus(*talk)
    first = ask("dependents", AUDIT.uri, reader, limit=10)
    assert (len(first.items), first.total, first.truncated) == (10, 50, True)
    pages = [ask("dependents", AUDIT.uri, reader, limit=20, skip=skip) for skip in (0, 20, 40, 60)]
    assert [(len(page.items), page.total, page.truncated) for page in pages] == [
        (20, 50, True),
        (20, 50, True),
        (10, 50, False),
        (0, 50, False),
    ]
    assert [uri for page in pages for uri in named(page)] == [REQUEST.uri, *uris(*talk)]


def test_coverage_names_the_index_and_what_was_looked_through() -> None:
    covered = ask("dependents", PLAN.uri, plus(LEAF)).coverage
    assert covered.digest == INDEX.digest  # D1: an ignored record changes none
    assert covered.spaces == (SPACE.uri,)
    assert covered.records == len(LAB) - 2  # the profile and the picture stand nowhere
    assert covered.ignored == 1
    elsewhere = ask("dependents", NOWHERE).coverage
    assert elsewhere.spaces == tuple(sorted(uris(SPACE, ATTIC)))
    assert elsewhere.records == len(WORLD) - 2


def test_freshness_is_what_the_caller_knows() -> None:
    known = Freshness(state="live", as_of=at(90), behind=0, unread=(EVE,))
    question = Question(ask="subject", about=GOAL.uri)
    assert query(INDEX, question, known).freshness == known
    assert to_plain(query(INDEX, question).freshness) == {
        "state": "unknown",
        "asOf": None,
        "behind": None,
        "unread": [],
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"ask": "everything", "about": GOAL.uri},
        {"ask": "subject", "about": " "},
        {"ask": "search", "about": "a" * (LONGEST_WORDS + 1)},
        {"ask": "subject", "about": GOAL.uri, "limit": 0},
        {"ask": "subject", "about": GOAL.uri, "limit": HIGHEST_LIMIT + 1},
        {"ask": "subject", "about": GOAL.uri, "skip": -1},
        {"ask": "subject", "about": GOAL.uri, "space": SPACE.uri},
        {"ask": "impact", "about": GOAL.uri, "superseded": True},
    ],
)
def test_what_can_be_no_question_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"question|limit|search"):
        Question(**wrong)


# The laws -------------------------------------------------------------------------------------------------------------


def everything(index: Index) -> Iterable[Answer]:
    reader = Reader(index)
    seen = sorted({*Plain(index).space, *(row.uri for row in index.ignored), *(image.uri for image in index.images)})
    for uri in filter(str.strip, seen):  # O6 ignores what no question can be about
        for asks in ("subject", "dependents", "dependencies", "impact"):
            yield ask(asks, uri, reader, limit=HIGHEST_LIMIT)
    yield ask("search", "a", reader, superseded=True)


@given(histories(most=40), st.randoms(use_true_random=False))
def test_the_order_of_observations_changes_no_answer(history: list[dict[str, Any]], random: Any) -> None:
    shuffled = fold(random.sample(history, len(history)))
    assert [*map(to_plain, everything(fold(history)))] == [*map(to_plain, everything(shuffled))]


@given(histories(most=40))
def test_every_answer_is_as_the_schema_has_it(history: list[dict[str, Any]]) -> None:
    schema = Schema(SCHEMA)
    for answer in everything(fold(history)):
        assert schema.faults(json.loads(json.dumps(to_plain(answer)))) == []


@given(histories(most=40))
def test_totals_are_those_of_counting(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    reader, plain = Reader(index), Plain(index)
    back: dict[str, set[str]] = {}
    forth: dict[str, set[str]] = {}
    for source, _, target, resolves in plain.edges():
        forth.setdefault(source, set()).add(target)
        if resolves:
            back.setdefault(target, set()).add(source)
    for uri in plain.value:
        assert ask("dependents", uri, reader).total == len(back.get(uri, ()))
        assert ask("dependencies", uri, reader).total == len(forth.get(uri, ()))
        reached = {uri}
        while more := {source for at_ in reached for source in back.get(at_, ())} - reached:
            reached |= more
        assert {*named(ask("impact", uri, reader, limit=HIGHEST_LIMIT))} == reached - {uri}
        assert ask("impact", uri, reader, limit=1).total == len(reached) - 1


@given(histories(most=40))
def test_dependents_and_dependencies_are_inverse(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    reader, plain = Reader(index), Plain(index)
    there = {(uri, item.uri) for uri in plain.value for item in ask("dependencies", uri, reader).items if item.resolved}
    back = {(item.uri, uri) for uri in plain.value for item in ask("dependents", uri, reader).items}
    assert there == back
