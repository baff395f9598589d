"""Rows for a person, a pipe or a program.

Strategy: a row is made once, each cell in two spellings: short for a person's table, in full for a pipe. A table has
columns under a heading and, where there are several spaces, one part for each; a pipe gets lines of tab-separated
fields under one line of names, so that `cut` and `grep` find whole URIs. Programs take `--json`: the views of the
core, each with the space that it is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.render import Page, Parts
from radial_cli.untrusted import one_line
from radial_core import Index
from radial_core.jsonviews import to_plain
from radial_core.views import GoalView, MemberView, RequestView, SpaceView


class Cell(NamedTuple):
    """One field of a row: as a person sees it, and in full."""

    shown: Parts
    full: str


Row: TypeAlias = Sequence[Cell]


def print_rows(columns: Sequence[str], parts: Iterable[tuple[SpaceView, Sequence[Row]]], *, none: str) -> None:
    """Print the rows of each space; on a terminal the last column is wrapped. `none` is said when there are no rows."""
    parts = [*parts]
    if not any(rows for _, rows in parts):
        say(f"radial: {none}")
    out(_table(columns, parts) if is_terminal() else _fields(columns, parts))


def _table(columns: Sequence[str], parts: Sequence[tuple[SpaceView, Sequence[Row]]]) -> str:
    page = Page(width(), styled=True)
    filled = [(space, rows) for space, rows in parts if rows]
    for space, rows in filled:
        if len(filled) > 1:
            page.heading(space.name, space.uri)
        head: list[Parts] = [(name, "quiet") for name in columns]
        page.columns([head, *([cell.shown for cell in row] for row in rows)])
    return page.text()


def _fields(columns: Sequence[str], parts: Iterable[tuple[SpaceView, Sequence[Row]]]) -> str:
    lines = ["\t".join((*columns, "space"))]
    for space, rows in parts:
        lines += ["\t".join((*(one_line(cell.full) for cell in row), space.uri)) for row in rows]
    return "".join(line + "\n" for line in lines)


def print_views(
    index: Index, name: str, items: Iterable[tuple[dict[str, str], GoalView | RequestView | MemberView]]
) -> None:
    """Print views as JSON under a name; each item brings the URIs of where it stands, which come first."""
    out_json({"digest": index.digest, name: [{**place, **to_plain(view)} for place, view in items]})
