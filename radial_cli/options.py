"""The arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="JSON Lines, one observation a line, or a golden scenario; - is standard input.",
        show_default=False,
    ),
]
FilesOrStore = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE...]",
        help="JSON Lines, one observation a line, or a golden scenario; - is standard input. Without one, the store.",
        show_default=False,
    ),
]
Subject = Annotated[
    str,
    typer.Argument(
        metavar="URI", help="A record's URI, or its kind and key as in goal/3mgdi7lg52222.", show_default=False
    ),
]
InSpace = Annotated[
    str | None,
    typer.Option("--space", metavar="URI", help="Only this space.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON with the documented keys.")]
KeepGoing = Annotated[
    bool,
    typer.Option("--keep-going", help="Leave malformed lines out instead of printing nothing; the status is 1 still."),
]
InStore = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="FILE", envvar="RADIAL_STORE", help="The store, elsewhere than usual.", show_default=False
    ),
]
FromPds = Annotated[
    str | None, typer.Option("--pds", metavar="URL", help="Read every repo from this server.", show_default=False)
]
FromPlc = Annotated[
    str | None,
    typer.Option(
        "--plc", metavar="URL", help="Look did:plc up there, not in the public directory.", show_default=False
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]
