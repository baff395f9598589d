"""How what was done changes what a daemon knows, and how an operator's setup is checked."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core.dispatch import receipts
from radial_core.dispatch.actions import NextGenerationClaim, StartTurn, WriteClaim
from radial_core.dispatch.effort import Setting
from radial_core.dispatch.retry import ENDS
from radial_core.dispatch.routing import Choice, Profile
from radial_core.dispatch.state import Held, Run, State, Tries, Turn
from radial_core.dispatch.usage import Count, Total, Usage, total
from radial_core.leases import Lease
from tests.core.small_world import BOT
from tests.dispatch.scene import CAT, PLAN, minute, run_by, survey

R, S = (
    "at://did:plc:ann/com.disnetdev.radial.artifactRequest/r",
    "at://did:plc:ann/com.disnetdev.radial.artifactRequest/s",
)
CLAIM = WriteClaim(request=R, did=BOT, rkey="k0", generation=0, lease=900)
NEXT = NextGenerationClaim(request=R, did=BOT, rkey="k1", generation=1, lease=900, reason="")


def lease(key: str, made: int) -> Lease:
    return Lease(minute(made), f"at://{BOT}/c/{key}", "cid", minute(made), minute(made + 15))


def held(key: str, made: int, generation: int, **changes: object) -> Held:
    values = {
        "uri": f"at://{BOT}/c/{key}", "request": R, "generation": generation, "created_at": minute(made),
        "renewed_at": minute(made), "expires_at": minute(made + 15), **changes,
    }  # fmt: skip
    return Held(**values)  # type: ignore[arg-type]


def start(request: str, attempt: int = 1) -> StartTurn:
    model, effort = Setting(name="model"), Setting(name="effort")
    return StartTurn(request=request, did=BOT, route=PLAN, model=model, effort=effort, claim=None, attempt=attempt)


def test_the_life_of_a_claim() -> None:
    one = receipts.claimed(State(), CLAIM, lease("k0", 1))
    assert one == State(claims=(held("k0", 1, 0),), generations={R: 1})
    assert receipts.claimed(one, CLAIM, lease("k0", 1)) == one  # found there again
    two = receipts.claimed(one, NEXT, lease("k1", 9))
    assert two.claims == (held("k0", 1, 0), held("k1", 9, 1))
    moved = receipts.renewed(two, two.claims[0].uri, minute(6), minute(21))
    assert moved.claims[0] == held("k0", 1, 0, renewed_at=minute(6), expires_at=minute(21))
    assert moved.claims[1] == two.claims[1]
    assert receipts.let_go(two, two.claims[0].uri).claims == (held("k1", 9, 1),)


def test_the_life_of_a_turn() -> None:
    state = receipts.claimed(State(), CLAIM, lease("k0", 1))
    state = receipts.started(state, start(R), minute(2))
    state = receipts.started(state, start(S), minute(2))
    assert [turn.cancelling for turn in receipts.cancelling(state, R).turns] == [True, False]
    state = receipts.ended(state, R, "failed", minute(3))
    assert state.turns == (Turn(request=S, did=BOT, started_at=minute(2)),)
    assert state.claims == (held("k0", 1, 0, used=True),)
    assert dict(state.tries) == {R: Tries(failed=1, ended_at=minute(3), settled=False)}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("again", ENDS)
def test_the_end_of_a_turn_is_counted_once_however_often_it_is_told(end: str, again: str) -> None:
    told = Usage(input=Count.of(3), output=Count.of(4), cost=Count.of(5))
    state = receipts.started(receipts.claimed(State(), CLAIM, lease("k0", 1)), start(R), minute(2))
    over = receipts.ended(state, R, end, minute(3), told, "no key")
    assert (over.turns, over.run.ended) == ((), total([told]))
    assert receipts.ended(over, R, again, minute(9), told, "no key") == over
    assert receipts.ended(over, S, again, minute(9), told) == over
    begun = receipts.begun(over)
    assert receipts.ended(begun, R, again, minute(9), told) == begun


def test_a_run_counts_what_it_starts_and_what_that_used() -> None:
    state = receipts.started(receipts.started(State(), start(R), minute(1)), start(S, 2), minute(1))
    assert state.run == Run(turns=2, retries=1)
    told = Usage(input=Count.of(3), output=Count.of(4))
    state = receipts.ended(receipts.ended(state, R, "written", minute(2), told), S, "failed", minute(2))
    assert state.run.ended == total([told, Usage()])
    assert (state.run.ended.turns, state.run.ended.told_tokens) == (2, 1)
    assert str(state.run.ended.usage.tokens) == "at least 7"
    assert receipts.lasted(state, 60).run.seconds == 60
    assert receipts.begun(state).run == Run(number=2, ended=Total())
    assert receipts.chose(state, R, Choice(effort="low")).chosen == {R: Choice(effort="low")}


def test_only_what_was_there_when_a_cycle_began_is_settled_by_its_end() -> None:
    running = receipts.started(receipts.started(State(), start(R), minute(1)), start(S), minute(1))
    state = receipts.ended(receipts.claimed(running, CLAIM, lease("k0", 1)), S, "written", minute(2))
    marks = receipts.unsettled(state)
    later = receipts.ended(receipts.claimed(state, NEXT, lease("k1", 3)), R, "asked", minute(4))
    after = receipts.settle(later, marks)
    assert [claim.settled for claim in after.claims] == [True, False]
    assert {request: tries.settled for request, tries in after.tries.items()} == {S: True, R: False}
    assert receipts.unsettled(receipts.settle(after, receipts.unsettled(after))) == frozenset()


def test_a_failure_is_counted_until_the_write_is_certain() -> None:
    state = receipts.failed(receipts.failed(State(), "k0", minute(1)), "k0", minute(2))
    assert dict(state.tries) == {"k0": Tries(failed=2, ended_at=minute(2))}
    done = receipts.wrote(state, "k0")
    assert (dict(done.tries), done.done) == ({}, frozenset({"k0"}))
    assert dict(receipts.polled(done, "a", minute(3)).polled) == {"a": minute(3)}


@pytest.mark.parametrize("wrong", [{"lease": 59}, {"lease": 3601}, {"turns": 0}, {"claims": 0}, {"poll_every": 0}])
def test_an_operator_s_setup_is_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"at least 1|between 60 and 3600"):
        run_by(BOT, **wrong)


@pytest.mark.parametrize("name", ["turns", "claims", "lease", "attempts", "outages", "poll_every"])
@pytest.mark.parametrize("value", [float("nan"), True, 900.5, 900.0, "900"])
def test_what_is_no_whole_number_is_no_bound(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} is a whole number, not {value}$"):
        run_by(BOT, **{name: value})


@pytest.mark.parametrize(
    "wrong",
    [{"did": "bot"}, {"did": ""}, {"did": 1}, {"name": ""}, {"name": "a/b#c d"}, {"name": ".."}, {"types": ("",)},
     {"types": ("plan", "\ud800")}, {"types": (1,)}],
)  # fmt: skip
def test_a_profile_is_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must be a DID|is a record key|no name of an artifact type"):
        Profile(**({"did": BOT, "name": "a", "types": ("plan",)} | wrong))


def test_a_profile_named_twice_counts_once() -> None:
    twice = (Profile(did=BOT, name="a", types=("plan",)), Profile(did=BOT, name="b", types=("plan", "dance")))
    assert run_by(profiles=twice).dids == {BOT}
    assert survey(operator=run_by(profiles=twice)).actions == ()
    assert CAT not in run_by(profiles=twice).dids


def test_a_turn_of_the_run_before_is_charged_to_neither_run_and_takes_up_its_slot() -> None:
    told = Usage(input=Count.of(3), output=Count.of(4), cost=Count.of(5))
    begun = receipts.begun(receipts.started(State(), start(R), minute(1)))
    state = receipts.started(begun, start(S), minute(2))
    assert [turn.run for turn in state.turns] == [1, 2]
    assert receipts.ended(state, R, "written", minute(3), told).run == Run(number=2, turns=1)
    assert receipts.ended(state, S, "written", minute(3), told).run.ended == total([told])
    both = receipts.ended(receipts.ended(state, R, "failed", minute(3)), S, "failed", minute(3), told)
    assert both.run.ended == total([told])
    assert both.tries.keys() == {R, S}
    again = receipts.started(receipts.ended(state, R, "failed", minute(3)), start(R, 2), minute(4))
    assert receipts.ended(again, R, "failed", minute(5), told).run.ended == total([told])


def test_what_could_not_be_started_is_counted_apart_from_what_came_to_nothing() -> None:
    tried = receipts.ended(receipts.started(State(), start(R), minute(0)), R, "outage", minute(1))
    state = receipts.failed(receipts.failed(tried, start(R).key, minute(2)), start(R).key, minute(3))
    assert state.tries[R] == tried.tries[R]
    assert state.tries[start(R).key] == Tries(failed=2, ended_at=minute(3))
    assert receipts.started(state, start(R), minute(4)).tries == tried.tries
