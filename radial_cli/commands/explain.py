"""`radial explain`: where a record counts, or what keeps it out."""

from __future__ import annotations

from radial_cli.options import AsJson, FilesOrStore, InStore, KeepGoing, Subject

EXAMPLES = """\b
Examples:
  radial explain review/plan-spring-1 space.jsonl
  radial explain at://did:plc:…/com.disnetdev.radial.goal/… space.jsonl --json
"""


def explain(
    uri: Subject,
    files: FilesOrStore = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """Say why a record counts, or why not.

    For one that counts: where, through what, on whose word. For one that does not: the rule, the reason, and what would
    bring it in.
    """
    from radial_cli.reading import reading
    from radial_cli.showing import print_explanation

    with reading(files, keep_going=keep_going, store=store) as found:
        print_explanation(uri, found, as_json=as_json)
