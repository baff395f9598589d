"""What a person may tell a running daemon, each thing a typed command (RK-12: no prose is ever read for one).

Strategy: a command has a scope (a request, a pool, a project), a key under which it is carried out once however often
it arrives, and the generation of the scope that its author saw: when that has moved on, the command was meant for
something else and is refused with both numbers. What is carried out moves its scope on, so a command that comes again
after its key is forgotten is refused and not carried out twice; to look changes nothing and is not remembered. One
table says of each command what it is about, what must be so, and what it changes. What it changes are controls and
counts, from which the next plan follows; so no command starts anything that a plan would not, and none gets round what
a plan prepares. What goes on to a running turn (words, an answer) is checked here and delivered by whoever runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import attrs

from radial_core.canonical import cid_of, measure
from radial_core.dispatch.refusals import Refusal, refuse
from radial_core.dispatch.said import says_something
from radial_core.lexicon.faults import kind_of
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from radial_core.dispatch.state import State


@attrs.frozen(kw_only=True)
class Command:
    """A command. `scope` is the URI of a request or a project, or the name of a pool, as `RULES` says.

    `key` is any text that no other command bears. `expected` is the generation of the scope that its author saw; a
    command that only looks needs none. `said` are the words of those that carry any.
    """

    name: str
    scope: str
    key: str
    expected: int | None = None
    said: str | None = None

    @property
    def cid(self) -> str:
        """What tells it from another command under the same key."""
        return cid_of(attrs.asdict(self))


class Carried(NamedTuple):
    """A command that was carried out, now or before: the state that comes of it."""

    command: Command
    state: State
    repeated: bool = False


class Rule(NamedTuple):
    """What a command is about: its kind of scope, what must be so, what it changes.

    One that `looks` changes nothing, one that `speaks` carries words.
    """

    scope: str
    needs: Callable[[State, Command], Refusal | None]
    change: Callable[[State, Command], State]
    looks: bool = False
    speaks: bool = False


def carry_out(state: State, command: Command) -> Carried | Refusal:
    """Carry out a command, or refuse it and change nothing.

    Refused are `UnknownCommand`, `NotData`, `KeyReused`, `NoWords`, `StrayWords`, `NoGeneration`, `MovedOn` and what
    the table says: `NotRunning`, `Running`, `NotHeld`, `HeldAlready`, `NothingToRetry`, `PausedAlready`, `NotPaused`. A
    command that was carried out before is carried out already, whatever has become of its scope; after so many others
    that its key is forgotten, it is refused (`MovedOn`).
    """
    misfit = _not_data(command)
    if misfit is not None:
        return misfit
    rule = RULES.get(command.name)
    if rule is None:
        return refuse("UnknownCommand", f"there is no command {quoted(command.name)}", f"use one of {_NAMES}", "name")
    before = state.controls.taken.get(command.key)
    if before is not None:
        if before == command.cid:
            return Carried(command, state, repeated=True)
        return refuse("KeyReused", "another command came under this key", "give it a key of its own", "key")
    refusal = _ill_formed(rule, command) or _out_of_date(rule, state, command) or rule.needs(state, command)
    if refusal is not None:
        return refusal
    return Carried(command, state if rule.looks else _changed(rule, state, command))


def _changed(rule: Rule, state: State, command: Command) -> State:
    changed = rule.change(state, command)
    controls = changed.controls.moved(command.scope).remember(command.key, command.cid)
    return attrs.evolve(changed, controls=controls)


def _not_data(command: Command) -> Refusal | None:
    given = attrs.asdict(command)
    for name, kinds in _KINDS.items():
        if given[name].__class__ not in kinds:
            return refuse("NotData", f"{name} is {kind_of(given[name])}", _DATA, name)
    misfit = measure(given)
    return None if misfit is None else refuse("NotData", misfit.message, _DATA, *misfit.path)


_TEXT: Final = frozenset({str})
_NONE: Final = frozenset({type(None)})
_KINDS: Final[Mapping[str, frozenset[type]]] = {
    "name": _TEXT, "scope": _TEXT, "key": _TEXT, "expected": _NONE | {int}, "said": _NONE | _TEXT,
}  # fmt: skip
_DATA: Final = "send well-formed text and whole numbers"


def _ill_formed(rule: Rule, command: Command) -> Refusal | None:
    for name, text in (("scope", command.scope), ("key", command.key)):
        if not says_something(text):
            return refuse("NotData", f"the {name} says nothing", _DATA, name)
    if rule.speaks and not says_something(command.said or ""):
        return refuse("NoWords", f"{command.name} says something", "add the words", "said")
    if not rule.speaks and command.said is not None:
        return refuse("StrayWords", f"{command.name} says nothing", "leave the words out", "said")
    return None


def _out_of_date(rule: Rule, state: State, command: Command) -> Refusal | None:
    now = state.controls.generation(command.scope)
    if command.expected == now or rule.looks:
        return None
    if command.expected is None:
        return refuse("NoGeneration", "it does not say which state of its scope it is meant for", _LOOK, "expected")
    message = f"it was meant for generation {command.expected}, and this is generation {now}"
    return refuse("MovedOn", message, _LOOK, "expected")


_LOOK: Final = "look at what is so now, and decide again"


# What must be so -----------------------------------------------------------------------------------------------------


def _anything(_state: State, _command: Command) -> Refusal | None:
    return None


def _running(state: State, command: Command) -> Refusal | None:
    if any(turn.request == command.scope for turn in state.turns):
        return None
    return refuse("NotRunning", "no turn runs for this request", _LOOK, "scope")


def _free(state: State, command: Command) -> Refusal | None:
    if command.scope in state.controls.held:
        return refuse("HeldAlready", "this request is held back", "there is nothing to do", "scope")
    if any(turn.request == command.scope for turn in state.turns):
        return refuse("Running", "a turn runs for this request", "interrupt it, or let it end", "scope")
    return None


def _held(state: State, command: Command) -> Refusal | None:
    if command.scope in state.controls.held:
        return None
    return refuse("NotHeld", "this request is not held back", "`why` says what it waits for", "scope")


def _failed(state: State, command: Command) -> Refusal | None:
    tries = state.tries.get(command.scope)
    if tries is not None and (tries.failed or tries.outages or tries.blocked is not None):
        return None
    return refuse(
        "NothingToRetry", "no turn on this request has come to nothing", "`why` says what it waits for", "scope"
    )


def _unpaused(state: State, command: Command) -> Refusal | None:
    if command.scope not in state.controls.paused:
        return None
    return refuse("PausedAlready", "this pool is paused", "there is nothing to do", "scope")


def _paused(state: State, command: Command) -> Refusal | None:
    if command.scope in state.controls.paused:
        return None
    return refuse("NotPaused", "this pool is not paused", "there is nothing to do", "scope")


# What changes --------------------------------------------------------------------------------------------------------


def _nothing(state: State, _command: Command) -> State:
    return state


def _hold(state: State, command: Command) -> State:
    return _set(state, held=state.controls.held | {command.scope})


def _let(state: State, command: Command) -> State:
    return _set(state, held=state.controls.held - {command.scope})


def _forget(state: State, command: Command) -> State:
    """Start the count anew. What the last turn wrote is still waited for."""
    tries = attrs.evolve(state.tries[command.scope], failed=0, outages=0, blocked=None)
    return attrs.evolve(state, tries={**state.tries, command.scope: tries})


def _pause(state: State, command: Command) -> State:
    return _set(state, paused=state.controls.paused | {command.scope})


def _resume(state: State, command: Command) -> State:
    return _set(state, paused=state.controls.paused - {command.scope})


def _set(state: State, *, paused: frozenset[str] | None = None, held: frozenset[str] | None = None) -> State:
    before = state.controls
    controls = attrs.evolve(
        before, paused=before.paused if paused is None else paused, held=before.held if held is None else held
    )
    return attrs.evolve(state, controls=controls)


RULES: Final[Mapping[str, Rule]] = {
    # hold a request back, for a person to do; stop a turn and hold its request back; let it be taken on again; forget
    # what came to nothing
    "hold": Rule("request", _free, _hold),
    "interrupt": Rule("request", _running, _hold),
    "start": Rule("request", _held, _let),
    "retry": Rule("request", _failed, _forget),
    # no new work from what shares an allowance; again
    "pause": Rule("pool", _unpaused, _pause),
    "resume": Rule("pool", _paused, _resume),
    # for the turn that runs: words on the way, the answer to what its harness asked, a look at it
    "steer": Rule("request", _running, _nothing, speaks=True),
    "answer": Rule("request", _running, _nothing, speaks=True),
    "attach": Rule("request", _running, _nothing, looks=True),
    # what a project makes this machine run, by its fingerprint: remembered by whoever checks it
    "trust": Rule("project", _anything, _nothing, speaks=True),
}
_NAMES: Final = ", ".join(sorted(RULES))
