"""From a handle to a DID, both ways.

Strategy: records name people by DID alone, so a handle is looked up before anything is built, at the acting account's
own server. A server can say anything; so the DID's document is asked whether it claims that handle in turn, and the DID
is shown beside the handle before it is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from radial_cli.acting.manner import Manner
from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.outside import told
from radial_cli.running import run
from radial_cli.untrusted import one_line
from radial_core.identifiers import is_did, is_handle
from radial_io.accounts.values import Account
from radial_io.atproto.identity import FixedPds, open_servers
from radial_io.atproto.xrpc import Get
from radial_io.errors import RefusedError

_RESOLVE = "com.atproto.identity.resolveHandle"
_REFUSED = 400


def look_up(names: Iterable[str], account: Account, manner: Manner) -> dict[str, str]:
    """Map the handles among these names to DIDs. Raises `Failure` for one that leads nowhere, or not back."""
    handles = sorted({bare for name in names if is_handle(bare := name.removeprefix("@"))})
    if not handles:
        return {}
    with told("a handle cannot be looked up: "):
        return run(lambda: _look_up(handles, account, manner))


async def _look_up(handles: list[str], account: Account, manner: Manner) -> dict[str, str]:
    found: dict[str, str] = {}
    async with open_servers(pds=account.pds) as (client, _):
        for handle in handles:
            question = Get(_RESOLVE, (("handle", handle),))
            try:
                found[handle] = _did(await client.query(account.pds, question), handle)
            except RefusedError as error:
                if error.status == _REFUSED:
                    raise _nobody(handle) from error
                raise
    async with open_servers(pds=manner.pds, plc=manner.plc) as (_, resolver):
        for handle, did in found.items():
            identity = await resolver.identity(did)
            if not isinstance(resolver, FixedPds) and handle.lower() not in map(str.lower, identity.handles):
                raise Failure(f"{handle} leads to {did}, who does not claim it", "Name them by their DID.", NOT_FOUND)
    return found


def _did(body: bytes, handle: str) -> str:
    try:
        did = json.loads(body)["did"]
    except (ValueError, RecursionError, TypeError, KeyError):
        raise _nobody(handle) from None
    if not isinstance(did, str) or not is_did(did):
        raise _nobody(handle)
    return did


def _nobody(handle: str) -> Failure:
    return Failure(f"nobody is called {one_line(handle, 200)}", "Check the handle, or give the DID.", NOT_FOUND)
