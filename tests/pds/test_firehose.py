"""A real PDS's firehose: the same digest as the signed repos, whatever the cursor, and killed twenty times."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from time import sleep

import anyio
import pytest

from radial_core import Index, materialize
from radial_io.atproto.identity import open_servers
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.firehose import firehose
from radial_io.ingest.repo import read_repo
from radial_io.ingest.streaming import run_stream
from radial_io.store.store import Store, open_store
from radial_io.store.values import Batch, Source
from tests.pds.accounts import Account, Servers, account, running
from tests.pds.story import PREFIX, Story, go_on, write
from tests.pds.stream_once import now, stream
from tests.pds.told import wait_until_told

pytestmark = pytest.mark.pds

ROOT = Path(__file__).resolve().parents[2]
KILLS = 20


@contextmanager
def _story(servers: Servers, name: str) -> Iterator[Story]:
    with ExitStack() as stack:
        root, mate, bot = (stack.enter_context(account(servers, f"{who}-{name}")) for who in ("ruth", "mate", "bot"))
        yield Story(root, mate, bot)


def _dids(story: Story) -> list[str]:
    return [story.root.did, story.mate.did, story.bot.did]


def _index(folder: Path) -> Index:
    with open_store(folder / "store.db", write=False) as store:
        assert not list(store.quarantine())
        return materialize(observation for _, observation in store.observations())


def _uris(folder: Path) -> set[str]:
    with open_store(folder / "store.db", write=False) as store:
        return {observation.uri for _, observation in store.observations()}


def _streamed(servers: Servers, folder: Path, start: str, dids: list[str]) -> Index:
    folder.mkdir(exist_ok=True)
    anyio.run(stream, servers.pds, servers.plc, folder, start, dids)
    return _index(folder)


def _read(servers: Servers, folder: Path, dids: list[str]) -> Index:
    """Read the signed repos whole."""
    folder.mkdir(exist_ok=True)

    async def read() -> None:
        with open_store(folder / "store.db", write=True) as store:
            async with open_servers(plc=servers.plc) as (client, resolver):
                world = World(client=client, resolver=resolver, store=store, clock=now)
                for did in dids:
                    await carry_out(read_repo(did), world)

    anyio.run(read)
    return _index(folder)


def test_followed_from_now_on_it_agrees_with_the_signed_repos_from_day_to_day(servers: Servers, tmp_path: Path) -> None:
    with _story(servers, "fire") as story:
        write(story)
        wait_until_told(servers)
        dids = _dids(story)
        first = _streamed(servers, tmp_path / "stream", "now", dids)
        assert first.digest == _read(servers, tmp_path / "repo", dids).digest
        go_on(story)
        second = _streamed(servers, tmp_path / "stream", "now", dids)  # goes on from its cursor
        assert second.digest == _read(servers, tmp_path / "repo", dids).digest
        assert first.digest != second.digest


def test_followed_from_the_oldest_event_it_knows_also_what_is_gone_and_every_repo_stands_at_its_head(
    servers: Servers, tmp_path: Path
) -> None:
    with _story(servers, "old") as story:
        write(story)
        go_on(story)
        dids = _dids(story)
        oldest = _streamed(servers, tmp_path / "stream", "oldest", dids)
        now_on = _read(servers, tmp_path / "repo", dids)
    told = {row["uri"] for row in oldest.to_json()["edits"]}
    assert f"at://{story.bot.did}/{PREFIX}message/oops" in told  # written and deleted before anybody looked
    assert story.uri("message/on-plan") in told  # the version before the edit is the one that counts (V1)
    assert told > {row["uri"] for row in now_on.to_json()["edits"]}
    with open_store(tmp_path / "stream" / "store.db", write=False) as store:
        assert {repo.failure for repo in store.repos()} == {None}
        assert store.unread(dids) == ()


def _start(servers: Servers, folder: Path, dids: list[str]) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "tests.pds.stream_once", servers.pds, servers.plc, str(folder), "now", *dids]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _killed(servers: Servers, folder: Path, dids: list[str], dice: Random) -> None:
    with _start(servers, folder, dids) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        sleep(dice.random())
        process.kill()


@pytest.mark.slow
def test_killed_twenty_times_while_the_story_goes_on_it_arrives_at_the_same_digest(
    servers: Servers, tmp_path: Path
) -> None:
    dice = Random("firehose")
    with _story(servers, "kill") as story:
        write(story)
        wait_until_told(servers)
        dids = _dids(story)
        for _ in range(KILLS // 2):
            _killed(servers, tmp_path / "dying", dids, dice)
        _streamed(servers, tmp_path / "dying", "now", dids)
        _read(servers, tmp_path / "repo", dids)
        go_on(story)
        for _ in range(KILLS // 2):
            _killed(servers, tmp_path / "dying", dids, dice)
        assert (
            _streamed(servers, tmp_path / "dying", "now", dids).digest == _read(servers, tmp_path / "repo", dids).digest
        )


@pytest.mark.parametrize("cursor", ["999999999 2026-01-01T00:00:00Z", "1 2026-01-01T00:00:00Z", "nonsense"])
def test_a_cursor_ahead_behind_or_unreadable_is_no_loss(servers: Servers, tmp_path: Path, cursor: str) -> None:
    with _story(servers, f"cur{cursor[0]}") as story:
        write(story)
        dids = _dids(story)
        wait_until_told(servers)
        folder = tmp_path / "stream"
        _left_at(folder, servers, cursor)
        streamed = _streamed(servers, folder, "now", dids)
        read = _read(servers, tmp_path / "repo", dids)
    if cursor.startswith("1 "):  # all events again: also the record that was written and deleted
        assert _uris(tmp_path / "stream") - _uris(tmp_path / "repo") == {f"at://{story.bot.did}/{PREFIX}message/oops"}
    else:
        assert streamed.digest == read.digest


def _left_at(folder: Path, servers: Servers, cursor: str) -> None:
    """A store of somebody who stopped following there."""
    folder.mkdir()
    with open_store(folder / "store.db", write=True) as store:
        store.take(Batch(source=Source("firehose", servers.pds), cursor=cursor), now())


def test_a_cursor_that_the_pds_keeps_no_more_is_said_and_no_loss(tmp_path: Path) -> None:
    with running(repoBackfillLimitMs=500) as servers, _story(servers, "outd") as story:
        write(story)
        dids = _dids(story)
        sleep(1.0)
        folder = tmp_path / "stream"
        _left_at(folder, servers, "1 2026-01-01T00:00:00Z")
        assert _streamed(servers, folder, "now", dids).digest == _read(servers, tmp_path / "repo", dids).digest


def test_live_commits_are_proven_one_by_one_and_account_events_told(servers: Servers, tmp_path: Path) -> None:
    """After the first look no repo is read again: every commit continues the one before it."""
    with _story(servers, "live") as story:
        write(story)
        wait_until_told(servers)
        asked: list[tuple[str, str]] = []
        with open_store(tmp_path / "store.db", write=True) as store:
            anyio.run(_live, servers, store, story, asked)
            states = {repo.did: repo.state for repo in store.repos()}
            sources = {repo.did: repo.source for repo in store.repos()}
    assert {why for _, why in asked} == {"following it begins"}
    assert states[story.mate.did] == "deactivated"
    assert sources[story.bot.did] == Source("firehose", servers.pds)


async def _live(servers: Servers, store: Store, story: Story, asked: list[tuple[str, str]]) -> None:
    dids = _dids(story)
    async with open_servers(plc=servers.plc) as (client, resolver):
        world = World(client=client, resolver=resolver, store=store, clock=now)

        async def look(did: str, why: str) -> None:
            asked.append((did, why))
            await carry_out(read_repo(did), world)

        async with anyio.create_task_group() as tasks:
            flow = firehose(servers.pds, jitter=lambda: 0.5)
            tasks.start_soon(lambda: run_stream(flow, world, followed=lambda: frozenset(dids), look=look))
            await _until(lambda: len(asked) == len(dids))
            await anyio.to_thread.run_sync(go_on, story)
            await anyio.to_thread.run_sync(_deactivate, story.mate)
            await _until(lambda: store.repo(story.mate.did).state == "deactivated")
            tasks.cancel_scope.cancel()


def _deactivate(who: Account) -> None:
    who.http.post("/com.atproto.server.deactivateAccount", json={}).raise_for_status()


async def _until(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        await anyio.sleep(0.05)
    raise AssertionError("it does not come")
