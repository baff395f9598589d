"""`radial sync` against a real PDS: every way of reading gives one digest; what happens to accounts is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pds import expected
from tests.pds.accounts import Servers
from tests.pds.following import Observer, three
from tests.pds.matching import assert_matches
from tests.pds.story import Story, go_on, write

pytestmark = pytest.mark.pds

WAYS = ("poll", "repo")


def test_every_way_gives_the_same_digest_from_day_to_day(servers: Servers, tmp_path: Path) -> None:
    with three(servers, "sync") as story:
        write(story)
        observers = {way: Observer(servers, tmp_path / f"{way}.db", story.uri("space/main")) for way in WAYS}
        first = {way: observer.sync("--source", way) for way, observer in observers.items()}
        assert all(said["whole"] for said in first.values())
        assert first["poll"]["new"] == first["repo"]["new"] == len(story.refs) - 1  # one was deleted before
        indexes = {way: observer.index() for way, observer in observers.items()}
        assert len({index.digest for index in indexes.values()}) == 1
        assert_matches(indexes["poll"].to_json(), expected.index(story))
        go_on(story)
        second = {way: observer.sync("--source", way) for way, observer in observers.items()}
        assert len({observer.index().digest for observer in observers.values()}) == 1
        assert second["poll"]["new"] == second["repo"]["new"] == 2  # an edit, a renewal
        assert second["poll"]["deletions"] == second["repo"]["deletions"] == 1
        assert {repo["how"] for repo in observers["poll"].sync()["repos"]} == {"unchanged"}


def test_what_moved_is_what_moved(servers: Servers, tmp_path: Path) -> None:
    with three(servers, "move") as story:
        write(story)
        observer = Observer(servers, tmp_path / "store.db", story.uri("space/main"))
        goals = {move["uri"]: move for move in observer.sync()["moved"] if move["kind"] == "goal"}
        assert all(move["before"] is None for move in goals.values())
        (open_goal, *_) = [uri for uri, move in goals.items() if move["after"] == "open"]
        story.put(story.mate, "closeGoal/late", "2026-01-02T00:00:00Z", goal=_ref(story, open_goal), closed=True)
        moved = observer.sync()["moved"]
    (goal,) = (move for move in moved if move["kind"] == "goal")
    assert (goal["uri"], goal["before"], goal["after"].split(",")[0]) == (open_goal, "open", "ended")


def _ref(story: Story, uri: str) -> dict[str, str]:
    return next(ref for ref in story.refs.values() if ref["uri"] == uri)
