"""Whose inbox it is: who was named, else whose account acts here."""

from __future__ import annotations

from radial_cli.accounts.place import acting_account
from radial_cli.outside import told
from radial_core.identifiers import is_did


def principal(name: str | None) -> str:
    """Give the DID of who is meant: a DID as it is, an account that is logged in here, or the current one.

    Raises `Failure` when nobody is.
    """
    if name is not None and is_did(name):
        return name
    with told():
        return acting_account(name).did
