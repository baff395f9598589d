"""A planner that followed says what a fresh one says, whatever became of the daemon in between (see `lives`)."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from radial_core import materialize
from radial_core.dispatch import actions
from radial_core.dispatch.actions import NextGenerationClaim, RenewClaim, StartTurn, WriteClaim
from radial_core.dispatch.leasing import claim_uri
from radial_core.dispatch.plan import Planner, plan, why
from tests.dispatch.lives import Life

STEPS = 40
SEEDS = (*range(16), 283)  # 283: two claims whose receipts were lost, and a last turn
NOWHERE = "at://did:plc:ann/com.disnetdev.radial.artifactRequest/nowhere"


@pytest.mark.parametrize(("seed", "rewritten"), [*((seed, False) for seed in SEEDS), *((n, True) for n in range(24))])
def test_a_planner_that_followed_a_fresh_one_and_plan_say_the_same_and_for_the_same_reasons(
    seed: int, *, rewritten: bool
) -> None:
    life, planner = Life(seed, rewritten=rewritten), Planner()
    asked = [*(request.uri for request in life.requests), NOWHERE]
    for _ in range(STEPS):
        life.step()
        here = (life.index, life.operator, life.state, life.now)
        followed = planner.survey(*here)
        fresh = Planner().survey(materialize(life.shuffled()), *here[1:])
        assert followed.actions == fresh.actions == plan(*here)
        reasons = {uri: followed.why(uri) for uri in life.dice.sample(asked, len(asked))}
        assert reasons == {uri: fresh.why(uri) for uri in life.dice.sample(asked, len(asked))}
        assert reasons == {uri: why(*here, uri) for uri in asked}
        assert followed.budget() == fresh.budget()
        life.perform(followed.actions)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_plan_says_a_thing_twice_nor_goes_beyond_what_there_is_room_for(seed: int) -> None:
    life, planner = Life(seed), Planner()
    for _ in range(STEPS):
        life.step()
        found = planner.survey(life.index, life.operator, life.state, life.now).actions
        assert [key for key, times in Counter((type(one), one.key) for one in found).items() if times > 1] == []
        state, operator, budget = life.state, life.operator, life.operator.budget
        starts = sum(isinstance(one, StartTurn) for one in found)
        claims = sum(isinstance(one, WriteClaim) and not _stands(life, one) for one in found)
        limits = [
            (starts, operator.turns - len(state.turns)), (claims, operator.claims - len(state.claims)),
            (starts, (budget.turns or 999) - state.run.turns), (starts, (budget.slots or 999) - len(state.turns)),
        ]  # fmt: skip
        assert all(new == 0 or new <= room for new, room in limits)
        life.perform(found)


@pytest.mark.parametrize("seed", [*range(8), 26, 47, 218])  # 26, 47, 218: another agent was let in again in between
def test_a_turn_works_under_a_claim_of_its_own_agent(seed: int) -> None:
    """C7: whatever became of grants since the claim was made."""
    life, planner = Life(seed), Planner()
    for _ in range(STEPS):
        life.step()
        found = planner.survey(life.index, life.operator, life.state, life.now).actions
        agents = {turn.request: turn.did for turn in life.state.turns}
        for one in found:
            if isinstance(one, StartTurn):
                agents[one.request] = one.did  # and its claim may be renewed at once
                assert one.claim is None or one.claim.startswith(f"at://{one.did}/")
            elif isinstance(one, RenewClaim | NextGenerationClaim):
                uri = one.claim if isinstance(one, RenewClaim) else claim_uri(one.did, one.request, one.generation)
                assert uri.startswith(f"at://{agents[one.request]}/")
        life.perform(found)


def _stands(life: Life, action: WriteClaim) -> bool:
    """Tell whether it was written already, and its receipt lost: it takes no more room."""
    uri = claim_uri(action.did, action.request, action.generation)
    return any(lease.uri == uri for lease in life.index.leases(action.request))


def test_lives_are_full_of_everything() -> None:
    """What never happens shows nothing."""
    done: set[str] = set()
    reasons: set[str] = set()
    warnings: set[str] = set()
    for seed in range(40):
        life, planner = Life(seed), Planner()
        for _ in range(STEPS):
            life.step()
            survey = planner.survey(life.index, life.operator, life.state, life.now)
            done.update(type(action).__name__ for action in survey.actions)
            reasons.update(survey.why(request.uri).rule for request in life.requests)
            warnings.update(action.key.split()[0] for action in survey.actions if isinstance(action, actions.Warn))
            life.perform(survey.actions)
    assert done == {kind.__name__ for kind in get_args(actions.Action)}
    assert REASONS - reasons == set()
    assert {"budget", "clock", "future", "given", "link", "unsupported"} - warnings == set()


REASONS = {
    *("index", "R2", "R3", "R4", "R5", "R6", "T5", "C3", "C4", "C6", "turn", "turns", "claims", "assignee"),
    *("routes", "model", "effort", "budget", "hold", "pause", "setup", "attempts", "outages", "may_not_start"),
}
