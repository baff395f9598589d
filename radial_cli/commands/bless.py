"""`radial bless`: vouching for a guest's words."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.group import DefaultGroup
from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Goal

EXAMPLES = """\b
Examples:
  radial bless goal/quiet-gauge at://did:plc:…/com.disnetdev.radial.message/…
  radial bless 3 COMMENT_URI --cid bafyrei… --yes
  radial bless retract blessComment/3mgdi7lg52222

\b
`radial guests GOAL` finds comments. The whole text is shown before it is
copied; --yes needs the CID of what you have read.
"""

bless = typer.Typer(
    help="Copy a guest's words into a space, or take that back.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    cls=DefaultGroup,
)


@bless.command()
@acting
def new(
    manner: Manner,
    goal: Goal,
    comment: Annotated[str, typer.Argument(metavar="COMMENT_URI", help="The guest's message.", show_default=False)],
    cid: Annotated[
        str | None,
        typer.Option("--cid", metavar="CID", help="The version that you have read.", show_default=False),
    ] = None,
) -> None:
    """Copy what a guest said into a goal, word for word.

    It is fetched from the guest's own server, and all of it is shown, what a terminal would hide included.
    """
    from radial_cli.acting.blessing import bless as run

    run(manner, goal=goal, comment=comment, cid=cid)


@bless.command()
@acting
def retract(
    manner: Manner,
    blessing: Annotated[str, typer.Argument(metavar="BLESSING", help="Its key or URI.", show_default=False)],
) -> None:
    """Withdraw a blessing; for who gave it, and for admins."""
    from radial_cli.acting.blessing import retract as run

    run(manner, blessing=blessing)
