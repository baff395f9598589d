"""Which branch a turn works on: one chain, one branch, one pull request (seed §10).

Strategy: a revision goes on with its predecessor's branch when every one of some conditions holds, and otherwise starts
one of its own; both ways end in work that can be delivered. The conditions that an index can tell are asked first
(`look_back`); whether the branch is still live work is asked outside: of the forge, which knows what became of the pull
request, else of git, which knows no more than whether the branch is there. A branch that somebody deleted after its
merge would make every checkout fail the same way for ever, so without an answer nothing is gone on with. The decision
says which signal answered. A new branch is named after its request: whoever takes that over finds what was pushed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import attrs

from radial_core.dispatch.assignment import predecessors
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.links import is_pull
from radial_core.dispatch.scope import Scope
from radial_core.identifiers import StrongRef
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.index import Index

    PullIsOurs: TypeAlias = Callable[[str, str], bool]

NAMESPACE: Final = "radial/impl-"  # what is outside belongs to people, and is never pushed to
# Somebody's record says it and git is given it: nothing that git would read otherwise than as one name.
_is_in_namespace: Final = re.compile(rf"{NAMESPACE}[A-Za-z0-9_-]{{1,100}}").fullmatch
Signal: TypeAlias = Literal["index", "forge", "git", "nobody"]


@attrs.frozen(kw_only=True)
class Branch:
    """The branch to work on, why it is that one, and which signal had the last word.

    `continues` is the artifact whose branch it is, and `pr` the pull request that is open on it; both are None for a
    branch that starts at the project's own.
    """

    name: str
    signal: Signal
    reason: str
    continues: StrongRef | None = None
    pr: str | None = None


@attrs.frozen(kw_only=True)
class Predecessor:
    """A version that could be gone on with, as far as the index knows: the branch and pull request that it links.

    `base` is the branch into which it has to go; `merged` the record that says it was merged, or none; `fresh` the name
    to use if it is no live work any more.
    """

    artifact: StrongRef
    branch: str
    pr: str
    base: str
    merged: str | None
    fresh: str


@attrs.frozen(kw_only=True)
class Pull:
    """What a forge says of a pull request: its state, its branch, whether that is in the project's own repository."""

    state: Literal["open", "merged", "closed"]
    head: str
    head_is_ours: bool
    base: str


@attrs.frozen
class Remote:
    """What `git ls-remote` says of a branch: whether the project's repository has it."""

    has_branch: bool


def fresh_name(request: str) -> str:
    """Name the branch that a request gets for itself: the same for everybody who works on it."""
    return NAMESPACE + record_key("branch", request)[:16]


def look_back(index: Index, request: str, *, pull_is_ours: PullIsOurs) -> Predecessor | Branch:
    """Find the version that a request goes on from, as far as the index knows, or settle for a branch of its own.

    `pull_is_ours(pr, git_url)` tells whether a pull request is one of the project's repository: it is a property of the
    two names, which the project's forge knows how to read. Raises `ValueError` for a URI at which no request counts.
    """
    project = Scope(index, request).project
    earlier = predecessors(index, request)
    if len(earlier) != 1:
        return _fresh(fresh_name(request), "index", f"it is based on {len(earlier)} artifacts of its type and place")
    [artifact] = earlier
    links, view = artifact.record.links, index.artifact(artifact.uri)
    branch, pr = (None, None) if links is None else (links.branch, links.pr)
    if branch is None or not _is_in_namespace(branch):
        shown = f"{artifact.uri} links {_named('branch', branch)}: only {NAMESPACE}* is gone on with"
        return _fresh(fresh_name(request), "index", shown)
    if pr is None or not is_pull(pr) or not pull_is_ours(pr, project.git_url):
        shown = (
            f"{artifact.uri} links {_named('pull request', pr)}: only one of the project's repository is gone on with"
        )
        return _fresh(fresh_name(request), "index", shown)
    return Predecessor(
        artifact=StrongRef(artifact.uri, artifact.cid),
        branch=branch,
        pr=pr,
        base=project.default_branch,
        merged=None if view is None or view.merged is None else view.merged.record,
        fresh=fresh_name(request),
    )


def choose(before: Predecessor, *, pull: Pull | None, remote: Remote | None) -> Branch:
    """Choose, given what was answered about the predecessor's branch; None: nobody was asked, or nobody answered.

    Where git says that the branch is gone there is nothing to check out, whatever else is said. Of what became of the
    work the forge knows; without it the index, which must not know of a merge, and git.
    """
    if remote is not None and not remote.has_branch:
        return _settle(before, "git", "the repository does not have it any more")
    if pull is not None:
        return _settle(before, "forge", _why_dead(before, pull))
    if before.merged is not None:
        return _settle(before, "index", f"its pull request was merged, as {before.merged} says")
    if remote is None:
        return _settle(before, "nobody", "neither a forge nor git says whether it is there")
    return _settle(before, "git", None)


def _why_dead(before: Predecessor, pull: Pull) -> str | None:
    if pull.state != "open":
        return f"its pull request {before.pr} is {pull.state}"
    if pull.head != before.branch:
        return f"its pull request {before.pr} is for {quoted(pull.head)}"
    if not pull.head_is_ours:
        return f"its pull request {before.pr} comes from another repository"
    return None if pull.base == before.base else f"its pull request {before.pr} goes into {quoted(pull.base)}"


def _settle(before: Predecessor, signal: Signal, why_dead: str | None) -> Branch:
    if why_dead is not None:
        return _fresh(before.fresh, signal, f"{before.branch} of {before.artifact.uri} is no live work: {why_dead}")
    reason = f"{before.branch} of {before.artifact.uri} is live work"
    return Branch(name=before.branch, signal=signal, reason=reason, continues=before.artifact, pr=before.pr)


def _fresh(name: str, signal: Signal, reason: str) -> Branch:
    return Branch(name=name, signal=signal, reason=reason)


def _named(what: str, name: str | None) -> str:
    return f"no {what}" if name is None else f"the {what} {quoted(name)}"
