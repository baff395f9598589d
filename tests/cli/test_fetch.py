"""`radial fetch` into a file: what it adds, what it keeps, and how it ends when servers fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Call, Done
from tests.io.fakes import ALICE, BOB, CAROL, GOAL, SPACE, FakePds, FakePlc, Reply, serving

LATER_REV = "3kbbbbbbbbbb2"


class World:
    """A server with a space of two, and the file that it is fetched into."""

    def __init__(self, radial: Call, folder: Path) -> None:
        self.radial = radial
        self.file = folder / "space.jsonl"
        self.pds = FakePds()
        self.space = self.pds.put(ALICE, "space", "main", name="Lab")
        here = {"space": self.pds.ref(self.space)}
        self.grant = self.pds.put(ALICE, "addMember", "bob", **here, did=BOB, kind="agent", role="agent")
        self.agent = self.pds.put(BOB, "agent", "coder", handleName="b", harness="h", models=[], artifactTypes=["plan"])
        self.url = ""

    def fetch(self, *more: str) -> Done:
        return self.radial("fetch", self.space, "--pds", self.url, "-o", self.file, *more)

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def world(radial: Call, tmp_path: Path) -> Iterator[World]:
    made = World(radial, tmp_path)
    with serving(made.pds.answer) as made.url:
        yield made


def test_a_space_becomes_a_file_of_observations(world: World) -> None:
    done = world.fetch()
    assert (done.status, done.out) == (0, "")
    assert [line["uri"] for line in world.lines()] == [world.space, world.grant, world.agent]
    assert all(line["rev"] == world.pds.rev and line["seenAt"].endswith("Z") for line in world.lines())
    assert f"{BOB} at {world.url}: 1 record\n" in done.err
    assert "3 new observations; 3 records in all" in done.err
    assert world.radial("members", world.file).out.count(BOB) == 1
    assert list(world.file.parent.iterdir()) == [world.file]


def test_a_second_run_adds_nothing_and_keeps_every_byte(world: World) -> None:
    world.fetch()
    before = world.file.read_bytes()
    done = world.fetch("--json")
    assert world.file.read_bytes() == before
    assert json.loads(done.out) == {
        "space": world.space,
        "file": str(world.file),
        "whole": True,
        "added": 0,
        "deletions": 0,
        "held": 3,
        "repos": 2,
        "failed": 0,
        "records": 3,
        "setAside": 0,
        "faults": 0,
    }


def test_what_changed_is_added_below(world: World) -> None:
    world.fetch()
    before = world.file.read_text(encoding="utf-8")
    old = world.lines()[2]["cid"]
    world.pds.put(BOB, "agent", "coder", handleName="new", harness="h", models=[], artifactTypes=["plan"])
    world.pds.rev = LATER_REV
    assert "1 new observation; 3 records in all" in world.fetch().err
    assert world.file.read_text(encoding="utf-8").startswith(before)
    added = world.lines()[3]
    assert (added["uri"], added["rev"], added["value"]["handleName"]) == (world.agent, LATER_REV, "new")
    # Back to the first version: it is the latest again (V2), so it is seen again.
    world.pds.put(BOB, "agent", "coder", handleName="b", harness="h", models=[], artifactTypes=["plan"])
    world.fetch()
    assert [line["cid"] for line in world.lines()[2:]] == [old, added["cid"], old]


def test_a_record_that_is_gone_is_a_deletion_and_may_come_back(world: World) -> None:
    world.fetch()
    held = world.pds.repos[BOB][f"{SPACE.removesuffix('space')}agent"]
    taken = held.pop("coder")
    world.pds.rev = LATER_REV
    assert "1 new observation (1 deletion); 3 records in all" in world.fetch().err
    gone = world.lines()[3]
    assert {key: gone[key] for key in ("uri", "deleted", "rev")} == {
        "uri": world.agent,
        "deleted": True,
        "rev": LATER_REV,
    }
    assert json.loads(world.radial("explain", world.agent, world.file, "--json").out)["rule"] == "V5"
    world.fetch()
    assert len(world.lines()) == 4
    held["coder"] = taken
    world.pds.rev = "3kcccccccccc2"
    world.fetch()
    assert world.lines()[4]["value"] == taken
    assert "agent profile" in world.radial("explain", world.agent, world.file).out


def test_a_repo_that_was_not_read_in_full_deletes_nothing(world: World) -> None:
    world.fetch()

    def intercept(nsid: str, query: dict[str, str]) -> Reply | None:
        if nsid.endswith("listRecords") and query["repo"] == BOB:
            return Reply.json({"error": "InternalServerError", "message": "no"}, 500)
        return None

    world.pds.intercept = intercept
    done = world.fetch("--json")
    assert done.status == 75
    assert json.loads(done.out)["whole"] is False
    assert len(world.lines()) == 3
    assert BOB in done.err
    assert "run the same command again" in done.err


def test_a_member_without_a_server_leaves_the_others(world: World) -> None:
    world.pds.put(ALICE, "addMember", "carol", space=world.pds.ref(world.space), did=CAROL, kind="human", role="member")
    done = world.fetch()
    assert done.status == 75
    assert f"{CAROL}: " in done.err
    assert len(world.lines()) == 4


def test_a_record_that_cannot_be_taken_is_named_and_fails(world: World) -> None:
    def intercept(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("collection") != GOAL or query["repo"] != ALICE:
            return None
        uri = f"at://{ALICE}/{GOAL}/evil\x1b[2J"
        return Reply.json({"records": [{"uri": uri, "cid": "bafy", "value": {}}]})

    world.pds.intercept = intercept
    done = world.fetch("--json")
    assert done.status == 1
    assert json.loads(done.out)["setAside"] == 1
    assert "set aside" in done.err
    assert "\x1b" not in done.err
    assert len(world.lines()) == 3


def test_a_server_that_is_down_leaves_the_file_as_it_was(world: World) -> None:
    world.fetch()
    before = world.file.read_bytes()
    with serving(world.pds.answer) as gone:
        pass
    world.url = gone
    done = world.fetch()
    assert (done.status, done.out) == (75, "")
    assert world.file.read_bytes() == before
    assert list(world.file.parent.iterdir()) == [world.file]


def test_a_space_that_is_not_there_is_not_found(world: World) -> None:
    for uri in (f"at://{ALICE}/{SPACE}/other", f"at://{CAROL}/{SPACE}/main"):
        done = world.radial("fetch", uri, "--pds", world.url, "-o", world.file)
        assert (done.status, done.out) == (3, "")
        assert "Traceback" not in done.err
    assert list(world.file.parent.iterdir()) == []


def test_a_directory_says_where_the_repos_are(world: World) -> None:
    plc = FakePlc()
    for did in (ALICE, BOB):
        plc.register(did, world.url)
    with serving(plc.answer) as directory:
        done = world.radial("fetch", world.space, "--plc", directory, "-o", world.file)
    assert done.status == 0
    assert len(world.lines()) == 3


WRONG: dict[str, tuple[list[str], int]] = {
    "both": (["--pds", "http://127.0.0.1:1", "--plc", "http://127.0.0.1:1"], 2),
    "a URL that is more than a server": (["--pds", "http://127.0.0.1:1/path"], 2),
    "plain http to the open net": (["--pds", "http://1.1.1.1"], 2),
    "another scheme": (["--pds", "ftp://x"], 2),
    "no scheme": (["--pds", "127.0.0.1:1"], 2),
    "nothing": (["--pds", ""], 2),
    "no directory": (["--plc", ""], 2),
    "a port that is none": (["--plc", "http://127.0.0.1:99999"], 2),
    "where clouds keep their secrets": (["--pds", "http://169.254.169.254"], 2),
}


@pytest.mark.parametrize("how", WRONG)
def test_a_wrong_server_is_said_and_nothing_is_written(how: str, radial: Call, tmp_path: Path) -> None:
    more, status = WRONG[how]
    done = radial("fetch", f"at://{ALICE}/{SPACE}/main", "-o", tmp_path / "x", *more)
    assert (done.status, done.out) == (status, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("uri", ["nope", "", f"at://{ALICE}/{GOAL}/main"])
def test_what_is_no_uri_of_a_space_is_a_wrong_command_line(uri: str, world: World) -> None:
    done = world.radial("fetch", uri, "--pds", world.url, "-o", world.file)
    assert (done.status, done.out) == (2, "")
    assert "not the URI of a Radial space" in done.err
    assert (world.pds.asked, list(world.file.parent.iterdir())) == ([], [])


def test_standard_output_is_no_file(world: World) -> None:
    done = world.radial("fetch", world.space, "--pds", world.url, "-o", "-")
    assert (done.status, done.out) == (2, "")
    assert "standard output" in done.err
    assert world.pds.asked == []


def test_a_root_that_is_busy_is_to_be_tried_again(world: World) -> None:
    world.pds.intercept = lambda nsid, _query: (
        Reply.json({}, 429, retry_after="3600") if nsid.endswith("listRecords") else None
    )
    done = world.fetch()
    assert (done.status, done.out) == (75, "")
    assert "later" in done.err
    assert len(world.pds.asked) == 2


def test_a_record_of_a_collection_that_is_not_read_is_not_said_to_be_gone(world: World) -> None:
    world.fetch()
    other = {
        "uri": f"at://{BOB}/com.example.note/x",
        "cid": world.lines()[0]["cid"],
        "value": world.lines()[0]["value"],
    }
    with world.file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(other) + "\n")
    before = world.file.read_bytes()
    assert world.fetch().status == 0
    assert world.file.read_bytes() == before


@pytest.mark.parametrize("existing", ["no file", "an older file"])
def test_lines_that_somebody_else_adds_meanwhile_are_not_lost(existing: str, world: World) -> None:
    if existing == "an older file":
        world.fetch()
        world.pds.put(BOB, "agent", "two", handleName="b", harness="h", models=[], artifactTypes=["plan"])

    def intercept(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("repo") == BOB and not world.file.with_name("done").exists():
            world.file.with_name("done").touch()
            with world.file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"uri": world.grant, "deleted": True}) + "\n")
        return None

    world.pds.intercept = intercept
    done = world.fetch()
    assert (done.status, done.out) == (75, "")
    assert "changed by somebody else" in done.err
    assert world.lines()[-1] == {"uri": world.grant, "deleted": True}
    assert not any(file.name.endswith(".part") for file in world.file.parent.iterdir())
    world.fetch()
    assert {"uri": world.grant, "deleted": True} in world.lines()


def test_what_a_dead_run_left_is_taken_away(world: World) -> None:
    dead, alive, foreign = (
        world.file.with_name(name)
        for name in (".space.jsonl.00c0ffee.part", ".space.jsonl.00c0ffef.part", ".other.jsonl.00c0ffee.part")
    )
    for file in (dead, alive, foreign):
        file.touch()
    for file in (dead, foreign):
        os.utime(file, (1, 1))
    world.fetch()
    assert {*world.file.parent.iterdir()} == {world.file, alive, foreign}


def test_what_is_no_log_is_left_alone(world: World) -> None:
    for content in (
        "a letter to my mother\n",
        json.dumps({"format": 1, "records": [{"uri": "at://x", "deleted": True}]}),
    ):
        world.file.write_text(content, encoding="utf-8")
        done = world.fetch()
        assert (done.status, done.out) == (1, "")
        assert "left alone" in done.err
        assert world.file.read_text(encoding="utf-8") == content
    assert world.pds.asked == []


def test_a_folder_and_a_device_are_no_files(world: World, radial: Call, tmp_path: Path) -> None:
    for target in (tmp_path, Path("/dev/null"), tmp_path / "nowhere" / "x"):
        done = radial("fetch", world.space, "--pds", world.url, "-o", target)
        assert (done.status, done.out) == (2, "")


def test_a_link_stays_a_link_and_permissions_stay(world: World) -> None:
    world.file.touch(mode=0o640)
    world.file.chmod(0o640)
    link = world.file.with_name("link.jsonl")
    link.symlink_to(world.file)
    world.radial("fetch", world.space, "--pds", world.url, "-o", link)
    assert link.is_symlink()
    assert world.file.stat().st_mode & 0o777 == 0o640
    assert len(world.lines()) == 3


def test_a_new_file_gets_the_permissions_that_files_get(world: World) -> None:
    mask = os.umask(0o027)
    try:
        world.fetch()
    finally:
        os.umask(mask)
    assert world.file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("existing", "sent", "status"),
    [
        ("no file", signal.SIGINT, 130),
        ("an older file", signal.SIGINT, 130),
        ("no file", signal.SIGTERM, 128 + 15),
        ("no file", signal.SIGHUP, 128 + 1),
    ],
)
def test_an_interruption_leaves_no_half(
    existing: str, sent: signal.Signals, status: int, world: World, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    if existing == "an older file":
        world.fetch()
    before = world.file.read_bytes() if world.file.exists() else None
    reached, released = threading.Event(), threading.Event()

    def intercept(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("repo") == BOB:  # Alice's repo is written by now
            reached.set()
            released.wait(60)
        return None

    world.pds.intercept = intercept
    process = start("fetch", world.space, "--pds", world.url, "-o", world.file)
    try:
        assert reached.wait(60)
        assert any(file.name.endswith(".part") for file in world.file.parent.iterdir())
        process.send_signal(sent)
        out, err = process.communicate(timeout=60)
    finally:
        released.set()
    assert (process.returncode, out) == (status, b"")
    assert b"Traceback" not in err
    assert (world.file.read_bytes() if world.file.exists() else None) == before
    assert [file for file in world.file.parent.iterdir() if file != world.file] == []
