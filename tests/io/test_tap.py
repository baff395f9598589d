"""Following a Tap: acknowledgements, deliveries that come again, what Tap does not tell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.requests import Binary, Closed, Text
from radial_io.ingest.tap import authorization, read_delivery, tap
from tests.io.streams_fakes import (
    ALICE,
    BOB,
    PREFIX,
    TRUST,
    Stage,
    Told,
    every_interleaving,
    record,
    short,
    told_whole,
    trusting,
    without_trust,
)
from tests.io.streams_fakes_hosts import FAULTS, Plan, TapHost
from tests.io.streams_fakes_repo import block, cid_of, spelled, tid

HOST = "http://tap.internal:2480"
LIMITS = StreamLimits(idle=3.0, check=900.0)
LATEST = "3" + "z" * 12
BEGIN = "following it begins"
LOOKED = "it is looked at from time to time"
HINTED = "a stream without proof hints at a space, a grant or a removal"
HELLO = record("message", 1, body="Hello.")


def follow(stage: Stage, *, steps: int = 100_000, password: str = "") -> bool:
    return stage.run(tap(HOST, jitter=lambda: 0.5, password=password, limits=LIMITS), steps)


def stage_of(*plans: Plan, **options: Any) -> Stage:
    return Stage(TapHost(*plans), **options)


def whys(stage: Stage) -> set[str]:
    return {reread.why for reread in stage.asked} - {BEGIN, LOOKED}


def test_a_tap_alone_brings_everything_but_whom_to_trust_and_is_told_so() -> None:
    stage = stage_of(has_finale=False, has_rereads=False)
    follow(stage)
    rest = without_trust(told_whole(stage))
    assert stage.store.seen == rest.seen
    assert stage.store.raw == rest.raw
    assert stage.store.gone == rest.gone
    assert isinstance(stage.host, TapHost)
    assert sorted(stage.host.acked) == list(range(1, stage.host.number + 1))
    assert whys(stage) == {HINTED}


def test_whom_to_trust_is_in_the_repos_and_they_are_read_when_tap_hints_at_it() -> None:
    stage = stage_of(has_finale=False)
    follow(stage)
    whole = told_whole(stage)
    assert stage.store.digest() == whole.digest()
    assert set(stage.store.seen) == set(whole.seen)
    assert {(reread.did, reread.why) for reread in stage.asked if reread.why != BEGIN} == {(ALICE, HINTED)}


def test_nothing_is_acknowledged_before_it_is_written() -> None:
    stage = stage_of(has_rereads=False)
    host = stage.host
    assert isinstance(host, TapHost)

    def hook(stage: Stage, _step: int) -> None:
        acked = {observed(host.numbered[number]) for number in host.acked}
        assert {seen for seen in acked if seen[1] not in TRUST} <= stage.store.seen.keys() | stage.store.gone

    stage.hook = hook
    follow(stage)
    assert len(host.acked) == host.number


def observed(told: Told) -> tuple[str, str, str, str | None]:
    """An op as the store keys it: with its CID, a deletion with its revision."""
    (op,) = told.commit.ops
    collection, rkey = op["path"].split("/")
    return told.did, collection, rkey, told.commit.rev if op["cid"] is None else spelled(op["cid"].value[1:])


@pytest.mark.parametrize("place", range(16))
@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_at_any_place_changes_nothing(fault: Any, place: int) -> None:
    stage = stage_of({place: fault})
    follow(stage)
    assert stage.store.digest() == told_whole(stage).digest()


@given(
    st.lists(st.dictionaries(st.integers(0, 15), st.sampled_from(FAULTS), max_size=4), max_size=4),
    st.integers(1, 40),
)
def test_no_schedule_of_faults_changes_the_outcome(plans: list[dict[int, Any]], delay: int) -> None:
    stage = stage_of(*plans, timing=lambda step: step % delay == 0)
    follow(stage)
    assert stage.store.digest() == told_whole(stage).digest()


def test_killed_at_any_step_and_started_again_what_was_not_acknowledged_comes_again() -> None:
    for steps in range(1, 120, 2):
        stage = stage_of(has_rereads=False, has_finale=False)
        life = steps
        while follow(stage, steps=life):
            life += 3
        rest = without_trust(told_whole(stage))
        assert stage.store.seen == rest.seen, steps
        assert stage.store.gone == rest.gone, steps


def test_a_repo_read_at_any_moment_and_written_at_any_later_one_gives_one_digest() -> None:
    outcomes = [*every_interleaving(lambda: stage_of(play=short()), follow)]
    assert len(outcomes) > 100
    whole = told_whole(outcomes[0])
    assert {trusting(stage.store, whole).digest() for stage in outcomes} == {whole.digest()}
    assert all(set(stage.store.seen) <= set(whole.seen) for stage in outcomes)


def test_members_are_told_to_tap_as_they_come_and_go() -> None:
    stage = stage_of(followed=frozenset({ALICE}), has_finale=False)

    def hook(stage: Stage, _step: int) -> None:
        if stage.performed == 4:
            stage.followed = frozenset({ALICE, BOB})
        if stage.performed == 8:
            stage.followed = frozenset({BOB})

    stage.hook = hook
    follow(stage)
    assert [(post.url.removeprefix(HOST), json.loads(post.body)["dids"]) for post in stage.posts] == [
        ("/repos/add", [ALICE]),
        ("/repos/add", [BOB]),
        ("/repos/remove", [ALICE]),
    ]
    assert (ALICE, f"{PREFIX}message", "hi") not in {key[:3] for key in stage.store.seen}


def test_the_password_is_sent_and_shown_nowhere() -> None:
    stage = stage_of({0: "refuse"}, {1: "close"})
    follow(stage, password="s3cret")
    expected = (("authorization", "Basic YWRtaW46czNjcmV0"),)
    assert authorization("s3cret") == expected
    assert {post.headers for post in stage.posts} == {expected}
    assert {request.headers for request in stage.host.opened} == {expected}
    shown = repr([*stage.posts, *stage.host.opened, stage.store.failures]) + stage.store.words
    assert "s3cret" not in shown
    assert "YWRtaW46" not in shown
    assert authorization("") == ()


class Script(TapHost):
    """Sends what it is given, and ends."""

    def __init__(self, *messages: Any) -> None:
        super().__init__()
        self.messages = messages

    def begin(self, _request: Any, _query: Any) -> None:
        self.queue = [
            item if isinstance(item, Text | Binary | Closed) else Text(json.dumps(item)) for item in self.messages
        ]


def scripted(*messages: Any) -> Stage:
    stage = Stage(Script(*messages), play=[], has_rereads=False, has_finale=False)
    follow(stage)
    return stage


def delivery(number: int, **changes: Any) -> dict[str, Any]:
    fields = {
        "live": True,
        "did": ALICE,
        "rev": tid(5 << 10),
        "collection": f"{PREFIX}message",
        "rkey": "hi",
        "action": "create",
        "record": HELLO,
        "cid": spelled(cid_of(block(HELLO))),
    }
    known = {name: field for name, field in (fields | changes).items() if field is not ...}
    return {"id": number, "type": "record", "record": known}


def acked(stage: Stage) -> list[int]:
    assert isinstance(stage.host, TapHost)
    return stage.host.acked


def test_a_record_that_tap_could_not_decode_is_acknowledged_and_its_repo_is_read() -> None:
    stage = scripted(delivery(5, record=...), delivery(6, rkey="good"))
    assert acked(stage) == [5, 6]
    assert whys(stage) == {"a record was told without its content"}
    assert [key[2] for key in stage.store.seen] == ["good"]


def test_a_repo_that_tap_reads_anew_is_read_by_us_for_tap_tells_no_deletions_then() -> None:
    stage = scripted(delivery(5, live=False), delivery(6, live=False, rkey="b"))
    assert whys(stage) == {"Tap has read the repo anew, which shows no deletions"}
    assert len(stage.store.seen) == 2


def test_what_cannot_be_read_is_set_aside_and_then_acknowledged_if_it_has_a_number() -> None:
    messages = [
        (Text('{"id":7,"type":"record","record":{'), [7]),
        (Text('{"id": 8, "type": "other"}'), [8]),
        (Text("no json"), []),
        (Binary(b"\xff"), []),
        ({"id": 9, "type": "record", "record": {"did": "nobody"}}, [9]),
        ({"id": 10, "type": "record", "record": {"did": ALICE, "rkey": "/"}}, [10]),
        ({"id": True, "type": "identity", "identity": {"did": ALICE}}, []),
    ]
    for message, numbers in messages:
        stage = scripted(message)
        assert acked(stage) == numbers
        if numbers:
            assert len(stage.store.spoiled) == 1


def test_events_of_strangers_are_acknowledged_and_not_kept() -> None:
    stranger = "did:plc:" + "c" * 24
    stage = scripted(delivery(5, did=stranger), {"id": 6, "type": "identity", "identity": {"did": stranger}})
    assert acked(stage) == [5, 6]
    assert not stage.store.seen
    assert not stage.resolved


def test_an_identity_is_looked_up_and_its_account_s_state_told() -> None:
    told = {"did": ALICE, "handle": "a.test", "is_active": False, "status": "takendown"}
    stage = scripted({"id": 5, "type": "identity", "identity": told})
    assert stage.store.repo(ALICE).state == "takendown"
    assert [(request.did, request.fresh) for request in stage.resolved] == [(ALICE, True)]


def test_ghosts_that_tap_leaves_are_found_by_looking() -> None:
    """A repo is emptied while Tap is away; Tap tells no deletions; the look from time to time does."""
    stage = stage_of()
    follow(stage)
    assert f"{PREFIX}message/hi" in stage.store.held(ALICE)
    stage.repos[ALICE].commit(*[type(stage.play[0].writes[0])(f"{PREFIX}message/hi", None)])
    stage.play, stage.later = [], 3600
    follow(stage)
    assert f"{PREFIX}message/hi" not in stage.store.held(ALICE)


@given(st.data())
def test_no_message_raises(data: st.DataObject) -> None:
    read_delivery(data.draw(st.text(max_size=60)), LATEST)
    whole = delivery(5)
    values = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.lists(st.integers(), max_size=2)
    for part in (whole, whole["record"]):
        for key in list(part):
            if data.draw(st.booleans()):
                part[key] = data.draw(values)
    read_delivery(json.dumps(whole), LATEST)
    scripted(whole)
