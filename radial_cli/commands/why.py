"""`radial why`: why somebody, or nobody, works on a request."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing, Subject

EXAMPLES = """\b
Examples:
  radial why artifactRequest/plan-quiet space.jsonl
  radial why artifactRequest/plan-quiet --operator radial.toml

\b
With an operator's file the planner answers for that operator as for a daemon
that has just begun; docs/reference/operator.md says what the file holds.
"""


def why(
    uri: Subject,
    files: FilesOrStore = None,
    setup: Annotated[
        str | None,
        typer.Option("--operator", metavar="FILE", help="Who does what, as TOML or JSON.", show_default=False),
    ] = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Say why a request is, or is not, worked on.

    The rule of the protocol or the setting that decides, and a sentence.
    """
    from radial_cli.telling.why import print_why

    print_why(uri, files, store=store, setup=setup, as_json=as_json, keep_going=keep_going)
