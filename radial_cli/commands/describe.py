"""`radial describe`: what can be asked."""

from __future__ import annotations

from radial_cli.options import AsJson

EXAMPLES = """\b
Examples:
  radial describe
  radial describe --json | jq .schema
"""


def describe(as_json: AsJson = False) -> None:
    """Say what `radial query` answers, and how.

    A constant of this version: the questions, the kinds of records, the limits, and with --json the JSON Schema of an
    answer. No store is needed.
    """
    from radial_cli.asking.query import print_description

    print_description(as_json=as_json)
