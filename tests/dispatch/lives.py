"""A daemon's life at random: what it observes, decides, does and is told, one step after another.

Strategy: a seed is a life. What is observed comes late, more than once, dated anywhere; what the plan says is done, or
not, and the receipt of it comes at once, some steps later, or never. Between two plans turns end in any way and say, or
do not say, what they used, a person chooses models and gives commands, runs begin, clocks jump. In a life that is
`rewritten`, versions come in by which another one of a record is chosen (V1): of the project, a goal, a request, a
grant. Nothing here judges.
"""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core import Deletion, Record, materialize
from radial_core.dispatch import actions, receipts
from radial_core.dispatch.budget import Budget
from radial_core.dispatch.clock import Sample
from radial_core.dispatch.commands import RULES, Carried, Command, carry_out
from radial_core.dispatch.leasing import claim_uri
from radial_core.dispatch.retry import ENDS
from radial_core.dispatch.routing import Choice, Offer
from radial_core.dispatch.state import State
from radial_core.dispatch.usage import Count, Mark, Usage
from radial_core.leases import Lease
from tests.core.small_world import ANN, BOT, REVS, ROOT, SPACE, add, again, at, ref, write
from tests.dispatch.scene import BASE, CAT, GOAL, PROJECT, minute, run_by
from tests.dispatch.test_plan import claim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from radial_core import Index, Instant
    from radial_core.dispatch.routing import Operator

EVE: Final = "did:plc:eve"
_LINKS: Final[tuple[dict[str, str], ...]] = (
    {"commit": "c" * 40, "pr": "https://git.example/1"},
    {"commit": "c0ffee", "pr": "file:///x"},
    {},
)
_OFFERS: Final[tuple[dict[str, Offer], ...]] = (
    {}, {}, {}, {"codex": Offer(models=frozenset({"m-1"}))}, {"codex": Offer(models=frozenset({"m-9"}))},
    {"claude-code": Offer(efforts={"m-2": frozenset({"low"})})},
)  # fmt: skip
_USED: Final = (
    Usage(), Usage(input=Count.of(100), output=Count.of(9), cost=Count.of(50)), Usage(input=Count.of(300)),
    Usage(input=Count(Mark.AT_LEAST, 80), output=Count.of(0)), Usage(cost=Count.of(20)),
)  # fmt: skip
ELSEWHERE: Final = write(ROOT, "goal", 5, "else", space=ref(SPACE), project=ref(PROJECT), title="T", body="b")
SHED: Final = write(
    ANN, "project", 5, "shed", space=ref(SPACE), name="Shed", gitUrl="https://git.example/shed", defaultBranch="main",
    autoReview={"implementation": True},
)  # fmt: skip
_SELDOM: Final = 0.3
_LASTS: Final = 15  # minutes of a lease


class Life:
    """One daemon, from nothing. `step` moves it on by one thing; `index`, `state` and `now` are what a plan is of."""

    def __init__(self, seed: int, *, rewritten: bool = False) -> None:
        self.dice = Random(f"life {seed}")
        self.rewritten = rewritten
        self.operator = self._operator()
        self.requests = [self._request(number) for number in range(7)]
        self.seen: list[Record | Deletion] = []
        self.index: Index = materialize([])
        self.state = State()
        self.minute = 60
        self.time = 0
        self.grants = [BASE[1]]
        self.late: list[Callable[[State], State]] = []
        self.observe(*BASE, ELSEWHERE, *self.requests[:5])
        if rewritten:
            self.observe(SHED)

    def _operator(self) -> Operator:
        one = self.dice.choice
        budget = Budget(
            turns=one((None, None, 3, 9)), seconds=one((None, None, 3000)), tokens=one((None, 500)),
            cost=one((None, 100)), slots=one((None, 1, 3)), retries=one((None, 0, 2)),
        )  # fmt: skip
        return run_by(
            *one(((BOT,), (BOT, CAT))), budget=budget, turns=one((1, 2, 5)), claims=one((1, 4)),
            attempts=one((1, 3)), outages=1, offers=one(_OFFERS),
        )  # fmt: skip

    def _request(self, number: int) -> Record:
        kinds = ("plan", "plan", "plan", "implementation", "implementation", "dance")
        fields: dict[str, Any] = {"type": self.dice.choice(kinds)}
        if self.dice.random() < 0.3:
            fields["assignee"] = self.dice.choice((BOT, BOT, CAT, ANN))
        if self.dice.random() < 0.5:
            fields["autoReview"] = True
        return write(ANN, "artifactRequest", 6 + number, f"q{number}", goal=ref(GOAL), **fields)

    @property
    def now(self) -> Instant:
        return minute(self.minute)

    def shuffled(self) -> list[Record | Deletion]:
        """Give all that was ever observed, in another order, some of it twice."""
        again = self.dice.sample(self.seen, min(len(self.seen), 5))
        return self.dice.sample([*self.seen, *again], len(self.seen) + len(again))

    def observe(self, *records: Record | Deletion) -> None:
        self.seen += records
        self.index = self.index.extend(records)

    def step(self) -> None:
        """Let something be observed, and let time pass, backwards too."""
        self.time += 1
        self.observe(*self.dice.choice(_NEWS)(self, self.dice.choice(self.requests)))
        if self.rewritten:
            self.observe(*self._rewritten())
        self.minute = max(0, self.minute + self.dice.choice((0, 0, 1, 1, 2, 2, 5, 20, -30)))

    # What was planned

    def perform(self, planned: tuple[actions.Action, ...]) -> None:
        """Do some of it, and let receipts come when they come."""
        for action in planned:
            fate = self.dice.random()
            if fate < 0.8:
                receipt = _PERFORM[type(action)](self, action)
                if fate < 0.6:
                    self.state = receipt(self.state)
                elif fate < 0.7:
                    self.late.append(receipt)
        self._go_on()

    def _claim(self, action: actions.WriteClaim | actions.NextGenerationClaim) -> Callable[[State], State]:
        uri, made, now = claim_uri(action.did, action.request, action.generation), self.minute, self.now
        lease = Lease(now, uri, "cid", now, now.plus(action.lease))
        if self.dice.random() < 0.8:
            self.observe(claim(action.did, action.request, made, key=action.rkey, lasts=_LASTS, saw=made))
        return lambda state: receipts.claimed(state, action, lease)

    def _renew(self, action: actions.RenewClaim) -> Callable[[State], State]:
        now = self.now
        return lambda state: receipts.renewed(state, action.claim, now, now.plus(action.lease))

    def _let_go(self, action: actions.ReleaseClaim | actions.RetireClaim) -> Callable[[State], State]:
        if self.dice.random() < 0.7:
            self.observe(Deletion(uri=action.claim))
        return lambda state: receipts.let_go(state, action.claim)

    def _start(self, action: actions.StartTurn) -> Callable[[State], State]:
        now = self.now

        def receipt(state: State) -> State:
            running = any(turn.request == action.request for turn in state.turns)
            return state if running else receipts.started(state, action, now)

        return receipt

    def _cancel(self, action: actions.CancelTurn) -> Callable[[State], State]:
        return lambda state: receipts.cancelling(state, action.request)

    def _poll(self, action: actions.PollMerge) -> Callable[[State], State]:
        now = self.now
        return lambda state: receipts.polled(state, action.artifact, now)

    def _once(self, action: actions.RequestReview | actions.RunChecks | actions.Warn) -> Callable[[State], State]:
        now, key = self.now, action.key
        fails = not isinstance(action, actions.Warn) and self.dice.random() < 0.5
        return lambda state: receipts.failed(state, key, now) if fails else receipts.wrote(state, key)

    # What happens besides

    def _go_on(self) -> None:
        for turn in self.state.turns:
            if self.dice.random() < 0.4:
                end, used = self.dice.choice(sorted(ENDS)), self.dice.choice(_USED)
                self.state = receipts.ended(self.state, turn.request, end, self.now, used, "mend it")
        for happens, likely in _BESIDES:
            if self.dice.random() < likely:
                happens(self, self.dice.choice(self.requests).uri)

    def _settle(self, _request: str) -> None:
        self.state = receipts.settle(self.state, receipts.unsettled(self.state))

    def _arrive(self, _request: str) -> None:
        late, self.late = self.late, []
        for receipt in self.dice.sample(late, len(late)):
            self.state = receipt(self.state)

    def _last(self, _request: str) -> None:
        self.state = receipts.lasted(self.state, self.state.run.seconds + 600)

    def _begin(self, _request: str) -> None:
        self.state = receipts.begun(self.state)

    def _mend(self, _request: str) -> None:
        self.state = receipts.mended(self.state)

    def _choose(self, request: str) -> None:
        choice = Choice(model=self.dice.choice(("m-1", "m-9", None)), effort=self.dice.choice(("low", None)))
        self.state = receipts.chose(self.state, request, choice)

    def _command(self, request: str) -> None:
        name = self.dice.choice(sorted(RULES))
        scopes = {"request": (request,), "pool": ("codex", "claude-code"), "project": (PROJECT.uri,)}
        scope, said = self.dice.choice(scopes[RULES[name].scope]), "words" if RULES[name].speaks else None
        expected = self.state.controls.generation(scope)
        carried = carry_out(
            self.state, Command(name=name, scope=scope, key=f"c{self.time}", expected=expected, said=said)
        )  # fmt: skip
        if isinstance(carried, Carried):
            self.state = carried.state

    def _read_a_clock(self, _request: str) -> None:
        ahead = Decimal(self.dice.choice((0, 0, 50, -50)))
        self.state = attrs.evolve(self.state, clock=(Sample("pds", ahead, ahead + 1, self.now),))

    def _pause(self, _request: str) -> None:
        self.state = attrs.evolve(self.state, may_not_start=self.dice.choice((None, None, None, "somebody said so")))

    # What is observed

    def key(self, kind: str) -> str:
        return f"{kind}{self.time}"

    def dated(self) -> int:
        return max(0, self.minute + self.dice.choice((0, 0, -3, 40)))

    def asked_for(self, request: Record) -> Iterator[Record]:
        yield request

    def claimed(self, request: Record) -> Iterator[Record]:
        did, lasts = self.dice.choice((CAT, ANN, EVE)), self.dice.choice((1, 15, 60))
        made, saw = (
            max(0, self.minute + self.dice.choice((-20, -1, 0, 9))),
            self.minute + self.dice.choice((-30, -3, 0, 0, 9)),
        )
        yield claim(did, request.uri, made, lasts=lasts, key=self.key("k"), saw=saw)

    def sighted_again(self, _request: Record) -> Iterator[Record]:
        """Somebody hands on what they saw: the very version, and another date on which it was first seen."""
        claims = [one for one in self.seen if isinstance(one, Record) and "/com.disnetdev.radial.claim/" in one.uri]
        if claims:
            yield attrs.evolve(
                self.dice.choice(claims), seen_at=at(max(0, self.minute - self.dice.choice((0, 10, 50))))
            )

    def questioned(self, request: Record) -> Iterator[Record]:
        did, goal = self.dice.choice((BOT, CAT, EVE)), ref(self.dice.choice((GOAL, ELSEWHERE)))
        asked = write(did, "message", self.dated(), self.key("m"), goal=goal, body="?", re=ref(request))
        yield asked
        if self.dice.random() < 0.5:
            yield write(ANN, "message", self.dated(), self.key("n"), goal=goal, body="!", parent=ref(asked))

    def declined(self, request: Record) -> Iterator[Record]:
        if "assignee" in request.value:
            did = request.value["assignee"]
            yield write(
                did, "message", self.dated(), self.key("d"), goal=ref(GOAL), body="no", re=ref(request), declines=True
            )  # fmt: skip

    def delivered(self, request: Record) -> Iterator[Record]:
        did, links = self.dice.choice((BOT, CAT)), self.dice.choice(_LINKS)
        yield write(
            did, "artifact", self.dated(), self.key("x"), goal=ref(GOAL), request=ref(request),
            type=request.value["type"], title="t", body="b", links=links,
        )  # fmt: skip

    def withdrawn(self, request: Record) -> Iterator[Record]:
        if self.dice.random() < _SELDOM:
            yield write(ANN, "retractRequest", self.dated(), self.key("r"), request=ref(request))

    def removed(self, _request: Record) -> Iterator[Record]:
        did = self.dice.choice((BOT, CAT))
        grants = [grant for grant in (*BASE[1:3], *self.grants[1:]) if grant.value["did"] == did]
        fields = {"space": ref(SPACE), "did": did, "membership": ref(grants[-1])}
        yield write(ROOT, "removeMember", self.minute, self.key("g"), **fields)

    def let_in(self, _request: Record) -> Iterator[Record]:
        self.grants.append(add(SPACE, self.minute, self.dice.choice((BOT, CAT)), "agent", "agent"))
        yield self.grants[-1]

    def ended(self, _request: Record) -> Iterator[Record]:
        closed = self.dice.random() < _SELDOM
        yield write(ANN, "closeGoal", self.dated(), self.key("e"), goal=ref(GOAL), closed=closed)

    def archived(self, _request: Record) -> Iterator[Record]:
        archived = self.dice.random() < _SELDOM
        yield write(ANN, "archiveProject", self.dated(), self.key("a"), project=ref(PROJECT), archived=archived)

    def switched(self, _request: Record) -> Iterator[Record]:
        fields = {"type": self.dice.choice(("plan", "implementation")), "enabled": self.dice.random() < 0.7}
        yield write(ROOT, "setAutoReview", self.dated(), self.key("s"), project=ref(PROJECT), **fields)

    def nothing(self, _request: Record) -> Iterator[Record]:
        yield from ()

    def _rewritten(self) -> Iterator[Record]:
        """Give, now and then, a version that may be older than all that were seen of its record."""
        if self.dice.random() < _SELDOM:
            record, changes = self.dice.choice(_VERSIONS)(self)
            yield again(record, self.dice.choice(REVS), **changes)

    def _project(self) -> tuple[Record, dict[str, Any]]:
        kinds = self.dice.sample(("plan", "implementation"), self.dice.choice((0, 1, 2)))
        checks = self.dice.choice((..., [], PROJECT.value["checks"], [{"name": "u", "command": "make it"}]))
        return self.dice.choice((PROJECT, PROJECT, SHED)), {
            "checks": checks, "autoReview": dict.fromkeys(kinds, True), "name": self.dice.choice(("Site", "Sight")),
        }  # fmt: skip

    def _goal(self) -> tuple[Record, dict[str, Any]]:
        project = ref(self.dice.choice((PROJECT, PROJECT, SHED)))
        closed = self.dice.choice((..., ..., False, True))
        return self.dice.choice((GOAL, ELSEWHERE)), {"project": project, "closed": closed}

    def _wish(self) -> tuple[Record, dict[str, Any]]:
        return self.dice.choice(self.requests), {
            "goal": ref(self.dice.choice((GOAL, GOAL, ELSEWHERE))), "autoReview": self.dice.choice((..., True, False)),
            "type": self.dice.choice(("plan", "implementation")), "assignee": self.dice.choice((..., BOT, CAT)),
        }  # fmt: skip

    def _grant(self) -> tuple[Record, dict[str, Any]]:
        return self.dice.choice((*BASE[1:3], *self.grants)), {"kind": self.dice.choice(("agent", "human"))}


_NEWS: Final[tuple[Callable[[Life, Record], Iterator[Record]], ...]] = (
    *(Life.asked_for,) * 6, *(Life.nothing,) * 8, *(Life.let_in,) * 3, *(Life.questioned,) * 2, *(Life.claimed,) * 2,
    *(Life.sighted_again,) * 2, Life.delivered, Life.withdrawn, Life.declined, Life.removed, Life.ended, Life.archived,
    Life.switched,
)  # fmt: skip
_VERSIONS: Final[tuple[Callable[[Life], tuple[Record, dict[str, Any]]], ...]] = (
    Life._project, Life._project, Life._goal, Life._wish, Life._grant,
)  # fmt: skip
_BESIDES: Final[tuple[tuple[Callable[[Life, str], None], float], ...]] = (
    (Life._settle, 0.7), (Life._arrive, 0.3), (Life._last, 0.2), (Life._begin, 0.05), (Life._mend, 0.1),
    (Life._choose, 0.1), (Life._command, 0.3), (Life._read_a_clock, 0.1), (Life._pause, 0.1),
)  # fmt: skip
_PERFORM: Final[dict[type, Callable[[Life, Any], Callable[[State], State]]]] = {
    actions.WriteClaim: Life._claim,
    actions.NextGenerationClaim: Life._claim,
    actions.RenewClaim: Life._renew,
    actions.ReleaseClaim: Life._let_go,
    actions.RetireClaim: Life._let_go,
    actions.StartTurn: Life._start,
    actions.CancelTurn: Life._cancel,
    actions.RequestReview: Life._once,
    actions.RunChecks: Life._once,
    actions.PollMerge: Life._poll,
    actions.Warn: Life._once,
}
