"""`radial image`: a picture that a text refers to, fetched or added."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.group import ShowGroup
from radial_cli.acting.manner import Manner, acting
from radial_cli.options import AsJson, FilesOrStore, Force, FromPds, FromPlc, InStore

EXAMPLES = """\b
Examples:
  radial image image/sketch space.jsonl -o sketch.png
  radial image '![the gauge](radial-image:at://did:plc:…)' -o gauge.png
  radial image add gauge.png --alt "The gauge at the pier"
  radial image add gauge.png --into goal.md

\b
The record says which file, and the author's DID where it is now. Its own
beginning decides what it is: PNG, JPEG, WebP or GIF, else it is refused. An
address, a DID or a CID that stands in a text is never fetched.

\b
`radial image URI …` is `radial image show URI …`: its --help has the options.
"""

image = typer.Typer(
    help="Fetch a picture that a text refers to, or add one.", epilog=EXAMPLES, no_args_is_help=True, cls=ShowGroup
)


@image.command()
def show(  # noqa: PLR0917 - typer reads them as options and arguments
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


@image.command()
@acting
def add(
    manner: Manner,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The picture.", show_default=False)],
    alt: Annotated[
        str | None,
        typer.Option("--alt", metavar="TEXT", help="What is to be seen on it, in words.", show_default=False),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="What it is called; as the file if not said.", show_default=False),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="TEXT_FILE",
            help="Refer to it at the end of this text, once it is there.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Put a picture into your repo and say how a text refers to it.

    The file goes first, then its record, then the text: one that fails on the way leaves the text as it was.
    """
    from radial_cli.acting.pictures import add as run

    run(manner, file=file, alt=alt, name=name, into=into)
