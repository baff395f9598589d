"""`radial login`, `radial logout`: a session at one's own server.

Strategy: the password is typed unseen, or comes over standard input; it is in no argument, for those can be read by
everybody on the machine. Whoever logs in is told where the session lies.
"""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Final

from radial_cli.accounts.listing import as_json as account_json
from radial_cli.accounts.place import accounts, acting_account, wanted_vault
from radial_cli.exits import USAGE, Failure
from radial_cli.output import out, out_json, say
from radial_cli.outside import told
from radial_cli.running import run
from radial_cli.untrusted import file_name, one_line
from radial_io.accounts.signing_in import login as log_in, logout as log_out
from radial_io.accounts.values import Account, Secret
from radial_io.accounts.vaults import FileVault

_LONGEST: Final = 1024  # characters


def login(name: str, *, pds: str | None, plc: str | None, from_stdin: bool, as_json: bool) -> None:
    """Log in with an app password, and say where the session lies."""
    if pds is not None and plc is not None:
        raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)
    vault = wanted_vault()
    password = _password(from_stdin=from_stdin)
    with told():
        account = run(lambda: log_in(name, password, accounts=accounts(), pds=pds, plc=plc, vault=vault))
    if as_json:
        out_json(account_json(account, is_current=True))
    else:
        out(f"{one_line(account.handle)} is logged in ({account.did}) at {account.pds}\n")
    say(f"radial: {_where(account)}")


def logout(name: str | None, *, as_json: bool) -> None:
    """End a session, at the server too where that works out."""
    with told():
        account = acting_account(name)
        reached = run(lambda: log_out(accounts(), account))
    if as_json:
        out_json({"did": account.did, "handle": account.handle, "revoked": reached})
    else:
        out(f"{one_line(account.handle)} is logged out\n")
    if not reached:
        say(f"radial: {account.pds} was not told. Revoke the app password in the account's settings.")


def _password(*, from_stdin: bool) -> Secret:
    if from_stdin:
        text = sys.stdin.readline(_LONGEST + 1) if sys.stdin is not None else ""
    elif sys.stdin is not None and sys.stdin.isatty():
        text = getpass("App password: ")
    else:
        raise Failure("there is no terminal to ask for the app password", "Send it: --password-stdin < FILE", USAGE)
    text = text.rstrip("\r\n")
    if not text or len(text) > _LONGEST:
        raise Failure("there is no app password", "The account's settings make one; type it, or send it.", USAGE)
    return Secret(text)


def _where(account: Account) -> str:
    if account.vault == "keyring":
        return "the session is kept in the system's keyring; the password is kept nowhere"
    file = file_name(str(FileVault(accounts().secrets).file(account.did)))
    return f"no keyring is used: the session is kept in {file}, which only you can read; the password is kept nowhere"
