"""Following a firehose: what is taken, what is doubted, and that no fault and no order of things changes the end."""

from __future__ import annotations

import functools
from typing import Any

import attrs
import cbor2
import pytest
from hypothesis import given, strategies as st

from radial_io.atproto.keys import read_multikey
from radial_io.ingest.firehose import firehose
from radial_io.ingest.reconnecting import StreamLimits
from radial_io.ingest.requests import Binary, Idle, Message, Text
from radial_io.store.values import Source
from tests.io.streams_fakes import (
    ALICE,
    BOB,
    PREFIX,
    Stage,
    every_interleaving,
    record,
    short,
    story,
    told_whole,
    wrote,
)
from tests.io.streams_fakes_hosts import FAULTS, FirehoseHost, Plan, time_of
from tests.io.streams_fakes_repo import (
    Commit,
    Signer,
    Write,
    block,
    car,
    cid_of,
    commit_body,
    frame,
    spelled,
    sync_body,
)

HOST = "https://host.example"
SOURCE = Source("firehose", HOST)
LIMITS = StreamLimits(idle=3.0, check=7200.0)
CAROL = "did:plc:" + "c" * 24
BEGIN = "following it begins"
UNCHAINED = "a commit does not show that it is whole: the event does not name the tree before it"


def follow(stage: Stage, *, steps: int = 100_000, oldest: bool = False) -> bool:
    return stage.run(firehose(HOST, jitter=lambda: 0.5, limits=LIMITS, oldest=oldest), steps)


def stage_of(*plans: Plan, is_frank: bool = True, keeps: int = 1000, **options: Any) -> Stage:
    return Stage(FirehoseHost(*plans, is_frank=is_frank, keeps=keeps), **options)


def whys(stage: Stage) -> set[str]:
    return {reread.why for reread in stage.asked} - {BEGIN, UNCHAINED}


def left(stage: Stage, *performed: int) -> Stage:
    """A stage on which somebody followed the stream before, until so many commits were made, and stopped."""
    for _ in range(*performed):
        stage.perform()
    follow(attrs.evolve(stage, play=[], has_finale=False), oldest=True)
    stage.asked.clear()
    return stage


# --- without faults ---------------------------------------------------------------------------------------------------


def test_a_stream_without_faults_brings_everything_and_has_each_repo_looked_at_once() -> None:
    stage = stage_of(has_finale=False)
    follow(stage)
    whole = told_whole(stage)
    assert set(stage.store.seen) == set(whole.seen)
    assert stage.store.gone >= whole.gone
    assert stage.store.digest() == whole.digest()
    assert sorted(reread.did for reread in stage.asked if reread.why == BEGIN) == [ALICE, BOB]
    assert whys(stage) == set()
    assert not stage.store.spoiled


def test_alone_a_stream_follows_from_the_oldest_event_without_a_doubt_and_its_repos_stand_at_their_heads() -> None:
    stage = stage_of(has_rereads=False, has_finale=False)
    for did in (ALICE, BOB):  # a first commit says nothing of what was before it; from there on all are linked
        stage.play.insert(0, wrote(did, "join/first", record("join", 0, space={"uri": "at://x", "cid": "y"})))
    for _ in range(2):
        stage.perform()
    stage.has_rereads = True
    for did in (ALICE, BOB):
        for batch in stage.snapshot(did):
            stage.store.take(batch)
    stage.has_rereads = False
    follow(stage, oldest=True)
    for did in (ALICE, BOB):
        assert stage.store.repo(did).rev == stage.repos[did].head.rev
        assert stage.store.repo(did).source == SOURCE
    assert whys(stage) == set()


def test_events_that_come_together_are_one_batch_and_one_alone_is_written_at_once() -> None:
    together = stage_of(has_rereads=False, has_finale=False)
    for _ in range(len(together.play)):
        together.perform()
    follow(together, oldest=True)
    assert together.store.takes == 1
    alone = stage_of(has_rereads=False, has_finale=False)
    follow(alone)
    assert alone.store.takes == len(alone.play)


def test_the_cursor_is_that_of_the_last_event_and_the_next_run_begins_behind_it() -> None:
    stage = stage_of()
    follow(stage)
    assert stage.store.cursors[SOURCE] == f"110 {time_of(110)}"
    stage.play = []
    follow(stage)
    assert stage.host.opened[-1].url == "wss://host.example/xrpc/com.atproto.sync.subscribeRepos?cursor=110"


def test_a_first_run_follows_from_now_on_or_from_the_oldest_event() -> None:
    for oldest, query in ((False, ""), (True, "?cursor=0")):
        stage = stage_of()
        follow(stage, oldest=oldest)
        assert stage.host.opened[0].url.endswith(f"subscribeRepos{query}")


def test_only_the_followed_are_looked_up_and_kept() -> None:
    stage = stage_of(followed=frozenset({BOB}))
    follow(stage)
    assert {request.did for request in stage.resolved} == {BOB}
    assert {key[0] for key in stage.store.seen} == {BOB}
    assert {reread.did for reread in stage.asked} == {BOB}


def test_other_collections_are_left_alone() -> None:
    play = [*story(), _wrote_elsewhere()]
    stage = stage_of(play=play)
    follow(stage)
    assert {key[1] for key in stage.store.seen if not key[1].startswith(PREFIX)} <= {"app.example.post"}
    told_by_stream = {key for key in stage.store.seen if key[1] == "app.example.post"}
    assert all(revs == {stage.repos[ALICE].head.rev} for key, revs in stage.store.seen.items() if key in told_by_stream)


def _wrote_elsewhere() -> Any:
    step = wrote(ALICE)
    return attrs.evolve(step, writes=(Write("app.example.post/1", {"$type": "app.example.post"}),))


# --- faults -----------------------------------------------------------------------------------------------------------


@functools.cache
def expected() -> str:
    stage = stage_of()
    for _ in range(len(stage.play)):
        stage.perform()
    return told_whole(stage).digest()


def assert_whole(stage: Stage) -> None:
    """The digest is that of somebody who missed nothing; versions that were missed are told of in words."""
    whole = told_whole(stage)
    assert stage.store.digest() == expected()
    for did, repo in stage.repos.items():
        assert set(stage.store.held(did)) == set(repo.head.records)
    if set(whole.seen) != set(stage.store.seen):
        assert set(stage.store.seen) < set(whole.seen)
        assert stage.store.failures or whys(stage)


@pytest.mark.parametrize("place", range(11))
@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_at_any_place_changes_nothing(fault: Any, place: int) -> None:
    stage = stage_of({place: fault})
    follow(stage)
    assert_whole(stage)


@given(
    st.lists(st.dictionaries(st.integers(0, 10), st.sampled_from(FAULTS), max_size=4), max_size=4),
    st.integers(1, 40),
    st.tuples(st.booleans(), st.booleans()),
    st.sampled_from([0, 3, 1000]),
)
def test_no_schedule_of_faults_changes_the_outcome(
    plans: list[dict[int, Any]],
    delay: int,
    switches: tuple[bool, bool],
    keeps: int,
) -> None:
    oldest, is_frank = switches
    stage = stage_of(*plans, is_frank=is_frank, keeps=keeps, timing=lambda step: step % delay == 0)
    follow(stage, oldest=oldest)
    assert_whole(stage)


def test_killed_at_any_step_and_started_again_nothing_is_lost_and_nothing_is_doubled() -> None:
    """Without rereads: the cursor alone has to bring everything that was written since."""
    for steps in range(1, 120):
        stage = stage_of(has_rereads=False, has_finale=False)
        life = steps
        while follow(stage, steps=life, oldest=True):
            life += 3  # who is always killed before the first batch gets nowhere
        whole = told_whole(stage)
        assert stage.store.seen == whole.seen, steps
        assert stage.store.gone == whole.gone, steps


# --- backfill and live events at every point --------------------------------------------------------------------------


def test_a_repo_read_at_any_moment_and_written_at_any_later_one_gives_one_digest() -> None:
    """Every pair: the snapshot is taken before one step of the stream, and comes into the store before another."""
    outcomes = [*every_interleaving(lambda: stage_of(play=short()), lambda stage: follow(stage, oldest=True))]
    assert len(outcomes) > 100
    assert len({stage.store.digest() for stage in outcomes}) == 1
    for stage in outcomes[:: len(outcomes) - 1]:
        assert stage.store.digest() == told_whole(stage).digest()
    assert all(set(stage.store.seen) == set(told_whole(stage).seen) for stage in outcomes)


def test_followed_from_now_on_at_any_moment_a_repo_read_after_that_makes_it_whole() -> None:
    """At every point of the history the stream is opened without a cursor; the repos are read at every later step."""
    for begun in range(len(short()) + 1):
        for delay in range(1, 30):
            stage = stage_of(play=short(), has_finale=False, timing=lambda step, delay=delay: step >= delay)
            for _ in range(begun):
                stage.perform()
            follow(stage)
            assert stage.store.digest() == told_whole(stage).digest(), (begun, delay)


# --- what a host says about the cursor --------------------------------------------------------------------------------


def test_a_future_cursor_is_given_up_and_repos_are_looked_at() -> None:
    stage = stage_of()
    stage.store.cursors[SOURCE] = f"999999 {time_of(0)}"
    follow(stage)
    assert [request.url.partition("?")[2] for request in stage.host.opened] == ["cursor=999999", ""]
    assert "a cursor that the host does not know: the stream is followed from now on" in whys(stage)
    assert stage.store.cursors[SOURCE] == f"110 {time_of(110)}"
    assert_whole(stage)


def test_a_host_that_says_nothing_of_a_future_cursor_is_found_out_by_its_numbers() -> None:
    stage = stage_of(is_frank=False)
    stage.store.cursors[SOURCE] = "999999 2025-12-31T00:00:00Z"
    follow(stage)
    assert "the numbers of the stream start anew" in whys(stage)
    assert stage.store.cursors[SOURCE] == f"110 {time_of(110)}"
    assert_whole(stage)


def test_a_host_that_has_thrown_events_away_and_says_so() -> None:
    stage = left(stage_of(keeps=2), 3)
    for _ in range(4):
        stage.perform()
    follow(stage)
    assert "the host has no more all that came since the stream was left" in whys(stage)
    assert_whole(stage)


def test_a_host_that_has_thrown_events_away_and_says_nothing_is_found_out_by_the_time() -> None:
    stage = left(stage_of(keeps=2, is_frank=False), 3)
    stage.store.cursors[SOURCE] = "30 2025-12-31T00:00:00Z"
    for _ in range(4):
        stage.perform()
    follow(stage)
    assert "the stream goes on long after where it was left" in whys(stage)
    assert_whole(stage)


def test_a_stream_that_falls_silent_is_opened_anew_and_after_the_second_time_without_its_cursor() -> None:
    stage = left(stage_of(has_finale=False), 3)
    stage.host.plans = [{0: "stall"}, {0: "stall"}]
    follow(stage)
    queries = [request.url.partition("?")[2] for request in stage.host.opened]
    assert queries[-3:] == ["cursor=30", "cursor=30", ""]
    assert "nothing came for 3 s" in stage.store.words
    assert "a stream that says nothing: the stream is followed from now on" in whys(stage)
    assert_whole(stage)


def test_who_is_too_slow_waits_longer_each_time_and_goes_on_from_the_cursor() -> None:
    stage = left(stage_of(has_finale=False), 3)
    stage.pauses.clear()
    stage.host.plans = [{0: "slow"}, {0: "slow"}, {0: "slow"}]
    follow(stage)
    assert stage.pauses[:3] == [1.5, 3.0, 6.0]  # doubled each time, with the middle jitter
    assert "the host ended the stream: ConsumerTooSlow: Stream consumer too slow" in stage.store.words
    assert_whole(stage)


def test_a_message_over_the_limit_does_not_come_again_for_ever() -> None:
    stage = left(stage_of(), 3)
    stage.host.plans = [{0: "big"}]
    follow(stage)
    assert stage.host.opened[-1].url.endswith("subscribeRepos")
    assert f"a message of more than {LIMITS.message} bytes: the stream is followed from now on" in whys(stage)
    assert_whole(stage)


# --- what a host sends ------------------------------------------------------------------------------------------------


class Script(FirehoseHost):
    """Sends what it is given, and ends."""

    def __init__(self, *frames: bytes | Message) -> None:
        super().__init__()
        self.frames = frames

    def begin(self, _request: Any, _query: Any) -> None:
        sent = [Binary(item) if isinstance(item, bytes) else item for item in self.frames]
        self.queue = [*sent]


def scripted(stage: Stage, *frames: bytes | Message) -> Stage:
    """Play these frames to a new stream, with the repos and the store of the stage."""
    stage.host, stage.play, stage.has_rereads, stage.has_finale = Script(*frames), [], False, False
    stage.asked.clear()
    follow(stage)
    return stage


def read_once() -> Stage:
    """Two repos as they are after the whole story, read wholly."""
    stage = stage_of()
    for _ in range(len(stage.play)):
        stage.perform()
    for did in (ALICE, BOB):
        for batch in stage.snapshot(did):
            stage.store.take(batch)
    return stage


def next_commit(stage: Stage, did: str = ALICE, *writes: Write) -> Commit:
    hello = record("message", 30, goal={"uri": "at://x", "cid": "y"}, body="One more.")
    return stage.repos[did].commit(*(writes or (Write(f"{PREFIX}message/more", hello),)))


def told(commit: Commit, did: str = ALICE, **changes: Any) -> bytes:
    return frame("#commit", commit_body(did, commit, 500, time_of(500)) | changes)


def test_the_next_commit_moves_the_standing_and_raises_no_doubt() -> None:
    stage = read_once()
    commit = next_commit(stage)
    scripted(stage, told(commit))
    assert stage.store.repo(ALICE).rev == commit.rev
    assert whys(stage) == set()


def test_a_gap_has_the_repo_read_and_says_what_may_be_missing() -> None:
    stage = read_once()
    before = stage.store.repo(ALICE)
    missed = next_commit(stage)
    commit = next_commit(stage, ALICE, Write(f"{PREFIX}message/more", None))
    scripted(stage, told(commit))
    assert stage.store.repo(ALICE) == before
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE]
    assert f"what came between its revisions {before.rev} and {commit.rev} was not told" in stage.store.words
    assert (ALICE, f"{PREFIX}message", "more", commit.rev) in stage.store.gone  # what was told is taken all the same
    assert missed.rev < commit.rev


def test_a_commit_that_leaves_an_op_out_does_not_move_the_standing() -> None:
    stage = read_once()
    two = [Write(f"{PREFIX}message/{name}", record("message", 30, body=name)) for name in ("a", "b")]
    commit = next_commit(stage, ALICE, *two)
    scripted(stage, told(commit, ops=list(commit.ops[:1])))
    assert stage.store.repo(ALICE).rev != commit.rev
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE]
    assert "an event was refused" in next(iter(whys(stage)))


def test_a_commit_that_cannot_be_undone_does_not_move_the_standing_though_it_names_the_right_tree() -> None:
    stage = read_once()
    before = stage.store.repo(ALICE)
    commit = next_commit(stage, ALICE, Write(f"{PREFIX}message/hi", record("message", 31, body="Again.")))
    ops = [{name: value for name, value in op.items() if name != "prev"} for op in commit.ops]
    scripted(stage, told(commit, ops=ops))
    assert stage.store.repo(ALICE) == before
    assert "a commit does not show that it is whole" in next(iter(whys(stage)))
    assert (ALICE, f"{PREFIX}message", "hi", spelled(cid_of(commit.records[f"{PREFIX}message/hi"]))) in stage.store.seen


def test_a_record_that_is_not_in_its_event_is_not_taken_and_the_repo_is_read() -> None:
    stage = read_once()
    commit = next_commit(stage)
    without = car(commit.cid, [commit.raw, *commit.nodes.values()])
    scripted(stage, told(commit, blocks=without))
    assert stage.store.repo(ALICE).rev != commit.rev
    assert whys(stage) == {"an operation came without its proof"}
    assert (ALICE, f"{PREFIX}message", "more") not in {key[:3] for key in stage.store.seen}


@pytest.mark.parametrize(
    "spoiled",
    [
        block({"$type": f"{PREFIX}message", "x": 1.5}),
        cbor2.dumps({"$type": f"{PREFIX}message", "b": 1}),  # keys out of order
        b"\x81" * 2000 + b"\x00",
        b"\xff",
    ],
)
def test_a_record_that_is_none_is_set_aside_and_its_neighbour_is_taken(spoiled: bytes) -> None:
    stage = read_once()
    repo = stage.repos[ALICE]
    good = Write(f"{PREFIX}message/good", record("message", 30, body="good"))
    commit = repo.commit(good, Write(f"{PREFIX}message/odd", spoiled))
    scripted(stage, told(commit))
    (aside,) = stage.store.spoiled
    assert (aside.did, aside.collection, aside.rkey, aside.rev) == (ALICE, f"{PREFIX}message", "odd", commit.rev)
    assert aside.raw == spoiled
    assert (ALICE, f"{PREFIX}message", "good") in {key[:3] for key in stage.store.seen}
    assert stage.store.repo(ALICE).rev == commit.rev  # it is known what is there


def test_a_commit_that_somebody_else_signed_is_refused_and_the_key_is_looked_up_once() -> None:
    stage = read_once()
    stage.repos[ALICE].signer = Signer.numbered(99)
    first, second = next_commit(stage), next_commit(stage, ALICE, Write(f"{PREFIX}message/more", None))
    good = next_commit(stage, BOB)
    stage.resolved.clear()
    scripted(stage, told(first), told(second), told(good, BOB))
    assert [request.fresh for request in stage.resolved if request.did == ALICE].count(True) == 1
    assert {item.did for item in stage.store.spoiled} == {ALICE}
    assert {reread.did for reread in stage.asked if reread.why != BEGIN} == {ALICE}
    assert stage.store.repo(BOB).rev == good.rev


def test_old_events_that_no_key_of_today_signed_are_told_of_and_cost_no_reading() -> None:
    stage = read_once()
    stage.keys[ALICE] = read_multikey(Signer.numbered(99).multikey)
    old = stage.repos[ALICE].commits[1]
    scripted(stage, told(old), told(old), told(next_commit(stage, BOB), BOB))
    assert whys(stage) == set()
    assert not stage.store.spoiled
    assert "an event was refused" in stage.store.words


def test_a_repo_that_was_only_listed_is_read_whole_before_its_stream_counts_as_proof() -> None:
    stage = read_once()
    listed = stage.store.repo(ALICE)
    stage.store.repos[ALICE] = attrs.evolve(listed, root=None, source=Source("poll", "https://pds.example", ALICE))
    scripted(stage, told(next_commit(stage)))
    assert stage.store.repo(ALICE).rev == listed.rev
    assert whys(stage) == {"it was only listed so far: no tree is known that this commit could continue"}


def test_a_new_key_is_found_by_looking_it_up_afresh() -> None:
    stage = read_once()
    stage.repos[ALICE].signer = Signer.numbered(99)
    commit = next_commit(stage)
    old, new = stage.keys[ALICE], read_multikey(Signer.numbered(99).multikey)
    stage.keys[ALICE] = _Turning(stage, old, new)
    scripted(stage, told(commit))
    assert stage.store.repo(ALICE).rev == commit.rev
    assert not stage.store.spoiled


class _Turning:
    """A key that is the old one until somebody asks afresh."""

    def __init__(self, stage: Stage, old: Any, new: Any) -> None:
        self.stage, self.old, self.new = stage, old, new

    def __getattr__(self, name: str) -> Any:
        is_fresh = self.stage.resolved and self.stage.resolved[-1].fresh
        return getattr(self.new if is_fresh else self.old, name)


def test_an_author_who_cannot_be_looked_up_costs_only_its_own_events_and_is_not_asked_for_each() -> None:
    stage = read_once()
    stage.unreachable.add(ALICE)
    events = [told(next_commit(stage, ALICE, Write(f"{PREFIX}message/{n}", record("message", n)))) for n in range(5)]
    good = next_commit(stage, BOB)
    stage.resolved.clear()
    scripted(stage, *events, told(good, BOB))
    assert [request.did for request in stage.resolved] == [ALICE, BOB]
    assert stage.store.repo(BOB).rev == good.rev
    assert whys(stage) == {"an event could not be verified"}
    assert "no answer in time" in stage.store.words
    assert not stage.store.spoiled


def test_a_commit_too_big_for_the_stream_has_the_repo_read() -> None:
    stage = read_once()
    scripted(stage, told(next_commit(stage), tooBig=True, ops=[]))
    assert whys(stage) == {"a commit was too big for the stream"}


def test_a_sync_with_the_known_tree_moves_the_standing_and_another_has_the_repo_read() -> None:
    stage = read_once()
    same = stage.repos[ALICE].commit()
    scripted(stage, frame("#sync", sync_body(ALICE, same, 500, time_of(500))))
    assert stage.store.repo(ALICE).rev == same.rev
    assert whys(stage) == set()
    other = next_commit(stage)
    scripted(stage, frame("#sync", sync_body(ALICE, other, 501, time_of(501))))
    assert stage.store.repo(ALICE).rev == same.rev
    assert whys(stage) == {"its host set it to a new state"}


@pytest.mark.parametrize("blocks", [b"", b"\x00" * 50, car(b"\x01\x71\x12\x20" + b"\0" * 32, [])])
def test_a_sync_that_proves_nothing_is_set_aside(blocks: bytes) -> None:
    stage = read_once()
    body = sync_body(ALICE, next_commit(stage), 500, time_of(500)) | {"blocks": blocks}
    scripted(stage, frame("#sync", body))
    assert [item.did for item in stage.store.spoiled] == [ALICE]
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE]


def account(seq: int, *, active: bool, **status: str) -> bytes:
    return frame("#account", {"seq": seq, "did": ALICE, "time": time_of(seq), "active": active, **status})


@pytest.mark.parametrize(
    ("status", "state"),
    [({"status": "deleted"}, "deleted"), ({"status": "takendown"}, "takendown"), ({"status": "new"}, "deactivated"),
     ({}, "deactivated")],
)  # fmt: skip
def test_an_account_that_goes_is_told_and_its_records_stay(status: dict[str, str], state: str) -> None:
    stage = read_once()
    before = dict(stage.store.seen)
    scripted(stage, account(500, active=False, **status))
    assert stage.store.repo(ALICE).state == state
    assert stage.store.seen == before
    assert whys(stage) == set()


def test_an_account_that_comes_back_has_its_repo_read() -> None:
    stage = read_once()
    scripted(stage, account(500, active=False, status="suspended"), account(501, active=True))
    assert stage.store.repo(ALICE).state == "active"
    assert whys(stage) == {"its account is active again"}


def test_a_changed_document_is_looked_up_afresh_once_a_batch() -> None:
    stage = read_once()
    body = {"did": ALICE, "time": time_of(500), "handle": "new.test"}
    stage.resolved.clear()
    scripted(stage, *(frame("#identity", {"seq": seq, **body}) for seq in range(500, 510)))
    assert [(request.did, request.fresh) for request in stage.resolved] == [(ALICE, True)]


def test_a_frame_that_names_nobody_has_all_looked_at_and_one_that_names_a_stranger_nobody() -> None:
    stage = scripted(read_once(), b"\xff", b"")
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE, BOB]
    assert {item.did for item in stage.store.spoiled} == {""}
    stage = scripted(read_once(), frame("#account", {"seq": 500, "did": CAROL, "time": time_of(500)}))
    assert whys(stage) == set()
    stage = scripted(read_once(), frame("#account", {"seq": 500, "did": ALICE, "time": time_of(500)}))
    assert [reread.did for reread in stage.asked if reread.why != BEGIN] == [ALICE]


def test_who_joins_has_its_repo_read_within_a_moment_and_who_leaves_is_heard_no_more() -> None:
    stage = stage_of(followed=frozenset({ALICE}), has_finale=False)

    def hook(stage: Stage, _step: int) -> None:
        if stage.performed == 4:
            stage.followed = frozenset({ALICE, BOB})
        if stage.performed == 9:
            stage.followed = frozenset({BOB})

    stage.hook = hook
    follow(stage)
    assert [reread.did for reread in stage.asked if reread.why == BEGIN] == [ALICE, BOB]
    assert (ALICE, f"{PREFIX}message", "hi") not in {key[:3] for key in stage.store.seen}
    assert (BOB, f"{PREFIX}message", "hi") in {key[:3] for key in stage.store.seen}


def test_numbers_that_go_down_within_a_connection_do_not_move_the_cursor_back() -> None:
    stage = read_once()
    first, second = next_commit(stage), next_commit(stage, BOB)
    low = frame("#commit", commit_body(BOB, second, 3, time_of(500)))
    scripted(stage, told(first), low)
    assert stage.store.cursors[SOURCE] == f"500 {time_of(500)}"
    assert stage.store.repo(BOB).rev == second.rev


def test_events_of_strangers_move_the_cursor_and_cost_a_transaction_now_and_then() -> None:
    strangers = [
        message
        for seq in range(500, 540)
        for message in (
            Binary(frame("#identity", {"seq": seq, "did": CAROL, "time": time_of(seq)})),
            Idle(),  # each is a batch of its own
        )
    ]
    stage = read_once()
    stage.steps_a_second = 10
    before = stage.store.takes
    scripted(stage, *strangers)
    assert 2 <= stage.store.takes - before <= 10
    assert int(stage.store.cursors[SOURCE].split()[0]) >= 520
    assert CAROL not in {request.did for request in stage.resolved}


def test_a_document_that_cannot_be_looked_up_is_said_and_stops_nothing() -> None:
    stage = read_once()
    stage.unreachable.add(ALICE)
    body = {"seq": 500, "did": ALICE, "time": time_of(500)}
    good = next_commit(stage, BOB)
    scripted(stage, frame("#identity", body), told(good, BOB))
    assert "no answer in time" in stage.store.words
    assert stage.store.repo(BOB).rev == good.rev


def test_an_author_without_a_key_cannot_be_verified() -> None:
    stage = read_once()
    stage.keys[ALICE] = None
    scripted(stage, told(next_commit(stage)))
    assert "names no key that signs" in stage.store.words
    assert whys(stage) == {"an event could not be verified"}
    assert not stage.store.spoiled


def test_a_text_message_is_no_frame() -> None:
    stage = scripted(read_once(), Text("hello"))
    assert [item.raw for item in stage.store.spoiled] == [b"hello"]
