"""What `radial sync` and `radial watch` begin with: the store opened for writing, the servers, the spaces.

Strategy: what is wrong with the text of the command line is said before anything is opened.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Final

import attrs

from radial_cli.exits import USAGE, Failure
from radial_cli.untrusted import one_line
from radial_io.atproto.identity import open_servers, plain_given
from radial_io.atproto.repository import RepositoryLimits
from radial_io.atproto.xrpc import MEBIBYTE
from radial_io.ingest.choosing import LOOKS, Choice, ChoiceError, read_choice
from radial_io.ingest.follow import root_of
from radial_io.ingest.following import Following, Servers, Settings
from radial_io.ingest.limits import Limits
from radial_io.ingest.news import News
from radial_io.store.store import Store

_PARSED: Final = 4


@attrs.frozen
class Asked:
    """What was asked for on the command line."""

    spaces: list[str]
    sources: list[str]
    pds: str | None
    plc: str | None
    store: str | None
    memory: int  # MiB

    @property
    def limits(self) -> Limits:
        """Give the bounds that follow from the memory of one repo; parsed, an answer takes some times its size."""
        memory = self.memory * MEBIBYTE
        return Limits(bytes=memory // _PARSED, repository=RepositoryLimits(memory=memory))

    def require_sense(self) -> None:
        """Check what spaces and servers are called, as far as text tells. Raises `SpaceUriError`, `GivenUrlError`."""
        for space in self.spaces:
            root_of(space)
        for url in (self.pds, self.plc):
            if url is not None:
                plain_given(url)

    def choice(self, *, live: bool) -> Choice:
        """Give the ways that were chosen. Raises `Failure` for those that are none."""
        if self.pds is not None and self.plc is not None:
            raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)
        try:
            choice = read_choice(self.sources)
        except ChoiceError as error:
            raise Failure(one_line(str(error)), "`--help` lists the ways.", USAGE) from error
        for way in (choice.usual, *choice.others.values()):
            if way.adapter not in LOOKS and not live:
                raise Failure(f"{way.adapter} is a stream, and sync reads once", "`radial watch` follows it.", USAGE)
        return choice


@asynccontextmanager
async def following(
    asked: Asked, settings: Settings, store: Store, tell: Callable[[News], None]
) -> AsyncIterator[Following]:
    """Open the servers and make a follower of these spaces."""
    async with open_servers(pds=asked.pds, plc=asked.plc, hosts=settings.choice.hosts) as (client, resolver):
        servers = Servers(client=client, resolver=resolver, clock=now)
        yield Following(asked.spaces, store=store, servers=servers, settings=settings, tell=tell)


def tap_password() -> str:
    """Give the password of a Tap's operator: from the environment, where no list of processes shows it."""
    return os.environ.get("RADIAL_TAP_PASSWORD", "")


def now() -> str:
    """Give the observer's own time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
