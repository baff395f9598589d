"""What to do next: a function of an index, an operator's setup, what the daemon knows besides, and now (seed §9).

Strategy: nothing is scheduled and nothing remembered: a turn happens because an open request is in the index, and not
because something else happened before. Turns that run are tended first, then claims that wait, then new work is taken
on for as long as there is room, in the order in which it was asked for; last comes what follows from artifacts. Every
request that is passed over is so for a reason, and `why` gives it. The same arguments give the same actions in the same
order; a `Planner` remembers places, never decisions, and gives what `plan` gives.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from radial_core.dispatch import allowance, settling
from radial_core.dispatch.actions import Warn
from radial_core.dispatch.admission import Admission
from radial_core.dispatch.clock import CLOCK, future_warning, is_ahead, skew_warning
from radial_core.dispatch.following import Dockets
from radial_core.dispatch.leasing import Sight
from radial_core.dispatch.retry import may_write
from radial_core.dispatch.tending import release_strays, tend
from radial_core.dispatch.why import explain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.actions import Action, RunChecks
    from radial_core.dispatch.budget import Line
    from radial_core.dispatch.docket import Docket
    from radial_core.dispatch.reasons import Reason
    from radial_core.dispatch.routing import Operator
    from radial_core.dispatch.state import State
    from radial_core.index import Index
    from radial_core.instants import Instant

_MOST_AHEAD: Final = 8  # records dated in the future, of which one plan tells


class Survey:
    """A plan, and the reasons behind it."""

    def __init__(self, sight: Sight, dockets: Dockets) -> None:
        self._sight = sight
        self._dockets = dockets
        self._admission = Admission(sight, dockets)
        planned = [
            *tend(sight, dockets.by_request),
            *self._admission.actions(),
            *self._loose_ends(dockets),
            *_warnings(sight, dockets),
        ]
        self.actions: tuple[Action, ...] = tuple(action for action in planned if _is_ready(sight, action))

    def _loose_ends(self, dockets: Dockets) -> Iterator[Action]:
        for place in sorted(dockets.busy):
            docket = dockets.busy[place]
            yield from _landed(self._sight, docket, dockets)
            yield from release_strays(self._sight, docket.strays, self._admission.is_idle)

    def why(self, request: str) -> Reason:
        """Say why a request is, or is not, being worked on, by what was so when this was planned.

        Once its planner has gone on to another index, the first question costs as much as a plan from scratch.
        """
        if not self._dockets.stand_at(self._sight.index):
            here = self._sight
            afresh = Planner().survey(here.index, here.operator, here.state, here.now)
            self._dockets, self._admission = afresh._dockets, afresh._admission  # noqa: SLF001 - it is one of us
        return explain(self._admission, request)

    def budget(self) -> tuple[Line, ...]:
        """Give each limit of the run's budget: what was used of it, who enforces it, what could not be enforced."""
        return allowance.standing(self._sight.operator, self._sight.state)


class Planner:
    """Plans for one daemon as its index grows, for what changed and not for everything there is."""

    def __init__(self) -> None:
        self.dockets: Dockets | None = None
        self._sight: Sight | None = None

    def survey(self, index: Index, operator: Operator, state: State, now: Instant) -> Survey:
        """Plan, with the reasons."""
        if self.dockets is None or self.dockets.operator != operator:
            self.dockets = Dockets(operator)
        self.dockets.follow(index)
        before = self._sight
        looked = before.looked if before is not None and before.index is index else {}
        self._sight = Sight(index, operator, state, now, looked)
        return Survey(self._sight, self.dockets)


def plan(index: Index, operator: Operator, state: State, now: Instant) -> tuple[Action, ...]:
    """Say what to do next. `now` is by the clock that stamped everything in `state`."""
    return Planner().survey(index, operator, state, now).actions


def why(index: Index, operator: Operator, state: State, now: Instant, request: str) -> Reason:
    """Say why a request is, or is not, being worked on: the rule or the setting, and a sentence."""
    return Planner().survey(index, operator, state, now).why(request)


def _is_ready(sight: Sight, action: Action) -> bool:
    tries = sight.state.tries.get(action.key)
    return action.key not in sight.state.done and may_write(tries, sight.now, sight.operator.lease)


def _landed(sight: Sight, docket: Docket, dockets: Dockets) -> Iterator[Action]:
    # R8: one by anybody is enough.
    yield from (asked for asked in docket.landed.reviews if not dockets.is_reviewed(docket, asked.artifact))
    yield from (_unless_given_up(sight, checks) for checks in docket.landed.checks)
    for merge in docket.landed.merges:
        looked = None if isinstance(merge, Warn) else sight.state.polled.get(merge.artifact)
        if looked is None or _is_past(sight, looked):
            yield merge


def _unless_given_up(sight: Sight, checks: RunChecks | Warn) -> RunChecks | Warn:
    tries, attempts = sight.state.tries.get(checks.key), sight.operator.attempts
    if isinstance(checks, Warn) or tries is None or tries.failed < attempts:
        return checks
    return Warn(key=f"given up {checks.key}", text=f"the checks of {checks.artifact} failed to run {attempts} times")


def _is_past(sight: Sight, looked: Instant) -> bool:
    # A look in our own future was stamped by a clock that has been set back.
    return looked > sight.now or sight.now >= looked.plus(sight.operator.poll_every)


def _warnings(sight: Sight, dockets: Dockets) -> Iterator[Warn]:
    skewed = skew_warning(sight.state.clock, sight.operator.lease)
    if skewed is not None:
        server, text = skewed
        yield Warn(key=f"{CLOCK}{server}", text=text)
    yield from dockets.unsupported
    yield from settling.warnings(sight.operator, sight.state, dockets.by_request)
    yield from allowance.warnings(sight.operator, sight.state)
    yield from islice(_from_the_future(sight, dockets), _MOST_AHEAD)


def _from_the_future(sight: Sight, dockets: Dockets) -> Iterator[Warn]:
    """Tell of the last record of each author, so that nobody's hides another's; what was told makes room for others."""
    for one in sorted(dockets.newest.values()):
        key = f"future {one.uri}"
        if is_ahead(one.instant, sight.now, sight.operator.lease) and key not in sight.state.done:
            yield Warn(key=key, text=future_warning(one.uri, one.instant, sight.now))
