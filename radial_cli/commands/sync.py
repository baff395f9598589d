"""`radial sync`: spaces into the store, once."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import FromPds, FromPlc, InStore
from radial_cli.syncing.options import Memory, Sources, Spaces

EXAMPLES = """\b
Examples:
  radial sync at://did:plc:…/com.disnetdev.radial.space/…
  radial sync SPACE_URI --source repo
  radial sync SPACE_URI --plc http://127.0.0.1:2582 --json

\b
Interrupted, it has lost nothing: the next run goes on, and a repo that did
not change costs one question. SOURCE is `poll` (list the records) or `repo`
(read the signed repo whole), for all repos; WHO=SOURCE is for that of a DID,
or for all at a server's URL.
"""


def sync(  # noqa: PLR0917 - an option each
    spaces: Spaces,
    source: Sources = None,
    memory: Memory = 64,
    pds: FromPds = None,
    plc: FromPlc = None,
    fold: Annotated[
        bool,
        typer.Option(
            "--fold/--no-fold",
            help="Say which goals and requests moved; without, memory stays small.",
            show_default=False,
        ),
    ] = True,
    store: InStore = None,
    as_json: Annotated[bool, typer.Option("--json", help="Sum up as JSON what changed.")] = False,
) -> None:
    """Read spaces into the store, from their members' servers.

    Every repo that belongs to a space is looked at once, and nobody else's. At the end, what changed and what is
    missing is said.
    """
    from radial_cli.syncing.once import sync_to_store
    from radial_cli.syncing.session import Asked

    sync_to_store(Asked(spaces, source or [], pds, plc, store, memory), fold=fold, as_json=as_json)
