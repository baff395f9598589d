"""Turns that run, and claims that are of no more use (C6; seed §6, §9).

Strategy: a turn is stopped as soon as nobody needs it any more or somebody else has the request; whatever it left in
git stays. Otherwise it is kept covered, whatever else there is to do and however full the house is. A claim outlives
its turn by no more than one plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.dispatch.actions import CancelTurn, ReleaseClaim
from radial_core.dispatch.leasing import cover, hold_on, rival, sound_ones
from radial_core.dispatch.reasons import case_of, stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from radial_core.dispatch.actions import Action
    from radial_core.dispatch.docket import Candidate, Stray
    from radial_core.dispatch.leasing import Hold, Sight
    from radial_core.dispatch.reasons import Case
    from radial_core.dispatch.state import Turn


def tend(sight: Sight, candidates: Mapping[str, Candidate]) -> Iterator[Action]:
    """Stop the turns that are to be stopped, and keep the others covered."""
    for turn in sorted(sight.state.turns, key=lambda turn: turn.request):
        if not turn.cancelling:
            candidate = candidates.get(turn.request)
            if candidate is None or candidate.did != turn.did or turn.request in sight.state.controls.held:
                yield from _tend(sight, turn)
            else:
                yield from _go_on(sight, turn, candidate)


def _go_on(sight: Sight, turn: Turn, candidate: Candidate) -> Iterator[Action]:
    """Go on with a turn that would be started if it did not run: only somebody else's claim can stop it."""
    if candidate.request.record.assignee is not None:
        return  # C1: nobody else can take it
    hold = hold_on(sight, turn.request, candidate.leases)
    lost = _lost(sight, hold)
    if lost is not None:
        yield CancelTurn(request=turn.request, reason=lost)
    else:
        yield from cover(sight, hold, turn.request, turn.did)


def _tend(sight: Sight, turn: Turn) -> Iterator[Action]:
    case = case_of(sight.index, sight.operator, turn.request)
    hold = hold_on(sight, turn.request)
    stopped_by_hand = turn.request in sight.state.controls.held
    why = "the operator stopped it (hold)" if stopped_by_hand else _why_stop(sight, turn, case, hold)
    if why is not None:
        yield CancelTurn(request=turn.request, reason=why)
    elif case is not None and case.request.assignee is None:
        yield from cover(sight, hold, turn.request, turn.did)


def _why_stop(sight: Sight, turn: Turn, case: Case | None, hold: Hold) -> str | None:
    if case is None:
        return "the request does not count here any more"
    if turn.did not in case.hands.members:
        return f"{turn.did} holds no current grant in the space any more (T5)"
    if any(uri.startswith(f"at://{turn.did}/") for uri in case.request.fulfilled_by):
        return None  # it has written its record, and may finish
    reason = stopped(case)
    if reason is not None:
        return f"{reason.text} ({reason.rule})"
    if case.request.assignee is not None:
        return None  # C1: nobody else can take it
    return _lost(sight, hold)


def _lost(sight: Sight, hold: Hold) -> str | None:
    first = rival(hold, sound_ones(sight, hold))
    return None if first is None else f"{first.uri} ranks before our claim, and is live (C3)"


def release_strays(sight: Sight, strays: Iterable[Stray], is_idle: Callable[[str], bool]) -> Iterator[ReleaseClaim]:
    """Release the claims of ours of which nothing is on record, where there is nothing to do with them now."""
    reason = "nothing is to be done on its request"
    for stray in strays:
        if is_idle(stray.request) and stray.claim in hold_on(sight, stray.request).unaccounted:
            yield ReleaseClaim(claim=stray.claim, request=stray.request, reason=reason)
