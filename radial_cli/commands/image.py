"""`radial image`: a picture that a text refers to."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, Force, FromPds, FromPlc, InStore

EXAMPLES = """\b
Examples:
  radial image image/sketch space.jsonl -o sketch.png
  radial image '![the gauge](radial-image:at://did:plc:…)' -o gauge.png

\b
The record says which file, and the author's DID where it is now. Its own
beginning decides what it is: PNG, JPEG, WebP or GIF, else it is refused. An
address, a DID or a CID that stands in a text is never fetched.
"""


def image(  # noqa: PLR0917 - typer reads them as options and arguments
    uri: Annotated[
        str,
        typer.Argument(
            metavar="URI", help="An image record's URI, its kind and key, or a locator.", show_default=False
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where the picture goes; - into a pipe.", show_default=False
        ),
    ],
    files: FilesOrStore = None,
    store: InStore = None,
    force: Force = False,
    pds: FromPds = None,
    plc: FromPlc = None,
    as_json: AsJson = False,
) -> None:
    """Write a picture of a member into a file, checked."""
    from radial_cli.viewing.image import write_image

    write_image(uri, files or (), store=store, output=output, force=force, pds=pds, plc=plc, as_json=as_json)
