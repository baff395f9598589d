"""Signed repositories made by hand: MST, commits, CARs, and the events that a firehose tells of them.

None of the code under test is used: bytes come from `cbor2`, signatures from `cryptography`. The tree is built anew for
every commit, from the definition: a key stands on the layer that the leading zeros of its hash give it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, Final

import attrs
import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

_CURVE: Final = ec.SECP256K1()
_ORDER: Final = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_ALPHABET: Final = "234567abcdefghijklmnopqrstuvwxyz"
_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
K256_PREFIX: Final = b"\xe7\x01"


def block(value: Any) -> bytes:
    """The canonical bytes of a value, links as tag 42."""
    return cbor2.dumps(value, canonical=True)


def cid_of(raw: bytes) -> bytes:
    return b"\x01\x71\x12\x20" + hashlib.sha256(raw).digest()


def link(cid: bytes | None) -> cbor2.CBORTag | None:
    return None if cid is None else cbor2.CBORTag(42, b"\0" + cid)


def spelled(cid: bytes) -> str:
    return "b" + base64.b32encode(cid).decode().rstrip("=").lower()


def tid(number: int) -> str:
    """The TID of a small number: revisions that sort as the numbers do."""
    text = ""
    for _ in range(13):
        number, digit = divmod(number, 32)
        text = _ALPHABET[digit] + text
    return text


def car(root: bytes, blocks: Iterable[bytes]) -> bytes:
    """A CAR, version 1."""
    header = block({"version": 1, "roots": [link(root)]})
    return b"".join([_varint(len(header)), header, *(_varint(36 + len(raw)) + cid_of(raw) + raw for raw in blocks)])


def _varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def tree(entries: Mapping[str, bytes]) -> tuple[bytes, dict[bytes, bytes]]:
    """The root and the node blocks of the MST that holds these keys (path: CID of the record)."""
    nodes: dict[bytes, bytes] = {}
    ordered = sorted((key.encode(), cid) for key, cid in entries.items())
    top = max((_layer(key) for key, _ in ordered), default=0)
    return _node(ordered, top, nodes), nodes


def _layer(key: bytes) -> int:
    bits = f"{int.from_bytes(hashlib.sha256(key).digest()):0256b}"
    return (len(bits) - len(bits.lstrip("0"))) // 2


def _node(ordered: list[tuple[bytes, bytes]], layer: int, nodes: dict[bytes, bytes]) -> bytes:
    runs: list[list[tuple[bytes, bytes]]] = [[]]
    own: list[tuple[bytes, bytes]] = []
    for key, cid in ordered:
        if _layer(key) == layer:
            own.append((key, cid))
            runs.append([])
        else:
            runs[-1].append((key, cid))
    below = [_node(run, layer - 1, nodes) if run else None for run in runs]
    entries, before = [], b""
    for (key, cid), right in zip(own, below[1:], strict=True):
        shared = next(
            (at for at, (a, b) in enumerate(zip(before, key, strict=False)) if a != b), min(len(before), len(key))
        )
        entries.append({"p": shared, "k": key[shared:], "v": link(cid), "t": link(right)})
        before = key
    raw = block({"l": link(below[0]), "e": entries})
    nodes[cid_of(raw)] = raw
    return cid_of(raw)


@attrs.frozen
class Signer:
    """A signing key of secp256k1, from a number."""

    secret: ec.EllipticCurvePrivateKey

    @classmethod
    def numbered(cls, number: int) -> Signer:
        return cls(ec.derive_private_key(number, _CURVE))

    def sign(self, message: bytes) -> bytes:
        """64 bytes, with the low one of the two possible S."""
        r, s = decode_dss_signature(self.secret.sign(message, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32) + min(s, _ORDER - s).to_bytes(32)

    @property
    def multikey(self) -> str:
        """The public key as DID documents spell it."""
        numbers = self.secret.public_key().public_numbers()
        raw = K256_PREFIX + bytes([2 + (numbers.y & 1)]) + numbers.x.to_bytes(32)
        number, text = int.from_bytes(raw), ""
        while number:
            number, digit = divmod(number, 58)
            text = _BASE58[digit] + text
        return "z" + text


@attrs.frozen
class Write:
    """One change: a path and the value it gets, or the bytes that stand for none; None deletes."""

    path: str
    value: Any


@attrs.frozen
class Commit:
    """One state of a repo, and how it came about."""

    rev: str
    raw: bytes
    data: bytes
    nodes: Mapping[bytes, bytes]
    records: Mapping[str, bytes]  # path: block
    since: str | None
    prev_data: bytes | None
    ops: tuple[dict[str, Any], ...]

    @property
    def cid(self) -> bytes:
        return cid_of(self.raw)

    def car(self) -> bytes:
        """The whole repo."""
        return car(self.cid, [self.raw, *self.nodes.values(), *self.records.values()])

    def event_car(self) -> bytes:
        """What a #commit carries: the commit, the tree, and the records that this commit wrote."""
        written = [self.records[op["path"]] for op in self.ops if op["cid"] is not None]
        return car(self.cid, [self.raw, *self.nodes.values(), *written])


@attrs.define
class SignedRepo:
    """A repo that remembers all its commits. `ticks` numbers the revisions: shared, so that time is one."""

    did: str
    signer: Signer
    ticks: count[int] = attrs.field(factory=lambda: count(1))
    commits: list[Commit] = attrs.field(factory=list)

    @property
    def head(self) -> Commit:
        return self.commits[-1]

    def commit(self, *writes: Write) -> Commit:
        """Apply the writes; every one must change something."""
        before = dict(self.commits[-1].records) if self.commits else {}
        after, ops = dict(before), []
        for write in writes:
            old = before.get(write.path)
            if write.value is None:
                del after[write.path]
                ops.append(
                    {"action": "delete", "path": write.path, "cid": None, "prev": link(cid_of(before[write.path]))}
                )
                continue
            after[write.path] = write.value if isinstance(write.value, bytes) else block(write.value)
            action = "create" if old is None else "update"
            op = {"action": action, "path": write.path, "cid": link(cid_of(after[write.path]))}
            ops.append(op if old is None else op | {"prev": link(cid_of(old))})
        commit = self._signed(after, tuple(ops))
        self.commits.append(commit)
        return commit

    def _signed(self, records: Mapping[str, bytes], ops: tuple[dict[str, Any], ...]) -> Commit:
        root, nodes = tree({path: cid_of(raw) for path, raw in records.items()})
        rev = tid(next(self.ticks) << 10)
        unsigned = {"did": self.did, "version": 3, "data": link(root), "rev": rev, "prev": None}
        raw = block(unsigned | {"sig": self.signer.sign(block(unsigned))})
        last = self.commits[-1] if self.commits else None
        return Commit(
            rev=rev,
            raw=raw,
            data=root,
            nodes=nodes,
            records=records,
            since=last.rev if last else None,
            prev_data=last.data if last else None,
            ops=ops,
        )


def commit_body(did: str, commit: Commit, seq: int, time: str) -> dict[str, Any]:
    """The body of a #commit, as the reference PDS writes it."""
    body = {
        "seq": seq,
        "repo": did,
        "rev": commit.rev,
        "since": commit.since,
        "commit": link(commit.cid),
        "ops": list(commit.ops),
        "blocks": commit.event_car(),
        "blobs": [],
        "rebase": False,
        "tooBig": False,
        "time": time,
    }
    return body if commit.prev_data is None else body | {"prevData": link(commit.prev_data)}


def sync_body(did: str, commit: Commit, seq: int, time: str) -> dict[str, Any]:
    return {"seq": seq, "did": did, "rev": commit.rev, "blocks": car(commit.cid, [commit.raw]), "time": time}


def frame(kind: str, body: Any) -> bytes:
    """One message of a firehose: header and body, one behind the other."""
    return block({"op": 1, "t": kind}) + block(body)


def error_frame(name: str, message: str = "") -> bytes:
    return block({"op": -1}) + block({"error": name, "message": message})
