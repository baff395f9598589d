"""What a follower decides, without network, clock or task: which way, when, how far off the clock is, how fresh."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from radial_io.ingest.agenda import Agenda
from radial_io.ingest.choosing import Choice, ChoiceError, Way, planned, read_choice
from radial_io.ingest.health import health, time_of
from radial_io.ingest.poll import Pace
from radial_io.ingest.skew import Skew, estimated
from radial_io.store.values import Adapter, Repo, Source, SourceState
from tests.io.fakes import ALICE, BOB, CAROL, DAVE

PDS = "https://pds.example"
RELAY = "https://relay.example"
NOW = "2026-03-01T12:00:00Z"


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ([], Choice()),
        (["repo"], Choice(Way("repo"))),
        (["firehose"], Choice(Way("firehose"))),
        ([f"firehose={RELAY}/"], Choice(Way("firehose", RELAY))),
        (["tap=http://127.0.0.1:2480"], Choice(Way("tap", "http://127.0.0.1:2480"))),
        ([f"{ALICE}=repo", "poll"], Choice(Way("poll"), {ALICE: Way("repo")})),
        ([f"{PDS}=jetstream2={RELAY}"], Choice(Way("poll"), {PDS: Way("jetstream2", RELAY)})),
        ([f"{ALICE}=firehose={RELAY}"], Choice(Way("poll"), {ALICE: Way("firehose", RELAY)})),
    ],
)
def test_a_choice_is_read(texts: list[str], wanted: Choice) -> None:
    assert read_choice(texts) == wanted


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["pigeon"], "no way to follow"),
        (["import"], "no way to follow"),
        ([""], "no way to follow"),
        (["jetstream"], "needs its host"),
        (["tap="], "needs its host"),
        (["poll=https://pds.example"], "takes no host"),
        (["firehose=relay.example"], "does not begin with https"),
        (["firehose=https://relay.example/xrpc"], "scheme, host and port"),
        ([f"{ALICE}=repo", f"{ALICE}=poll"], "already"),
        (["poll", "repo"], "already"),
        ([f"{ALICE}="], "no way to follow"),
    ],
)
def test_what_is_no_choice_says_why(texts: list[str], words: str) -> None:
    with pytest.raises(ChoiceError, match=words):
        read_choice(texts)


def test_hosts_named_by_hand_are_those_of_all_ways() -> None:
    assert read_choice([f"tap={RELAY}", f"{ALICE}=firehose={PDS}", f"{BOB}=repo"]).hosts == (PDS, RELAY)


def test_a_repo_s_own_stream_is_that_of_its_server_once_that_is_known() -> None:
    choice = read_choice(["firehose"])
    before = planned([ALICE, BOB], {}, choice, down=())
    assert (before.looks, before.streams) == ({ALICE: "repo", BOB: "repo"}, {})
    after = planned([ALICE, BOB], {ALICE: PDS, BOB: RELAY}, choice, down=())
    assert after.looks == {}
    assert after.streams == {Way("firehose", PDS): {ALICE}, Way("firehose", RELAY): {BOB}}


def test_while_a_stream_is_down_its_repos_are_looked_at_and_it_is_held_on_to() -> None:
    way = Way("jetstream", RELAY)
    plan = planned([ALICE, BOB], {}, read_choice([f"jetstream={RELAY}", f"{BOB}=poll"]), down={way})
    assert plan.looks == {ALICE: "repo", BOB: "poll"}
    assert plan.streams == {way: {ALICE}}
    assert plan.chosen == {ALICE: way, BOB: Way("poll")}


DIDS = st.sets(st.sampled_from([ALICE, BOB, CAROL, DAVE]))
CHOICES = st.sampled_from(
    [["poll"], ["firehose"], [f"tap={RELAY}"], [f"{ALICE}=firehose", f"{PDS}=repo"], [f"{BOB}=jetstream={RELAY}"]]
)


@given(DIDS, DIDS, CHOICES, st.booleans())
def test_everybody_who_is_followed_is_looked_at_or_told_of_and_nobody_else(
    followed: set[str],
    known: set[str],
    texts: list[str],
    is_down: bool,  # noqa: FBT001
) -> None:
    choice = read_choice(texts)
    down = {Way("tap", RELAY), Way("jetstream", RELAY)} if is_down else set()
    plan = planned(followed, dict.fromkeys(known, PDS), choice, down)
    told = {did for way, dids in plan.streams.items() if way not in down for did in dids}
    assert plan.looks.keys() | told == followed
    assert plan.looks.keys() & told == set()
    assert plan.chosen.keys() == followed


# When


def _begun(agenda: Agenda, now: float) -> list[str]:
    return list(iter(lambda: agenda.begin(now), None))


def test_who_is_new_is_due_at_once_and_nobody_twice_at_the_same_time() -> None:
    agenda = Agenda(Pace(interval=30.0))
    agenda.keep([ALICE, BOB], 0.0)
    assert agenda.wait(0.0) == 0.0
    assert _begun(agenda, 0.0) == [ALICE, BOB]
    assert _begun(agenda, 1000.0) == []
    agenda.end(ALICE, 1.0, failed=False)
    assert 27.0 <= (agenda.wait(1.0) or 0) <= 33.0
    assert _begun(agenda, 27.0) == []
    assert _begun(agenda, 34.0) == [ALICE]


def test_failures_make_it_rarer_up_to_the_longest_wait_and_success_ends_that() -> None:
    agenda = Agenda(Pace(interval=10.0, longest=100.0))
    agenda.keep([ALICE], 0.0)
    now, waits = 0.0, []
    for _ in range(8):
        assert agenda.begin(now) == ALICE
        agenda.end(ALICE, now, failed=True)
        waits.append(agenda.wait(now) or 0.0)
        now += waits[-1]
    assert all(10.0 <= wait <= 100.0 for wait in waits)
    assert waits[-1] >= 50.0 > waits[0]
    agenda.begin(now)
    agenda.end(ALICE, now, failed=False)
    assert (agenda.wait(now) or 0.0) <= 11.0


def test_who_leaves_is_not_due_and_who_comes_back_is_at_once() -> None:
    agenda = Agenda()
    agenda.keep([ALICE, BOB], 0.0)
    assert agenda.begin(0.0) == ALICE
    agenda.keep([], 0.0)
    assert agenda.begin(0.0) is None
    agenda.keep([ALICE, BOB], 5.0)  # while Alice is being looked at still
    assert _begun(agenda, 5.0) == [BOB]
    agenda.end(ALICE, 6.0, failed=False)
    assert _begun(agenda, 6.0) == [ALICE]


def test_later_is_some_time_within_the_interval() -> None:
    agenda = Agenda(Pace(interval=30.0))
    agenda.keep([ALICE, BOB], 100.0, later={ALICE})
    assert _begun(agenda, 100.0) == [BOB]
    assert 0.0 < (agenda.wait(100.0) or 0) <= 30.0
    assert _begun(agenda, 130.0) == [ALICE]


@given(st.lists(st.tuples(DIDS, st.floats(0, 40), st.booleans()), max_size=30))
def test_an_agenda_holds_those_who_are_kept_and_forgets_nobody(steps: list[tuple[set[str], float, bool]]) -> None:
    agenda, now = Agenda(Pace(interval=10.0, longest=20.0)), 0.0
    for kept, seconds, failed in steps:
        agenda.keep(kept, now)
        for did in _begun(agenda, now):
            assert did in kept
            agenda.end(did, now, failed=failed)
        now += seconds
    last = steps[-1][0] if steps else set()
    assert sorted(_begun(agenda, now + 40.0)) == sorted(last)


# The clock


@pytest.mark.parametrize(
    ("samples", "wanted"),
    [
        ({}, None),
        ({"a": -0.5}, Skew(0.0, 1)),
        ({"a": 59.5, "b": 60.0, "liar": -(10**6)}, Skew(60.0, 3)),
        ({"a": -120.0, "b": -121.0}, Skew(-120.0, 2)),
    ],
)
def test_the_median_of_the_servers_is_believed(samples: dict[str, float], wanted: Skew | None) -> None:
    assert estimated(samples) == wanted


def test_only_what_matters_is_worth_a_warning() -> None:
    assert [Skew(seconds, 1).is_worth_a_warning for seconds in (0.0, 9.9, 10.0, -10.0)] == [False, False, True, True]
    assert "behind" in Skew(60.0, 2).in_words()
    assert "ahead of" in Skew(-60.0, 2).in_words()


# How fresh


def _state(
    adapter: Adapter, host: str, subject: str, *, taken_at: str, is_live: bool, failure: str | None = None
) -> SourceState:
    return SourceState(Source(adapter, host, subject), None, taken_at, failure, None, is_live)


def _one(sources: Iterable[SourceState], way: Way | None) -> tuple[bool, float | None]:
    (found,) = health([Repo(ALICE)], sources, {ALICE: ("s",)}, {} if way is None else {ALICE: way}, NOW)
    return found.is_live, found.lag


def test_a_repo_that_is_looked_at_is_as_fresh_as_the_last_look() -> None:
    look = _state("poll", PDS, ALICE, taken_at="2026-03-01T11:59:30Z", is_live=True)
    assert _one([look], Way("poll")) == (True, 30.0)
    assert _one([look], None) == (False, 30.0)
    assert _one([], Way("poll")) == (False, None)


def test_a_stream_that_is_open_leaves_no_lag_and_one_that_is_not_leaves_freshness_unknown() -> None:
    way = Way("firehose", RELAY)
    first = _state("repo", PDS, ALICE, taken_at="2026-03-01T11:00:00Z", is_live=True)  # in this session, before
    live = _state("firehose", RELAY, "", taken_at="2026-03-01T11:30:00Z", is_live=True)
    dead = _state("firehose", RELAY, "", taken_at="2026-03-01T11:30:00Z", is_live=False, failure="gone")
    assert _one([first, live], way) == (True, 0.0)
    assert _one([first, dead], way) == (False, 1800.0)


def test_ready_is_who_was_read_wholly_once_also_among_members_of_whom_nothing_is_known() -> None:
    read = Repo(ALICE, rev="3kaaaaaaaaaa2", read_at=NOW)
    found = {one.repo.did: one for one in health([read], [], {ALICE: ("s",), BOB: ("s",)}, {}, NOW)}
    assert {did: one.is_ready for did, one in found.items()} == {ALICE: True, BOB: False}


@pytest.mark.parametrize(
    ("rev", "wanted"),
    # 2023-11-14T22:13:20Z is 1,700,000,000 s: as TIDs count, 1.7e15 µs and 10 bits of clock, in digits to the base 32.
    [(None, None), ("2222222222222", "1970-01-01T00:00:00Z"), ("3ke6kg3wk2222", "2023-11-14T22:13:20Z")],
)
def test_a_revision_tells_its_time(rev: str | None, wanted: str | None) -> None:
    assert time_of(rev) == wanted
