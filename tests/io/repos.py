"""Repositories made to be read: good ones, and bad ones by changing one thing.

Trees, CARs and signatures come from `streams_fakes_repo`, which uses none of the code under test. A repo made here is
whole and right; whoever wants another gives it another tree, other fields of the commit, or other blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from radial_io.atproto.keys import SigningKey, read_multikey
from tests.io.streams_fakes_repo import Signer, block, car, cid_of, link, tid, tree

DID: Final = "did:plc:" + "a" * 24
SIGNER: Final = Signer.numbered(7)
STRANGER: Final = Signer.numbered(8)
REV: Final = tid(1_700_000_000_000_000 << 10)
LATEST: Final = tid(1_800_000_000_000_000 << 10)
RADIAL: Final = "com.disnetdev.radial."

Tree = tuple[bytes, Mapping[bytes, bytes]]  # the root, and the nodes by CID


def key_of(signer: Signer) -> SigningKey:
    return read_multikey(signer.multikey)


KEY: Final = key_of(SIGNER)


def signed_commit(root: bytes, *, signer: Signer = SIGNER, **fields: Any) -> bytes:
    """A commit over a tree. A field given as `...` is left out; a `sig` given is taken as it is."""
    value = {"did": DID, "version": 3, "data": link(root), "rev": REV, "prev": None} | fields
    unsigned = {name: item for name, item in value.items() if item is not ... and name != "sig"}
    sig = fields.get("sig", signer.sign(block(unsigned)))
    return block(unsigned if sig is ... else unsigned | {"sig": sig})


@attrs.frozen
class MadeRepo:
    """The parts of a repo. `records` are blocks by path."""

    commit: bytes
    nodes: Mapping[bytes, bytes]
    records: Mapping[str, bytes]

    @property
    def root(self) -> bytes:
        return cid_of(self.commit)

    def blocks(self) -> list[bytes]:
        """Every block: commit, nodes, records in the order of paths."""
        return [self.commit, *self.nodes.values(), *(self.records[path] for path in sorted(self.records))]

    def car(self, blocks: Iterable[bytes] | None = None) -> bytes:
        return car(self.root, self.blocks() if blocks is None else blocks)


def make_repo(records: Mapping[str, Any], *, made: Tree | None = None, **fields: Any) -> MadeRepo:
    """A signed repo of these records, by path: values, or blocks as they are. With `made`, over that tree instead."""
    blocks = {path: value if isinstance(value, bytes) else block(value) for path, value in records.items()}
    root, nodes = made or tree({path: cid_of(raw) for path, raw in blocks.items()})
    return MadeRepo(signed_commit(root, **fields), nodes, blocks)


def node(entries: Iterable[tuple[int, bytes, bytes, bytes | None]], left: bytes | None = None) -> bytes:
    """A node as its parts say it, right or wrong: (shared, rest of the key, CID of the record, subtree)."""
    items = [{"p": shared, "k": rest, "v": link(cid), "t": link(right)} for shared, rest, cid, right in entries]
    return block({"l": link(left), "e": items})


def many_records(count: int, collection: str = RADIAL + "message") -> Iterator[tuple[str, dict[str, Any]]]:
    """Records as they are in a busy repo, of 400 to 700 bytes, each another."""
    for number in range(count):
        ref = {"uri": f"at://{DID}/{RADIAL}goal/{tid(number % 97)}", "cid": "bafyrei" + "a" * 52}
        yield (
            f"{collection}/{tid((1_600_000_000_000_000 + number * 977_231) << 10)}",
            {
                "$type": collection,
                "space": {"uri": f"at://{DID}/{RADIAL}space/{tid(3)}", "cid": "bafyrei" + "b" * 52},
                "goal": ref,
                "body": f"What was found in run {number}: " + "all is as it was before. " * (number % 12),
                "createdAt": f"2026-0{1 + number % 9}-11T12:00:00.{number % 1000:03}Z",
                "mentions": [],
            },
        )
