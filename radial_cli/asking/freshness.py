"""How old what is read is, as the store tells it; for files nobody knows.

Strategy: asked before the records are read, so that what is said of them is never better than they are. A space counts
as live only while the repo of every member is followed at this moment (RK-16.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from radial_cli.diagnosing.situation import Situation, situation
from radial_cli.pictures.words import counted
from radial_cli.storing.place import opened
from radial_core import parse_instant
from radial_core.query.answers import UNKNOWN, Freshness


def freshness(files: Sequence[str] | None, store: str | None) -> Freshness:
    """Say how fresh the files, or the store when there are none, are. Raises `Failure` as opening a store does."""
    if files:
        return UNKNOWN
    with opened(store, write=False) as shelf:
        return _of(situation(shelf))


def _of(found: Situation) -> Freshness:
    members = found.members
    looked = [repo.looked_at for repo in members if repo.looked_at is not None]
    lags = [repo.lag for repo in members if repo.lag is not None]
    is_known = bool(members) and len(looked) == len(members)
    is_live = is_known and found.is_ready and all(repo.is_live for repo in members)
    return Freshness(
        state="live" if is_live else "unknown",
        as_of=min(looked, key=parse_instant) if is_known else None,
        behind=ceil(max(lags)) if is_known and lags else None,
        unread=tuple(repo.repo.did for repo in members if not repo.is_ready),
    )


def in_words(fresh: Freshness) -> str:
    """Say it to a person."""
    told = "live" if fresh.state == "live" else "freshness unknown"
    if fresh.as_of is not None and fresh.state != "live":
        told += f"; everybody's repo was looked at by {fresh.as_of}"
    if fresh.unread:
        told += f"; {counted(len(fresh.unread), 'member')} never read wholly: {', '.join(fresh.unread)}"
    return told
