"""A scene for one fault: some daemons with these clocks, and one open request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.daemon import Daemon
from tests.simulation.ending import Ending
from tests.simulation.repos import Clock
from tests.simulation.watch import Watch
from tests.simulation.world import World

if TYPE_CHECKING:
    from radial_core.dispatch.budget import Budget

MINUTE, HOUR, DAY = 60, 3600, 86_400


class Scene:
    """Some daemons with these clocks, each looking once a minute, and one open request."""

    def __init__(
        self,
        *offsets: int,
        turns: int = 1,
        lasting: int = HOUR,
        assignee: int | None = None,
        budget: Budget | None = None,
        seed: int = 0,
    ) -> None:
        agents = [f"did:plc:agent{n:02}" for n in range(len(offsets))]
        self.world = World(seed, agents)
        self.watch = Watch(self.world)
        self.ending = Ending(self.watch)
        for did, offset in zip(agents, offsets, strict=True):
            daemon = Daemon(self.world, self.watch, did, Clock(offset), turns=turns, lasting=(lasting,), budget=budget)
            daemon.every, daemon.slowest = 55, 5
            self.watch.daemons[did] = daemon
        self.daemons = list(self.watch.daemons.values())
        self.world.ask("plan", None if assignee is None else agents[assignee], auto_review=False, poisoned=False)
        [self.request] = self.world.requests
        [self.realm] = self.world.realms

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

    def holder(self) -> tuple[Daemon, list[Daemon]]:
        """Give the daemon whose turn runs, and the others."""
        [first] = self.runners()
        return self.watch.daemons[first], [daemon for daemon in self.daemons if daemon.did != first]

    def answers(self) -> list[str]:
        view = self.world.witness.request(self.request)
        assert view is not None
        return [uri.split("/")[2] for uri in view.fulfilled_by]

    def finish(self) -> None:
        self.world.run(self.world.time + 40 * HOUR, done=self.ending.is_quiet)
        for daemon in self.daemons:
            daemon.catch_up()
        self.ending.look()
