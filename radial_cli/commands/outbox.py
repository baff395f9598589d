"""`radial outbox`: what is on its way to one's own repo."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial outbox list
  radial outbox send
  radial outbox drop 3

\b
What you do is recorded before it is sent, in a file beside the store, and
stays there until your server has it and the store as well. What a crash or a
dead network left is sent with the next act, or by `radial outbox send`: it
looks first whether it was written.
"""

outbox = typer.Typer(help="See what is on its way, send it, or let it be.", epilog=EXAMPLES, no_args_is_help=True)


@outbox.command("list")
def list_(store: InStore = None, as_json: AsJson = False) -> None:
    """List what is on its way, what is written already, and what was refused."""
    from radial_cli.accounts.outbox import print_outbox

    print_outbox(store, as_json=as_json)


@outbox.command()
def send(store: InStore = None, as_json: AsJson = False) -> None:
    """Send what waits, after looking whether it was written.

    For everybody who is logged in. What a server refuses stays, and says so.
    """
    from radial_cli.accounts.outbox import send as run

    run(store, as_json=as_json)


@outbox.command()
def drop(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[NUMBER...]", help="Which, as listed.", show_default=False)
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Everything.")] = False,
    store: InStore = None,
    as_json: AsJson = False,
) -> None:
    """Take entries out of the outbox. What your server has stays there."""
    from radial_cli.accounts.outbox import drop as run

    run(store, numbers or [], every=every, as_json=as_json)
