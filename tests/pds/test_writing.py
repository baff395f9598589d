"""Written exactly once: a real PDS, somebody in between who loses things, and a writer that is killed at every step."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest

from radial_core.identifiers import record_parts
from radial_io.accounts.book import Accounts
from radial_io.accounts.session import open_session
from radial_io.atproto.identity import open_servers
from radial_io.atproto.repository import Entry
from radial_io.atproto.single import GET_PROVEN, prove_record
from radial_io.atproto.xrpc import MEBIBYTE, Get, Span
from radial_io.store.outbox import peek_outbox
from radial_io.store.store import open_store
from radial_io.writing.blobs import long_body, upload_blob
from radial_io.writing.executing import execute
from tests.io.fakes import GOAL
from tests.pds.accounts import Account, Servers, running
from tests.pds.proxy import FAULTS, Proxy, between
from tests.pds.write_once import STEPS, carry_on
from tests.pds.writing import HASTY, Goal, Judgement, act, judge, plan, writer

pytestmark = pytest.mark.pds

ROOT = Path(__file__).resolve().parents[2]
WRITES = {"putRecord", "deleteRecord", "applyWrites"}
CLEAN = Judgement(lost=0, doubled=0, left=0)
AT_THE_SERVER = ("as it arrives", "as it arrives, which goes on", "as it was committed")


@pytest.fixture(scope="module")
def proxy(servers: Servers) -> Iterator[Proxy]:
    with between(servers.pds) as proxy:
        yield proxy


@pytest.fixture(autouse=True)
def _calm(proxy: Proxy) -> Iterator[None]:
    yield
    proxy.settle()
    proxy.plan = lambda _nsid: None
    proxy.on_arrival = proxy.on_answer = lambda _nsid: None
    proxy.injected.clear()
    proxy.asked.clear()


def in_turn(*faults: str | None) -> Any:
    """Plan these faults for the next writes, one each."""
    waiting = list(faults)
    return lambda nsid: waiting.pop(0) if nsid in WRITES and waiting else None


def assert_home(folder: Path, who: Account, standing: dict[str, str]) -> None:
    """Nothing is left in the outbox, and the store holds what the repo holds."""
    assert peek_outbox(folder / "store.db") == ()
    with open_store(folder / "store.db", write=False) as store:
        held = {rkey: cid for (_, rkey), (cid, _) in store.held(who.did).items()}
    assert held == {rkey: Goal(rkey=rkey, title=title).cid for rkey, title in standing.items()}


def test_every_fault_at_every_kind_of_write(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    plans, injected = [], Counter[str]()
    with writer(servers, "faulty", tmp_path, proxy.url) as who:
        for number, (fault, place) in enumerate(product(FAULTS, range(4))):
            faults: list[str | None] = [None] * 4
            faults[place] = fault
            plans.append(plan(f"f{number}"))
            proxy.plan = in_turn(*faults)
            anyio.run(act, tmp_path, plans[-1].acts)
        proxy.settle()
        injected = proxy.injected
        judgement = judge(who, plans)
        assert_home(tmp_path, who, {key: title for each in plans for key, title in each.standing.items()})
    _tell("one fault each", injected, plans, judgement)
    assert judgement == CLEAN
    assert injected.total() == 4 * len(FAULTS)


def test_faults_upon_faults(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    """Of all writes, and of those that are sent again, more than half go wrong."""
    seed = "faults upon faults"
    print("seed:", seed)
    dice = Random(seed)
    quick = [fault for fault in FAULTS if "Retry-After" not in fault and "reset" not in fault]
    plans = [plan(f"u{number}") for number in range(12)]
    with writer(servers, "unlucky", tmp_path, proxy.url) as who:
        proxy.plan = lambda nsid: dice.choice(quick) if nsid in WRITES and dice.random() < 0.6 else None
        for each in plans:
            anyio.run(act, tmp_path, each.acts)
        proxy.settle()
        judgement = judge(who, plans)
    _tell("faults upon faults", proxy.injected, plans, judgement)
    assert judgement == CLEAN


def _run(folder: Path, name: str, step: str = "none", number: int = 0) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.pds.write_once", str(folder), name, step, str(number)]
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})


def _killed(folder: Path, name: str, proxy: Proxy, step: str, number: int) -> bool:
    """Start a writer that dies at a step; tell whether it came that far."""
    if step in STEPS:
        process = _run(folder, name, step, number)
        return process.wait(timeout=60) == -signal.SIGKILL
    process = _run(folder, name)
    times = 0

    def kill(nsid: str) -> None:
        nonlocal times
        times += nsid in WRITES
        if times == number and nsid in WRITES:
            process.kill()
            process.wait()

    if step == "as it arrives":
        proxy.plan = in_turn(*[None] * (number - 1), "cut request")
    if step == "as it was committed":
        proxy.on_answer = kill
    else:
        proxy.on_arrival = kill
    status = process.wait(timeout=60)
    proxy.settle()
    proxy.plan = lambda _nsid: None
    proxy.on_arrival = proxy.on_answer = lambda _nsid: None
    return status == -signal.SIGKILL


@pytest.mark.slow
def test_killed_between_every_pair_of_steps(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    """At each step of each of four acts; then it is started again, until it has nothing more to do."""
    plans, kills = [], Counter[str]()
    with writer(servers, "mortal", tmp_path, proxy.url) as who:
        standing: dict[str, str] = {}
        for number, (step, place) in enumerate(product((*STEPS, *AT_THE_SERVER), range(1, 5))):
            plans.append(plan(f"k{number}"))
            kills[step] += _killed(tmp_path, f"k{number}", proxy, step, place)
            anyio.run(carry_on, tmp_path, f"k{number}")
            standing |= plans[-1].standing
            assert judge(who, plans[-1:], f"k{number}-") == CLEAN, (step, place)
        judgement = judge(who, plans)
        assert_home(tmp_path, who, standing)
    _tell("kill -9", kills, plans, judgement)
    assert judgement == CLEAN
    assert all(kills[step] >= 3 for step in (*STEPS, *AT_THE_SERVER)), kills


def test_three_processes_act_for_one_account(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    plans = [plan(name) for name in "xyz"]
    with writer(servers, "crowd", tmp_path, proxy.url) as who:
        processes = [_run(tmp_path, name) for name in "xyz"]
        assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
        assert judge(who, plans) == CLEAN
        assert_home(tmp_path, who, {key: title for each in plans for key, title in each.standing.items()})


@pytest.mark.slow
def test_two_thousand_writes_under_the_limits_of_a_real_server() -> None:
    """With its limits on: no error is shown, and there is no more than one request a write.

    In memory where that can be had: it is the requests that are looked at, and not the disk.
    """
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a folder of its own in there
    goals = [Goal(rkey=f"n{number:04}", title=f"number {number}") for number in range(2000)]
    with (
        TemporaryDirectory(dir=memory) as folder,
        running(rateLimitsEnabled=True) as servers,
        between(servers.pds) as proxy,
        writer(servers, "busy", Path(folder), proxy.url),
    ):
        written = anyio.run(act, Path(folder), [(goal,) for goal in goals])
        asked = dict(proxy.asked)
    print("asked:", asked, "written:", len(written))
    assert [one.how for one in written] == ["written"] * 2000
    assert asked == {"createSession": 1, "putRecord": 2000}


def test_a_server_that_limits_is_not_hammered(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    """Every tenth write is met with a limit, in each of the ways there are: one more request each, and no error."""
    turn = iter(range(10**6))
    limits = [fault for fault in FAULTS if "without" in fault or ("HTML" in fault and "429" in fault)]

    def limit(nsid: str) -> str | None:
        at = next(turn) if nsid in WRITES else 1
        return limits[at // 10 % len(limits)] if at % 10 == 9 else None

    with writer(servers, "tenth", tmp_path, proxy.url):
        proxy.plan = limit
        goals = [Goal(rkey=f"n{number:04}", title=f"number {number}") for number in range(180)]
        written = anyio.run(act, tmp_path, [(goal,) for goal in goals])
    assert [one.how for one in written] == ["written"] * 180
    assert proxy.asked["putRecord"] == 180 + proxy.injected.total()
    assert proxy.injected.total() >= 18


def test_what_was_written_is_signed_by_its_author(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    """RAD-1.2: read back with its proof, by somebody who looks the author's key up; also what was found there."""

    async def proven(uri: str) -> Any:
        did, collection, rkey = record_parts(uri) or ("", "", "")
        async with open_servers(plc=servers.plc) as (client, resolver):
            identity = await resolver.identity(did)
            assert identity.key is not None
            question = Get(GET_PROVEN, (("did", did), ("collection", collection), ("rkey", rkey)))
            raw = await client.collect(identity.pds, question, Span(MEBIBYTE, 20, 20), "application/vnd.ipld.car")
            return prove_record(raw, did, f"{collection}/{rkey}", identity.key, latest="7zzzzzzzzzzzz")

    proxy.plan = in_turn("cut answer")
    with writer(servers, "signer", tmp_path, proxy.url) as who:
        written = anyio.run(act, tmp_path, plan("signed").acts[:2])
        for one in written:
            entry = anyio.run(proven, one.uri)
            assert isinstance(entry, Entry)
            assert one.uri.startswith(f"at://{who.did}/")
            assert str(entry.cid) == one.cid
    assert [one.how for one in written] == ["was there already", "written", "written", "written"]


def test_a_long_body_goes_to_a_file_and_is_not_uploaded_twice(servers: Servers, proxy: Proxy, tmp_path: Path) -> None:
    text = "# The plan, at length\n\n" + "One more line, with a word or two.\n" * 12_000
    long = long_body(text)
    assert long is not None
    assert len(long.raw) > 400_000

    async def work() -> dict[str, Any]:
        accounts, store = Accounts(tmp_path / "accounts"), tmp_path / "store.db"
        async with open_session(accounts, accounts.find(None)) as session:
            proxy.plan = lambda nsid: "500 before" if nsid == "uploadBlob" and not proxy.injected else None
            await upload_blob(long.raw, long.kind, session=session, store=store, manners=HASTY)
            blob = await upload_blob(long.raw, long.kind, session=session, store=store, manners=HASTY)
            goal = Goal(rkey="long", title=long.summary)
            value = {**goal.value, "bodyBlob": blob}

            class Long:
                collection, rkey, replaces = GOAL, "long", None

            Long.value = value  # type: ignore[attr-defined]
            await execute([Long], session=session, store=store)  # type: ignore[list-item]
        return blob

    with writer(servers, "wordy", tmp_path, proxy.url) as who:
        blob = anyio.run(work)
        answer = who.http.get("/com.atproto.sync.getBlob", params={"did": who.did, "cid": str(blob["ref"])})
    assert answer.content.decode() == text
    assert proxy.asked["uploadBlob"] == 2  # one failed, one was taken, and the third was not sent


def _tell(name: str, injected: Counter[str], plans: list[Any], judgement: Judgement) -> None:
    figures = {
        "faults injected": injected.total(),
        "records intended": sum(each.intended for each in plans),
        "lost": judgement.lost,
        "doubled": judgement.doubled,
        "left": judgement.left,
    }
    print(f"{name}: {json.dumps(figures)}; {dict(injected)}")
