"""A published profile and the configuration that have drifted apart are told, with the command that mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from radial_core import materialize
from radial_core.dispatch.drift import drift
from radial_core.dispatch.routing import Operator, Profile, Route
from tests.core.small_world import ANN, BOT, ROOT, ref, uri_of, write
from tests.dispatch.scene import ADD_BOT, BASE, CAT, ROUTES, run_by

if TYPE_CHECKING:
    from radial_core import Deletion, Record

HARNESSES = {kind: Route(harness="codex", model="m-1", fallbacks=("m-2",)) for kind in ROUTES}
OPERATOR = run_by(BOT, routes=HARNESSES)


def published(did: str = BOT, name: str = "all", number: int = 20, **fields: Any) -> Record:
    told = {"handleName": "Bot", "harness": "codex", "artifactTypes": list(ROUTES)}
    return write(did, "agent", number, name, **({"models": [{"name": "m-1"}, {"name": "m-2"}]} | told | fields))


def told(*records: Record | Deletion, operator: Operator = OPERATOR) -> list[str]:
    return [warning.text for warning in drift(materialize([*BASE, *records]), operator)]


URI = uri_of(BOT, "agent", "all")
TYPES = "“answer”, “implementation”, “plan”, “review”"


def test_where_both_say_the_same_nothing_is_told() -> None:
    assert told(published()) == []


def test_a_profile_that_offers_more_models_than_are_used_is_no_drift() -> None:
    assert told(published(models=[{"name": name} for name in ("m-1", "m-2", "m-3")])) == []


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"artifactTypes": ["plan"]}, f"artifactTypes “plan”, and radial.toml says {TYPES}"),
        ({"artifactTypes": ["plan", "dance"]}, f"artifactTypes “dance”, “plan”, and radial.toml says {TYPES}"),
        ({"harness": "pi"}, "harness “pi”, and radial.toml says “codex”"),
        ({"models": []}, "models none, and radial.toml says “m-1”, “m-2”"),
        ({"models": [{"name": "m-1"}]}, "models “m-1”, and radial.toml says “m-1”, “m-2”"),
    ],
)
def test_each_field_that_differs_is_told_with_both_values(fields: dict[str, Any], says: str) -> None:
    assert told(published(**fields)) == [f"the profile {URI} says {says}: radial init all --update"]


def test_every_difference_is_told() -> None:
    assert len(told(published(artifactTypes=[], harness="pi", models=[]))) == 3


def test_a_type_without_a_route_is_none_that_is_taken_on() -> None:
    routes = {"plan": HARNESSES["plan"]}
    assert told(published(artifactTypes=["plan"]), operator=run_by(BOT, routes=routes)) == []
    assert told(published(artifactTypes=[], harness="x", models=[]), operator=run_by(BOT, routes={})) == []


def test_a_harness_that_the_operator_left_to_itself_has_no_models_to_compare() -> None:
    routes = {kind: Route(harness="codex") for kind in ROUTES}
    assert told(published(models=[]), operator=run_by(BOT, routes=routes)) == []


def test_what_was_never_published_and_what_is_not_configured_any_more() -> None:
    two = Operator(profiles=(*OPERATOR.profiles, Profile(did=BOT, name="new", types=("plan",))), routes=HARNESSES)
    picture = write(BOT, "image", 21, "new", blob={
        "$type": "blob", "ref": {"$link": "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
        "mimeType": "image/png", "size": 1,
    })  # fmt: skip
    assert told(published(), published(name="old"), picture, operator=two) == [
        f"the profile {uri_of(BOT, 'agent', 'new')} is configured and not published: radial init new",
        f"the profile {uri_of(BOT, 'agent', 'old')} is published and not configured: radial init old --retire",
    ]


def test_nothing_is_said_of_others_nor_of_an_agent_that_is_nowhere_a_member() -> None:
    out = write(ROOT, "removeMember", 30, "out", space=ref(BASE[0]), did=BOT, membership=ref(ADD_BOT))
    assert told(published(), published(CAT, artifactTypes=[]), published(ANN, artifactTypes=[])) == []
    assert told(published(artifactTypes=[]), out) == []


def test_a_difference_is_told_once_and_another_one_again() -> None:
    first, again, other = (
        drift(materialize([*BASE, published(harness=harness)]), OPERATOR)[0].key for harness in ("pi", "pi", "command")
    )
    assert first == again != other
