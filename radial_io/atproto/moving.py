"""Asking a repo's server, wherever the repo is by now.

Strategy: an account that moves leaves a server behind that answers no more, or answers with what it had; one that gets
another key leaves signatures behind. Neither is told to us, so it is found out when something fails: then the DID is
looked up afresh, and if that says anything new it is tried once more, there. What fails twice has failed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver
from radial_io.errors import AddressError, DisprovedError, RadialIoError, RequestError

T = TypeVar("T")


async def where_it_is(did: str, resolver: Resolver, attempt: Callable[[Identity], Awaitable[T]]) -> T:
    """Carry out an attempt with the identity of a DID, and once more if it fails and the DID turns out to have moved.

    Raises what the attempt raises (the first error, unless there was a second attempt), or what the look-up does.
    """
    identity = await resolver.identity(did)
    try:
        return await attempt(identity)
    except (RequestError, DisprovedError, AddressError):
        newer = await _afresh(did, resolver)
        if newer is None or newer == identity:
            raise
    return await attempt(newer)


async def _afresh(did: str, resolver: Resolver) -> Identity | None:
    """Look a DID up afresh; a directory that is down tells nothing new."""
    try:
        return await resolver.identity(did, fresh=True)
    except RadialIoError:
        return None
