"""Our claims on one request: which are sound, which wins, what keeps a running turn covered (C3, C4, C6).

Strategy: what we wrote is judged by our own clock against itself, the one comparison of a clock and a record that means
anything; what others wrote is a duration from when we first saw it. A claim of ours that this clock could not have
written is retired. One that has lapsed is never renewed: its early `createdAt` would take the request back from whoever
has claimed it since; the next generation is written instead. So it is before the 24 hours of a claim run out, and then
in the same step, so that a running turn is covered at every instant.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import attrs

from radial_core.dispatch.actions import NextGenerationClaim, ReleaseClaim, RenewClaim, RetireClaim, WriteClaim
from radial_core.dispatch.clock import is_ahead
from radial_core.dispatch.keys import record_key
from radial_core.leases import LONGEST_LIFE, Lease, live
from radial_core.records import PREFIX

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from radial_core.dispatch.actions import Action
    from radial_core.dispatch.routing import Operator
    from radial_core.dispatch.state import Held, State
    from radial_core.index import Index
    from radial_core.instants import Instant

_RENEWALS = 3  # in the time of one lease: a lost renewal leaves time for another


@attrs.frozen
class Sight:
    """Everything that a plan is made from; `looked` keeps what was looked up in this very index."""

    index: Index
    operator: Operator
    state: State
    now: Instant
    looked: dict[str, tuple[tuple[Lease, ...], dict[tuple[str, str], Instant | None]]]

    @cached_property
    def held(self) -> Mapping[str, tuple[Held, ...]]:
        """Our claims by request, oldest first."""
        found: dict[str, list[Held]] = {}
        for held in sorted(self.state.claims, key=lambda held: held.generation):
            found.setdefault(held.request, []).append(held)
        return {request: tuple(claims) for request, claims in found.items()}


class Hold(NamedTuple):
    """The claims on a request: ours, oldest first; the others' that are live to us, in rank order.

    `unaccounted` are those that count and are by our own agents, but of which we know nothing; `counted` are all that
    count.
    """

    mine: tuple[Held, ...]
    others: tuple[Lease, ...]
    unaccounted: tuple[str, ...]
    counted: frozenset[str]


def hold_on(sight: Sight, request: str, ranked: tuple[Lease, ...] | None = None) -> Hold:
    """Gather the claims on a request: ours as we know them, the others' as the index has them, or `ranked` already."""
    mine = sight.held.get(request, ())
    if request not in sight.looked:
        found = sight.index.leases(request) if ranked is None else ranked
        seen_at = {(lease.uri, lease.cid): sight.index.first_seen(lease.uri, lease.cid) for lease in found}
        sight.looked[request] = (found, seen_at)
    leases, seen = sight.looked[request]
    if not leases:
        return Hold(mine, (), (), frozenset())
    ours = {lease.uri for lease in leases if author_of(lease.uri) in sight.operator.dids}
    others = (lease for lease in leases if lease.uri not in ours)
    alive = tuple(lease for lease in others if _is_alive(sight, lease, seen[lease.uri, lease.cid]))
    unknown = ours.difference(held.uri for held in mine)
    counted = frozenset(lease.uri for lease in leases)
    return Hold(mine, alive, tuple(sorted(unknown - _deleted(sight, request, unknown))), counted)


def _is_alive(sight: Sight, lease: Lease, seen_at: Instant | None) -> bool:
    """C4, for a clock that may have been set back: a sighting in our own future would hold us up for that long.

    It is passed over. If its writer is at work, its next renewal is seen within one lease, and ranks before us.
    """
    if seen_at is not None and is_ahead(seen_at, sight.now, sight.operator.lease):
        return False
    return live(lease, seen_at, sight.now)


def author_of(uri: str) -> str:
    """Give the author of a record (O6)."""
    return uri.split("/", 3)[2]


def _deleted(sight: Sight, request: str, unknown: set[str]) -> set[str]:
    """Give those that we wrote, and have deleted since: that is still to be seen."""
    written = range(sight.state.generations.get(request, 0) if unknown else 0)
    dids = {author_of(uri) for uri in unknown}
    counted = {claim_uri(did, request, generation) for did in dids for generation in written}
    return counted | {uri for uri in unknown if _was_let_go(sight, uri)}


def _was_let_go(sight: Sight, uri: str) -> bool:
    return f"release {uri}" in sight.state.done


def flaw(sight: Sight, held: Held, counted: frozenset[str]) -> str | None:
    """Say why a claim of ours is not to be kept, or nothing (C6)."""
    now, lease = sight.now, sight.operator.lease
    if is_ahead(held.created_at, now, lease) or is_ahead(held.renewed_at, now, lease):
        return "it lies in our own future: this clock could not have written it"
    if now >= held.expires_at:
        return "it has lapsed on our own clock"
    if held.settled and held.uri not in counted:
        return "it does not count: it was deleted, or everybody refuses it"
    return None


def rival(hold: Hold, sound: list[Held]) -> Lease | None:
    """Give the live claim of somebody else that ranks before every sound one of ours, or nothing (C3)."""
    first = min(((held.created_at, held.uri) for held in sound), default=None)
    foremost = min(hold.others, default=None)
    if foremost is None or (first is not None and first < (foremost.created_at, foremost.uri)):
        return None
    return foremost


def sound_ones(sight: Sight, hold: Hold, dids: Container[str]) -> list[Held]:
    """Give those of our claims that may be kept, of the agents that may work under them."""
    return [held for held in _sound(sight, hold) if author_of(held.uri) in dids]


def _sound(sight: Sight, hold: Hold) -> list[Held]:
    return [held for held in hold.mine if flaw(sight, held, hold.counted) is None]


def retirements(sight: Sight, hold: Hold) -> Iterator[RetireClaim]:
    """Retire whatever is not to be kept."""
    for held in hold.mine:
        why = flaw(sight, held, hold.counted)
        if why is not None:
            yield RetireClaim(claim=held.uri, request=held.request, reason=why)


def accounts(sight: Sight, hold: Hold, request: str, dids: Iterable[str]) -> WriteClaim | RetireClaim | None:
    """Deal with a claim of ours that we know nothing of.

    A lost receipt is made good, if one of these agents may work under the claim; anything else is retired.
    """
    if not hold.unaccounted:
        return None
    for first in (first_claim(sight, request, did) for did in dids):
        if claim_uri(first.did, request, first.generation) in hold.unaccounted:
            return first  # the performer finds it written
    return RetireClaim(
        claim=hold.unaccounted[0], request=request, reason="a claim of ours of which nothing is on record"
    )


def releases(hold: Hold, reason: str) -> list[ReleaseClaim]:
    """Release all of our claims on a request."""
    return [ReleaseClaim(claim=held.uri, request=held.request, reason=reason) for held in hold.mine]


def first_claim(sight: Sight, request: str, did: str) -> WriteClaim:
    """Claim a request: at the first key that nobody has ever seen used."""
    generation = _free_generation(sight, request, did)
    rkey = claim_key(request, generation)
    return WriteClaim(request=request, did=did, rkey=rkey, generation=generation, lease=sight.operator.lease)


def cover(sight: Sight, hold: Hold, request: str, did: str) -> Iterator[Action]:
    """Keep a running turn covered: renew, or write the next generation, and let go of what that replaces (C6).

    What a turn writes names a claim of its own author (C7): another agent's claim covers nothing.
    """
    sound = sound_ones(sight, hold, (did,))
    why = _needs_next(sight, sound)
    if why is not None:
        generation = _free_generation(sight, request, did)
        yield NextGenerationClaim(
            request=request,
            did=did,
            rkey=claim_key(request, generation),
            generation=generation,
            lease=sight.operator.lease,
            reason=why,
        )
    elif _is_due(sight, sound[-1]):
        newest = sound[-1]
        before = min(newest.expires_at, _horizon(sight, newest))
        yield RenewClaim(claim=newest.uri, request=request, lease=sight.operator.lease, before=before)
    yield from retirements(sight, hold)
    if why is None and sound[-1].settled:
        yield from (
            ReleaseClaim(claim=held.uri, request=request, reason="another claim of ours covers the turn")
            for held in _sound(sight, hold)
            if held is not sound[-1]
        )


def uncovered(sight: Sight) -> int:
    """Count the turns that need a claim and have none left: the next one, which each gets at once, takes its place."""
    claimed = {claim.request for claim in sight.state.claims}
    turns = (turn for turn in sight.state.turns if not turn.cancelling and turn.request not in claimed)
    bare = (sight.index.entry(turn.request) for turn in turns)
    return sum(1 for request in bare if request is not None and request.record.assignee is None)


def _needs_next(sight: Sight, sound: list[Held]) -> str | None:
    if not sound:
        return "none of our claims covers the turn any more"
    newest = sound[-1]
    if _is_due(sight, newest) and sight.now >= _horizon(sight, newest):
        return "the next renewal would end more than 24 hours after the claim was made"
    return None


def _horizon(sight: Sight, held: Held) -> Instant:
    """C2: give when it is too late to renew a claim, as a version that ends after its 24 hours would be refused."""
    return held.created_at.plus(LONGEST_LIFE - sight.operator.lease)


def _is_due(sight: Sight, held: Held) -> bool:
    """C6: well before what the claim declares runs out, which may be less than a lease lasts by now."""
    lasts = int(held.expires_at.since(held.renewed_at))
    return sight.now >= held.renewed_at.plus(min(sight.operator.lease, lasts) // _RENEWALS)


def _free_generation(sight: Sight, request: str, did: str) -> int:
    """C6: never at the URI of a claim that was deleted. Found again by the index when the count of them was lost."""
    generation = sight.state.generations.get(request, 0)
    while _was_used(sight, claim_uri(did, request, generation)):
        generation += 1
    return generation


def _was_used(sight: Sight, uri: str) -> bool:
    # One that counts and that we know nothing of is ours, its receipt lost: writing it again finds it there.
    return _was_let_go(sight, uri) or sight.index.explain(uri).verdict == "ignored"


def claim_key(request: str, generation: int) -> str:
    """Give the record key of our claim on a request."""
    return record_key("claim", request, generation)


def claim_uri(did: str, request: str, generation: int) -> str:
    """Give the URI of our claim on a request."""
    return f"at://{did}/{PREFIX}claim/{claim_key(request, generation)}"
