"""Model and effort are settled before a claim is written, and nothing is replaced (RK-3.2, RK-3.4)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.actions import ReleaseClaim, StartTurn, Warn, WriteClaim
from radial_core.dispatch.effort import Setting
from radial_core.dispatch.routing import Choice, Offer, Route
from radial_core.dispatch.said import says_something
from radial_core.dispatch.state import State
from radial_core.rulings import quoted
from tests.core.small_world import BOT
from tests.dispatch.scene import request, run_by, survey
from tests.dispatch.test_plan import MINE, OPEN, claim, held

IMPLEMENTATION = request(10, "implementation", assignee=BOT)
LEVELS = frozenset({"low", "high"})
VISIBLE = st.text(min_size=1, max_size=100).filter(lambda text: text.isprintable() and says_something(text))
OFFER = Offer(models=frozenset({"m-1", "m-2", "m-3"}), efforts={"m-1": LEVELS, "m-2": LEVELS, "m-3": frozenset()})


def routed(**route: object) -> dict[str, object]:
    return {"routes": {"plan": Route(harness="codex", **route)}, "offers": {"codex": OFFER}}  # type: ignore[arg-type]


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "an effort that is not among the known ones": (
        {"model": "m-1", "effort": "max"}, "effort",
        "UnsupportedEffort: “max” is not supported there @ $.effort: use one of high, low",
    ),
    "an effort where it is known that there are none": (
        {"model": "m-3", "effort": "low"}, "effort",
        "UnsupportedEffort: “low” is not supported there @ $.effort: leave it out: no effort can be chosen there",
    ),
    "a model": (
        {"model": "m-9"}, "model",
        "UnsupportedModel: “m-9” is not supported there @ $.model: use one of m-1, m-2, m-3",
    ),
    "a model that may stand in": (
        {"model": "m-1", "fallbacks": ("m-2", "m-9")}, "model",
        "UnsupportedModel: “m-9”, which may stand in, is not supported there @ $.fallbacks[1]: take it off the list",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_an_unsupported_route_is_refused_before_a_claim_is_written(name: str) -> None:
    route, setting, text = REFUSED[name]
    found = survey(OPEN, operator=run_by(BOT, **routed(**route)))
    [warning] = found.actions
    assert warning == Warn(
        key=f"unsupported plan {text}",
        text=f"no turn of type “plan” starts: {text} (its route in radial.toml)",
    )
    assert found.why(OPEN.uri) == (
        setting, f"refused before anything starts: {text} (the route of type “plan” in radial.toml)",
    )  # fmt: skip


def test_both_are_named_when_both_are_wrong() -> None:
    offer = Offer(models=frozenset({"m-1"}), efforts={"m-9": LEVELS})
    changes = {"routes": {"plan": Route(harness="codex", model="m-9", effort="max")}, "offers": {"codex": offer}}
    text = survey(OPEN, operator=run_by(BOT, **changes)).why(OPEN.uri).text
    assert "“m-9” is not supported there @ $.model" in text
    assert "“max” is not supported there @ $.effort" in text


def test_all_that_is_wrong_is_named() -> None:
    route = Route(harness="codex", model="m-1", effort="max", fallbacks=("m-8", "m-9"))
    changes = {"routes": {"plan": route}, "offers": {"codex": OFFER}}
    text = survey(OPEN, operator=run_by(BOT, **changes)).why(OPEN.uri).text
    assert [path.split(":")[0] for path in text.split(" @ ")[1:]] == ["$.effort", "$.fallbacks[0]", "$.fallbacks[1]"]


@pytest.mark.parametrize("field", ["model", "effort"])
@pytest.mark.parametrize(
    "word", ["", " ", "\u2800", "\u3164 \uffa0", "m\x1b[2J\nfake", "m\u202e", "\ud800", "m" * 513, 7, True]
)
def test_what_no_setting_can_be_called_by_is_no_choice_nor_a_route(field: str, word: Any) -> None:
    wrong: dict[str, Any] = {field: word}
    longest: dict[str, Any] = {field: "m" * 512}
    for kind in (Choice, partial(Route, harness="pi")):
        with pytest.raises(ValueError, match=r"no name of a model: “|no effort: “"):
            kind(**wrong)
        kind(**longest)


@pytest.mark.parametrize("name", ["", "\n", " ", "\u2800"])
def test_no_offer_is_of_a_harness_that_nobody_can_name(name: str) -> None:
    with pytest.raises(ValueError, match="no offers: “"):
        run_by(BOT, offers={name: Offer()})


@given(model=VISIBLE, effort=VISIBLE, instead=st.lists(VISIBLE, max_size=2), routed=st.booleans())
def test_whatever_is_chosen_stands_between_quotation_marks(
    *, model: str, effort: str, instead: list[str], routed: bool
) -> None:
    """So that no name can look like another setting, or like a word of ours."""
    settings: dict[str, Any] = {"model": model, "effort": effort}
    by_route = settings if routed else dict[str, Any]()
    route = Route(harness="pi", fallbacks=tuple(instead), **by_route)
    state = State(chosen={} if routed else {MINE.uri: Choice(**settings)})
    found = survey(MINE, state=state, operator=run_by(BOT, routes={"plan": route}))
    said = ["pi", f"model {quoted(model)} (unverified)", f"effort {quoted(effort)} (unverified)"]
    said += [f"else {quoted(one)}" for one in instead]
    assert f": a turn is started, {', '.join(said)} (the route of type" in found.why(MINE.uri).text


def test_what_nobody_can_verify_is_passed_on_and_called_so() -> None:
    changes = {"routes": {"plan": Route(harness="pi", model="x", effort="enormous", fallbacks=("y", "z"))}}
    found = survey(MINE, operator=run_by(BOT, **changes))
    [start] = found.actions
    assert isinstance(start, StartTurn)
    assert start.effort == Setting(name="effort", resolved="enormous", verified=False)
    assert "a turn is started, pi, model “x” (unverified), effort “enormous” (unverified), else “y”, else “z”" in (
        found.why(MINE.uri).text
    )


def test_what_is_known_is_verified_and_what_nobody_chose_stays_unknown() -> None:
    [start] = survey(MINE, operator=run_by(BOT, **routed(model="m-1", effort="high"))).actions
    assert isinstance(start, StartTurn)
    assert (start.model, start.effort) == (
        Setting(name="model", resolved="m-1"), Setting(name="effort", resolved="high"),
    )  # fmt: skip
    [plain] = survey(MINE, operator=run_by(BOT, **routed())).actions
    assert isinstance(plain, StartTurn)
    assert (plain.model, plain.effort) == (Setting(name="model"), Setting(name="effort"))


def test_a_person_s_choice_goes_before_the_route_and_is_kept_apart_from_it() -> None:
    operator = run_by(BOT, **routed(model="m-1", effort="max"))
    state = State(chosen={MINE.uri: Choice(model="m-2", effort="low")}, done=frozenset())
    start, _about_the_route = survey(MINE, state=state, operator=operator).actions
    assert isinstance(start, StartTurn)
    assert start.effort == Setting(name="effort", requested="low", resolved="low")
    assert start.model == Setting(name="model", requested="m-2", resolved="m-2")


def test_a_choice_that_is_not_supported_is_refused_for_its_request_alone() -> None:
    other = request(11, assignee=BOT)
    operator = run_by(BOT, **routed(model="m-1", effort="low"))
    state = State(chosen={MINE.uri: Choice(effort="max"), "at://gone": Choice(effort="max")})
    start, warning = survey(MINE, other, state=state, operator=operator).actions
    assert start.key == f"start {other.uri}"
    assert isinstance(warning, Warn)
    assert warning.text.startswith(f"{MINE.uri} is not started: UnsupportedEffort: “max”")
    assert survey(MINE, other, state=state, operator=operator).why(MINE.uri).rule == "effort"


def test_a_claim_that_waits_for_a_turn_that_will_not_start_is_released() -> None:
    state = State(claims=(held(OPEN.uri, 59, settled=True),), chosen={OPEN.uri: Choice(effort="max")})
    operator = run_by(BOT, **routed(model="m-1"))
    release, _warning = survey(OPEN, claim(BOT, OPEN.uri, 59), state=state, operator=operator).actions
    assert isinstance(release, ReleaseClaim)
    assert "(effort)" in release.reason


def test_another_type_s_route_stops_nothing() -> None:
    changes = routed(model="m-1", effort="max")
    changes["routes"] = {**changes["routes"], "implementation": Route(harness="claude")}  # type: ignore[dict-item]
    written, warning = survey(request(11, "implementation"), IMPLEMENTATION, operator=run_by(BOT, **changes)).actions[
        :2
    ]
    assert {type(written), type(warning)} <= {StartTurn, WriteClaim, Warn}
    assert survey(IMPLEMENTATION, operator=run_by(BOT, **changes)).why(IMPLEMENTATION.uri).rule == "assignee"
