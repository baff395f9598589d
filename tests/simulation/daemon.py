"""A daemon in a simulation: it ingests, plans, performs and starts again (seed §9).

Strategy: it uses the core's own `plan` and `receipts` and keeps what a real one keeps across a crash: its index and its
state, as far as receipts were written. Everything else, running turns first, dies with the process. Each write may fail
for certain, succeed with the answer lost, or be the last thing that the process does; faults are dealt by the world's
dice. It knows its own clock and no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core import Deletion, Index, Record, materialize, parse_instant
from radial_core.dispatch import actions, receipts
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.clock import read_date
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.plan import Planner
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from radial_core.dispatch.usage import Count, Usage
from radial_core.leases import Lease
from tests.simulation.billing import Report
from tests.simulation.repos import PREFIX, Clock, Standing, instant, observed, ref, text_of, uri_of
from tests.simulation.world import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.simulation.watch import Watch
    from tests.simulation.world import World

LEASE: Final = 900
_COMMIT: Final = "c0ffee" + "0" * 34
_NO_TURN_USES: Final = 2**53 - 1
_ROUTE: Final = Route(harness="command")


class CrashError(Exception):
    """The process dies here."""


class Faults:
    """How likely a daemon's misfortunes are, in all of its writes and turns."""

    def __init__(
        self, crash: float = 0.0, lost_answer: float = 0.0, failure: float = 0.0, question: float = 0.0
    ) -> None:
        self.crash = crash
        self.lost_answer = lost_answer
        self.failure = failure
        self.question = question


class Run:
    """A turn's process."""

    def __init__(self, action: actions.StartTurn, claim: dict[str, str] | None) -> None:
        self.action = action
        self.claim = claim


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
        budget: Budget | None = None,
    ) -> None:
        self.world, self.watch, self.did, self.clock = world, watch, did, clock
        self.operator = Operator(
            profiles=(Profile(did=did, name="all", types=TYPES),),
            routes=dict.fromkeys(TYPES, _ROUTE),
            turns=turns,
            claims=turns + 2,
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
        self.up, self.life, self.runs = False, self.life + 1, {}
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
        if self.did not in self.cut:
            self.ask_the_time()
        return len(early) + len(late) == len(self.world.repos)

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

    def take_in(self, news: list[Record | Deletion]) -> None:
        if not news:
            return
        cut = self.world.random.randrange(len(news) + 1)
        repeated = news[:cut] if self.world.random.random() < 0.2 else []
        for batch in (news[cut:], news[:cut], repeated):
            self.index = self.index.extend(batch)

    # Acting

    def act(self) -> None:
        self.state = receipts.lasted(self.state, self.world.time - self.began)
        planned = self.planner.survey(self.index, self.operator, self.state, self.now)
        self.watch.planned(self, planned)
        for action in planned.actions:
            try:
                _PERFORM[type(action)](self, action)
            except CrashError:
                self.crash(self.world.random.choice((1, 60, 1200, 7200)))
                return
        self.watch.acted(self)

    def chance(self, likely: float) -> bool:
        return likely > 0 and self.world.random.random() < likely

    def write(self, uri: str, value: dict[str, Any]) -> Standing | None:
        """Write a record, or find it there; nothing when it is not known whether it was written."""
        if self.chance(self.faults.crash):
            raise CrashError
        repo = self.world.repos[self.did]
        if self.did in self.cut:
            return None
        if uri not in repo.records:
            self.watch.writes(self, uri, value)
            self.world.write(uri, value)
            self.watch.flagged()
        if self.chance(self.faults.crash):
            raise CrashError
        return None if self.chance(self.faults.lost_answer) else repo.records[uri]

    def failed(self, action: actions.Action) -> None:
        self.state = receipts.failed(self.state, action.key, self.now)

    def claim(self, action: actions.WriteClaim | actions.NextGenerationClaim) -> None:
        at = self.world.time
        value = {
            "$type": PREFIX + "claim", "createdAt": self.clock.text(at), "request": self.ref(action.request),
            "expiresAt": text_of(self.clock.seconds(at) + action.lease),
        }  # fmt: skip
        standing = self.write(uri_of(self.did, "claim", action.rkey), value)
        if standing is None:
            self.failed(action)
        else:
            uri = uri_of(self.did, "claim", action.rkey)
            self.state = receipts.claimed(self.state, action, lease_in(uri, standing))
            if action.request in self.runs:
                self.runs[action.request].claim = ref(uri, standing.cid)

    def renew(self, action: actions.RenewClaim) -> None:
        if self.chance(self.faults.crash):
            raise CrashError
        repo = self.world.repos[self.did]
        if self.did in self.cut:
            self.failed(action)
            return
        if action.claim not in repo.records:
            self.state = receipts.let_go(self.state, action.claim)
            return
        at = self.clock.seconds(self.world.time)
        value = {**repo.records[action.claim].value, "renewedAt": text_of(at), "expiresAt": text_of(at + action.lease)}
        self.watch.renews(self, action.claim, value)
        self.world.write(action.claim, value)
        if self.chance(self.faults.crash):
            raise CrashError
        if self.chance(self.faults.lost_answer):
            self.failed(action)
        else:
            self.state = receipts.renewed(
                self.state, action.claim, parse_instant(text_of(at)), parse_instant(text_of(at + action.lease))
            )

    def let_go(self, action: actions.ReleaseClaim | actions.RetireClaim) -> None:
        if self.chance(self.faults.crash):
            raise CrashError
        if self.did in self.cut:
            self.failed(action)
            return
        self.world.delete(action.claim)
        if self.chance(self.faults.crash):
            raise CrashError
        self.state = receipts.let_go(self.state, action.claim)

    def start(self, action: actions.StartTurn) -> None:
        self.watch.starts(self, action)
        claim = None if action.claim is None else self.world.repos[self.did].records.get(action.claim)
        run = Run(action, None if claim is None or action.claim is None else ref(action.claim, claim.cid))
        self.state = receipts.started(self.state, action, self.now)
        self.runs[action.request] = run
        self.watch.started(self, action.request)
        self.later(self.world.random.choice(self.lasting), lambda: self.finish(run))

    def cancel(self, action: actions.CancelTurn) -> None:
        self.stop(action.request, "cancelled")

    def stop(self, request: str, how: str) -> None:
        self.runs.pop(request, None)
        report = self.report()
        self.watch.ended(self, request, how, report)
        used = Usage(input=Count.of(report.tokens), output=Count.of(0), cost=Count.of(report.cost))
        self.state = receipts.ended(self.state, request, how, self.now, used)

    def report(self) -> Report:
        """Say what a turn used; now and then nothing is said, or not all, or what no turn can have used."""
        tokens, told = self.world.random.randrange(1, 1_000), self.world.random.random()
        if told < 0.06:
            return Report(_NO_TURN_USES, _NO_TURN_USES)
        return Report() if told < 0.15 else Report(tokens) if told < 0.3 else Report(tokens, 2 * tokens)

    def finish(self, run: Run) -> None:
        """End a turn by itself: with its one record, with a question, or with nothing."""
        request = run.action.request
        if self.runs.get(request) is not run:
            return
        try:
            if request in self.world.poisoned or self.chance(self.faults.failure):
                self.stop(request, "failed")
            elif self.chance(self.faults.question):
                self.ask(run)
            else:
                self.deliver(run)
        except CrashError:
            self.crash(self.world.random.choice((1, 60, 1200, 7200)))

    def ask(self, run: Run) -> None:
        request = run.action.request
        key = record_key("question", request, run.action.attempt, self.world.time)
        value = {
            "$type": PREFIX + "message", "createdAt": self.clock.text(self.world.time), "body": "which?",
            "goal": self.goal_of(request), "re": self.ref(request), **self.fence(run),
        }  # fmt: skip
        standing = self.write(uri_of(self.did, "message", key), value)
        self.stop(request, "failed" if standing is None else "asked")

    def deliver(self, run: Run) -> None:
        request = run.action.request
        view = self.index.request(request)
        if view is None:
            self.stop(request, "failed")
            return
        common = {"createdAt": self.clock.text(self.world.time), "request": self.ref(request), **self.fence(run)}
        if view.type == "review" and view.subject is not None:
            kind = "review"
            value = {**common, "subject": ref(view.subject.uri, view.subject.cid), "verdict": "request_changes"}
        elif view.type == "answer" and view.subject is not None:
            kind = "message"
            value = {"createdAt": common["createdAt"], "re": common["request"], "body": "because", **self.fence(run)}
            value |= {"goal": self.goal_of(request), "parent": ref(view.subject.uri, view.subject.cid)}
        else:
            kind = "artifact"
            links = {"commit": _COMMIT, "pr": "https://git.example/p/1"}
            value = {**common, "goal": self.goal_of(request), "type": view.type, "body": "B", "links": links}
        value["$type"] = PREFIX + kind
        if self.write(uri_of(self.did, kind, record_key(kind, request)), value) is None:
            self.later(60, lambda: self.finish(run))  # what became of it is looked up before anything else
        else:
            self.stop(request, "written")

    def fence(self, run: Run) -> dict[str, Any]:
        return {} if run.claim is None else {"claim": run.claim}

    def ref(self, uri: str) -> dict[str, str]:
        return ref(uri, self.index.filing.entries[uri].cid)

    def goal_of(self, request: str) -> dict[str, str]:
        return self.ref(str(self.index.place_of(request)))

    def review(self, action: actions.RequestReview) -> None:
        value = {
            "$type": PREFIX + "artifactRequest", "createdAt": self.clock.text(self.world.time), "type": "review",
            "goal": self.ref(action.anchor), "subject": self.ref(action.artifact),
        }  # fmt: skip
        self.once(action, uri_of(self.did, "artifactRequest", action.rkey), value)

    def check(self, action: actions.RunChecks) -> None:
        value = {
            "$type": PREFIX + "checkrun", "createdAt": self.clock.text(self.world.time), "commit": action.commit,
            "artifact": self.ref(action.artifact), "results": [{"name": "t", "pass": True}],
        }  # fmt: skip
        self.once(action, uri_of(self.did, "checkrun", action.rkey), value)

    def once(self, action: actions.RequestReview | actions.RunChecks, uri: str, value: dict[str, Any]) -> None:
        if self.write(uri, value) is None:
            self.failed(action)
        else:
            self.state = receipts.wrote(self.state, action.key)

    def poll(self, action: actions.PollMerge) -> None:
        self.state = receipts.polled(self.state, action.artifact, self.now)

    def warn(self, action: actions.Warn) -> None:
        self.state = receipts.wrote(self.state, action.key)


def lease_in(uri: str, standing: Standing) -> Lease:
    """Read a claim as it stands in a repo."""
    value = standing.value
    created = parse_instant(value["createdAt"])
    renewed = parse_instant(value.get("renewedAt", value["createdAt"]))
    return Lease(created, uri, standing.cid, renewed, parse_instant(value["expiresAt"]))


_PERFORM: dict[type, Callable[[Daemon, Any], None]] = {
    actions.WriteClaim: Daemon.claim,
    actions.NextGenerationClaim: Daemon.claim,
    actions.RenewClaim: Daemon.renew,
    actions.ReleaseClaim: Daemon.let_go,
    actions.RetireClaim: Daemon.let_go,
    actions.StartTurn: Daemon.start,
    actions.CancelTurn: Daemon.cancel,
    actions.RequestReview: Daemon.review,
    actions.RunChecks: Daemon.check,
    actions.PollMerge: Daemon.poll,
    actions.Warn: Daemon.warn,
}
