"""`radial sync` into a store: what it says, what it leaves, and how it ends when something is missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from radial_io.store.store import open_store
from tests.cli.conftest import Call, Done
from tests.cli.test_reference import documented_keys_hold, section
from tests.io.fakes import ALICE, BOB, CAROL, DAVE, GOAL, PREFIX, FakePds, FakePlc, Reply, serving

LATER_REV = "3kbbbbbbbbbb2"


class World:
    """A server with a space of two, and the store that it is read into."""

    def __init__(self, radial: Call, folder: Path) -> None:
        self.radial = radial
        self.store = folder / "data" / "store.db"
        self.pds = FakePds()
        self.space = self.pds.put(ALICE, "space", "main", name="Lab")
        self.here = {"space": self.pds.ref(self.space)}
        self.grant("bob", BOB)
        self.agent = self.pds.put(BOB, "agent", "coder", handleName="b", harness="h", models=[], artifactTypes=["plan"])
        self.url = ""

    def grant(self, rkey: str, did: str) -> str:
        return self.pds.put(ALICE, "addMember", rkey, **self.here, did=did, kind="agent", role="agent")

    def goal(self, rkey: str) -> str:
        fields = {"name": "P", "gitUrl": "https://git.example/p.git", "defaultBranch": "main"}
        project = self.pds.put(ALICE, "project", "p", **self.here, **fields)
        there = self.here | {"project": self.pds.ref(project)}
        return self.pds.put(ALICE, "goal", rkey, **there, title="Tides", body="Come and go.")

    def sync(self, *more: str, space: str | None = None) -> Done:
        return self.radial("sync", space or self.space, "--pds", self.url, "--store", self.store, *more)

    def uris(self) -> list[str]:
        with open_store(self.store, write=False) as store:
            return sorted({seen.uri for _, seen in store.observations()})


@pytest.fixture
def world(radial: Call, tmp_path: Path) -> Iterator[World]:
    made = World(radial, tmp_path)
    with serving(made.pds.answer) as made.url:
        yield made


def test_a_space_becomes_part_of_the_store(world: World) -> None:
    done = world.sync()
    assert (done.status, done.out) == (0, "")
    assert world.uris() == sorted([world.space, f"at://{ALICE}/{PREFIX}addMember/bob", world.agent])
    assert f"{BOB} at {world.url}: 1 new version\n" in done.err
    assert done.err.endswith("radial: 2 repos: 3 new versions, 0 deletions; 0 goals and 0 requests moved\n")


def test_a_second_run_asks_one_question_a_repo_and_says_what_moved(world: World) -> None:
    world.sync()
    world.pds.asked.clear()
    assert world.sync().err == "radial: 2 repos: 0 new versions, 0 deletions; 0 goals and 0 requests moved\n"
    assert [nsid for nsid, _ in world.pds.asked] == ["com.atproto.sync.getLatestCommit"] * 2
    goal = world.goal("g")
    world.pds.rev = LATER_REV
    done = world.sync()
    assert done.out.splitlines()[1].split("\t")[:4] == ["goal", "", "open", goal]
    assert "1 goal and 0 requests moved" in done.err


def test_without_a_fold_it_says_less_and_keeps_the_same(world: World) -> None:
    world.goal("g")
    done = world.sync("--no-fold")
    assert (done.status, done.out) == (0, "")
    assert "moved" not in done.err
    assert len(world.uris()) == 5


def test_a_person_sees_what_moved_by_name(world: World) -> None:
    world.goal("g")
    done = world.radial("sync", world.space, "--pds", world.url, "--store", world.store, terminal=True)
    assert "new: open" in done.out
    assert "goal/g" in done.out


def test_the_sum_has_the_documented_keys(world: World, root: Path) -> None:
    world.goal("g")
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    said = json.loads(world.sync("--json").out)
    assert documented_keys_hold(section(page, "sync"), said) > 3
    assert said["whole"] is True
    assert [repo["did"] for repo in said["repos"]] == [ALICE, BOB]


def test_nobody_is_read_who_is_not_a_member(world: World) -> None:
    """Named in records, assigned, agent of somebody, removed again: none of that opens a repo."""
    removed = world.grant("dave", DAVE)
    world.pds.put(ALICE, "removeMember", "dave", **world.here, did=DAVE, membership=world.pds.ref(removed))
    world.pds.put(ALICE, "agent", "x", handleName="x", harness="h", models=[], artifactTypes=[], operator=CAROL)
    world.pds.put(CAROL, "join", "j", **world.here)
    world.pds.put(DAVE, "join", "j", **world.here)
    assert world.sync().status == 0
    assert {query.get("did") or query["repo"] for _, query in world.pds.asked} == {ALICE, BOB}


def test_nobody_s_document_is_asked_for_either(radial: Call, tmp_path: Path) -> None:
    world, plc, looked_up = World(radial, tmp_path), FakePlc(), []

    def answer(path: str, query: dict[str, str]) -> Reply:
        looked_up.append(path.removeprefix("/"))
        return plc.answer(path, query)

    world.pds.put(BOB, "message", "m", text=f"hello at://{CAROL}/{GOAL}/x", **world.here)
    with serving(world.pds.answer) as pds, serving(answer) as directory:
        for did in (ALICE, BOB, CAROL):
            plc.register(did, pds)
        assert radial("sync", world.space, "--plc", directory, "--store", world.store).status == 0
    assert set(looked_up) == {ALICE, BOB}


def test_a_member_whose_repo_is_nowhere_is_named_and_the_others_are_read(world: World) -> None:
    world.grant("carol", CAROL)
    done = world.sync()
    assert done.status == 75
    assert f"not the whole: 1 repo could not be read: {CAROL}" in done.err
    assert world.agent in world.uris()


def test_one_who_left_the_network_after_being_read_is_not_missing(world: World) -> None:
    world.sync()
    del world.pds.repos[BOB]
    done = world.sync()
    assert done.status == 0
    assert f"{BOB} at {world.url}: not read\n  the account is deleted" in done.err
    assert world.agent in world.uris()


def test_a_space_that_is_not_there_is_said(world: World) -> None:
    uri = f"at://{ALICE}/{PREFIX}space/elsewhere"
    done = world.sync(space=uri)
    assert done.status == 3
    assert f"{uri} is not in the repo of its root" in done.err


def test_what_is_set_aside_is_named_and_in_the_status(world: World) -> None:
    world.pds.put(BOB, "goal", "bad", title="x" * 10)
    lied = {"uri": f"at://{BOB}/{GOAL}/bad", "cid": "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy"}

    def lie(_nsid: str, query: dict[str, str]) -> Reply | None:
        if query.get("collection") != GOAL or query.get("repo") != BOB or "cursor" in query:
            return None
        return Reply.json({"records": [lied | {"value": {"title": "else"}}]})

    world.pds.intercept = lie
    done = world.sync()
    assert done.status in {1, 75}
    assert "set aside" in done.err
    assert world.agent in world.uris()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--source", "firehose"], "firehose is a stream, and sync reads once"),
        (["--source", "pigeon"], "pigeon is no way to follow a repo"),
        (["--source", "repo", "--source", "poll"], "there is a way already"),
        (["--source", "poll=https://pds.example"], "it takes no host"),
        (["--plc", "https://plc.example"], "--pds and --plc exclude each other"),
    ],
)
def test_a_wrong_command_line_opens_nothing(world: World, arguments: list[str], words: str) -> None:
    done = world.sync(*arguments)
    assert done.status == 2
    assert words in done.err
    assert not world.store.exists()
    assert not world.pds.asked


def test_what_is_no_space_is_said(world: World) -> None:
    done = world.sync(space="at://nonsense")
    assert done.status == 2
    assert "is not the URI of a Radial space" in done.err
    assert not world.store.exists()


@pytest.mark.parametrize("verb", ["sync", "watch"])
@pytest.mark.parametrize("option", ["--pds", "--plc"])
@pytest.mark.parametrize("url", ["plc.example", "ftp://plc.example", "https://plc.example/path", ""])
def test_what_is_no_server_is_said_before_a_store_is_made(world: World, verb: str, option: str, url: str) -> None:
    done = world.radial(verb, world.space, option, url, "--store", world.store)
    assert done.status == 2
    assert "Give scheme, host and port" in done.err
    assert not world.store.exists()


def test_a_person_sees_progress_which_is_gone_at_the_end(
    world: World, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    shown = on_a_terminal(world, start)
    assert "repos" in shown
    assert "1/2" in shown
    assert f"{BOB} at {world.url}: 1 new version" in shown
    assert shown.rfind(SHOW_CURSOR) > shown.rfind(HIDE_CURSOR)


def test_ctrl_c_leaves_the_terminal_as_it_was(world: World, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    asked = threading.Event()

    def hang(_nsid: str, query: dict[str, str]) -> Reply | None:
        if BOB in query.values():
            asked.set()
            threading.Event().wait(3)
        return None

    world.pds.intercept = hang

    def interrupt(process: subprocess.Popen[bytes]) -> None:
        assert asked.wait(20)
        process.send_signal(signal.SIGINT)

    shown = on_a_terminal(world, start, interrupt)
    assert HIDE_CURSOR in shown
    assert shown.rfind(SHOW_CURSOR) > shown.rfind(HIDE_CURSOR)


HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"


def on_a_terminal(
    world: World,
    start: Callable[..., subprocess.Popen[bytes]],
    then: Callable[[subprocess.Popen[bytes]], None] = lambda _process: None,
) -> str:
    """Run a sync whose standard error is a terminal; give what was shown there."""
    mine, theirs = os.openpty()
    process = start("sync", world.space, "--pds", world.url, "--store", world.store, stderr=theirs)
    os.close(theirs)
    shown: list[bytes] = []

    def read() -> None:
        with suppress(OSError):  # the other end was closed
            while piece := os.read(mine, 4096):
                shown.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    then(process)
    process.wait(20)
    reader.join(20)
    os.close(mine)
    return b"".join(shown).decode()


def test_two_writers_do_not_meet(world: World) -> None:
    world.sync()
    with open_store(world.store, write=True):
        assert world.sync().status == 75


def test_ctrl_c_ends_it_quietly_and_the_next_run_goes_on(
    world: World, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    asked = threading.Event()
    go_on = threading.Event()

    def wait(_nsid: str, query: dict[str, str]) -> Reply | None:
        if (query.get("did") or query.get("repo")) == BOB:
            asked.set()
            go_on.wait(20)
        return None

    world.pds.intercept = wait
    process = start("sync", world.space, "--pds", world.url, "--store", world.store)
    assert asked.wait(20)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    go_on.set()
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert world.space in world.uris()
    world.pds.intercept = lambda _nsid, _query: None
    said: dict[str, Any] = json.loads(world.sync("--json").out)
    assert {repo["did"]: repo["how"] for repo in said["repos"]} == {ALICE: "unchanged", BOB: "read"}
