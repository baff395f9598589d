"""`radial status` and `radial doctor`: how each repo stands, what is wrong, and that nothing is changed by asking."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from radial_io.store.store import open_store
from radial_io.store.values import Batch, Failure, Source, Spoiled
from tests.cli.conftest import Call
from tests.cli.test_reference import documented_keys_hold, section
from tests.cli.test_sync import World
from tests.cli.test_watch import Watch, wait_until
from tests.io.fakes import ALICE, BOB, CAROL, PREFIX, FakePlc, Reply, serving

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def world(radial: Call, tmp_path: Path) -> Iterator[World]:
    made = World(radial, tmp_path)
    with serving(made.pds.answer) as made.url:
        yield made


def status(world: World) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(world.radial("status", "--store", world.store, "--json").out)
    return said


def repos(world: World) -> dict[str, dict[str, Any]]:
    return {repo["did"]: repo for repo in status(world)["repos"]}


def doctor(world: World, wanted: int) -> list[dict[str, Any]]:
    done = world.radial("doctor", "--store", world.store, "--json")
    assert done.status == wanted, done.out
    said: dict[str, Any] = json.loads(done.out)
    assert said["well"] == (wanted == 0)
    return said["findings"]  # type: ignore[no-any-return]


def kinds(found: list[dict[str, Any]]) -> set[tuple[str, str]]:
    return {(finding["level"], finding["what"]) for finding in found}


def test_running_but_empty_is_not_ready(world: World) -> None:
    with open_store(world.store, write=True):
        pass
    assert status(world)["ready"] is False
    assert kinds(doctor(world, 1)) == {("note", "writer"), ("warning", "spaces")}


def test_after_a_sync_it_is_ready_and_nothing_is_fresh(world: World, root: Path) -> None:
    world.sync()
    said = status(world)
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert documented_keys_hold(section(page, "status"), said) == 4
    assert (said["ready"], said["live"]) == (True, False)
    assert [(space["uri"], space["members"], space["ready"]) for space in said["spaces"]] == [(world.space, 2, True)]
    for repo in said["repos"]:
        assert (repo["ready"], repo["freshness"], repo["rev"]) == (True, "unknown", world.pds.rev)
        assert repo["way"] == {"adapter": "poll", "host": ""}
        assert 0 <= repo["lag"] < 3600
    assert kinds(doctor(world, 0)) == {("note", "writer")}


def test_a_member_who_was_never_read_is_not_ready_and_says_why(world: World, root: Path) -> None:
    world.grant("carol", CAROL)
    world.sync()
    said = status(world)
    assert said["ready"] is False
    carol = repos(world)[CAROL]
    assert (carol["ready"], carol["state"], carol["rev"], carol["member"]) == (False, "deleted", None, True)
    found = doctor(world, 1)
    assert ("fault", "unread") in kinds(found)
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert documented_keys_hold(section(page, "doctor"), {"file": "", "well": False, "findings": found}) > 1


def test_an_identity_that_does_not_resolve_is_told_apart_from_a_repo_that_is_not_there(
    radial: Call, tmp_path: Path
) -> None:
    world, plc = World(radial, tmp_path), FakePlc()
    world.grant("carol", CAROL)
    with serving(world.pds.answer) as pds, serving(plc.answer) as directory:
        for did in (ALICE, BOB):
            plc.register(did, pds)
        assert radial("sync", world.space, "--plc", directory, "--store", world.store).status == 75
    (finding,) = (finding for finding in doctor(world, 1) if finding["level"] == "fault")
    assert (finding["what"], finding["about"]) == ("identity", CAROL)


def test_a_directory_that_is_down_is_not_its_users_fault(world: World) -> None:
    world.sync()
    nobody = ("--plc", "http://127.0.0.1:1")
    assert world.radial("sync", world.space, *nobody, "--store", world.store).status == 75
    faults = [finding for finding in doctor(world, 1) if finding["level"] == "fault"]
    assert [finding["what"] for finding in faults] == ["identity", "identity"]
    assert all("`radial sync` tries again" in finding["advice"] for finding in faults)


def test_a_former_member_is_shown_as_such(world: World) -> None:
    grant = world.grant("carol", CAROL)
    world.pds.put(CAROL, "join", "j", **world.here)
    world.sync()
    world.pds.put(ALICE, "removeMember", "carol", **world.here, did=CAROL, membership=world.pds.ref(grant))
    world.pds.rev = "3kbbbbbbbbbb2"
    assert world.sync().status == 0
    carol = repos(world)[CAROL]
    assert (carol["member"], carol["way"], carol["ready"]) == (False, None, True)


def test_while_somebody_watches_it_is_live_and_afterwards_unknown(
    world: World, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    options = ["--pds", world.url, "--store", world.store, "--interval", "0.3", "--json"]
    watching = Watch(start("watch", world.space, *options))
    watching.until(event="looked", did=BOB)
    said = status(world)
    assert said["live"] is True
    assert {repo["freshness"] for repo in said["repos"]} == {"live"}
    watching.process.kill()
    watching.process.wait()
    assert {repo["freshness"] for repo in repos(world).values()} == {"unknown"}


def test_a_repo_that_is_as_it_was_is_fresh_all_the_same(
    world: World, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    world.sync()
    before = {did: repo["lookedAt"] for did, repo in repos(world).items()}
    start("watch", world.space, "--pds", world.url, "--store", world.store, "--interval", "0.3")
    wait_until(lambda: {repo["freshness"] for repo in repos(world).values()} == {"live"})
    assert all(repo["lookedAt"] > before[did] for did, repo in repos(world).items())


def test_people_see_a_page_and_pipes_see_fields(world: World) -> None:
    world.grant("carol", CAROL)
    world.sync()
    page = world.radial("status", "--store", world.store, terminal=True).out
    assert "not ready" in page
    assert "never read wholly" in page
    assert "what was read of it before stands" in page
    names, *rows = (line.split("\t") for line in world.radial("status", "--store", world.store).out.splitlines())
    assert [dict(zip(names, row, strict=True))["did"] for row in rows] == [ALICE, BOB, CAROL]
    assert "unread" in world.radial("doctor", "--store", world.store).out
    assert "fault" in world.radial("doctor", "--store", world.store, terminal=True).out


@pytest.mark.parametrize(("seconds", "is_off"), [(0, False), (5, False), (-120, True), (3600, True)])
def test_a_clock_that_is_off_is_said_by_sync_status_and_doctor(world: World, seconds: int, is_off: bool) -> None:  # noqa: FBT001 - a case
    def dated(nsid: str, query: dict[str, str]) -> Reply | None:
        world.pds.intercept = lambda _nsid, _query: None
        reply = world.pds.answer(nsid, query)
        world.pds.intercept = dated
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
        return Reply(reply.body, reply.status, {**reply.headers, "date": date})

    world.pds.intercept = dated
    words = "behind" if seconds > 0 else "ahead of"
    said = f"s {words} that of 1 of the servers"
    assert (said in world.sync().err) is is_off
    clock = status(world)["clock"]
    assert abs(clock["seconds"] - seconds) < 3
    assert (said in world.radial("status", "--store", world.store).err) is is_off
    assert (("fault", "clock") in kinds(doctor(world, 1 if is_off else 0))) is is_off


def test_doctor_names_what_else_is_wrong(world: World) -> None:
    world.sync()
    with open_store(world.store, write=True) as store:
        source = Source("firehose", "https://relay.example")
        aside = Spoiled(BOB, None, None, None, None, "no record", b"x")
        broken = Failure("", source, "gone")
        store.take(Batch(source=source, spoiled=(aside,), failures=(broken,)), "2026-01-01T00:00:00Z")
    world.store.chmod(0o644)
    found = doctor(world, 1)
    assert kinds(found) == {
        ("note", "writer"),
        ("warning", "permissions"),
        ("warning", "stream"),
        ("warning", "quarantine"),
    }
    assert all(finding["advice"] for finding in found if finding["level"] != "note")


def test_a_repo_that_nobody_looked_at_for_days_is_stale(world: World) -> None:
    world.sync()
    long_ago = "2026-01-01T00:00:00Z"
    with open_store(world.store, write=True) as store:
        for did in (ALICE, BOB):
            store.take(Batch(source=Source("poll", world.url, did)), long_ago)
    assert ("warning", "stale") in kinds(doctor(world, 1))
    assert repos(world)[BOB]["lookedAt"] == long_ago


def test_a_space_that_its_root_does_not_hold_is_not_remembered(world: World) -> None:
    """Else a slip in a URI would be a fault for ever."""
    world.sync()
    uri = f"at://{ALICE}/{PREFIX}space/elsewhere"
    world.sync(space=uri)
    assert uri not in {space["uri"] for space in status(world)["spaces"]}
    doctor(world, 0)


def test_a_space_whose_root_was_never_read_is_a_fault(world: World) -> None:
    uri = f"at://did:plc:{'z' * 24}/{PREFIX}space/elsewhere"
    world.sync(space=uri)
    assert ("fault", "spaces") in kinds(doctor(world, 1))


@pytest.mark.parametrize("content", [None, b"no store at all", b""])
def test_a_store_that_is_none_is_said_and_not_made(world: World, content: bytes | None) -> None:
    if content is not None:
        world.store.parent.mkdir()
        world.store.write_bytes(content)
    (finding,) = doctor(world, 1)
    assert (finding["level"], finding["what"]) == ("fault", "store")
    assert (world.store.read_bytes() if world.store.exists() else None) == content


def test_asking_changes_nothing(world: World) -> None:
    world.sync()
    before = {path.name: path.read_bytes() for path in world.store.parent.iterdir()}
    world.pds.asked.clear()
    status(world)
    doctor(world, 0)
    after = {path.name: path.read_bytes() for path in world.store.parent.iterdir()}
    assert {name: content for name, content in after.items() if not name.endswith(("-shm", "-wal"))} == {
        name: content for name, content in before.items() if not name.endswith(("-shm", "-wal"))
    }
    assert not world.pds.asked


def test_a_store_that_may_not_be_written_is_said(world: World) -> None:
    world.sync()
    world.store.chmod(0o400)
    program = [sys.executable, "-c", "from radial_cli.main import main; main()"]
    command = [*like_anybody(), *program, "doctor", "--store", str(world.store), "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    assert ("warning", "permissions") in kinds(json.loads(done.stdout)["findings"])


def like_anybody() -> list[str]:
    """Take from root what lets it write to every file: then modes say to it too what they say to others."""
    if os.getuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
