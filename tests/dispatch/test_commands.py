"""What an operator says by hand: typed, once, for a state that was seen, and never more than a plan would do."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import materialize
from radial_core.dispatch.actions import CancelTurn, StartTurn, Warn, WriteClaim
from radial_core.dispatch.commands import RULES, Carried, Command, carry_out
from radial_core.dispatch.controls import Controls
from radial_core.dispatch.plan import plan
from radial_core.dispatch.receipts import ended, started
from radial_core.dispatch.refusals import Refusal
from radial_core.dispatch.routing import Route
from radial_core.dispatch.state import State, Tries, Turn
from tests.core.small_world import ANN, BOT, ref, write
from tests.dispatch.scene import BASE, GOAL, ROUTES, minute, request, run_by, survey

MINE, OTHER, OPEN = request(10, assignee=BOT), request(11, assignee=BOT), request(12)
RUNNING = State(turns=(Turn(request=MINE.uri, did=BOT, started_at=minute(59)),))
TIRED = State(tries={MINE.uri: Tries(failed=9, outages=30, blocked="no key", ended_at=minute(1))})
PAUSED = State(controls=Controls(paused=frozenset({"codex"})))
HELD = State(controls=Controls(held=frozenset({MINE.uri})))


def command(name: str, scope: str = MINE.uri, **fields: Any) -> Command:
    said = "words" if name in RULES and RULES[name].speaks else None
    given: dict[str, Any] = {"name": name, "scope": scope, "key": f"k {name}", "expected": 0, "said": said}
    return Command(**(given | fields))


def carried(state: State, told: Command) -> State:
    outcome = carry_out(state, told)
    assert isinstance(outcome, Carried), outcome
    return outcome.state


def refusal(state: State, told: Command) -> tuple[str, str]:
    outcome = carry_out(state, told)
    assert isinstance(outcome, Refusal)
    return outcome.name, outcome.objections[0].path


WHERE_IT_HOLDS = {
    "interrupt": (RUNNING, MINE.uri),
    "hold": (State(), MINE.uri),
    "start": (HELD, MINE.uri),
    "retry": (TIRED, MINE.uri),
    "pause": (State(), "codex"),
    "resume": (PAUSED, "codex"),
    "steer": (RUNNING, MINE.uri),
    "answer": (RUNNING, MINE.uri),
    "attach": (RUNNING, MINE.uri),
    "trust": (State(), BASE[4].uri),
}


def test_every_command_is_tried() -> None:
    assert WHERE_IT_HOLDS.keys() == RULES.keys()


LASTING = [name for name in RULES if name != "attach"]


@pytest.mark.parametrize("name", LASTING)
def test_a_command_is_carried_out_once_however_often_it_comes(name: str) -> None:
    before, scope = WHERE_IT_HOLDS[name]
    told = command(name, scope)
    state = carried(before, told)
    assert carry_out(state, told) == Carried(told, state, repeated=True)
    assert carry_out(attrs.evolve(state, turns=(), tries={}), told).repeated  # type: ignore[union-attr]


@pytest.mark.parametrize("name", LASTING)
def test_a_command_whose_key_is_forgotten_is_refused_and_not_carried_out_again(name: str) -> None:
    """Whatever has become of its scope meanwhile: held again, running again, failed again."""
    before, scope = WHERE_IT_HOLDS[name]
    told = command(name, scope)
    state = carried(before, told)
    for number in range(1_000):
        pool = f"pool {number}"
        state = carried(state, command("pause", pool, key=f"later {number}"))
    assert told.key not in state.controls.taken
    again = attrs.evolve(
        before,
        controls=attrs.evolve(state.controls, held=before.controls.held, paused=before.controls.paused),
    )
    assert refusal(again, told) == ("MovedOn", "$.expected")


def test_looks_displace_no_command() -> None:
    told = command("steer")
    state = carried(RUNNING, told)
    for number in range(1_001):
        state = carried(state, command("attach", key=f"look {number}", expected=None))
    assert carry_out(state, told) == Carried(told, state, repeated=True)


def test_a_second_word_says_what_its_author_saw_of_the_first() -> None:
    state = carried(RUNNING, command("steer", key="one"))
    assert refusal(state, command("steer", key="two", said="other words")) == ("MovedOn", "$.expected")
    assert isinstance(carry_out(state, command("answer", key="two", expected=1)), Carried)


@pytest.mark.parametrize(
    ("field", "value"),
    [("expected", False), ("expected", True), ("expected", 0.0), ("expected", "0"), ("key", 1), ("key", None),
     ("scope", None), ("scope", b"x"), ("name", None), ("name", ["steer"]), ("said", 1), ("said", False)],
)  # fmt: skip
def test_what_is_of_another_kind_is_refused(field: str, value: Any) -> None:
    told = attrs.evolve(command("steer"), **{field: value})
    assert refusal(RUNNING, told) == ("NotData", f"$.{field}")


@pytest.mark.parametrize("field", ["scope", "key", "said"])
def test_text_that_is_none_is_refused_and_nothing_changes(field: str) -> None:
    assert refusal(RUNNING, command("steer", **{field: "half \ud800"})) == ("NotData", f"$.{field}")


@pytest.mark.parametrize("name", LASTING)
def test_a_key_belongs_to_one_command(name: str) -> None:
    before, scope = WHERE_IT_HOLDS[name]
    state = carried(before, command(name, scope))
    assert refusal(state, command(name, scope, expected=5)) == ("KeyReused", "$.key")


@pytest.mark.parametrize("name", LASTING)
def test_a_command_for_another_state_than_this_is_refused_with_both(name: str) -> None:
    before, scope = WHERE_IT_HOLDS[name]
    moved = attrs.evolve(before, controls=before.controls.moved(scope).moved(scope))
    outcome = carry_out(moved, command(name, scope, expected=1))
    assert isinstance(outcome, Refusal)
    assert str(outcome).startswith("MovedOn: it was meant for generation 1, and this is generation 2 @ $.expected")
    assert refusal(moved, command(name, scope, expected=None)) == ("NoGeneration", "$.expected")
    assert isinstance(carry_out(moved, command(name, scope, expected=2)), Carried)


@pytest.mark.parametrize("key", ["", " ", "\u200b"])
def test_a_key_that_nobody_can_see_is_none(key: str) -> None:
    assert refusal(State(), command("pause", "codex", key=key)) == ("NotData", "$.key")


def test_any_number_may_look_on() -> None:
    state = RUNNING
    for number in range(3):
        state = carried(state, command("attach", key=f"k{number}", expected=None))
    assert state == RUNNING


@pytest.mark.parametrize(
    ("name", "scope", "state", "said", "refused"),
    [
        ("dance", MINE.uri, State(), None, ("UnknownCommand", "$.name")),
        ("interrupt", MINE.uri, State(), None, ("NotRunning", "$.scope")),
        ("interrupt", OTHER.uri, RUNNING, None, ("NotRunning", "$.scope")),
        ("steer", MINE.uri, State(), "left", ("NotRunning", "$.scope")),
        ("steer", MINE.uri, RUNNING, " ", ("NoWords", "$.said")),
        *(("steer", MINE.uri, RUNNING, unseen, ("NoWords", "$.said")) for unseen in ("", "\u200b", " \u2800 ", "\x00")),
        *(("pause", unseen, State(), None, ("NotData", "$.scope")) for unseen in ("", "\u200b", "\u3164")),
        ("answer", MINE.uri, RUNNING, None, ("NoWords", "$.said")),
        ("interrupt", MINE.uri, RUNNING, "now", ("StrayWords", "$.said")),
        ("hold", MINE.uri, HELD, None, ("HeldAlready", "$.scope")),
        ("hold", MINE.uri, RUNNING, None, ("Running", "$.scope")),
        ("start", MINE.uri, State(), None, ("NotHeld", "$.scope")),
        ("retry", MINE.uri, State(), None, ("NothingToRetry", "$.scope")),
        ("retry", MINE.uri, State(tries={MINE.uri: Tries(failed=0, ended_at=minute(1))}), None,
         ("NothingToRetry", "$.scope")),
        ("pause", "codex", PAUSED, None, ("PausedAlready", "$.scope")),
        ("resume", "codex", State(), None, ("NotPaused", "$.scope")),
    ],
)  # fmt: skip
def test_what_must_be_so(name: str, scope: str, state: State, said: str | None, refused: tuple[str, str]) -> None:
    assert refusal(state, command(name, scope, said=said)) == refused


def test_a_turn_is_stopped_by_hand_and_its_request_held_back_until_it_is_let_go() -> None:
    state = carried(RUNNING, command("interrupt"))
    [cancel] = survey(MINE, state=state).actions
    assert cancel == CancelTurn(request=MINE.uri, reason="the operator stopped it (hold)")
    over = ended(state, MINE.uri, "cancelled", minute(59))
    over = attrs.evolve(over, tries={MINE.uri: attrs.evolve(over.tries[MINE.uri], settled=True)})
    found = survey(MINE, OTHER, state=over)
    assert [action.key for action in found.actions] == [f"start {OTHER.uri}"]
    assert found.why(MINE.uri).rule == "hold"
    again = carried(over, command("start", expected=1))
    assert [action.key for action in survey(MINE, state=again).actions] == [f"start {MINE.uri}"]


def test_a_command_meant_for_one_turn_does_not_hit_the_next() -> None:
    [start] = survey(MINE).actions
    assert isinstance(start, StartTurn)
    first = started(State(), start, minute(60))
    second = started(ended(first, MINE.uri, "failed", minute(61)), start, minute(70))
    meant_for_the_first = command("interrupt", expected=1)
    assert refusal(second, meant_for_the_first) == ("MovedOn", "$.expected")
    assert isinstance(carry_out(first, meant_for_the_first), Carried)


def test_a_paused_pool_takes_nothing_on_and_what_runs_goes_on() -> None:
    routes = ROUTES | {"review": Route(harness="codex", pool="spare")}
    operator = run_by(BOT, routes=routes, turns=9)
    done = request(8)
    work = write(BOT, "artifact", 9, "a", goal=ref(GOAL), request=ref(done), type="plan", title="T", body="b")
    spare = request(13, "review", assignee=BOT, subject=ref(work))
    state = carried(RUNNING, command("pause", "codex"))
    found = survey(MINE, OTHER, OPEN, done, work, spare, state=state, operator=operator)
    assert [type(action) for action in found.actions] == [StartTurn]
    assert found.actions[0].key == f"start {spare.uri}"
    assert found.why(MINE.uri).rule == "turn"
    assert found.why(OTHER.uri) == ("pause", "the pool codex is paused; what runs goes on")
    assert found.why(OPEN.uri).rule == "pause"
    resumed = carried(state, command("resume", "codex", expected=1))
    assert {action.key for action in survey(MINE, OTHER, state=resumed, operator=operator).actions} == {
        f"start {OTHER.uri}"
    }


def test_a_retry_starts_the_count_anew_and_the_next_failure_is_told_again() -> None:
    tired = attrs.evolve(TIRED, done=frozenset({f"given up {MINE.uri}"}))
    assert survey(MINE, state=tired).actions == ()
    state = carried(tired, command("retry"))
    [start] = survey(MINE, state=state).actions
    assert isinstance(start, StartTurn)
    assert start.attempt == 1
    worn = attrs.evolve(started(state, start, minute(60)), turns=(), tries=TIRED.tries)
    assert [type(action) for action in survey(MINE, state=worn).actions] == [Warn]


def test_of_the_keys_the_latest_thousand_are_remembered() -> None:
    controls = Controls()
    for number in range(1_001):
        controls = controls.remember(f"k{number}", "c")
    assert len(controls.taken) == 1_000
    assert "k0" not in controls.taken
    assert "k1000" in controls.taken


NEW_WORK = (StartTurn, WriteClaim)
commands = st.builds(
    Command,
    name=st.sampled_from([*RULES, "dance"]),
    scope=st.sampled_from([MINE.uri, OTHER.uri, OPEN.uri, "codex", "claude-code"]),
    key=st.text(max_size=3),
    expected=st.none() | st.integers(0, 3),
    said=st.none() | st.text(max_size=3),
)


@given(told=st.lists(commands, max_size=12), ended_goal=st.booleans(), start=st.sampled_from([State(), RUNNING, TIRED]))
def test_no_command_leads_to_work_that_a_plan_would_not_start(
    told: list[Command], *, ended_goal: bool, start: State
) -> None:
    """Whatever is commanded: all new work is some that starts when nothing was commanded and nothing has failed."""
    closing = [write(ANN, "closeGoal", 30, "end", goal=ref(GOAL), closed=True)] * ended_goal
    index = materialize([*BASE, MINE, OTHER, OPEN, *closing])
    operator = run_by(BOT, turns=9, claims=9)
    state = start
    for one in told:
        outcome = carry_out(state, one)
        if isinstance(outcome, Refusal):
            continue
        state = outcome.state
    allowed = {action.key for action in plan(index, operator, State(turns=start.turns), minute(60))}
    new = [action for action in plan(index, operator, state, minute(60)) if isinstance(action, NEW_WORK)]
    assert {action.key for action in new} <= allowed
    assert not (ended_goal and new)
