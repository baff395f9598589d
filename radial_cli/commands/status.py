"""`radial status`: how each repo stands."""

from __future__ import annotations

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial status
  radial status --json | jq '.repos[] | select(.ready | not)'
"""


def status(store: InStore = None, as_json: AsJson = False) -> None:
    """Say how each repo stands: its source, revision and lag.

    A repo is ready once it was read wholly, and fresh only while a process follows it. The store is read, nobody is
    asked.
    """
    from radial_cli.diagnosing.status import print_status

    print_status(store, as_json=as_json)
