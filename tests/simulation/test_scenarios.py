"""The faults of §12 of the seed, one by one, each with the outcome that it promises."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core.dispatch.leasing import claim_uri
from tests.simulation.daemon import LEASE, Daemon
from tests.simulation.repos import Clock
from tests.simulation.watch import Watch
from tests.simulation.world import World

MINUTE, HOUR, DAY = 60, 3600, 86_400


class Scene:
    """Some daemons with these clocks, each looking once a minute, and one open request."""

    def __init__(self, *offsets: int, turns: int = 1, lasting: int = HOUR, assignee: int | None = None) -> None:
        agents = [f"did:plc:agent{n:02}" for n in range(len(offsets))]
        self.world = World(0, agents)
        self.watch = Watch(self.world)
        for did, offset in zip(agents, offsets, strict=True):
            daemon = Daemon(self.world, self.watch, did, Clock(offset), turns=turns, lasting=(lasting,))
            daemon.every, daemon.slowest = 55, 5
            self.watch.daemons[did] = daemon
        self.daemons = list(self.watch.daemons.values())
        self.world.ask("plan", None if assignee is None else agents[assignee], auto_review=False, poisoned=False)
        [self.request] = self.world.requests

    def run(self, minutes: int) -> None:
        self.world.run(self.world.time + minutes * MINUTE)

    def race(self) -> None:
        """Let everybody claim before anybody sees another's claim."""
        for daemon in self.daemons:
            daemon.cut = {other.did for other in self.daemons if other is not daemon}
        self.run(5)
        assert len(self.claims()) == len(self.daemons)
        assert self.runners() == []  # nobody starts before a whole cycle
        for daemon in self.daemons:
            daemon.cut.clear()
        self.run(5)

    def runners(self) -> list[str]:
        return sorted(self.watch.running.get(self.request, {}))

    def claims(self) -> list[str]:
        """Give the claims that stand in any repo."""
        return [uri for daemon in self.daemons for uri in self.world.repos[daemon.did].records if ".claim/" in uri]

    def answers(self) -> list[str]:
        view = self.world.witness.request(self.request)
        assert view is not None
        return [uri.split("/")[2] for uri in view.fulfilled_by]

    def finish(self) -> None:
        self.world.run(self.world.time + 40 * HOUR, done=self.watch.is_quiet)
        for daemon in self.daemons:
            daemon.read({})
        self.watch.finish()


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


def test_a_slow_clock_wins_every_race_and_nothing_diverges() -> None:
    for _ in range(3):
        scene = Scene(0, -DAY, 0)
        scene.race()
        assert scene.runners() == ["did:plc:agent01"]
        scene.finish()  # which looks at the digests
        assert scene.answers() == ["did:plc:agent01"]


def test_a_fast_clock_shortens_nobody_s_lease() -> None:
    scene = Scene(0, 2 * DAY)  # by the other's clock every lease of ours ended days ago
    scene.run(30)
    assert scene.runners() == ["did:plc:agent00"]
    scene.finish()
    assert scene.answers() == ["did:plc:agent00"]


def test_a_jump_forward_mid_lease_buys_no_more_than_one_lease() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    [first] = scene.runners()
    jumper, other = sorted(scene.daemons, key=lambda daemon: daemon.did != first)
    jumper.clock.jump(scene.world.time, 10 * HOUR)
    scene.run(2)  # it has written its next claim by then, ten hours ahead
    assert jumper.state.claims[-1].created_at > other.now
    jumper.crash(100 * DAY)
    scene.run(LEASE // MINUTE + 6)
    assert scene.runners() == [other.did]


def test_what_a_corrected_clock_leaves_behind_is_retired_and_claimed_afresh_and_the_turn_goes_on() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    [first] = scene.runners()
    jumper = next(daemon for daemon in scene.daemons if daemon.did == first)
    jumper.clock.jump(scene.world.time, 10 * HOUR)
    scene.run(3)
    ahead = jumper.state.claims[-1].uri
    jumper.clock.jump(scene.world.time, 0)
    scene.run(3)
    assert ahead not in scene.claims()
    assert scene.claims() == [claim_uri(first, scene.request, jumper.state.claims[-1].generation)]
    assert jumper.state.claims[-1].created_at < jumper.now
    assert scene.runners() == [first]
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_a_clock_that_jumps_within_the_24_hours_is_repaired_by_retiring_not_by_shortening() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    jumper = next(daemon for daemon in scene.daemons if [daemon.did] == scene.runners())
    jumper.clock.jump(scene.world.time, 6 * MINUTE)  # a renewal, not yet lapsed: in contract, and ahead of its time
    scene.run(2)
    jumper.clock.jump(scene.world.time, 0)
    scene.run(4)
    assert jumper.state.generations[scene.request] == 2
    assert scene.runners() == [jumper.did]


def test_a_daemon_that_slept_for_hours_finds_its_request_taken_and_stops() -> None:
    scene = Scene(0, 0, lasting=6 * HOUR)
    scene.run(10)
    [first] = scene.runners()
    sleeper, other = sorted(scene.daemons, key=lambda daemon: daemon.did != first)
    sleeper.freeze(3 * HOUR)
    scene.run(60)
    assert other.did in scene.runners()
    scene.run(130)
    assert scene.runners() == [other.did]
    scene.finish()
    assert scene.answers() == [other.did]


def test_a_dead_claim_holds_nobody_up_whose_clock_was_set_back() -> None:
    scene = Scene(0, 3 * DAY)
    scene.run(10)
    [first] = scene.runners()
    dead, other = sorted(scene.daemons, key=lambda daemon: daemon.did != first)
    dead.crash(100 * DAY)
    other.clock.jump(scene.world.time, -3 * DAY)
    scene.run(LEASE // MINUTE + 6)
    assert scene.runners() == [other.did]


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


def test_a_removed_agent_stops_and_starts_again_when_it_is_back() -> None:
    scene = Scene(0)
    scene.run(10)
    scene.world.remove(scene.daemons[0].did)
    scene.run(5)
    assert scene.runners() == []
    scene.world.let_in_again(scene.daemons[0].did)
    scene.finish()
    assert scene.answers() == [scene.daemons[0].did]
