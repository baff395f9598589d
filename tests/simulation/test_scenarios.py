"""The faults of §12 of the seed, one by one, each with the outcome that it promises. Clocks: see `test_clocks`."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core.dispatch.budget import Budget
from radial_core.dispatch.leasing import claim_uri
from tests.simulation.daemon import LEASE
from tests.simulation.scene import DAY, HOUR, MINUTE, Scene


def test_an_agent_that_dies_mid_turn_loses_its_claim_by_time_and_another_takes_over() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    [first] = scene.runners()
    dead, alive = sorted(scene.daemons, key=lambda daemon: daemon.did != first)
    dead.crash(100 * DAY)
    scene.run(LEASE // MINUTE - 8)  # it was renewed five minutes ago at most, so there are ten left at least
    assert scene.runners() == []  # the request stays visibly open, and is nobody's yet
    scene.run(20)
    assert scene.runners() == [alive.did]
    scene.run(90)
    assert scene.answers() == [alive.did]


def test_the_assignee_s_daemon_tries_again_after_a_crash_and_never_claims() -> None:
    scene = Scene(0, 0, assignee=0)
    scene.run(5)
    scene.daemons[0].crash(10 * MINUTE)
    scene.finish()
    assert scene.answers() == [scene.daemons[0].did]
    assert scene.watch.events["claim"] == 0


@pytest.mark.parametrize("number", [2, 3, 10, pytest.param(50, marks=pytest.mark.slow)])
def test_of_many_that_race_one_goes_on_and_every_loser_releases(number: int) -> None:
    offsets = [(n * 7919 * 60) % (4 * DAY) - 2 * DAY for n in range(number)]
    scene = Scene(*offsets)
    scene.race()
    slowest = scene.daemons[offsets.index(min(offsets))].did
    assert scene.runners() == [slowest]
    assert [uri.split("/")[2] for uri in scene.claims()] == [slowest]
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_a_turn_of_thirty_hours_at_capacity_one_is_covered_at_every_instant() -> None:
    scene = Scene(0, 0, lasting=30 * HOUR)
    for daemon in scene.daemons:
        daemon.every = 235
    scene.run(10)
    [first] = scene.runners()
    other = next(daemon for daemon in scene.daemons if daemon.did != first)
    seen: set[Any] = set()
    while scene.runners():
        scene.run(5)
        if scene.runners():
            assert scene.runners() == [first]
            assert any(uri.startswith(f"at://{first}/") for uri in scene.claims())
            seen.update(scene.claims())
    assert seen == {claim_uri(first, scene.request, generation) for generation in (0, 1)}
    assert other.state.generations.get(scene.request, 0) <= 1
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_one_that_is_cut_off_goes_on_alone_and_its_work_is_kept() -> None:
    scene = Scene(0, 0, lasting=2 * HOUR)
    scene.run(10)
    [first] = scene.runners()
    cut, other = sorted(scene.daemons, key=lambda daemon: daemon.did != first)
    cut.cut = set(scene.world.repos)
    scene.run(40)
    assert scene.runners() == sorted([cut.did, other.did])  # neither can know of the other
    cut.cut.clear()
    scene.finish()
    assert len(scene.answers()) >= 1


def test_work_under_a_lost_claim_says_so_and_is_kept() -> None:
    """Neither sees the other; the later claim is the earlier one by its writer's slow clock, and so wins (C3, C7)."""
    scene = Scene(0, -HOUR)
    fast, slow = scene.daemons
    slow.crash(11 * MINUTE)
    scene.run(10)
    assert scene.runners() == [fast.did]
    fast.cut, slow.cut = {slow.did}, {fast.did}
    scene.run(60)
    assert scene.answers() == [fast.did]
    assert [uri.split("/")[2] for uri in scene.watch.lost] == [fast.did]
    fast.cut.clear()
    slow.cut.clear()
    scene.finish()
    assert scene.answers() == [fast.did]


def test_a_removed_agent_stops_and_starts_again_when_it_is_back() -> None:
    scene = Scene(0)
    scene.run(10)
    scene.realm.remove(scene.daemons[0].did)
    scene.run(5)
    assert scene.runners() == []
    scene.realm.let_in_again(scene.daemons[0].did)
    scene.finish()
    assert scene.answers() == [scene.daemons[0].did]


def test_a_removed_member_takes_its_records_with_it_and_brings_them_back_and_all_see_the_same() -> None:
    scene = Scene(0, 0)
    scene.finish()
    [author] = scene.answers()
    scene.realm.remove(author)
    scene.run(5)
    assert scene.answers() == []
    assert len({daemon.index.digest for daemon in scene.daemons} | {scene.world.witness.digest}) == 1
    [other] = [daemon.did for daemon in scene.daemons if daemon.did != author]
    assert scene.runners() == [other]  # the request is open again, for whoever is left
    scene.realm.let_in_again(author)
    scene.finish()
    assert author in scene.answers()


def test_spending_stops_at_the_budget_and_what_is_left_stays_open_with_a_reason() -> None:
    scene = Scene(0, budget=Budget(turns=2), lasting=5 * MINUTE)
    for _ in range(4):
        scene.world.ask("plan", None, auto_review=True, poisoned=False)
    scene.run(6 * 60)
    [daemon] = scene.daemons
    assert scene.watch.events["turns"] == 2
    left = [request for request in scene.world.asked() if request.open]
    assert len(left) == 4  # three that a person asked for, and the review of the second artifact
    survey = daemon.planner.survey(daemon.index, daemon.operator, daemon.state, daemon.now)
    assert {survey.why(request.uri) for request in left} == {
        ("budget", "the budget allows no more: turns: 2 of 2")
    }  # fmt: skip
    assert "budget 1 turns spent" in daemon.state.done
    daemon.begin_run(Budget())
    scene.finish()
    assert scene.ending.unanswered() == []


def test_an_answer_commissions_nothing() -> None:
    """Agents cannot set each other off: what a daemon writes in answer to a person leads to no further request."""
    scene = Scene(0, 0)
    scene.world.request_an_answer(scene.daemons[0].did)
    scene.world.request_an_answer(scene.daemons[1].did)
    scene.finish()
    assert scene.watch.events["turns"] == 3
    assert scene.watch.events["message"] == 2
    assert scene.watch.events["artifactRequest"] == 0
