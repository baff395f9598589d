"""What a commit of a stream proves of its operations, and whether it follows the state before (Sync 1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from radial_io.atproto.commits import Commit
from radial_io.atproto.keys import SigningKey


@attrs.frozen
class ProvenOp:
    """One operation. `raw` is the record's DAG-CBOR, None for a deletion (and for an op that is not proven).

    `unproven` is empty when the tree under the new commit shows the op's outcome, else why it does not: then the op is
    no more than a hint to read the repo.
    """

    action: str  # create | update | delete
    collection: str
    rkey: str
    cid: str | None
    raw: bytes | None
    unproven: str = ""


@attrs.frozen
class CommitProof:
    """A verified commit of a stream. `unchained` is empty when undoing its ops leads to the tree it says it came from
    (`prevData`): then nothing else was changed by it; else it says why that is not shown.
    """

    commit: Commit
    since: str | None
    ops: tuple[ProvenOp, ...]
    previous: bytes | None  # prevData: the root of the tree before
    unchained: str = ""


def prove_commit(body: Mapping[str, Any], key: SigningKey, *, latest: str) -> CommitProof:
    """Verify the body of a `#commit` message. Raises `DisprovedError` when it contradicts itself.

    Missing blocks are no contradiction: what they leave open is said to be unproven.
    """
    raise NotImplementedError
