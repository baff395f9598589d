"""Where accounts are kept, and who of them acts.

Strategy: the folder that RADIAL_ACCOUNTS names, else one in the folder for a user's data on this system. Who acts is
named on the command line, else by RADIAL_ACCOUNT, else it is who logged in last or was chosen with `radial use`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from platformdirs import user_data_path

from radial_cli.exits import USAGE, Failure
from radial_io.accounts.book import Accounts
from radial_io.accounts.values import Account, VaultName

_VAULTS: Final[dict[str, VaultName]] = {"keyring": "keyring", "file": "file"}


def accounts() -> Accounts:
    """Give the accounts of this user."""
    named = os.environ.get("RADIAL_ACCOUNTS")
    return Accounts(Path(named) if named else user_data_path("radial", appauthor=False) / "accounts")


def acting_account(name: str | None = None) -> Account:
    """Give who acts. Raises `NoAccountError`."""
    return accounts().find(name or os.environ.get("RADIAL_ACCOUNT") or None)


def wanted_vault() -> VaultName | None:
    """Give the vault that RADIAL_VAULT asks for. Raises `Failure` for one that is none."""
    name = os.environ.get("RADIAL_VAULT")
    if not name:
        return None
    if name not in _VAULTS:
        raise Failure(
            "RADIAL_VAULT is neither `keyring` nor `file`", "Leave it out: the keyring is tried first.", USAGE
        )
    return _VAULTS[name]
