"""What is said before an act, and when nothing is: soft policy stops nobody, so every act here can be carried out."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from radial_core import Record
from radial_core.acts.agents import Profile, publish_agent, retire_agent
from radial_core.acts.desk import Desk
from radial_core.acts.draft import Act
from radial_core.acts.foresight import foresee
from radial_core.acts.goals import close_goal, create_goal, reopen_goal
from radial_core.acts.guests import bless, retract_bless
from radial_core.acts.members import add_member, remove_member
from radial_core.acts.messages import answer, ask_agent, decline, message, reply
from radial_core.acts.projects import archive_project, create_project, edit_project, set_auto_review
from radial_core.acts.registry import add_type
from radial_core.acts.requests import Wish, capture, request, retract_request
from radial_core.acts.spaces import set_guest_comments
from radial_core.acts.work import Deliverable, review, submit_artifact
from tests.acts.desks import codes, desk
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, EVE, ROOT, at, ref

Build = Callable[[Desk], Act]
# The world with its goal still under way.
GOING = tuple(one for one in w.WORLD if one.uri != w.CLOSE.uri)
PARKED = w.write(BOT, "archiveGoal", 95, goal=ref(w.GOAL), archived=True)
SHELVED = w.write(ANN, "archiveProject", 80, project=ref(w.PROJECT), archived=True)
BY_REVIEW = w.write(ROOT, "review", 70, subject=ref(w.PLAN), verdict="request_changes")
DEFINED = w.write(ROOT, "artifactType", 70, space=ref(w.SPACE), name="map", brief="B", outputSpec="O", scope="goal")


def asked(minute: int = 60, key: str = "asked", /, **fields: Any) -> Record:
    return w.write(ROOT, "artifactRequest", minute, key, **{"goal": ref(w.GOAL), "type": "plan", **fields})


TO_ANN = asked(assignee=ANN)
TO_ANSWER = asked(60, "answer", type="answer", subject=ref(w.QUESTION), assignee=ANN)
DECLINED = w.write(ANN, "message", 61, "declined", goal=ref(w.GOAL), body="no", re=ref(TO_ANN), declines=True)
BOT_PLAN = asked(60, "bot", assignee=BOT)
SECOND = w.write(BOT, "agent", 60, "second", handleName="s", harness="h", models=[], artifactTypes=["plan"])
MAKER = w.write(BOT, "agent", 60, "maker", handleName="s", harness="h", models=[], artifactTypes=["implementation"])

# What is done, by whom, in which world, and what is said.
CASES: dict[str, tuple[str, Iterable[Record], Build, list[str]]] = {
    "comments are asked for already": (
        ROOT, GOING, lambda d: set_guest_comments(d, w.SPACE.uri, enabled=True), ["Unchanged"],
    ),
    "comments are no longer asked for": (
        ROOT, GOING, lambda d: set_guest_comments(d, w.SPACE.uri, enabled=False), [],
    ),
    "a later switch decides": (
        ROOT,
        (*GOING, w.write(ANN, "setGuestComments", 95, space=ref(w.SPACE), enabled=True)),
        lambda d: set_guest_comments(d, w.SPACE.uri, enabled=False),
        ["Outranked"],
    ),
    "somebody new": (ROOT, GOING, lambda d: add_member(d, w.SPACE.uri, "did:plc:new"), []),
    "the same role again": (
        ROOT, GOING, lambda d: add_member(d, w.SPACE.uri, ANN, kind="human", role="admin"), ["Unchanged"],
    ),
    "another role": (ROOT, GOING, lambda d: add_member(d, w.SPACE.uri, ANN), ["ReplacesGrant"]),
    "somebody who is removed later": (
        ROOT,
        (*GOING, w.add(w.SPACE, 95, EVE, "human", "member")),
        lambda d: add_member(d, w.SPACE.uri, EVE, kind="agent", role="agent"),
        ["ReplacesGrant", "Outranked"],
    ),
    "a member leaves": (ROOT, GOING, lambda d: remove_member(d, w.SPACE.uri, ANN), []),
    "a member leaves who is asked for something": (
        ROOT, (*GOING, TO_ANN), lambda d: remove_member(d, w.SPACE.uri, ANN), ["StillAssigned"],
    ),
    "a member leaves who has declined": (
        ROOT, (*GOING, TO_ANN, DECLINED), lambda d: remove_member(d, w.SPACE.uri, ANN), [],
    ),
    "an admin goes": (ANN, GOING, lambda d: remove_member(d, w.SPACE.uri, ANN), ["RemovesYourself"]),
    "a second project of one repository": (
        ANN,
        GOING,
        lambda d: create_project(d, w.SPACE.uri, "Two", git_url="https://git.example/site"),
        ["SameRepository"],
    ),
    "a project's name as it is": (ANN, GOING, lambda d: edit_project(d, w.PROJECT.uri, name="New site"), ["Unchanged"]),
    "a project's name and branch": (
        ANN, GOING, lambda d: edit_project(d, w.PROJECT.uri, name="New site", default_branch="x"), [],
    ),
    "a project's name, changed later": (
        ANN,
        (*GOING, w.write(ANN, "editProject", 95, project=ref(w.PROJECT), name="Late")),
        lambda d: edit_project(d, w.PROJECT.uri, name="Mine"),
        ["Outranked"],
    ),
    "a project's branch, while its name is changed later": (
        ANN,
        (*GOING, w.write(ANN, "editProject", 95, project=ref(w.PROJECT), name="Late")),
        lambda d: edit_project(d, w.PROJECT.uri, default_branch="x"),
        [],
    ),
    "a project archived": (ANN, GOING, lambda d: archive_project(d, w.PROJECT.uri), []),
    "a project archived twice": (ANN, (*GOING, SHELVED), lambda d: archive_project(d, w.PROJECT.uri), ["Unchanged"]),
    "a project that is not archived": (
        ANN, GOING, lambda d: archive_project(d, w.PROJECT.uri, archived=False), ["Unchanged"],
    ),
    "reviews of plans": (ROOT, GOING, lambda d: set_auto_review(d, w.PROJECT.uri, "plan", enabled=True), []),
    "no reviews of plans, as it is": (
        ROOT, GOING, lambda d: set_auto_review(d, w.PROJECT.uri, "plan", enabled=False), ["Unchanged"],
    ),
    "reviews of what nobody defined": (
        ROOT, GOING, lambda d: set_auto_review(d, w.PROJECT.uri, "song", enabled=True), ["UnknownType"],
    ),
    "reviews, switched later": (
        ROOT,
        (*GOING, w.write(ANN, "setAutoReview", 95, project=ref(w.PROJECT), type="plan", enabled=False)),
        lambda d: set_auto_review(d, w.PROJECT.uri, "plan", enabled=True),
        ["Outranked"],
    ),
    "a new type": (
        ROOT, GOING, lambda d: add_type(d, w.SPACE.uri, "map", brief="B", output_spec="O", scope="goal"), [],
    ),
    "a type in other words": (
        ROOT,
        (*GOING, DEFINED),
        lambda d: add_type(d, w.SPACE.uri, "map", brief="C", output_spec="O", scope="goal"),
        ["Redefines"],
    ),
    "a type in the same words": (
        ROOT,
        (*GOING, DEFINED),
        lambda d: add_type(d, w.SPACE.uri, "map", brief="B", output_spec="O", scope="goal"),
        ["Unchanged"],
    ),
    "a built-in type": (
        ROOT,
        GOING,
        lambda d: add_type(d, w.SPACE.uri, "plan", brief="B", output_spec="O", scope="goal"),
        ["Redefines"],
    ),
    "a goal for an archived project": (
        ANN, (*GOING, SHELVED), lambda d: create_goal(d, w.PROJECT.uri, "t", "b"), ["ProjectArchived"],
    ),
    "a goal ends": (ANN, GOING, lambda d: close_goal(d, w.GOAL.uri, disposition="completed"), []),
    "a goal ends twice": (
        ANN, w.WORLD, lambda d: close_goal(d, w.GOAL.uri, disposition="completed"), ["Unchanged"],
    ),
    "a goal ends otherwise": (ANN, w.WORLD, lambda d: close_goal(d, w.GOAL.uri, disposition="dropped"), []),
    "a goal that is reopened later ends": (
        ANN,
        (*GOING, w.write(ANN, "closeGoal", 95, goal=ref(w.GOAL), closed=False)),
        lambda d: close_goal(d, w.GOAL.uri),
        ["Outranked"],
    ),
    "a goal is reopened": (ANN, w.WORLD, lambda d: reopen_goal(d, w.GOAL.uri), []),
    "a goal that has not ended is reopened": (ANN, GOING, lambda d: reopen_goal(d, w.GOAL.uri), ["Unchanged"]),
    "a goal that is parked later is reopened": (
        ANN, (*GOING, PARKED), lambda d: reopen_goal(d, w.GOAL.uri), ["Outranked"],
    ),
    # Requests
    "a plan": (ANN, GOING, lambda d: request(d, Wish(type="plan"), context=w.GOAL.uri), []),
    "a plan for a goal that has ended": (
        ANN, w.WORLD, lambda d: request(d, Wish(type="plan"), context=w.GOAL.uri), ["GoalEnded"],
    ),
    "a plan in an archived project": (
        ANN, (*GOING, SHELVED), lambda d: request(d, Wish(type="plan"), context=w.GOAL.uri), ["ProjectArchived"],
    ),
    "what nobody defined": (
        ANN, GOING, lambda d: request(d, Wish(type="song"), context=w.GOAL.uri), ["UnknownType", "NobodyCapable"],
    ),
    "a project's type at a goal": (
        ANN, GOING, lambda d: request(d, Wish(type="audit"), anchor=w.GOAL.uri), ["WrongScope"],
    ),
    "a goal's type at a project": (
        ANN, GOING, lambda d: request(d, Wish(type="plan"), anchor=w.PROJECT.uri), ["WrongScope"],
    ),
    "an implementation of an approved plan": (
        ANN,
        (*GOING, MAKER),
        lambda d: request(d, Wish(type="implementation"), context=w.PLAN.uri),
        ["Superseded"],
    ),
    "an implementation of a plan that nobody approved": (
        ANN,
        (*GOING, MAKER),
        lambda d: request(d, Wish(type="implementation"), context=w.PLAN_AGAIN.uri),
        ["UnapprovedPlan"],
    ),
    "an implementation of a plan that is to be changed": (
        ANN,
        (*GOING, MAKER, BY_REVIEW),
        lambda d: request(d, Wish(type="implementation"), context=w.PLAN.uri),
        ["UnapprovedPlan", "Superseded"],
    ),
    "an implementation of no plan": (
        ANN,
        (*GOING, MAKER),
        lambda d: request(d, Wish(type="implementation"), context=w.AUDIT.uri, anchor=w.GOAL.uri),
        [],
    ),
    "a review of an older version, of whoever can": (
        ANN, GOING, lambda d: request(d, Wish(type="review"), context=w.PLAN.uri), ["Superseded", "NobodyCapable"],
    ),
    "a plan of an agent that makes plans": (
        ANN, GOING, lambda d: request(d, Wish(type="plan", assignee=BOT), context=w.GOAL.uri), [],
    ),
    "a review of somebody without a profile": (
        ANN,
        GOING,
        lambda d: request(d, Wish(type="review", assignee=ROOT), context=w.PLAN_AGAIN.uri),
        ["AssigneeWithoutProfile"],
    ),
    "a plan of a stranger": (
        ANN, GOING, lambda d: request(d, Wish(type="plan", assignee=EVE), context=w.GOAL.uri), ["AssigneeNoMember"],
    ),
    "a plan that is asked for already": (
        ANN,
        (*GOING, asked(basedOn=[ref(w.AUDIT), ref(w.PLAN_AGAIN)])),
        lambda d: request(d, Wish(type="plan"), anchor=w.GOAL.uri, based_on=[w.PLAN_AGAIN.uri, w.AUDIT.uri]),
        ["AlreadyAsked"],
    ),
    "a plan that was asked for, of somebody": (
        ANN,
        (*GOING, asked(assignee=BOT)),
        lambda d: request(d, Wish(type="plan"), context=w.GOAL.uri),
        [],
    ),
    "a capture": (ANN, GOING, lambda d: capture(d, w.PLAN_AGAIN.uri, Wish(type="audit")), []),
    "a retraction": (ROOT, (*GOING, TO_ANN), lambda d: retract_request(d, TO_ANN.uri), []),
    "a retraction of what is fulfilled": (ROOT, GOING, lambda d: retract_request(d, w.REQUEST.uri), ["RequestClosed"]),
    "a retraction of what is retracted": (ROOT, GOING, lambda d: retract_request(d, w.UNWANTED.uri), ["RequestClosed"]),
    "a retraction of what is declined": (
        ROOT, (*GOING, TO_ANN, DECLINED), lambda d: retract_request(d, TO_ANN.uri), ["RequestClosed"],
    ),
    # Work
    "a delivery by whoever is asked": (
        ANN, (*GOING, TO_ANN), lambda d: submit_artifact(d, TO_ANN.uri, Deliverable(body="b")), [],
    ),
    "a delivery by somebody else": (
        BOT, (*GOING, TO_ANN), lambda d: submit_artifact(d, TO_ANN.uri, Deliverable(body="b")), ["NotAssignee"],
    ),
    "a delivery too late": (
        ANN,
        w.WORLD,
        lambda d: submit_artifact(d, w.UNWANTED.uri, Deliverable(body="b")),
        ["RequestClosed", "GoalEnded"],
    ),
    "a delivery on an older version": (
        ANN,
        (*GOING, TO_ANN),
        lambda d: submit_artifact(d, TO_ANN.uri, Deliverable(body="b"), prev=w.PLAN.uri),
        ["Superseded"],
    ),
    "a delivery with half a commit": (
        ANN,
        (*GOING, TO_ANN),
        lambda d: submit_artifact(d, TO_ANN.uri, Deliverable(body="b", links={"commit": "c0ffee"})),
        ["ShortCommit"],
    ),
    "a delivery with links that nobody should follow": (
        ANN,
        (*GOING, TO_ANN),
        lambda d: submit_artifact(
            d, TO_ANN.uri, Deliverable(body="b", links={"branch": "--upload-pack=x", "pr": "javascript:alert(1)"})
        ),
        ["UnfitBranch", "UnfitPull"],
    ),
    "a verdict": (ANN, GOING, lambda d: review(d, w.PLAN_AGAIN.uri, "approve"), []),
    "a verdict on an older version": (ANN, GOING, lambda d: review(d, w.PLAN.uri, "approve"), ["Superseded"]),
    "a verdict on one's own work": (BOT, GOING, lambda d: review(d, w.PLAN_AGAIN.uri, "approve"), ["OwnWork"]),
    "a verdict in another's place": (
        ANN,
        GOING,
        lambda d: review(d, w.REVIEW_WANTED.uri, "approve"),
        ["RequestClosed", "NotAssignee", "Superseded"],
    ),
    "findings that mean nothing": (
        ANN,
        GOING,
        lambda d: review(
            d, w.PLAN_AGAIN.uri, "request_changes", findings=[{"severity": "huge", "body": " ", "line": 3}]
        ),
        ["EmptyText", "LineWithoutPath"],
    ),
    # Talk
    "a message": (ANN, GOING, lambda d: message(d, w.GOAL.uri, "b", mentions=[ROOT]), []),
    "a mention of an agent": (
        ANN, GOING, lambda d: message(d, w.GOAL.uri, "b", mentions=[BOT, BOT]), ["MentionStartsNothing"],
    ),
    "a reply that mentions an agent": (
        ANN, GOING, lambda d: reply(d, w.QUESTION.uri, "b", mentions=[BOT]), ["MentionStartsNothing"],
    ),
    "an answer": (ANN, (*GOING, TO_ANSWER), lambda d: answer(d, TO_ANSWER.uri, "b"), []),
    "another's answer": (ROOT, (*GOING, TO_ANSWER), lambda d: answer(d, TO_ANSWER.uri, "b"), ["NotAssignee"]),
    "a refusal": (ANN, (*GOING, TO_ANN), lambda d: decline(d, TO_ANN.uri, "b"), []),
    "a refusal too late": (
        ANN, (*GOING, TO_ANN, DECLINED), lambda d: decline(d, TO_ANN.uri, "b"), ["RequestClosed"],
    ),
    "a question to somebody without a profile": (
        ANN, GOING, lambda d: ask_agent(d, BOT, "b", context=w.GOAL.uri), ["AssigneeWithoutProfile"],
    ),
    # Guests
    "a blessing of a member's words": (
        ANN, GOING, lambda d: bless(d, w.GOAL.uri, ref(w.REMARK), "b"), ["GuestIsMember"],
    ),
    "a blessing of what is blessed": (
        ANN, GOING, lambda d: bless(d, w.GOAL.uri, w.COMMENT, "b"), ["Unchanged"],
    ),
    "a blessing that nobody asked for": (
        ANN,
        [one for one in GOING if one.uri not in {w.GUESTS.uri, w.BLESS.uri}],
        lambda d: bless(d, w.GOAL.uri, w.COMMENT, "b"),
        ["NotAskedFor"],
    ),
    "a blessing withdrawn": (ANN, GOING, lambda d: retract_bless(d, w.BLESS.uri), []),
    "a blessing withdrawn twice": (ANN, GOING, lambda d: retract_bless(d, w.BLESS_WITHDRAWN.uri), ["Unchanged"]),
    # Profiles
    "a profile as it is": (
        BOT,
        GOING,
        lambda d: publish_agent(
            d,
            Profile(
                name="coder", handle_name="coder", harness="h", models=(("m", "low"), ("n", None)),
                artifact_types=("plan", "audit"),
            ),
        ),
        ["Unchanged"],
    ),
    "a profile retired": (BOT, GOING, lambda d: retire_agent(d, "coder"), []),
    "a profile retired that is needed": (
        BOT, (*GOING, BOT_PLAN), lambda d: retire_agent(d, "coder"), ["StillAssigned"],
    ),
    "a profile retired beside another": (
        BOT, (*GOING, BOT_PLAN, SECOND), lambda d: retire_agent(d, "coder"), [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_is_said_before_an_act(case: str) -> None:
    author, world, build, expected = CASES[case]
    assert codes(build(desk(author, world))) == expected


@pytest.mark.parametrize("case", CASES)
def test_a_caution_keeps_nothing_out(case: str) -> None:
    author, world, build, _ = CASES[case]
    at_desk = desk(author, world)
    act = build(at_desk)
    assert foresee(at_desk.index, author, act.drafts, act.removals).refusals == ()
    assert all(caution.words and not caution.words.endswith(".") for caution in act.warnings)


# What would be for nothing -------------------------------------------------------------------------------------------

ODD = [{"severity": "nit", "body": "b"}, {"severity": "huge", "body": "b"}]
VAIN: dict[str, tuple[str, Iterable[Record], Callable[[Desk], Act], list[tuple[str, str, str]]]] = {
    "a refusal": (ANN, (*GOING, TO_ANN), lambda d: decline(d, TO_ANN.uri, "b"), []),
    "another's refusal": (
        ROOT,
        (*GOING, TO_ANN),
        lambda d: decline(d, TO_ANN.uri, "b"),
        [("NotAssignee", f"addressed to {ANN}: only they can decline it, and it stays open (R4)", "in a message")],
    ),
    "a refusal of what nobody is asked": (
        ROOT,
        (*GOING, asked()),
        lambda d: decline(d, asked().uri, "b"),
        [("NotAssignee", "addressed to nobody: there is nobody to decline it, and it stays open (R4)", "in a message")],
    ),
    "severities that readers know": (
        ANN, GOING, lambda d: review(d, w.PLAN_AGAIN.uri, "request_changes", findings=ODD[:1]), [],
    ),
    "a severity that nobody knows": (
        ANN,
        GOING,
        lambda d: review(d, w.PLAN_AGAIN.uri, "request_changes", findings=ODD),
        [
            (
                "UnknownSeverity",
                "“huge” is no known severity @ $.findings[1].severity",
                "Use one of blocking, major, minor, nit.",
            )
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", VAIN)
def test_what_would_be_for_nothing_is_told_apart(case: str) -> None:
    author, world, build, expected = VAIN[case]
    at_desk = desk(author, world)
    act = build(at_desk)
    assert [each.code for each in act.vain] == [code for code, _, _ in expected]
    for each, (_, words, remedy) in zip(act.vain, expected, strict=True):
        assert words in str(each)
        assert remedy in each.remedy
    assert foresee(at_desk.index, author, act.drafts).refusals == ()


@pytest.mark.parametrize("case", [case for case in VAIN if "refusal" in case])
def test_a_refusal_that_is_called_vain_leaves_the_request_open(case: str) -> None:
    author, world, build, expected = VAIN[case]
    at_desk = desk(author, world)
    act = build(at_desk)
    view = foresee(at_desk.index, author, act.drafts).index.request(act.drafts[0].value["re"]["uri"])
    assert view is not None
    assert view.open is bool(expected)


# Words, and what they name -------------------------------------------------------------------------------------------


def test_the_words_name_what_to_look_at() -> None:
    plan = request(desk(ANN, GOING), Wish(type="implementation"), context=w.PLAN_AGAIN.uri)
    said = {caution.code: caution.words for caution in plan.warnings}
    assert said["UnapprovedPlan"] == f"this builds on the plan {w.PLAN_AGAIN.uri}, and nobody has approved it"
    declined = retract_request(desk(ROOT, (*GOING, TO_ANN, DECLINED)), TO_ANN.uri)
    assert declined.warnings[0].words == f"the request was declined, by {DECLINED.uri}"
    removed = remove_member(desk(ROOT, (*GOING, TO_ANN)), w.SPACE.uri, ANN)
    assert removed.warnings[0].words == f"1 request addressed to {ANN} would wait for nobody"


def test_of_two_records_at_one_instant_the_greater_uri_decides() -> None:
    later = w.write(ANN, "closeGoal", 90, "k2", goal=ref(w.GOAL), closed=False)
    earlier = w.write(ANN, "closeGoal", 90, "j", goal=ref(w.GOAL), closed=False)
    assert codes(close_goal(desk(ANN, [*GOING, later]), w.GOAL.uri)) == ["Outranked"]
    assert codes(close_goal(desk(ANN, [*GOING, earlier]), w.GOAL.uri)) == []
    assert later.uri.endswith("k2")
    assert at(90) == later.value["createdAt"]


def test_an_outranked_act_does_change_nothing() -> None:
    at_desk = desk(ANN, [*GOING, PARKED])
    goal = foresee(at_desk.index, ANN, reopen_goal(at_desk, w.GOAL.uri).drafts).index.goal(w.GOAL.uri)
    assert goal is not None
    assert goal.ended


def test_of_malformed_findings_only_the_rule_is_said() -> None:
    at_desk = desk(ANN, GOING)
    act = review(at_desk, w.PLAN_AGAIN.uri, "approve", findings=[{"severity": 3, "line": 0}])
    assert act.warnings == ()
    (refusal,) = foresee(at_desk.index, ANN, act.drafts).refusals
    assert refusal.rule == "L1"
    assert "@ $.findings[0].severity" in refusal.reason


def test_every_code_is_in_the_reference(root: Path) -> None:
    sources = [file.read_text(encoding="utf-8") for file in sorted((root / "radial_core" / "acts").glob("*.py"))]
    coded = {code for source in sources for code in re.findall(r'(?:Caution|Vain)\(\s*"(\w+)"', source)}
    said = {code for *_, expected in CASES.values() for code in expected}
    said |= {code for *_, expected in VAIN.values() for code, _, _ in expected}
    text = (root / "docs" / "reference" / "library.md").read_text(encoding="utf-8")
    assert coded <= said
    assert {code for code in said if f"`{code}`" not in text} == set()
