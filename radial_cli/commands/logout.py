"""`radial logout`: the end of a session."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLES = """\b
Examples:
  radial logout
  radial logout alice.example
"""


def logout(
    handle: Annotated[
        str | None,
        typer.Argument(metavar="[HANDLE]", help="A handle or a DID; who acts now, if not said.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON who it was.")] = False,
) -> None:
    """End a session, here and at the server.

    What waits in the outbox stays there, for when you log in again.
    """
    from radial_cli.accounts.signing_in import logout as run

    run(handle, as_json=as_json)
