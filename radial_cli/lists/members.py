"""The list of members."""

from __future__ import annotations

from typing import Final

from radial_cli.lists.table import Columns, Group, Row, print_groups, print_views
from radial_cli.names import author_of
from radial_cli.pictures.words import brief_title, member_note, member_role, moment
from radial_cli.reading import Reading
from radial_core.views import MemberView, SpaceView

_COLUMNS: Final = Columns(
    cells=("did", "kind, role", "since", ""),
    fields=("did", "kind", "role", "joined", "since", "granted by", "space"),
)


def print_members(found: Reading, space: str | None, *, as_json: bool) -> None:
    """Print the members of all spaces or one."""
    chosen = found.spaces(space)
    if as_json:
        items = (({"space": each.uri}, member) for each in chosen for member in each.members)
        print_views(found.index, "members", items)
        return
    groups = (
        Group(brief_title(each.name), each.uri, [_row(member, each, found) for member in each.members])
        for each in chosen
    )
    print_groups(_COLUMNS, groups, none="there is no space in this input, so there are no members")


def _row(member: MemberView, space: SpaceView, found: Reading) -> Row:
    giver = author_of(member.grant.uri) if member.grant is not None else ""
    joined = "yes" if member.joined else "no"
    return Row(
        cells=(
            (member.did, "name"),
            member_role(member, space),
            moment(member.since, found),
            member_note(member, space),
        ),
        fields=(member.did, member.kind, member.role, joined, member.since, giver, space.uri),
    )
