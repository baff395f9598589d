"""Every builder gives the records written down here, in full; lexicons accept them, and they count."""

from collections.abc import Callable
from typing import Any

import pytest

from radial_core import Record
from radial_core.acts.agents import Profile, publish_agent
from radial_core.acts.desk import Desk
from radial_core.acts.draft import Act, Draft
from radial_core.acts.foresight import foresee
from radial_core.acts.goals import close_goal, create_goal, reopen_goal
from radial_core.acts.guests import bless, retract_bless
from radial_core.acts.images import image_record
from radial_core.acts.members import add_member, remove_member
from radial_core.acts.messages import answer, ask_agent, decline, message, reply
from radial_core.acts.projects import archive_project, create_project, edit_project, set_auto_review
from radial_core.acts.registry import add_type
from radial_core.acts.requests import Wish, capture, request, retract_request
from radial_core.acts.spaces import create_space, join_space, set_guest_comments
from radial_core.acts.templates import TEMPLATES
from radial_core.acts.work import Deliverable, review, submit_artifact
from radial_core.dispatch.keys import record_key
from radial_core.jsonform import from_json
from radial_core.structure import structural_faults
from tests.acts.desks import desk, done, drafted
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, EVE, ROOT, at, ref

IMAGE: Any = from_json(w.BLOB)
# An answer is asked of ann, about what bot asked; and a question hangs on a project's document.
ASKED = w.write(
    ROOT, "artifactRequest", 60, "asked", goal=ref(w.GOAL), type="answer", subject=ref(w.QUESTION), assignee=ANN
)
ON_AUDIT = w.write(ROOT, "message", 61, "on-audit", artifact=ref(w.AUDIT), body="why?")
BASED = w.write(
    ANN, "artifactRequest", 62, "based", goal=ref(w.GOAL), type="plan", basedOn=[ref(w.PLAN), ref(w.REVIEW)]
)
WORLD = (*w.WORLD, ASKED, ON_AUDIT, BASED)

SPACE_URI = f"at://{ANN}/{w.PREFIX}space/k1"
SPACE_MADE = drafted("space", name="Loft", description="Up there")
CASES: dict[str, tuple[str, Callable[[Desk], Act], str, tuple[Draft, ...]]] = {
    "a space, joined at once": (
        ANN,
        lambda at_desk: create_space(at_desk, "Loft", description="Up there"),
        SPACE_URI,
        (
            SPACE_MADE,
            drafted("join", record_key("join", SPACE_URI), space={"uri": SPACE_URI, "cid": SPACE_MADE.cid}),
        ),
    ),
    "a join": (
        ANN,
        lambda at_desk: join_space(at_desk, w.SPACE.uri),
        w.SPACE.uri,
        (drafted("join", record_key("join", w.SPACE.uri), space=ref(w.SPACE)),),
    ),
    "guests are asked": (
        ANN,
        lambda at_desk: set_guest_comments(at_desk, w.SPACE.uri, enabled=False),
        w.SPACE.uri,
        (drafted("setGuestComments", space=ref(w.SPACE), enabled=False),),
    ),
    "a grant": (
        ANN,
        lambda at_desk: add_member(at_desk, w.SPACE.uri, EVE),
        w.SPACE.uri,
        (drafted("addMember", space=ref(w.SPACE), did=EVE, kind="human", role="member"),),
    ),
    "an agent's grant": (
        ROOT,
        lambda at_desk: add_member(at_desk, w.SPACE.uri, EVE, kind="agent", role="agent"),
        w.SPACE.uri,
        (drafted("addMember", space=ref(w.SPACE), did=EVE, kind="agent", role="agent"),),
    ),
    "a removal names the current grant": (
        ROOT,
        lambda at_desk: remove_member(at_desk, w.SPACE.uri, BOT),
        w.SPACE.uri,
        (drafted("removeMember", space=ref(w.SPACE), did=BOT, membership=ref(w.ADD_BOT)),),
    ),
    "a project": (
        BOT,
        lambda at_desk: create_project(at_desk, w.SPACE.uri, "Site", git_url="https://git.example/two"),
        w.SPACE.uri,
        (
            drafted(
                "project", space=ref(w.SPACE), name="Site", gitUrl="https://git.example/two", defaultBranch="main"
            ),
        ),
    ),
    "a project with everything": (
        BOT,
        lambda at_desk: create_project(
            at_desk,
            w.SPACE.uri,
            "Site",
            git_url="https://git.example/two",
            default_branch="trunk",
            checks=[("t", "make")],
            auto_review={"plan": True},
        ),
        w.SPACE.uri,
        (
            drafted(
                "project",
                space=ref(w.SPACE),
                name="Site",
                gitUrl="https://git.example/two",
                defaultBranch="trunk",
                checks=[{"name": "t", "command": "make"}],
                autoReview={"plan": True},
            ),
        ),
    ),
    "a change of a project names only what changes": (
        ANN,
        lambda at_desk: edit_project(at_desk, w.PROJECT.uri, git_url="https://git.example/new"),
        w.SPACE.uri,
        (drafted("editProject", project=ref(w.PROJECT), gitUrl="https://git.example/new"),),
    ),
    "a project is archived": (
        ANN,
        lambda at_desk: archive_project(at_desk, w.PROJECT.uri),
        w.SPACE.uri,
        (drafted("archiveProject", project=ref(w.PROJECT), archived=True),),
    ),
    "automatic reviews": (
        ROOT,
        lambda at_desk: set_auto_review(at_desk, w.PROJECT.uri, "plan", enabled=True),
        w.SPACE.uri,
        (drafted("setAutoReview", project=ref(w.PROJECT), type="plan", enabled=True),),
    ),
    "a type": (
        ROOT,
        lambda at_desk: add_type(at_desk, w.SPACE.uri, "map", brief="B", output_spec="O", scope="goal"),
        w.SPACE.uri,
        (drafted("artifactType", space=ref(w.SPACE), name="map", brief="B", outputSpec="O", scope="goal"),),
    ),
    "a goal stands in its project's space": (
        BOT,
        lambda at_desk: create_goal(at_desk, w.PROJECT.uri, "Ship more", "All"),
        w.SPACE.uri,
        (drafted("goal", space=ref(w.SPACE), project=ref(w.PROJECT), title="Ship more", body="All"),),
    ),
    "a goal is ended": (
        BOT,
        lambda at_desk: close_goal(at_desk, w.GOAL.uri, disposition="dropped"),
        w.SPACE.uri,
        (drafted("closeGoal", goal=ref(w.GOAL), closed=True, disposition="dropped"),),
    ),
    "a goal is ended without a word": (
        BOT,
        lambda at_desk: close_goal(at_desk, w.GOAL.uri),
        w.SPACE.uri,
        (drafted("closeGoal", goal=ref(w.GOAL), closed=True),),
    ),
    "a goal is reopened": (
        BOT,
        lambda at_desk: reopen_goal(at_desk, w.GOAL.uri),
        w.SPACE.uri,
        (drafted("closeGoal", goal=ref(w.GOAL), closed=False),),
    ),
    "a request at a goal": (
        ANN,
        lambda at_desk: request(at_desk, Wish(type="plan"), context=w.GOAL.uri),
        w.SPACE.uri,
        (drafted("artifactRequest", goal=ref(w.GOAL), type="plan"),),
    ),
    "a request with everything": (
        ANN,
        lambda at_desk: request(
            at_desk,
            Wish(type="plan", brief="b", assignee=BOT, auto_review=False),
            anchor=w.GOAL.uri,
            based_on=[w.AUDIT.uri],
            subject=w.REMARK.uri,
        ),
        w.SPACE.uri,
        (
            drafted(
                "artifactRequest",
                goal=ref(w.GOAL),
                type="plan",
                subject=ref(w.REMARK),
                basedOn=[ref(w.AUDIT)],
                assignee=BOT,
                brief="b",
                autoReview=False,
            ),
        ),
    ),
    "alternatives": (
        ANN,
        lambda at_desk: request(at_desk, Wish(type="plan", alternatives=2), context=w.PLAN.uri),
        w.SPACE.uri,
        tuple(
            drafted("artifactRequest", key, goal=ref(w.GOAL), type="plan", basedOn=[ref(w.PLAN)])
            for key in ("k1", "k2")
        ),
    ),
    "a capture stands on the project": (
        ANN,
        lambda at_desk: capture(at_desk, w.PLAN.uri, Wish(type="audit")),
        w.SPACE.uri,
        (drafted("artifactRequest", project=ref(w.PROJECT), type="audit", basedOn=[ref(w.PLAN)]),),
    ),
    "a request is withdrawn": (
        ROOT,
        lambda at_desk: retract_request(at_desk, w.REQUEST.uri),
        w.SPACE.uri,
        (drafted("retractRequest", request=ref(w.REQUEST)),),
    ),
    "a delivery": (
        ANN,
        lambda at_desk: submit_artifact(at_desk, w.UNWANTED.uri, Deliverable(body="done")),
        w.SPACE.uri,
        (
            drafted(
                "artifact", request=ref(w.UNWANTED), goal=ref(w.GOAL), type="implementation", body="done"
            ),
        ),
    ),
    "a delivery at a project, with everything": (
        ANN,
        lambda at_desk: submit_artifact(
            at_desk,
            w.AUDIT_WANTED.uri,
            Deliverable(
                body="short",
                title="T",
                criteria=("c",),
                links={"commit": "a" * 40},
                model="m",
                body_blob={**IMAGE, "mimeType": "text/markdown"},
            ),
            prev=w.AUDIT.uri,
        ),
        w.SPACE.uri,
        (
            drafted(
                "artifact",
                request=ref(w.AUDIT_WANTED),
                project=ref(w.PROJECT),
                type="audit",
                prev=ref(w.AUDIT),
                title="T",
                body="short",
                bodyBlob={**IMAGE, "mimeType": "text/markdown"},
                links={"commit": "a" * 40},
                criteria=["c"],
                model="m",
            ),
        ),
    ),
    "a second delivery follows the author's own first": (
        BOT,
        lambda at_desk: submit_artifact(at_desk, w.REQUEST.uri, Deliverable(body="more")),
        w.SPACE.uri,
        (
            drafted(
                "artifact",
                request=ref(w.REQUEST),
                goal=ref(w.GOAL),
                type="plan",
                prev=ref(w.PLAN_AGAIN),
                body="more",
            ),
        ),
    ),
    "a delivery follows the one basis of its type": (
        ANN,
        lambda at_desk: submit_artifact(at_desk, BASED.uri, Deliverable(body="more")),
        w.SPACE.uri,
        (drafted("artifact", request=ref(BASED), goal=ref(w.GOAL), type="plan", prev=ref(w.PLAN), body="more"),),
    ),
    "a verdict": (
        ANN,
        lambda at_desk: review(at_desk, w.PLAN.uri, "approve"),
        w.SPACE.uri,
        (drafted("review", subject=ref(w.PLAN), verdict="approve"),),
    ),
    "a verdict with findings, on request": (
        ROOT,
        lambda at_desk: review(
            at_desk,
            w.REVIEW_WANTED.uri,
            "request_changes",
            findings=[{"severity": "major", "body": "no", "path": "a.py", "line": 3}],
            model="m",
        ),
        w.SPACE.uri,
        (
            drafted(
                "review",
                subject=ref(w.PLAN),
                request=ref(w.REVIEW_WANTED),
                verdict="request_changes",
                findings=[{"severity": "major", "body": "no", "path": "a.py", "line": 3}],
                model="m",
            ),
        ),
    ),
    "a message": (
        ANN,
        lambda at_desk: message(at_desk, w.GOAL.uri, "well", mentions=[BOT, BOT, ROOT], re=w.REQUEST.uri),
        w.SPACE.uri,
        (drafted("message", body="well", mentions=[BOT, ROOT], re=ref(w.REQUEST), goal=ref(w.GOAL)),),
    ),
    "a message on an artifact": (
        ANN,
        lambda at_desk: message(at_desk, w.AUDIT.uri, "well"),
        w.SPACE.uri,
        (drafted("message", body="well", artifact=ref(w.AUDIT)),),
    ),
    "a reply carries root, parent, and what it is about": (
        ROOT,
        lambda at_desk: reply(at_desk, w.QUESTION.uri, "this"),
        w.SPACE.uri,
        (
            drafted(
                "message",
                body="this",
                goal=ref(w.GOAL),
                root=ref(w.QUESTION),
                parent=ref(w.QUESTION),
                re=ref(w.REQUEST),
            ),
        ),
    ),
    "a reply to a reply carries the root of the thread": (
        ROOT,
        lambda at_desk: reply(at_desk, w.REPLY.uri, "aha", mentions=[ANN]),
        w.SPACE.uri,
        (
            drafted(
                "message",
                body="aha",
                mentions=[ANN],
                goal=ref(w.GOAL),
                root=ref(w.QUESTION),
                parent=ref(w.REPLY),
            ),
        ),
    ),
    "an agent's reply is no question of its own": (
        BOT,
        lambda at_desk: reply(at_desk, w.QUESTION.uri, "this"),
        w.SPACE.uri,
        (drafted("message", body="this", goal=ref(w.GOAL), root=ref(w.QUESTION), parent=ref(w.QUESTION)),),
    ),
    "an answer": (
        ANN,
        lambda at_desk: answer(at_desk, ASKED.uri, "this"),
        w.SPACE.uri,
        (
            drafted(
                "message",
                body="this",
                goal=ref(w.GOAL),
                root=ref(w.QUESTION),
                parent=ref(w.QUESTION),
                re=ref(ASKED),
            ),
        ),
    ),
    "an answer is declined in its thread": (
        ANN,
        lambda at_desk: decline(at_desk, ASKED.uri, "no"),
        w.SPACE.uri,
        (
            drafted(
                "message",
                body="no",
                goal=ref(w.GOAL),
                root=ref(w.QUESTION),
                parent=ref(w.QUESTION),
                re=ref(ASKED),
                declines=True,
            ),
        ),
    ),
    "a request is declined at its goal": (
        ROOT,
        lambda at_desk: decline(at_desk, w.REVIEW_WANTED.uri, "no"),
        w.SPACE.uri,
        (drafted("message", body="no", goal=ref(w.GOAL), re=ref(w.REVIEW_WANTED), declines=True),),
    ),
    "a project's request is declined where somebody says": (
        ROOT,
        lambda at_desk: decline(at_desk, w.AUDIT_WANTED.uri, "no", anchor=w.AUDIT.uri),
        w.SPACE.uri,
        (drafted("message", body="no", artifact=ref(w.AUDIT), re=ref(w.AUDIT_WANTED), declines=True),),
    ),
    "a blessing": (
        ANN,
        lambda at_desk: bless(at_desk, w.GOAL.uri, {"uri": w.COMMENT["uri"], "cid": w.UNSEEN}, "hello"),
        w.SPACE.uri,
        (drafted("blessComment", goal=ref(w.GOAL), comment=w.COMMENT, body="hello"),),
    ),
    "a blessing is withdrawn": (
        ANN,
        lambda at_desk: retract_bless(at_desk, w.BLESS.uri),
        w.SPACE.uri,
        (drafted("retractBless", bless=ref(w.BLESS)),),
    ),
    "a profile": (
        ANN,
        lambda at_desk: publish_agent(
            at_desk,
            Profile(
                name="pen",
                handle_name="Pen",
                harness="h",
                models=(("m", "low"), ("n", None)),
                artifact_types=("plan",),
            ),
        ),
        "",
        (
            drafted(
                "agent",
                "pen",
                handleName="Pen",
                harness="h",
                models=[{"name": "m", "costHint": "low"}, {"name": "n"}],
                artifactTypes=["plan"],
            ),
        ),
    ),
    "a picture": (
        ANN,
        lambda at_desk: image_record(at_desk, IMAGE, alt="a cat", name="cat.png"),
        "",
        (drafted("image", blob=IMAGE, alt="a cat", name="cat.png"),),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_an_act_is_these_records(case: str) -> None:
    author, build, space, expected = CASES[case]
    act = build(desk(author, WORLD))
    assert act.drafts == expected
    assert act.space == (space or None)
    assert act.removals == ()


@pytest.mark.parametrize("case", CASES)
def test_lexicons_accept_what_is_built_and_it_counts(case: str) -> None:
    author, build, _, _ = CASES[case]
    at_desk = desk(author, WORLD)
    act = build(at_desk)
    assert [structural_faults(draft.collection, draft.value) for draft in act.drafts] == [()] * len(act.drafts)
    assert foresee(at_desk.index, author, act.drafts).refusals == ()
    index = done(author, act, WORLD)
    assert {draft.uri(author) for draft in act.drafts} & {row.uri for row in index.ignored} == set()
    assert all(index.entry(draft.uri(author)) is not None for draft in act.drafts)


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_stands_is_edited(case: str) -> None:
    author, build, _, _ = CASES[case]
    at_desk = desk(author, WORLD)
    before = at_desk.index.digest
    act = build(at_desk)
    assert {draft.operation for draft in act.drafts} == {"create"}
    assert {draft.uri(author) for draft in act.drafts} & {record.uri for record in WORLD} == set()
    assert (at_desk.index.digest, at_desk.index) == (before, desk(author, WORLD).index)


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_a_type(name: str) -> None:
    at_desk = desk(ROOT)
    act = add_type(at_desk, w.SPACE.uri, name, **TEMPLATES[name]._asdict())
    assert foresee(at_desk.index, ROOT, act.drafts).refusals == ()
    view = done(ROOT, act).space(w.SPACE.uri)
    assert view is not None
    types = {one.name: one for one in view.artifact_types}
    assert types[name].scope == "project"
    assert types[name].brief == TEMPLATES[name].brief


def test_the_templates_are_those_that_were_promised() -> None:
    assert [*TEMPLATES] == ["architecture", "inventory", "glossary", "conventions", "decision"]


# What a context gives a request (RAD-4.41) ---------------------------------------------------------------------------

CONTEXTS: dict[str, tuple[Record, str, dict[str, Any]]] = {
    "an artifact": (w.PLAN, "implementation", {"goal": w.GOAL, "basedOn": [w.PLAN]}),
    "an artifact to review": (w.PLAN, "review", {"goal": w.GOAL, "subject": w.PLAN}),
    "a message": (w.REMARK, "plan", {"goal": w.GOAL, "basedOn": [w.REMARK]}),
    "a message to answer": (w.REMARK, "answer", {"goal": w.GOAL, "subject": w.REMARK}),
    "a verdict": (w.REVIEW, "plan", {"goal": w.GOAL, "basedOn": [w.PLAN, w.REVIEW]}),
    "a verdict to be reconsidered": (w.REVIEW, "review", {"goal": w.GOAL, "subject": w.PLAN, "basedOn": [w.REVIEW]}),
    "a check run": (w.CHECKRUN, "plan", {"goal": w.GOAL, "basedOn": [w.PLAN, w.CHECKRUN]}),
    "a merge": (w.MERGE, "plan", {"goal": w.GOAL, "basedOn": [w.PLAN, w.MERGE]}),
    "a request": (w.REQUEST, "plan", {"goal": w.GOAL, "basedOn": [w.REQUEST]}),
    "a project": (w.PROJECT, "audit", {"project": w.PROJECT}),
    "a goal, for a project's type": (w.GOAL, "audit", {"project": w.PROJECT}),
    "a goal's artifact, for a project's type": (w.PLAN, "audit", {"project": w.PROJECT, "basedOn": [w.PLAN]}),
    "a project's artifact": (w.AUDIT, "audit", {"project": w.PROJECT, "basedOn": [w.AUDIT]}),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTEXTS)
def test_a_request_takes_its_provenance_from_where_it_is_made(case: str) -> None:
    context, wanted, named = CONTEXTS[case]
    expected = {
        name: [ref(one) for one in given] if isinstance(given, list) else ref(given) for name, given in named.items()
    }
    (draft,) = request(desk(ANN), Wish(type=wanted, assignee=BOT), context=context.uri).drafts
    assert draft == drafted("artifactRequest", type=wanted, assignee=BOT, **expected)


def test_what_is_named_beside_the_context_is_added_once() -> None:
    basis = [w.PLAN.uri, w.AUDIT.uri]
    (draft,) = request(desk(ANN), Wish(type="plan"), context=w.PLAN.uri, based_on=basis).drafts
    assert draft.value["basedOn"] == [ref(w.PLAN), ref(w.AUDIT)]


def test_without_a_context_the_subject_or_the_basis_give_the_place() -> None:
    by_subject = request(desk(ANN), Wish(type="review"), subject=w.AUDIT.uri, based_on=[w.PLAN.uri])
    by_basis = request(desk(ANN), Wish(type="plan"), based_on=[w.PLAN.uri])
    assert by_subject.drafts[0].value["project"] == ref(w.PROJECT)
    assert by_basis.drafts[0].value["goal"] == ref(w.GOAL)


def test_a_reference_pins_the_version_that_counts() -> None:
    world = [one for one in w.WORLD if one.uri != w.PLAN.uri]
    world += [w.again(w.PLAN, w.REVS[0]), w.again(w.PLAN, w.REVS[1], body="other")]
    (draft,) = request(desk(ANN, world), Wish(type="plan"), context=w.PLAN.uri).drafts
    assert draft.value["basedOn"] == [ref(w.PLAN)]


# Two records at once (RAD-10.37) -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("context", "thread", "asked"),
    [
        (w.GOAL, {"goal": w.GOAL}, {"goal": w.GOAL}),
        (w.PLAN, {"artifact": w.PLAN}, {"goal": w.GOAL, "basedOn": [w.PLAN]}),
        (w.REPLY, {"goal": w.GOAL, "root": w.QUESTION, "parent": w.REPLY}, {"goal": w.GOAL}),
        (w.REMARK, {"artifact": w.PLAN, "root": w.REMARK, "parent": w.REMARK}, {"goal": w.GOAL, "basedOn": [w.PLAN]}),
    ],
)  # fmt: skip
def test_an_agent_is_asked_with_two_records(context: Any, thread: dict[str, Any], asked: dict[str, Any]) -> None:
    at_desk = desk(ANN)
    act = ask_agent(at_desk, BOT, "why?", context=context.uri)
    said = drafted("message", body="why?", mentions=[BOT], **{name: ref(one) for name, one in thread.items()})
    basis = {"basedOn": [ref(one) for one in asked.pop("basedOn")]} if "basedOn" in asked else {}
    place = {name: ref(one) for name, one in asked.items()}
    pinned = {"uri": said.uri(ANN), "cid": said.cid}
    wanted = drafted("artifactRequest", "k2", type="answer", assignee=BOT, subject=pinned, **place, **basis)
    assert act.drafts == (said, wanted)
    assert foresee(at_desk.index, ANN, act.drafts).refusals == ()
    view = done(ANN, act).request(wanted.uri(ANN))
    assert view is not None
    assert view.subject == (said.uri(ANN), said.cid, "held", True)
    assert view.open


def test_the_second_record_alone_would_have_nothing_to_point_at() -> None:
    at_desk = desk(ANN)
    act = ask_agent(at_desk, BOT, "why?", context=w.GOAL.uri)
    view = foresee(at_desk.index, ANN, act.drafts[1:]).index.request(act.drafts[1].uri(ANN))
    assert view is not None
    assert view.subject is not None
    assert not view.subject.resolved


# What a reply does ---------------------------------------------------------------------------------------------------


def test_a_reply_answers_a_question() -> None:
    world = [one for one in w.WORLD if one.uri not in {w.REPLY.uri, w.PLAN.uri, w.PLAN_AGAIN.uri}]
    before, act = desk(ROOT, world), reply(desk(ROOT, world), w.QUESTION.uri, "this")
    waiting, after = before.index.request(w.REQUEST.uri), done(ROOT, act, world).request(w.REQUEST.uri)
    assert waiting is not None
    assert waiting.awaiting_input
    assert after is not None
    assert not after.awaiting_input
    assert after.questions[0].answered_by == act.drafts[0].uri(ROOT)


def test_an_assignee_s_reply_is_no_question_of_its_own() -> None:
    question = w.write(ROOT, "message", 70, "q", goal=ref(w.GOAL), body="?", re=ref(ASKED))
    (draft,) = reply(desk(ANN, [*WORLD, question]), question.uri, "that").drafts
    assert "re" not in draft.value


def test_a_reply_carries_no_request_that_is_not_here() -> None:
    gone = {"uri": w.uri_of(ROOT, "artifactRequest", "nowhere"), "cid": w.UNSEEN}
    question = w.write(BOT, "message", 70, "q", goal=ref(w.GOAL), body="?", re=gone)
    (draft,) = reply(desk(ANN, [*w.WORLD, question]), question.uri, "that").drafts
    assert draft == drafted("message", body="that", goal=ref(w.GOAL), root=ref(question), parent=ref(question))


def test_an_answer_fulfils_and_a_refusal_declines() -> None:
    answered = done(ANN, answer(desk(ANN, WORLD), ASKED.uri, "this"), WORLD).request(ASKED.uri)
    declined = done(ANN, decline(desk(ANN, WORLD), ASKED.uri, "no"), WORLD).request(ASKED.uri)
    assert answered is not None
    assert declined is not None
    assert answered.fulfilled_by == (w.uri_of(ANN, "message", "k1"),)
    assert declined.declined_by == w.uri_of(ANN, "message", "k1")


@pytest.mark.parametrize(
    ("about", "thread"),
    [
        ({"subject": w.PLAN, "type": "review"}, {"artifact": w.PLAN}),
        ({"basedOn": [w.REMARK, w.AUDIT], "type": "audit"}, {"artifact": w.AUDIT}),
        ({"basedOn": [w.GOAL], "type": "audit"}, {"goal": w.GOAL}),
    ],
)
def test_a_project_s_request_is_declined_where_it_is_about(about: dict[str, Any], thread: dict[str, Any]) -> None:
    fields = {
        name: [ref(one) for one in given] if isinstance(given, list) else given if name == "type" else ref(given)
        for name, given in about.items()
    }
    asked = w.write(ROOT, "artifactRequest", 70, "far", project=ref(w.PROJECT), assignee=ANN, **fields)
    (draft,) = decline(desk(ANN, [*w.WORLD, asked]), asked.uri, "no").drafts
    place = {name: ref(one) for name, one in thread.items()}
    assert draft == drafted("message", body="no", re=ref(asked), declines=True, **place)


# Verdicts name the request that asks for them ------------------------------------------------------------------------

MINE = w.write(
    BOT, "artifactRequest", 70, "mine", goal=ref(w.GOAL), type="review", subject=ref(w.PLAN_AGAIN), assignee=ANN
)


def test_a_verdict_answers_the_request_that_asks_its_author() -> None:
    world = (*w.WORLD, MINE)
    (draft,) = review(desk(ANN, world), w.PLAN_AGAIN.uri, "approve").drafts
    assert draft == drafted("review", subject=ref(w.PLAN_AGAIN), request=ref(MINE), verdict="approve")
    view = done(ANN, review(desk(ANN, world), w.PLAN_AGAIN.uri, "approve"), world).request(MINE.uri)
    assert view is not None
    assert view.fulfilled_by == (draft.uri(ANN),)


@pytest.mark.parametrize(
    "other",
    [
        {"assignee": ROOT},
        {"subject": w.PLAN},
        {"type": "plan"},
        {"assignee": None},
        {"subject": None, "type": "plan"},
    ],
)
def test_a_verdict_answers_no_request_that_asks_for_something_else(other: dict[str, Any]) -> None:
    fields = {"type": "review", "assignee": ANN, "subject": w.PLAN_AGAIN, **other}
    subject = fields.pop("subject")
    asked = w.write(
        BOT,
        "artifactRequest",
        70,
        "mine",
        goal=ref(w.GOAL),
        subject=None if subject is None else ref(subject),
        **fields,
    )
    (draft,) = review(desk(ANN, [*w.WORLD, asked]), w.PLAN_AGAIN.uri, "approve").drafts
    assert "request" not in draft.value


OTHER = w.write(ROOT, "goal", 60, "other", space=ref(w.SPACE), project=ref(w.PROJECT), title="Other", body="b")


@pytest.mark.parametrize("place", [{"goal": ref(w.GOAL)}, {"goal": ref(OTHER)}], ids=["here", "on another goal"])
@pytest.mark.parametrize(
    ("kind", "subject", "act"),
    [
        ("review", w.PLAN, lambda at_: review(at_, w.PLAN.uri, "approve")),
        ("answer", w.QUESTION, lambda at_: reply(at_, w.QUESTION.uri, "that")),
    ],
    ids=["review", "answer"],
)
def test_whoever_does_what_they_were_asked_for_fulfils_the_first_open_request_wherever_it_stands(
    place: dict[str, Any], kind: str, subject: Record, act: Callable[[Desk], Act]
) -> None:
    """R2: what a request is about may stand in another place than the request."""
    asked = [
        w.write(ROOT, "artifactRequest", 70 + n, f"mine{n}", type=kind, subject=ref(subject), assignee=ANN, **place)
        for n in range(3)
    ]
    withdrawn = w.write(ROOT, "retractRequest", 75, request=ref(asked[0]))
    world = (*w.WORLD, OTHER, *asked, withdrawn)
    index = done(ANN, act(desk(ANN, world)), world)
    views = [index.request(one.uri) for one in asked]
    assert [len(view.fulfilled_by) for view in views if view is not None] == [0, 1, 0]


def test_a_request_for_an_answer_to_what_is_not_here_can_be_declined() -> None:
    """L5, R4."""
    gone = {"uri": w.uri_of(ROOT, "message", "nowhere"), "cid": w.UNSEEN}
    asked = w.write(ROOT, "artifactRequest", 70, "say", goal=ref(w.GOAL), type="answer", subject=gone, assignee=ANN)
    world = (*w.WORLD, asked)
    view = done(ANN, decline(desk(ANN, world), asked.uri, "no"), world).request(asked.uri)
    assert view is not None
    assert view.declined_by == w.uri_of(ANN, "message", "k1")


# Profiles are rewritten and taken away ------------------------------------------------------------------------------


def test_a_profile_is_published_anew_in_its_place() -> None:
    at_desk = desk(BOT)
    profile = Profile(name="coder", handle_name="coder", harness="h2", models=(("m", None),))
    (draft,) = publish_agent(at_desk, profile).drafts
    assert draft.operation == "update"
    assert draft.replaces == w.PROFILE.cid
    assert draft.uri(BOT) == w.PROFILE.uri
    forecast = foresee(at_desk.index, BOT, (draft,))
    assert forecast.refusals == ()
    assert [agent.harness for agent in forecast.index.capable(w.SPACE.uri, "plan")] == []
    view = forecast.index.space(w.SPACE.uri)
    assert view is not None
    assert [(agent.uri, agent.harness) for agent in view.agents] == [(w.PROFILE.uri, "h2")]
    assert at(90) == draft.value["createdAt"]
