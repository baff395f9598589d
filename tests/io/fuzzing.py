"""Hostile bytes for the readers: made by changing good ones, the same for the same seed.

    python -m tests.io.fuzzing --seconds 60        hunts, and puts what crashes a reader into tests/crashers/READER

Strategy: a reader may give a value or raise an error of ours, and nothing else. Bytes that were merely changed rarely
get past a hash, so some are hashed and signed anew after the change: then it is the tree, the record or the event that
is hostile, and the CAR around it is sound. And what a reader takes must be true: a tree that was taken is built anew
from its keys and must come out the same.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final

from radial_io.atproto.car import CarReader
from radial_io.atproto.dagcbor import decode, decode_first
from radial_io.atproto.mst import read_node, walk
from radial_io.atproto.proofs import prove_commit
from radial_io.atproto.repository import RepositoryLimits, RepositoryReader
from radial_io.errors import RadialIoError
from tests.io.repos import DID, KEY, LATEST, RADIAL, REV, SIGNER, make_repo, signed_commit
from tests.io.streams_fakes_repo import SignedRepo, Write, block, car, cid_of, commit_body, link, tree

CRASHERS: Final = Path(__file__).resolve().parent.parent / "crashers"
_LIMITS: Final = RepositoryLimits(memory=2000)  # some of it goes through a file

# Bytes that mean something to one of the readers: heads, lengths at their bounds, beginnings of links and CIDs.
_TELLING: Final = (
    *(bytes([byte]) for byte in (0, 1, 0x17, 0x18, 0x1B, 0x1F, 0x40, 0x5F, 0x60, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC2)),
    *(bytes([byte]) for byte in (0xD8, 0xF4, 0xF6, 0xF7, 0xF9, 0xFB, 0xFF)),
    bytes.fromhex("d82a582500"),
    bytes.fromhex("01711220"),
    bytes.fromhex("01551220"),
    bytes.fromhex("1220"),
    b"\x1b" + b"\xff" * 8,
    b"\x9b" + b"\x7f" * 8,
    b"\xff" * 9,
    b"\x81" * 64,
    b"\xa1\x61a" * 64,
    "é€😀".encode(),
    b"\xed\xa0\x80",
)


def read_whole_car(data: bytes) -> None:
    """Read a CAR in pieces whose lengths come from its own bytes."""
    reader, at = CarReader(), 0
    while at < len(data):
        step = 1 + data[at] * 3
        reader.feed(data[at : at + step])
        at += step
    reader.finish()


def read_repo(data: bytes) -> None:
    """Verify a repo and read all its entries."""
    with RepositoryReader(("",), _LIMITS) as reader:
        reader.feed(data)
        repository = reader.verify(DID, KEY, latest=LATEST)
        assert sum(1 for _ in repository.entries()) == repository.records
        keys = dict(walk(repository.commit.data.binary, repository._spool.get))
    if all(key.isascii() for key in keys):
        assert tree({key.decode(): cid for key, cid in keys.items()})[0] == repository.commit.data.binary


def read_signed_tree(data: bytes) -> None:
    """Take the bytes for the topmost node of a signed repo."""
    made = (cid_of(data), {cid_of(data): data, cid_of(b"\xa0"): b"\xa0"})
    read_repo(make_repo({}, made=made).car())


def read_signed_record(data: bytes) -> None:
    """Take the bytes for a record of a signed repo."""
    read_repo(make_repo({f"{RADIAL}goal/hostile": data}).car())


def read_signed_proof(data: bytes) -> None:
    """Take the bytes for the topmost node of the tree of an event."""
    commit = signed_commit(cid_of(data))
    value = link(cid_of(b"\xa0"))
    ops = [
        {"action": "delete", "path": f"{RADIAL}goal/-", "cid": None, "prev": value},
        {"action": "delete", "path": f"{RADIAL}goal/zz", "cid": None, "prev": value},
    ]
    fields = {"repo": DID, "rev": REV, "since": None, "commit": link(cid_of(commit)), "prevData": value, "ops": ops}
    read_event(block(fields | {"blocks": car(cid_of(commit), [commit, data])}))


def read_event(data: bytes) -> None:
    """Take the bytes for the body of a `#commit`."""
    body = decode(data)
    if isinstance(body, dict):
        prove_commit(body, KEY, latest=LATEST)


def read_frame(data: bytes) -> None:
    """Read two values in a row."""
    _, end = decode_first(data)
    decode_first(data, end)


READERS: Final[Mapping[str, Callable[[bytes], object]]] = {
    "cbor": decode,
    "frame": read_frame,
    "car": read_whole_car,
    "node": read_node,
    "repo": read_repo,
    "tree": read_signed_tree,
    "proof": read_signed_proof,
    "record": read_signed_record,
    "event": read_event,
}


def crash(reader: str, data: bytes) -> Exception | None:
    """Give the data to a reader; give back what it raised and should not have."""
    try:
        READERS[reader](data)
    except RadialIoError:
        return None
    except Exception as error:  # noqa: BLE001 - this is what is hunted for
        return error
    return None


def seeds(shared: Path | None = None) -> dict[str, list[bytes]]:
    """Good bytes for each reader; with `shared`, those of real repos too."""
    records = {f"{RADIAL}goal/{number:02}": {"n": number, "text": "x" * number} for number in range(40)}
    repo = make_repo(records)
    values = [
        block({"a": [1, -1, 2**40, None, True, "text", b"bytes"], "b": {"c": {}}, "longer key": "é" * 30}),
        block({"$type": RADIAL + "goal", "list": [[[]]], "n": list(range(30))}),
    ]
    cars = [repo.car(), car(repo.root, [])]
    if shared is not None:
        folder = shared / "fixtures/atproto-interop/extra-indigo"
        cars += [(folder / name).read_bytes() for name in ("divy.repo", "repo_slice.car", "greenground.repo.car")]
        values.append((folder / "feedpost_record.cbor").read_bytes())
    return {
        "cbor": [*values, repo.commit],
        "frame": [block({"op": 1, "t": "#commit"}) + values[0]],
        "car": cars,
        "node": list(repo.nodes.values()),
        "repo": cars,
        "tree": list(repo.nodes.values()),
        "proof": list(repo.nodes.values()),
        "record": values,
        "event": list(_events()),
    }


def _events() -> Iterator[bytes]:
    repo = SignedRepo(DID, SIGNER)
    repo.commit(*(Write(f"{RADIAL}goal/{number:02}", {"n": number}) for number in range(30)))
    for writes in ([Write(f"{RADIAL}goal/03", None)], [Write(f"{RADIAL}goal/new", {}), Write(f"{RADIAL}goal/04", {})]):
        yield block(commit_body(DID, repo.commit(*writes), 1, "2026-01-01T00:00:00Z"))


def changed(data: bytes, dice: random.Random) -> bytes:
    """Change bytes in one to four places."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        _CHANGES[dice.randrange(len(_CHANGES))](out, dice)
    return bytes(out)


def _place(out: bytearray, dice: random.Random) -> int:
    return dice.randrange(len(out) + 1)


def _flip(out: bytearray, dice: random.Random) -> None:
    if out:
        out[dice.randrange(len(out))] ^= 1 << dice.randrange(8)


def _overwrite(out: bytearray, dice: random.Random) -> None:
    at, piece = _place(out, dice), dice.choice(_TELLING)
    out[at : at + len(piece)] = piece


def _insert(out: bytearray, dice: random.Random) -> None:
    at = _place(out, dice)
    out[at:at] = dice.choice(_TELLING)


def _remove(out: bytearray, dice: random.Random) -> None:
    at = _place(out, dice)
    del out[at : at + dice.choice((1, 1, 2, 8, 36, 200))]


def _repeat(out: bytearray, dice: random.Random) -> None:
    at, to = _place(out, dice), _place(out, dice)
    out[to:to] = out[at : at + dice.choice((1, 8, 41, 100))]


def _cut(out: bytearray, dice: random.Random) -> None:
    del out[_place(out, dice) :]


_CHANGES: Final[tuple[Callable[[bytearray, random.Random], Any], ...]] = (
    *(_flip, _flip, _overwrite, _overwrite, _insert, _insert, _remove, _repeat, _cut),
)


def hunt(reader: str, good: list[bytes], dice: random.Random, tries: int) -> Iterator[tuple[bytes, Exception]]:
    """Give what crashes a reader, of so many tries."""
    for _ in range(tries):
        data = changed(dice.choice(good), dice)
        if error := crash(reader, data):
            yield data, error


def kept(reader: str, data: bytes) -> Path:
    """Put data into a file, as hexadecimal text, so that no tool takes it for text of another kind."""
    path = CRASHERS / reader / f"{sha256(data).hexdigest()[:16]}.hex"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{data[at : at + 60].hex()}\n" for at in range(0, len(data), 60)))
    return path


def main() -> None:
    """Hunt for a while; keep what is found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--shared", type=Path)
    options = parser.parse_args()
    ends_at, good = time.monotonic() + options.seconds, seeds(options.shared)
    for number in count():
        for reader in READERS:
            if time.monotonic() > ends_at:
                print(f"{number} rounds of 50 tries for each reader")
                return
            for data, error in hunt(reader, good[reader], random.Random(f"{reader} {number}"), 50):
                print(f"{kept(reader, data)}: {error!r}")


if __name__ == "__main__":
    main()
