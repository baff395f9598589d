"""Reading the messages of a firehose: every form, every fault, and bytes that are none."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.cids import Cid
from radial_io.ingest.frames import BadFrame, Event, Mark, Notice, Refusal, Unknown, read_frame
from tests.io.streams_fakes import ALICE, Host, Stage
from tests.io.streams_fakes_repo import Commit, block, cid_of, commit_body, error_frame, frame, link, sync_body, tid

CRASHERS = Path(__file__).parent.parent / "crashers" / "streams"
TIME = "2026-01-01T00:00:00.123Z"


class _Mute(Host):
    def tell(self, told: Any) -> None:
        self.log.append(told)


def _a_commit() -> Commit:
    stage = Stage(_Mute())
    stage.perform()
    return stage.repos[ALICE].head


A_COMMIT = _a_commit()


def commit_frame(**changes: Any) -> bytes:
    body = commit_body(ALICE, A_COMMIT, 7, TIME) | changes
    return frame("#commit", {key: value for key, value in body.items() if value is not Ellipsis})


def test_a_commit_is_read_with_its_links_and_bytes() -> None:
    event = read_frame(commit_frame())
    assert isinstance(event, Event)
    assert (event.kind, event.seq, event.did, event.time) == ("#commit", 7, ALICE, TIME)
    assert event.body["commit"] == Cid(A_COMMIT.cid)
    assert event.body["ops"][0]["path"] == "com.disnetdev.radial.space/main"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("#sync", {**sync_body(ALICE, A_COMMIT, 8, TIME)}),
        ("#account", {"seq": 8, "did": ALICE, "time": TIME, "active": False, "status": "deleted"}),
        ("#account", {"seq": 8, "did": ALICE, "time": TIME, "active": True}),
        ("#identity", {"seq": 8, "did": ALICE, "time": TIME, "handle": "alice.test"}),
    ],
)
def test_the_other_kinds_are_read(kind: str, body: dict[str, Any]) -> None:
    event = read_frame(frame(kind, body))
    assert isinstance(event, Event)
    assert (event.kind, event.seq, event.did) == (kind, 8, ALICE)


def test_info_and_errors_are_said_and_what_nobody_knows_is_stepped_over() -> None:
    assert read_frame(frame("#info", {"name": "OutdatedCursor", "message": "too old"})) == Notice(
        "OutdatedCursor", "too old"
    )
    assert read_frame(error_frame("FutureCursor", "ahead\n")) == Refusal("FutureCursor", "ahead ")
    assert read_frame(frame("#handle", {"seq": 4, "did": ALICE})) == Unknown("#handle", 4)
    assert read_frame(frame("#new", {})) == Unknown("#new", None)
    assert read_frame(block({"op": 2, "t": "#commit"}) + block({})) == Unknown("another op", None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seq", -1),
        ("seq", True),
        ("seq", "7"),
        ("seq", ...),
        ("repo", "alice.test"),
        ("repo", ...),
        ("rev", "now"),
        ("rev", None),
        ("since", "once"),
        ("commit", b"\x01"),
        ("ops", {}),
        ("blocks", "text"),
        ("blocks", ...),
        ("prevData", "root"),
        ("tooBig", 1),
        ("time", 5),
        ("time", "9" * 65),
    ],
)
def test_a_field_of_the_wrong_form_is_named(field: str, value: Any) -> None:
    bad = read_frame(commit_frame(**{field: value}))
    assert isinstance(bad, BadFrame)
    assert field in bad.reason
    assert bad.seq == (None if field == "seq" else 7)
    assert bad.did == (None if field == "repo" else ALICE)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xa1",
        block({"op": 1, "t": "#commit"}),  # no body
        commit_frame()[:-1],
        commit_frame() + b"\x00",
        block({"op": 1, "t": "#commit"}) + block([]),
        block({"op": 1, "t": "#commit"}) + b"\x5b\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"\xa2at\x67#infobop\x01" + block({}),  # the header says seven characters, and has five
        b"\xa2bop\x01at\x65#info" + block({}),  # keys in the wrong order
        block("op") + block({}),
        block({"op": 1, "t": "#info"}) + b"\x81" * 100_000 + b"\x00",
    ],
)
def test_what_is_no_frame_is_a_bad_frame(raw: bytes) -> None:
    assert isinstance(read_frame(raw), BadFrame)


def test_real_events_of_the_network_are_read(shared: Path) -> None:
    folder = shared / "fixtures" / "atproto-interop" / "extra-indigo"
    for path in sorted(folder.glob("firehose_commit_*.json")):
        told = json.loads(path.read_text())
        body = {key: _wire(value) for key, value in told.items()}
        event = read_frame(frame("#commit", body))
        assert isinstance(event, Event), event
        assert (event.seq, event.did) == (told["seq"], told["repo"])


def _wire(value: Any) -> Any:
    """Turn `$link` and `$bytes` into what they stand for."""
    if isinstance(value, list):
        return [_wire(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$bytes" in value:
        return base64.b64decode(value["$bytes"] + "===")
    if "$link" in value:
        text = value["$link"][1:].upper()
        return link(base64.b32decode(text + "=" * (-len(text) % 8)))
    return {key: _wire(item) for key, item in value.items()}


@given(st.binary(max_size=200))
def test_no_bytes_raise(raw: bytes) -> None:
    read_frame(raw)
    read_frame(block({"op": 1, "t": "#commit"}) + raw)


@given(st.data())
def test_no_damaged_frame_raises(data: st.DataObject) -> None:
    whole = bytearray(_WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] = data.draw(st.integers(0, 255))
    read_frame(bytes(whole[: data.draw(st.integers(0, len(whole)))]))


_WHOLE = commit_frame()


@pytest.mark.parametrize("path", sorted(CRASHERS.glob("*.frame")), ids=lambda path: path.name)
def test_what_once_crashed_does_not(path: Path) -> None:
    read_frame(path.read_bytes())


def event_at(seq: int, time: str) -> Event:
    return Event("#identity", seq, ALICE, time, {})


@pytest.mark.parametrize(
    ("first", "is_doubtful"),
    [
        (event_at(11, "2026-01-01T00:00:05Z"), 0),  # the next one
        (event_at(50, "2026-01-01T00:00:05Z"), 0),  # a gap of numbers shows nothing
        (event_at(11, "2026-01-02T00:00:00Z"), 0),  # the next one, though late: a quiet host
        (event_at(50, "2026-01-02T00:00:00Z"), 1),  # a gap, and a day later
        (event_at(10, "2026-01-01T00:00:00Z"), 0),  # the same again
        (event_at(3, "2025-12-31T00:00:00Z"), 0),  # a replay
        (event_at(3, "2026-01-01T00:00:01Z"), 1),  # lower, and later
        (event_at(3, "no time"), 1),
    ],
)
def test_a_mark_doubts_what_may_leave_something_out(first: Event, is_doubtful: int) -> None:
    mark = Mark.parse(str(Mark(10, "2026-01-01T00:00:00Z")))
    assert mark is not None
    assert bool(mark.doubt(first, hush=3600)) == is_doubtful


@pytest.mark.parametrize("text", [None, "", "x", "-1 2026", "٣ 2026-01-01T00:00:00Z", "9" * 30])
def test_what_is_no_mark_is_none(text: str | None) -> None:
    assert Mark.parse(text) is None


def test_the_fakes_make_what_the_protocol_says() -> None:
    assert tid(1) == "2222222222223"
    assert cid_of(b"")[:4] == b"\x01\x71\x12\x20"
