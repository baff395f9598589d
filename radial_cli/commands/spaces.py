"""`radial spaces`: the spaces that an account joined."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FromPds, FromPlc, InStore

EXAMPLES = """\b
Examples:
  radial spaces
  radial spaces --as ruth.example.com --json
"""


def spaces(
    author: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="WHO",
            envvar="RADIAL_ACCOUNT",
            help="Of this account: a handle or a DID.",
            show_default=False,
        ),
    ] = None,
    pds: FromPds = None,
    plc: FromPlc = None,
    store: InStore = None,
    as_json: AsJson = False,
) -> None:
    """List the spaces that you joined, wherever you are.

    They stand in your own repo: one question to your server lists them all.
    """
    from radial_cli.acting.spaces import print_spaces

    print_spaces(author, pds=pds, plc=plc, store=store, as_json=as_json)
