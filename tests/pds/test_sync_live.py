"""`radial watch` against a real PDS: every way sees the story unfold; members come and go; accounts end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

import attrs
import httpx
import pytest

from radial_io.store.store import open_store
from tests.pds.accounts import Account, Servers, account, running
from tests.pds.following import Observer, three
from tests.pds.story import PREFIX, Story, at, go_on, write

pytestmark = pytest.mark.pds

PATIENCE: Final = 60.0
WAYS: Final = {"poll": ("--source", "poll", "--interval", "1"), "firehose": ("--source", "firehose")}


@attrs.define
class Watch:
    """A process that watches, and its events."""

    process: subprocess.Popen[str]
    events: Queue[dict[str, Any]] = attrs.field(factory=Queue)

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
            if wanted.items() <= event.items():
                return event

    def until_index(self, digest: str) -> None:
        self.until(event="index", digest=digest)


def until(is_so: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not is_so():
        assert monotonic() < end, "it does not come"
        sleep(0.1)


@pytest.fixture
def story(servers: Servers, request: pytest.FixtureRequest) -> Iterator[Story]:
    with three(servers, f"l{abs(hash(request.node.name)) % 10**6}") as story:
        write(story)
        yield story


def observers(servers: Servers, folder: Path, story: Story) -> dict[str, Observer]:
    return {way: Observer(servers, folder / f"{way}.db", story.uri("space/main")) for way in (*WAYS, "sync")}


def test_every_way_sees_the_story_unfold_and_accounts_end(servers: Servers, tmp_path: Path, story: Story) -> None:
    """Edits in place, a renewal, a deletion, then one account is deactivated and one deleted: one digest throughout."""
    seeing = observers(servers, tmp_path, story)
    with ExitStack() as stack:
        watching = {
            way: Watch(stack.enter_context(seeing[way].running("watch", "--json", *options)))
            for way, options in WAYS.items()
        }
        seeing["sync"].sync("--source", "repo")
        for watch in watching.values():
            watch.until_index(seeing["sync"].index().digest)
        go_on(story)
        seeing["sync"].sync("--source", "repo")
        digest = seeing["sync"].index().digest
        for watch in watching.values():
            watch.until_index(digest)
        story.mate.http.post("/com.atproto.server.deactivateAccount", json={}).raise_for_status()
        as_admin(servers, "deleteAccount", {"did": story.bot.did})
        for way in WAYS:
            until(lambda way=way: states(seeing[way], story) == ["deactivated", "deleted"])  # type: ignore[misc]
    said = seeing["sync"].sync("--source", "repo")
    assert states(seeing["sync"], story) == ["deactivated", "deleted"]
    assert said["whole"]  # what was read of them stands
    assert {observer.index().digest for observer in seeing.values()} == {digest}


def states(observer: Observer, story: Story) -> list[str]:
    repos = {repo["did"]: repo["state"] for repo in observer.ask("status")["repos"]}
    return [repos[story.mate.did], repos[story.bot.did]]


def as_admin(servers: Servers, name: str, body: dict[str, Any]) -> None:
    """Ask again where the PDS stumbles: it takes a repo's folder away while readers make it open files there."""
    url = f"{servers.pds}/xrpc/com.atproto.admin.{name}"

    def is_done() -> bool:
        return httpx.post(url, json=body, auth=("admin", servers.password), trust_env=False).is_success

    until(is_done)


@pytest.mark.parametrize("way", WAYS)
def test_a_fourth_member_brings_their_history_and_a_removed_one_brings_nothing_more(
    servers: Servers, tmp_path: Path, story: Story, way: str
) -> None:
    observer = Observer(servers, tmp_path / "store.db", story.uri("space/main"))
    name = f"fern-{way[:4]}"
    with account(servers, name) as fern, observer.running("watch", "--json", *WAYS[way]) as process:
        early = write_join(fern, story, "early")
        watch = Watch(process)
        watch.until(event="index")
        watch.until(event="looked", did=story.bot.did)
        grant = add(story, fern, "fern")
        watch.until(event="joined", did=fern.did)
        watch.until(event="looked", did=fern.did, how="read")
        assert early in counted(observer)
        remove(story, fern, "fern", grant)
        watch.until(event="left", did=fern.did)
        unseen = write_join(fern, story, "unseen")
        write_and_wait(story, watch)
        assert early not in counted(observer)  # it is there, and does not count (T5)
        assert unseen not in seen(observer)
        add(story, fern, "fern-again")
        watch.until(event="joined", did=fern.did)
        until(lambda: {early, unseen} <= counted(observer))
        repo = next(repo for repo in observer.ask("status")["repos"] if repo["did"] == fern.did)
        assert repo["member"]
    assert process.returncode is not None


def write_join(who: Account, story: Story, rkey: str) -> str:
    record = {"$type": f"{PREFIX}join", "createdAt": at(50), "space": story["space/main"]}
    return who.create_record(f"{PREFIX}join", rkey, record)["uri"]


def add(story: Story, who: Account, rkey: str) -> dict[str, str]:
    member = {"did": who.did, "kind": "human", "role": "member"}
    minute = 52 if rkey.endswith("again") else 50
    story.put(story.root, f"addMember/{rkey}", at(minute), space=story["space/main"], **member)
    return story[f"addMember/{rkey}"]


def remove(story: Story, who: Account, rkey: str, grant: dict[str, str]) -> None:
    story.put(story.root, f"removeMember/{rkey}", at(51), space=story["space/main"], did=who.did, membership=grant)


def write_and_wait(story: Story, watch: Watch) -> None:
    """Let something be written, and seen, that comes after: whoever is followed was looked at meanwhile."""
    for number in range(2):
        goal = {"space": story["space/main"], "project": story["project/tool"], "title": f"Later {number}", "body": "."}
        story.put(story.root, f"goal/later-{number}", at(53, number), **goal)
        watch.until(event="moved", uri=story.uri(f"goal/later-{number}"))


def counted(observer: Observer) -> set[str]:
    index = observer.index()
    return {uri for uri in seen(observer) if index.explain(uri).verdict == "counts"}


def seen(observer: Observer) -> set[str]:
    with open_store(observer.store, write=False) as store:
        return {observation.uri for _, observation in store.observations()}


def test_a_stream_that_dies_leaves_freshness_unknown_and_is_tried_again(tmp_path: Path) -> None:
    """RK-16.4, with a PDS of its own that ends."""
    with ExitStack() as stack:
        servers = stack.enter_context(running())
        story = stack.enter_context(three(servers, "dies"))
        write(story)
        observer = Observer(servers, tmp_path / "store.db", story.uri("space/main"))
        with observer.running("watch", "--json", "--source", "firehose") as process:
            watch = Watch(process)
            watch.until(event="opened")
            until(lambda: freshness(observer) == {"live"})
            stack.close()
            watch.until(event="brokeOff")
            until(lambda: freshness(observer) == {"unknown"})
            assert process.poll() is None


def freshness(observer: Observer) -> set[str]:
    return {repo["freshness"] for repo in observer.ask("status")["repos"] if repo["member"]}
