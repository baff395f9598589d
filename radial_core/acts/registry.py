"""Artifact types (A1–A3); ready-made ones are in `templates`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.cautions import outranked, unchanged
from radial_core.acts.draft import Act, Caution
from radial_core.records import ArtifactType
from radial_core.rules.registry import RESERVED, registry
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.acts.desk import Desk
    from radial_core.views import TypeView


def add_type(desk: Desk, space: str, name: str, *, brief: str, output_spec: str, scope: str) -> Act:
    """Define an artifact type, or define it anew; `scope` is goal or project (A2)."""
    own = desk.own(space).own
    draft = desk.draft(
        "artifactType", space=desk.ref(space), name=name, brief=brief, outputSpec=output_spec, scope=scope
    )
    known = own.fact(registry).get(name)
    anew = () if known is None else _anew(known, (scope, brief, output_spec))
    others = [entry for entry in own.all(ArtifactType) if entry.record.name == name]
    return Act(verb="type add", space=space, drafts=(draft,), warnings=(*anew, *outranked(desk, draft, others)))


def _anew(known: TypeView, texts: tuple[str, str, str]) -> tuple[Caution, ...]:
    if texts == (known.scope, known.brief, known.output_spec):
        return unchanged(is_so=True, words=f"{quoted(known.name)} is defined in these words already")
    return (Caution("Redefines", f"{quoted(known.name)} is defined already, with the scope {known.scope}"),)


def types_at(desk: Desk, uri: str) -> Mapping[str, TypeView]:
    """Give the effective types of the space in which a record counts (A2)."""
    return desk.own(desk.space_of(uri)).own.fact(registry)


def unknown_type(desk: Desk, uri: str, name: str) -> tuple[Caution, ...]:
    """A3: say that nobody defined a type in the space of a record."""
    if name in RESERVED or name in types_at(desk, uri):
        return ()
    return (Caution("UnknownType", f"{quoted(name)} is no artifact type of this space"),)
