"""One record and its proof: what is signed is believed, and nothing that was cut, swapped or left out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from radial_io.atproto.repository import Entry, SpoiledEntry
from radial_io.atproto.single import prove_record
from radial_io.errors import CarError, CommitError, DisprovedError, MissingBlockError, SignatureError
from tests.io.repos import DID, KEY, LATEST, SIGNER, STRANGER, key_of, make_repo, many_records
from tests.io.streams_fakes_repo import block, car, cid_of, link, spelled

PATHS = dict(many_records(60))
PATH = sorted(PATHS)[31]
REPO = make_repo(PATHS)


def prove(raw: bytes, path: str = PATH, **others: object) -> Entry | SpoiledEntry | None:
    return prove_record(raw, DID, path, others.get("key", KEY), latest=LATEST)  # type: ignore[arg-type]


def proof(*left_out: bytes, path: str = PATH) -> bytes:
    """What a server sends for one path, without some of the blocks."""
    blocks = [REPO.commit, *REPO.nodes.values(), *([REPO.records[path]] if path in REPO.records else [])]
    return car(REPO.root, [raw for raw in blocks if raw not in left_out])


def test_a_record_is_given_with_its_cid_and_its_bytes() -> None:
    collection, _, rkey = PATH.partition("/")
    raw = block(PATHS[PATH])
    assert prove(proof()) == Entry(collection, rkey, spelled(cid_of(raw)), raw)


def test_every_record_of_a_repo_can_be_proven() -> None:
    assert all(isinstance(prove(proof(path=path), path), Entry) for path in PATHS)


def test_that_there_is_none_is_proven_too() -> None:
    assert prove(proof(path=f"{PATH}x"), f"{PATH}x") is None


def test_only_the_way_to_the_key_is_needed() -> None:
    needed = [raw for raw in REPO.nodes.values() if _is_needed(raw)]
    assert 0 < len(needed) < len(REPO.nodes)
    assert isinstance(prove(car(REPO.root, [REPO.commit, *needed, REPO.records[PATH]])), Entry)


def _is_needed(node: bytes) -> bool:
    try:
        prove(proof(node))
    except MissingBlockError:
        return True
    return False


def test_a_record_that_is_left_out_is_neither_there_nor_gone() -> None:
    with pytest.raises(MissingBlockError, match="the record"):
        prove(proof(REPO.records[PATH]))
    with pytest.raises(MissingBlockError, match="the commit"):
        prove(proof(REPO.commit))


def test_a_record_swapped_for_another_is_found_out() -> None:
    other = block(PATHS[PATH] | {"body": "Something else"})
    with pytest.raises(MissingBlockError):
        prove(car(REPO.root, [REPO.commit, *REPO.nodes.values(), other]))
    tampered = proof().replace(REPO.records[PATH], REPO.records[PATH].replace(b"before", b"behind"))
    if tampered != proof():
        with pytest.raises(CarError):
            prove(tampered)


def test_a_commit_of_somebody_else_proves_nothing() -> None:
    with pytest.raises(SignatureError):
        prove(proof(), key=key_of(STRANGER))
    forged = make_repo(PATHS, signer=STRANGER)
    with pytest.raises(SignatureError):
        prove(car(forged.root, [*forged.blocks()]))
    other = make_repo(PATHS, did="did:plc:" + "z" * 24)
    with pytest.raises(CommitError, match="not of"):
        prove(car(other.root, other.blocks()))


def test_a_commit_from_the_future_proves_nothing() -> None:
    future = make_repo(PATHS, rev="jzzzzzzzzzzzz")
    with pytest.raises(CommitError, match="future"):
        prove(car(future.root, future.blocks()))


def test_a_car_of_another_kind_proves_nothing() -> None:
    no_root = block({"version": 1, "roots": []})
    two_roots = block({"version": 1, "roots": [link(REPO.root), link(REPO.root)]})
    headless = proof()[1 + proof()[0] :]
    more = [bytes([len(header)]) + header + headless for header in (no_root, two_roots)]
    for raw in (b"", b"{}", proof()[:-1], proof()[:200], *more):
        with pytest.raises(DisprovedError):
            prove(raw)


def test_bytes_that_are_no_record_are_said_to_be_none() -> None:
    spoiled = make_repo(PATHS | {PATH: block(["no", "object"])}, signer=SIGNER)
    found = prove(car(spoiled.root, spoiled.blocks()))
    assert isinstance(found, SpoiledEntry)
    assert found.reason == "a record that is no object"


@given(st.integers(0, len(proof()) - 1), st.integers(1, 255))
def test_no_changed_byte_makes_another_record_of_it(at: int, change: int) -> None:
    """It is refused, or the byte was not needed and the record is the same."""
    raw = bytearray(proof())
    raw[at] ^= change
    try:
        found = prove(bytes(raw))
    except DisprovedError:
        return
    assert found == prove(proof())


@given(st.binary())
def test_whatever_comes_it_is_an_error_with_words(raw: bytes) -> None:
    with pytest.raises(DisprovedError):
        prove(raw)
