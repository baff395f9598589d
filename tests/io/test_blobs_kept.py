"""Kept blobs: bounded, private, whole or not there, and believed no more than a stranger."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from radial_io.atproto.blobs import BlobLimits, BlobRef
from radial_io.errors import BlobError
from radial_io.viewing.cupboard import Cupboard
from radial_io.viewing.files import Files
from tests.io.fakes import BOB, Reply
from tests.io.strangers import Network, blob_ref

RAW = b"something worth keeping"
LIMITS = BlobLimits()


def test_what_is_kept_is_given_back(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path / "cache" / "blobs")
    assert cupboard.read(blob_ref(RAW)) is None
    cupboard.keep(blob_ref(RAW), RAW)
    assert cupboard.read(blob_ref(RAW)) == RAW
    assert [path.name for path in cupboard.folder.iterdir()] == [str(blob_ref(RAW).cid)]


def test_only_the_user_may_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        cupboard = Cupboard(tmp_path / "blobs")
        cupboard.keep(blob_ref(RAW), RAW)
    finally:
        os.umask(before)
    assert cupboard.folder.stat().st_mode & 0o777 == 0o700
    assert [path.stat().st_mode & 0o777 for path in cupboard.folder.iterdir()] == [0o600]


@pytest.mark.parametrize("bytes_", [b"Something worth keeping", b"something", RAW + b"!", b""])
def test_what_is_no_longer_itself_is_not_given(tmp_path: Path, bytes_: bytes) -> None:
    cupboard = Cupboard(tmp_path)
    cupboard.keep(blob_ref(RAW), RAW)
    (path,) = tmp_path.iterdir()
    path.write_bytes(bytes_)
    assert cupboard.read(blob_ref(RAW)) is None
    cupboard.keep(blob_ref(RAW), RAW)
    assert cupboard.read(blob_ref(RAW)) == RAW


def test_bytes_of_the_right_length_that_are_others_are_thrown_away(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path)
    cupboard.keep(blob_ref(RAW), RAW[::-1])
    assert cupboard.read(blob_ref(RAW)) is None
    assert list(tmp_path.iterdir()) == []


def test_a_record_that_gives_another_size_does_not_get_it(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path)
    cupboard.keep(blob_ref(RAW), RAW)
    assert cupboard.read(BlobRef(blob_ref(RAW).cid, len(RAW) + 1, "")) is None
    assert cupboard.read(blob_ref(RAW)) == RAW


def test_what_was_not_read_for_longest_makes_room(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path, room=250)
    raws = [bytes([number]) * 100 for number in range(3)]
    for age, raw in zip((300, 200), raws, strict=False):
        cupboard.keep(blob_ref(raw), raw)
        path = tmp_path / str(blob_ref(raw).cid)
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    assert cupboard.read(blob_ref(raws[0])) == raws[0]  # now the second is the older one
    cupboard.keep(blob_ref(raws[2]), raws[2])
    assert [cupboard.read(blob_ref(raw)) for raw in raws] == [raws[0], None, raws[2]]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 250


def test_what_is_longer_than_the_room_leaves_the_rest_alone(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path, room=len(RAW))
    cupboard.keep(blob_ref(RAW), RAW)
    cupboard.keep(blob_ref(RAW + b"!"), RAW + b"!")
    assert cupboard.read(blob_ref(RAW)) == RAW
    assert cupboard.read(blob_ref(RAW + b"!")) is None


def test_what_a_dead_process_left_is_taken_away(tmp_path: Path) -> None:
    dead, alive = tmp_path / "a.0.part", tmp_path / "b.0.part"
    for path in (dead, alive):
        path.write_bytes(b"half")
    os.utime(dead, (0, 0))
    Cupboard(tmp_path).keep(blob_ref(RAW), RAW)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.0.part", str(blob_ref(RAW).cid)]


def test_a_disk_that_fails_costs_the_keeping_alone(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"a file where the folder should be")
    cupboard = Cupboard(tmp_path / "taken")
    network = Network(hosts={"pds.example.com": lambda _nsid, _query: Reply(RAW, headers={})})
    network.live(BOB, "pds.example.com")
    assert (
        network.run(lambda client, resolver: Files(client, resolver, cupboard).fetch(BOB, blob_ref(RAW), LIMITS)) == RAW
    )


def test_what_is_kept_is_not_asked_for_again(tmp_path: Path) -> None:
    network = Network(hosts={"pds.example.com": lambda _nsid, _query: Reply(RAW, headers={})})
    network.live(BOB, "pds.example.com")
    for _ in range(2):
        found = network.run(
            lambda client, resolver: Files(client, resolver, Cupboard(tmp_path)).fetch(BOB, blob_ref(RAW), LIMITS)
        )
        assert found == RAW
    assert network.blob_requests() == ["pds.example.com"]


def test_wrong_bytes_are_not_kept(tmp_path: Path) -> None:
    network = Network(hosts={"pds.example.com": lambda _nsid, _query: Reply(RAW[::-1], headers={})})
    network.live(BOB, "pds.example.com")
    with pytest.raises(BlobError):
        network.run(
            lambda client, resolver: Files(client, resolver, Cupboard(tmp_path)).fetch(BOB, blob_ref(RAW), LIMITS)
        )
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_given_within_the_limits_alone(tmp_path: Path) -> None:
    cupboard = Cupboard(tmp_path)
    cupboard.keep(blob_ref(RAW), RAW)
    network = Network()
    with pytest.raises(BlobError, match="are taken"):
        network.run(
            lambda client, resolver: Files(client, resolver, cupboard).fetch(
                BOB, blob_ref(RAW), BlobLimits(longest=len(RAW) - 1)
            )
        )
    assert network.asked == []


def test_without_a_cupboard_nothing_is_kept() -> None:
    network = Network(hosts={"pds.example.com": lambda _nsid, _query: Reply(RAW, headers={})})
    network.live(BOB, "pds.example.com")

    for _ in range(2):
        assert network.run(lambda client, resolver: Files(client, resolver).fetch(BOB, blob_ref(RAW), LIMITS)) == RAW
    assert len(network.blob_requests()) == 2
