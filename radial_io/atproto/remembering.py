"""Identities, remembered for a while.

Strategy: documents change seldom, and when they do it is noticed: a PDS that was left answers no more, a key that was
changed verifies nothing. So an identity is believed for an hour, and asked for anew when somebody doubts it; but not
again within a minute, so that a server which sends bad signatures cannot have us flood a directory. While the directory
cannot be reached, what it said within the last day still holds, except for those who doubt it: an hour of its absence
must not stop the reading of repos. What it answers, also that a DID is given up, holds at once. Time is an argument.
"""

from __future__ import annotations

import attrs

from radial_io.atproto.documents import Identity


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
