"""`radial goals`: what is wanted."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.exits import USAGE, Failure
from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial goals space.jsonl
  radial goals --ended space.jsonl | cut -f 4,5
  radial goals --all --json space.jsonl
"""


def goals(
    files: FilesOrStore = None,
    every: Annotated[bool, typer.Option("--all", help="Also those that ended or whose project is archived.")] = False,
    ended: Annotated[bool, typer.Option("--ended", help="Those that ended instead.")] = False,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List the goals that are open.

    Goals of archived projects are left out, as are those that ended.
    """
    from radial_cli.lists.goals import print_goals
    from radial_cli.reading import reading

    if every and ended:
        raise Failure("--all and --ended do not go together", "--all lists those that ended too.", USAGE)
    with reading(files, keep_going=keep_going, store=store) as found:
        print_goals(found, space, which="all" if every else "ended" if ended else "open", as_json=as_json)
