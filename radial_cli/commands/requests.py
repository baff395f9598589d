"""`radial requests`: what was asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial requests --open space.jsonl
  radial requests --dispatchable --json space.jsonl
"""


def requests(
    files: FilesOrStore = None,
    is_open: Annotated[bool, typer.Option("--open", help="Only those that nothing has settled yet.")] = False,
    dispatchable: Annotated[
        bool, typer.Option("--dispatchable", help="Only open ones whose goal and project still want work.")
    ] = False,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List what was asked for.

    Place by place: the requests of projects, then those of goals.
    """
    from radial_cli.lists.requests import print_requests
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_requests(found, space, is_open=is_open, dispatchable=dispatchable, as_json=as_json)
