"""`radial quarantine`: what was received and could not be taken."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial quarantine
  radial quarantine --repo did:plc:…
  radial quarantine --show at://did:plc:…/com.disnetdev.radial.goal/…
"""


def quarantine(
    repo: Annotated[
        str | None, typer.Option("--repo", metavar="DID", help="Only of this repo.", show_default=False)
    ] = None,
    show: Annotated[
        str | None, typer.Option("--show", metavar="URI", help="Print the bytes of this one.", show_default=False)
    ] = None,
    store: InStore = None,
    as_json: AsJson = False,
) -> None:
    """List what was received and set aside, with reasons.

    Nothing of it is in the index. What is received whole later leaves the list by itself.
    """
    from radial_cli.storing.setaside import print_quarantine, show_set_aside

    if show is not None:
        show_set_aside(store, show, as_json=as_json)
    else:
        print_quarantine(store, repo, as_json=as_json)
