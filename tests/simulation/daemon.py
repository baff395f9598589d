"""A daemon in a simulation: it ingests, plans, performs and starts again (seed §9).

Strategy: it uses the core's own `plan` and `receipts` and keeps what a real one keeps across a crash: its index and its
state, as far as receipts were written. Everything else, running turns first, dies with the process. What a plan says is
done one thing after the other, and each takes a moment, in which anything may happen; a plan that has grown old
meanwhile, because the machine slept, is dropped and made anew (what doing is: `doing`). Faults are dealt by the world's
dice. It knows its own clock and no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core import Deletion, Index, Record, materialize
from radial_core.dispatch import actions, receipts
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.clock import read_date
from radial_core.dispatch.plan import Planner
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from tests.simulation.doing import PERFORM, CrashError, Run
from tests.simulation.repos import Clock, Standing, instant, observed
from tests.simulation.world import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulation.watch import Watch
    from tests.simulation.world import World

LEASE: Final = 900
_A_WHILE_LIKELY: Final = 0.2
_LONGEST: Final = 8
_AGAIN: Final = 1  # second until the next plan
_ROUTE: Final = Route(harness="command")


class Faults:
    """How likely a daemon's misfortunes are, in all of its writes, turns and plans."""

    def __init__(
        self,
        crash: float = 0.0,
        lost_answer: float = 0.0,
        failure: float = 0.0,
        question: float = 0.0,
        sleep: float = 0.0,
        stale: float = 0.1,
    ) -> None:
        self.crash = crash
        self.lost_answer = lost_answer
        self.failure = failure
        self.question = question
        self.sleep = sleep
        self.stale = stale


class Daemon:
    """One operator's daemon, with one agent."""

    def __init__(
        self,
        world: World,
        watch: Watch,
        did: str,
        clock: Clock,
        *,
        turns: int,
        lasting: tuple[int, ...],
        claims: int | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.world, self.watch, self.did, self.clock = world, watch, did, clock
        self.operator = Operator(
            profiles=(Profile(did=did, name="all", types=TYPES),),
            routes=dict.fromkeys(TYPES, _ROUTE),
            turns=turns,
            claims=turns + 2 if claims is None else claims,
            lease=LEASE,
            attempts=6,
            budget=budget or Budget(),
        )
        self.lasting = lasting
        self.faults = Faults()
        self.index: Index = materialize([])
        self.planner = Planner()
        self.state = State()
        self.known: dict[str, dict[str, str]] = {}
        self.read_to: dict[str, str] = {}  # the revision up to which a repo was read
        self.cut: set[str] = set()
        self.runs: dict[str, Run] = {}
        self.began = 0
        self.asked_at = 0
        self.life = 0
        self.up = True
        self.todo: list[actions.Action] = []
        self.plans_again = False
        self.planned_at = 0
        self.planned_on = self.index
        self.frozen_until = 0
        self.every = world.random.choice((60, 120, 200))
        self.slowest = world.random.choice((5, 20, 90))
        self.later(world.random.randrange(60), self.begin)

    # The process

    def later(self, seconds: int, event: Callable[[], None]) -> None:
        """Do something later, unless the process has died by then; if it is frozen, when it goes on."""
        life = self.life

        def happen() -> None:
            if life == self.life and self.up:
                if self.world.time < self.frozen_until:
                    self.world.at(self.frozen_until, happen)
                else:
                    event()

        self.world.after(seconds, happen)

    def crash(self, down: int) -> None:
        self.up, self.life, self.runs, self.todo = False, self.life + 1, {}, []
        self.watch.stopped_all(self)
        self.world.after(down, self.restart)

    def restart(self) -> None:
        if self.up:
            return
        self.up = True
        self.planner = Planner()
        for turn in self.state.turns:
            self.watch.ended(self, turn.request, "failed")
            self.state = receipts.ended(self.state, turn.request, "failed", self.now)
        self.begin()

    def freeze(self, seconds: int) -> None:
        self.frozen_until = max(self.frozen_until, self.world.time + seconds)
        self.watch.frozen(self, self.frozen_until)

    @property
    def now(self) -> Any:
        return self.clock.now(self.world.time)

    def begin_run(self, budget: Budget) -> None:
        """Let the operator begin another run, under this budget."""
        self.operator = attrs.evolve(self.operator, budget=budget)
        self.state, self.began = receipts.begun(self.state), self.world.time
        self.watch.begins_run(self)

    # Ingestion

    def begin(self) -> None:
        """Begin a cycle: some repos are read now, the others when it ends."""
        marks, began = receipts.unsettled(self.state), self.world.time
        early = {did: repo.snapshot() for did, repo in self.world.repos.items() if self.world.random.random() < 0.5}
        early = {did: seen for did, seen in early.items() if did not in self.cut}
        length = 1 + self.world.random.randrange(self.slowest)
        self.later(length, lambda: self.end(marks, began, early))
        if self.world.random.random() < 0.4:  # a timer of its own, with nothing new taken in
            self.later(self.world.random.randrange(length), self.act)

    def end(self, marks: frozenset[object], began: int, early: dict[str, tuple[str, dict[str, Standing]]]) -> None:
        """End the cycle: what was read is taken in; it was a whole one if no repo was out of reach."""
        if self.read(early):
            self.state = receipts.settle(self.state, marks)
            self.watch.cycle(self, began)
        self.later(self.every, self.begin)
        self.act()

    def read(self, early: dict[str, tuple[str, dict[Any, Any]]]) -> bool:
        """Take in what was read and what is read now; tells whether everything could be."""
        late = {
            did: repo.snapshot() for did, repo in self.world.repos.items() if did not in early and did not in self.cut
        }
        news = [one for did, seen in {**early, **late}.items() for one in self._news(did, *seen)]
        self.world.random.shuffle(news)
        self.take_in(news)
        self.take_in(self._stale())
        if self.did not in self.cut:
            self.ask_the_time()
        return len(early) + len(late) == len(self.world.repos)

    def catch_up(self) -> None:
        """Take in everything as it stands."""
        self.faults.stale = 0.0
        self.read({})

    def ask_the_time(self) -> None:
        """Read the `Date` header of our own PDS, whose clock is right."""
        self.asked_at = self.world.time
        sample = read_date("https://pds.example", instant(self.world.time), self.now, self.now)
        self.state = receipts.clock_read(self.state, sample, self.operator.lease)

    def _news(self, did: str, rev: str, records: dict[str, Standing]) -> list[Record | Deletion]:
        if self.read_to.get(did) == rev:
            return []
        self.read_to[did] = rev
        known = self.known.setdefault(did, {})
        seen_at = self.clock.text(self.world.time)
        news: list[Record | Deletion] = [
            observed(uri, standing, seen_at) for uri, standing in records.items() if known.get(uri) != standing.cid
        ]
        news += [Deletion(uri=uri, rev=rev, seen_at=seen_at) for uri in known.keys() - records.keys()]
        self.known[did] = {uri: standing.cid for uri, standing in records.items()}
        return news

    def _stale(self) -> list[Record | Deletion]:
        """Be told, now and then, of some old commits of a repo, in any order: by a stream that lags behind, say."""
        repo = self.world.repos[self.world.random.choice([*self.world.repos])]
        if not self.chance(self.faults.stale) or repo.did in self.cut or not repo.log:
            return []
        first = self.world.random.randrange(len(repo.log))
        seen_at = self.clock.text(self.world.time)
        told = [repo.commit(number, seen_at) for number in range(first, min(first + 5, len(repo.log)))]
        self.world.random.shuffle(told)
        self.read_to.pop(repo.did, None)  # what came so may be gone since: the next reading tells
        for one in told:
            if isinstance(one, Record):
                self.known.setdefault(repo.did, {}).setdefault(one.uri, one.cid)
        return told

    def take_in(self, news: list[Record | Deletion]) -> None:
        if not news:
            return
        cut = self.world.random.randrange(len(news) + 1)
        repeated = news[:cut] if self.world.random.random() < 0.2 else []
        for batch in (news[cut:], news[:cut], repeated):
            self.index = self.index.extend(batch)

    # Acting

    def act(self) -> None:
        """Plan, and do what the plan says; while that is being done, nothing is planned."""
        if self.todo:
            self.plans_again = True
            return
        self.state = receipts.lasted(self.state, self.world.time - self.began)
        planned = self.planner.survey(self.index, self.operator, self.state, self.now)
        self.planned_at, self.planned_on, self.plans_again = self.world.time, self.index, False
        self.watch.planned(self, planned)
        self.todo = [*planned.actions]
        self.perform()

    def perform(self) -> None:
        """Do the next things, up to one that takes a while; nothing is left of a plan that has grown old."""
        while self.todo:
            if self.world.time > self.planned_at + actions.PLAN_LASTS:
                self.todo = []
                self.later(_AGAIN, self.act)
                return
            action = self.todo[0]
            try:
                PERFORM[type(action)](self, action)
            except CrashError:
                self.crash(self.world.random.choice((1, 60, 1200, 7200)))
                return
            self.todo.pop(0)
            if self.todo and self.chance(_A_WHILE_LIKELY):
                self.nod()
                self.later(1 + self.world.random.randrange(_LONGEST), self.perform)
                return
        self.watch.acted(self)
        if self.plans_again:
            self.later(_AGAIN, self.act)

    def nod(self) -> None:
        """Fall asleep between two things that a plan says, now and then."""
        if self.chance(self.faults.sleep):
            self.watch.events["sleeps in the midst of a plan"] += 1
            self.freeze(self.world.random.choice((20, 120, 1200, 3 * 3600)))

    def chance(self, likely: float) -> bool:
        return likely > 0 and self.world.random.random() < likely
