"""What accounts and sessions can fail with.

    AccountError                  every failure of an account or of its session
    ├── NoAccountError            nobody is logged in, or not whom was named
    ├── NoNameError               what was named is neither a handle nor a DID
    ├── NoServerError             a handle that does not lead to a server
    ├── LoginRefusedError         the server does not take the identifier and the password
    ├── SessionEndedError         the session is over and cannot be renewed: expired, revoked, account ended
    └── VaultError                the place where the secrets lie cannot be used
        └── OwnFileError          a file of the accounts cannot be used

Strategy: no error holds a secret. What a server says is quoted short, and it is never told more than it must know.
"""

from __future__ import annotations

from radial_io.errors import RadialIoError


class AccountError(RadialIoError):
    """Every failure of an account or of its session."""


class NoAccountError(AccountError):
    """Nobody is logged in, or not whom was named."""

    advice = "`radial login HANDLE` logs in; `radial accounts` lists who is."


class NoNameError(AccountError):
    """What was named is neither a handle nor a DID."""

    advice = "A handle is a name like alice.example.com, a DID begins with did:."


class NoServerError(AccountError):
    """A handle that does not lead to a server."""

    advice = "Log in with the DID instead of the handle, or name the account's server with --pds."


class LoginRefusedError(AccountError):
    """The server does not take the identifier and the password."""

    advice = "Use an app password, not that of the account; the account's settings make one."


class SessionEndedError(AccountError):
    """The session is over and cannot be renewed."""

    advice = "Log in again with `radial login`."


class VaultError(AccountError):
    """The place where the secrets lie cannot be used."""

    advice = "Unlock the keyring, or log in again with RADIAL_VAULT=file to keep the session in a file of your own."


class OwnFileError(VaultError):
    """A file of the accounts cannot be used."""

    advice = "Make it a file of your own that you can read and write, or move it away and log in again."
