"""`radial import`: observations from files into the store."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, Files, InStore

EXAMPLES = """\b
Examples:
  radial import theirs.jsonl
  radial import --own mine.jsonl
  radial fetch SPACE_URI -o space.jsonl && radial import --own space.jsonl

\b
What is there already stays as it is, so importing twice is importing once. A
malformed line is named and left out, all others are taken; the status is 1.
"""


def import_(
    files: Files,
    own: Annotated[
        bool, typer.Option("--own", help="You wrote these files: keep their seenAt; the earlier one stands.")
    ] = False,
    store: InStore = None,
    as_json: AsJson = False,
) -> None:
    """Take observations from files into the store.

    The store then holds both sets. Sightings of another observer are stamped with the time of the import, for nobody
    takes over another's clock.
    """
    from radial_cli.storing.importing import import_files

    import_files(files, store, own=own, as_json=as_json)
