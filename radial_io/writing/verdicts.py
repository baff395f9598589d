"""What an answer says of a write, as a table.

Strategy: there are few things to do next. Only an answer that the server gives before it does anything lets the write
be repeated as it is (`AGAIN`); one that leaves open what was done, and one that says that something stands there, has
to be looked into first (`LOOK`): a server that fails may have written, and so may one whose answer was lost.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, Final

from radial_core.identifiers import is_tid
from radial_io.atproto.procedures import Answer
from radial_io.store.outbox import Entry

_TOO_MANY: Final = 429
_TOO_LARGE: Final = 413
_SERVER_ERROR: Final = 500
_SWAP: Final = "InvalidSwap"


class Verdict(Enum):
    """What to do after an answer."""

    DONE = auto()
    AGAIN = auto()
    LOOK = auto()
    SPLIT = auto()
    REFUSED = auto()


def verdict(answer: Answer, entries: tuple[Entry, ...]) -> Verdict:
    """Judge the answer to a request for these entries."""
    status = answer.status
    if answer.is_good:
        return Verdict.DONE if _tells_of(answer.value, entries) else Verdict.LOOK
    if status == _TOO_MANY:
        return Verdict.AGAIN
    if status >= _SERVER_ERROR or answer.name == _SWAP:
        return Verdict.LOOK
    return Verdict.SPLIT if status == _TOO_LARGE and len(entries) > 1 else Verdict.REFUSED


def cids_in(value: Any, entries: tuple[Entry, ...]) -> list[str | None]:
    """Give the CIDs that an answer tells, one for each entry; None for a deletion."""
    if len(entries) > 1:
        results = value.get("results")
        return [one.get("cid") if isinstance(one, dict) else None for one in results or ()]
    return [value.get("cid")]


def revision_in(value: Any) -> str | None:
    """Give the revision of the commit that an answer tells; None where nothing was committed."""
    commit = value.get("commit")
    rev = commit.get("rev") if isinstance(commit, dict) else None
    return rev if isinstance(rev, str) and is_tid(rev) else None


def _tells_of(value: Any, entries: tuple[Entry, ...]) -> bool:
    """Tell whether a good answer says what was committed; one that found all as it should be does not."""
    if entries[0].letter.operation == "delete":
        return True
    if revision_in(value) is None:
        return False
    cids = cids_in(value, entries)
    return len(cids) == len(entries) and all(isinstance(cid, str) for cid in cids)
