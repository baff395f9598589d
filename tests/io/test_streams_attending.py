"""Who looks at repos when: doubts during a reading, spacing, former members; how a stream's questions are passed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from radial_io.errors import UnreachableError
from radial_io.ingest.attending import Followed, Reread, Rereads, StreamFlow, attended
from radial_io.ingest.reconnecting import websocket
from radial_io.ingest.requests import Connect, Now, Pause
from radial_io.ingest.streaming import run_stream
from tests.io.streams_fakes import ALICE, BOB


def test_a_doubt_while_a_repo_is_read_is_met_by_reading_it_again() -> None:
    rereads = Rereads(spacing=0.0)
    rereads.ask(ALICE, "a gap")
    assert rereads.begin(0.0) == (ALICE, "a gap")
    rereads.ask(ALICE, "another gap")
    assert rereads.begin(1.0) is None  # one reading of a repo at a time
    rereads.end(ALICE)
    assert rereads.begin(2.0) == (ALICE, "another gap")
    rereads.end(ALICE)
    assert rereads.begin(3.0) is None


def test_one_reading_answers_all_doubts_before_it() -> None:
    rereads = Rereads()
    for why in ("a", "a", "b", "c", "d"):
        rereads.ask(ALICE, why)
    rereads.ask(BOB, "e")
    assert rereads.waiting == (ALICE, BOB)
    assert rereads.begin(0.0) == (ALICE, "a; b; c")
    assert rereads.begin(0.0) == (BOB, "e")


def test_a_host_that_raises_doubts_all_the_time_has_a_repo_read_now_and_then() -> None:
    rereads = Rereads(spacing=30.0)
    readings = []
    for second in range(100):
        rereads.ask(ALICE, "so it says")
        if rereads.begin(float(second)):
            readings.append(second)
            rereads.end(ALICE)
    assert readings == [0, 30, 60, 90]


def test_who_left_waits_no_more() -> None:
    rereads = Rereads()
    rereads.ask(ALICE, "a")
    rereads.forget(ALICE)
    assert rereads.begin(0.0) is None


def _asking(log: list[Any]) -> StreamFlow[str]:
    log.append((yield Followed()))
    log.append((yield Now()))
    log.append((yield Reread(ALICE, "why")))
    try:
        yield Connect("ws://x", 1)
    except UnreachableError as error:
        log.append(str(error))
    return "done"


def test_a_stream_s_own_questions_are_answered_and_the_rest_is_passed_on_with_its_errors() -> None:
    log: list[Any] = []
    asked: list[tuple[str, str]] = []
    flow = attended(_asking(log), followed=lambda: frozenset({BOB}), reread=lambda *doubt: asked.append(doubt))
    assert next(flow) == Now()
    assert flow.send("noon") == Connect("ws://x", 1)
    with pytest.raises(StopIteration) as end:
        flow.throw(UnreachableError("ws://x", "gone"))
    assert end.value.value == "done"
    assert log == [frozenset({BOB}), "noon", None, "ws://x: gone"]
    assert asked == [(ALICE, "why")]


def test_closing_it_closes_the_stream() -> None:
    log: list[str] = []

    def stream() -> Iterator[Any]:
        try:
            yield Now()
        finally:
            log.append("closed")

    flow: Any = attended(stream(), followed=frozenset, reread=lambda _did, _why: None)  # type: ignore[arg-type]
    next(flow)
    flow.close()
    assert log == ["closed"]


def test_a_host_has_its_websockets_where_it_has_all_else() -> None:
    assert websocket("https://h.example") == "wss://h.example"
    assert websocket("http://127.0.0.1:1") == "ws://127.0.0.1:1"


@pytest.mark.anyio
async def test_no_repo_of_a_former_member_is_looked_at() -> None:
    looked: list[str] = []
    rereads = Rereads(spacing=0.0)
    for did in (ALICE, BOB):
        rereads.ask(did, "a")

    async def look(did: str, _why: str) -> None:
        looked.append(did)

    def stream() -> Iterator[Any]:
        yield Pause(0.6)

    await run_stream(
        stream(),  # type: ignore[arg-type]
        None,  # type: ignore[arg-type] # a pause needs no world
        followed=lambda: frozenset({BOB}),
        look=look,
        rereads=rereads,
    )
    assert looked == [BOB]
