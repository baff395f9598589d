"""Readers that are killed at random moments, twenty times each, arrive where those arrive that live."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import sleep

import pytest

from radial_core import Index, materialize
from radial_io.store.store import open_store
from tests.pds.accounts import Servers, account
from tests.pds.story import Story, go_on, write
from tests.pds.sync_once import WAYS

pytestmark = [pytest.mark.pds, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
KILLS = 20


def _start(servers: Servers, folder: Path, way: str, dids: list[str]) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tests.pds.sync_once", servers.plc, str(folder), way, *dids]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _finish(servers: Servers, folder: Path, way: str, dids: list[str]) -> Index:
    with _start(servers, folder, way, dids) as process:
        assert process.wait(60) == 0
    with open_store(folder / "store.db", write=False) as store:
        assert store.unread(dids) == ()
        return materialize(observation for _, observation in store.observations())


def _killed(servers: Servers, folder: Path, way: str, dids: list[str], dice: Random) -> bool:
    """Run it and kill it; tell whether it was still at work."""
    with _start(servers, folder, way, dids) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        sleep(dice.random() * 0.5)
        process.kill()
        return process.wait(60) != 0


@pytest.mark.parametrize("way", WAYS)
def test_twenty_kills_change_nothing(servers: Servers, tmp_path: Path, way: str) -> None:
    """The first half before the story goes on, so that both a first reading and a later one are cut off."""
    dice = Random(way)
    with ExitStack() as stack:
        names = (f"{name}-{way}-kill"[:18] for name in ("ruth", "mate", "bot"))
        root, mate, bot = (stack.enter_context(account(servers, name)) for name in names)
        story = Story(root, mate, bot)
        write(story)
        dids = [root.did, mate.did, bot.did]
        at_work = [_killed(servers, tmp_path / "dying", way, dids, dice) for _ in range(KILLS // 2)]
        _finish(servers, tmp_path / "dying", way, dids)
        _finish(servers, tmp_path / "living", way, dids)
        go_on(story)
        at_work += [_killed(servers, tmp_path / "dying", way, dids, dice) for _ in range(KILLS // 2)]
        dying = _finish(servers, tmp_path / "dying", way, dids)
        living = _finish(servers, tmp_path / "living", way, dids)
    assert any(at_work)
    assert dying.digest == living.digest
    assert dying.to_json() == living.to_json()
