"""Strategy: whether a claim is live is a question to one observer's clock (C4, C5), not to the index."""

from __future__ import annotations

from typing import Any

from tests.oracle.instants import instant
from tests.oracle.versions import expiry, renewal

Claim = tuple[str, dict[str, Any]]


def live(claim_value: dict[str, Any], seen_at: str | None, now: str) -> bool:
    """C4: the declared duration has not run out since the version was stored here. C5: unknown is now."""
    if seen_at is None:
        return True
    return instant(now) - instant(seen_at) < expiry(claim_value) - renewal(claim_value)


def rank(claim: Claim) -> tuple[Any, ...]:
    """C3: earliest `createdAt` instant, then least URI."""
    uri, value = claim
    return instant(value["createdAt"]), uri


def winner(claims: list[Claim], sightings: dict[str, str], now: str) -> str | None:
    """C4: the URI of the first live claim in rank order; `sightings` maps a claim's URI to its `seenAt`."""
    alive = [claim for claim in sorted(claims, key=rank) if live(claim[1], sightings.get(claim[0]), now)]
    return alive[0][0] if alive else None
