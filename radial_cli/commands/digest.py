"""`radial digest`: one line to compare with somebody else's."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial digest space.jsonl
  radial digest --tree space.jsonl
  test "$(radial digest mine.jsonl)" = "$(radial digest theirs.jsonl)"
"""


def digest(
    files: FilesOrStore = None,
    tree: Annotated[bool, typer.Option("--tree", help="Also of every space, project and goal.")] = False,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Print the digest, to compare with others.

    It is equal for two observers who hold the same trusted records.
    """
    from radial_cli.digests import print_digest
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_digest(found, space, tree=tree, as_json=as_json)
