"""`radial fetch`: a space's records, from the servers of its members."""

from __future__ import annotations

from typing import Annotated

import typer

EXAMPLES = """\b
Examples:
  radial fetch at://did:plc:…/com.disnetdev.radial.space/… -o space.jsonl
  radial fetch SPACE_URI --pds http://127.0.0.1:2583 -o space.jsonl

\b
Running it again on the same file adds what is new and keeps what was seen
before, with its first sighting; a record that is gone from a repo which was
read in full is added as a deletion.
"""


def fetch(
    space: Annotated[
        str, typer.Argument(metavar="SPACE_URI", help="at://DID/com.disnetdev.radial.space/KEY", show_default=False)
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where the records go.", show_default=False)
    ],
    pds: Annotated[
        str | None, typer.Option("--pds", metavar="URL", help="Read every repo from this server.", show_default=False)
    ] = None,
    plc: Annotated[
        str | None,
        typer.Option(
            "--plc", metavar="URL", help="Look did:plc up there, not in the public directory.", show_default=False
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Sum up as JSON what was read.")] = False,
) -> None:
    """Read a space from its members' servers into a file.

    The root's repo first, then those of the members that its grants name, and of those whom they name. The file is
    replaced when all is read; interrupted, it is as it was.
    """
    from radial_cli.fetching import fetch_to_file

    fetch_to_file(space, output, pds=pds, plc=plc, as_json=as_json)
