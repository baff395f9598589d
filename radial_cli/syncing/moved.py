"""What moved, as rows: for a person few columns, for a pipe every field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radial_cli.moving import Move, in_words
from radial_cli.names import short_name
from radial_cli.output import is_terminal, out, say, width
from radial_cli.render import Page
from radial_cli.untrusted import one_line

_FIELDS: Final = ("kind", "before", "after", "uri", "title", "place", "space")
_MOST_SHOWN: Final = 40  # to a person: a first reading moves everything


def print_moves(moved: Sequence[Move]) -> None:
    """Print them, if there are any."""
    if not moved:
        return
    if not is_terminal():
        out("".join("\t".join(map(one_line, row)) + "\n" for row in (_FIELDS, *map(fields_of, moved))))
        return
    page = Page(width(), styled=True)
    page.columns((move.kind, in_words(move), (name_of(move), "name"), move.title) for move in moved[:_MOST_SHOWN])
    out(page.text())
    if len(moved) > _MOST_SHOWN:
        say(f"radial: and {len(moved) - _MOST_SHOWN} more, not shown here; in a pipe and with --json all are")


def name_of(move: Move) -> str:
    """Name what moved: by kind and key, which `radial show` understands."""
    return short_name(move.uri) or move.uri


def fields_of(move: Move) -> tuple[str, ...]:
    """Give all of a move, as a pipe gets it."""
    return (move.kind, move.before or "", move.after or "", move.uri, move.title, move.place or "", move.space)
