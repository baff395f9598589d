"""`radial use`: who acts from now on."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson

EXAMPLES = """\b
Examples:
  radial use bob.example
"""


def use(
    handle: Annotated[str, typer.Argument(metavar="HANDLE", help="A handle or a DID.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Choose who acts when nobody is named."""
    from radial_cli.accounts.listing import use as run

    run(handle, as_json_=as_json)
