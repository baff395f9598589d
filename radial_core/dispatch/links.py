"""What the links of an artifact have to lead to.

Strategy: a record may say anything, and git and a forge are given what it says: so nothing goes on to them that is not,
to the letter, what it should be (`is_full_hash`, `is_branch`, `is_pull`). Of what a turn submits more is asked. Reviews
pin a commit and checks fetch it, so it is there. What an implementation must link is the project's forge's affair and
is given: a pull request is demanded exactly where nobody opens one for the turn, and the refusal names the command that
does. Whether a commit can be fetched and whose a pull request is was asked of the forge before; what was not asked is
not objected to, and said not to have been.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

import attrs

from radial_core.dispatch.refusals import Notice, objection
from radial_core.identifiers import record_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.refusals import Named

LONGEST_PULL: Final = 2048
_match_hash: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?").fullmatch
_NO_BRANCHES: Final = ("@", "HEAD")
_finds_unfit: Final = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{").search
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# No name and password in front of the host, nothing invisible, no quotation mark, backslash or bracket of any kind.
_match_web_address: Final = re.compile(
    rf"https?://{_LABEL}(?:\.{_LABEL})*(?::[0-9]{{1,5}})?(?:[/?#][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?"
).fullmatch


def is_full_hash(text: str) -> bool:
    """Tell whether the text is a whole commit hash: 40 or 64 hexadecimal digits in lower case."""
    return _match_hash(text) is not None


def is_branch(text: str) -> bool:
    """Tell whether the text can name a branch, as git takes it (`git check-ref-format`), without refs/heads/.

    Nothing that git would read as an option, as another revision or as the state of a checkout.
    """
    if text in _NO_BRANCHES or text.startswith(("-", "refs/")) or text.endswith((".", "_HEAD")) or _finds_unfit(text):
        return False
    if is_full_hash(text):
        return False
    return all(part and not part.startswith(".") and not part.endswith(".lock") for part in text.split("/"))


def is_pull(text: str) -> bool:
    """Tell whether the text can name a pull request: a web address, or the at-URI of a record, of a bounded length."""
    if len(text) > LONGEST_PULL:
        return False
    return _match_web_address(text) is not None or record_parts(text) is not None


@attrs.frozen(kw_only=True)
class Demands:
    """What must be linked: a commit, and a pull request, which `pull` tells how to open (none: nobody has to)."""

    commit: bool = False
    pull: str | None = None


@attrs.frozen(kw_only=True)
class Looked:
    """What was found where the links lead: None where nobody looked."""

    commit_found: bool | None = None
    pull_ours: bool | None = None


def judge_links(links: object, demands: Demands, looked: Looked) -> Iterator[Named]:
    """Name what is wrong with those links that are texts.

    The names are `NoCommit`, `ShortCommit`, `CommitNotFound`, `UnfitBranch`, `NoPull`, `UnfitPull`, `ForeignPull`.
    """
    given: Mapping[str, object] = cast("Mapping[str, object]", links) if isinstance(links, Mapping) else {}
    yield from _judge_commit(given, demands, looked)
    branch = given.get("branch")
    if isinstance(branch, str) and not is_branch(branch):
        remedy = "name it as `git branch --show-current` does, or leave it out"
        yield "UnfitBranch", objection("is no name of a branch", remedy, "links", "branch")
    yield from _judge_pull(given, demands, looked)


def _judge_commit(links: Mapping[str, object], demands: Demands, looked: Looked) -> Iterator[Named]:
    commit = links.get("commit")
    if "commit" not in links:
        if demands.commit:
            yield "NoCommit", objection("is missing", "commit, push, and send the full hash", "links", "commit")
    elif isinstance(commit, str) and not is_full_hash(commit):
        remedy = "send all of it: `git rev-parse HEAD`"
        yield "ShortCommit", objection("is no full commit hash", remedy, "links", "commit")
    elif looked.commit_found is False:
        remedy = "push its branch, then submit again"
        yield "CommitNotFound", objection("cannot be fetched from the project's repository", remedy, "links", "commit")


def _judge_pull(links: Mapping[str, object], demands: Demands, looked: Looked) -> Iterator[Named]:
    pull = links.get("pr")
    if "pr" not in links:
        if demands.pull is not None:
            yield "NoPull", objection("is missing", f"open a pull request: {demands.pull}", "links", "pr")
    elif isinstance(pull, str) and not is_pull(pull):
        remedy = "link the pull request's own page, or its record"
        yield "UnfitPull", objection("is neither a plain web address nor a record's URI", remedy, "links", "pr")
    elif looked.pull_ours is False:
        remedy = "link the pull request that belongs to this project"
        yield "ForeignPull", objection("is no pull request of this project", remedy, "links", "pr")


def unlooked(links: Mapping[str, str], looked: Looked) -> Iterator[Notice]:
    """Say which links nobody has followed: `CommitUnchecked`, `PullUnchecked`."""
    if "commit" in links and looked.commit_found is None:
        yield Notice("CommitUnchecked", "nobody looked whether the commit can be fetched", "$.links.commit")
    if "pr" in links and looked.pull_ours is None:
        message = "nobody looked whether the pull request is of this project"
        yield Notice("PullUnchecked", message, "$.links.pr")
