"""What the links of an artifact have to lead to.

Strategy: reviews pin a commit and checks fetch it, so it is a full hash, and it is there. What an implementation must
link is the project's forge's affair and is given: a pull request is demanded exactly where nobody opens one for the
turn, and the refusal names the command that does. Whether a commit can be fetched and whose a pull request is was asked
of the forge before; what was not asked is not objected to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.refusals import objection

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.refusals import Named

_is_full_hash: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?").fullmatch


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


def judge_links(links: Mapping[str, str], demands: Demands, looked: Looked) -> Iterator[Named]:
    """Name what is wrong with well-formed links.

    The names are `NoCommit`, `ShortCommit`, `CommitNotFound`, `NoPull`, `ForeignPull`.
    """
    commit = links.get("commit")
    if commit is None:
        if demands.commit:
            yield "NoCommit", objection("is missing", "commit, push, and send the full hash", "links", "commit")
    elif not _is_full_hash(commit):
        remedy = "send all of it: `git rev-parse HEAD`"
        yield "ShortCommit", objection("is no full commit hash", remedy, "links", "commit")
    elif looked.commit_found is False:
        remedy = "push its branch, then submit again"
        yield "CommitNotFound", objection("cannot be fetched from the project's repository", remedy, "links", "commit")
    if "pr" not in links and demands.pull is not None:
        yield "NoPull", objection("is missing", f"open a pull request: {demands.pull}", "links", "pr")
    elif "pr" in links and looked.pull_ours is False:
        remedy = "link the pull request that belongs to this project"
        yield "ForeignPull", objection("is no pull request of this project", remedy, "links", "pr")
