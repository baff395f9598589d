"""The registry of artifact types, and whether a request fits it (A1–A3); which profiles an agent shows (M5).

Strategy: types are data. Two are built in and may be re-defined; `review` and `answer` are requests with rules of their
own and stand in no registry. A request of an unknown type or for the wrong scope is still a request: it is marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.identifiers import StrongRef
from radial_core.records import ArtifactRequest, ArtifactType
from radial_core.rulings import Ruling
from radial_core.views import AgentView, TypeView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.entries import Entry
    from radial_core.places import Shelf, Site
    from radial_core.records import Agent

BUILT_IN: Final = {name: TypeView(name, "goal", None, None, True, None) for name in ("plan", "implementation")}  # noqa: FBT003 - A1
RESERVED: Final = frozenset({"review", "answer"})


class Fit(NamedTuple):
    """Whether a request's type is known, and whether its anchor fits the type's scope (A3)."""

    type_known: bool
    scope_fits: bool | None


def refuse_type(entry: Entry[ArtifactType], space: Site) -> Ruling | None:
    """A1: `review` and `answer` are not to be defined. A2: types are the admins' to define."""
    if entry.record.name in RESERVED:
        return Ruling("A1", f"{entry.record.name} is built into the protocol and cannot be defined")
    if not space.estate.trust.is_admin(entry.did):
        return Ruling("A2", f"{entry.did} is not an admin of the space: only admins define artifact types")
    return None


def registry(space: Shelf) -> dict[str, TypeView]:
    """Give the effective types by name, in the order of their names: the latest definition wins (A2, P3)."""
    types = dict(BUILT_IN)
    for entry in space.all(ArtifactType):
        record = entry.record
        types[record.name] = TypeView(
            name=record.name,
            scope=record.scope,
            brief=record.brief,
            output_spec=record.output_spec,
            built_in=record.name in BUILT_IN,
            record=StrongRef(entry.uri, entry.cid),
        )
    return dict(sorted(types.items()))


def fit(request: ArtifactRequest, types: Mapping[str, TypeView]) -> Fit:
    """Hold a request against the registry (A3)."""
    if request.type in RESERVED:
        return Fit(type_known=True, scope_fits=True)
    known = types.get(request.type)
    if known is None:
        return Fit(type_known=False, scope_fits=None)
    return Fit(type_known=True, scope_fits=known.scope == ("goal" if request.goal is not None else "project"))


def agent_view(entry: Entry[Agent]) -> AgentView:
    """Show a profile; its name is the record key (M5)."""
    record = entry.record
    return AgentView(
        uri=entry.uri,
        cid=entry.cid,
        did=entry.did,
        profile=entry.uri.rpartition("/")[2],
        handle_name=record.handle_name,
        harness=record.harness,
        models=record.models,
        artifact_types=record.artifact_types,
    )
