"""`radial system`: what a project has of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial system
  radial system project/tide-tables
  radial system project/tide-tables space.jsonl --json
"""


def system(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PROJECT] [FILE...]",
            help="A project, by URI or as project/KEY; then observations. Without a FILE, the store.",
            show_default=False,
        ),
    ] = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List the documents that projects have of their own.

    The current version of each, whether others rival it, and how many implementations were merged since.
    """
    from radial_cli.asking.system import print_system
    from radial_cli.reading import reading

    given = words or []
    named = bool(given) and given[0].startswith(("at://", "project/"))
    with reading(given[named:], keep_going=keep_going, store=store) as found:
        print_system(found, given[0] if named else None, as_json=as_json)
