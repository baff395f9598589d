"""Asking a store that a running `radial watch` feeds from a real PDS (RK-16.4).

Answers follow what is written, and so does what they say of their age.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, Final

import pytest

from tests.pds.accounts import Servers
from tests.pds.following import Observer, three
from tests.pds.story import GUEST, Story, at, write

pytestmark = pytest.mark.pds

PATIENCE: Final = 60.0


@pytest.fixture
def story(servers: Servers, request: pytest.FixtureRequest) -> Iterator[Story]:
    with three(servers, f"k{abs(hash(request.node.name)) % 10**6}") as story:
        write(story)
        yield story


@contextmanager
def watched(observer: Observer, *way: str) -> Iterator[subprocess.Popen[str]]:
    """Let somebody watch; once they have told anything, there is a store."""
    with observer.running("watch", "--json", *way) as watching:
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert watching.stdout.readline()
        for stream in (watching.stdout, watching.stderr):
            Thread(target=stream.read, daemon=True).start()
        yield watching


def subject(observer: Observer, uri: str) -> dict[str, Any]:
    answer: dict[str, Any] = observer.ask("query", "subject", uri)
    return answer


def until(observer: Observer, uri: str, **wanted: Any) -> dict[str, Any]:
    """Ask again until the answer, or what it says of its age, has these."""
    end = monotonic() + PATIENCE
    while True:
        answer = subject(observer, uri)
        said = answer["freshness"] | {"resolved": answer["resolved"]}
        said["dated"] = said["asOf"] is not None and said["behind"] is not None
        if wanted.items() <= said.items():
            return answer
        assert monotonic() < end, answer
        sleep(0.2)


def waits_for(observer: Observer, did: str) -> set[str]:
    return {item["note"]["uri"] for item in observer.ask("inbox", "--as", did)["items"]}


def test_answers_follow_a_stream_and_are_live_for_as_long_as_it_is_followed(
    servers: Servers, tmp_path: Path, story: Story
) -> None:
    space, mate = story.uri("space/main"), story.mate
    story.put(mate, "space/own", at(54), name="Own")
    story.put(mate, "addMember/guest", at(55), space=story["space/own"], did=GUEST, kind="human", role="member")
    observer = Observer(servers, tmp_path / "store.db", space)
    with watched(observer, "--source", "firehose") as watching:
        until(observer, space, resolved=True, state="live", unread=[])
        goal = {"space": story["space/main"], "project": story["project/tool"], "title": "More", "body": "."}
        story.put(story.root, "goal/more", at(55), **goal)
        asked = {"goal": story["goal/more"], "type": "plan", "assignee": mate.did}
        story.put(story.root, "artifactRequest/more", at(56), **asked)
        request = story.uri("artifactRequest/more")
        answer = until(observer, request, resolved=True, state="live")
        assert answer["subject"]["state"] == ["open", "dispatchable"]
        assert request in waits_for(observer, mate.did)
        no = {"goal": story["goal/more"], "re": story["artifactRequest/more"], "body": "No.", "declines": True}
        story.put(mate, "message/not-now", at(57), **no)
        until(observer, story.uri("message/not-now"), resolved=True, state="live")
        assert request not in waits_for(observer, mate.did)
        assert story.uri("message/not-now") in waits_for(observer, story.root.did)
        # The mate's repo holds a space of their own, that nobody follows, with somebody whom nobody asks.
        own = subject(observer, story.uri("space/own"))
        assert (own["resolved"], own["freshness"]["state"], own["freshness"]["unread"]) == (True, "unknown", [GUEST])
        assert observer.ask("inbox", "--as", story.root.did)["freshness"]["state"] == "live"
        assert observer.ask("inbox", "--as", mate.did)["freshness"]["state"] == "unknown"
        watching.kill()
        watching.wait(timeout=PATIENCE)
        ended = until(observer, request, resolved=True, state="unknown", unread=[], dated=True)
        assert ended["coverage"]["digest"] == observer.index().digest


def test_answers_are_as_old_as_the_last_look_where_there_is_no_stream(
    servers: Servers, tmp_path: Path, story: Story
) -> None:
    """What is written between two looks is not heard of: that is never called live."""
    space = story.uri("space/main")
    observer = Observer(servers, tmp_path / "store.db", space)
    with watched(observer, "--source", "poll", "--interval", "1"):
        answer = until(observer, space, resolved=True, unread=[], dated=True)
        goal = {"space": story["space/main"], "project": story["project/tool"], "title": "More", "body": "."}
        story.put(story.root, "goal/more", at(55), **goal)
        later = until(observer, story.uri("goal/more"), resolved=True, dated=True)
        assert {said["freshness"]["state"] for said in (answer, later)} == {"unknown"}
