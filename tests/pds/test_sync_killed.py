"""`radial sync` and `radial watch`, killed at random moments twenty times each, arrive where those arrive that live."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Final

import pytest

from radial_io.store.errors import StoreError
from radial_io.store.locking import lock_file
from tests.pds.accounts import Servers
from tests.pds.following import Observer, three
from tests.pds.story import go_on, write
from tests.pds.told import wait_until_told

pytestmark = [pytest.mark.pds, pytest.mark.slow]

KILLS: Final = 20
PATIENCE: Final = 60.0
WAYS: Final = {
    "poll": ("sync", "--source", "poll"),
    "repo": ("sync", "--source", "repo"),
    "firehose": ("watch", "--source", "firehose", "--json"),
}


def killed(observer: Observer, way: str, dice: Random) -> bool:
    """Start it, wait until it has the store, kill it some time later; tell whether it was still at work."""
    with observer.running(*WAYS[way]) as process:
        end = monotonic() + PATIENCE
        while process.poll() is None and not _holds_the_store(observer.store, process.pid):
            assert monotonic() < end
            sleep(0.01)
        sleep(dice.random() * 0.6)
        process.kill()
        return process.wait(PATIENCE) != 0


def _holds_the_store(store: Path, pid: int) -> bool:
    try:
        return lock_file(store).read_text().startswith(f"{pid} ")
    except OSError:
        return False


def finished(observer: Observer, way: str, digest: str) -> str:
    """Let it live until it has arrived, or for too long; give the digest."""
    if WAYS[way][0] == "sync":
        observer.sync(*WAYS[way][1:])
        return observer.index().digest
    with observer.running(*WAYS[way]):
        end = monotonic() + PATIENCE
        while (found := _digest(observer)) != digest and monotonic() < end:
            sleep(0.2)
    return found


def _digest(observer: Observer) -> str:
    try:
        return observer.index().digest
    except StoreError:
        return ""


@pytest.mark.parametrize("way", WAYS)
def test_twenty_kills_change_nothing(servers: Servers, tmp_path: Path, way: str) -> None:
    """The first half before the story goes on, so that both a first reading and a later one are cut off."""
    seed = f"kill {way}"
    print("seed:", seed)
    dice = Random(seed)
    with three(servers, f"k{way[:4]}") as story:
        write(story)
        wait_until_told(servers)
        space = story.uri("space/main")
        dying, living = (
            Observer(servers, tmp_path / "dying.db", space),
            Observer(servers, tmp_path / "living.db", space),
        )
        at_work = [killed(dying, way, dice) for _ in range(KILLS // 2)]
        living.sync()
        assert finished(dying, way, living.index().digest) == living.index().digest
        go_on(story)
        at_work += [killed(dying, way, dice) for _ in range(KILLS // 2)]
        living.sync()
        assert finished(dying, way, living.index().digest) == living.index().digest
        assert dying.index().to_json() == living.index().to_json()
    print("killed at work:", sum(at_work))
    assert any(at_work)
