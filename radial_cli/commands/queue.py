"""`radial queue`: what is in flight."""

from __future__ import annotations

from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial queue
  radial queue --space space/tidewater
  radial queue space.jsonl --json
"""


def queue(
    files: FilesOrStore = None,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List what is to be worked on, the oldest first.

    It is what daemons plan from: what one of them passes over, `radial why` explains.
    """
    from radial_cli.asking.queue import print_queue
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_queue(found, space, as_json=as_json)
