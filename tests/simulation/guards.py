"""What each guard is for: it is taken away, and the simulation finds what breaks.

    python -m tests.simulation.guards [--seeds N]

Strategy: a simulation that finds nothing proves little until it is seen to find something. Each guard of the planner,
of its receipts or of the fold is replaced by code without it, and seeds are tried from 0 until an invariant breaks; in
one row it is the simulated daemon that does what no plan says, to show that somebody would notice. The table that is
printed stands in `guards.txt`; a test repeats its rows, each at the seed at which it broke, with the guard away and
with it in place.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

import attrs

from radial_core.dispatch import (
    admission,
    allowance,
    autoreview,
    docket,
    leasing,
    plan,
    reasons,
    receipts,
    retry,
    tending,
    usage,
)
from radial_core.dispatch.allowance import Allowance
from radial_core.dispatch.budget import Line
from radial_core.dispatch.following import Dockets
from radial_core.dispatch.usage import Mark
from radial_core.rules import claims, requests
from radial_core.sightings import Deletions
from tests.simulation import doing
from tests.simulation.history import History
from tests.simulation.watch import ViolationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.simulation.daemon import Daemon

TABLE: Final = Path(__file__).parent / "guards.txt"
_flaw, _claimed, _ended, _held_up, _init, _once, _after_turn, _case_of = (
    leasing.flaw, receipts.claimed, receipts.ended, admission.Admission._held_up, admission.Admission.__init__,
    doing.once, retry.after_turn, reasons.case_of,
)  # fmt: skip


def _settled_at_once(*arguments: Any) -> Any:
    state = _claimed(*arguments)
    return attrs.evolve(state, claims=tuple(attrs.evolve(held, settled=True) for held in state.claims))


def _forgotten_at_once(*arguments: Any) -> Any:
    return attrs.evolve(_ended(*arguments), tries=arguments[0].tries)


def _charged_to_whoever_runs(state: Any, *arguments: Any) -> Any:
    turns = tuple(attrs.evolve(turn, run=state.run.number) for turn in state.turns)
    return _ended(attrs.evolve(state, turns=turns), *arguments)


def _flaw_but(word: str) -> Callable[..., str | None]:
    def flaw(*arguments: Any) -> str | None:
        found = _flaw(*arguments)
        return None if found is not None and word in found else found

    return flaw


def _next_only_when_uncovered(_sight: Any, sound: list[Any]) -> str | None:
    return None if sound else "none of our claims covers the turn any more"


def _without_held_up(rule: str) -> Callable[..., Any]:
    def held_up(*arguments: Any) -> Any:
        reason = _held_up(*arguments)
        return None if reason is not None and reason.rule == rule else reason

    return held_up


def _room_without_end(self: Any, *arguments: Any) -> None:
    _init(self, *arguments)
    self.turns = self.claims = 99


def _room_for_claims(self: Any, *arguments: Any) -> None:
    _init(self, *arguments)
    self.claims = 99


def _counted_six_times(*arguments: Any) -> Any:
    tries = _after_turn(*arguments)
    return attrs.evolve(tries, failed=6 * tries.failed)


class _Everybody(frozenset[str]):
    def __contains__(self, _did: object) -> bool:
        return True


def _everybody_is_a_member(*arguments: Any) -> Any:
    case = _case_of(*arguments)
    return None if case is None else case._replace(hands=case.hands._replace(members=_Everybody()))


def _by_their_clock(sight: Any, lease: Any, _seen_at: Any) -> bool:
    return bool(sight.now < lease.expires_at)


def _only_when_all_reported(line: Line) -> bool:
    return line.used.mark is Mark.REPORTED and line.used.least >= line.limit


def _also_when_not_reported(line: Line) -> bool:
    return line.used.least >= line.limit or line.untold > 0


def _by_whomever(dockets: Dockets, _docket: Any, artifact: str) -> bool:
    return any(number > 0 for (_, one), number in dockets._reviewed.items() if one == artifact)


def _asking_for_an_answer(daemon: Daemon, action: Any, uri: str, value: dict[str, Any]) -> None:
    _once(daemon, action, uri, {**value, "type": "answer"} if value.get("type") == "review" else value)


def _drawn(_purpose: str, *_parts: Any) -> str:
    return f"drawn-{next(_draws)}"


def _nothing(*_arguments: Any, **_named: Any) -> None:
    return None


def _none(*_arguments: Any) -> frozenset[str]:
    return frozenset()


_draws = count()
UNSEEN: Final = "a turn that has lost its request is stopped, where nobody looks at what its daemon sees"
BLIND: Final = {UNSEEN: frozenset({"winner"})}  # the invariants that nobody looks at beside a guard that is away
_Patch = tuple[Any, str, Any]
GUARDS: Final[dict[str, tuple[_Patch, ...]]] = {
    "a claim waits for a whole cycle before it starts anything (C4)": ((receipts, "claimed", _settled_at_once),),
    "a lease is counted from our own first sighting (C4)": ((leasing, "_is_alive", _by_their_clock),),
    "a claim that ranks before ours wins (C3)": ((admission, "rival", _nothing), (tending, "rival", _nothing)),
    "a turn that has lost its request is stopped": ((tending, "rival", _nothing),),
    UNSEEN: ((tending, "rival", _nothing),),
    "a turn that nobody needs is stopped (R5)": ((tending, "stopped", _nothing),),
    "a claim that has lapsed is never renewed (C6)": ((leasing, "flaw", _flaw_but("lapsed")),),
    "a claim from our own future is retired (C6)": ((leasing, "flaw", _flaw_but("future")),),
    "the next generation is written before the 24 hours are over (C2, C6)": (
        (leasing, "_needs_next", _next_only_when_uncovered),
    ),
    "a claim is never written again where one was deleted (C6)": ((leasing, "_free_generation", lambda *_: 0),),
    "a claim is released when there is nothing more to do": ((admission, "releases", lambda *_: []),),
    "a claim without a receipt is looked into": (
        (admission, "accounts", _nothing), (plan, "release_strays", lambda *_: ()),
    ),
    "no turn starts while its request awaits input (R6)": (
        (docket, "wants_work", lambda *about: requests.status(*about).open),
    ),
    "no turn starts about what does not count in its space (L4)": (
        (admission, "is_about_something", lambda *_: True),
    ),
    "what a turn wrote is taken in before the next one starts": ((receipts, "ended", _forgotten_at_once),),
    "a request is tried a bounded number of times": ((admission.Admission, "_held_up", _without_held_up("attempts")),),
    "a turn that came to nothing counts once": ((receipts, "after_turn", _counted_six_times),),
    "what came to nothing is tried again after a while, and not at once": ((admission, "is_due", lambda *_: True),),
    "a write that failed is tried again after a while, and not at once": (
        (plan, "may_write", lambda *_: True), (admission, "may_write", lambda *_: True),
    ),
    "a write that failed is tried again": (
        (plan, "may_write", lambda tries, *_: tries is None), (admission, "may_write", lambda tries, *_: tries is None),
    ),
    "a pull request is looked at every so often": ((plan, "_is_past", lambda *_: True),),
    "a claim is renewed when a third of its lease is over, and not before": ((leasing, "_is_due", lambda *_: True),),
    "a claim is renewed long before it lapses (C6)": ((leasing, "_RENEWALS", 1),),
    "a turn starts under a claim that will last (C6)": ((admission, "cover", lambda *_: ()),),
    "nothing is asked for, checked or looked up where the goal has ended (R5)": (
        (docket, "ending", _nothing),
    ),
    "a turn whose agent is no member any more is stopped (T5)": ((tending, "case_of", _everybody_is_a_member),),
    "what came to nothing is tried again": ((admission, "is_due", lambda *_: False),),
    "nothing starts while something stops it": ((admission.Admission, "_held_up", _without_held_up("may_not_start")),),
    "a spent budget stops new work": ((Allowance, "stops", _nothing),),
    "what a plan starts counts against the budget in that plan": ((Allowance, "take", _nothing),),
    "what one turn does not report hides nothing of what others did": (
        (Line, "reached", property(_only_when_all_reported)),
    ),
    "what is not reported stops nothing": ((Line, "reached", property(_also_when_not_reported)),),
    "what no turn can have used is believed of none": ((usage, "believed", lambda used: used),),
    "a turn is charged to the run that began it": ((receipts, "ended", _charged_to_whoever_runs),),
    "a limit that could not be enforced is told": ((allowance, "warnings", lambda *_: ()),),
    "no more claims than may be held": ((admission.Admission, "__init__", _room_for_claims),),
    "no more turns and claims than there is room for": ((admission.Admission, "__init__", _room_without_end),),
    "record keys follow from what they answer": ((autoreview, "record_key", _drawn),),
    "an artifact whose review somebody asked for needs no other (R8)": (
        (autoreview, "reviewed_at", _none), (docket, "reviewed_at", _none),
    ),
    "whoever asks for a review in another space asks for nothing here (L4)": ((Dockets, "is_reviewed", _by_whomever),),
    "a daemon asks for reviews, and never for an answer": ((doing, "once", _asking_for_an_answer),),
    "a clock that is off is told to its owner": ((plan, "skew_warning", _nothing),),
    "a clock that is off again is told again": ((receipts, "is_right", lambda *_: False),),
    "a deletion takes a claim back (V5)": ((Deletions, "all_before", lambda *_: True),),
    "work under a lost claim is marked (C7)": ((claims, "_lost", lambda _: []),),
}  # fmt: skip


@contextmanager
def without(guard: str) -> Iterator[None]:
    """Run something with one guard taken away."""
    with ExitStack() as stack:
        for owner, name, substitute in GUARDS[guard]:
            stack.enter_context(patch.object(owner, name, substitute))
        yield


def broken(seed: int, blind: frozenset[str] = frozenset()) -> str | None:
    """Give the name of the invariant that a seed breaks, or nothing; `blind` are those that nobody looks at."""
    try:
        History(seed, blind=blind).run()
    except ViolationError as error:
        return error.name
    return None


def rows() -> dict[str, tuple[str, int]]:
    """Read the table: which invariant breaks without each guard, and at which seed first."""
    lines = (line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines() if line)
    return {guard: (invariant, int(seed)) for guard, invariant, seed in lines}


def main() -> None:
    """Try the guards and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=1_000)
    options = parser.parse_args()
    for guard in GUARDS:
        blind = BLIND.get(guard, frozenset())
        with without(guard):
            tried = ((broken(seed, blind), seed) for seed in range(options.seeds))
            found = next(((name, seed) for name, seed in tried if name is not None), None)
        invariant, seed = found if found is not None else ("nothing", options.seeds)
        print(f"{guard}\t{invariant}\t{seed}", flush=True)


if __name__ == "__main__":
    main()
