"""`radial watch`: spaces into the store, live."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import FromPds, FromPlc, InStore
from radial_cli.syncing.options import Memory, Sources, Spaces

EXAMPLES = """\b
Examples:
  radial watch at://did:plc:…/com.disnetdev.radial.space/…
  radial watch SPACE_URI --source firehose
  radial watch SPACE_URI --json | jq 'select(.event == "moved")'

\b
SOURCE is, for all repos, or as WHO=SOURCE for that of a DID or all at a URL:
  poll             list the records every --interval (the usual way)
  repo             read the signed repo whole when it changed
  firehose         the stream of each repo's own server, verified
  firehose=URL     that of a relay, verified
  jetstream=URL    a Jetstream; jetstream2=URL, one of version 2: unsigned, so
                   repos are read and verified each quarter of an hour
  tap=URL          a Tap of one's own; RADIAL_TAP_PASSWORD is its password
"""


def watch(  # noqa: PLR0917 - an option each
    spaces: Spaces,
    source: Sources = None,
    interval: Annotated[
        float,
        typer.Option(
            "--interval",
            metavar="SECONDS",
            min=0.2,
            max=86400,
            help="How often to look at a repo that no stream tells of; 30 if not said.",
            show_default=False,
        ),
    ] = 30.0,
    memory: Memory = 64,
    pds: FromPds = None,
    plc: FromPlc = None,
    store: InStore = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print every event as JSON, one a line.")] = False,
) -> None:
    """Follow spaces, and print goals and requests as they move.

    Members who join are followed from then on, those who are removed no more. What breaks off is tried again. End it
    with Ctrl-C: nothing is lost.
    """
    from radial_cli.syncing.session import Asked
    from radial_cli.watching.live import watch_live

    watch_live(Asked(spaces, source or [], pds, plc, store, memory), interval=interval, as_json=as_json)
