"""`radial show`: one thing, as a person wants to read it."""

from __future__ import annotations

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing, Subject

EXAMPLES = """\b
Examples:
  radial show at://did:plc:…/com.disnetdev.radial.space/… space.jsonl
  radial show goal/quiet-gauge space.jsonl | less
  radial show artifact/plan-quiet-2 space.jsonl --json
"""


def show(
    uri: Subject,
    files: FilesOrStore = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Show a space, a goal or any other record.

    A space, a project, a goal, a request and an artifact have pictures of their own; any other record, also one that is
    ignored, is shown field by field.
    """
    from radial_cli.reading import reading
    from radial_cli.showing import print_picture

    with reading(files, keep_going=keep_going, store=store) as found:
        print_picture(found.names.find(uri), found, as_json=as_json)
