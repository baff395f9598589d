"""`radial body`: the whole of what a record says."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, Force, FromPds, FromPlc, InStore, Subject

EXAMPLES = """\b
Examples:
  radial body artifact/plan-quiet-2 space.jsonl
  radial body artifact/plan-quiet-2 > plan.md
  radial body at://did:plc:…/com.disnetdev.radial.artifact/… -o plan.md

\b
A long body is a file beside the record. It is fetched from the server where
its author is now, and has to be the file that the record names.
"""


def body(  # noqa: PLR0917 - typer reads them as options and arguments
    uri: Subject,
    files: FilesOrStore = None,
    store: InStore = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead.", show_default=False)
    ] = None,
    force: Force = False,
    pds: FromPds = None,
    plc: FromPlc = None,
    as_json: AsJson = False,
) -> None:
    """Print the whole body of a record that counts.

    On a terminal as text, in a pipe byte for byte.
    """
    from radial_cli.viewing.body import print_body

    print_body(uri, files or (), store=store, output=output, force=force, pds=pds, plc=plc, as_json=as_json)
