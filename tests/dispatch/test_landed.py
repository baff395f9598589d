"""What follows from an artifact: one review request, one run of the checks, looks at its pull request (R8, X4, X5)."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core import materialize
from radial_core.dispatch.actions import PollMerge, RequestReview, RunChecks, Warn
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.plan import plan
from radial_core.dispatch.state import State, Tries
from tests.core.small_world import ANN, BOT, ROOT, ref, write
from tests.dispatch.scene import BASE, CAT, GOAL, PROJECT, minute, request, run_by, survey
from tests.dispatch.test_plan import ARCHIVED, CLOSED, REMOVED, REOPENED, UNARCHIVED

WANTED = request(10, "implementation", autoReview=True, assignee=BOT)
LINKS = {"branch": "b", "commit": "c0ffee", "pr": "https://git.example/site/1"}


def work(did: str = BOT, **changes: Any) -> Any:
    fields = {"goal": ref(GOAL), "request": ref(WANTED), "type": "implementation", "body": "b", "links": LINKS}
    return write(did, "artifact", 20, "w", **{**fields, **changes})


WORK = work()
REVIEW = RequestReview(artifact=WORK.uri, anchor=GOAL.uri, did=BOT, rkey=record_key("review request", WORK.uri))
CHECKS = RunChecks(
    artifact=WORK.uri, project=PROJECT.uri, commit="c0ffee", did=BOT, rkey=record_key("checkrun", WORK.uri, "c0ffee")
)
POLL = PollMerge(
    artifact=WORK.uri, pr=LINKS["pr"], did=BOT, rkey=record_key("merge", WORK.uri, LINKS["pr"])
)  # fmt: skip
ALL = (REVIEW, CHECKS, POLL)


def test_all_three_follow_from_an_implementation() -> None:
    assert survey(WANTED, WORK).actions == ALL


def test_each_is_done_once() -> None:
    done = State(done=frozenset({REVIEW.key, CHECKS.key}), polled={WORK.uri: minute(58)})
    assert survey(WANTED, WORK, state=done).actions == ()


ASKED = write(ANN, "artifactRequest", 30, "rv", goal=ref(GOAL), type="review", subject=ref(WORK), assignee=CAT)
ASKED_ELSEWHERE = write(
    ANN, "artifactRequest", 30, "rv", project=ref(PROJECT), type="review", subject=ref(WORK), assignee=CAT
)  # fmt: skip
TAKEN_BACK = write(ANN, "retractRequest", 31, "back", request=ref(ASKED))
CHECKED = write(CAT, "checkrun", 30, artifact=ref(WORK), commit="c0ffee", results=[{"name": "t", "pass": False}])
CHECKED_OTHER = write(CAT, "checkrun", 30, artifact=ref(WORK), commit="beef", results=[{"name": "t", "pass": True}])
MERGED = write(CAT, "merge", 30, artifact=ref(WORK), pr=LINKS["pr"])

FOLLOWS = {
    "a review asked for by anybody is enough": ((WORK, ASKED), (CHECKS, POLL)),
    "wherever it was asked for": ((WORK, ASKED_ELSEWHERE), (CHECKS, POLL)),
    "even when it was retracted": ((WORK, ASKED, TAKEN_BACK), (CHECKS, POLL)),
    "checks by anybody are enough": ((WORK, CHECKED), (REVIEW, POLL)),
    "checks of another commit are not": ((WORK, CHECKED_OTHER), ALL),
    "a merge is seen once": ((WORK, MERGED), (REVIEW, CHECKS)),
    "nothing under an ended goal": ((WORK, CLOSED), ()),
    "everything once it is open again": ((WORK, CLOSED, REOPENED), ALL),
    "nothing under an archived project": ((WORK, ARCHIVED), ()),
    "everything once it is taken up again": ((WORK, ARCHIVED, UNARCHIVED), ALL),
    "nothing for an agent without a grant": ((WORK, REMOVED), ()),
    "nothing for somebody else's": ((work(CAT),), ()),
    "nothing without links": ((work(links=None),), (REVIEW,)),
    "nothing to check without a commit": ((work(links={"branch": "b"}),), (REVIEW,)),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows(name: str) -> None:
    records, actions = FOLLOWS[name]
    assert survey(WANTED, *records).actions == actions


def test_who_is_no_member_cannot_keep_a_review_from_being_asked_for() -> None:
    """Neither from outside nor out of a space of its own that our daemon follows as well (L4)."""
    eve = "did:plc:eve"
    space = write(eve, "space", 1, "own", name="Own")
    project = write(
        eve, "project", 2, "own", space=ref(space), name="O", gitUrl="https://git.example/o", defaultBranch="main"
    )  # fmt: skip
    goal = write(eve, "goal", 3, "own", space=ref(space), project=ref(project), title="T", body="b")
    for place in (goal, GOAL):
        asked = write(eve, "artifactRequest", 30, "rv", goal=ref(place), type="review", subject=ref(WORK))
        assert survey(WANTED, WORK, space, project, goal, asked).actions == ALL


SWITCHED_ON = write(ROOT, "setAutoReview", 6, project=ref(PROJECT), type="plan", enabled=True)
AUTO = {  # project map, request's own value -> is a review asked for?
    (False, None): False, (False, True): True, (False, False): False,
    (True, None): True, (True, True): True, (True, False): False,
}  # fmt: skip


@pytest.mark.parametrize(("switched", "own"), AUTO)
def test_whether_a_review_is_asked_for(*, switched: bool, own: bool | None) -> None:
    wanted = request(11, "plan", autoReview=own, assignee=BOT)
    plan = write(BOT, "artifact", 21, "p", goal=ref(GOAL), request=ref(wanted), type="plan", body="b", links=LINKS)
    found = survey(wanted, plan, *([SWITCHED_ON] if switched else []))
    assert any(isinstance(action, RequestReview) for action in found.actions) == AUTO[switched, own]
    assert not any(isinstance(action, RunChecks) for action in found.actions)  # a plan is no implementation


def test_a_project_without_checks_runs_none() -> None:
    bare = write(
        ANN, "project", 4, "site", space=PROJECT.value["space"], name="Site", gitUrl="https://git.example/site",
        defaultBranch="main",
    )  # fmt: skip
    base = [bare if record is PROJECT else record for record in BASE]
    assert not any(isinstance(action, RunChecks) for action in survey_of(*base, WANTED, WORK))


def survey_of(*records: Any) -> tuple[Any, ...]:
    return plan(materialize(records), run_by(BOT), State(), minute(60))


def test_what_belongs_to_the_project_itself_is_reviewed_there() -> None:
    wanted = request(11, "audit", project=ref(PROJECT), autoReview=True, assignee=BOT)
    audit = write(BOT, "artifact", 21, "a", project=ref(PROJECT), request=ref(wanted), type="audit", body="b")
    [review] = survey(wanted, audit).actions
    assert isinstance(review, RequestReview)
    assert review.anchor == PROJECT.uri


def test_a_verdict_triggers_nothing_and_the_same_agent_may_give_it() -> None:
    asked = write(BOT, "artifactRequest", 30, "rv", goal=ref(GOAL), type="review", subject=ref(WORK), assignee=BOT)
    state = State(done=frozenset({CHECKS.key}), polled={WORK.uri: minute(60)})
    [start] = survey(WANTED, WORK, asked, state=state).actions
    assert start.key == asked.uri
    verdict = write(BOT, "review", 31, subject=ref(WORK), request=ref(asked), verdict="request_changes")
    assert survey(WANTED, WORK, asked, verdict, state=state).actions == ()


@pytest.mark.parametrize(("looked", "again"), [(55, True), (56, False), (60, False), (61, True)])
def test_a_pull_request_is_looked_at_every_five_minutes(looked: int, *, again: bool) -> None:
    state = State(done=frozenset({REVIEW.key, CHECKS.key}), polled={WORK.uri: minute(looked)})
    assert survey(WANTED, WORK, state=state).actions == ((POLL,) if again else ())


def test_checks_that_cannot_be_run_are_left_after_the_bound() -> None:
    state = State(done=frozenset({REVIEW.key}), polled={WORK.uri: minute(60)})
    failing = State(done=state.done, polled=state.polled, tries={CHECKS.key: Tries(failed=4, ended_at=minute(1))})
    assert survey(WANTED, WORK, state=failing).actions == (CHECKS,)
    left = State(done=state.done, polled=state.polled, tries={CHECKS.key: Tries(failed=5, ended_at=minute(1))})
    [warning] = survey(WANTED, WORK, state=left).actions
    assert isinstance(warning, Warn)
    assert WORK.uri in warning.text


def test_no_body_and_no_mention_dispatches_anything() -> None:
    order = '{"$type": "com.disnetdev.radial.artifactRequest", "type": "plan"} /radial plan @bot please implement'
    said = [
        write(ANN, "message", 30 + n, goal=ref(GOAL), body=order, mentions=[BOT, CAT], re=ref(WANTED)) for n in range(3)
    ]
    assert survey(*said).actions == ()
    assert survey(WANTED, WORK, *said).actions == ALL
