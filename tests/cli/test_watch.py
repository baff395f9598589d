"""`radial watch` as a process: what it prints as things move, whom it follows, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from time import sleep
from typing import Any

import attrs
import pytest

from tests.cli.conftest import Call
from tests.cli.test_reference import section, tables
from tests.cli.test_sync import World
from tests.io.fakes import ALICE, BOB, CAROL, PREFIX, Reply, serving

PATIENCE = 20.0


@attrs.define
class Watch:
    """A process that watches a world, and its events."""

    process: subprocess.Popen[bytes]
    events: Queue[dict[str, Any]] = attrs.field(factory=Queue)
    met: list[dict[str, Any]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def until(self, **wanted: Any) -> dict[str, Any]:
        """Wait for an event that has these fields."""
        while True:
            event = self.events.get(timeout=PATIENCE)
            self.met.append(event)
            if wanted.items() <= event.items():
                return event


@pytest.fixture
def world(radial: Call, tmp_path: Path) -> Iterator[World]:
    made = World(radial, tmp_path)
    with serving(made.pds.answer) as made.url:
        yield made


@pytest.fixture
def watch(world: World, start: Callable[..., subprocess.Popen[bytes]]) -> Callable[..., Watch]:
    def watching(*more: str) -> Watch:
        options = ["--pds", world.url, "--store", world.store, "--interval", "0.3", "--json"]
        return Watch(start("watch", world.space, *options, *more))

    return watching


def later(world: World) -> None:
    """Let the repos have another revision."""
    world.pds.rev = f"{world.pds.rev[:-2]}{chr(ord(world.pds.rev[-2]) + 1)}2"


def test_what_moves_is_told_with_the_digest_that_sync_arrives_at(world: World, watch: Callable[..., Watch]) -> None:
    watching = watch()
    watching.until(event="looked", did=BOB)
    goal = world.goal("g")
    later(world)
    moved = watching.until(event="moved")
    assert (moved["kind"], moved["uri"], moved["before"], moved["after"]) == ("goal", goal, None, "open")
    digest = watching.until(event="index")["digest"]
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(PATIENCE) == 130
    assert world.radial("rebuild", "--store", world.store).out == f"{digest}\n"
    again = World(world.radial, world.store.parent / "other")
    again.url = world.url
    assert again.sync().status == 0
    assert world.radial("rebuild", "--store", again.store).out == f"{digest}\n"


def test_who_joins_is_followed_and_who_leaves_is_not_asked_for_any_more(
    world: World, watch: Callable[..., Watch]
) -> None:
    world.pds.put(CAROL, "join", "j", **world.here)
    watching = watch()
    watching.until(event="looked", did=BOB)
    assert CAROL not in asked(world)
    grant = world.grant("carol", CAROL)
    later(world)
    watching.until(event="joined", did=CAROL)
    watching.until(event="looked", did=CAROL)
    world.pds.put(ALICE, "removeMember", "carol", **world.here, did=CAROL, membership=world.pds.ref(grant))
    later(world)
    watching.until(event="left", did=CAROL)
    some_looks(world)  # what was on its way when the removal came arrives meanwhile
    world.pds.asked.clear()
    some_looks(world)
    wait_until(lambda: {ALICE, BOB} <= asked(world))  # one of them may be looked at more often than the other
    assert asked(world) == {ALICE, BOB}
    world.grant("carol-2", CAROL)
    later(world)
    watching.until(event="joined", did=CAROL)
    watching.until(event="looked", did=CAROL)


def some_looks(world: World) -> None:
    """Let some rounds go by."""
    count = len(world.pds.asked)
    wait_until(lambda: len(world.pds.asked) > count + 8)


def asked(world: World) -> set[str]:
    return {query.get("did") or query["repo"] for _, query in world.pds.asked}


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(400):
        if is_so():
            return
        sleep(0.05)
    raise AssertionError("it does not come")


def test_one_repo_that_fails_stops_nobody_and_is_told_of_once(world: World, watch: Callable[..., Watch]) -> None:
    refused = Reply.json({"error": "InternalServerError", "message": "a bug"}, 501)
    world.pds.intercept = lambda _nsid, query: refused if BOB in query.values() else None
    watching = watch()
    failed = watching.until(event="looked", did=BOB)
    assert failed["how"] == "failed"
    for key in ("g", "h"):
        goal = world.goal(key)
        later(world)
        watching.until(event="moved", uri=goal)
    world.pds.intercept = lambda _nsid, _query: None
    assert watching.until(event="looked", did=BOB)["how"] in {"read", "unchanged"}
    assert [event for event in watching.met if event.get("did") == BOB and event.get("how") == "failed"] == [failed]


def test_people_read_lines(world: World, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = start("watch", world.space, "--pds", world.url, "--store", world.store, "--interval", "0.3")
    assert process.stderr is not None
    assert process.stdout is not None
    assert process.stderr.readline().decode() == f"{ALICE} is followed\n"
    for line in process.stderr:
        if line.startswith(BOB.encode()) and b"new version" in line:
            break
    goal = world.goal("g")
    later(world)
    at, kind, before, after, uri, *_ = process.stdout.readline().decode().split("\t")
    assert (at[-1], kind, before, after, uri) == ("Z", "goal", "", "open", goal)
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 143
    assert b"Traceback" not in process.stderr.read()


def test_a_reader_that_goes_away_ends_it_quietly(world: World, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = start("watch", world.space, "--pds", world.url, "--store", world.store, "--interval", "0.3", "--json")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    world.goal("g")
    later(world)
    assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_events_have_the_documented_keys(world: World, watch: Callable[..., Watch], root: Path) -> None:
    text = section((root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8"), "watch")
    documented = {path.removeprefix("$ of "): set(names) for path, names in tables(text)}
    watching = watch()
    watching.until(event="looked", did=BOB)
    world.goal("g")
    later(world)
    watching.until(event="moved")
    watching.until(event="index")
    for event in watching.met:
        names = documented["$"] | documented[event["event"]]
        assert event.keys() >= names - {"…"}, event
        assert "…" in names or event.keys() == names, event


def test_a_wrong_command_line_opens_nothing(world: World) -> None:
    done = world.radial("watch", world.space, "--source", "jetstream", "--store", world.store)
    assert done.status == 2
    assert "jetstream needs its host" in done.err
    assert not world.store.exists()


def test_a_space_that_is_nowhere_is_said(world: World, start: Any) -> None:
    uri = f"at://{ALICE}/{PREFIX}space/elsewhere"
    watching = Watch(start("watch", uri, "--pds", world.url, "--store", world.store, "--interval", "0.3", "--json"))
    assert watching.until(event="noSpace")["space"] == uri
