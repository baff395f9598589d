"""Turns that run, and claims that are of no more use (C6; seed §6, §9).

Strategy: a turn is stopped as soon as nobody needs it any more or somebody else has the request; whatever it left in
git stays. Otherwise it is kept covered, whatever else there is to do and however full the house is. A claim outlives
its turn by no more than one plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.dispatch.actions import CancelTurn, ReleaseClaim
from radial_core.dispatch.leasing import cover, hold_on, rival, sound_ones
from radial_core.dispatch.reasons import Reason, case_of, stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from radial_core.dispatch.actions import Action
    from radial_core.dispatch.docket import Candidate, Stray
    from radial_core.dispatch.leasing import Hold, Sight
    from radial_core.dispatch.reasons import Case
    from radial_core.dispatch.state import Turn


class _Course(NamedTuple):
    """What is to become of a turn: why it is to `stop`, if it is; the claims on its request, unless it is assigned."""

    stop: str | None
    hold: Hold | None = None


def tend(sight: Sight, candidates: Mapping[str, Candidate]) -> Iterator[Action]:
    """Stop the turns that are to be stopped, and keep the others covered."""
    for turn in sorted(sight.state.turns, key=lambda turn: turn.request):
        if not turn.cancelling:
            course = _course(sight, turn, candidates)
            if course.stop is not None:
                yield CancelTurn(request=turn.request, reason=course.stop)
            elif course.hold is not None:
                yield from cover(sight, course.hold, turn.request, turn.did)


def told(sight: Sight, turn: Turn, candidates: Mapping[str, Candidate]) -> Reason:
    """Say what a turn is at: it is running, or being stopped, and why so."""
    stop = _course(sight, turn, candidates).stop
    if stop is None and not turn.cancelling:
        return Reason("turn", f"a turn of {turn.did} is running")
    return Reason("turn", f"a turn of {turn.did} is being stopped: {stop or 'it was told to, and has not ended yet'}")


def _course(sight: Sight, turn: Turn, candidates: Mapping[str, Candidate]) -> _Course:
    if turn.request in sight.state.controls.held:
        return _Course("the operator stopped it (hold)")
    candidate = candidates.get(turn.request)
    if candidate is None or turn.did not in candidate.makers:
        return _course_by_the_views(sight, turn)
    if candidate.request.record.assignee is not None:
        return _Course(None)  # C1: nobody else can take it
    hold = hold_on(sight, turn.request, candidate.leases)
    return _Course(_lost(sight, turn, hold), hold)


def _course_by_the_views(sight: Sight, turn: Turn) -> _Course:
    """Judge a turn that would not be started if it did not run."""
    case = case_of(sight.index, sight.operator, turn.request)
    hold = hold_on(sight, turn.request)
    return _Course(_why_stop(sight, turn, case, hold), hold if _is_claimed(case) else None)


def _is_claimed(case: Case | None) -> bool:
    return case is not None and case.request.assignee is None  # C1


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
    return _lost(sight, turn, hold)


def _lost(sight: Sight, turn: Turn, hold: Hold) -> str | None:
    first = rival(hold, sound_ones(sight, hold, (turn.did,)))
    return None if first is None else f"{first.uri} ranks before our claim, and is live (C3)"


def release_strays(sight: Sight, strays: Iterable[Stray], is_idle: Callable[[str], bool]) -> Iterator[ReleaseClaim]:
    """Release the claims of ours of which nothing is on record, where there is nothing to do with them now."""
    reason = "nothing is to be done on its request"
    for stray in strays:
        if is_idle(stray.request) and stray.claim in hold_on(sight, stray.request).unaccounted:
            yield ReleaseClaim(claim=stray.claim, request=stray.request, reason=reason)
