"""What keeps a running turn covered, what stops it, and what becomes of claims (C2, C3, C6)."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from radial_core import materialize
from radial_core.dispatch.actions import (
    CancelTurn,
    NextGenerationClaim,
    ReleaseClaim,
    RenewClaim,
    RetireClaim,
    StartTurn,
    WriteClaim,
)
from radial_core.dispatch.leasing import claim_key, claim_uri
from radial_core.dispatch.plan import plan
from radial_core.dispatch.receipts import let_go
from radial_core.dispatch.routing import Operator, Profile
from radial_core.dispatch.state import Held, State, Tries, Turn
from tests.core.small_world import ANN, BOT, ROOT, SPACE, gone, ref, write
from tests.dispatch.scene import ADD_CAT, BASE, CAT, GOAL, minute, request, run_by, survey
from tests.dispatch.test_plan import (
    ARCHIVED,
    CLOSED,
    DECLINED,
    DONE,
    MINE,
    OPEN,
    QUESTION,
    REMOVED,
    RETRACTED,
    claim,
    held,
)

TURN = Turn(request=OPEN.uri, did=BOT, started_at=minute(46))
ASSIGNED = Turn(request=MINE.uri, did=BOT, started_at=minute(46))
FIRST, SECOND = claim_uri(BOT, OPEN.uri, 0), claim_uri(BOT, OPEN.uri, 1)
DAY = 24 * 60


def running(*claims: Held) -> State:
    return State(turns=(TURN,), claims=claims, generations={OPEN.uri: len(claims)})


def test_a_turn_is_renewed_when_a_third_of_the_lease_has_passed() -> None:
    state = running(held(OPEN.uri, 45, settled=True))
    standing = claim(BOT, OPEN.uri, 45)
    assert survey(OPEN, standing, state=state, now=49).actions == ()
    renewal = RenewClaim(claim=FIRST, request=OPEN.uri, lease=900, before=minute(60))  # when it lapses
    assert survey(OPEN, standing, state=state, now=50).actions == (renewal,)
    assert survey(OPEN, standing, state=state, now=50).why(OPEN.uri) == ("turn", f"a turn of {BOT} is running")


def test_the_next_generation_is_written_before_the_horizon_and_the_old_one_kept_until_it_is_settled() -> None:
    # C2: made at minute 0, so a version may end at minute 1440 at the latest; a lease is 15 minutes, renewed every 5.
    old = held(OPEN.uri, 0, renewed_at=minute(DAY - 21), expires_at=minute(DAY - 6), settled=True)
    last = RenewClaim(claim=FIRST, request=OPEN.uri, lease=900, before=minute(DAY - 15))
    assert survey(OPEN, claim(BOT, OPEN.uri, 0), state=running(old), now=DAY - 16).actions == (last,)
    [at_once] = survey(OPEN, claim(BOT, OPEN.uri, 0), state=running(old), now=DAY - 15).actions
    assert isinstance(at_once, NextGenerationClaim)  # a renewal written a moment later would end too late
    old = held(OPEN.uri, 0, renewed_at=minute(DAY - 15), expires_at=minute(DAY), settled=True)
    [following] = survey(OPEN, claim(BOT, OPEN.uri, 0), state=running(old), now=DAY - 10).actions
    assert isinstance(following, NextGenerationClaim)
    assert following.rkey == claim_key(OPEN.uri, 1)
    new = held(OPEN.uri, DAY - 10, 1)
    assert survey(OPEN, claim(BOT, OPEN.uri, 0), state=running(old, new), now=DAY - 9).actions == ()
    both = (claim(BOT, OPEN.uri, 0), claim(BOT, OPEN.uri, DAY - 10, key=claim_key(OPEN.uri, 1)))
    settled = held(OPEN.uri, DAY - 10, 1, settled=True)
    reason = "another claim of ours covers the turn"
    assert survey(OPEN, *both, state=running(old, settled), now=DAY - 9).actions == (
        ReleaseClaim(claim=FIRST, request=OPEN.uri, reason=reason),
    )


def test_the_next_generation_costs_a_claim_and_no_turn_and_is_never_refused() -> None:
    old = held(OPEN.uri, 0, renewed_at=minute(DAY - 15), expires_at=minute(DAY), settled=True)
    other = request(11)
    full = run_by(BOT, turns=1, claims=1)
    found = survey(OPEN, other, claim(BOT, OPEN.uri, 0), state=running(old), now=DAY - 10, operator=full)
    assert [type(action) for action in found.actions] == [NextGenerationClaim]
    roomy = run_by(BOT, turns=3, claims=2)
    state = running(old, held(OPEN.uri, DAY - 10, 1))
    found = survey(OPEN, other, claim(BOT, OPEN.uri, 0), state=state, now=DAY - 9, operator=roomy)
    assert found.actions == ()
    assert found.why(other.uri).rule == "claims"


def test_a_turn_that_has_lost_its_claims_is_covered_before_anything_else_is_claimed() -> None:
    """Its claim was retired and the next one could not be written: that one still has to be."""
    other, roomy = request(11), run_by(BOT, turns=2, claims=1)
    found = survey(OPEN, other, state=running(), operator=roomy)
    assert [action.key for action in found.actions] == [claim_key(OPEN.uri, 0)]
    assert found.why(other.uri).rule == "claims"
    two = run_by(BOT, turns=2, claims=2)
    both = survey(OPEN, other, state=running(), operator=two).actions
    assert [action.key for action in both] == [claim_key(OPEN.uri, 0), claim_key(other.uri, 0)]


def test_a_turn_that_is_being_stopped_takes_no_claim_s_place() -> None:
    stopping = State(turns=(attrs.evolve(TURN, cancelling=True),), generations={OPEN.uri: 1})
    found = survey(OPEN, request(11), state=stopping, operator=run_by(BOT, turns=3, claims=1))
    assert [action.key for action in found.actions] == [claim_key(request(11).uri, 0)]


def test_a_claim_under_which_a_turn_starts_is_not_released_with_it() -> None:
    two = (held(OPEN.uri, 56, settled=True), held(OPEN.uri, 57, 1, settled=True))
    standing = (claim(BOT, OPEN.uri, 56), claim(BOT, OPEN.uri, 57, key=claim_key(OPEN.uri, 1)))
    start, *rest = survey(OPEN, *standing, state=State(claims=two, generations={OPEN.uri: 2})).actions
    assert isinstance(start, StartTurn)
    assert start.claim not in {getattr(action, "claim", None) for action in rest}


def test_a_lapsed_claim_is_never_renewed() -> None:
    found = survey(OPEN, claim(BOT, OPEN.uri, 20), state=running(held(OPEN.uri, 20, settled=True)))
    following, retired = found.actions
    assert isinstance(following, NextGenerationClaim)
    assert following.generation == 1
    assert retired == RetireClaim(claim=FIRST, request=OPEN.uri, reason="it has lapsed on our own clock")


@pytest.mark.parametrize("ahead", ["created_at", "renewed_at"])
def test_what_this_clock_could_not_have_written_is_retired_and_replaced_in_the_same_step(ahead: str) -> None:
    changes: dict[str, Any] = {ahead: minute(800)}
    mine = held(OPEN.uri, 55, settled=True, expires_at=minute(900), **changes)
    following, retired = survey(OPEN, claim(BOT, OPEN.uri, 55), state=running(mine)).actions
    assert isinstance(following, NextGenerationClaim)
    assert retired.key == f"release {FIRST}"
    assert isinstance(retired, RetireClaim)
    assert "future" in retired.reason


def test_what_counts_with_nobody_is_retired_once_that_is_known() -> None:
    assert survey(OPEN, state=running(held(OPEN.uri, 58))).actions == ()
    following, retired = survey(OPEN, state=running(held(OPEN.uri, 58, settled=True))).actions
    assert isinstance(following, NextGenerationClaim)
    assert isinstance(retired, RetireClaim)
    assert "refuses" in retired.reason


def test_an_assigned_turn_writes_no_claim_at_any_time() -> None:
    assert survey(MINE, state=State(turns=(ASSIGNED,)), now=3 * DAY).actions == ()


STOPS = {
    "retracted": (OPEN, RETRACTED, "(R3)"),
    "goal ended": (OPEN, CLOSED, "(R5)"),
    "project archived": (OPEN, ARCHIVED, "(R5)"),
    "declined": (MINE, DECLINED, "(R4)"),
    "no grant": (OPEN, REMOVED, "(T5)"),
    "fulfilled by somebody else": (
        OPEN,
        write(CAT, "artifact", 20, goal=ref(GOAL), request=ref(OPEN), type="plan", body=""),
        "(R2)",
    ),
    "lost": (OPEN, claim(CAT, OPEN.uri, 44, saw=50), "(C3)"),
}


@pytest.mark.parametrize("name", STOPS)
def test_a_turn_that_nobody_needs_any_more_is_stopped_once(name: str) -> None:
    asked, record, rule = STOPS[name]
    state = running(held(OPEN.uri, 45, renewed_at=minute(58), expires_at=minute(73), settled=True))
    state = State(turns=(Turn(request=asked.uri, did=BOT, started_at=minute(46)),), claims=state.claims)
    found = survey(asked, record, claim(BOT, OPEN.uri, 45), state=state)
    stop = found.actions[0]
    assert isinstance(stop, CancelTurn)
    assert rule in stop.reason
    stopping = State(turns=(Turn(request=asked.uri, did=BOT, started_at=minute(46), cancelling=True),))
    assert not any(isinstance(one, CancelTurn) for one in survey(asked, record, state=stopping).actions)


def test_a_turn_whose_request_is_gone_is_stopped() -> None:
    [stop] = survey(state=State(turns=(ASSIGNED,))).actions
    assert stop == CancelTurn(request=MINE.uri, reason="the request does not count here any more")


def test_a_turn_that_has_written_its_record_or_asked_may_finish() -> None:
    state = running(held(OPEN.uri, 58, settled=True))
    assert survey(OPEN, DONE, claim(BOT, OPEN.uri, 58), state=state).actions == ()
    assert survey(OPEN, QUESTION, claim(BOT, OPEN.uri, 58), state=state).actions == ()
    asked = write(BOT, "message", 50, goal=ref(GOAL), body="which?", re=ref(MINE))
    assert survey(MINE, asked, state=State(turns=(ASSIGNED,))).actions == ()


ENDS = {"done with": (DONE, "C6"), "used": (None, "its turn has ended"), "awaiting": (QUESTION, "C6")}


@pytest.mark.parametrize("name", ENDS)
def test_a_claim_is_released_when_its_turn_has_ended(name: str) -> None:
    record, text = ENDS[name]
    state = State(claims=(held(OPEN.uri, 58, settled=True, used=record is None),))
    tries = State(claims=state.claims, tries={OPEN.uri: Tries(failed=1, ended_at=minute(59), settled=False)})
    for one in (state, tries):
        records = [OPEN, claim(BOT, OPEN.uri, 58), *([record] if record else [])]
        [release] = survey(*records, state=one).actions
        assert isinstance(release, ReleaseClaim)
        assert text in release.reason


def test_a_waiting_claim_that_is_not_to_be_kept_is_retired_and_the_request_claimed_anew() -> None:
    state = State(claims=(held(OPEN.uri, 20, settled=True),), generations={OPEN.uri: 1})
    [retired] = survey(OPEN, claim(BOT, OPEN.uri, 20), state=state).actions
    assert isinstance(retired, RetireClaim)
    [anew] = survey(OPEN, claim(BOT, OPEN.uri, 20), state=State(generations={OPEN.uri: 1})).actions
    assert anew == WriteClaim(request=OPEN.uri, did=BOT, rkey=claim_key(OPEN.uri, 1), generation=1, lease=900)


def test_a_receipt_that_was_lost_is_made_good_by_writing_at_the_same_key() -> None:
    [again] = survey(OPEN, claim(BOT, OPEN.uri, 59)).actions
    assert again == WriteClaim(request=OPEN.uri, did=BOT, rkey=claim_key(OPEN.uri, 0), generation=0, lease=900)


def test_a_key_that_was_seen_deleted_is_never_used_again() -> None:
    first = claim(BOT, OPEN.uri, 20)
    [anew] = survey(OPEN, first, gone(first, seen_at="2026-01-01T09:30:00Z")).actions
    assert isinstance(anew, WriteClaim)
    assert anew.generation == 1


def test_a_claim_of_ours_under_a_strange_key_is_retired_or_released() -> None:
    strange = claim(BOT, OPEN.uri, 59, key="somebody-s")
    [retired] = survey(OPEN, strange).actions
    assert isinstance(retired, RetireClaim)
    [released] = survey(OPEN, strange, QUESTION).actions
    assert isinstance(released, ReleaseClaim)
    assert released.claim == strange.uri


HELD_UP = {
    "stopped": {"may_not_start": "paused"},
    "waits": {"tries": {OPEN.uri: Tries(failed=3, ended_at=minute(59))}},
    "given up": {"tries": {OPEN.uri: Tries(failed=5, ended_at=minute(1))}, "done": frozenset({f"given up {OPEN.uri}"})},
}


@pytest.mark.parametrize("name", HELD_UP)
def test_a_claim_whose_receipt_was_lost_is_released_when_its_request_is_not_taken_on_after_all(name: str) -> None:
    """Seed 118: a claim without a receipt, and then a budget that was spent for good: it was kept for ever."""
    standing = claim(BOT, OPEN.uri, 59)
    [release] = survey(OPEN, standing, state=State(**HELD_UP[name])).actions  # type: ignore[arg-type]
    assert isinstance(release, ReleaseClaim)
    assert release.claim == standing.uri
    running = State(turns=(TURN,), claims=(held(OPEN.uri, 58, 1),), **HELD_UP[name])  # type: ignore[arg-type]
    assert survey(OPEN, standing, claim(BOT, OPEN.uri, 58, key=claim_key(OPEN.uri, 1)), state=running).actions == ()


def test_what_was_let_go_is_neither_released_again_nor_written_again_before_that_is_seen() -> None:
    standing = claim(BOT, OPEN.uri, 59)
    gone_by_now = let_go(State(), standing.uri)
    [anew] = survey(OPEN, standing, state=gone_by_now).actions
    assert isinstance(anew, WriteClaim)
    assert anew.generation == 1
    stopped = attrs.evolve(gone_by_now, may_not_start="paused")
    assert survey(OPEN, standing, state=stopped).actions == ()


def test_the_loser_of_a_race_starts_nothing() -> None:
    tie = claim(CAT, OPEN.uri, 59)  # the same instant: the lesser URI wins, and bot's is the lesser
    mine = claim(BOT, OPEN.uri, 59)
    state = State(claims=(held(OPEN.uri, 59, settled=True),))
    assert mine.uri < tie.uri
    assert [type(action) for action in survey(OPEN, mine, tie, state=state).actions] == [StartTurn]


def test_a_person_s_claim_counts_like_anybody_s() -> None:
    theirs = claim(ANN, OPEN.uri, 58)
    assert survey(OPEN, theirs).why(OPEN.uri).rule == "C3"


# More than one agent of ours

BOTH = run_by(BOT, CAT)
OF_CAT = claim_uri(CAT, OPEN.uri, 0)
WAITS = held(OPEN.uri, 58, uri=OF_CAT, settled=True)  # cat claimed it when bot could not
THEIRS: dict[str, tuple[tuple[Any, ...], Operator]] = {
    "another is preferred by now": ((), BOTH),
    "it is preferred itself": ((), run_by(CAT, BOT)),
    "the other may not work on it": ((REMOVED,), BOTH),
}


@pytest.mark.parametrize("name", THEIRS)
def test_a_turn_is_started_as_the_author_of_the_claim_that_won(name: str) -> None:
    """C7: what the turn writes names that claim, and would count for nothing under another agent's name."""
    records, operator = THEIRS[name]
    state = State(claims=(WAITS,), generations={OPEN.uri: 1})
    [start] = survey(OPEN, *records, claim(CAT, OPEN.uri, 58), state=state, operator=operator).actions
    assert isinstance(start, StartTurn)
    assert (start.did, start.claim) == (CAT, OF_CAT)


GONE_CAT = write(ROOT, "removeMember", 20, "r", space=ref(SPACE), did=CAT, membership=ref(ADD_CAT))
UNABLE = {
    "is no member any more": ((GONE_CAT,), BOTH),
    "does not produce the type any more": (
        (),
        run_by(profiles=(Profile(did=BOT, name="b", types=("plan",)), Profile(did=CAT, name="c", types=("review",)))),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNABLE)
def test_a_claim_of_an_agent_that_may_not_work_under_it_is_let_go(name: str) -> None:
    records, operator = UNABLE[name]
    state = State(claims=(WAITS,), generations={OPEN.uri: 1})
    found = survey(OPEN, *records, claim(CAT, OPEN.uri, 58), state=state, operator=operator)
    [action] = found.actions
    assert isinstance(action, ReleaseClaim | RetireClaim)
    assert action.claim == OF_CAT
    assert found.why(OPEN.uri).rule == "C6"


def test_of_two_claims_of_ours_the_turn_is_started_under_the_one_that_ranks_first() -> None:
    """C7: under the other, its work would be marked as work under a lost claim."""
    state = State(claims=(held(OPEN.uri, 57, settled=True), WAITS), generations={OPEN.uri: 1})
    both = (claim(CAT, OPEN.uri, 58), claim(BOT, OPEN.uri, 57))
    start, release = survey(OPEN, *both, state=state, operator=BOTH).actions
    assert isinstance(start, StartTurn)
    assert (start.did, start.claim) == (BOT, FIRST)
    assert release.key == f"release {OF_CAT}"


@pytest.mark.parametrize(("made", "renewals"), [(59, 0), (56, 0), (55, 1), (46, 1)])
def test_a_turn_starts_under_a_claim_that_will_last_until_the_next_plan(made: int, renewals: int) -> None:
    """A claim may wait for most of its lease for the cycle that shows that it won (C4, C6)."""
    state = State(claims=(held(OPEN.uri, made, settled=True),), generations={OPEN.uri: 1})
    start, *rest = survey(OPEN, claim(BOT, OPEN.uri, made), state=state).actions
    assert isinstance(start, StartTurn)
    assert rest == [RenewClaim(claim=FIRST, request=OPEN.uri, lease=900, before=minute(made + 15))] * renewals


def test_a_turn_is_covered_by_claims_of_its_own_agent_alone() -> None:
    turn = Turn(request=OPEN.uri, did=CAT, started_at=minute(46))
    cats = held(OPEN.uri, 45, uri=OF_CAT, settled=True)
    bots = held(OPEN.uri, 46, 1, uri=SECOND, settled=True)
    records = (OPEN, claim(CAT, OPEN.uri, 45), claim(BOT, OPEN.uri, 46, key=claim_key(OPEN.uri, 1)))
    found = survey(*records, state=State(turns=(turn,), claims=(cats, bots)), now=50, operator=BOTH)
    assert found.actions == (
        RenewClaim(claim=OF_CAT, request=OPEN.uri, lease=900, before=minute(60)),
        ReleaseClaim(claim=SECOND, request=OPEN.uri, reason="another claim of ours covers the turn"),
    )
    late = survey(*records, state=State(turns=(turn,), claims=(cats, bots)), now=60, operator=BOTH).actions
    assert isinstance(late[0], NextGenerationClaim)
    assert late[0].did == CAT


def test_a_turn_whose_own_claim_lost_is_stopped_whatever_another_agent_of_ours_claimed() -> None:
    turn = Turn(request=OPEN.uri, did=BOT, started_at=minute(46))
    ours = (held(OPEN.uri, 58, settled=True), held(OPEN.uri, 50, uri=OF_CAT, settled=True))
    between = claim(ANN, OPEN.uri, 55)
    records = (OPEN, claim(BOT, OPEN.uri, 58), claim(CAT, OPEN.uri, 50), between)
    [stop] = survey(*records, state=State(turns=(turn,), claims=ours), operator=BOTH).actions
    assert isinstance(stop, CancelTurn)
    assert between.uri in stop.reason


def test_a_receipt_that_was_lost_is_made_good_by_the_agent_that_wrote_the_claim() -> None:
    [again] = survey(OPEN, claim(CAT, OPEN.uri, 59), operator=BOTH).actions
    assert again == WriteClaim(request=OPEN.uri, did=CAT, rkey=claim_key(OPEN.uri, 0), generation=0, lease=900)


@pytest.mark.parametrize(("lease", "lasts"), [(900, 15), (3600, 15), (900, 60), (3600, 1), (60, 60)])
def test_a_claim_is_renewed_well_before_what_it_declares_runs_out_whatever_a_lease_lasts_by_now(
    lease: int, lasts: int
) -> None:
    """C6: the operator made its leases longer, or shorter, while a turn runs."""
    mine = held(OPEN.uri, 60, expires_at=minute(60 + lasts), settled=True)
    due = min(lease, lasts * 60) // 3
    index = materialize((*BASE, OPEN, claim(BOT, OPEN.uri, 60, lasts=lasts)))
    for seconds, renewed in ((due - 1, False), (due, True)):
        now = minute(60).plus(seconds)
        found = plan(index, run_by(BOT, lease=lease), running(mine), now)
        assert any(isinstance(action, RenewClaim) for action in found) is renewed


# A claim of ours without a receipt, in a full house

STRAY = claim(BOT, OPEN.uri, 59)
OTHER, ITS = request(11), request(12, assignee=BOT)
BUSY = State(turns=(Turn(request=ITS.uri, did=BOT, started_at=minute(46)),))
CLAIMING = State(claims=(held(OTHER.uri, 59),))
FULL: dict[str, tuple[tuple[Any, ...], State, Operator]] = {
    "every turn runs": ((ITS,), BUSY, run_by(BOT, turns=1)),
    "a claim keeps the last place": ((OTHER, claim(BOT, OTHER.uri, 59)), CLAIMING, run_by(BOT, turns=1)),
    "as many claims are held as may be": ((OTHER, claim(BOT, OTHER.uri, 59)), CLAIMING, run_by(BOT, claims=1)),
}


@pytest.mark.parametrize("name", FULL)
def test_a_claim_without_a_receipt_for_which_there_is_no_room_is_let_go(name: str) -> None:
    """It keeps the others off for as long as it lasts."""
    records, state, operator = FULL[name]
    found = survey(OPEN, STRAY, *records, state=state, operator=operator)
    assert found.actions == (ReleaseClaim(claim=STRAY.uri, request=OPEN.uri, reason=found.why(OPEN.uri).text),)
    assert found.why(OPEN.uri).rule == "C6"


def test_a_claim_without_a_receipt_is_looked_into_before_anything_new() -> None:
    later = request(30)
    found = survey(OPEN, later, claim(BOT, later.uri, 59), operator=run_by(BOT, turns=1)).actions
    assert [(type(one), one.request) for one in found if isinstance(one, WriteClaim)] == [(WriteClaim, later.uri)]


# What is said of a turn


@pytest.mark.parametrize("name", STOPS)
def test_a_turn_that_is_being_stopped_is_said_to_be_and_why(name: str) -> None:
    asked, record, rule = STOPS[name]
    ours = (held(OPEN.uri, 45, renewed_at=minute(58), expires_at=minute(73), settled=True),)
    for cancelling in (False, True):
        turn = Turn(request=asked.uri, did=BOT, started_at=minute(46), cancelling=cancelling)
        found = survey(asked, record, claim(BOT, OPEN.uri, 45), state=State(turns=(turn,), claims=ours))
        reason = found.why(asked.uri)
        assert reason.rule == "turn"
        assert reason.text.startswith(f"a turn of {BOT} is being stopped: ")
        assert rule in reason.text


def test_a_turn_that_was_told_to_stop_is_not_said_to_run() -> None:
    turn = Turn(request=MINE.uri, did=BOT, started_at=minute(46), cancelling=True)
    reason = survey(MINE, state=State(turns=(turn,))).why(MINE.uri)
    assert reason == ("turn", f"a turn of {BOT} is being stopped: it was told to, and has not ended yet")
