"""`radial export`: the store's observations as JSON Lines."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import InStore

EXAMPLES = """\b
Examples:
  radial export -o mine.jsonl
  radial export --anonymous-sightings | gzip > to-share.jsonl.gz
  radial export | radial materialize -

\b
Two stores that hold the same write the same lines. `radial import` takes them
into another store; every other verb reads them as they are.
"""


def export(
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead.", show_default=False)
    ] = None,
    repo: Annotated[
        list[str] | None,
        typer.Option("--repo", metavar="DID", help="Only of this repo; may be repeated.", show_default=False),
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous-sightings", help="Do not tell when you saw it: leave seenAt out.")
    ] = False,
    store: InStore = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With -o, sum up as JSON what was written; the records are JSON anyhow.")
    ] = False,
) -> None:
    """Write all that the store has seen as JSON Lines.

    Every version with its value, its revisions and its first sighting, and every deletion: nothing is lost on the way
    into another store.
    """
    from radial_cli.storing.exporting import write_export

    write_export(store, output, repo or (), anonymous=anonymous, as_json=as_json)
