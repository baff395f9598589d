"""Leases on requests: claimed, renewed, contested, lost, released (C1–C7, V3, V5).

Strategy: the agents of the corpus keep the rules of good claimants (C6) nearly always. A claim is one record whose
versions follow each other in place, which is where most URIs with several versions come from. The few that do not keep
the rules show what becomes of them: refused renewals, claims that lie outside the contract until repaired.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_corpus.clock import HOUR, MINUTE, SECOND

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_corpus.pen import Pen, Written
    from radial_corpus.room import Desk


def claim(desk: Desk, request: Written, did: str, minutes: int = 45) -> Written:
    """Claim a request for so many minutes."""
    pen = desk.pen
    now = pen.now + 5 * SECOND
    fields: dict[str, Any] = {"request": desk.ref(request), "expiresAt": pen.spell(now + minutes * MINUTE)}
    if desk.dice.chance(0.6):
        fields["renewedAt"] = pen.spell(now)
    return pen.write(did, "claim", fields, at=now)


def renew(pen: Pen, held: Written, minutes: int) -> Written:
    """Move a lease on well before it runs out, for as many minutes as before."""
    pen.now += minutes * MINUTE // 2
    return pen.rewrite(held, renewedAt=pen.spell(pen.now), expiresAt=pen.spell(pen.now + minutes * MINUTE))


def hold(desk: Desk, request: Written, did: str, rivals: Iterable[str] = ()) -> Written:
    """Claim a request and renew the claim for as long as the work takes; rivals come too late."""
    minutes = desk.dice.pick((10, 20, 30, 45, 60))
    held = claim(desk, request, did, minutes)
    for rival in rivals:
        lost = claim(desk, request, rival)
        if desk.dice.chance(0.5):
            desk.pen.delete(lost.uri)
    for _ in range(desk.dice.pick((0, 0, 1, 1, 2, 3, 5))):
        held = renew(desk.pen, held, minutes)
    return held


def contend(desk: Desk, request: Written) -> Written:
    """Let an agent hold a request, now and then against others; give its claim."""
    agents = desk.roster.other_agents()
    first, *rivals = desk.dice.some(agents, 2, 3) if desk.dice.chance(0.2) else [desk.dice.pick(agents)]
    return hold(desk, request, first, rivals)


def release(desk: Desk, held: Written) -> None:
    """Let go of a claim, by deleting it; most are left to lapse (C6)."""
    if desk.dice.chance(0.12):
        desk.pen.delete(held.uri)


def next_generation(desk: Desk, request: Written, held: Written) -> Written:
    """Go on after a day, or after the lease has lapsed, under a claim of its own (C6)."""
    desk.pen.now += desk.dice.between(20, 24) * HOUR
    return hold(desk, request, held.did)


def refused_renewals(desk: Desk, request: Written) -> None:
    """Rewrite a claim in the ways that are not adopted: shortened, re-dated, renewed for too long (V3)."""
    pen, held = desk.pen, hold(desk, request, desk.roster.agent())
    pen.now += MINUTE
    pen.rewrite(held, renewedAt=None, expiresAt=pen.spell(held.at + 5 * MINUTE))
    pen.rewrite(held, createdAt=pen.spell(held.at - HOUR))
    pen.rewrite(held, renewedAt=pen.spell(pen.now), expiresAt=pen.spell(pen.now + 3 * HOUR))


def repaired(desk: Desk, request: Written) -> None:
    """Claim a request for too long, then shorten the claim into the contract (V3)."""
    pen = desk.pen
    fields = {"request": desk.ref(request), "expiresAt": pen.spell(pen.now + 5 * HOUR)}
    held = pen.write(desk.roster.agent(), "claim", fields, at=pen.now)
    pen.rewrite(held, expiresAt=pen.spell(held.at + HOUR))
