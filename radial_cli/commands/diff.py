"""`radial diff`: where two observers differ."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.exits import USAGE, Failure
from radial_cli.options import AsJson, KeepGoing

EXAMPLES = """\b
Examples:
  radial diff mine.jsonl theirs.jsonl
  radial diff --json mine.jsonl theirs.jsonl
  radial digest --tree --json theirs.jsonl > theirs.tree
  radial diff mine.jsonl theirs.tree
"""


def diff(
    one: Annotated[
        str, typer.Argument(metavar="A", help="One observer's records, or digest tree.", show_default=False)
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="The other's; one of the two may be -.", show_default=False)
    ],
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Find where two observers differ.

    The spaces, projects and goals that differ are named, with the records that make it so and what each side lacks.
    Either of the two may be a digest tree, saved with `radial digest --tree --json`; then no records are needed.
    """
    from radial_cli.differing import print_differences
    from radial_cli.reading import reading
    from radial_cli.trees import compare_trees, saved_tree

    if one == other == "-":
        raise Failure(
            "standard input can be read once only", "One of A and B may be -; give the other as a file.", USAGE
        )
    trees = saved_tree(one), saved_tree(other)
    if trees != (None, None):
        compare_trees((one, other), trees, keep_going=keep_going, as_json=as_json)
        return
    with reading([one], keep_going=keep_going) as here, reading([other], keep_going=keep_going) as there:
        print_differences(here, there, (one, other), as_json=as_json)
