"""How much is taken of other people's servers: one value, for every way to read."""

from __future__ import annotations

import attrs

from radial_io.atproto.repository import RepositoryLimits
from radial_io.atproto.xrpc import MEBIBYTE, Span

_DOWNLOAD = Span(longest=1024 * MEBIBYTE, seconds=3600.0, stall=60.0)


@attrs.frozen(kw_only=True)
class Limits:
    """Bounds of time (seconds), of size (bytes) and of number.

    Of all: `repos` in one run, `repos_at_once` of them at the same time, `downloads_at_once` whole repos.
    Of the listing of one repo: `seconds`, `bytes` of answers, `records`, `pages` of one collection, `relistings` while
    the repo keeps changing. Seconds and bytes end before the next question, so that one server cannot keep the others
    waiting for ever or fill the memory; whoever puts the questions keeps them.
    Of the download of one repo: `download`, and `repository` for what is made of it.
    Of one transaction: `batch` records, or `batch_bytes` of them when that is sooner.

    Memory, at most: `repos_at_once` times `bytes`, and `downloads_at_once` times `repository.memory`.
    """

    repos: int = 10_000
    repos_at_once: int = 4
    downloads_at_once: int = 2
    seconds: float = 900.0
    bytes: int = 256 * MEBIBYTE
    records: int = 1_000_000
    pages: int = 20_000
    relistings: int = 3
    download: Span = _DOWNLOAD
    repository: RepositoryLimits = attrs.field(factory=RepositoryLimits)
    batch: int = 500
    batch_bytes: int = 8 * MEBIBYTE
