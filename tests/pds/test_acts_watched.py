"""An act while `radial watch` holds the store and looks from time to time: it is judged on a view of this moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

import pytest

from tests.pds.accounts import Servers
from tests.pds.acts_story import Person
from tests.pds.following import Observer, three
from tests.pds.story import PREFIX, Story, at, write
from tests.pds.terminals import Asked

pytestmark = [pytest.mark.pds, pytest.mark.slow]

PATIENCE: Final = 60.0
NEVER: Final = "86400"  # seconds: after its first look the watcher looks no more


@pytest.fixture
def story(servers: Servers) -> Iterator[Story]:
    with three(servers, "watched") as story:
        write(story)
        yield story


def knows(observer: Observer, uri: str) -> bool:
    return observer.ask("query", "subject", uri)["resolved"] is True


def wait_until_read(observer: Observer, story: Story) -> None:
    """Wait until the watcher has read the repos of everybody in the story."""
    last = [story.uri(name) for name in ("blessComment/kept", "closeGoal/g3", "message/question")]
    end = monotonic() + PATIENCE
    while not all(knows(observer, uri) for uri in last) or unread(observer, last[0]):
        assert monotonic() < end, last
        sleep(0.2)


def unread(observer: Observer, uri: str) -> list[str]:
    dids: list[str] = observer.ask("query", "subject", uri)["freshness"]["unread"]
    return dids


def removals(story: Story) -> list[dict[str, Any]]:
    asked = {"repo": story.root.did, "collection": f"{PREFIX}removeMember"}
    answer = story.root.http.get("/com.atproto.repo.listRecords", params=asked).raise_for_status()
    listed: list[dict[str, Any]] = answer.json()["records"]
    return listed


def hidden(said: dict[str, Any]) -> Counter[str]:
    return Counter({group["kind"]: len(group["uris"]) for group in said["hidden"]})


def late(story: Story, number: int) -> None:
    """A goal of mate's, and what root and bot put there."""
    root, mate, bot = story.root, story.mate, story.bot
    place = {"space": story["space/main"], "project": story["project/tool"]}
    story.put(mate, f"goal/late-{number}", at(50), **place, title=f"Late {number}", body=".")
    goal = story[f"goal/late-{number}"]
    story.put(root, f"artifactRequest/late-{number}", at(51), goal=goal, type="plan")
    for which in "ab":
        story.put(bot, f"message/late-{number}-{which}", at(52), goal=goal, body="Yes.")


WRITTEN_LATE = Counter({"goal": 1, "artifactRequest": 1, "message": 2})


def test_a_removal_counts_what_was_written_since_the_watcher_looked(
    servers: Servers, tmp_path: Path, story: Story
) -> None:
    ruth = Person(story.root, "ruth-watched.test", tmp_path / "ruth", servers)
    ruth.log_in()
    remove = ("member", "remove", story.mate.did)
    observer = Observer(servers, ruth.home / "store.db", story.uri("space/main"))
    with ExitStack() as stack:
        watching = stack.enter_context(observer.running("watch", "--interval", NEVER, "--json"))
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert watching.stdout.readline()  # there is a store
        for stream in (watching.stdout, watching.stderr):
            Thread(target=stream.read, daemon=True).start()
        wait_until_read(observer, story)
        before = hidden(ruth.ask(*remove, "--dry-run"))
        assert before["goal"] == 1  # g2

        late(story, 1)
        said = ruth.ask(*remove, "--dry-run")
        assert hidden(said) - before == WRITTEN_LATE
        assert story.uri("goal/late-1") in {uri for group in said["hidden"] for uri in group["uris"]}

        asked = Asked(ruth, *remove)
        asked.until("[y/N] ")
        numbers = before + WRITTEN_LATE
        shown = " ".join(asked.said.split())  # however wide the terminal is
        assert f"{numbers['goal']} goals" in shown
        assert f"{numbers['message']} messages" in shown
        assert "Late 1" in asked.said
        late(story, 2)
        assert asked.answer("y\n") == 75
        assert "the space has changed meanwhile: what would come of it" in " ".join(asked.said.split())
        assert story.mate.did not in {each["value"]["did"] for each in removals(story)}

        assert watching.poll() is None  # it held the store all the while,
        assert not knows(observer, story.uri("goal/late-1"))  # and had not looked again
