"""Following Jetstream, both versions: filters, cursors, what cannot be vouched for, and every fault at every place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, strategies as st

from radial_io.ingest.jetstream import MOST_DIDS, VERSIONS, jetstream, options_update, read_cursor, write_cursor
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.requests import Binary, Closed, Text
from radial_io.ingest.telling import ASSURANCE
from radial_io.store.values import Source
from tests.io.streams_fakes import (
    ALICE,
    BOB,
    PREFIX,
    Stage,
    every_interleaving,
    record,
    short,
    told_whole,
    trusting,
    without_trust,
)
from tests.io.streams_fakes_hosts import FAULTS, JetstreamHost, Plan, time_of
from tests.io.streams_fakes_repo import block, cid_of, spelled, tid

CRASHERS = Path(__file__).parent.parent / "crashers" / "streams"
HOST = "https://host.example"
LIMITS = StreamLimits(idle=3.0, check=900.0)
LATEST = "3" + "z" * 12
BEGIN = "following it begins"
LOOKED = "it is looked at from time to time"
HINTED = "a stream without proof hints at a space, a grant or a removal"


def follow(stage: Stage, version: int, *, steps: int = 100_000) -> bool:
    return stage.run(jetstream(HOST, version=version, jitter=lambda: 0.5, limits=LIMITS), steps)


def stage_of(version: int, *plans: Plan, keeps_from: int = 0, **options: Any) -> Stage:
    return Stage(JetstreamHost(*plans, version=version, keeps_from=keeps_from), **options)


def source(version: int) -> Source:
    return Source(VERSIONS[version].adapter, HOST)


def whys(stage: Stage) -> set[str]:
    return {reread.why for reread in stage.asked} - {BEGIN, LOOKED}


both = pytest.mark.parametrize("version", [1, 2])


@both
def test_a_stream_alone_brings_what_the_repos_hold_byte_for_byte_but_not_whom_to_trust(version: int) -> None:
    stage = stage_of(version, has_finale=False, has_rereads=False)
    follow(stage, version)
    rest = without_trust(told_whole(stage))
    assert stage.store.seen == rest.seen
    assert stage.store.raw == rest.raw
    assert stage.store.gone == rest.gone
    assert whys(stage) == {HINTED}
    assert not stage.store.failures


@both
def test_whom_to_trust_is_in_the_repos_and_they_are_read_when_a_stream_hints_at_it(version: int) -> None:
    stage = stage_of(version, has_finale=False)
    follow(stage, version)
    whole = told_whole(stage)
    assert stage.store.digest() == whole.digest()
    assert set(stage.store.seen) == set(whole.seen)
    assert stage.store.raw == whole.raw
    assert {(reread.did, reread.why) for reread in stage.asked if reread.why != BEGIN} == {(ALICE, HINTED)}
    assert not stage.store.failures


@both
def test_it_is_unverified_so_the_standing_never_moves_and_repos_are_looked_at_again_and_again(version: int) -> None:
    stage = stage_of(version, has_rereads=False)
    follow(stage, version)
    assert stage.store.repo(ALICE).rev is None
    assert [reread.did for reread in stage.asked if reread.why == LOOKED] == [ALICE, BOB]
    assert "unverified until" in ASSURANCE[source(version).adapter]


@both
@pytest.mark.parametrize("place", range(16))
@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_at_any_place_changes_nothing(version: int, fault: Any, place: int) -> None:
    stage = stage_of(version, {place: fault})
    follow(stage, version)
    assert stage.store.digest() == told_whole(stage).digest()


@given(
    st.sampled_from([1, 2]),
    st.lists(st.dictionaries(st.integers(0, 15), st.sampled_from(FAULTS), max_size=4), max_size=4),
    st.integers(1, 40),
)
def test_no_schedule_of_faults_changes_the_outcome(version: int, plans: list[dict[int, Any]], delay: int) -> None:
    stage = stage_of(version, *plans, timing=lambda step: step % delay == 0)
    follow(stage, version)
    assert stage.store.digest() == told_whole(stage).digest()
    for did, repo in stage.repos.items():
        assert set(stage.store.held(did)) == set(repo.head.records)


@both
def test_killed_at_any_step_and_started_again_the_cursor_brings_what_is_missing(version: int) -> None:
    for steps in range(20, 120, 3):  # before the first batch there is no cursor, and a stream begins with now
        stage = stage_of(version, has_rereads=False, has_finale=False)
        life = steps
        while follow(stage, version, steps=life):
            life += 3
        rest = without_trust(told_whole(stage))
        assert stage.store.seen == rest.seen, steps
        assert stage.store.gone == rest.gone, steps


@both
def test_a_repo_read_at_any_moment_and_written_at_any_later_one_gives_one_digest(version: int) -> None:
    outcomes = [*every_interleaving(lambda: stage_of(version, play=short()), lambda stage: follow(stage, version))]
    assert len(outcomes) > 100
    whole = told_whole(outcomes[0])
    assert {trusting(stage.store, whole).digest() for stage in outcomes} == {whole.digest()}
    assert all(set(stage.store.seen) <= set(whole.seen) for stage in outcomes)


def test_the_address_of_version_1() -> None:
    stage = stage_of(1)
    follow(stage, 1)
    opened = urlsplit(stage.host.opened[0].url)
    assert opened[:3] == ("wss", "host.example", "/subscribe")
    assert parse_qs(opened.query) == {"wantedCollections": ["com.disnetdev.radial.*"], "wantedDids": [ALICE, BOB]}


def test_the_address_of_version_2() -> None:
    stage = stage_of(2)
    follow(stage, 2)
    opened = urlsplit(stage.host.opened[0].url)
    assert opened[:3] == ("wss", "host.example", "/xrpc/network.bsky.jetstream.subscribeEvents")
    assert parse_qs(opened.query) == {"collections": ["com.disnetdev.radial.*"], "dids": [ALICE, BOB]}


def test_a_cursor_goes_back_five_seconds_or_two_thousand_events() -> None:
    for version, last, asked in ((1, 1_767_229_310_000_000, 1_767_229_305_000_000), (2, 5000, 3000)):
        stage = stage_of(version, play=[])
        stage.store.cursors[source(version)] = f"{last} 63934657310"
        follow(stage, version)
        assert parse_qs(urlsplit(stage.host.opened[0].url).query)["cursor"] == [str(asked)]


def test_the_cursors_of_two_versions_and_of_a_firehose_are_never_mixed() -> None:
    assert len({source(1), source(2), Source("firehose", HOST)}) == 3
    stage = stage_of(2, play=[])
    stage.store.cursors[source(1)] = "1767229310000000 63934657310"
    follow(stage, 2)
    assert "cursor" not in stage.host.opened[0].url


def many(count: int) -> frozenset[str]:
    digits = "234567abcdefghijklmnopqrstuvwxyz"
    names = (digits[n % 32] + digits[n // 32 % 32] + digits[n // 1024 % 32] for n in range(count - 2))
    return frozenset({ALICE, BOB} | {f"did:plc:{name.ljust(24, 'q')}" for name in names})


def test_many_members_are_sent_to_version_1_and_filtered_here_for_version_2() -> None:
    stage = stage_of(1, followed=many(60), has_finale=False, has_rereads=False)
    follow(stage, 1)
    assert parse_qs(urlsplit(stage.host.opened[0].url).query)["requireHello"] == ["true"]
    payload = json.loads(stage.host.sent[0])["payload"]
    assert payload["wantedDids"] == sorted(many(60))
    assert payload["wantedCollections"] == ["com.disnetdev.radial.*"]
    stage = stage_of(2, followed=many(60), has_finale=False, has_rereads=False)
    follow(stage, 2)
    query = parse_qs(urlsplit(stage.host.opened[0].url).query)
    assert query == {"collections": ["com.disnetdev.radial.*"], "kinds": ["commit"]}
    assert stage.store.seen == without_trust(told_whole(stage)).seen


def test_more_members_than_a_host_takes_are_not_filtered_there() -> None:
    assert json.loads(options_update(many(MOST_DIDS)))["payload"]["wantedDids"] == sorted(many(MOST_DIDS))
    assert json.loads(options_update(many(MOST_DIDS + 1)))["payload"]["wantedDids"] == []
    assert len(options_update(many(MOST_DIDS))) < 10_000_000


@both
def test_a_change_of_members_is_told_to_the_host(version: int) -> None:
    stage = stage_of(version, followed=frozenset({ALICE}), has_finale=False)

    def hook(stage: Stage, _step: int) -> None:
        if stage.performed == 4:
            stage.followed = frozenset({ALICE, BOB})

    stage.hook = hook
    follow(stage, version)
    assert [reread.did for reread in stage.asked if reread.why == BEGIN] == [ALICE, BOB]
    assert stage.store.digest() == told_whole(stage).digest()
    if version == 1:
        assert json.loads(stage.host.sent[-1])["payload"]["wantedDids"] == [ALICE, BOB]
        assert len(stage.host.opened) == 1
    else:
        assert parse_qs(urlsplit(stage.host.opened[-1].url).query)["dids"] == [ALICE, BOB]
        assert stage.pauses == []


def test_a_cursor_too_old_for_version_2_is_given_up() -> None:
    stage = stage_of(2, keeps_from=50)
    stage.store.cursors[source(2)] = "10 63934657310"
    follow(stage, 2)
    assert "a cursor older than what the host keeps: the stream is followed from now on" in whys(stage)
    assert stage.store.digest() == told_whole(stage).digest()


def test_a_cursor_that_is_clamped_in_silence_is_found_out_by_the_time() -> None:
    stage = stage_of(1, keeps_from=1_767_229_200_000_000 + 60_000_000)
    stage.store.cursors[source(1)] = "1767000000000000 63934428000"
    for _ in range(8):
        stage.perform()
    follow(stage, 1)
    assert "the stream goes on long after where it was left" in whys(stage)
    assert stage.store.digest() == told_whole(stage).digest()


def test_a_future_cursor_is_found_out_by_what_comes() -> None:
    stage = stage_of(1)
    stage.store.cursors[source(1)] = "1967000000000000 69934428000"
    follow(stage, 1)
    assert "the stream goes back behind where it was asked for" in whys(stage)
    assert (stage.store.cursors[source(1)] or "").startswith("17672293")


# --- messages ---------------------------------------------------------------------------------------------------------


class Script(JetstreamHost):
    """Sends what it is given, and ends."""

    def __init__(self, version: int, *messages: Any) -> None:
        super().__init__(version=version)
        self.messages = messages

    def begin(self, _request: Any, _query: Any) -> None:
        self.queue = [
            item if isinstance(item, Text | Binary | Closed) else Text(json.dumps(item)) for item in self.messages
        ]


def scripted(version: int, *messages: Any) -> Stage:
    stage = Stage(Script(version, *messages), play=[], has_rereads=False, has_finale=False)
    follow(stage, version)
    return stage


def commit(value: Any, cid: str | None = None, **changes: Any) -> dict[str, Any]:
    fields = {
        "rev": tid(5 << 10),
        "operation": "create",
        "collection": f"{PREFIX}message",
        "rkey": "hi",
        "record": value,
        "cid": cid or spelled(cid_of(block(value))),
    }
    known = {name: field for name, field in (fields | changes).items() if field is not ...}
    return {"did": ALICE, "time_us": 1_767_229_200_000_000, "kind": "commit", "commit": known}


HELLO = record("message", 1, body="Hello.")


def test_a_record_whose_cid_is_not_its_value_s_is_set_aside_and_the_repo_is_read() -> None:
    stage = scripted(1, commit(HELLO | {"body": "Other."}, spelled(cid_of(block(HELLO)))), commit(HELLO, rkey="good"))
    (aside,) = stage.store.spoiled
    assert (aside.did, aside.rkey) == (ALICE, "hi")
    assert b'"Other."' in aside.raw
    assert "its cid is not that of its value" in aside.reason
    assert [key[2] for key in stage.store.seen] == ["good"]
    assert len(whys(stage)) == 1


@pytest.mark.parametrize(
    "value",
    [HELLO | {"x": {"$bytes": "AAEC=="}}, HELLO | {"x": [{"$link": "nope"}]}, HELLO | {"x": {"$bytes": "AAEC"}}],
)
def test_a_value_that_json_does_not_carry_is_nobody_s_fault_and_the_repo_is_read(value: Any) -> None:
    stage = scripted(1, commit(value, spelled(cid_of(b"something else"))))
    assert not stage.store.spoiled
    assert not stage.store.seen
    assert len(whys(stage)) == 1


@pytest.mark.parametrize(
    "value",
    [
        HELLO | {"x": 1.5},
        HELLO | {"x": 2**64},
        HELLO | {"x": "\ud800"},
        json.loads("[" * 900 + "]" * 900),
        [1.5],
    ],
)
def test_a_value_that_is_no_record_is_set_aside(value: Any) -> None:
    stage = scripted(1, commit(value, spelled(cid_of(b"?"))), commit(HELLO, rkey="good"))
    assert [item.rkey for item in stage.store.spoiled] == ["hi"]
    assert [key[2] for key in stage.store.seen] == ["good"]


@pytest.mark.parametrize(
    "changes",
    [
        {"rev": "zzz"},
        {"rev": "jzzzzzzzzzzzz"},  # far in the future: it would be the latest for ever
        {"rkey": "a/b"},
        {"rkey": ...},
        {"collection": 5},
        {"operation": "destroy"},
        {"cid": 7},
    ],
)
def test_an_event_with_a_wrong_field_is_set_aside_and_its_repo_is_read(changes: dict[str, Any]) -> None:
    stage = scripted(1, commit(HELLO, **changes))
    assert not stage.store.seen
    assert [item.did for item in stage.store.spoiled] == [ALICE]
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE]


@pytest.mark.parametrize("changes", [{"record": ...}, {"cid": ...}])
def test_a_record_that_is_left_out_has_its_repo_read(changes: dict[str, Any]) -> None:
    stage = scripted(1, commit(HELLO, **changes))
    assert whys(stage) == {"a record was told without its content"}
    assert not stage.store.spoiled


def test_what_is_no_message_has_all_repos_looked_at() -> None:
    for message in (Text("{"), Binary(b"\x28\xb5\x2f\xfd"), Text("[" * 100_000), Text("7")):
        stage = scripted(1, message)
        assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE, BOB]


def test_accounts_identities_and_syncs_are_told() -> None:
    gone = {"did": ALICE, "time_us": 1, "kind": "account", "account": {"active": False, "status": "deleted"}}
    stage = scripted(1, gone, {"did": ALICE, "time_us": 2, "kind": "identity", "identity": {"did": ALICE}})
    assert stage.store.repo(ALICE).state == "deleted"
    assert [(request.did, request.fresh) for request in stage.resolved] == [(ALICE, True)]
    stage = scripted(2, v2("sync", did=ALICE), v2("account", did=BOB, account={"active": True, "did": BOB}))
    assert whys(stage) == {"its host set it to a new state"}
    assert stage.store.repo(BOB).state == "active"


def v2(kind: str, **fields: Any) -> dict[str, Any]:
    name = f"network.bsky.jetstream.subscribeEvents#{kind}"
    return {"$type": "message", "payload": {"$type": name, "seq": 7, "time": time_of(7), **fields}}


def test_kinds_and_keys_that_nobody_knows_are_stepped_over() -> None:
    assert not whys(scripted(1, {"did": ALICE, "time_us": 3, "kind": "new", "cursor": 5}))
    assert not whys(scripted(2, v2("info", name="x"), v2("new")))


def test_an_error_of_version_2_ends_the_connection_in_words() -> None:
    stage = stage_of(2, {3: "slow"})
    follow(stage, 2)
    assert "the host ended the stream: ConsumerTooSlow: slow" in stage.store.words


@pytest.mark.parametrize("text", [None, "", "x", "-1", "1 2 x", "9" * 40, "12 x"])
def test_what_is_no_cursor_is_none(text: str | None) -> None:
    assert read_cursor(text) == (None, None)


def test_a_cursor_is_read_back() -> None:
    assert read_cursor(write_cursor(5, 7)) == (5, 7)
    assert read_cursor(write_cursor(5, None)) == (5, None)
    assert write_cursor(None, 7) is None


@pytest.mark.parametrize("path", sorted(CRASHERS.glob("*.jetstream?")), ids=lambda path: path.name)
def test_what_once_crashed_does_not(path: Path) -> None:
    VERSIONS[int(path.suffix[-1])].read(path.read_text(), LATEST)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@both
@given(st.data())
def test_no_message_raises(version: int, data: st.DataObject) -> None:
    read = VERSIONS[version].read
    read(data.draw(st.text(max_size=60)), LATEST)
    whole: dict[str, Any] = commit(HELLO) if version == 1 else v2("commit", did=ALICE, **commit(HELLO)["commit"])
    inner = whole["commit" if version == 1 else "payload"]
    for part in (whole, inner):
        for key in list(part):
            if data.draw(st.booleans()):
                part[key] = data.draw(json_values)
    read(json.dumps(whole), LATEST)
    scripted(version, whole)
