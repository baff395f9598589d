"""What cannot be put into records is a caller's mistake, and says what is wrong."""

from collections.abc import Callable

import pytest

from radial_core import materialize
from radial_core.acts.agents import Profile, publish_agent, retire_agent
from radial_core.acts.desk import Desk
from radial_core.acts.draft import Act, ActError, Caution, Draft, Removal
from radial_core.acts.goals import close_goal, create_goal
from radial_core.acts.guests import retract_bless
from radial_core.acts.members import add_member, remove_member
from radial_core.acts.messages import answer, ask_agent, decline, message, reply
from radial_core.acts.projects import edit_project
from radial_core.acts.requests import Wish, capture, request, retract_request
from radial_core.acts.spaces import create_space, join_space
from radial_core.acts.standing import Standing, offers, spaces_of
from radial_core.acts.work import Deliverable, review, submit_artifact
from tests.acts.desks import codes, desk, done
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, EVE, PREFIX, ROOT, at

NO_SUBJECT = w.write(ROOT, "artifactRequest", 60, "gone", goal=w.ref(w.GOAL), type="answer",
                     subject={"uri": w.uri_of(EVE, "message", "hi"), "cid": w.UNSEEN}, assignee=ANN)  # fmt: skip
MISTAKES: dict[str, tuple[Callable[[Desk], Act], str]] = {
    "no such space": (lambda d: join_space(d, w.uri_of(ROOT, "space", "no")), "no record that counts here"),
    "no such project": (lambda d: create_goal(d, w.uri_of(ROOT, "project", "no"), "t", "b"), "no record that counts"),
    "a goal is no space": (lambda d: add_member(d, w.GOAL.uri, EVE), "is a goal: a space is needed"),
    "a project is no goal": (lambda d: close_goal(d, w.PROJECT.uri), "is a project: a goal is needed"),
    "nobody removes the root": (lambda d: remove_member(d, w.SPACE.uri, ROOT), "nobody removes it (T1)"),
    "who holds no grant": (lambda d: remove_member(d, w.SPACE.uri, EVE), "there is nothing to revoke (T4)"),
    "a change of nothing": (lambda d: edit_project(d, w.PROJECT.uri), "needs a name, a URL or a branch"),
    "a request from nowhere": (lambda d: request(d, Wish(type="plan")), "something to start from"),
    "a request from a picture": (
        lambda d: request(d, Wish(type="plan"), context=w.IMAGE.uri), "is a picture: nothing is asked for from there",
    ),
    "a request at a message": (
        lambda d: request(d, Wish(type="plan"), anchor=w.REMARK.uri), "is a message: a goal or a project is needed",
    ),
    "no alternatives": (
        lambda d: request(d, Wish(type="plan", alternatives=0), context=w.GOAL.uri), "0 alternatives cannot be",
    ),
    "a request based on a picture alone": (
        lambda d: request(d, Wish(type="plan"), based_on=[w.IMAGE.uri]), "stands in no space here",
    ),
    "a capture of a profile": (lambda d: capture(d, w.PROFILE.uri, Wish(type="audit")), "stands in no space here"),
    "a retraction of a goal": (lambda d: retract_request(d, w.GOAL.uri), "is a goal: a request is needed"),
    "an artifact for a review": (
        lambda d: submit_artifact(d, w.REVIEW_WANTED.uri, Deliverable(body="b")), "is for a review: no artifact",
    ),
    "an artifact for an answer": (
        lambda d: submit_artifact(d, NO_SUBJECT.uri, Deliverable(body="b")), "is for a message: no artifact answers",
    ),
    "a message as the version before": (
        lambda d: submit_artifact(d, w.REQUEST.uri, Deliverable(body="b"), prev=w.REMARK.uri),
        "is a message: an artifact is needed",
    ),
    "a review for a plan": (lambda d: review(d, w.REQUEST.uri, "approve"), "is for “plan”: no review answers it"),
    "a review of a goal": (lambda d: review(d, w.GOAL.uri, "approve"), "an artifact or a request is needed"),
    "a message at a project": (lambda d: message(d, w.PROJECT.uri, "b"), "a goal or an artifact is needed"),
    "a reply to a goal": (lambda d: reply(d, w.GOAL.uri, "b"), "is a goal: a message is needed"),
    "an answer to a plan": (lambda d: answer(d, w.REQUEST.uri, "b"), "is for “plan”: no message answers it"),
    "an answer to what is not here": (lambda d: answer(d, NO_SUBJECT.uri, "b"), "no record that counts here"),
    "declining a project's request": (lambda d: decline(d, w.AUDIT_WANTED.uri, "b"), "has no thread"),
    "asking at a project": (lambda d: ask_agent(d, BOT, "b", context=w.PROJECT.uri), "is a project: "),
    "a blessing that is none": (lambda d: retract_bless(d, w.GOAL.uri), "a blessing of a comment is needed"),
    "half a character": (lambda d: create_space(d, "Lab \ud800"), "no record can hold this: "),
    "a number that is none": (
        lambda d: review(d, w.PLAN.uri, "approve", findings=[{"severity": "nit", "body": "b", "line": 1.5}]),
        "$.findings[0].line",
    ),
    "a profile that is none": (lambda d: retire_agent(d, "nobody"), "no profile “nobody”"),
}  # fmt: skip


# What is not here; the others name something of the wrong kind, or give what makes no record.
ABSENT = {
    "no such space", "no such project", "who holds no grant", "an answer to what is not here", "a profile that is none",
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_raised_in_words(case: str) -> None:
    build, words = MISTAKES[case]
    with pytest.raises(ActError) as raised:
        build(desk(ANN, [*w.WORLD, NO_SUBJECT]))
    assert words in str(raised.value)
    assert raised.value.kind == ("absent" if case in ABSENT else "unfit")
    assert raised.value.remedy.endswith(".")


def test_a_clock_that_tells_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="not an atproto datetime"):
        Desk(index=materialize([]), author=ROOT, now="now", keys=str)


def test_what_stands_nowhere_has_no_space() -> None:
    for find in (desk().space_of, desk().place_of, desk().space):
        with pytest.raises(ActError, match="stands in no space here"):
            find(w.IMAGE.uri)
        with pytest.raises(ActError, match="no record that counts here") as raised:
            find(w.uri_of(ANN, "image", "nowhere"))
        assert raised.value.kind == "absent"


def test_a_draft_knows_where_it_goes_and_what_it_does() -> None:
    draft = Draft(collection=f"{PREFIX}goal", rkey="k", value={"a": 1})
    assert draft.uri(ANN) == f"at://{ANN}/{PREFIX}goal/k"
    assert draft.operation == "create"
    assert Draft(collection="c", rkey="k", value={}, replaces="x").operation == "update"
    assert Removal(collection="c", rkey="k", replaces="x").uri(ANN) == f"at://{ANN}/c/k"
    assert str(Caution("Code", "words")) == "words"
    # The bytes a1 61 61 01 in DAG-CBOR; computed by the tests' own encoder.
    assert draft.cid == w.seen("at://x", {"a": 1}).cid


# Joining once --------------------------------------------------------------------------------------------------------


def test_joining_twice_is_joining_once() -> None:
    first = join_space(desk(ANN), w.SPACE.uri)
    world = [*w.WORLD, *(w.seen(one.uri(ANN), dict(one.value)) for one in first.drafts)]
    again = join_space(desk(ANN, world, 95), w.SPACE.uri)
    assert again.drafts == ()
    assert codes(again) == ["Unchanged"]


def test_a_join_under_another_key_is_a_join() -> None:
    act = join_space(desk(BOT), w.SPACE.uri)
    assert (act.drafts, codes(act)) == ((), ["Unchanged"])


def test_a_join_that_does_not_count_yet_is_not_written_again() -> None:
    act = join_space(desk(EVE), w.SPACE.uri)
    written = [w.seen(one.uri(EVE), dict(one.value)) for one in act.drafts]
    assert join_space(desk(EVE, [*w.WORLD, *written], 95), w.SPACE.uri).drafts == ()


# Where somebody stands -----------------------------------------------------------------------------------------------


def test_the_spaces_of_somebody_are_listed() -> None:
    index = desk(BOT).index
    attic = Standing(w.ATTIC.uri, "Attic", ANN, "agent", "agent", joined=False, since=at(51))
    lab = Standing(w.SPACE.uri, "Lab", ROOT, "agent", "agent", joined=True, since=at(2))
    assert spaces_of(index, BOT) == (attic, lab)
    assert spaces_of(index, EVE) == ()
    assert spaces_of(index, ROOT) == (Standing(w.SPACE.uri, "Lab", ROOT, "human", "admin", joined=False, since=at(0)),)


def test_whoever_makes_a_space_has_joined_it() -> None:
    act = create_space(desk(EVE), "Hut")
    assert [(one.name, one.role, one.joined) for one in spaces_of(done(EVE, act), EVE)] == [("Hut", "admin", True)]


@pytest.mark.parametrize("artifact_type", ["plan", "audit", "review", "nothing"])
def test_the_menu_is_who_is_capable(artifact_type: str) -> None:
    index = desk(ANN).index
    assert offers(index, w.SPACE.uri, artifact_type) == index.capable(w.SPACE.uri, artifact_type)


def test_the_menu_shows_models_and_what_they_cost() -> None:
    (agent,) = offers(desk(ANN).index, w.SPACE.uri, "plan")
    assert [(model.name, model.cost_hint) for model in agent.models] == [("m", "low"), ("n", None)]


# Profiles ------------------------------------------------------------------------------------------------------------


def test_a_profile_is_retired_by_taking_it_away() -> None:
    act = retire_agent(desk(BOT), "coder")
    assert act.drafts == ()
    assert act.removals == (Removal(collection=f"{PREFIX}agent", rkey="coder", replaces=w.PROFILE.cid),)
    assert done(BOT, act).capable(w.SPACE.uri, "plan") == ()


def test_a_retired_profile_is_published_as_a_new_one() -> None:
    gone = w.gone(w.PROFILE, w.REVS[3], at(95))
    profile = Profile(name="coder", handle_name="coder", harness="h")
    (draft,) = publish_agent(desk(BOT, [*w.WORLD, gone], 99), profile).drafts
    assert draft.replaces is None
