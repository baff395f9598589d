"""The file: who may read it, whose it is, what happens when it is damaged, full, locked, old, or not to be written."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from radial_io.store import tables
from radial_io.store.errors import (
    DamagedStoreError,
    ForeignStoreError,
    NewerStoreError,
    NoStoreError,
    StoreAccessError,
    StoreBusyError,
    StoreError,
    StoreFullError,
)
from radial_io.store.outbox import open_outbox
from radial_io.store.store import open_store
from radial_io.store.values import Seen
from tests.io.store.making import ADA, GOAL, LATER, NOON, REPO, REV_1, REV_2, batch, seen

NOBODY = 65_534


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "radial" / "store.db"


def fill(file: Path, records: int = 1) -> None:
    with open_store(file, write=True) as store:
        store.take(batch(*(seen({"n": n}, str(n)) for n in range(records)), cursor="1"), NOON)


def uris(file: Path) -> list[str]:
    with open_store(file, write=False) as store:
        return [one.uri for _, one in store.observations()]


def test_only_its_owner_may_read_it(file: Path) -> None:
    before = os.umask(0)
    try:
        with open_store(file, write=True) as store:
            store.take(batch(seen({"n": 1})), NOON)
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm", "store.db.lock"), 0o600)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_an_odd_name_is_a_name(tmp_path: Path) -> None:
    file = tmp_path / "a ?#%20&mode=memory é.db"
    fill(file)
    assert (file.is_file(), len(uris(file))) == (True, 1)


def test_reading_makes_no_store(file: Path) -> None:
    with pytest.raises(NoStoreError), open_store(file, write=False):
        pass
    assert not file.parent.exists()
    file.parent.mkdir()
    file.touch()
    with pytest.raises(NoStoreError), open_store(file, write=False):
        pass
    assert file.read_bytes() == b""


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    """A process that was killed at the very first moment leaves one."""
    file.parent.mkdir()
    file.touch()
    fill(file)
    assert len(uris(file)) == 1


def test_a_file_of_somebody_else_is_left_as_it_is(file: Path) -> None:
    file.parent.mkdir()
    foreign = sqlite3.connect(file)
    foreign.execute("CREATE TABLE versions (row INTEGER)")
    foreign.close()
    picture = file.with_name("picture.png")
    picture.write_bytes(b"\x89PNG\r\n" + bytes(5_000))
    for path in (file, picture):
        held = path.read_bytes()
        for write in (True, False):
            with pytest.raises(ForeignStoreError, match=path.name), open_store(path, write=write):
                pass
        assert path.read_bytes() == held


def test_a_store_of_a_newer_schema_is_refused_with_both_numbers(file: Path) -> None:
    fill(file)
    newer = sqlite3.connect(file)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    held = file.read_bytes()
    for write in (True, False):
        with pytest.raises(NewerStoreError, match=r"schema 99.*up to 1"), open_store(file, write=write):
            pass
    assert file.read_bytes() == held


def test_a_store_of_every_schema_that_was_released_still_opens(file: Path) -> None:
    """Each dump was made when its schema was the newest; a migration has to bring it forward, whole."""
    dumps = sorted(Path(__file__).parent.glob("schema-*.sql"))
    assert len(dumps) == len(tables.STEPS)
    for dump in dumps:
        old = file.with_name(f"{dump.stem}.db")
        old.parent.mkdir(exist_ok=True)
        database = sqlite3.connect(old)
        database.executescript(dump.read_text(encoding="utf-8"))
        database.close()
        with open_store(old, write=False) as store:
            told = [(one.uri.rpartition("/")[2], one.rev, one.seen_at) for one in store.every_sighting()]
            assert told == [("a", REV_1, NOON), ("a", REV_2, NOON), ("b", REV_2, LATER)]
            assert store.cursor(REPO) == "7"
            assert (store.stats().schema, store.meta("note"), store.repo(ADA).state) == (
                len(tables.STEPS),
                "kept",
                "active",
            )
            assert [one.reason for one in store.quarantine()] == ["no map"]


@pytest.mark.parametrize("write", [True, False])
def test_an_older_schema_is_brought_forward_and_nothing_is_lost(
    *, write: bool, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(file, 3)
    step = "CREATE TABLE turns (turn INTEGER PRIMARY KEY) STRICT; ALTER TABLE accounts ADD COLUMN told TEXT;"
    monkeypatch.setattr(tables, "STEPS", (*tables.STEPS, step))
    with open_store(file, write=write) as store:
        assert (store.stats().schema, store.stats().versions, store.cursor(REPO)) == (2, 3, "1")


def test_a_step_that_fails_leaves_the_old_schema(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(file)
    with monkeypatch.context() as patch:
        patch.setattr(
            tables, "STEPS", (*tables.STEPS, "CREATE TABLE turns (turn INTEGER); CREATE TABLE notes (note TEXT);")
        )
        with pytest.raises(StoreError), open_store(file, write=True):
            pass
    with open_store(file, write=True) as store:
        assert (store.stats().schema, store.stats().versions) == (1, 1)


def test_damage_is_told_and_not_taken_for_data(file: Path) -> None:
    fill(file, 500)
    whole = file.read_bytes()
    page = 4096
    file.write_bytes(whole[:page] + b"\xff" * (len(whole) - page))
    with pytest.raises(DamagedStoreError):
        uris(file)
    assert "radial store check" in DamagedStoreError.advice
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError):
        uris(file)


def test_bytes_that_spell_no_value_any_more_stop_nobody_who_asks_to_be_told(file: Path) -> None:
    fill(file, 3)
    with open_store(file, write=True) as store:
        store.take(batch(Seen(ADA, GOAL, "bad", "bafy", REV_1, b"\xff", "cbor")), NOON)
        told: list[str] = []
        assert len(list(store.observations(on_damage=lambda damage: told.append(damage.uri)))) == 3
        assert told == [f"at://{ADA}/{GOAL}/bad"]
        with pytest.raises(DamagedStoreError, match="bad"):
            list(store.observations())
        (fault,) = store.faults()
        assert "/bad" in fault


def test_a_check_finds_bytes_that_were_exchanged(file: Path) -> None:
    fill(file, 3)
    with open_store(file, write=False) as store:
        assert list(store.faults()) == []
    database = sqlite3.connect(file)
    database.execute("UPDATE versions SET raw = (SELECT raw FROM versions WHERE rkey = '1') WHERE rkey = '2'")
    database.execute("DELETE FROM places")
    database.commit()
    database.close()
    with open_store(file, write=False) as store:
        assert "3 versions without a place" in list(store.faults())
    fill(file)
    with open_store(file, write=False) as store:
        assert list(store.faults())


def test_a_full_disk_keeps_what_there_was_and_goes_on_when_there_is_room(file: Path) -> None:
    with open_store(file, write=True) as store:
        store.take(batch(seen({"n": 1}), cursor="1"), NOON)
        database = store._writer
        assert database is not None
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages + 3}")
        large = batch(*(seen({"text": "x" * 2_000, "n": n}, str(n)) for n in range(100)), cursor="2")
        for _ in range(3):
            with pytest.raises(StoreFullError, match="no room"):
                store.take(large, LATER)
        assert "Make room" in StoreFullError.advice
        assert (store.cursor(REPO), store.stats().versions, list(store.faults())) == ("1", 1, [])
        database.execute("PRAGMA max_page_count = 1000000")
        assert store.take(large, LATER).new == 100
        assert store.cursor(REPO) == "2"


READ_WITHOUT_ROOM = """
import resource, sys
from pathlib import Path
from radial_io.store.errors import StoreError
from radial_io.store.store import open_store
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    with open_store(Path(sys.argv[1]), write=False):
        pass
except StoreError as error:
    print(type(error).__name__, error)
"""


def test_who_reads_where_there_is_no_room_is_told_of_the_room(file: Path) -> None:
    fill(file)
    command = [sys.executable, "-c", READ_WITHOUT_ROOM, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"StoreFullError {file}: there is no room for more\n"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_who_opens_it_where_there_is_no_room_is_told_of_the_room(
    number: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(file)

    def full(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)  # the words in the file of the lock
        with pytest.raises(StoreFullError, match="no room"), open_store(file, write=True):
            pass
    monkeypatch.setattr(os, "open", full)
    for opened in (open_store(file, write=True), open_outbox(file)):
        with pytest.raises(StoreFullError, match="no room"), opened:
            pass


def test_a_second_writer_is_told_who_writes_and_what_to_do(file: Path) -> None:
    words = f"process {os.getpid()} writes to .*store.db since 20"
    with open_store(file, write=True), pytest.raises(StoreBusyError, match=words):
        fill(file)
    assert "Reading needs no lock" in StoreBusyError.advice
    fill(file)


def test_a_symbolic_link_is_another_name_of_the_same_store(file: Path, tmp_path: Path) -> None:
    """One writer, whichever name it uses; what stands beside the file is looked for where the file is."""
    link = tmp_path / "link.db"
    link.symlink_to(file)
    file.parent.mkdir()
    with open_store(link, write=True) as store:  # the link's own file is not there yet
        store.take(batch(seen({"n": 1})), NOON)
        with pytest.raises(StoreBusyError), open_store(file, write=True):
            pass
    with open_store(file, write=True), pytest.raises(StoreBusyError), open_store(link, write=True):
        pass
    assert uris(link) == uris(file) != []
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["link.db"]


def test_a_second_writer_may_wait(file: Path) -> None:
    begun = threading.Event()
    leave = threading.Event()

    def write() -> None:
        with open_store(file, write=True):
            begun.set()
            leave.wait()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    threading.Timer(0.3, leave.set).start()
    with open_store(file, write=True, busy_wait=60):
        assert leave.is_set()
    writer.join()


def test_reading_goes_on_while_everything_is_written_anew(file: Path) -> None:
    """RK-16.10: no reader meets a lock, and each sees one moment: the cursor and the data of one transaction."""
    stop = threading.Event()
    met: list[tuple[int, int]] = []

    def read() -> None:
        with open_store(file, write=False) as reader:
            while len(met) < 4 or not stop.is_set():
                first = reader.cursor(REPO)
                count = sum(1 for _ in reader.observations())
                last = reader.cursor(REPO)
                assert int(first or 0) * 20 <= count <= int(last or 0) * 20
                met.append((count, len(reader.held(ADA))))

    with open_store(file, write=True):
        pass
    readers = [Watched(read) for _ in range(2)]
    with open_store(file, write=True) as store:
        for number in range(60):
            items = [seen({"n": n}, f"{number}-{n}", rev) for n in range(20) for rev in (REV_1, REV_2)]
            store.take(batch(*items, cursor=str(number + 1)), NOON)
        stop.set()
    for reader in readers:
        reader.finish()
    assert met
    assert all(held >= count for count, held in met)


class Watched(threading.Thread):
    """A thread whose failure is that of the test."""

    def __init__(self, work: object) -> None:
        super().__init__(target=self._guarded, args=(work,))
        self.error: BaseException | None = None
        self.start()

    def _guarded(self, work: object) -> None:
        assert callable(work)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised again, in the test's own thread
            self.error = error

    def finish(self) -> None:
        self.join()
        if self.error is not None:
            raise self.error


def test_a_slow_reader_sees_the_store_as_it_stood_when_it_began(file: Path) -> None:
    with open_store(file, write=True) as store:
        store.take(batch(seen({"n": 1}, "a"), seen({"n": 1}, "b")), NOON)
        slow = store.observations()
        next(slow)
        store.take(batch(seen({"n": 1}, "c"), seen({"n": 2}, "b")), NOON)
        assert len(list(slow)) == 1
        assert len(list(store.observations())) == 4


def test_several_threads_may_write_through_one_store(file: Path) -> None:
    with open_store(file, write=True) as store:

        def write(mine: int) -> None:
            for number in range(25):
                store.take(batch(seen({"n": number}, f"{mine}-{number}")), NOON)

        for thread in [Watched(lambda mine=mine: write(mine)) for mine in range(3)]:
            thread.finish()
        assert store.stats().versions == 75


@contextmanager
def as_somebody_without_rights() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_cannot_be_written_to_can_be_read_from() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "store.db"
        fill(file)
        for path in folder.iterdir():
            path.chmod(0o444)
        folder.chmod(0o555)
        try:
            with as_somebody_without_rights():
                assert len(uris(file)) == 1
                for path in (file, folder / "other.db", folder / "deep" / "store.db"):
                    with pytest.raises(StoreAccessError, match=path.name), open_store(path, write=True):
                        pass
        finally:
            folder.chmod(0o700)


def test_a_file_that_may_not_be_read_is_named(file: Path) -> None:
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        file = Path(name) / "store.db"
        fill(file)
        file.chmod(0)
        with as_somebody_without_rights(), pytest.raises(StoreAccessError, match=r"store\.db"):
            uris(file)
    with pytest.raises(StoreAccessError), open_store(file.parent.parent, write=False):
        pass


def test_a_copy_is_whole_and_holds_every_sighting_time(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with open_store(file, write=True) as store:
        store.take(batch(seen({"n": 1}), cursor="1"), NOON)
        store.copy(copy)
        store.take(batch(seen({"n": 2}), cursor="2"), LATER)
    with open_store(copy, write=True) as restored:
        assert restored.cursor(REPO) == "1"
        restored.take(batch(seen({"n": 1})), LATER)
        assert [one.seen_at for _, one in restored.observations()] == [NOON]


def test_room_that_is_free_goes_back_to_the_disk(file: Path) -> None:
    with open_store(file, write=True) as store:
        store.take(batch(*(seen({"text": "x" * 3_000, "n": n}, str(n)) for n in range(200))), NOON)
        database = store._writer
        assert database is not None
        database.execute("DELETE FROM versions WHERE rkey <> '1'")
        store.shrink()
        assert (store.stats().free, store.stats().wal_size) == (0, 0)
        assert store.stats().size < 200_000
        assert len(list(store.observations())) == 1


def test_nothing_of_sqlite_s_own_errors_gets_out(file: Path) -> None:
    with open_store(file, write=True) as store, pytest.raises(StoreError):
        store.copy(file)


def make_dump(file: Path) -> str:
    """How the dumps were made: `python -m tests.io.store.test_files > tests/io/store/schema-N.sql`."""
    from radial_io.store.values import Account, Batch, Gone, RepoState, Spoiled  # noqa: PLC0415

    spoiled = Spoiled(ADA, GOAL, "c", None, REV_1, "no map", b"\x00")
    with open_store(file, write=True) as store:
        store.take(
            Batch(
                source=REPO,
                cursor="7",
                seen=(seen({"n": 1}), seen({"n": 1}, rev=REV_2)),
                spoiled=(spoiled,),
                accounts=(Account(ADA, "active"),),
                repos=(RepoState(ADA, REV_1, "bafyroot", REPO),),
            ),
            NOON,
        )
        store.take(Batch(source=REPO, gone=(Gone(ADA, GOAL, "b", REV_2),)), LATER)
        store.note({"note": "kept"})
    database = sqlite3.connect(file)
    numbers = (
        f"PRAGMA {name} = {database.execute(f'PRAGMA {name}').fetchone()[0]};"
        for name in ("application_id", "user_version")
    )
    text = "\n".join((*numbers, *database.iterdump()))
    database.close()
    return text


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        print(make_dump(Path(made) / "store.db"))
