"""`radial provenance`: what came from what."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.exits import USAGE, Failure
from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing, Subject

EXAMPLES = """\b
Examples:
  radial provenance artifact/build-quiet-2
  radial provenance artifact/plan-quiet-1 --down
  radial provenance artifact/plan-quiet-1 --down --depth 2 --format dot |
    dot -Tsvg > plan.svg
  radial provenance artifact/plan-quiet-1 --format mermaid space.jsonl
"""


def provenance(
    uri: Subject,
    files: FilesOrStore = None,
    *,
    up: Annotated[bool, typer.Option("--up", help="What it came from; so if nothing else is said.")] = False,
    down: Annotated[bool, typer.Option("--down", help="What came of it.")] = False,
    depth: Annotated[
        int | None, typer.Option("--depth", metavar="N", min=0, help="At most so many steps.", show_default=False)
    ] = None,
    layout: Annotated[
        str, typer.Option("--format", metavar="text|dot|mermaid", help="As text, or as a drawing.")
    ] = "text",
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Show what a record came from, or what came of it.

    Requests, versions, reviews, checks and merges, through any number of steps; each with who says so, and with the
    version that was meant where that is another one.
    """
    from radial_cli.asking.provenance import FORMATS, print_provenance
    from radial_cli.reading import reading

    if up and down:
        raise Failure("--up and --down do not go together", "Ask twice.", USAGE)
    if layout not in FORMATS:
        raise Failure("there is no such format", f"One of {', '.join(FORMATS)}.", USAGE)
    with reading(files, keep_going=keep_going, store=store) as found:
        print_provenance(found, uri, up=not down, depth=depth, layout=layout, as_json=as_json)
