"""Rows for a person, a pipe or a program.

Strategy: what a person sees are few columns, short names and a heading for each group; a pipe gets every field in full,
separated by tabs, under one line of names, so that `cut` and `grep` find whole URIs. Programs take `--json`: the views
of the core, each with the URIs of where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.render import Page, Parts
from radial_cli.untrusted import one_line
from radial_core import Index
from radial_core.jsonviews import to_plain
from radial_core.views import GoalView, MemberView, RequestView, TypeView


class Row(NamedTuple):
    """One thing: the cells that a person sees, and all its fields."""

    cells: Sequence[Parts]
    fields: Sequence[str]


class Group(NamedTuple):
    """Rows that belong together, with the name of what they belong to; it is shown where there are several groups."""

    title: str
    label: str
    rows: Sequence[Row]


class Columns(NamedTuple):
    """The names of the cells and those of the fields."""

    cells: Sequence[str]
    fields: Sequence[str]


def print_groups(columns: Columns, groups: Iterable[Group], *, none: str) -> None:
    """Print rows, group by group; `none` is said when there are none."""
    filled = [group for group in groups if group.rows]
    if not filled:
        say(f"radial: {none}")
    out(_table(columns.cells, filled) if is_terminal() else _fields(columns.fields, filled))


def _table(names: Sequence[str], groups: Sequence[Group]) -> str:
    page = Page(width(), styled=True)
    head: list[Parts] = [(name, "quiet") for name in names]
    rows: list[Sequence[Parts]] = [head] if groups else []
    if len(groups) == 1:
        page.columns([*rows, *(row.cells for row in groups[0].rows)])
        return page.text()
    for group in groups:
        page.gap()
        page.line([(group.title, "title"), (f"  {group.label}", "quiet")])
        page.columns((row.cells for row in group.rows), indent=2)
    return page.text()


def _fields(names: Sequence[str], groups: Iterable[Group]) -> str:
    rows = [names, *(row.fields for group in groups for row in group.rows)]
    return "".join("\t".join(map(one_line, row)) + "\n" for row in rows)


def print_views(
    index: Index, name: str, items: Iterable[tuple[dict[str, str], GoalView | RequestView | MemberView | TypeView]]
) -> None:
    """Print views as JSON under a name; each item brings the URIs of where it stands, which come first."""
    out_json({"digest": index.digest, name: [{**place, **to_plain(view)} for place, view in items]})
