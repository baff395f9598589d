"""The list of members."""

from __future__ import annotations

from typing import Final

from radial_cli.lists.table import Cell, Row, print_rows, print_views
from radial_cli.names import author_of
from radial_cli.pictures.words import moment
from radial_cli.reading import Reading
from radial_core.views import MemberView

_COLUMNS: Final = ("did", "kind", "role", "joined", "since", "granted by")


def print_members(found: Reading, space: str | None, *, as_json: bool) -> None:
    """Print the members of all spaces or one."""
    chosen = found.spaces(space)
    if as_json:
        items = (({"space": each.uri}, member) for each in chosen for member in each.members)
        print_views(found.index, "members", items)
        return
    rows = ((each, [_row(member, found) for member in each.members]) for each in chosen)
    print_rows(_COLUMNS, rows, none="there is no space in this input, so there are no members")


def _row(member: MemberView, found: Reading) -> Row:
    giver = author_of(member.grant.uri) if member.grant is not None else ""
    joined = "yes" if member.joined else "no"
    return (
        Cell((member.did, "name"), member.did),
        Cell(member.kind, member.kind),
        Cell(member.role, member.role),
        Cell(joined, joined),
        Cell(moment(member.since, found), member.since),
        Cell(found.names.did(giver) if giver else "nobody: root", giver),
    )
