"""`radial member`: who is trusted, decided by admins."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Who
from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial member add ben.example.com --role admin
  radial member add bot.example.com --kind agent
  radial member remove ben.example.com
  radial member list
"""

member = typer.Typer(help="Add and remove members; for admins.", epilog=EXAMPLES, no_args_is_help=True)


@member.command()
@acting
def add(
    manner: Manner,
    who: Who,
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="`human` or `agent`; human if not said.", show_default=False)
    ] = "human",
    role: Annotated[
        str | None,
        typer.Option(
            "--role",
            metavar="ROLE",
            help="`admin`, `member` or `agent`; what fits the kind if not said.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make somebody a member, or give a member another role.

    What they have written in the space counts from then on, whenever they wrote it.
    """
    from radial_cli.acting.members import add as run

    run(manner, who=who, kind=kind, role=role)


@member.command()
@acting
def remove(manner: Manner, who: Who) -> None:
    """Take somebody's membership away.

    Everything they wrote leaves the view, and with their goals and projects what others put there; you are told how
    much that is. Adding them again brings all of it back.
    """
    from radial_cli.acting.members import remove as run

    run(manner, who=who)


@member.command("list")
def list_(
    files: FilesOrStore = None,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List those whose records count, as `radial members` does."""
    from radial_cli.commands.members import members

    members(files, space, store, as_json, keep_going)
