"""What waits for a person: one of each kind, and for each the act after which it waits no more (RK-12.6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core import Record, materialize, parse_instant
from radial_core.query.inbox import KINDS, Waiting, inbox
from tests.core.small_world import (
    ANN,
    AUDIT,
    BOT,
    EVE,
    PREFIX,
    ROOT,
    add,
    again,
    at,
    ref,
    uri_of,
    write,
)
from tests.histories import PEOPLE, histories
from tests.query.test_web import fold

NOW = parse_instant("2026-02-01T00:00:00Z")
BEN = "did:plc:ben"

# A space of root's with ann and ben, who came, and a bot; a project of ann's with a goal of root's.
SPACE = write(ROOT, "space", 0, "lab", name="Lab")
GRANTS = [
    add(SPACE, 1, ANN, "human", "admin"),
    add(SPACE, 2, BEN, "human", "member"),
    add(SPACE, 3, BOT, "agent", "agent"),
]
JOINS = [write(did, "join", 4, space=ref(SPACE)) for did in (ANN, BEN)]
PROJECT = write(ANN, "project", 5, space=ref(SPACE), name="Site", gitUrl="https://git.example/s", defaultBranch="main")
GOAL = write(ROOT, "goal", 6, space=ref(SPACE), project=ref(PROJECT), title="Ship", body="")
LAB = [SPACE, *GRANTS, *JOINS, PROJECT, GOAL]


def waiting(who: str, *more: Record, world: list[Record] | None = None) -> list[Waiting]:
    return [*inbox(materialize([*(LAB if world is None else world), *more]), who, NOW)]


def told(who: str, *more: Record) -> list[tuple[str, str]]:
    return [(each.kind, each.about) for each in waiting(who, *more)]


def asked(by: str, minute: int, kind: str = "plan", **fields: Any) -> Record:
    return write(by, "artifactRequest", minute, **{"goal": ref(GOAL), "type": kind, **fields})


def made(by: str, minute: int, request: Record, **fields: Any) -> Record:
    anchor = {key: request.value[key] for key in ("goal", "project") if key in request.value}
    return write(by, "artifact", minute, request=ref(request), type=request.value["type"], body="", **anchor, **fields)


def said(by: str, minute: int, **fields: Any) -> Record:
    return write(by, "message", minute, **{"goal": ref(GOAL), "body": "", **fields})


def checked(artifact: Record, minute: int, *, passed: bool) -> Record:
    results = [{"name": "t", "pass": passed}]
    return write(BOT, "checkrun", minute, artifact=ref(artifact), commit="c", results=results)


REQUEST = asked(ANN, 10)
QUESTION = said(BOT, 11, re=ref(REQUEST))
FOR_BEN = asked(ANN, 12, assignee=BEN)
PLAN = made(BOT, 13, REQUEST)
RED = checked(PLAN, 14, passed=False)
FOR_BOT = asked(ANN, 15, "implementation", assignee=BOT)
NO = said(BOT, 16, re=ref(FOR_BOT), declines=True)
ODD = asked(ANN, 17, "novel")
CALL = said(BEN, 18, mentions=[ANN])


def test_nothing_waits_in_a_quiet_space() -> None:
    for who in (ROOT, ANN, BEN, BOT, EVE):
        assert told(who) == []


def test_a_question_waits_for_whoever_asked_for_the_work_until_somebody_replies() -> None:
    assert told(ANN, REQUEST, QUESTION) == [("question", QUESTION.uri)]
    assert told(ROOT, REQUEST, QUESTION) == told(BOT, REQUEST, QUESTION) == []
    assert told(ANN, REQUEST, QUESTION, said(BEN, 12, parent=ref(QUESTION), root=ref(QUESTION))) == []
    (found,) = waiting(ANN, REQUEST, QUESTION)
    assert (found.space, found.place, found.type, found.note.author) == (SPACE.uri, GOAL.uri, "plan", BOT)


def test_a_question_waits_for_whom_it_names_too_and_is_told_once() -> None:
    named = again(QUESTION, mentions=[BEN, ANN])
    assert told(BEN, REQUEST, named) == told(ANN, REQUEST, named) == [("question", QUESTION.uri)]


@pytest.mark.parametrize(
    ("place", "who"),
    [({"goal": ref(GOAL)}, ROOT), ({"goal": None, "project": ref(PROJECT)}, ANN)],
    ids=["who set the goal", "who started the project"],
)
def test_where_an_agent_asked_it_waits_for_a_person(place: dict[str, Any], who: str) -> None:
    request = asked(BOT, 10, **place)
    question = said(BOT, 11, re=ref(request))
    for each in (ROOT, ANN):
        assert (("question", question.uri) in told(each, request, question)) == (each == who)


def test_where_no_person_is_near_it_waits_for_the_root() -> None:
    goal = write(BOT, "goal", 7, space=ref(SPACE), project=ref(PROJECT), title="Bot's", body="")
    request = asked(BOT, 10, goal=ref(goal))
    plan = made(BOT, 11, request)
    assert told(ROOT, goal, request, plan) == [("review", plan.uri)]


@pytest.mark.parametrize(
    "over",
    [
        write(BEN, "closeGoal", 60, goal=ref(GOAL), closed=True),
        write(ANN, "archiveProject", 60, project=ref(PROJECT), archived=True),
    ],
    ids=["the goal has ended", "the project is archived"],
)
def test_where_work_has_stopped_nothing_waits(over: Record) -> None:
    everything = (REQUEST, QUESTION, FOR_BEN, PLAN, RED, FOR_BOT, NO, ODD, CALL)
    assert len(told(ANN, *everything)) == 5
    for who in (ROOT, ANN, BEN):
        assert told(who, *everything, over) == []


def test_a_request_waits_for_its_assignee_until_it_is_fulfilled_or_declined() -> None:
    assert told(BEN, FOR_BEN) == [("request", FOR_BEN.uri)]
    assert told(ANN, FOR_BEN) == []
    assert told(BEN, FOR_BEN, made(BEN, 20, FOR_BEN)) == []
    assert told(BEN, FOR_BEN, said(BEN, 20, re=ref(FOR_BEN), declines=True)) == []
    assert told(BEN, FOR_BEN, write(ANN, "retractRequest", 20, request=ref(FOR_BEN))) == []


def test_an_assignee_who_asked_back_waits_and_is_not_waited_for() -> None:
    back = said(BEN, 20, re=ref(FOR_BEN))
    assert told(BEN, FOR_BEN, back) == []
    assert told(ANN, FOR_BEN, back) == [("question", back.uri)]
    assert told(BEN, FOR_BEN, back, said(ANN, 21, parent=ref(back))) == [("request", FOR_BEN.uri)]


def test_a_request_for_a_review_or_an_answer_is_about_what_is_judged_or_answered() -> None:
    review = asked(ANN, 20, "review", subject=ref(PLAN), assignee=BEN)
    answer = asked(ANN, 21, "answer", subject=ref(CALL), assignee=BEN)
    assert told(BEN, REQUEST, PLAN, CALL, review, answer) == [("request", PLAN.uri), ("request", CALL.uri)]
    work = asked(ANN, 22, subject=ref(PLAN), assignee=BEN)
    assert told(BEN, REQUEST, PLAN, work) == [("request", work.uri)]


def test_a_version_waits_for_whoever_asked_for_it_until_a_person_judged_it_or_built_upon_it() -> None:
    assert told(ANN, REQUEST, PLAN) == [("review", PLAN.uri)]
    assert told(ROOT, REQUEST, PLAN) == told(BOT, REQUEST, PLAN) == []
    by_agent = write(BOT, "review", 20, subject=ref(PLAN), verdict="approve")
    assert told(ANN, REQUEST, PLAN, by_agent) == [("review", PLAN.uri)]
    for done in (
        write(BEN, "review", 20, subject=ref(PLAN), verdict="request_changes"),
        asked(BEN, 20, "implementation", basedOn=[ref(PLAN)]),
        asked(BEN, 20, subject=ref(PLAN)),
        write(BOT, "merge", 20, artifact=ref(PLAN), pr="https://git.example/1"),
        made(BOT, 20, REQUEST, prev=ref(PLAN)),
    ):
        assert PLAN.uri not in {about for _, about in told(ANN, REQUEST, PLAN, done)}


def test_a_question_about_a_version_and_work_that_was_withdrawn_are_nothing_built_upon_it() -> None:
    answer = asked(BEN, 20, "answer", subject=ref(CALL), basedOn=[ref(PLAN)], assignee=BOT)
    second = asked(BEN, 20, "review", subject=ref(PLAN), basedOn=[ref(PLAN)], assignee=BOT)
    work = [asked(BEN, 20, "implementation", basedOn=[ref(PLAN)]), asked(BEN, 20, subject=ref(PLAN))]
    for request in (answer, second):
        assert ("review", PLAN.uri) in told(ANN, REQUEST, PLAN, CALL, request)
    for request in work:
        withdrawn = write(BEN, "retractRequest", 21, request=ref(request))
        assert told(ANN, REQUEST, PLAN, RED, request) == []
        assert told(ANN, REQUEST, PLAN, RED, request, withdrawn) == [("review", PLAN.uri), ("checks", PLAN.uri)]


@pytest.mark.parametrize("kind", ["review", "answer"])
def test_a_request_about_what_is_not_here_waits_for_who_asked_too_and_names_itself(kind: str) -> None:
    """L5: it counts all the same, and nobody can fulfil it (R2)."""
    subject = PLAN if kind == "review" else CALL
    request = asked(ANN, 20, kind, subject=ref(subject), assignee=BEN)
    assert told(BEN, request) == [("request", request.uri)]
    assert [(each.kind, each.about, each.reason) for each in waiting(ANN, request)] == [
        ("stuck", request.uri, "what it is about is not here")
    ]
    assert ("request", subject.uri) in told(BEN, REQUEST, subject, request)
    assert "stuck" not in dict(told(ANN, REQUEST, subject, request))


def test_one_who_asked_back_about_a_review_is_not_asked_for_it_meanwhile() -> None:
    request = asked(BOT, 20, "review", subject=ref(PLAN), assignee=ANN)
    assert told(ANN, REQUEST, PLAN, request, said(ANN, 21, re=ref(request))) == []


def test_one_who_was_asked_for_the_review_is_told_of_the_request_alone() -> None:
    review = asked(BOT, 20, "review", subject=ref(PLAN), assignee=ANN)
    assert told(ANN, REQUEST, PLAN, review) == [("request", PLAN.uri)]
    assert told(ANN, REQUEST, PLAN, again(review, assignee=BEN)) == [("review", PLAN.uri)]


def test_nobody_is_asked_to_judge_their_own_work() -> None:
    request = asked(ANN, 10)
    assert told(ANN, request, made(ANN, 11, request)) == []


def test_work_without_a_request_here_waits_for_who_set_the_goal() -> None:
    """L5: what it names need not be here; then nobody asked for it."""
    assert told(ROOT, PLAN) == [("review", PLAN.uri)]


def test_red_checks_wait_for_who_asked_and_for_who_made_it_until_they_are_green_or_work_goes_on() -> None:
    found = waiting(ANN, REQUEST, PLAN, RED)
    assert [(each.kind, each.about, each.note.uri, each.note.author) for each in found if each.kind == "checks"] == [
        ("checks", PLAN.uri, RED.uri, BOT)
    ]
    (last,) = (
        each for each in waiting(ANN, REQUEST, PLAN, RED, checked(PLAN, 15, passed=False)) if each.kind == "checks"
    )
    assert last.note.created_at == at(15)
    own = made(BEN, 13, REQUEST)
    assert ("checks", own.uri) in told(BEN, REQUEST, own, checked(own, 14, passed=False))
    for done in (
        checked(PLAN, 20, passed=True),
        asked(ANN, 20, "implementation", basedOn=[ref(PLAN)]),
        made(BOT, 20, REQUEST, prev=ref(PLAN)),
    ):
        assert "checks" not in {kind for kind, _ in told(ANN, REQUEST, PLAN, RED, done)}


def test_a_declined_request_waits_for_who_asked_until_it_is_retracted_or_asked_anew() -> None:
    assert told(ANN, FOR_BOT, NO) == [("declined", FOR_BOT.uri)]
    assert told(ROOT, FOR_BOT, NO) == []
    assert told(ANN, FOR_BOT, NO, write(ANN, "retractRequest", 20, request=ref(FOR_BOT))) == []
    assert told(ANN, FOR_BOT, NO, asked(BEN, 20, "implementation")) == []
    assert told(ANN, FOR_BOT, NO, asked(BEN, 20)) == [("declined", FOR_BOT.uri)]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ODD, "the space does not know its type"),
        (asked(ANN, 17, goal=None, project=ref(PROJECT)), "its type does not belong where it stands"),
        (asked(ANN, 17, assignee=EVE), "its assignee is no member"),
    ],
)
def test_a_request_that_nobody_can_fulfil_waits_for_who_asked(request_: Record, reason: str) -> None:
    (found,) = waiting(ANN, request_)
    assert (found.kind, found.about, found.reason) == ("stuck", request_.uri, reason)
    assert told(BEN, request_) == []
    assert told(ANN, request_, write(ANN, "retractRequest", 20, request=ref(request_))) == []


def test_a_mention_waits_until_whom_it_names_says_something_there() -> None:
    assert told(ANN, CALL) == [("mention", CALL.uri)]
    assert told(BEN, CALL) == []
    assert told(ANN, CALL, said(ANN, 19)) == []
    assert told(ANN, CALL, said(ANN, 17)) == [("mention", CALL.uri)]
    elsewhere = write(BEN, "message", 19, artifact=ref(PLAN), body="", mentions=[ANN])
    assert told(ANN, REQUEST, PLAN, elsewhere, said(ANN, 20))[1:] == [("mention", elsewhere.uri)]
    assert told(BEN, said(BEN, 19, mentions=[BEN])) == []


def test_a_reply_settles_a_mention_whatever_the_clock_of_who_named_them_says() -> None:
    ahead = said(BEN, 50, mentions=[ANN])
    for answered in (said(ANN, 40, parent=ref(ahead)), said(ANN, 51), said(ANN, 51, parent=ref(CALL))):
        assert told(ANN, CALL, ahead, answered) == []
    assert (
        told(ANN, ahead, said(ANN, 40))
        == told(ANN, ahead, said(ROOT, 40, parent=ref(ahead)))
        == [("mention", ahead.uri)]
    )


def test_an_invitation_waits_until_the_space_is_opened() -> None:
    grant = add(SPACE, 20, EVE, "human", "member")
    (found,) = waiting(EVE, grant)
    assert (found.kind, found.about, found.note.uri, found.note.says) == ("invitation", SPACE.uri, grant.uri, "member")
    assert told(EVE, grant, write(EVE, "join", 21, space=ref(SPACE))) == []
    assert told("did:plc:bot2", add(SPACE, 20, "did:plc:bot2", "agent", "agent")) == []


def test_trust_that_was_taken_away_is_told_until_it_is_given_again() -> None:
    removal = write(ROOT, "removeMember", 20, space=ref(SPACE), did=BEN, membership=ref(GRANTS[1]))
    (found,) = waiting(BEN, FOR_BEN, CALL, removal)
    assert (found.kind, found.about, found.note.author, found.place) == ("trust", removal.uri, ROOT, None)
    back = add(SPACE, 21, BEN, "human", "member")
    assert told(BEN, removal, back) == []
    again_ = write(ROOT, "removeMember", 22, space=ref(SPACE), did=BEN, membership=ref(back))
    assert told(BEN, removal, back, again_) == [("trust", again_.uri)]


def test_what_is_dated_in_the_future_is_told_to_its_author_and_to_admins() -> None:
    ahead = Record(
        uri=uri_of(BEN, "closeGoal", "late"),
        cid=AUDIT.cid,
        value={"$type": PREFIX + "closeGoal", "createdAt": "2026-02-01T00:05:01Z", "goal": ref(GOAL), "closed": False},
    )
    before = write(BEN, "closeGoal", 20, goal=ref(GOAL), closed=False)
    for who in (BEN, ROOT, ANN):
        assert told(who, before, ahead) == [("future", ahead.uri)]
    assert told(BOT, ahead) == []
    near = Record(uri=ahead.uri, cid=ahead.cid, value={**ahead.value, "createdAt": "2026-02-01T00:05:00Z"})
    assert told(BEN, near) == []


def test_kinds_come_in_their_order_each_by_date() -> None:
    second = said(BEN, 19, mentions=[ANN])
    everything = (REQUEST, QUESTION, PLAN, RED, FOR_BOT, NO, ODD, CALL, second)
    open_ = asked(ANN, 20)
    asked_ = said(BOT, 21, re=ref(open_))
    kinds = [each.kind for each in waiting(ANN, *everything, open_, asked_)]
    assert kinds == ["question", "review", "checks", "declined", "stuck", "mention", "mention"]
    assert kinds == sorted(kinds, key=KINDS.index)
    assert [each.about for each in waiting(ANN, CALL, second)] == [CALL.uri, second.uri]
    assert {each.note.created_at for each in waiting(ANN, CALL)} == {at(18)}


@given(histories(most=40), st.sampled_from(sorted(set(PEOPLE))), st.randoms(use_true_random=False))
def test_the_order_of_observations_changes_nothing(history: list[dict[str, Any]], who: str, random: Any) -> None:
    shuffled = random.sample(history, len(history))
    assert inbox(fold(history), who, NOW) == inbox(fold(shuffled), who, NOW)


@given(histories(most=40), st.sampled_from(sorted(set(PEOPLE))))
def test_everything_that_waits_stands_on_records_that_count(history: list[dict[str, Any]], who: str) -> None:
    index = fold(history)
    for each in inbox(index, who, NOW):
        assert index.entry(each.about) is not None
        assert index.entry(each.note.uri) is not None
        assert index.space(each.space) is not None
