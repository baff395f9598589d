"""What a seed decides: how many run, in which spaces, with what clocks, and all that goes wrong for some hours.

Strategy: a history has a stormy part, in which people and misfortunes come at random, and a calm one, in which
everything is connected again but clocks stay as wrong as they are. It ends when nothing is left to do. Most daemons are
idle most of the time, so every other misfortune seeks out one that is at work, if there is one: what befalls nobody
shows nothing. How often something fell into the midst of work is counted.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

import attrs

from radial_core.dispatch import receipts
from radial_core.dispatch.budget import Budget
from tests.simulation.daemon import Daemon, Faults
from tests.simulation.ending import Ending
from tests.simulation.meddling import meddle
from tests.simulation.repos import Clock
from tests.simulation.watch import ViolationError, Watch
from tests.simulation.world import World

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from tests.simulation.realm import Realm

_HOUR: Final = 3600
_STORM: Final = 4 * _HOUR
# As long as six turns of three hours that come to nothing, by one of five daemons after another (seed 100222).
_CALM: Final = 120 * _HOUR
_LONG_CALM: Final = 200 * _HOUR  # the same for turns of thirty
_OFFSETS: Final = (0, 0, 0, 1, -2, 20, -25, 90, -90, 1200, -1200, 2 * 86_400, -3 * 86_400)
_LIMITS: Final = {
    "turns": (0, 1, 2, 3, 8), "seconds": (_HOUR, 3 * _HOUR, 12 * _HOUR), "tokens": (1, 800, 2_500),
    "cost": (1, 1_500, 6_000), "slots": (1, 2), "retries": (0, 1, 3),
}  # fmt: skip
_FEW: Final = (2, 2, 2, 2, 3, 3, 3, 4, 5)
_CROWDS: Final = ((0.003, 50), (0.01, 25), (0.04, 10))  # how likely there are how many; else there are a few
_SPACES: Final = (1, 1, 2, 2, 3)
_AIMED: Final = 0.5
_FAR: Final = 30  # seconds


class History:
    """One simulation, made from its seed alone."""

    def __init__(self, seed: int, *, daemons: int | None = None, blind: frozenset[str] = frozenset()) -> None:
        """Make one; `blind` are the invariants that nobody looks at."""
        dice = Random(f"history {seed}")
        self.seed, self.dice = seed, dice
        number = daemons if daemons is not None else self._number()
        agents = [f"did:plc:agent{n:02}" for n in range(number)]
        self.world = World(seed, agents, self._others(agents))
        self.watch = Watch(self.world, blind)
        self.ending = Ending(self.watch)
        self.marathon = dice.random() < 0.01
        lasting = (30 * _HOUR,) if self.marathon else (60, 300, 1800, 3 * _HOUR)
        for did in agents:
            clock = Clock(dice.choice(_OFFSETS))
            turns, budget = dice.choice((1, 1, 2)), self._budget()
            daemon = Daemon(
                self.world, self.watch, did, clock, turns=turns, lasting=lasting,
                claims=dice.choice((1, 2, turns + 2)), budget=budget,
            )  # fmt: skip
            self.watch.daemons[did] = daemon
        self.daemons = list(self.watch.daemons.values())

    def _number(self) -> int:
        drawn = self.dice.random()
        return next((size for likely, size in _CROWDS if drawn < likely), self.dice.choice(_FEW))

    def _others(self, agents: list[str]) -> tuple[list[str], ...]:
        """Draw the agents of each space but the first: some of them, or nobody."""
        further = range(self.dice.choice(_SPACES) - 1)
        return tuple([did for did in agents if self.dice.random() < 0.7] for _ in further)

    def _budget(self) -> Budget:
        """Half of the daemons have none; the others have limits on one thing or on three."""
        if self.dice.random() < 0.5:
            return Budget()
        names = self.dice.sample(sorted(_LIMITS), self.dice.choice((1, 1, 2, 3)))
        return Budget(**{name: self.dice.choice(_LIMITS[name]) for name in names})

    def run(self) -> Counter[str]:
        """Run it to its end; gives how often what happened. Raises `ViolationError`."""
        try:
            self._run()
        except ViolationError as error:
            error.add_note(f"seed {self.seed}")
            raise
        return self.watch.events

    def _run(self) -> None:
        self._storm()
        self.world.run(_STORM)
        self._calm()
        self.world.run(self.world.time + (_LONG_CALM if self.marathon else _CALM), done=self.ending.is_quiet)
        for daemon in self.daemons:  # what was written last is read by all
            daemon.catch_up()
        self.ending.look()

    def _storm(self) -> None:
        for daemon in self.daemons:
            daemon.faults = Faults(
                crash=self.dice.choice((0, 0.01, 0.05)),
                lost_answer=self.dice.choice((0, 0.05)),
                failure=self.dice.choice((0, 0.1)),
                question=self.dice.choice((0, 0.1, 0.3)),
                sleep=self.dice.choice((0, 0.1)),
            )
        self.world.eager = self.dice.choice((0, 0.2))
        crowd = len(self.daemons) // 4  # the more there are, the more happens
        for _ in range(1 if self.marathon else self.dice.randint(1, 5) + max(0, crowd - 1)):
            self.world.at(self.dice.randrange(_STORM // 2), self._ask)
        for _ in range(self.dice.randint(2, 16) * max(1, crowd)):
            event = self.dice.choice(_EVENTS)
            self.world.at(self.dice.randrange(_STORM), lambda event=event: event(self))  # type: ignore[misc]

    def _ask(self) -> None:
        """Ask for something, or for two things at once."""
        assignee = self.dice.choice([None, None, *(daemon.did for daemon in self.daemons[:1])])
        if self.marathon:
            assignee = None  # so that somebody has to claim for a whole day
        for _ in range(1 if self.marathon else self.dice.choice((1, 1, 2))):
            self._ask_for_one(assignee)

    def _ask_for_one(self, assignee: str | None) -> None:
        kind = self.dice.choice(("plan", "implementation"))
        auto_review, poisoned = self.dice.random() < 0.3, self.dice.random() < 0.08
        # Six turns that come to nothing, for each of a crowd or of thirty hours, would outlast everything else.
        self.world.ask(
            kind,
            assignee,
            auto_review=auto_review,
            poisoned=poisoned and not self.marathon and len(self.daemons) <= max(_FEW),
        )

    def _some(self) -> Daemon:
        """Draw a daemon: any, or one that is at work."""
        at_work = [daemon for daemon in self.daemons if daemon.state.claims or daemon.runs]
        return self.dice.choice(at_work if at_work and self.dice.random() < _AIMED else self.daemons)

    def _under_way(self) -> list[str]:
        """Give the requests on which a turn runs, all or, every other time, none."""
        aimed = self.dice.random() < _AIMED
        return sorted({request for daemon in self.daemons for request in daemon.runs}) if aimed else []

    def _note(self, what: str, *, midst: object) -> None:
        """Count a misfortune that fell into the midst of work."""
        self.watch.events[what] += bool(midst)

    def cut_off(self) -> None:
        """Let one daemon not reach some repos, its own among them or not, for up to three hours."""
        daemon = self._some()
        cut = {did for did in self.world.repos if self.dice.random() < self.dice.choice((0.4, 0.4, 1))}
        daemon.cut |= cut
        self._note("cut off from its own claim", midst=daemon.did in cut and daemon.state.claims)
        self.world.after(self.dice.choice((60, 600, 2400, 3 * _HOUR)), lambda: daemon.cut.difference_update(cut))

    def jump(self) -> None:
        daemon = self._some()
        offset = self.dice.choice([offset for offset in _OFFSETS if offset != daemon.clock.offset])
        way = "forwards" if offset > daemon.clock.offset else "backwards"
        is_far = abs(offset - daemon.clock.offset) > _FAR
        self._note(f"clock jumps {way} mid-lease", midst=is_far and daemon.state.claims)
        daemon.clock.jump(self.world.time, offset)
        self.watch.pace.mishap(daemon.did, self.world.time)

    def suspend(self) -> None:
        daemon, seconds = self._some(), self.dice.choice((120, 1200, 3 * _HOUR))
        self._note("sleeps for hours under a claim", midst=seconds > _HOUR and daemon.state.claims)
        daemon.freeze(seconds)

    def crash(self) -> None:
        daemon = self._some()
        self._note("dies mid-turn", midst=daemon.runs)
        daemon.crash(self.dice.choice((1, 300, 2 * _HOUR)))

    def spend(self) -> None:
        daemon = self._some()
        _stop(daemon, "the budget is spent")
        self.world.after(self.dice.choice((600, _HOUR)), lambda: _stop(daemon, None))

    def begin_again(self) -> None:
        daemon = self._some()
        daemon.begin_run(daemon.operator.budget)

    def _realm(self) -> Realm:
        return self.dice.choice(self.world.realms)

    def remove(self) -> None:
        daemon = self._some()
        realms = [realm for realm in self.world.realms if daemon.did in realm.grants]
        under_way = [self.world.realm_of(request) for request in daemon.runs]
        realm = self.dice.choice(under_way or realms)
        self._note("removed mid-turn", midst=under_way)
        realm.remove(daemon.did)
        if self.dice.random() < 0.7:
            self.world.after(self.dice.choice((60, _HOUR)), lambda: realm.let_in_again(daemon.did))

    def end_goal(self) -> None:
        goals = [self.world.goal_of(request) for request in self._under_way()]
        goal = self.dice.choice(goals or self._realm().goals)
        self._note("goal ends mid-turn", midst=goals)
        realm = next(realm for realm in self.world.realms if goal in realm.goals)
        realm.end_goal(goal, closed=True)
        if self.dice.random() < 0.7:
            self.world.after(self.dice.choice((60, _HOUR)), lambda: realm.end_goal(goal, closed=False))

    def archive(self) -> None:
        realms = [self.world.realm_of(request) for request in self._under_way()]
        realm = self.dice.choice(realms or self.world.realms)
        self._note("project archived mid-turn", midst=realms)
        realm.archive(archived=True)
        self.world.after(self.dice.choice((60, _HOUR)), lambda: realm.archive(archived=False))

    def meddle(self) -> None:
        meddle(self.world)

    def retract(self) -> None:
        asked = [request for request in self._under_way() if request in self.world.requests]
        self._note("retracted mid-turn", midst=asked)
        self.world.retract(asked)

    def reply(self) -> None:
        self.world.reply()

    def request_a_review(self) -> None:
        self.world.request_a_review()

    def request_an_answer(self) -> None:
        self.world.request_an_answer(self._some().did)

    def _calm(self) -> None:
        for daemon in self.daemons:
            daemon.faults = Faults()
            daemon.cut.clear()
            daemon.frozen_until = 0
            _stop(daemon, None)
            daemon.state = receipts.mended(daemon.state)
            if self.dice.random() < 0.7:  # of the others, what is spent stays spent
                daemon.begin_run(daemon.operator.budget if self.dice.random() < 0.3 else Budget())
            daemon.restart()
        self._answer_questions()

    def _answer_questions(self) -> None:
        self.world.reply()
        self.world.after(_HOUR, self._answer_questions)


def _stop(daemon: Daemon, reason: str | None) -> None:
    daemon.state = attrs.evolve(daemon.state, may_not_start=reason)


_EVENTS: Final[tuple[Callable[[History], None], ...]] = (
    History.cut_off, History.cut_off, History.jump, History.jump, History.suspend, History.suspend, History.crash,
    History.spend, History.remove, History.end_goal, History.archive, History.retract, History.retract,
    History.reply, History.reply, History.request_a_review, History.request_an_answer, History.meddle, History.meddle,
    History.begin_again,
)  # fmt: skip
