"""Who is logged in, and who of them is meant."""

from __future__ import annotations

from pathlib import Path

import attrs

from radial_io.accounts.values import Account


@attrs.frozen
class Accounts:
    """The accounts that are kept in a folder. Raises `VaultError` where the folder cannot be used."""

    folder: Path

    def all(self) -> tuple[Account, ...]:
        """Give everybody who is logged in, by DID."""
        raise NotImplementedError

    def current(self) -> Account | None:
        """Give who acts when nobody is named."""
        raise NotImplementedError

    def find(self, name: str | None) -> Account:
        """Give the account of a handle or a DID; the current one for None. Raises `NoAccountError`."""
        raise NotImplementedError

    def use(self, name: str) -> Account:
        """Make an account the current one. Raises `NoAccountError`."""
        raise NotImplementedError
