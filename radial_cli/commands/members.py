"""`radial members`: who is trusted."""

from __future__ import annotations

from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial members space.jsonl
  radial members --json space.jsonl
"""


def members(
    files: FilesOrStore = None,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List those whose records count."""
    from radial_cli.lists.members import print_members
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_members(found, space, as_json=as_json)
