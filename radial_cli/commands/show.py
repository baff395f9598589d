"""`radial show`: one thing, as a person wants to read it."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial show at://did:plc:…/com.disnetdev.radial.space/… space.jsonl
  radial show goal/quiet-gauge space.jsonl | less
  radial show artifact/plan-quiet-2 space.jsonl --json
  radial show did:plc:… space.jsonl
"""


def show(
    uri: Annotated[
        str,
        typer.Argument(
            metavar="URI|DID",
            help="A record's URI, or its kind and key as in goal/3mgdi7lg52222; or somebody's DID.",
            show_default=False,
        ),
    ],
    files: FilesOrStore = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Show a space, a goal, any other record, or somebody.

    A space, a project, a goal, a request and an artifact have pictures of their own; any other record, also one that is
    ignored, is shown field by field. Each comes with what happened to it. What an author claims stands apart from what
    somebody observed. Nothing is fetched: pictures in a text are named, not shown.
    """
    from radial_cli.reading import reading
    from radial_cli.showing import print_picture

    with reading(files, keep_going=keep_going, store=store) as found:
        print_picture(uri, found, as_json=as_json)
