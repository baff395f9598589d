"""How what was done changes what a daemon knows (seed §9): one function for each thing that can have happened.

Strategy: whoever performs an action tells it here once it is certain, and stores the state that comes out. A claim's
instants are those of the record that stands in the repo, whether it was written now or found there. What was written
becomes settled through a cycle of ingestion alone: `unsettled` is asked when one begins, `settle` told when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch.clock import CLOCK, is_right, kept
from radial_core.dispatch.retry import after_turn, after_write, given_up
from radial_core.dispatch.state import Held, Run, State, Turn
from radial_core.dispatch.usage import Usage

if TYPE_CHECKING:
    from radial_core.dispatch.actions import NextGenerationClaim, StartTurn, WriteClaim
    from radial_core.dispatch.clock import Sample
    from radial_core.dispatch.routing import Choice
    from radial_core.instants import Instant
    from radial_core.leases import Lease

UNREPORTED: Final = Usage()


def claimed(state: State, action: WriteClaim | NextGenerationClaim, lease: Lease) -> State:
    """A claim stands in the repo, as `lease` reads it."""
    held = Held(
        uri=lease.uri,
        request=action.request,
        generation=action.generation,
        created_at=lease.created_at,
        renewed_at=lease.renewed_at,
        expires_at=lease.expires_at,
    )
    written = {**state.generations, action.request: action.generation + 1}
    others = tuple(claim for claim in state.claims if claim.uri != held.uri)
    return _wrote(attrs.evolve(state, claims=(*others, held), generations=written), action.key)


def renewed(state: State, claim: str, renewed_at: Instant, expires_at: Instant) -> State:
    """A claim's lease was moved."""
    claims = tuple(
        attrs.evolve(held, renewed_at=renewed_at, expires_at=expires_at) if held.uri == claim else held
        for held in state.claims
    )
    return _wrote(attrs.evolve(state, claims=claims), f"renew {claim}")


def let_go(state: State, claim: str) -> State:
    """A claim was deleted, or was not there any more: for good, since nothing is written there again (C6)."""
    claims = tuple(held for held in state.claims if held.uri != claim)
    return wrote(attrs.evolve(state, claims=claims), f"release {claim}")


def started(state: State, action: StartTurn, at: Instant) -> State:
    """A turn runs: whatever was said of its request being left open is over, and is said again if it comes to that."""
    turn = Turn(request=action.request, did=action.did, started_at=at, run=state.run.number)
    run = attrs.evolve(state.run, turns=state.run.turns + 1, retries=state.run.retries + (action.attempt > 1))
    done = state.done - {given_up(action.request)}
    controls = state.controls.moved(action.request)
    changed = attrs.evolve(state, turns=(*state.turns, turn), run=run, controls=controls, done=done)
    return _wrote(changed, action.key)


def cancelling(state: State, request: str) -> State:
    """A turn was told to stop."""
    turns = tuple(attrs.evolve(turn, cancelling=turn.cancelling or turn.request == request) for turn in state.turns)
    return attrs.evolve(state, turns=turns)


def ended(state: State, request: str, end: str, at: Instant, used: Usage = UNREPORTED, why: str | None = None) -> State:
    """A turn has ended (see `retry.ENDS`): its claims are used, and what it wrote is to be taken in.

    `used` is what its harness reported; what was not reported is unknown. It is charged to the run in which the turn
    began, and so to none when that is over. `why` is what has to be mended when it is `blocked`. Of a turn that does
    not run, or whose end was told before, nothing is counted.
    """
    those = [turn for turn in state.turns if turn.request == request]
    if not those:
        return state
    is_of_another = any(turn.run != state.run.number for turn in those)
    return attrs.evolve(
        state,
        turns=tuple(turn for turn in state.turns if turn.request != request),
        claims=tuple(attrs.evolve(held, used=held.used or held.request == request) for held in state.claims),
        tries={**state.tries, request: after_turn(state.tries.get(request), end, at, why)},
        run=state.run if is_of_another else attrs.evolve(state.run, ended=state.run.ended.plus(used)),
    )


def lasted(state: State, seconds: int) -> State:
    """The run has lasted for so many seconds in all, restarts left out."""
    return attrs.evolve(state, run=attrs.evolve(state.run, seconds=seconds))


def begun(state: State) -> State:
    """Another run begins, with a whole budget; what still runs was begun by the one before and is charged to that."""
    return attrs.evolve(state, run=Run(number=state.run.number + 1))


def chose(state: State, request: str, choice: Choice) -> State:
    """A person chose a model or an effort for one request."""
    return attrs.evolve(state, chosen={**state.chosen, request: choice})


def mended(state: State) -> State:
    """The operator's setup is another: whatever waited for something to be mended may be tried."""
    tries = {key: attrs.evolve(one, blocked=None) for key, one in state.tries.items()}
    return attrs.evolve(state, tries=tries)


def wrote(state: State, key: str) -> State:
    """A thing that is done once was done."""
    return attrs.evolve(_wrote(state, key), done=state.done | {key})


def failed(state: State, key: str, at: Instant) -> State:
    """A write, or a run of checks, came to nothing."""
    return attrs.evolve(state, tries={**state.tries, key: after_write(state.tries.get(key), at)})


def clock_read(state: State, sample: Sample, lease: int) -> State:
    """A server's clock was read. When ours turns out to be right, that it was off may be told again another time."""
    clock = kept(state.clock, sample)
    forgets = is_right(clock, lease)
    done = frozenset(key for key in state.done if not (forgets and key.startswith(CLOCK)))
    return attrs.evolve(state, clock=clock, done=done)


def polled(state: State, artifact: str, at: Instant) -> State:
    """A pull request was looked at."""
    return attrs.evolve(state, polled={**state.polled, artifact: at})


def unsettled(state: State) -> frozenset[object]:
    """Give what a cycle of ingestion that begins now will settle."""
    tries = {(key, one) for key, one in state.tries.items() if not one.settled}
    return frozenset({held.uri for held in state.claims if not held.settled} | tries)


def settle(state: State, marks: frozenset[object]) -> State:
    """A cycle of ingestion has ended; `marks` is what `unsettled` gave when it began."""
    claims = tuple(attrs.evolve(held, settled=held.settled or held.uri in marks) for held in state.claims)
    tries = {key: attrs.evolve(one, settled=one.settled or (key, one) in marks) for key, one in state.tries.items()}
    return attrs.evolve(state, claims=claims, tries=tries)


def _wrote(state: State, key: str) -> State:
    tries = {name: one for name, one in state.tries.items() if name != key}
    return attrs.evolve(state, tries=tries)
