"""An operator's configuration is read as it is written, or refused with everything that is wrong."""

from __future__ import annotations

import tomllib
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core.dispatch.budget import Budget
from radial_core.dispatch.routing import Offer, Operator, Profile, Route
from radial_core.dispatch.setup import _faults, read_operator
from radial_core.rulings import quoted

NAMES = st.sampled_from(
    [
        *(field.name for kind in (Operator, Profile, Route, Offer, Budget) for field in attrs.fields(kind)),
        "",
        "x",
        1,
        None,
    ]
)
TEXT = """
turns = 2
claims = 3
lease = 600
attempts = 4
outages = 12
poll_every = 60

[[profiles]]
did = "did:plc:bot"
name = "planner"
types = ["plan", "review"]

[routes.plan]
harness = "codex"
provider = "openai"
model = "m-1"
effort = "xhigh"
fallbacks = ["m-2"]
pool = "spare"

[routes."a type of ours"]
harness = "command"

[budget]
turns = 20
cost = 5_000_000

[offers.codex]
models = ["m-1", "m-2"]
efforts = { m-1 = ["high", "xhigh"], m-2 = [] }
"""


def changed(*steps: Any, to: Any) -> Any:
    """Give the configuration with one value set; None takes it away."""
    value: Any = tomllib.loads(TEXT)
    at = value
    for step in steps[:-1]:
        at = at[step]
    at[steps[-1]] = to
    if to is None:
        del at[steps[-1]]
    return value


def test_a_configuration_says_all_that_an_operator_is() -> None:
    assert read_operator(tomllib.loads(TEXT), "radial.toml") == Operator(
        source="radial.toml",
        profiles=(Profile(did="did:plc:bot", name="planner", types=("plan", "review")),),
        routes={
            "plan": Route(
                harness="codex", provider="openai", model="m-1", effort="xhigh", fallbacks=("m-2",), pool="spare"
            ),
            "a type of ours": Route(harness="command"),
        },
        turns=2,
        claims=3,
        lease=600,
        attempts=4,
        outages=12,
        poll_every=60,
        budget=Budget(turns=20, cost=5_000_000),
        offers={
            "codex": Offer(
                models=frozenset({"m-1", "m-2"}), efforts={"m-1": frozenset({"high", "xhigh"}), "m-2": frozenset()}
            )
        },
    )


@pytest.mark.parametrize("authority", ["edit", "inspect"])
@pytest.mark.parametrize("model", [None, "m-1"])
def test_what_a_route_allows_is_independent_of_what_runs_it(authority: str, model: str | None) -> None:
    value = changed(
        "routes", "plan", to={"harness": "codex", "authority": authority, **({"model": model} if model else {})}
    )
    found = read_operator(value, "x")
    assert isinstance(found, Operator)
    assert found.routes["plan"] == Route(harness="codex", model=model, authority=authority)


def test_what_is_left_out_is_as_usual() -> None:
    value: dict[str, Any] = {"profiles": [], "routes": {}}
    assert read_operator(value, "x") == Operator(profiles=(), routes={}, source="x")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ([], "must be an object, not an array @ $"),
        (changed("profiles", to=None), "is missing @ $.profiles"),
        (changed("profiles", to={}), "must be an array, not an object @ $.profiles"),
        (changed("profiles", 0, to="x"), "must be an object, not a string @ $.profiles[0]"),
        (changed("profiles", 0, "did", to=None), "is missing @ $.profiles[0].did"),
        (changed("profiles", 0, "did", to="bot"), "must be a DID, not “bot” @ $.profiles[0]"),
        (changed("profiles", 0, "name", to=""), "the name of a profile is a record key, not “” @ $.profiles[0]"),
        (changed("profiles", 0, "name", to="a/b#c d"),
         "the name of a profile is a record key, not “a/b#c d” @ $.profiles[0]"),
        (changed("profiles", 0, "types", to=["plan", ""]), "no name of an artifact type: “” @ $.profiles[0]"),
        (changed("routes", "", to={"harness": "codex"}), "no name of an artifact type: “” @ $"),
        (changed("routes", "plan", "harness", to=""), "no harness: “” @ $.routes.plan"),
        (changed("routes", "plan", "effort", to="\x1b[2J"), "no effort: “�[2J” @ $.routes.plan"),
        (changed("routes", "plan", "pool", to=""), "no pool: “” @ $.routes.plan"),
        (changed("routes", "plan", "provider", to="\n"), "no provider: “�” @ $.routes.plan"),
        (changed("offers", "codex", "models", to=["\n"]), "no name of a model: “�” @ $.offers.codex"),
        (changed("offers", "codex", "efforts", "m-1", to=[""]), "no efforts: “” @ $.offers.codex"),
        (changed("profiles", 0, "types", to="plan"), "must be an array, not a string @ $.profiles[0].types"),
        (changed("profiles", 0, "types", to=["plan", 1]), "must be a string, not an integer @ $.profiles[0].types[1]"),
        (changed("routes", to=[]), "must be an object, not an array @ $.routes"),
        (changed("routes", "plan", to="codex"), "must be an object, not a string @ $.routes.plan"),
        (changed("routes", "plan", "harness", to=None), "is missing @ $.routes.plan.harness"),
        (changed("routes", "plan", "speed", to=1), "has no key “speed” @ $.routes.plan"),
        (changed("routes", "a type of ours", "model", to=1),
         "must be a string, not an integer @ $.routes['a type of ours'].model"),
        (changed("routes", "plan", "model", to=""), "no name of a model: “” @ $.routes.plan"),
        (changed("routes", "plan", "fallbacks", to=["m\n"]), "no name of a model: “m�” @ $.routes.plan"),
        (changed("routes", "plan", "harness", to="\ud800"),
         "a string with half of a surrogate pair @ $.routes.plan.harness"),
        (changed("routes", "plan", "authority", to="all"),
         "authority is edit or inspect, not “all” @ $.routes.plan"),
        (changed("lease", to="600"), "must be an integer, not a string @ $.lease"),
        (changed("lease", to=True), "must be an integer, not a boolean @ $.lease"),
        (changed("lease", to=1), "a lease lasts between 60 and 3600 seconds, not 1 @ $"),
        (changed("turns", to=0), "turns is at least 1, not 0 @ $"),
        (changed("budget", "cost", to=-1), "cost is a limit of at least 0, not -1 @ $.budget"),
        (changed("budget", "tokens", to="many"), "must be an integer, not a string @ $.budget.tokens"),
        (changed("offers", "codex", "efforts", "m-1", to="high"),
         "must be an array, not a string @ $.offers.codex.efforts.m-1"),
        (changed("source", to="x"), "has no key “source” @ $"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(value: Any, fault: str) -> None:
    assert read_operator(value, "radial.toml") == (fault,)


def test_everything_that_is_wrong_is_named_at_once() -> None:
    value: Any = changed("routes", "plan", to={"harness": 1, "speed": 2, "sped": 3}) | {"lease": "600"}
    assert read_operator(value, "radial.toml") == (
        "must be a string, not an integer @ $.routes.plan.harness",
        "has no key “sped”, “speed” @ $.routes.plan",
        "must be an integer, not a string @ $.lease",
    )


def test_a_profile_is_configured_once() -> None:
    value = changed("profiles", to=[tomllib.loads(TEXT)["profiles"][0]] * 3)
    assert read_operator(value, "radial.toml") == (
        "is configured twice @ $.profiles[1].name",
        "is configured twice @ $.profiles[2].name",
    )


class Counted(str):
    """A DID that counts how often it is compared with another."""

    __slots__ = ()
    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.times += 1
        return str.__eq__(self, other)


def test_as_many_profiles_as_somebody_likes_are_looked_at_once_each() -> None:
    profiles = tuple(Profile(did=Counted("did:plc:bot"), name=f"p{number}", types=()) for number in range(1_000))
    Counted.times = 0
    assert [*_faults(Operator(profiles=profiles, routes={}))] == []
    assert Counted.times < 10_000


@pytest.mark.parametrize("name", [1, None, 2.5, True, ("a", "b"), frozenset({1})])
@pytest.mark.parametrize("steps", [(), ("profiles", 0), ("routes", "plan"), ("budget",), ("offers", "codex")])
def test_a_key_that_is_no_text_is_one_that_nothing_has(name: Any, steps: tuple[Any, ...]) -> None:
    path = "".join(f"[{step}]" if step.__class__ is int else f".{step}" for step in steps)
    value = changed(*steps, name, to=1)
    assert read_operator(value, "x") == (f"has no key {quoted(str(name))} @ ${path}",)
    at = value
    for step in steps:
        at = at[step]
    at["~"] = 1  # beside one that is text
    assert read_operator(value, "x") == (f"has no key {quoted(str(name))}, “~” @ ${path}",)


PLAIN = st.recursive(
    st.sampled_from([None, True, 0, 1, 900, -1, 2.5, float("nan"), "", "plan", "did:plc:bot", "\ud800", "\x1b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(NAMES, PLAIN, max_size=9))
def test_whatever_is_written_there_is_an_operator_or_faults(value: dict[Any, Any]) -> None:
    found = read_operator({"profiles": [], "routes": {}} | value, "x")
    assert isinstance(found, Operator) or (found and all(" @ $" in fault for fault in found))
