"""`radial whoami`: who acts."""

from __future__ import annotations

from radial_cli.options import AsJson

EXAMPLES = """\b
Examples:
  radial whoami
  RADIAL_ACCOUNT=bob.example radial whoami --json
"""


def whoami(as_json: AsJson = False) -> None:
    """Say who acts when nobody is named with --as."""
    from radial_cli.accounts.listing import print_who

    print_who(as_json_=as_json)
