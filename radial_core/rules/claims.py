"""Claims on requests: which count, in which order, and what work done under them is worth (C1, C3, C7).

Strategy: the index ranks claims and never says which is live; that depends on the observer (C4) and is asked of
`radial_core.leases`. Work that names its claim is fenced: whether that claim had already lost the request to an earlier
one is told beside the work, which is kept either way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.leases import lease_of
from radial_core.records import ArtifactRequest, Claim
from radial_core.rulings import Ruling
from radial_core.views import ClaimMark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from radial_core.entries import Entry
    from radial_core.leases import Lease
    from radial_core.places import Estate, Shelf, Site


class Ranking(NamedTuple):
    """The claims of a place: the leases on each request in rank order (C3), and those that had lost from the start."""

    leases: dict[str, tuple[Lease, ...]]
    lost: frozenset[str]


def refuse_claim(entry: Entry[Claim], site: Site) -> Ruling | None:
    """C1: only a request without an assignee is there to be claimed."""
    request: ArtifactRequest = site.estate.known(entry.record.request).record
    if request.assignee is None:
        return None
    return Ruling("C1", f"the request is assigned to {request.assignee}: it is not there to be claimed")


def rank(place: Shelf) -> Ranking:
    """Rank the claims of a place by request: earliest creation, then least URI (C3)."""
    leases = ranked(place.all(Claim))
    return Ranking(leases, frozenset(uri for held in leases.values() for uri in _lost(held)))


def ranked(claims: Iterable[Entry[Claim]]) -> dict[str, tuple[Lease, ...]]:
    """Give the leases of claims in rank order, by request (C3)."""
    by_request: dict[str, list[Lease]] = {}
    for entry in claims:
        lease = lease_of(entry.uri, entry.cid, entry.instant, entry.record)
        by_request.setdefault(entry.record.request, []).append(lease)
    return {request: tuple(sorted(held)) for request, held in by_request.items()}


def _lost(ranked: tuple[Lease, ...]) -> list[str]:
    """C7: a claim had lost when one that ranks before it was declared to last beyond its own creation."""
    lost: list[str] = []
    longest = ranked[0].expires_at
    for lease in ranked[1:]:
        if longest > lease.created_at:
            lost.append(lease.uri)
        longest = max(longest, lease.expires_at)
    return lost


def mark(claim: str | None, request: str | None, estate: Estate, had_lost: Callable[[str], bool]) -> ClaimMark | None:
    """Show the claim that a piece of work for `request` names (C7); nothing when it names none.

    `had_lost` says of a claim that counts whether it had lost from the start.
    """
    if claim is None:
        return None
    held = estate.find(claim, Claim)
    if held is None or held.record.request != request:
        return ClaimMark(claim, None)
    return ClaimMark(claim, had_lost(claim))
