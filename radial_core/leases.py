"""The arithmetic of leases (C2–C5).

Strategy: a claim's lease is a *duration*, and each observer counts it from its own first sighting. So two questions are
kept apart. Whether a version keeps the contract is a function of that version alone (C2) and is asked by the choice of
versions and by nobody else. Whether a lease is live is a function of the duration, of the moment at which **this**
observer first stored the version, and of this observer's clock now: no instant of the record is ever held against a
clock (C4). All arithmetic is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.instants import Instant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.records import Claim

LONGEST_LEASE: Final = 3600  # seconds (C2)
LONGEST_LIFE: Final = 86_400  # seconds from a claim's creation to the end of any of its leases (C2)


class Lease(NamedTuple):
    """One version of a claim as an observer honours it. Sorts by rank (C3): earliest creation, then least URI."""

    created_at: Instant
    uri: str
    cid: str
    renewed_at: Instant
    expires_at: Instant


def lease_of(uri: str, cid: str, created_at: Instant, claim: Claim) -> Lease:
    """Read the lease that one version of a claim declares; a missing `renewedAt` reads as `createdAt` (C1)."""
    return Lease(created_at, uri, cid, claim.renewed_at or created_at, claim.expires_at)


def breach(lease: Lease) -> str | None:
    """Say which bound of the contract a version breaks, or nothing (C2)."""
    created, renewed, expires = lease.created_at, lease.renewed_at, lease.expires_at
    if renewed < created:
        return "the lease was renewed before the claim was made"
    if expires <= renewed:
        return "the lease does not last at all: expiresAt is not later than renewedAt"
    if expires > renewed.plus(LONGEST_LEASE):
        return "the lease lasts more than one hour from renewedAt"
    if expires > created.plus(LONGEST_LIFE):
        return "the lease ends more than 24 hours after the claim's createdAt"
    return None


def live(lease: Lease, seen_at: Instant | None, now: Instant) -> bool:
    """Tell whether an observer that first stored this version at `seen_at` still honours it `now` (C4).

    Both instants come from that observer's own clock. A version without a known sighting counts as seen now (C5). The
    lease is over at the very instant at which its duration has passed.
    """
    if seen_at is None:
        return True
    return now.since(seen_at) < lease.expires_at.since(lease.renewed_at)


def winner(leases: Iterable[Lease], sightings: Mapping[tuple[str, str], Instant | None], now: Instant) -> Lease | None:
    """Give the first live lease in rank order, or nothing (C3, C4).

    `sightings` maps `(uri, cid)` of a claim's version to the instant at which this observer first stored it.
    """
    return next((lease for lease in sorted(leases) if live(lease, sightings.get((lease.uri, lease.cid)), now)), None)
