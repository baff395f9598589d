"""Whether a request that may be worked on is taken on now (R5, C3, C4; seed §9, §12).

Strategy: an assigned request is started, nobody else can take it. Any other is claimed first, and started only when a
whole cycle of ingestion after that claim shows that it won; until then it keeps a place free for its turn. A claim that
has lost, whose turn has ended or whose request needs nobody any more is released at once. After a turn has ended, what
it wrote is waited for, and a failure waits longer each time, until the request is left alone. New work is taken on in
the order in which it was asked for, as long as there is room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.actions import ReleaseClaim, StartTurn, Warn
from radial_core.dispatch.allowance import Allowance, spent
from radial_core.dispatch.assignment import is_about_something
from radial_core.dispatch.controls import held_back
from radial_core.dispatch.leasing import (
    accounts,
    author_of,
    cover,
    first_claim,
    hold_on,
    releases,
    retirements,
    rival,
    sound_ones,
    uncovered,
)
from radial_core.dispatch.reasons import Reason
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.retry import given_up, is_due, left_open, may_write
from radial_core.dispatch.settling import refused, settle, spelled
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.actions import Action, RetireClaim, WriteClaim
    from radial_core.dispatch.docket import Candidate
    from radial_core.dispatch.following import Dockets
    from radial_core.dispatch.leasing import Hold, Sight
    from radial_core.dispatch.routing import Choice
    from radial_core.dispatch.settling import Settled
    from radial_core.dispatch.state import Tries


class Decision(NamedTuple):
    """What is done about a request now, and why so."""

    reason: Reason
    actions: tuple[Action, ...] = ()


_IN_VAIN: Final = Decision(Reason("C4", "its claim could not be written, or taken back; that is tried again soon"))


class Admission:
    """One pass over what there is to take on; `turns` and `claims` are the places that are left."""

    def __init__(self, sight: Sight, dockets: Dockets) -> None:
        self.sight = sight
        self.dockets = dockets
        self.running = {turn.request: turn for turn in sight.state.turns}
        held = {claim.request for claim in sight.state.claims} - self.running.keys()
        self.waiting = sorted(held)
        reserved = sum(1 for request in held if request in dockets.by_request)
        self.turns: int = sight.operator.turns - len(self.running) - reserved
        self.claims: int = sight.operator.claims - len(sight.state.claims) - uncovered(sight)
        self.decided: dict[str, Decision] = {}
        self.put_off: list[Candidate] = []
        self.is_last = False
        self._settlements: dict[tuple[str, Choice | None], Settled | Refusal] = {}
        self.allowance = Allowance(sight.operator.budget, spent(sight.state))
        for request in self.waiting:
            if request in dockets.by_request:
                self.allowance.keep(request, retry=self._attempt(request) > 1)

    def actions(self) -> Iterator[Action]:
        """Decide about claims that wait, then take on new work; then say what is left alone."""
        for request in self.waiting:
            self.decided[request] = decision = self._on_claimed(request)
            yield from decision.actions
        for candidate in self._unaccounted():
            yield from self.on(candidate).actions
        for candidate in self.dockets.candidates:
            if self.turns <= 0 or self.allowance.is_spent():
                break
            if self._is_new(candidate.request.uri) and not self._rests(candidate):
                yield from self.on(candidate).actions
        yield from self._last()
        yield from self._given_up()

    def _last(self) -> Iterator[Action]:
        """Come back to what could not be written before: it gets the places that nobody else has taken."""
        self.is_last = True
        for candidate in self.put_off:
            del self.decided[candidate.request.uri]
            yield from self.on(candidate).actions

    def _is_new(self, request: str) -> bool:
        return request not in self.decided and request not in self.running

    def _unaccounted(self) -> list[Candidate]:
        """Give what a claim of ours stands on of which nothing is on record: it keeps others off, room or no room."""
        requests = {stray.request for docket in self.dockets.busy.values() for stray in docket.strays}
        found = (self.dockets.by_request.get(request) for request in requests if self._is_new(request))
        candidates = sorted(candidate for candidate in found if candidate is not None)
        return [one for one in candidates if hold_on(self.sight, one.request.uri, one.leases).unaccounted]

    def _rests(self, candidate: Candidate) -> bool:
        return self.dockets.resting.rests(self.sight.index, candidate, self.sight.now)

    def on(self, candidate: Candidate) -> Decision:
        """Decide about one candidate on which no turn runs."""
        request = candidate.request.uri
        if request not in self.decided:
            self.decided[request] = self._on_new(candidate)
        return self.decided[request]

    def asked_about(self, candidate: Candidate) -> Decision:
        """Decide about one candidate for somebody who asks: nothing is taken up by it, whatever is asked first."""
        left = (self.turns, self.claims, self.allowance)
        self.allowance = self.allowance.copied()
        decision = self.on(candidate)
        self.turns, self.claims, self.allowance = left
        return decision

    def is_idle(self, request: str) -> bool:
        """Tell whether nothing runs on a request, and nothing would be started if there were room."""
        candidate = self.dockets.by_request.get(request)
        return request not in self.running and (candidate is None or isinstance(self._settled(candidate), Reason))

    # A request on which we hold claims

    def _on_claimed(self, request: str) -> Decision:
        candidate = self.dockets.by_request.get(request)
        hold = hold_on(self.sight, request, None if candidate is None else candidate.leases)
        if candidate is None:
            return _let_go(hold, Reason("C6", "nothing is to be done on its request"))
        if any(held.used for held in hold.mine):
            return _let_go(hold, Reason("C6", "its turn has ended"))
        retired = tuple(retirements(self.sight, hold))
        if len(retired) == len(hold.mine):
            return Decision(Reason("C6", f"our claim is retired: {retired[0].reason}"), retired)
        return self._on_sound(candidate, hold, retired)

    def _on_sound(self, candidate: Candidate, hold: Hold, retired: tuple[Action, ...]) -> Decision:
        sound = sound_ones(self.sight, hold, candidate.makers)
        if not sound:
            return _let_go(hold, Reason("C6", "our claim is by an agent that is not to work on it any more"))
        first = rival(hold, sound)
        if first is not None:
            return _let_go(hold, Reason("C3", f"lost to {first.uri}, which ranks before our claim and is live"))
        winner = min(sound, key=lambda held: (held.created_at, held.uri))
        if not winner.settled:
            return Decision(
                Reason("C4", "our claim waits for the cycle of ingestion that shows whether it won"), retired
            )
        settled = self._settled(candidate)
        if isinstance(settled, Reason):
            return _let_go(hold, settled)
        return self._won(candidate, hold, settled, winner.uri)

    def _won(self, candidate: Candidate, hold: Hold, settled: Settled, claim: str) -> Decision:
        # C7: the work names the claim, so whoever made that does it.
        did = author_of(claim)
        start = self._start(candidate, settled, did, claim)
        text = f"our claim won: a turn is started, {self._spelled(candidate, settled)}"
        # C6: it may have waited for most of its time by now, and is to cover the turn until the next plan at least.
        covering = cover(self.sight, hold, candidate.request.uri, did)
        return Decision(Reason("C3", text), (start, *(one for one in covering if one.key != f"release {claim}")))

    # A request on which we hold none

    def _on_new(self, candidate: Candidate) -> Decision:
        settled = self._settled(candidate)
        if isinstance(settled, Reason):
            return Decision(settled)
        if candidate.request.record.assignee is None:
            return self._to_claim(candidate, settled)
        if self.turns <= 0:
            return Decision(self._full())
        self.turns -= 1
        text = f"assigned to {candidate.did}: a turn is started, {self._spelled(candidate, settled)}"
        return Decision(Reason("assignee", text), (self._start(candidate, settled, candidate.did),))

    def _to_claim(self, candidate: Candidate, settled: Settled) -> Decision:
        request = candidate.request.uri
        hold = hold_on(self.sight, request, candidate.leases)
        found = accounts(self.sight, hold, request, candidate.makers)
        if found is not None:
            return self._looked_into(candidate, hold, found)
        if hold.others:
            return Decision(Reason("C3", f"claimed by {min(hold.others).uri}, which is live"))
        if self.turns <= 0:
            return Decision(self._full())
        if self.claims <= 0:
            number = self.sight.operator.claims
            return Decision(
                Reason("claims", f"no room: {number} claims may stand at once, those about to be written too")
            )
        claim = first_claim(self.sight, request, candidate.did)
        text = f"a claim is written first, for a turn of {candidate.did}, {self._spelled(candidate, settled)}"
        return self._taken(candidate, Reason("C4", text), claim)

    def _looked_into(self, candidate: Candidate, hold: Hold, found: WriteClaim | RetireClaim) -> Decision:
        if self.turns > 0 and self.claims > 0:
            reason = Reason("C6", "a claim of ours of which nothing is on record is looked into first")
            return self._taken(candidate, reason, found)
        reason = Reason("C6", "a claim of ours of which nothing is on record is let go: there is no room for its turn")
        strays = hold.unaccounted
        return Decision(
            reason, tuple(ReleaseClaim(claim=uri, request=found.request, reason=reason.text) for uri in strays)
        )

    def _taken(self, candidate: Candidate, reason: Reason, action: WriteClaim | RetireClaim) -> Decision:
        """Take a place; what has failed before takes one last, so that a server that is down holds up nobody else."""
        tries = self.sight.state.tries.get(action.key)
        if tries is not None and not self.is_last:
            self.put_off.append(candidate)
            return _IN_VAIN
        if not may_write(tries, self.sight.now, self.sight.operator.lease):
            return _IN_VAIN
        self.turns -= 1
        self.claims -= 1
        self.allowance.keep(action.request, retry=self._attempt(action.request) > 1)
        return Decision(reason, (action,))

    def _held_up(self, candidate: Candidate) -> Reason | None:
        tries = self.sight.state.tries.get(candidate.request.uri)
        operator = self.sight.operator
        if tries is not None and not tries.settled:
            return Reason("C4", "a turn has ended: what it wrote is still to be taken in")
        if not is_about_something(self.sight.index, candidate.request):
            return Reason("L4", f"its subject {candidate.request.record.subject} does not count in its space")
        left = None if tries is None else left_open(tries, operator)
        if left is not None:
            return left
        if tries is not None and not is_due(tries, self.sight.now, operator.lease):
            return _waiting(tries)
        stopped = self.sight.state.may_not_start
        if stopped is not None:
            return Reason("may_not_start", stopped)
        request = candidate.request
        return held_back(self.sight.state.controls, request.uri, operator.routes[request.record.type])

    def _settled(self, candidate: Candidate) -> Settled | Reason:
        """Settle with what a turn would run; or say why none starts, nor a claim is written for one."""
        held_up = self._held_up(candidate)
        if held_up is not None:
            return held_up
        request, operator = candidate.request, self.sight.operator
        settled = self._routed(request.record.type, self.sight.state.chosen.get(request.uri))
        if isinstance(settled, Refusal):
            return refused(request.record.type, settled, operator.source)
        return self.allowance.stops(request.uri, retry=self._attempt(request.uri) > 1) or settled

    def _routed(self, kind: str, choice: Choice | None) -> Settled | Refusal:
        if (kind, choice) not in self._settlements:
            self._settlements[kind, choice] = settle(self.sight.operator, kind, choice)
        return self._settlements[kind, choice]

    def _spelled(self, candidate: Candidate, settled: Settled) -> str:
        operator, kind = self.sight.operator, candidate.request.record.type
        return f"{spelled(operator.routes[kind], settled)} (the route of type {quoted(kind)} in {operator.source})"

    def _full(self) -> Reason:
        return Reason("turns", f"no room: {self.sight.operator.turns} turns may run at once, and others come first")

    def _start(self, candidate: Candidate, settled: Settled, did: str, claim: str | None = None) -> StartTurn:
        request, attempt = candidate.request, self._attempt(candidate.request.uri)
        self.allowance.take(request.uri, retry=attempt > 1)
        return StartTurn(
            request=request.uri,
            did=did,
            route=self.sight.operator.routes[request.record.type],
            model=settled.model,
            effort=settled.effort,
            claim=claim,
            attempt=attempt,
        )

    def _attempt(self, request: str) -> int:
        tries = self.sight.state.tries.get(request)
        return 1 + (tries.failed + tries.outages if tries is not None else 0)

    def _given_up(self) -> Iterator[Warn]:
        tried = self.sight.state.tries
        for request in sorted(self.dockets.by_request.keys() & tried.keys()):
            left = left_open(tried[request], self.sight.operator)
            if left is not None and tried[request].settled:
                yield Warn(key=given_up(request), text=f"{request} is {left.text}")


def _waiting(tries: Tries) -> Reason:
    """Name what the wait is reckoned by (`retry.is_due`): an outage while there is one, else the failures."""
    if tries.outages:
        return Reason("outages", f"{tries.outages} turns in a row were broken off from outside; the next one waits")
    return Reason("attempts", f"{tries.failed} turns in a row came to nothing; the next one waits")


def _let_go(hold: Hold, reason: Reason) -> Decision:
    return Decision(reason, tuple(releases(hold, f"{reason.text} ({reason.rule})")))
