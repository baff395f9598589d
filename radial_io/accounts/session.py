"""A session: what an account's server is asked in the account's name.

    async with open_session(accounts, accounts.find(None)) as session:
        answer = await session.call(Procedure("com.atproto.repo.uploadBlob", raw, "image/png"))

Strategy: one attempt at a time; only an answer that says "renew" is followed by a second, for it did nothing. Renewing
is done under a lock of all processes, and what lies in the vault is looked at first: whoever comes second takes what
the first one got. What is renewed is kept before it is used. A server that quotes a secret back is not quoted.
"""

from __future__ import annotations

import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import attrs

from radial_io.accounts.book import Accounts
from radial_io.accounts.credentials import Credentials, read_credentials
from radial_io.accounts.errors import SessionEndedError
from radial_io.accounts.locking import alone
from radial_io.accounts.values import Account
from radial_io.atproto.identity import server_given
from radial_io.atproto.procedures import Answer, Procedure, call_once
from radial_io.atproto.xrpc import Get, XrpcClient, open_client


class Session:
    """Somebody's session at their server. Whoever writes, writes to the repo of `did`: there is no other way."""

    def __init__(self, accounts: Accounts, account: Account, client: XrpcClient, credentials: Credentials) -> None:
        self.account = account
        self.client = client
        self._accounts = accounts
        self._credentials = credentials

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
        return await self.client.query(self.pds, question)

    async def call(self, procedure: Procedure, *, seconds: float = 60.0) -> Answer:
        """Ask for a change once, in the account's name; the session is renewed on the way where that is due.

        Raises `UnsentError` when the server was not reached, `UnreachableError` when it is not known what became of it,
        `SessionEndedError` when the session is over, `VaultError`.
        """
        used = self._credentials
        answer = await self._attempt(procedure, used, seconds)
        if not used.are_over(answer):
            return answer
        self._credentials = await self._renewed(used)
        answer = await self._attempt(procedure, self._credentials, seconds)
        if self._credentials.are_over(answer):
            raise SessionEndedError(f"{self.pds} takes no session of {self.account.handle} ({answer.name})")
        return answer

    async def revoke(self) -> None:
        """End the session at the server. Raises the error of a request."""
        await self._credentials.revoke(self.client, self.pds)

    async def _attempt(self, procedure: Procedure, credentials: Credentials, seconds: float) -> Answer:
        headers = credentials.headers("POST", f"{self.pds}/xrpc/{procedure.nsid}")
        answer = await call_once(self.client, self.pds, procedure, headers, seconds=seconds)
        name, message = ("" if credentials.show_in(text) else text for text in (answer.name, answer.message))
        return attrs.evolve(answer, name=name, message=message)

    async def _renewed(self, used: Credentials) -> Credentials:
        async with alone(self._accounts.lock_file(self.account)):
            kept = _kept(self._accounts, self.account)
            if kept != used:  # another process was here
                return kept
            new = await used.renewed(self.client, self.pds)
            self._accounts.vault(self.account).keep(self.did, new.to_secret())
            return new


@asynccontextmanager
async def open_session(accounts: Accounts, account: Account) -> AsyncIterator[Session]:
    """Open an account's session for the block. Raises `SessionEndedError`, `VaultError`, `UnreachableError`."""
    leave_no_core()
    credentials = _kept(accounts, account)
    _, reach = await server_given(account.pds, is_directory=False)
    async with open_client(reach) as client:
        yield Session(accounts, account, client, credentials)


def _kept(accounts: Accounts, account: Account) -> Credentials:
    secret = accounts.vault(account).read(account.did)
    if secret is None:
        raise SessionEndedError(f"no session of {account.handle} is kept")
    return read_credentials(secret)


def leave_no_core() -> None:
    """Have this process leave no image of its memory behind when it crashes: there are secrets in it."""
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
