"""Whether the profiles that an operator published say what its configuration does (seed §11).

Strategy: a space offers for assignment what a published profile says, and a daemon takes on what its configuration
says, so where the two have drifted apart people ask for what nobody does. Nothing is published or changed because of
it: each difference is one warning with both values and the command that mends it, told once for as long as it stands.
Of an agent that is a member of no space nothing is said: its profiles count nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from radial_core.dispatch.actions import Warn
from radial_core.dispatch.keys import record_key
from radial_core.records import PREFIX, Agent
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from radial_core.dispatch.routing import Operator, Profile, Route
    from radial_core.index import Index

_AGENT: Final = f"{PREFIX}agent"


def drift(index: Index, operator: Operator) -> tuple[Warn, ...]:
    """Warn of every published profile of the operator's agents that differs from its configuration."""
    warnings = (warning for did in sorted(operator.dids) for warning in _of(index, operator, did))
    return tuple(warnings)


def _of(index: Index, operator: Operator, did: str) -> Iterator[Warn]:
    if not index.filing.spaces_of(did):
        return
    configured = {profile.name: profile for profile in operator.profiles if profile.did == did}
    published = {uri.rpartition("/")[2]: index.entry(uri) for uri in index.filing.strays.get(did) or ()}
    for name, profile in sorted(configured.items()):
        entry = published.get(name)
        if entry is None or entry.record.__class__ is not Agent:
            yield _warn(did, name, "is configured and not published", f"radial init {name}")
            continue
        for difference in _differences(entry.record, profile, operator):
            yield _warn(did, name, difference, f"radial init {name} --update")
    for name, entry in sorted(published.items()):
        if name not in configured and entry is not None and entry.record.__class__ is Agent:
            yield _warn(did, name, "is published and not configured", f"radial init {name} --retire")


def _differences(agent: Agent, profile: Profile, operator: Operator) -> Iterator[str]:
    accepted = [kind for kind in profile.types if kind in operator.routes]
    routes = [operator.routes[kind] for kind in accepted]
    if set(agent.artifact_types) != set(accepted):
        yield _says("artifactTypes", agent.artifact_types, accepted, operator)
    harnesses = {route.harness for route in routes}
    if harnesses and harnesses != {agent.harness}:
        yield _says("harness", [agent.harness], harnesses, operator)
    listed = [model.name for model in agent.models]
    if not _models(routes) <= set(listed):
        yield _says("models", listed, _models(routes), operator)


def _models(routes: Iterable[Route]) -> set[str]:
    """Give the models that may run; what a harness does without being told is not known."""
    return {model for route in routes for model in (route.model, *route.fallbacks) if model is not None}


def _says(field: str, published: Iterable[str], configured: Iterable[str], operator: Operator) -> str:
    return f"says {field} {_listed(published)}, and {operator.source} says {_listed(configured)}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(quoted(name) for name in sorted(set(names))) or "none"


def _warn(did: str, name: str, difference: str, command: str) -> Warn:
    uri = f"at://{did}/{_AGENT}/{name}"
    text = f"the profile {uri} {difference}: {command}"
    return Warn(key=f"drift {uri} {record_key('drift', text)}", text=text)
