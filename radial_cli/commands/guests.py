"""`radial guests`: what people outside the space say about a goal."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FromPds, FromPlc, InStore

EXAMPLES = """\b
Examples:
  radial guests goal/quiet-gauge space.jsonl
  radial guests goal/quiet-gauge goal/spring --store space.db
  radial guests goal/quiet-gauge --backlinks https://index.example.com

\b
Only where the space asks for guests, a public index is asked who wrote about
the goal (Constellation, unless --backlinks names another); each comment then
comes from its author's own server. What is found is shown and forgotten.
"""


def guests(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="GOAL... [FILE...]",
            help="Goals, by URI or as goal/KEY; then observations. Without a FILE, the store.",
            show_default=False,
        ),
    ],
    store: InStore = None,
    backlinks: Annotated[
        str | None,
        typer.Option(
            "--backlinks",
            metavar="URL",
            envvar="RADIAL_BACKLINKS",
            help="Ask this backlink index, not the public one.",
            show_default=False,
        ),
    ] = None,
    deadline: Annotated[
        float,
        typer.Option("--deadline", metavar="SECONDS", min=0, help="Show what there is after so long."),
    ] = 30,
    pds: FromPds = None,
    plc: FromPlc = None,
    as_json: AsJson = False,
) -> None:
    """Look up what guests say about goals.

    What members blessed stands apart from what nobody vouches for.
    """
    from radial_cli.viewing.guests import Servers, print_guests

    print_guests(words, store=store, servers=Servers(backlinks, pds, plc, deadline), as_json=as_json)
