"""Commits: the signed roots of repos."""

from __future__ import annotations

import attrs

from radial_core.cids import Cid
from radial_io.atproto.keys import SigningKey


@attrs.frozen
class Commit:
    """A commit: its own CID, the DID it is of, its rev, the root of its tree (`data`), the commit before it if named."""

    cid: Cid
    did: str
    rev: str
    data: Cid
    prev: Cid | None


def latest_rev(now: str, *, lead: float = 300.0) -> str:
    """Give the greatest rev that is not in the future at `now` (a datetime), with `lead` seconds of others' clocks."""
    raise NotImplementedError


def verify_commit(block: bytes, cid: Cid, *, did: str, key: SigningKey, latest: str) -> Commit:
    """Read a commit and check it: form, DID, rev (not after `latest`), signature.

    Raises `CommitError`; `SignatureError` when all is right but the signature: try once more with a key looked up afresh.
    """
    raise NotImplementedError
