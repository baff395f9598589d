"""Blobs, from what is kept of them or from their author's server.

Strategy: a blob is named by its bytes, so one that is at hand need not be asked for, whoever names it; and one that was
fetched is kept, as far as there is room. What is kept is checked like what comes from a server.
"""

from __future__ import annotations

import attrs

from radial_io.atproto.blobs import BlobLimits, BlobRef, fetch_blob
from radial_io.atproto.identity import Resolver
from radial_io.atproto.xrpc import XrpcClient
from radial_io.viewing.cupboard import Cupboard


@attrs.frozen
class Files:
    """Where blobs are fetched from. Without a `cupboard` nothing is kept."""

    client: XrpcClient
    resolver: Resolver
    cupboard: Cupboard | None = None

    async def fetch(self, author: str, blob: BlobRef, limits: BlobLimits) -> bytes:
        """Give the bytes of a blob that a record of this author names. Raises as `fetch_blob` does."""
        kept = self.cupboard.read(blob) if self.cupboard is not None else None
        if kept is not None and len(kept) <= limits.longest:
            return kept
        raw = await fetch_blob(author, blob, client=self.client, resolver=self.resolver, limits=limits)
        if self.cupboard is not None:
            self.cupboard.keep(blob, raw)
        return raw
