"""The list of artifact types, with who makes them (A1, A2, RAD-11.8)."""

from __future__ import annotations

from typing import Final

from radial_cli.lists.table import Columns, Group, Row, print_groups, print_views
from radial_cli.pictures.words import brief_title, brief_type, listed
from radial_cli.reading import Reading
from radial_core.views import SpaceView, TypeView

_COLUMNS: Final = Columns(
    cells=("type", "scope", "made by", ""),
    fields=("name", "scope", "built in", "made by", "record", "space"),
)


def print_types(found: Reading, space: str | None, *, as_json: bool) -> None:
    """Print the types that all spaces or one know."""
    chosen = found.spaces(space)
    if as_json:
        items = (({"space": each.uri}, entry) for each in chosen for entry in each.artifact_types)
        print_views(found.index, "artifactTypes", items)
        return
    groups = (
        Group(brief_title(each.name), each.uri, [_row(entry, each, found) for entry in each.artifact_types])
        for each in chosen
    )
    print_groups(_COLUMNS, groups, none="there is no space in this input, so there are no types")


def _row(entry: TypeView, space: SpaceView, found: Reading) -> Row:
    makers = found.index.capable(space.uri, entry.name)
    shown = listed(f"@{brief_title(agent.profile)}" for agent in makers) or "no agent"
    record = entry.record.uri if entry.record is not None else ""
    return Row(
        cells=((brief_type(entry.name), "name"), entry.scope, shown, "built in" if entry.built_in else ""),
        fields=(
            entry.name,
            entry.scope,
            "yes" if entry.built_in else "no",
            " ".join(agent.uri for agent in makers),
            record,
            space.uri,
        ),
    )
