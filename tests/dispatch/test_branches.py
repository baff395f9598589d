"""Which branch the next version of an implementation is made on: one case for each condition of the seed's §10."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import materialize
from radial_core.dispatch.branches import Branch, Predecessor, Pull, Remote, choose, fresh_name, look_back
from radial_core.identifiers import StrongRef
from tests.core.small_world import ANN, BOT, ref, uri_of, write
from tests.dispatch.scene import BASE, GOAL, PROJECT, request

if TYPE_CHECKING:
    from radial_core import Record

GIT_URL = "https://git.example/site"
PR = f"{GIT_URL}/pull/7"
BRANCH = "radial/impl-abc123"
FIRST = request(10, "implementation")
GONE, THERE = Remote(has_branch=False), Remote(has_branch=True)


def version(key: str = "v1", number: int = 20, **fields: Any) -> Record:
    links = {"branch": BRANCH, "commit": "c" * 40, "pr": PR}
    anchor = {} if "project" in fields else {"goal": ref(GOAL)}
    given = {"type": "implementation", "title": "T", "body": "b", "links": links, "request": ref(FIRST), **anchor}
    return write(BOT, "artifact", number, key, **(given | fields))


def revision(*basis: Record, kind: str = "implementation", **fields: Any) -> Record:
    return request(30, kind, basedOn=[ref(one) for one in basis], **fields)


def is_ours(pr: str, git_url: str) -> bool:
    return pr.startswith(git_url + "/")


def look(asked: Record, *records: Record) -> Predecessor | Branch:
    return look_back(materialize([*BASE, FIRST, *records, asked]), asked.uri, pull_is_ours=is_ours)


def found(*records: Record) -> Predecessor:
    before = look(revision(version()), version(), *records)
    assert isinstance(before, Predecessor)
    return before


def test_one_version_with_a_branch_of_ours_and_a_pull_request_may_be_gone_on_with() -> None:
    asked = revision(version())
    assert look(asked, version()) == Predecessor(
        artifact=StrongRef(version().uri, version().cid),
        branch=BRANCH,
        pr=PR,
        base="main",
        merged=None,
        fresh=fresh_name(asked.uri),
    )


PLAN = version("plan", type="plan", request=ref(request(11)))
ELSEWHERE = write(
    ANN, "goal", 6, "other", space=ref(BASE[0]), project=ref(PROJECT), title="Other", body="Do"
)  # fmt: skip
UNLIKE: dict[str, tuple[tuple[Record, ...], dict[str, Any], str]] = {
    "no basis": ((), {}, "based on 0 artifacts"),
    "two of its type": ((version(), version("v2", 21)), {}, "based on 2 artifacts"),
    "of another type": ((PLAN,), {}, "based on 0 artifacts"),
    "at another goal": (
        (version("far", goal=ref(ELSEWHERE), request={"uri": uri_of(ANN, "artifactRequest", "x"), "cid": GOAL.cid}),),
        {},
        "based on 0 artifacts",
    ),
    "without links": ((version(links={}),), {}, "links no branch"),
    "without a branch": ((version(links={"pr": PR}),), {}, "links no branch"),
    "a person's branch": ((version(links={"branch": "main", "pr": PR}),), {}, "the branch “main”: only radial/impl-*"),
    "the bare namespace": ((version(links={"branch": "radial/impl-", "pr": PR}),), {}, "only radial/impl-*"),
    "a name that git reads otherwise": (
        (version(links={"branch": "radial/impl-x:main", "pr": PR}),), {}, "only radial/impl-*",
    ),
    "without a pull request": ((version(links={"branch": BRANCH}),), {}, "links no pull request"),
    "another project's pull request": (
        (version(links={"branch": BRANCH, "pr": "https://git.example/other/pull/7"}),), {}, "other/pull/7",
    ),
    "what begins like one of ours and is no address": (
        (version(links={"branch": BRANCH, "pr": f"{GIT_URL}/$(id)`"}),), {}, "only one of the project's repository",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLIKE)
def test_anything_else_gets_a_branch_of_its_own(name: str) -> None:
    basis, fields, reason = UNLIKE[name]
    asked = revision(*basis, **fields)
    branch = look(asked, ELSEWHERE, request(11), *basis)
    assert isinstance(branch, Branch)
    assert (branch.name, branch.signal, branch.continues, branch.pr) == (fresh_name(asked.uri), "index", None, None)
    assert reason in branch.reason


def test_a_plan_beside_the_version_does_not_hinder() -> None:
    asked = revision(PLAN, version())
    assert isinstance(look(asked, request(11), PLAN, version()), Predecessor)


def test_the_base_is_the_one_that_the_project_has_now() -> None:
    moved = write(ANN, "editProject", 40, "e", project=ref(PROJECT), defaultBranch="trunk")
    assert found(moved).base == "trunk"


MERGE = write(ANN, "merge", 25, "m", artifact=ref(version()), pr=PR)


def pull(**changes: Any) -> Pull:
    given: dict[str, Any] = {"state": "open", "head": BRANCH, "head_is_ours": True, "base": "main"}
    return Pull(**(given | changes))


# what the forge says, what git says, whether a member says it was merged: who had the last word, and why it is dead
ANSWERS: dict[str, tuple[Pull | None, Remote | None, bool, str, str]] = {
    "the forge says that it is open": (pull(), None, False, "forge", ""),
    "both say so": (pull(), THERE, False, "forge", ""),
    "open, but deleted": (pull(), GONE, False, "git", "does not have it any more"),
    "a forge's answer goes before a member's": (pull(), None, True, "forge", ""),
    "merged": (pull(state="merged"), THERE, False, "forge", f"{PR} is merged"),
    "closed": (pull(state="closed"), THERE, False, "forge", f"{PR} is closed"),
    "of another branch": (pull(head="radial/impl-else"), THERE, False, "forge", "is for “radial/impl-else”"),
    "from a fork": (pull(head_is_ours=False), THERE, False, "forge", "comes from another repository"),
    "into another base": (pull(base="release"), THERE, False, "forge", "goes into “release”"),
    "git has the branch": (None, THERE, False, "git", ""),
    "somebody deleted the branch": (None, GONE, False, "git", "does not have it any more"),
    "a member saw the merge": (None, THERE, True, "index", "was merged, as"),
    "nobody answers": (None, None, False, "nobody", "neither a forge nor git"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_branch_is_gone_on_with_while_it_is_live_work(name: str) -> None:
    said_by_forge, said_by_git, merged, signal, dead = ANSWERS[name]
    before = found(*[MERGE] * merged)
    branch = choose(before, pull=said_by_forge, remote=said_by_git)
    assert branch.signal == signal
    if dead:
        assert (branch.name, branch.continues, branch.pr) == (before.fresh, None, None)
        assert dead in branch.reason
    else:
        assert (branch.name, branch.continues, branch.pr) == (BRANCH, before.artifact, PR)
        assert "is live work" in branch.reason


def test_a_fresh_branch_is_the_request_s_whoever_takes_it() -> None:
    assert re.fullmatch(r"radial/impl-[a-z2-7]{16}", fresh_name(FIRST.uri))
    assert fresh_name(FIRST.uri) != fresh_name(revision().uri)


def test_what_a_fresh_branch_is_called_can_be_gone_on_with() -> None:
    links = {"branch": fresh_name(FIRST.uri), "pr": PR}
    assert isinstance(look(revision(version(links=links)), version(links=links)), Predecessor)


def test_a_uri_without_a_request_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="no request counts"):
        look_back(materialize(BASE), FIRST.uri, pull_is_ours=is_ours)
