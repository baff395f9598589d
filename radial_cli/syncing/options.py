"""The arguments and options of `radial sync` and `radial watch`."""

from __future__ import annotations

from typing import Annotated

import typer

Spaces = Annotated[
    list[str],
    typer.Argument(
        metavar="SPACE_URI...", help="at://DID/com.disnetdev.radial.space/KEY, one or several.", show_default=False
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="SOURCE", help="How to read, see below; poll if not said.", show_default=False),
]
Memory = Annotated[
    int,
    typer.Option(
        "--memory",
        metavar="MIB",
        min=1,
        max=65536,
        help="What a repo may take of it while it is read, before it goes to the disk; 64 if not said.",
        show_default=False,
    ),
]
