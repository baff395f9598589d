"""Logging in with an app password, and out.

Strategy: the password goes to one server, that of the account, found over the handle's host and the DID's document, or
named by hand; it is sent once and then forgotten. What comes back is believed as far as it was asked for: a server that
logs somebody else in than was named is refused.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

import attrs

from radial_core.identifiers import is_did
from radial_io.accounts.book import Accounts
from radial_io.accounts.credentials import Tokens, known_name
from radial_io.accounts.errors import LoginRefusedError, NoNameError, NoServerError, SessionEndedError, VaultError
from radial_io.accounts.session import leave_no_core, open_session
from radial_io.accounts.values import Account, Secret, VaultName
from radial_io.accounts.vaults import keep_somewhere
from radial_io.atproto.handles import normal_handle
from radial_io.atproto.identity import open_servers, owner_of_handle, plain_given
from radial_io.atproto.procedures import Answer, Procedure, call_once
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import NotJsonError, RadialIoError, RateLimitError, RefusedError, RequestError, quoted

CREATE: Final = "com.atproto.server.createSession"
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500


@attrs.frozen
class Place:
    """Where somebody is known: the identifier to log in with, the server, and the DID when it is known beforehand."""

    identifier: str
    pds: str
    did: str | None


async def login(
    name: str,
    password: Secret,
    *,
    accounts: Accounts,
    pds: str | None = None,
    plc: str | None = None,
    vault: VaultName | None = None,
) -> Account:
    """Log in with an app password; the account is kept, and becomes the current one.

    `name` is a handle or a DID; `pds` names the server, else it is found, with `plc` in that directory. Raises
    `NoNameError`, `LoginRefusedError`, `NoServerError`, `IdentityError`, `VaultError`, or as a request does.
    """
    leave_no_core()
    identifier = _identifier(name)
    async with open_servers(pds=pds, plc=plc) as (client, resolver):
        did = identifier if is_did(identifier) else None
        if pds is None:
            did = did or await _did_of(identifier, client)
            server = (await resolver.identity(did)).pds
        else:
            server = plain_given(pds)
        answer = await call_once(client, server, Procedure(CREATE, _body(identifier, password)), {})
    did, handle, tokens = _read(answer, Place(identifier, server, did))
    kept = keep_somewhere(did, tokens.to_secret(), accounts.secrets, vault)
    account = Account(did, handle, server, kept.name)
    accounts.add(account)
    return account


async def logout(accounts: Accounts, account: Account) -> bool:
    """End the session, here in any case; tell whether the server was told as well. Raises `VaultError`."""
    told = False
    with suppress(RadialIoError):
        async with open_session(accounts, account) as session:
            await session.revoke()
            told = True
    with suppress(VaultError):
        accounts.vault(account).drop(account.did)
    accounts.drop(account)
    return told


def _identifier(name: str) -> str:
    """Read a handle or a DID as people write them. Raises `NoNameError`."""
    text = name.strip().removeprefix("at://").removeprefix("@")
    found = text if is_did(text) else normal_handle(text)
    if found is None:
        raise NoNameError(f"“{quoted(name)}” is neither a handle nor a DID")
    return found


async def _did_of(handle: str, client: XrpcClient) -> str:
    """Ask the handle's own host whose it is. Raises `NoServerError`."""
    with suppress(RequestError):
        did = await owner_of_handle(client.http, handle)
        if did is not None:
            return did
    raise NoServerError(f"the host {handle} does not say whose handle it is, and DNS is not asked")


def _body(identifier: str, password: Secret) -> bytes:
    return json.dumps({"identifier": identifier, "password": password.reveal()}).encode()


def _read(answer: Answer, place: Place) -> tuple[str, str, Tokens]:
    if not answer.is_good:
        raise _refusal(answer, place)
    did, handle = answer.value.get("did"), answer.value.get("handle")
    if did is None:
        raise NotJsonError(place.pds, "does not say whom it logs in", b"")
    if not isinstance(did, str) or not is_did(did) or (place.did is not None and did != place.did):
        raise LoginRefusedError(f"{place.pds} logs in {quoted(did)}, who is not {place.identifier}")
    known = normal_handle(handle) if isinstance(handle, str) else None
    try:
        tokens = Tokens.given(answer.value, place.pds)
    except SessionEndedError as error:
        raise LoginRefusedError(str(error)) from error
    return did, known or did, tokens


_OF_THE_ACCOUNT: Final = {
    "AccountTakedown": "has been taken down",
    "AuthFactorTokenRequired": "wants a code by e-mail for this password: make an app password, which needs none",
}


def _refusal(answer: Answer, place: Place) -> RadialIoError:
    if answer.status == _TOO_MANY:
        return RateLimitError(place.pds, answer.status, answer.asked)
    if answer.status >= _SERVER_ERROR:
        return RefusedError(place.pds, answer.status, "", "")
    words = _OF_THE_ACCOUNT.get(answer.name)
    if words is not None:
        return LoginRefusedError(f"{place.identifier} {words}, says {place.pds}")
    return LoginRefusedError(f"{place.pds} does not log in {place.identifier} ({known_name(answer) or answer.status})")
