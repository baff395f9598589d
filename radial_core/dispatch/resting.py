"""Requests that somebody else's claim keeps from us for a while, so that nobody has to look at them until then (C4).

Strategy: with room to spare, and everything claimed by others, each plan would look at every lease there is. What keeps
a request from us is one live lease of somebody else, and that is so for as long as nothing was observed about it and
our clock is between the moment at which we first saw it and its end. Both are bounds on the safe side: outside of them
the request is simply looked at. So nothing here decides; it only saves asking again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.dispatch.leasing import author_of
from radial_core.instants import Instant

if TYPE_CHECKING:
    from collections.abc import Container

    from radial_core.dispatch.docket import Candidate
    from radial_core.index import Index
    from radial_core.leases import Lease
    from radial_core.ledger import Held


class _Rest(NamedTuple):
    """The lease that keeps a request from us, what was observed of it, and when it does so for certain."""

    leases: tuple[Lease, ...]
    claim: str
    held: Held | None
    since: Instant
    until: Instant


class Resting:
    """What rests, for one operator. `looked` counts how often the leases on a request were looked at."""

    def __init__(self, ours: Container[str]) -> None:
        self.looked = 0
        self._ours = ours
        self._rests: dict[str, _Rest] = {}

    def follow(self, index: Index, requests: Container[str]) -> None:
        """Forget what is over: requests that are none any more, and claims about which more was observed."""
        held = index.held
        self._rests = {
            request: rest
            for request, rest in self._rests.items()
            if request in requests and held(rest.claim) is rest.held
        }

    def rests(self, index: Index, candidate: Candidate, now: Instant) -> bool:
        """Tell whether somebody else's claim keeps a request from us now; if not, that is to be looked into."""
        if not candidate.leases:
            return False
        rest = self._rests.get(candidate.request.uri)
        if rest is None or rest.leases != candidate.leases or not rest.since <= now < rest.until:
            self.looked += 1
            rest = self._look(index, candidate, now)
            if rest is not None:
                self._rests[candidate.request.uri] = rest
        return rest is not None

    def _look(self, index: Index, candidate: Candidate, now: Instant) -> _Rest | None:
        if any(author_of(lease.uri) in self._ours for lease in candidate.leases):
            return None  # what becomes of a claim of ours is for the plan to say
        found = (_rest(index, candidate.leases, lease) for lease in candidate.leases)
        live = (rest for rest in found if rest is not None and rest.since <= now < rest.until)
        return max(live, key=lambda rest: rest.until, default=None)


def _rest(index: Index, leases: tuple[Lease, ...], lease: Lease) -> _Rest | None:
    seen_at = index.first_seen(lease.uri, lease.cid)
    if seen_at is None:
        return None
    lasts = lease.expires_at.seconds - lease.renewed_at.seconds - 1  # whole seconds, and not one too many
    return _Rest(leases, lease.uri, index.held(lease.uri), seen_at, Instant(seen_at.seconds + lasts, ""))
