"""`radial doctor`: what is wrong, and what to do."""

from __future__ import annotations

from radial_cli.options import AsJson, InStore

EXAMPLES = """\b
Examples:
  radial doctor
  radial doctor --json | jq '.findings[] | select(.level == "fault")'
"""


def doctor(store: InStore = None, as_json: AsJson = False) -> None:
    """Look at the store and say what is wrong, and what to do.

    Nothing is changed and nobody is asked. The status is 0 when there is nothing to do, else 1.
    """
    from radial_cli.diagnosing.doctor import print_findings

    print_findings(store, as_json=as_json)
