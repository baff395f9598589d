"""`radial materialize`: everything at once."""

from __future__ import annotations

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial materialize space.jsonl
  radial materialize --json monday.jsonl tuesday.jsonl > index.json
  gunzip -c space.jsonl.gz | radial materialize -
"""


def materialize(
    files: FilesOrStore = None, store: InStore = None, as_json: AsJson = False, keep_going: KeepGoing = False
) -> None:
    """Sum up what the records amount to.

    With --json, print the whole index.
    """
    from radial_cli.output import out_json
    from radial_cli.reading import reading
    from radial_cli.summing import print_summary

    with reading(files, keep_going=keep_going, store=store) as found:
        if as_json:
            out_json(found.index.to_json())
        else:
            print_summary(found)
