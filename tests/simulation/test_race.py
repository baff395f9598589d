"""A thousand daemons claim one request at once (RAD-12.2): one goes on, every other releases, all see the same.

Strategy: the world of the other simulations keeps an index for each daemon all the time; for so many they are made when
a daemon reads and let go of afterwards, from the same records. Clocks are off by up to two days. Before anybody reads
everything, half of the daemons read a handful of repos, in any order, and act on that.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from radial_core import Deletion, materialize
from radial_core.dispatch import receipts
from radial_core.dispatch.actions import ReleaseClaim, StartTurn, WriteClaim
from radial_core.dispatch.plan import Planner
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from tests.simulation.daemon import LEASE
from tests.simulation.doing import lease_in
from tests.simulation.repos import PREFIX, Clock, Standing, observed, ref, text_of, uri_of
from tests.simulation.world import World

if TYPE_CHECKING:
    from radial_core import Index, Record

MANY: Final = 1_000
DAY: Final = 86_400


class Racer:
    """One daemon: its clock, what it knows, and what it has seen of the others' claims."""

    def __init__(self, race: Race, did: str, offset: int) -> None:
        self.race, self.did, self.clock = race, did, Clock(offset)
        self.operator = Operator(
            profiles=(Profile(did=did, name="all", types=("plan",)),), routes={"plan": Route(harness="command")}
        )
        self.state = State()
        self.seen: dict[str, Record] = {}
        self.started = self.released = 0

    def read(self, dids: list[str]) -> Index:
        """Read these repos, on top of what was read before; what has gone from them is noticed."""
        world = self.race.world
        stamp = self.clock.text(world.time)
        standing = [(uri, one) for did in dids for uri, one in world.repos[did].records.items() if ".claim/" in uri]
        self.seen |= {uri: observed(uri, one, stamp) for uri, one in standing if uri not in self.seen}
        return self.race.base.extend([*self.seen.values(), *self.gone(dids)])

    def gone(self, dids: list[str]) -> list[Deletion]:
        world, stamp = self.race.world, self.clock.text(self.race.world.time)
        repos = [world.repos[did] for did in dids]
        return [
            Deletion(uri=uri, rev=repo.rev, seen_at=stamp) for repo in repos for uri in repo.deleted & self.seen.keys()
        ]

    def act(self, index: Index) -> None:
        for action in Planner().survey(index, self.operator, self.state, self.clock.now(self.race.world.time)).actions:
            if isinstance(action, WriteClaim):
                self.claim(action)
            elif isinstance(action, ReleaseClaim):
                self.race.world.repos[self.did].delete(self.race.world.time, action.claim)
                self.state = receipts.let_go(self.state, action.claim)
                self.released += 1
            elif isinstance(action, StartTurn):
                self.state = receipts.started(self.state, action, self.clock.now(self.race.world.time))
                self.started += 1

    def claim(self, action: WriteClaim) -> None:
        at, uri = self.race.world.time, uri_of(self.did, "claim", action.rkey)
        value: dict[str, Any] = {
            "$type": PREFIX + "claim", "createdAt": self.clock.text(at), "request": self.race.asked,
            "expiresAt": text_of(self.clock.seconds(at) + LEASE),
        }  # fmt: skip
        standing: Standing = self.race.world.repos[self.did].put(at, uri, value)
        self.state = receipts.claimed(self.state, action, lease_in(uri, standing))


class Race:
    """So many daemons, and one open request."""

    def __init__(self, seed: int, many: int) -> None:
        self.dice = Random(seed)
        dids = [f"did:plc:agent{n:04}" for n in range(many)]
        self.world = World(seed, dids)
        self.world.ask("plan", None, auto_review=False, poisoned=False)
        [request] = self.world.requests
        self.asked = ref(request, self.world.ref(request)["cid"])
        repos = self.world.repos.values()
        self.base = materialize(observed(uri, one, text_of(0)) for repo in repos for uri, one in repo.records.items())
        self.racers = [Racer(self, did, self.dice.randrange(-2 * DAY, 2 * DAY)) for did in dids]
        self.dids = dids

    def in_any_order(self) -> list[Racer]:
        return self.dice.sample(self.racers, len(self.racers))

    def claims(self) -> list[str]:
        return [uri for did in self.dids for uri in self.world.repos[did].records if ".claim/" in uri]


@pytest.mark.parametrize("many", [20, pytest.param(MANY, marks=pytest.mark.slow)])
def test_of_a_thousand_that_race_one_starts_and_every_other_releases(many: int) -> None:
    race = Race(many, many)
    for racer in race.in_any_order():
        race.world.time += race.dice.random() < 0.2
        racer.act(race.base)
    assert len(race.claims()) == many
    ranks = {
        racer.did: min((claim.created_at, claim.uri) for claim in racer.state.claims) for racer in race.racers
    }  # fmt: skip
    first = min(ranks, key=ranks.__getitem__)
    for racer in race.in_any_order()[: many // 2]:  # late and reordered: a few repos each, and no whole cycle
        racer.act(racer.read([racer.did, *race.dice.sample(race.dids, 5)]))
    assert sum(racer.started for racer in race.racers) == 0
    before = len(race.claims())
    assert 1 < before < many
    for racer in race.in_any_order():
        race.world.time += race.dice.random() < 0.2
        marks = receipts.unsettled(racer.state)
        index = racer.read(race.dice.sample(race.dids, many))
        racer.state = receipts.settle(racer.state, marks)
        racer.act(index)
    assert [racer.did for racer in race.racers if racer.started] == [first]
    assert {racer.did for racer in race.racers if racer.released == 1} == {*race.dids} - {first}
    assert [uri.split("/")[2] for uri in race.claims()] == [first]
    assert len({racer.read(race.dids).digest for racer in race.racers}) == 1
