"""`radial inbox`: what waits for you."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial inbox
  radial inbox --json | jq -r '.items[].commands[0]'
  radial inbox --as did:plc:… space.jsonl

\b
A thing waits because of what is in the index, and no longer than that: once
its answer is written, it is gone from here. Goals that have ended and
projects that are archived wait for nobody.
"""


def inbox(
    files: FilesOrStore = None,
    who: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="WHO", help="Whose: a DID, or an account that is logged in here.", show_default=False
        ),
    ] = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List what waits for you, with the commands that answer it.

    Questions, requests addressed to you, work that no person has reviewed, red checks, requests that were declined or
    that nobody can fulfil, mentions, invitations, trust that was taken away, and records from the future.
    """
    from radial_cli.asking.freshness import ages
    from radial_cli.asking.inbox import Ways, print_inbox
    from radial_cli.asking.principal import principal
    from radial_cli.reading import reading

    did = principal(who)
    fresh = ages(files, store)
    with reading(files, keep_going=keep_going, store=store) as found:
        print_inbox(found, did, Ways(who, store), fresh, as_json=as_json)
