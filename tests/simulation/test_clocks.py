"""The faults of clocks that §12 of the seed names, each with the outcome that it promises: lag, never divergence.

`Scene.finish` looks at every invariant, the one digest among them; so nothing here diverges.
"""

from __future__ import annotations

import pytest

from radial_core.dispatch.leasing import claim_uri
from tests.simulation.daemon import LEASE
from tests.simulation.realm import ANN
from tests.simulation.repos import ROOT, Clock, ref, text_of, uri_of
from tests.simulation.scene import DAY, HOUR, MINUTE, Scene


class SetClock(Clock):
    """A clock that stands still."""

    def seconds(self, _at: int) -> int:
        return self.offset

    def text(self, _at: int) -> str:
        return text_of(self.offset)


@pytest.mark.parametrize("seed", range(5))
def test_a_slow_clock_wins_every_race_and_nothing_diverges(seed: int) -> None:
    scene = Scene(0, -DAY, 0, seed=seed)
    scene.race()
    assert scene.runners() == ["did:plc:agent01"]
    scene.finish()  # which looks at the digests
    assert scene.answers() == ["did:plc:agent01"]


@pytest.mark.parametrize("offset", [0, -DAY])
def test_of_claims_of_one_moment_the_one_with_the_lesser_uri_wins_for_all(offset: int) -> None:
    """C3: clocks that differ by as much as the claims lie apart make claims of one and the same second."""
    scene = Scene(0, 0, 0)
    first, *others = scene.daemons
    for daemon in scene.daemons:
        daemon.cut = {other.did for other in scene.daemons if other is not daemon}
        daemon.clock = SetClock(offset)
    scene.run(5)
    claims = sorted(scene.claims())
    assert len(claims) == 3
    assert len({scene.world.repos[uri.split("/")[2]].records[uri].value["createdAt"] for uri in claims}) == 1
    for daemon in scene.daemons:
        daemon.cut.clear()
        daemon.clock = Clock(offset)
    scene.run(5)
    assert scene.runners() == [first.did] == [claims[0].split("/")[2]]
    assert scene.claims() == claims[:1]
    scene.finish()
    assert scene.watch.events["turns"] == 1
    assert all(not daemon.state.claims for daemon in others)


def test_a_fast_clock_shortens_nobody_s_lease() -> None:
    scene = Scene(0, 2 * DAY)  # by the other's clock every lease of ours ended days ago
    scene.run(30)
    assert scene.runners() == ["did:plc:agent00"]
    scene.finish()
    assert scene.answers() == ["did:plc:agent00"]


@pytest.mark.parametrize("ahead", [20 * MINUTE, 10 * HOUR, 30 * HOUR, 300 * DAY])
def test_a_jump_forward_mid_lease_buys_no_more_than_one_lease(ahead: int) -> None:
    scene = Scene(0, 0)
    scene.run(10)
    jumper, [other] = scene.holder()
    jumper.clock.jump(scene.world.time, ahead)
    scene.run(2)  # it has written its next claim by then, that far ahead
    assert jumper.state.claims[-1].created_at > other.now
    jumper.crash(100 * DAY)
    scene.run(LEASE // MINUTE + 6)
    assert scene.runners() == [other.did]


def test_what_a_corrected_clock_leaves_behind_is_retired_and_claimed_afresh_and_the_turn_goes_on() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    jumper, _ = scene.holder()
    jumper.clock.jump(scene.world.time, 10 * HOUR)
    scene.run(3)
    ahead = jumper.state.claims[-1].uri
    jumper.clock.jump(scene.world.time, 0)
    scene.run(3)
    assert ahead not in scene.claims()
    assert scene.claims() == [claim_uri(jumper.did, scene.request, jumper.state.claims[-1].generation)]
    assert jumper.state.claims[-1].created_at < jumper.now
    assert scene.runners() == [jumper.did]
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
    sleeper, [other] = scene.holder()
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
    dead, [other] = scene.holder()
    dead.crash(100 * DAY)
    other.clock.jump(scene.world.time, -3 * DAY)
    scene.run(LEASE // MINUTE + 6)
    assert scene.runners() == [other.did]


@pytest.mark.parametrize("back", [12 * MINUTE, 10 * HOUR, 3 * DAY])
def test_a_jump_back_mid_lease_retires_what_it_left_ahead_and_the_turn_goes_on(back: int) -> None:
    scene = Scene(0, 0)
    scene.run(10)
    jumper, _ = scene.holder()
    before = scene.claims()
    jumper.clock.jump(scene.world.time, -back)
    scene.run(3)
    assert scene.claims() == [claim_uri(jumper.did, scene.request, 1)]
    assert before == [claim_uri(jumper.did, scene.request, 0)]
    assert jumper.state.claims[0].created_at <= jumper.now
    assert scene.runners() == [jumper.did]
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_a_jump_back_that_leaves_nothing_ahead_changes_nothing() -> None:
    scene = Scene(0, 0)
    scene.run(10)
    jumper, _ = scene.holder()
    jumper.clock.jump(scene.world.time, -2 * MINUTE)  # it was renewed longer ago than that
    scene.run(3)
    assert scene.claims() == [claim_uri(jumper.did, scene.request, 0)]
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_jumps_both_ways_again_and_again_within_one_lease_take_the_turn_from_nobody() -> None:
    scene = Scene(0, 0, lasting=2 * HOUR)
    scene.run(10)
    jumper, _ = scene.holder()
    for offset in (20 * MINUTE, -5 * MINUTE, 2 * DAY, 0, -DAY, 45 * MINUTE, 0):
        jumper.clock.jump(scene.world.time, offset)
        scene.run(4)
        assert scene.runners() == [jumper.did]
        assert len(scene.claims()) == 1
    scene.finish()
    assert scene.watch.events["turns"] == 1
    assert scene.answers() == [jumper.did]


def test_one_that_slept_alone_for_hours_claims_anew_and_goes_on() -> None:
    scene = Scene(0, lasting=6 * HOUR)
    scene.run(10)
    [sleeper] = scene.daemons
    sleeper.freeze(5 * HOUR)
    scene.run(5 * 60 + 3)
    assert scene.runners() == [sleeper.did]
    assert scene.claims() == [claim_uri(sleeper.did, scene.request, 1)]  # a lapsed claim is never renewed
    scene.finish()
    assert scene.watch.events["turns"] == 1


def test_one_that_slept_with_a_clock_that_was_set_meanwhile_finds_its_request_taken_and_stops() -> None:
    for offset in (-DAY, DAY):
        scene = Scene(0, 0, lasting=6 * HOUR)
        scene.run(10)
        sleeper, [other] = scene.holder()
        sleeper.freeze(3 * HOUR)
        sleeper.clock.jump(scene.world.time, offset)
        scene.run(3 * 60 + 10)
        assert scene.runners() in ([other.did], [sleeper.did])  # a slow clock may win it back: starvation, one holder
        scene.finish()


@pytest.mark.parametrize("lasts", [LEASE + 3 * HOUR, 0, -60])
def test_both_bounds_of_a_lease_are_judged_alike_by_everybody(lasts: int) -> None:
    """A claim out of contract, by a clock that jumped while it was written: no reader honours it for a moment."""
    scene = Scene(0, 2 * DAY, -2 * DAY)
    broken = scene.daemons[2]
    broken.crash(100 * DAY)
    made = scene.world.time + broken.clock.offset
    value = {
        "$type": "com.disnetdev.radial.claim", "createdAt": text_of(made), "expiresAt": text_of(made + lasts),
        "request": ref(scene.request, scene.world.ref(scene.request)["cid"]),
    }  # fmt: skip
    uri = uri_of(broken.did, "claim", "broken")
    scene.world.write(uri, value)
    scene.run(5)
    assert len(scene.runners()) == 1
    for daemon in scene.daemons[:2]:
        assert "C2" in str(daemon.index.explain(uri))
    scene.finish()


def test_whoever_has_a_clock_that_is_off_is_told_either_way_and_nobody_else() -> None:
    scene = Scene(120, -120, 0, 20, -20)  # 30 seconds are tolerated
    scene.run(10)
    told = [any(key.startswith("clock ") for key in daemon.state.done) for daemon in scene.daemons]
    assert told == [True, True, False, False, False]
    scene.finish()


def test_a_record_from_the_future_is_told_and_one_from_the_past_says_nothing() -> None:
    scene = Scene(2 * DAY, 0, -2 * DAY)
    for daemon in scene.daemons[1:]:
        daemon.crash(5 * MINUTE)
    scene.run(15)
    [ahead] = scene.runners()
    told = [
        {key.split("/")[2] for key in daemon.state.done if key.startswith("future ")} for daemon in scene.daemons
    ]  # fmt: skip
    # What persons wrote lies two days back for the first, and two days ahead for the last.
    assert told == [set(), {ahead}, {ahead, ROOT, ANN}]
    scene.finish()
