"""`radial store`: how the store is, and looking after it."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial store status
  radial store check
  radial store vacuum
  radial store backup copy.db

\b
The store is one file: FILE of --store, else what RADIAL_STORE names, else
store.db in the folder for your data (on Linux ~/.local/share/radial).
"""

store = typer.Typer(help="See how the store is, check it, copy it.", epilog=EXAMPLES, no_args_is_help=True)


@store.command()
def status(store: InStore = None, as_json: AsJson = False) -> None:
    """Say how much there is, and whether it is ready.

    A space is ready once the repo of each of its members was read wholly.
    """
    from radial_cli.storing.status import print_status

    print_status(store, as_json=as_json)


@store.command()
def check(store: InStore = None, as_json: AsJson = False) -> None:
    """Look at the file, its tables and the bytes of every version.

    What is wrong is printed, one fault a line, and the status is 1.
    """
    from radial_cli.storing.upkeep import check as run

    run(store, as_json=as_json)


@store.command()
def vacuum(store: InStore = None, as_json: AsJson = False) -> None:
    """Give free room back to the disk."""
    from radial_cli.storing.upkeep import vacuum as run

    run(store, as_json=as_json)


@store.command()
def backup(
    output: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes.", show_default=False)],
    store: InStore = None,
    as_json: AsJson = False,
) -> None:
    """Write a copy, also while somebody writes to the store.

    It is a store itself: cursors, sightings and quarantine are in it. To restore it, put it in the store's place.
    """
    from radial_cli.storing.upkeep import backup as run

    run(store, output, as_json=as_json)
