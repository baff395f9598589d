"""`radial log`: what happened lately."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial log
  radial log --since 3d
  radial log --in goal/quiet-gauge --limit 100 space.jsonl
  radial log --since 2026-03-02 --json space.jsonl
"""


def log(
    files: FilesOrStore = None,
    *,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="TIME", help="A date or datetime, or how long ago: 3d.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="The latest so many.")] = 50,
    within: Annotated[
        str | None,
        typer.Option("--in", metavar="URI", help="Of this space, project or goal.", show_default=False),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="DID", help="Only by this one.", show_default=False)] = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Tell what happened lately, goal by goal.

    When is what the author of each record says. Check runs and merges are told as observed, with who observed them.
    """
    from radial_cli.asking.log import print_log
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_log(found, within, since=since, by=by, limit=limit, as_json=as_json)
