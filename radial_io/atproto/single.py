"""One record out of a repo, with the proof that it is in there.

Strategy: `com.atproto.sync.getRecord` answers with the signed commit, the nodes of the tree on the way to one key, and
the record. That is believed as far as a whole repo is, for this one key: the commit is of that account and signed by
its key, each block is what its CID names, and the way through the tree leads to the record, or shows that there is
none. A way that ends at a block which is not there shows neither, and is an error.
"""

from __future__ import annotations

from typing import Final

from radial_core.cids import Cid
from radial_io.atproto.car import CarLimits, read_car
from radial_io.atproto.commits import verify_commit
from radial_io.atproto.keys import SigningKey
from radial_io.atproto.partial import PartialTree
from radial_io.atproto.repository import Entry, RepositoryLimits, SpoiledEntry, read_entry
from radial_io.errors import CarError, MissingBlockError

GET_PROVEN: Final = "com.atproto.sync.getRecord"
LONGEST_PROOF: Final = 4 * 2**20
_LIMITS: Final = CarLimits(longest_block=2 * 2**20, most_bytes=LONGEST_PROOF, most_blocks=2_000)


def prove_record(raw: bytes, did: str, path: str, key: SigningKey, *, latest: str) -> Entry | SpoiledEntry | None:
    """Give what stands at a path (`COLLECTION/RKEY`) of a repo, or None: it is proven that nothing does.

    `latest` is the greatest rev that is believed, from `latest_rev`. Raises `DisprovedError`; its `SignatureError` may
    be another with a key looked up afresh.
    """
    roots, blocks = read_car(raw, _LIMITS)
    if len(roots) != 1:
        raise CarError(f"a CAR with {len(roots)} roots proves no record")
    if roots[0] not in blocks:
        raise MissingBlockError("the commit is not in the CAR", roots[0])
    commit = verify_commit(blocks[roots[0]], Cid(roots[0]), did=did, key=key, latest=latest)
    cid = PartialTree(commit.data.binary, blocks.get).value(path.encode())
    if cid is None:
        return None
    if cid not in blocks:
        raise MissingBlockError("the record is not in the CAR", cid)
    return read_entry(path.encode(), cid, blocks[cid], RepositoryLimits())
