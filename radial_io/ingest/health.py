"""How each repo stands, from what the store knows: ready or not, how fresh, what went wrong last.

Strategy: nothing is asked of the network, and nothing is better than it is known to be. A repo is *ready* once it was
read wholly. It is *fresh* only while somebody follows it at this moment, the way that was chosen for it: a stream that
broke off, or a process that ended, leaves it unknown (RK-16.4). The lag is for how long the store may have been behind:
since the repo was last looked at, or nothing while a stream tells of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import attrs

from radial_core import parse_instant
from radial_io.ingest.choosing import LOOKS, Way
from radial_io.ingest.following import FOLLOWED, SKEW, WAYS
from radial_io.ingest.skew import Skew
from radial_io.store.store import Store
from radial_io.store.values import Repo, SourceState

_ALPHABET: Final = "234567abcdefghijklmnopqrstuvwxyz"
_CLOCK_BITS: Final = 10


@attrs.frozen(kw_only=True)
class Health:
    """How one repo stands. `spaces` are those whose members' repos it is one of; times are datetimes, `lag` seconds."""

    repo: Repo
    spaces: tuple[str, ...]
    way: Way | None
    written_at: str | None
    looked_at: str | None
    is_live: bool
    lag: float | None

    @property
    def is_ready(self) -> bool:
        """Whether it was read wholly once (RK-16.3)."""
        return self.repo.read_at is not None


@attrs.frozen(kw_only=True)
class Notes:
    """What a follower left in the store: when each space was followed last, the ways of the repos, the clock."""

    followed: Mapping[str, str]
    ways: Mapping[str, Way]
    skew: Skew | None
    skew_at: str | None

    @classmethod
    def of(cls, store: Store) -> Notes:
        """Read them."""
        followed: dict[str, str] = json.loads(store.meta(FOLLOWED) or "{}")
        ways: dict[str, tuple[Any, str]] = json.loads(store.meta(WAYS) or "{}")
        clock: dict[str, Any] = json.loads(store.meta(SKEW) or "{}")
        return cls(
            followed=followed,
            ways={did: Way(*way) for did, way in ways.items()},
            skew=Skew(clock["seconds"], clock["servers"]) if clock else None,
            skew_at=clock.get("at"),
        )


def health(
    repos: Iterable[Repo],
    sources: Iterable[SourceState],
    members: Mapping[str, tuple[str, ...]],
    ways: Mapping[str, Way],
    now: str,
) -> list[Health]:
    """Tell of every repo that is known or that belongs to a member, by DID; `members` gives the spaces by DID."""
    known = {repo.did: repo for repo in repos}
    states = _Sources(sources)
    found = []
    for did in sorted(known.keys() | members.keys()):
        repo, way = known.get(did, Repo(did)), ways.get(did)
        looked_at, is_live = states.last(did, way), states.is_live(did, way)
        found.append(
            Health(
                repo=repo,
                spaces=members.get(did, ()),
                way=way,
                written_at=time_of(repo.rev),
                looked_at=looked_at,
                is_live=is_live,
                lag=_lag(looked_at, now, is_told=is_live and way is not None and way.is_stream),
            )
        )
    return found


class _Sources:
    """The states of all sources: by the repo that they are of, and by stream."""

    def __init__(self, sources: Iterable[SourceState]) -> None:
        self._of: dict[str, list[SourceState]] = {}
        self._streams: dict[Way, SourceState] = {}
        for state in sources:
            if state.source.subject:
                self._of.setdefault(state.source.subject, []).append(state)
            else:
                self._streams[Way(state.source.adapter, state.source.host)] = state

    def last(self, did: str, way: Way | None) -> str | None:
        """Give when something was heard last of a repo."""
        states = [state for state in self._of.get(did, []) if state.source.adapter in LOOKS]
        states += [stream] if way is not None and (stream := self._streams.get(way)) is not None else []
        return max((state.taken_at for state in states if state.taken_at is not None), key=parse_instant, default=None)

    def is_live(self, did: str, way: Way | None) -> bool:
        """Tell whether somebody follows a repo at this moment, the way that was chosen."""
        if way is None:
            return False
        if way.is_stream:
            return way in self._streams and self._streams[way].is_live
        return any(state.is_live for state in self._of.get(did, []) if state.source.adapter == way.adapter)


def _lag(looked_at: str | None, now: str, *, is_told: bool) -> float | None:
    if looked_at is None:
        return None
    return 0.0 if is_told else max(0.0, _seconds(now) - _seconds(looked_at))


def _seconds(text: str) -> float:
    seconds, fraction = parse_instant(text)
    return seconds + float(f"0.{fraction or 0}")


def time_of(rev: str | None) -> str | None:
    """Give the time that a revision's TID tells, in UTC to the second; None where there is none."""
    if rev is None:
        return None
    number = 0
    for letter in rev:
        number = number * len(_ALPHABET) + _ALPHABET.index(letter)
    return f"{datetime.fromtimestamp((number >> _CLOCK_BITS) // 10**6, UTC):%Y-%m-%dT%H:%M:%SZ}"
