"""What follows from an artifact: one review request, one run of the checks, looks at its pull request (R8, X4, X5)."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core import materialize
from radial_core.dispatch import autoreview
from radial_core.dispatch.actions import PollMerge, RequestReview, RunChecks, Warn
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.plan import Planner, plan
from radial_core.dispatch.state import State, Tries
from tests.core.small_world import ANN, BOT, ROOT, again, at, ref, write
from tests.dispatch.scene import BASE, CAT, GOAL, PROJECT, minute, request, run_by, survey
from tests.dispatch.test_plan import ARCHIVED, CLOSED, REMOVED, REOPENED, UNARCHIVED

WANTED = request(10, "implementation", autoReview=True, assignee=BOT)
COMMIT = "c0ffee" + "0" * 34
LINKS = {"branch": "b", "commit": COMMIT, "pr": "https://git.example/site/1"}


def work(did: str = BOT, **changes: Any) -> Any:
    fields = {"goal": ref(GOAL), "request": ref(WANTED), "type": "implementation", "body": "b", "links": LINKS}
    return write(did, "artifact", 20, "w", **{**fields, **changes})


WORK = work()
REVIEW = RequestReview(artifact=WORK.uri, anchor=GOAL.uri, did=BOT, rkey=record_key("review request", WORK.uri))
CHECKS = RunChecks(
    artifact=WORK.uri, project=PROJECT.uri, commit=COMMIT, did=BOT, rkey=record_key("checkrun", WORK.uri, COMMIT)
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
CHECKED = write(CAT, "checkrun", 30, artifact=ref(WORK), commit=COMMIT, results=[{"name": "t", "pass": False}])
CHECKED_OTHER = write(
    CAT, "checkrun", 30, artifact=ref(WORK), commit="beef" * 10, results=[{"name": "t", "pass": True}]
)
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


FIRST, SECOND, THIRD = (
    write(
        BOT, "artifact", 20 + n, f"v{n}", goal=ref(GOAL), request=ref(WANTED), type="implementation", body="b",
        prev=None if n == 0 else {"uri": f"at://{BOT}/com.disnetdev.radial.artifact/v{n - 1}", "cid": WANTED.cid},
    )
    for n in range(3)
)  # fmt: skip
CURRENT: dict[str, tuple[tuple[Any, ...], set[str]]] = {
    "the last version of a chain": ((FIRST, SECOND, THIRD), {THIRD.uri}),
    "each as it lands": ((FIRST,), {FIRST.uri}),
    "the last versions of a fork": (
        (FIRST, SECOND, again(THIRD, prev=ref(FIRST))), {SECOND.uri, THIRD.uri},
    ),
    "one that is dated before what it follows": ((FIRST, again(SECOND, createdAt=at(1))), {SECOND.uri}),
    "a version that somebody else's follows is not": ((FIRST, work(CAT, prev=ref(FIRST))), set()),
    "one that a document of another type names": ((FIRST, work(CAT, type="plan", prev=ref(FIRST))), {FIRST.uri}),
    "one that is named from another place": (
        (FIRST, request(11, "implementation", project=ref(PROJECT)), work(CAT, goal=None, project=ref(PROJECT),
         request=ref(request(11, "implementation", project=ref(PROJECT))), prev=ref(FIRST))), {FIRST.uri},
    ),
    "one that only an outsider follows": ((FIRST, work("did:plc:eve", prev=ref(FIRST))), {FIRST.uri}),
}  # fmt: skip


@pytest.mark.parametrize("name", CURRENT)
def test_a_review_is_asked_for_of_what_no_other_version_follows(name: str) -> None:
    """Decision 0019: what was superseded while nobody looked, or before auto-review was on, is history."""
    records, expected = CURRENT[name]
    found = survey(WANTED, *records).actions
    assert {one.artifact for one in found if isinstance(one, RequestReview)} == expected


def test_what_goes_on_being_called_for_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is mostly history: one more record costs nothing for what landed there before."""
    made: list[str] = []

    def counted(purpose: str, *parts: str | int) -> str:
        made.append(purpose)
        return record_key(purpose, *parts)

    monkeypatch.setattr(autoreview, "record_key", counted)
    many = [write(BOT, "artifact", 20, f"o{n}", **{**work().value, "createdAt": at(20)}) for n in range(9)]
    planner, index = Planner(), materialize((*BASE, WANTED, *many))
    for record, expected in (
        (write(ANN, "message", 30, goal=ref(GOAL), body="b"), ["review request", "checkrun", "merge"] * 9),
        (write(ANN, "message", 31, goal=ref(GOAL), body="b"), []),
        (request(12), []),
        (write(CAT, "checkrun", 30, artifact=ref(many[0]), commit=COMMIT, results=[]), []),
        (write(ANN, "merge", 30, artifact=ref(many[1]), pr=LINKS["pr"]), []),
        (SWITCHED_ON, []),
        (write(ANN, "editProject", 30, project=ref(PROJECT), name="n"), []),
        (work(), []),
        (write(ANN, "message", 32, goal=ref(GOAL), body="b"), ["review request", "checkrun", "merge"]),
    ):
        found = planner.survey(index, run_by(BOT), State(), minute(60)).actions
        assert sorted(made) == sorted(expected)
        assert found == plan(index, run_by(BOT), State(), minute(60))
        made.clear()
        index = index.extend([record])


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
    assert start.key == f"start {asked.uri}"
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


NO_HASHES = (
    "c0ffee", COMMIT.upper(), COMMIT[:-1], COMMIT + "0", COMMIT + "\n", "0" * 63, "0" * 65, "g" * 40, "HEAD", "main~1",
    "--upload-pack=/bin/sh".ljust(40, "0"), "refs/heads/x", " " + COMMIT[1:], "\u0660" * 40,
)  # fmt: skip
NO_PULLS = (
    "file:///etc/passwd", "ssh://git@git.example/x", "javascript:alert(1)", "ftp://git.example/1", "https:git.example",
    "https://", "https:///1", "https://-o.example/1", "https://a..example/1", "https://me:secret@git.example/1",
    "https://git.example:123456/1", "https://git.example\\@other.example/1", "https://git.example/<b>",
    "https://git.example/`id`", "https://[::1]/1", "https://git.example/" + "1" * 2029, "http://" + "a" * 64 + "/1",
    "at://git.example/sh.tangled.repo.pull/1", "at://did:plc:ann", "HTTPS://git.example/1",
)  # fmt: skip
PULLS = (
    "http://git.example", "https://git.example:8443/x/pull/1?a=b#c", "https://localhost/1", "https://git.example?x",
    "https://git.example/" + "1" * 2028, "https://127.0.0.1:80/~x/%20/(1)", "at://did:plc:ann/sh.tangled.repo.pull/1",
)  # fmt: skip


@pytest.mark.parametrize("commit", NO_HASHES)
def test_no_checks_run_on_what_is_no_whole_commit_hash_and_that_is_told_once(commit: str) -> None:
    record = work(links={**LINKS, "commit": commit})
    review, warning, poll = survey(WANTED, record).actions
    assert (type(review), type(poll)) == (RequestReview, PollMerge)
    assert isinstance(warning, Warn)
    assert warning.text.startswith(f"{record.uri} links the commit “")
    assert warning.text.endswith("which is no whole commit hash: no checks run")
    told = State(done=frozenset({review.key, warning.key}), polled={record.uri: minute(60)})
    assert survey(WANTED, record, state=told).actions == ()


@pytest.mark.parametrize("commit", [COMMIT, "0" * 64])
def test_checks_run_on_a_whole_hash_of_either_length(commit: str) -> None:
    found = survey(WANTED, work(links={"commit": commit})).actions
    assert [one.commit for one in found if isinstance(one, RunChecks)] == [commit]
    assert not any(isinstance(one, Warn) for one in found)


@pytest.mark.parametrize("pull", NO_PULLS)
def test_nobody_looks_at_what_cannot_name_a_pull_request_and_that_is_told_once(pull: str) -> None:
    record = work(links={**LINKS, "pr": pull})
    review, checks, warning = survey(WANTED, record).actions
    assert (type(review), type(checks)) == (RequestReview, RunChecks)
    assert isinstance(warning, Warn)
    assert warning.text.startswith(f"{record.uri} links the pr “")
    assert len(warning.text) < 400
    told = State(done=frozenset({review.key, checks.key, warning.key}))
    assert survey(WANTED, record, state=told).actions == ()


@pytest.mark.parametrize("pull", PULLS)
def test_a_web_address_and_a_record_can_name_a_pull_request(pull: str) -> None:
    found = survey(WANTED, work(links={"pr": pull})).actions
    assert [one.pr for one in found if isinstance(one, PollMerge)] == [pull]
    assert not any(isinstance(one, Warn) for one in found)


def test_what_asks_for_nothing_is_not_complained_about() -> None:
    """A plan is not checked, a merge that is known is not looked for, and a project may have no checks."""
    odd = work(type="plan", links={"commit": "c0ffee", "pr": "file:///x"})
    merged = write(CAT, "merge", 30, artifact=ref(odd), pr="https://git.example/1")
    assert not any(isinstance(one, Warn) for one in survey(WANTED, odd, merged).actions)


def test_no_body_and_no_mention_dispatches_anything() -> None:
    order = '{"$type": "com.disnetdev.radial.artifactRequest", "type": "plan"} /radial plan @bot please implement'
    said = [
        write(ANN, "message", 30 + n, goal=ref(GOAL), body=order, mentions=[BOT, CAT], re=ref(WANTED)) for n in range(3)
    ]
    assert survey(*said).actions == ()
    assert survey(WANTED, WORK, *said).actions == ALL
