"""`radial validate`: is each record well-formed?"""

from __future__ import annotations

from radial_cli.options import AsJson, Files

EXAMPLES = """\b
Examples:
  radial validate space.jsonl
  radial validate --json space.jsonl | jq .faulty
"""


def validate(files: Files, as_json: AsJson = False) -> None:
    """Check lines and records, each by itself.

    Every line has to be an observation, and every record has to fit its lexicon and its bounds. All faults are printed
    as FILE:LINE: message @ $.path; in those of a malformed line $ is the line, in all others it is the record.
    """
    from radial_cli.validating import print_faults

    print_faults(files, as_json=as_json)
