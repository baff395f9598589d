"""The outbox: recorded all or none, in order, by several processes, and never somebody else's file."""

from __future__ import annotations

import multiprocessing
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from radial_io.store.errors import NewerStoreError, StoreAccessError, StoreFullError
from radial_io.store.outbox import (
    DamagedOutboxError,
    Entry,
    ForeignOutboxError,
    Letter,
    open_outbox,
    outbox_file,
    peek_outbox,
)
from radial_io.store.store import open_store
from tests.io.fakes import ALICE, BOB, GOAL

NOW = "2026-01-01T00:00:00Z"
LATER = "2026-01-01T00:00:05Z"
LETTER = Letter(act="1", did=ALICE, collection=GOAL, rkey="one", operation="create", cid="bafy", value='{"a":1}')
TWO = attrs.evolve(LETTER, rkey="two")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "data" / "store.db"


def test_what_is_recorded_is_there_for_the_next_process_in_order(store: Path) -> None:
    assert peek_outbox(store) == ()
    with open_outbox(store) as outbox:
        entries = outbox.add([LETTER, TWO], NOW)
    assert entries == (
        Entry(number=1, letter=LETTER, prepared=NOW, state="pending"),
        Entry(number=2, letter=TWO, prepared=NOW, state="pending"),
    )
    assert peek_outbox(store) == entries
    with open_outbox(store) as outbox:
        assert outbox.entries() == entries


def test_the_file_is_its_owner_s_alone_and_one_for_all_links(store: Path, tmp_path: Path) -> None:
    with open_outbox(store):
        pass
    assert stat.S_IMODE(outbox_file(store).stat().st_mode) == 0o600
    assert outbox_file(store) == store.with_name("store.db.outbox")
    with open_store(store, write=True):
        (tmp_path / "link.db").symlink_to(store)
    assert outbox_file(tmp_path / "link.db") == outbox_file(store)


def test_a_letter_that_cannot_be_kept_keeps_out_the_whole_act(store: Path) -> None:
    with open_outbox(store) as outbox:
        with pytest.raises(Exception):  # noqa: B017, PT011 - whichever the database raises for what is no text
            outbox.add([LETTER, attrs.evolve(TWO, value="\ud800")], NOW)
        assert outbox.entries() == ()


def test_what_became_of_an_entry_is_recorded(store: Path) -> None:
    with open_outbox(store) as outbox:
        one, two = outbox.add([LETTER, TWO], NOW)
        outbox.mark_written([one], "3kaaaaaaaaaa2", LATER)
        outbox.mark_refused([two], "not so", LATER)
        assert outbox.entries() == (
            attrs.evolve(one, state="written", rev="3kaaaaaaaaaa2", ended=LATER),
            attrs.evolve(two, state="refused", words="not so", ended=LATER),
        )
        assert outbox.entries(state="pending") == ()
        assert outbox.drop([one, one]) == 1
        assert [entry.number for entry in outbox.entries()] == [2]


def test_numbers_are_never_given_twice(store: Path) -> None:
    with open_outbox(store) as outbox:
        outbox.drop(outbox.add([LETTER, TWO], NOW))
        assert [entry.number for entry in outbox.add([LETTER], NOW)] == [3]


def test_one_account_s_entries_are_told_apart(store: Path) -> None:
    with open_outbox(store) as outbox:
        outbox.add([LETTER, attrs.evolve(LETTER, did=BOB)], NOW)
        assert [entry.letter.did for entry in outbox.entries(BOB, state="pending")] == [BOB]


def test_files_at_the_server_are_remembered_for_a_while(store: Path) -> None:
    with open_outbox(store) as outbox:
        outbox.note_upload(ALICE, "bafk", "image/png", NOW)
        assert outbox.upload(ALICE, "bafk", "image/png") == NOW
        assert outbox.upload(ALICE, "bafk", "image/gif") is None
        assert outbox.upload(BOB, "bafk", "image/png") is None
        outbox.forget_uploads(ALICE, NOW)
        assert outbox.upload(ALICE, "bafk", "image/png") == NOW
        outbox.forget_uploads(ALICE, LATER)
        assert outbox.upload(ALICE, "bafk", "image/png") is None
        outbox.note_upload(ALICE, "bafk", "image/png", NOW)
        outbox.forget_uploads(ALICE)
        assert outbox.upload(ALICE, "bafk", "image/png") is None


def _add(store: str, name: str) -> None:
    for number in range(10):
        with open_outbox(Path(store)) as outbox:
            outbox.add([attrs.evolve(LETTER, act=name, rkey=f"{name}{number}")], NOW)


def test_several_processes_may_record_at_the_same_time(store: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add, args=(str(store), name)) for name in "abc"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(peek_outbox(store)) == 30


def _opened(store: Path) -> None:
    with open_outbox(store):
        pass


@pytest.fixture(params=[_opened, peek_outbox], ids=["to write", "to read"])
def opening(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    """Either way to open an outbox."""
    way: Callable[[Path], object] = request.param
    return way


def test_a_file_that_is_no_outbox_is_left_as_it_is(store: Path, opening: Callable[[Path], object]) -> None:
    with open_store(store, write=True):
        pass
    before = store.read_bytes()
    store.rename(outbox_file(store))
    with pytest.raises(ForeignOutboxError, match="no outbox"):
        opening(store)
    assert outbox_file(store).read_bytes() == before
    outbox_file(store).write_bytes(b"a letter to my aunt, which is no database at all" * 20)
    with pytest.raises(ForeignOutboxError, match="no outbox"):
        opening(store)


def test_one_of_a_newer_version_is_left_as_it_is(store: Path, opening: Callable[[Path], object]) -> None:
    _opened(store)
    with sqlite3.connect(outbox_file(store)) as db:
        db.execute("DROP TABLE entries")  # what a newer version keeps may lie elsewhere
        db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(NewerStoreError):
        opening(store)


def test_a_damaged_one_is_said_to_be_and_what_to_do_is_meant_for_an_outbox(store: Path) -> None:
    with open_outbox(store) as outbox:
        outbox.add([LETTER], NOW)
    raw = outbox_file(store).read_bytes()
    outbox_file(store).write_bytes(raw[:4096] + b"U" * (len(raw) - 4096))
    with pytest.raises(DamagedOutboxError) as failed:
        peek_outbox(store)
    assert "Move it away" in failed.value.advice


def test_one_that_is_just_being_made_holds_nothing(store: Path) -> None:
    outbox_file(store).parent.mkdir()
    outbox_file(store).touch()
    assert peek_outbox(store) == ()


def test_a_full_disk_is_called_full_and_nothing_is_half_recorded(store: Path) -> None:
    with open_outbox(store) as outbox:
        (kept,) = outbox.add([LETTER], NOW)
        outbox._db.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreFullError):
            outbox.add([attrs.evolve(TWO, value="x" * 1_000_000)], NOW)
        outbox._db.execute("PRAGMA max_page_count = 1000000")
        assert outbox.entries() == (kept,)


def test_a_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreAccessError), open_outbox(tmp_path / "file" / "store.db"):
        pass
