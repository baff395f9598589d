"""`radial accounts`: who is logged in."""

from __future__ import annotations

from radial_cli.options import AsJson

EXAMPLES = """\b
Examples:
  radial accounts
  radial accounts --json

\b
They are kept in the folder for your data (on Linux
~/.local/share/radial/accounts), or in the one that RADIAL_ACCOUNTS names.
"""


def accounts(as_json: AsJson = False) -> None:
    """List who is logged in here; a star marks who acts."""
    from radial_cli.accounts.listing import print_accounts

    print_accounts(as_json_=as_json)
