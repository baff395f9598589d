"""Identities, remembered for a while.

Strategy: documents change seldom, and when they do it is noticed: a PDS that was left answers no more, a key that was
changed verifies nothing. So an identity is believed for an hour, and asked for anew when somebody doubts it; but not
again within a minute, so that a server which sends bad signatures cannot have us flood a directory. While the directory
cannot be reached, what it said within the last day still holds, except for those who doubt it: an hour of its absence
must not stop the reading of repos. What it answers, also that a DID is given up, holds at once. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from radial_io.atproto.documents import Identity
from radial_io.atproto.identity import Resolver
from radial_io.errors import IdentityError, RateLimitError, RefusedError, RequestError

_SERVER_ERROR = 500


@attrs.define
class IdentityCache:
    """Which identity was told when. Times are in seconds, from any beginning; `most` bounds how many are kept."""

    fresh: float = 3600.0
    doubted: float = 60.0
    stale: float = 86_400.0
    most: int = 10_000
    _known: dict[str, tuple[float, Identity]] = attrs.field(factory=dict, init=False)

    def get(self, did: str, now: float, within: float) -> Identity | None:
        """Give what was told at most `within` seconds ago."""
        told, identity = self._known.get(did, (0.0, None))
        return identity if identity is not None and now - told <= within else None

    def keep(self, identity: Identity, now: float) -> None:
        """Remember what is told now; beyond `most`, what was told longest ago is forgotten."""
        self.forget(identity.did)
        self._known[identity.did] = (now, identity)
        if len(self._known) > self.most:
            del self._known[next(iter(self._known))]

    def forget(self, did: str) -> None:
        """Remember no more."""
        self._known.pop(did, None)


@attrs.define
class RememberingResolver:
    """Asks another resolver as seldom as it may. `clock` gives seconds that only grow."""

    resolver: Resolver
    clock: Callable[[], float]
    cache: IdentityCache = attrs.field(factory=IdentityCache)

    async def identity(self, did: str, *, fresh: bool = False) -> Identity:
        """Give the identity of a DID; with `fresh`, because what is remembered is doubted. Raises `RadialIoError`."""
        known = self.cache.get(did, self.clock(), self.cache.doubted if fresh else self.cache.fresh)
        return known or await self._asked(did, fresh=fresh)

    async def _asked(self, did: str, *, fresh: bool) -> Identity:
        try:
            identity = await self.resolver.identity(did, fresh=fresh)
        except IdentityError:
            self.cache.forget(did)
            raise
        except RequestError as error:
            known = None if fresh or _is_an_answer(error) else self.cache.get(did, self.clock(), self.cache.stale)
            if known is None:
                raise
            return known
        self.cache.keep(identity, self.clock())
        return identity


def _is_an_answer(error: RequestError) -> bool:
    """Tell whether a refusal is about the question rather than the state of the server."""
    if not isinstance(error, RefusedError) or isinstance(error, RateLimitError):
        return False
    return error.status < _SERVER_ERROR
