"""A session: what an account's server is asked in the account's name."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from radial_io.accounts.book import Accounts
from radial_io.accounts.values import Account
from radial_io.atproto.procedures import Answer, Procedure
from radial_io.atproto.xrpc import Get, XrpcClient


class Session:
    """Somebody's session at their server. Whoever writes, writes to the repo of `did`: there is no other way."""

    def __init__(self, account: Account, client: XrpcClient) -> None:
        self.account = account
        self.client = client

    @property
    def did(self) -> str:
        """The account's DID: the author of whatever is written in this session."""
        return self.account.did

    @property
    def pds(self) -> str:
        """The account's server: scheme, host and port."""
        return self.account.pds

    async def ask(self, question: Get) -> bytes:
        """Ask the account's own server what it tells everybody. Raises as `XrpcClient.query` does."""
        raise NotImplementedError

    async def call(self, procedure: Procedure) -> Answer:
        """Ask for a change once, in the account's name; the session is renewed on the way where that is due.

        Raises `UnsentError` when the server was not reached, `UnreachableError` when it is not known what became of it,
        `SessionEndedError` when the session is over, `VaultError`.
        """
        raise NotImplementedError


@asynccontextmanager
async def open_session(accounts: Accounts, account: Account) -> AsyncIterator[Session]:
    """Open an account's session for the block. Raises `SessionEndedError`, `VaultError`, `UnreachableError`."""
    raise NotImplementedError
    yield
