"""Who is logged in, and who of them is meant.

Strategy: one small file, for its owner alone, without secrets: who there is, who acts when nobody is named, and in
which vault each one's secrets lie. It is read anew each time, and changed under a lock: two processes may log in.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import attrs

from radial_core.identifiers import is_did
from radial_io.accounts.errors import NoAccountError, OwnFileError
from radial_io.accounts.files import make_folder, read, replace
from radial_io.accounts.locking import alone_now
from radial_io.accounts.values import Account
from radial_io.accounts.vaults import Vault, vault_of
from radial_io.errors import quoted

_FORMAT: Final = 1


@attrs.frozen
class _Page:
    current: str | None
    accounts: tuple[Account, ...]

    def of(self, did: str | None) -> Account | None:
        return next((account for account in self.accounts if account.did == did), None)


@attrs.frozen
class Accounts:
    """The accounts that are kept in a folder. Every method raises `VaultError` where the folder cannot be used."""

    folder: Path

    def all(self) -> tuple[Account, ...]:
        """Give everybody who is logged in, by DID."""
        return self._page().accounts

    def current(self) -> Account | None:
        """Give who acts when nobody is named."""
        page = self._page()
        return page.of(page.current)

    def find(self, name: str | None) -> Account:
        """Give the account of a handle or a DID; the current one for None. Raises `NoAccountError`."""
        if name is None:
            return _required(self.current(), "nobody is logged in")
        wanted = name.removeprefix("@")
        found = [account for account in self.all() if wanted == account.did or wanted.lower() == account.handle.lower()]
        if len(found) > 1:
            raise NoAccountError(f"{quoted(name)} is the handle of {len(found)} accounts here: name one by its DID")
        return _required(next(iter(found), None), f"{quoted(name)} is not logged in here")

    def use(self, name: str) -> Account:
        """Make an account the current one. Raises `NoAccountError`."""
        account = self.find(name)
        self._change(lambda page: attrs.evolve(page, current=account.did))
        return account

    def add(self, account: Account) -> None:
        """Keep an account, in the place of what was known of it, and make it the current one."""
        self._change(lambda page: _Page(account.did, _sorted([*_without(page, account.did), account])))

    def drop(self, account: Account) -> None:
        """Keep an account no more; if it was the current one, nobody is."""

        def dropped(page: _Page) -> _Page:
            return _Page(None if page.current == account.did else page.current, _without(page, account.did))

        self._change(dropped)

    def vault(self, account: Account) -> Vault:
        """Give the vault where the account's secrets lie."""
        return vault_of(account.vault, self.secrets)

    @property
    def secrets(self) -> Path:
        """The folder of the vault that is made of files."""
        return self.folder / "secrets"

    def lock_file(self, account: Account) -> Path:
        """Give the file that is locked while the session of an account is renewed."""
        return self.folder / f"{account.did.replace(':', '_').replace('/', '_')[:120]}.lock"

    @property
    def _file(self) -> Path:
        return self.folder / "accounts.json"

    def _page(self) -> _Page:
        text = read(self._file)
        if text is None:
            return _Page(None, ())
        try:
            return _read(json.loads(text))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise OwnFileError(f"{self._file} is not what this program wrote") from error

    def _change(self, change: Callable[[_Page], _Page]) -> None:
        make_folder(self.folder)
        with alone_now(self.folder / "accounts.lock"):
            page = change(self._page())
            accounts = [attrs.asdict(account) for account in page.accounts]
            tree = {"format": _FORMAT, "current": page.current, "accounts": accounts}
            replace(self._file, json.dumps(tree, indent=2) + "\n")


def _read(tree: Any) -> _Page:
    if tree["format"] != _FORMAT:
        raise ValueError("another version's")
    accounts = [Account(**fields) for fields in tree["accounts"]]
    if not all(is_did(account.did) for account in accounts):
        raise ValueError("no DID")
    return _Page(tree["current"], _sorted(accounts))


def _without(page: _Page, did: str) -> tuple[Account, ...]:
    return tuple(account for account in page.accounts if account.did != did)


def _sorted(accounts: Iterable[Account]) -> tuple[Account, ...]:
    return tuple(sorted(accounts, key=lambda account: account.did))


def _required(account: Account | None, message: str) -> Account:
    if account is None:
        raise NoAccountError(message)
    return account
