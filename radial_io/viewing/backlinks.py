"""Asking a backlink index which records name a goal.

Strategy: a backlink index reads the whole network and answers one question: which records hold this URI at this place?
The one that is asked when nobody says otherwise is Constellation's public instance, by its query
`blue.microcosm.links.getBacklinks`. Its answers are hints and nothing more: an entry that cannot be the name of a
message is dropped, a page that cannot be read ends the listing, and so does a cursor that stands still. The operator
may name another server, also a private one; it opens no way to any other.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import attrs

from radial_core.identifiers import is_did, is_record_key
from radial_core.records import PREFIX
from radial_io.atproto.addresses import PUBLIC
from radial_io.atproto.identity import server_given
from radial_io.atproto.xrpc import Get, XrpcClient, open_client
from radial_io.errors import NotJsonError

PUBLIC_INDEX: Final = "https://constellation.microcosm.blue"
MESSAGES: Final = f"{PREFIX}message"
GET_BACKLINKS: Final = "blue.microcosm.links.getBacklinks"
_SOURCE: Final = f"{MESSAGES}:goal.uri"  # the collection, and where in its records the URI stands
_PAGE: Final = 100
_LONGEST_CURSOR: Final = 1024


@attrs.frozen
class Hit:
    """A record that is said to name the target."""

    did: str
    rkey: str

    @property
    def path(self) -> str:
        """The record's path in its repo."""
        return f"{MESSAGES}/{self.rkey}"

    @property
    def uri(self) -> str:
        """The record's URI."""
        return f"at://{self.did}/{self.path}"


@attrs.frozen
class HitPage:
    """One answer: its hits, how many entries were none, and where to go on."""

    hits: tuple[Hit, ...]
    dropped: int
    cursor: str | None


@attrs.frozen
class Backlinks:
    """A backlink index: the server, and a client that reaches it."""

    client: XrpcClient
    server: str = PUBLIC_INDEX

    async def page(self, target: str, cursor: str | None = None) -> HitPage:
        """Ask for messages that name a goal, a hundred at a time. Raises `RadialIoError`."""
        parameters = [("subject", target), ("source", _SOURCE), ("limit", str(_PAGE))]
        if cursor is not None:
            parameters.append(("cursor", cursor))
        return read_hits(self.server, await self.client.query(self.server, Get(GET_BACKLINKS, tuple(parameters))))


def read_hits(url: str, body: bytes) -> HitPage:
    """Read one answer. Raises `NotJsonError`."""
    try:
        page: Any = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(url, "answered with something that is not JSON", b"") from error
    items = page.get("records") if isinstance(page, dict) else None
    if not isinstance(items, list):
        raise NotJsonError(url, "answered with something that is no list of records", b"")
    hits = tuple(hit for item in items[:_PAGE] if (hit := _hit(item)) is not None)
    return HitPage(hits, len(items) - len(hits), _cursor(page.get("cursor")))


def _hit(item: Any) -> Hit | None:
    fields = item if isinstance(item, dict) else {}
    did, collection, rkey = (fields.get(name) for name in ("did", "collection", "rkey"))
    if collection != MESSAGES or not isinstance(did, str) or not isinstance(rkey, str):
        return None
    return Hit(did, rkey) if is_did(did) and is_record_key(rkey) else None


def _cursor(cursor: Any) -> str | None:
    return cursor if isinstance(cursor, str) and 0 < len(cursor) <= _LONGEST_CURSOR else None


@asynccontextmanager
async def open_backlinks(url: str | None = None) -> AsyncIterator[Backlinks]:
    """Open a client for a backlink index, the public one unless another is given; closed at the end of the block.

    Raises `GivenUrlError` for a URL that is no server's, `UnreachableError` for a name without an address.
    """
    server, reach = (PUBLIC_INDEX, PUBLIC) if url is None else await server_given(url, is_directory=False)
    async with open_client(reach) as client:
        yield Backlinks(client, server)
