"""`radial whoami`, `radial accounts`, `radial use`: who is logged in here, and who acts."""

from __future__ import annotations

from typing import Any

from radial_cli.accounts.place import accounts, acting_account
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.outside import told
from radial_cli.render import Page
from radial_cli.untrusted import one_line
from radial_io.accounts.values import Account


def as_json(account: Account, *, is_current: bool) -> dict[str, Any]:
    """Give an account with the documented keys."""
    return {
        "did": account.did,
        "handle": account.handle,
        "pds": account.pds,
        "vault": account.vault,
        "current": is_current,
    }


def print_who(*, as_json_: bool) -> None:
    """Print who acts. Nobody is asked."""
    with told():
        account, current = acting_account(), accounts().current()
    if as_json_:
        out_json(as_json(account, is_current=account == current))
    else:
        out(f"{one_line(account.handle)} ({account.did}) at {account.pds}\n")


def print_accounts(*, as_json_: bool) -> None:
    """Print everybody who is logged in; a star marks who acts when nobody is named."""
    with told():
        found, current = accounts().all(), accounts().current()
    if as_json_:
        out_json({"accounts": [as_json(account, is_current=account == current) for account in found]})
        return
    page = Page(width(), styled=is_terminal())
    page.columns((_row(account, is_current=account == current) for account in found), indent=0)
    out(page.text())
    if not found:
        say("radial: nobody is logged in: `radial login HANDLE`")


def _row(account: Account, *, is_current: bool) -> tuple[Any, ...]:
    return "*" if is_current else " ", (one_line(account.handle), "name"), account.did, account.pds, account.vault


def use(name: str, *, as_json_: bool) -> None:
    """Make somebody the one who acts when nobody is named."""
    with told():
        account = accounts().use(name)
    if as_json_:
        out_json(as_json(account, is_current=True))
    else:
        out(f"{one_line(account.handle)} acts from now on ({account.did})\n")
