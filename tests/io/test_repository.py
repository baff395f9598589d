"""A whole repo: taken or refused, read record by record, in memory and through a file."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.cids import Cid
from radial_io.atproto.car import CarLimits
from radial_io.atproto.repository import Entry, RepositoryLimits, RepositoryReader, SpoiledEntry
from radial_io.atproto.spelling import spell_cid
from radial_io.atproto.spool import Spool
from radial_io.errors import CarError, CommitError, DisprovedError, MissingBlockError, SignatureError, TreeError
from tests.io.repos import DID, KEY, LATEST, RADIAL, REV, STRANGER, MadeRepo, key_of, make_repo, many_records, node
from tests.io.streams_fakes_repo import block, car, cid_of, spelled

GOAL = RADIAL + "goal"
POST = "app.bsky.feed.post"
FILE = RepositoryLimits(memory=0)
READERS = (RepositoryLimits(), FILE)


def _read(
    data: bytes, collections: tuple[str, ...] = ("",), limits: RepositoryLimits | None = None, step: int = 1000
) -> list[Entry | SpoiledEntry]:
    with RepositoryReader(collections, limits) as reader:
        for at in range(0, len(data), step):
            reader.feed(data[at : at + step])
        repository = reader.verify(DID, KEY, latest=LATEST)
        entries = list(repository.entries())
        assert len(entries) == repository.records
        assert list(repository.entries()) == entries  # as often as one likes
    return entries


def _entry(path: str, value: Any) -> Entry:
    collection, _, rkey = path.partition("/")
    raw = block(value)
    return Entry(collection, rkey, spelled(cid_of(raw)), raw)


RECORDS = {f"{GOAL}/{number:03}": {"n": number} for number in range(120)} | {f"{POST}/one": {"text": "hello"}}


@pytest.mark.parametrize("limits", READERS)
def test_a_repo_is_read_in_the_order_of_its_paths(limits: RepositoryLimits) -> None:
    expected = [_entry(path, value) for path, value in sorted(RECORDS.items())]
    assert _read(make_repo(RECORDS).car(), limits=limits) == expected


@pytest.mark.parametrize("limits", READERS)
def test_only_what_is_wanted_is_given_and_all_is_counted(limits: RepositoryLimits) -> None:
    data = make_repo(RECORDS).car()
    assert _read(data, (POST,), limits) == [_entry(f"{POST}/one", {"text": "hello"})]
    assert _read(data, ("com.example.",), limits) == []
    assert len(_read(data, (RADIAL, POST), limits)) == 121
    with RepositoryReader((RADIAL,), limits) as reader:
        reader.feed(data)
        repository = reader.verify(DID, KEY, latest=LATEST)
        assert (repository.records, repository.passed_over) == (120, 1)
        assert (repository.commit.did, repository.commit.rev) == (DID, REV)


def test_an_empty_repo() -> None:
    assert _read(make_repo({}).car()) == []


def test_the_order_of_blocks_means_nothing_nor_does_a_block_twice() -> None:
    repo = make_repo(RECORDS)
    blocks = repo.blocks()
    expected = _read(repo.car())
    random.Random(7).shuffle(blocks)
    assert _read(repo.car(blocks)) == expected
    assert _read(repo.car(blocks * 2), limits=FILE) == expected
    assert _read(repo.car([*blocks, b"nobody asked for this"])) == expected


@pytest.mark.parametrize("limits", READERS)
def test_a_bad_record_spoils_itself_alone(limits: RepositoryLimits) -> None:
    deep = b"\xa1\x61a" + b"\x81" * 2000 + b"\x00"
    records: dict[str, Any] = {
        f"{GOAL}/a-good": {},
        f"{GOAL}/b-deep": deep,
        f"{GOAL}/c-float": b"\xa1\x61a\xfb" + bytes(8),
        f"{GOAL}/d-list": [],
        f"{GOAL}/e-unsorted": b"\xa2\x62aa\x00\x61a\x00",
        f"{GOAL}/f-nothing": b"",
        f"{GOAL}/g-long": b"\x00" + b"x" * 100_000,
        f"{GOAL}/h-good": {"h": 1},
    }
    found = {str(entry.rkey): entry for entry in _read(make_repo(records).car(), (RADIAL,), limits)}
    assert list(found) == [path.partition("/")[2] for path in records]
    assert {rkey for rkey, entry in found.items() if isinstance(entry, Entry)} == {"a-good", "h-good"}
    reasons = {rkey: entry.reason for rkey, entry in found.items() if isinstance(entry, SpoiledEntry)}
    assert reasons == {
        "b-deep": "nested deeper than 512 levels @ byte 514",
        "c-float": "a float @ byte 3",
        "d-list": "a record that is no object",
        "e-unsorted": "keys out of order, or one twice @ byte 5",
        "f-nothing": "cut short @ byte 0",
        "g-long": "100000 bytes behind the value @ byte 1",
    }
    assert found["b-deep"] == SpoiledEntry(GOAL, "b-deep", spelled(cid_of(deep)), reasons["b-deep"], deep)
    assert found["g-long"].raw == b"\x00" + b"x" * 65_535


def test_depth_is_bounded_as_configured() -> None:
    data = make_repo({f"{GOAL}/a": {"a": [[]]}, f"{GOAL}/b": {"a": [[[]]]}}).car()
    good, bad = _read(data, limits=RepositoryLimits(max_depth=3))
    assert isinstance(good, Entry)
    assert isinstance(bad, SpoiledEntry)
    assert "deeper than 3" in bad.reason


@pytest.mark.parametrize(
    "rkey", ["a", "self", "x" * 512, "3jzfcijpj2z2a", "example.com", "~1.2-3_", "pre:fix", "_", "..."]
)
def test_keys_of_every_legal_form(rkey: str) -> None:
    assert _read(make_repo({f"{GOAL}/{rkey}": {}}).car()) == [_entry(f"{GOAL}/{rkey}", {})]


_NO_PATHS = ("/.", "/..", "/", "/a/b", "/é", "", "-/a", "/" + "x" * 513)


@pytest.mark.parametrize("path", [GOAL + end for end in _NO_PATHS])
def test_a_path_that_is_none_spoils_itself_alone(path: str) -> None:
    found = _read(make_repo({path: {}, f"{GOAL}/good": {}, "/": {}}).car(), (RADIAL,))
    (bad,) = (entry for entry in found if isinstance(entry, SpoiledEntry))
    assert (bad.collection, bad.rkey, bad.raw) == (None, None, b"\xa0")
    assert "no path of a record" in bad.reason
    assert len(bad.reason) < 300
    assert _entry(f"{GOAL}/good", {}) in found


def _refused(data: bytes, error: type[DisprovedError], reason: str, **arguments: Any) -> None:
    for limits in READERS:
        with pytest.raises(error, match=reason):
            _read(data, limits=limits, **arguments)


def test_every_cut_between_two_blocks_is_found() -> None:
    repo = make_repo(dict(list(RECORDS.items())[:9]))
    blocks = repo.blocks()
    for end in range(len(blocks)):
        _refused(repo.car(blocks[:end]), MissingBlockError, "not there|not in the CAR")
        _refused(repo.car(blocks[: end + 1])[:-1], CarError, "cut short")


def test_any_block_less_is_found_also_one_that_nobody_wanted() -> None:
    repo = make_repo(RECORDS)
    for gone in repo.blocks():
        kept = [raw for raw in repo.blocks() if raw != gone]
        _refused(repo.car(kept), MissingBlockError, "not there|not in the CAR", collections=("com.example.",))


def _lies() -> dict[str, tuple[bytes, type[DisprovedError], str]]:
    repo = make_repo(RECORDS)
    path, value = f"{GOAL}/002".encode(), cid_of(b"\xa0")
    low = node([(0, path, value, None), (len(path) - 1, b"1", value, None)])
    disordered = make_repo({f"{GOAL}/x": {}}, made=(cid_of(low), {cid_of(low): low}))
    no_root = car(repo.root, []).replace(b"\x81\xd8\x2a\x58\x25\x00" + repo.root, b"\x80").replace(b"\x3a", b"\x11", 1)
    spoilt = bytearray(repo.car())
    spoilt[len(spoilt) // 2] ^= 1
    return {
        "no root": (no_root, CarError, "0 roots"),
        "one bit": (bytes(spoilt), CarError, "what its CID says|length|limit|CID"),
        "a strange signer": (make_repo(RECORDS, signer=STRANGER).car(), SignatureError, "not signed"),
        "another repo": (make_repo(RECORDS, did="did:plc:" + "z" * 24).car(), CommitError, "not of"),
        "an old version": (make_repo(RECORDS, version=2).car(), CommitError, "version 3"),
        "a tree out of order": (disordered.car(), TreeError, "out of order"),
        "a tree that is a record": (
            MadeRepo(repo.commit, {}, {"x": b"\xa0"}).car([b"\xa0"]),
            MissingBlockError,
            "not in the CAR",
        ),
        "a page of HTML": (b"<!doctype html><title>502</title>" * 9, CarError, "header"),
        "nothing": (b"", CarError, "ends before its header"),
        "only what is new, which is nothing": (repo.car([]), MissingBlockError, "commit is not in the CAR"),
        "only what is new": (repo.car([repo.commit, repo.records[f"{GOAL}/001"]]), MissingBlockError, "node"),
    }


@pytest.mark.parametrize("name", list(_lies()))
def test_a_car_that_lies_is_refused_whole(name: str) -> None:
    _refused(*_lies()[name])


def test_limits_of_the_car_hold() -> None:
    data = make_repo(RECORDS).car()
    with pytest.raises(CarError, match="more than 5000 bytes"):
        _read(data, limits=RepositoryLimits(car=CarLimits(most_bytes=5000)))
    with pytest.raises(CarError, match="more than 20 blocks"):
        _read(data, limits=RepositoryLimits(car=CarLimits(most_blocks=20)))


def test_after_a_wrong_signature_another_key_may_be_tried() -> None:
    with RepositoryReader() as reader:
        reader.feed(make_repo(RECORDS, signer=STRANGER).car())
        with pytest.raises(SignatureError):
            reader.verify(DID, KEY, latest=LATEST)
        assert reader.verify(DID, key_of(STRANGER), latest=LATEST).records == 121


def test_a_rev_in_the_future_is_refused() -> None:
    with RepositoryReader() as reader:
        reader.feed(make_repo(RECORDS).car())
        with pytest.raises(CommitError, match="future"):
            reader.verify(DID, KEY, latest="2" * 13)


def test_ten_thousand_large_records_in_little_memory() -> None:
    # 200 of 64 KiB here: twelve times what may stay in memory, so they are in a file, and bounded all the same.
    def records() -> Iterator[tuple[str, bytes]]:
        for number in range(200):
            yield f"{GOAL}/{number:05}", block({"n": number, "body": chr(97 + number % 26) * 65_536})

    data = make_repo(dict(records())).car()
    entries = _read(data, limits=RepositoryLimits(memory=2**20), step=100_000)
    assert [(entry.rkey, sha256(entry.raw).digest()) for entry in entries] == [
        (path.partition("/")[2], sha256(raw).digest()) for path, raw in records()
    ]
    with pytest.raises(CarError, match="longer than the limit"):
        _read(data, limits=RepositoryLimits(car=CarLimits(longest_block=65_536)))


@given(st.dictionaries(st.binary(max_size=4), st.binary(max_size=50), max_size=40), st.integers(0, 3000))
def test_a_spool_gives_back_what_it_took(blocks: dict[bytes, bytes], memory: int) -> None:
    spool = Spool(memory)
    kept = {b"\x01\x71\x12\x20" + sha256(name).digest(): raw for name, raw in blocks.items()}
    for cid, raw in kept.items():
        assert cid not in spool
        assert spool.get(cid) is None
        spool.put(cid, raw)
        spool.put(cid, raw)
        assert spool.get(cid) == raw
    assert all(cid in spool and spool.get(cid) == raw for cid, raw in kept.items())
    assert spool.is_spilled is (sum(len(raw) + 256 for raw in kept.values()) > memory)
    spool.close()


def test_the_same_bytes_across_two_places_are_no_block(monkeypatch: pytest.MonkeyPatch) -> None:
    # Behind a block of 40 bytes stands its length, then the next hash: together they look like a third.
    monkeypatch.setattr("radial_io.atproto.spool._BUCKETS", 1)
    kind, spool = b"\x01\x71\x12\x20", Spool(0)
    first, second, between = (kind + bytes(31) + b"\x01", kind + bytes(31) + b"\x02", kind + b"\x28" + bytes(31))
    spool.put(first, b"1" * 40)
    spool.put(second, b"2" * 40)
    assert spool.get(between) is None
    for _ in range(9):
        spool.put(between, b"3")
    assert spool._file is not None
    assert spool._file._end == 81  # kept once
    assert [spool.get(cid) for cid in (first, second, between)] == [b"1" * 40, b"2" * 40, b"3"]
    spool.close()


@given(st.binary(min_size=32, max_size=32), st.sampled_from(["01711220", "01551220"]))
def test_cids_are_spelled_as_ever(digest: bytes, kind: str) -> None:
    binary = bytes.fromhex(kind) + digest
    assert spell_cid(binary) == str(Cid(binary)) == spelled(binary)


def test_many_records_are_each_another() -> None:
    records = dict(many_records(500))
    assert len({block(value) for value in records.values()}) == len(records) == 500
