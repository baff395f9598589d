"""Where the secrets of sessions lie: the system's keyring, or files of one's own.

Strategy: the keyring first, for it is what people lock; where there is none, a file with mode 0600 in a folder with
mode 0700, and whoever logs in is told so. Which of the two holds an account's secrets is remembered with the account:
a keyring that is locked today is an error, and not a reason to look elsewhere. The password of an account is never
kept: what lies here are the tokens that a server gave, which the account can revoke.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

import attrs

from radial_io.accounts.errors import VaultError
from radial_io.accounts.files import make_folder, read, replace, told
from radial_io.accounts.values import Secret, VaultName

_SERVICE: Final = "radial"


class Vault(Protocol):
    """Keeps one secret text for each DID. Every method raises `VaultError`."""

    @property
    def name(self) -> VaultName:
        """Which of the two it is."""

    def read(self, did: str) -> Secret | None:
        """Give what is kept."""

    def keep(self, did: str, secret: Secret) -> None:
        """Keep it, in the place of what was kept before."""

    def drop(self, did: str) -> None:
        """Keep it no more."""


@attrs.frozen
class FileVault:
    """A file for each DID."""

    folder: Path
    name: VaultName = "file"

    def read(self, did: str) -> Secret | None:
        """Give what is kept."""
        text = read(self.file(did))
        return None if text is None else Secret(text)

    def keep(self, did: str, secret: Secret) -> None:
        """Keep it, in the place of what was kept before."""
        make_folder(self.folder)
        replace(self.file(did), secret.reveal())

    def drop(self, did: str) -> None:
        """Keep it no more."""
        with told(self.file(did)):
            self.file(did).unlink(missing_ok=True)

    def file(self, did: str) -> Path:
        """Give the file of a DID: a hash of it, for a DID may hold what no file name may."""
        return self.folder / f"{hashlib.sha256(did.encode()).hexdigest()[:32]}.secret"


@attrs.frozen
class KeyringVault:
    """An entry of the system's keyring for each DID."""

    name: VaultName = "keyring"

    def read(self, did: str) -> Secret | None:
        """Give what is kept."""
        import keyring  # noqa: PLC0415 - looking for the system's keyring takes longer than most commands

        with _told():
            text = keyring.get_password(_SERVICE, did)
        return None if text is None else Secret(text)

    def keep(self, did: str, secret: Secret) -> None:
        """Keep it, in the place of what was kept before."""
        import keyring  # noqa: PLC0415

        with _told():
            keyring.set_password(_SERVICE, did, secret.reveal())

    def drop(self, did: str) -> None:
        """Keep it no more."""
        import keyring  # noqa: PLC0415
        from keyring.errors import PasswordDeleteError  # noqa: PLC0415

        with _told():
            try:
                keyring.delete_password(_SERVICE, did)
            except PasswordDeleteError:  # it is not there
                return


@contextmanager
def _told() -> Iterator[None]:
    """Turn whatever a keyring fails with into ours: backends raise what their systems raise, whatever that says."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - as it says
        raise VaultError(f"the keyring cannot be used ({type(error).__name__})") from None


def vault_of(name: VaultName, folder: Path) -> Vault:
    """Give the vault of that name."""
    return KeyringVault() if name == "keyring" else FileVault(folder)


def keep_somewhere(did: str, secret: Secret, folder: Path, wanted: VaultName | None) -> Vault:
    """Keep a new secret where it is wanted, else in the keyring, else in a file; give the vault that took it."""
    if wanted != "file" and (wanted == "keyring" or has_keyring()):
        keyring = KeyringVault()
        try:
            keyring.keep(did, secret)
        except VaultError:
            if wanted is not None:
                raise
        else:
            return keyring
    vault = FileVault(folder)
    vault.keep(did, secret)
    return vault


def has_keyring() -> bool:
    """Tell whether this system has a keyring that keeps anything."""
    import keyring  # noqa: PLC0415

    try:
        return bool(keyring.get_keyring().priority > 0)
    except Exception:  # noqa: BLE001 - a backend that cannot even say what it is keeps nothing
        return False
