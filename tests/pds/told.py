"""Waiting until a PDS has told everybody of all that was written so far.

Strategy: it tells whoever listens a moment after it has answered who wrote, on a busy machine seconds after; a stream
that begins "now" may thus be told of what was written before it began. Events go out in one order. So somebody listens,
an account is made, and once that is heard of nothing older is still to come.
"""

from __future__ import annotations

from uuid import uuid4

import anyio

from radial_io.atproto.identity import open_servers
from radial_io.atproto.messages import Binary, Closed, Idle
from radial_io.atproto.sockets import Socket, open_socket
from tests.pds.accounts import Servers, account

_LONGEST_EVENT = 2**20


def wait_until_told(servers: Servers) -> None:
    """Wait until no stream that begins from now on is told of anything older. Leaves an account behind."""
    anyio.run(_listen, servers)


async def _listen(servers: Servers) -> None:
    url = f"ws{servers.pds.removeprefix('http')}/xrpc/com.atproto.sync.subscribeRepos"
    async with (
        open_servers(plc=servers.plc) as (client, _),
        open_socket(client, url, max_message=_LONGEST_EVENT) as socket,
    ):
        with anyio.fail_after(60):
            while not await _hears_of(await anyio.to_thread.run_sync(_somebody_new, servers), socket):
                pass  # it may have come before the server listened to the socket


def _somebody_new(servers: Servers) -> str:
    with account(servers, f"told-{uuid4().hex[:8]}") as marker:
        return marker.did


async def _hears_of(did: str, socket: Socket) -> bool:
    while True:
        message = await socket.receive(5.0)
        assert not isinstance(message, Closed), message
        if isinstance(message, Idle):
            return False
        if isinstance(message, Binary) and did.encode() in message.data:
            return True
