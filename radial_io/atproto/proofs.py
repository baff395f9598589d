"""What a commit of a stream proves of its operations, and whether it follows the state before (Sync 1.1).

Strategy: the event is believed only as far as the signed tree bears it out. The commit is verified as that of a whole
repo is; then each operation is looked up in the part of the tree that came with it: a record must stand where it was
written, nothing where it was deleted. Then the operations are undone in that part of the tree. When this leads to the
root that the event names as the one before (`prevData`), nothing else was changed between the two: whoever holds the
state under that root has lost nothing. An event that contradicts itself is refused; what the blocks do not reach is
said to be unproven, never guessed: then the repo has to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from radial_core.cids import Cid
from radial_core.identifiers import is_did, is_nsid, is_record_key
from radial_io.atproto.car import CarLimits, read_car
from radial_io.atproto.commits import Commit, verify_commit
from radial_io.atproto.keys import SigningKey
from radial_io.atproto.mst import BlockOf
from radial_io.atproto.partial import PartialTree
from radial_io.atproto.repository import RepositoryLimits, SpoiledEntry, read_entry
from radial_io.atproto.spelling import spell_cid
from radial_io.errors import CommitError, MissingBlockError, quoted

MOST_OPS: Final = 200  # what the protocol lets a commit have
_LIMITS: Final = CarLimits(longest_block=2 * 2**20, most_bytes=8 * 2**20, most_blocks=20_000)


@attrs.frozen
class Op:
    """One operation as the event tells it. `prev` is the CID that stood there before, when the event says it."""

    action: str
    path: str
    cid: bytes | None
    prev: bytes | None


@attrs.frozen
class ProvenOp:
    """One operation: `create`, `update` or `delete`. `raw` is the record's DAG-CBOR, None for a deletion.

    `unproven` is empty when the tree under the new commit shows the outcome, else it says why that is not shown: then
    the operation is no more than a hint to read the repo, and has no `raw`. `spoiled` is empty, or says why the bytes
    at this path are no record.
    """

    action: str
    collection: str
    rkey: str
    cid: str | None
    raw: bytes | None
    unproven: str = ""
    spoiled: str = ""


@attrs.frozen
class CommitProof:
    """A verified commit of a stream.

    `since` is the rev and `previous` the root of the tree (`prevData`) that it says came before. `unchained` is empty
    when undoing the operations leads to `previous`: then nothing else was changed; else it says why that is not shown.
    """

    commit: Commit
    since: str | None
    ops: tuple[ProvenOp, ...]
    previous: Cid | None
    unchained: str = ""


def prove_commit(body: Mapping[str, Any], key: SigningKey, *, latest: str) -> CommitProof:
    """Verify the body of a `#commit` message, as it was decoded: links are `Cid`.

    Raises `DisprovedError` when it is malformed or contradicts itself; `SignatureError` may be another with a key
    looked up afresh. Missing blocks are no contradiction: what they leave open is said to be unproven.
    """
    did, rev, cid, raw = _fields(body)
    ops = _ops(body.get("ops"))
    roots, blocks = read_car(raw, _LIMITS)
    if roots[:1] != (cid.binary,):
        raise CommitError("the CAR of the event is not that of its commit")
    if cid.binary not in blocks:
        raise MissingBlockError("the commit is not in the CAR of its event", cid.binary)
    commit = verify_commit(blocks[cid.binary], cid, did=did, key=key, latest=latest)
    if commit.rev != rev:
        raise CommitError(f"the event says rev {rev}, its commit {commit.rev}")
    since, previous = body.get("since"), body.get("prevData")
    return CommitProof(
        commit=commit,
        since=since if isinstance(since, str) else None,
        ops=_all_proven(ops, commit.data.binary, blocks.get),
        previous=previous if isinstance(previous, Cid) else None,
        unchained=unchained(
            ops, commit.data.binary, previous.binary if isinstance(previous, Cid) else None, blocks.get
        ),
    )


def unchained(ops: tuple[Op, ...], root: bytes, previous: bytes | None, block_of: BlockOf) -> str:
    """Undo operations in the tree under `root`; say why it is not shown that this leads to the tree under `previous`.

    Empty when it is shown. Raises `CommitError` when it leads elsewhere.
    """
    if previous is None:
        return "the event does not name the tree before it"
    if any((op.prev is None) is not (op.action == "create") for op in ops):
        return "the event does not say what its operations replaced"
    try:
        found = _undone(ops, root, block_of)
    except MissingBlockError as error:
        return str(error)
    if found != previous:
        raise CommitError("undone, the operations of the event do not lead to the tree that it says came before")
    return ""


def _undone(ops: tuple[Op, ...], root: bytes, block_of: BlockOf) -> bytes:
    tree = PartialTree(root, block_of)
    for op in ops:
        key = op.path.encode()
        _check(op, tree)
        if op.prev is None:
            tree.remove(key)
        else:
            tree.put(key, op.prev)
    return tree.root()


_PAST: Final = {"create": "created", "update": "updated", "delete": "deleted"}


def _all_proven(ops: tuple[Op, ...], root: bytes, block_of: BlockOf) -> tuple[ProvenOp, ...]:
    try:
        tree = PartialTree(root, block_of)  # one for all: a node is read once, however many operations pass through it
    except MissingBlockError as error:
        return tuple(_told(op, unproven=str(error)) for op in ops)
    return tuple(_proven(op, tree, block_of) for op in ops)


def _proven(op: Op, tree: PartialTree, block_of: BlockOf) -> ProvenOp:
    try:
        _check(op, tree)
    except MissingBlockError as error:
        return _told(op, unproven=str(error))
    if op.cid is None:
        return _told(op)
    raw = block_of(op.cid)
    if raw is None:
        return _told(op, unproven="the record is not in the CAR of its event")
    entry = read_entry(op.path.encode(), op.cid, raw, RepositoryLimits())
    return _told(op, raw, spoiled=entry.reason if isinstance(entry, SpoiledEntry) else "")


def _told(op: Op, raw: bytes | None = None, *, unproven: str = "", spoiled: str = "") -> ProvenOp:
    collection, _, rkey = op.path.partition("/")
    cid = None if op.cid is None else spell_cid(op.cid)
    return ProvenOp(op.action, collection, rkey, cid, raw, unproven, spoiled)


def _check(op: Op, tree: PartialTree) -> None:
    """Check that the tree shows what an operation says. Raises `CommitError` when it shows something else."""
    if tree.value(op.path.encode()) != op.cid:
        raise CommitError(f"the tree does not bear out that {op.path} was {_PAST[op.action]}")


def _fields(body: Mapping[str, Any]) -> tuple[str, str, Cid, bytes]:
    did, rev, cid, raw = (body.get(name) for name in ("repo", "rev", "commit", "blocks"))
    if not isinstance(did, str) or not is_did(did) or not isinstance(rev, str):
        raise CommitError("an event that does not say whose commit it tells of, or which")
    if not isinstance(cid, Cid) or not isinstance(raw, bytes):
        raise CommitError("an event without its commit or without blocks")
    return did, rev, cid, raw


def _ops(items: Any) -> tuple[Op, ...]:
    if not isinstance(items, list) or len(items) > MOST_OPS:
        raise CommitError(f"an event without a list of operations, or with more than {MOST_OPS}")
    ops = tuple(map(_op, items))
    if len({op.path for op in ops}) != len(ops):
        raise CommitError("an event with two operations on one path")
    return ops


def _op(item: Any) -> Op:
    if not isinstance(item, dict):
        raise CommitError("an operation that is no object")
    action, path, cid, prev = (item.get(name) for name in ("action", "path", "cid", "prev"))
    if not isinstance(action, str) or action not in _PAST or not isinstance(path, str) or not _is_path(path):
        raise CommitError(f"an operation {quoted(action)} on {quoted(path)}")
    if isinstance(cid, Cid) is (action == "delete") or not isinstance(prev, Cid | None):
        raise CommitError(f"the operation on {path} does not name its record as it must")
    return Op(action, path, cid.binary if isinstance(cid, Cid) else None, prev.binary if prev else None)


def _is_path(path: str) -> bool:
    collection, _, rkey = path.partition("/")
    return is_nsid(collection) and is_record_key(rkey)
