"""How old what is read is, as the store tells it; for files nobody knows.

Strategy: asked before the records are read, so that what is said of them is never better than they are; and said of the
spaces that an answer rests on, for a store also holds what members of one space wrote in others, which nobody follows.
A space counts as live only while streams tell of the repo of every member at this moment (RK-16.4): who looks from time
to time is behind by all that came since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TypeAlias

from radial_cli.diagnosing.situation import Situation, situation
from radial_cli.pictures.words import counted
from radial_cli.storing.place import opened
from radial_core import parse_instant
from radial_core.query.answers import UNKNOWN, Freshness
from radial_io.ingest.health import Health

Ages: TypeAlias = Callable[[Iterable[str]], Freshness]  # how fresh what is read of some spaces is


def ages(files: Sequence[str] | None, store: str | None) -> Ages:
    """Look how fresh the files, or the store when there are none, are. Raises `Failure` as opening a store does."""
    if files:
        return lambda _spaces: UNKNOWN
    with opened(store, write=False) as shelf:
        found = situation(shelf)
    return lambda spaces: _of(found, frozenset(spaces))


def _of(found: Situation, spaces: frozenset[str]) -> Freshness:
    members = [repo for repo in found.repos if not spaces.isdisjoint(repo.spaces)]
    looked = [repo.looked_at for repo in members if repo.looked_at is not None]
    lags = [repo.lag for repo in members if repo.lag is not None]
    is_known = bool(members) and len(looked) == len(members)
    is_followed = spaces <= found.names.keys() & found.notes.followed.keys()
    is_live = is_known and is_followed and all(repo.is_ready and _is_told(repo) for repo in members)
    return Freshness(
        state="live" if is_live else "unknown",
        as_of=min(looked, key=parse_instant) if is_known else None,
        behind=ceil(max(lags)) if is_known and lags else None,
        unread=tuple(repo.repo.did for repo in members if not repo.is_ready),
    )


def _is_told(repo: Health) -> bool:
    return repo.is_live and repo.way is not None and repo.way.is_stream


def in_words(fresh: Freshness) -> str:
    """Say it to a person."""
    told = "live" if fresh.state == "live" else "freshness unknown"
    if fresh.as_of is not None and fresh.state != "live":
        told += f"; everybody's repo was looked at by {fresh.as_of}"
    if fresh.unread:
        told += f"; {counted(len(fresh.unread), 'member')} never read wholly: {', '.join(fresh.unread)}"
    return told
