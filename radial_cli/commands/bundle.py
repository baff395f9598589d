"""`radial bundle`: what the turn for a request is told."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import FilesOrStore, Force, InStore, Subject

EXAMPLES = """\b
Examples:
  radial bundle artifactRequest/plan-quiet space.jsonl
  radial bundle artifactRequest/plan-quiet space.jsonl --json | jq .revision
  radial bundle artifactRequest/plan-quiet -o turn/

\b
The same records and request give the same bytes: docs/reference/bundle.md. A
line that starts with > is quoted, every other is our own.
"""

Total = Annotated[int, typer.Option("--total", metavar="BYTES", help="The most bytes that either file may have.")]


def bundle(  # noqa: PLR0917 - typer reads them as options and arguments
    uri: Subject,
    files: FilesOrStore = None,
    store: InStore = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write bundle.json and bundle.md there.", show_default=False
        ),
    ] = None,
    force: Force = False,
    total: Total = 409_600,
    behind: Annotated[
        list[str] | None,
        typer.Option("--behind", metavar="DID", help="A repo that was not read to its end.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json/--md", help="As bundle.json, or as bundle.md.")] = False,
) -> None:
    """Print what the turn for a request is told.

    It is Markdown unless JSON is asked for. What is left out is counted and named.
    """
    from radial_cli.telling.bundle import print_bundle

    print_bundle(uri, files, store=store, as_json=as_json, folder=output, force=force, total=total, behind=behind or ())
