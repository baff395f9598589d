"""What the links of an artifact have to lead to.

Strategy: a record may say anything, and git and a forge are given what it says: so nothing goes on to them that is not,
to the letter, what it should be (`is_full_hash`, `is_pull`). Of what a turn submits more is asked. Reviews pin a commit
and checks fetch it, so it is there. What an implementation must link is the project's forge's affair and is given: a
pull request is demanded exactly where nobody opens one for the turn, and the refusal names the command that does.
Whether a commit can be fetched and whose a pull request is was asked of the forge before; what was not asked is not
objected to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.refusals import objection
from radial_core.identifiers import record_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.refusals import Named

LONGEST_PULL: Final = 2048
_match_hash: Final = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?").fullmatch
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
# No name and password in front of the host, nothing invisible, no quotation mark, backslash or bracket of any kind.
_match_web_address: Final = re.compile(
    rf"https?://{_LABEL}(?:\.{_LABEL})*(?::[0-9]{{1,5}})?(?:[/?#][A-Za-z0-9._~:/?#@!$&()*+,;=%-]*)?"
).fullmatch


def is_full_hash(text: str) -> bool:
    """Tell whether the text is a whole commit hash: 40 or 64 hexadecimal digits in lower case."""
    return _match_hash(text) is not None


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


def judge_links(links: Mapping[str, str], demands: Demands, looked: Looked) -> Iterator[Named]:
    """Name what is wrong with well-formed links.

    The names are `NoCommit`, `ShortCommit`, `CommitNotFound`, `NoPull`, `ForeignPull`.
    """
    commit = links.get("commit")
    if commit is None:
        if demands.commit:
            yield "NoCommit", objection("is missing", "commit, push, and send the full hash", "links", "commit")
    elif not is_full_hash(commit):
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
