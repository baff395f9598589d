"""`radial space`: a Radial space, and what its admins decide about it."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting

EXAMPLES = """\b
Examples:
  radial space create "Tidewater lab" --description "Gauges and what they say"
  radial space join at://did:plc:…/com.disnetdev.radial.space/…
  radial space guest-comments on --space Tidewater
"""

space = typer.Typer(help="Make a space, join one, ask guests in.", epilog=EXAMPLES, no_args_is_help=True)


@space.command()
@acting
def create(
    manner: Manner,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.", show_default=False)],
    description: Annotated[
        str | None, typer.Option("--description", metavar="TEXT", help="What it is for.", show_default=False)
    ] = None,
) -> None:
    """Make a space, of which you are the root: everybody's trust in it begins with you."""
    from radial_cli.acting.spaces import create as run

    run(manner, name=name, description=description)


@space.command()
@acting
def join(
    manner: Manner,
    uri: Annotated[
        str,
        typer.Argument(metavar="SPACE_URI", help="at://DID/com.disnetdev.radial.space/KEY.", show_default=False),
    ],
) -> None:
    """Note in your own repo that you belong to a space, so that `radial spaces` lists it anywhere.

    It grants nothing: an admin has to add you.
    """
    from radial_cli.acting.spaces import join as run

    run(manner, uri=uri)


@space.command("guest-comments")
@acting
def guest_comments(
    manner: Manner,
    switch: Annotated[str, typer.Argument(metavar="on|off", help="Whether guests are asked.", show_default=False)],
) -> None:
    """Say whether people outside are asked for comments; for admins."""
    from radial_cli.acting.spaces import guest_comments as run

    run(manner, switch=switch)
