"""Whether a request is taken on, and why or why not (R4–R6, C1, C3, C4; seed §9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from radial_core import materialize
from radial_core.dispatch.actions import ReleaseClaim, StartTurn, WriteClaim
from radial_core.dispatch.effort import Setting
from radial_core.dispatch.leasing import claim_key, claim_uri
from radial_core.dispatch.receipts import failed
from radial_core.dispatch.routing import Profile
from radial_core.dispatch.state import Held, State, Tries, Turn
from tests.core.small_world import ANN, BOT, EVE, ROOT, SPACE, at, ref, seen, write
from tests.dispatch.scene import ADD_BOT, BASE, CAT, GOAL, PLAN, PROJECT, minute, request, run_by, survey

if TYPE_CHECKING:
    from collections.abc import Iterator

AS_ROUTED: Any = {
    "model": Setting(name="model", resolved="m-1", verified=False), "effort": Setting(name="effort"),
}  # fmt: skip
BY = "codex, model “m-1” (unverified) (the route of type “plan” in radial.toml)"
OPEN = request(10)
MINE = request(10, assignee=BOT)


def held(request_uri: str, made: int, generation: int = 0, **changes: Any) -> Held:
    values = {
        "uri": claim_uri(BOT, request_uri, generation), "request": request_uri, "generation": generation,
        "created_at": minute(made), "renewed_at": minute(made), "expires_at": minute(made + 15), **changes,
    }  # fmt: skip
    return Held(**values)


def claim(did: str, about: str, made: int, lasts: int = 15, key: str | None = None, saw: int | None = None) -> Any:
    """A claim as the index has it, first seen at the minute it was made, or at `saw`."""
    value = {
        "$type": "com.disnetdev.radial.claim", "createdAt": at(made), "expiresAt": at(made + lasts),
        "request": {"uri": about, "cid": OPEN.cid},
    }  # fmt: skip
    rkey = key or claim_key(about, 0)
    return seen(f"at://{did}/com.disnetdev.radial.claim/{rkey}", value, seen_at=at(made if saw is None else saw))


def test_an_assigned_request_is_started_without_a_claim() -> None:
    found = survey(MINE)
    assert found.actions == (StartTurn(request=MINE.uri, did=BOT, route=PLAN, **AS_ROUTED, claim=None, attempt=1),)
    assert found.why(MINE.uri) == ("assignee", f"assigned to {BOT}: a turn is started, {BY}")


def test_an_open_request_is_claimed_first() -> None:
    found = survey(OPEN)
    key = claim_key(OPEN.uri, 0)
    assert found.actions == (WriteClaim(request=OPEN.uri, did=BOT, rkey=key, generation=0, lease=900),)
    assert found.why(OPEN.uri).rule == "C4"


def test_nothing_starts_before_a_cycle_after_the_claim_has_ended() -> None:
    mine = claim(BOT, OPEN.uri, 59)
    waits = survey(OPEN, mine, state=State(claims=(held(OPEN.uri, 59),)))
    assert waits.actions == ()
    assert waits.why(OPEN.uri).rule == "C4"
    won = survey(OPEN, mine, state=State(claims=(held(OPEN.uri, 59, settled=True),)))
    assert won.actions == (
        StartTurn(request=OPEN.uri, did=BOT, route=PLAN, **AS_ROUTED, claim=claim_uri(BOT, OPEN.uri, 0), attempt=1),
    )
    assert won.why(OPEN.uri) == ("C3", f"our claim won: a turn is started, {BY}")


def test_a_claim_that_lost_is_released_even_before_the_cycle_has_ended() -> None:
    mine, theirs = claim(BOT, OPEN.uri, 59), claim(CAT, OPEN.uri, 58)
    found = survey(OPEN, mine, theirs, state=State(claims=(held(OPEN.uri, 59),)))
    reason = f"lost to {theirs.uri}, which ranks before our claim and is live"
    assert found.actions == (ReleaseClaim(claim=mine.uri, request=OPEN.uri, reason=f"{reason} (C3)"),)
    assert found.why(OPEN.uri) == ("C3", reason)


def test_a_dead_claim_that_ranks_first_does_not_hold_us_up() -> None:
    mine, theirs = claim(BOT, OPEN.uri, 59), claim(CAT, OPEN.uri, 40)
    found = survey(OPEN, mine, theirs, state=State(claims=(held(OPEN.uri, 59, settled=True),)))
    assert [type(action) for action in found.actions] == [StartTurn]


def test_a_lease_is_counted_from_when_we_first_saw_it() -> None:
    theirs = claim(CAT, OPEN.uri, 20, saw=50)  # their clock is half an hour behind ours: that takes nothing from them
    assert survey(OPEN, theirs).actions == ()
    assert survey(OPEN, theirs).why(OPEN.uri) == ("C3", f"claimed by {theirs.uri}, which is live")
    assert [type(action) for action in survey(OPEN, theirs, now=65).actions] == [WriteClaim]


def test_a_sighting_in_our_own_future_holds_nobody_up() -> None:
    before_the_clock_was_set_back = claim(CAT, OPEN.uri, 20, saw=600)
    assert [type(action) for action in survey(OPEN, before_the_clock_was_set_back).actions] == [WriteClaim]
    assert survey(OPEN, claim(CAT, OPEN.uri, 20, saw=60)).actions == ()


DONE = write(BOT, "artifact", 20, goal=ref(GOAL), request=ref(OPEN), type="plan", body="b")
RETRACTED = write(ANN, "retractRequest", 20, request=ref(OPEN))
DECLINED = write(BOT, "message", 20, goal=ref(GOAL), body="no", re=ref(MINE), declines=True)
CLOSED = write(ANN, "closeGoal", 20, "end", goal=ref(GOAL), closed=True)
ARCHIVED = write(ANN, "archiveProject", 20, "shelve", project=ref(PROJECT), archived=True)
REOPENED = write(ANN, "closeGoal", 21, "again", goal=ref(GOAL), closed=False)
UNARCHIVED = write(ANN, "archiveProject", 21, "unshelve", project=ref(PROJECT), archived=False)
REMOVED = write(ROOT, "removeMember", 20, space=ref(SPACE), did=BOT, membership=ref(ADD_BOT))
QUESTION = write(BOT, "message", 20, goal=ref(GOAL), body="which?", re=ref(OPEN))
REPLY = write(ANN, "message", 21, goal=ref(GOAL), body="that", parent=ref(QUESTION))
THEIRS = request(10, assignee=CAT)
AUDIT = request(10, "audit")
AUDIT_OF_BOT = request(10, "audit", assignee=BOT)
IDEA = {"profiles": (Profile(did=BOT, name="p", types=("review",)),)}

PASSED_OVER = {
    "fulfilled": ((OPEN, DONE), {}, "R2", "fulfilled by"),
    "retracted": ((OPEN, RETRACTED), {}, "R3", "retracted by"),
    "declined": ((MINE, DECLINED), {}, "R4", "declined by its assignee"),
    "goal ended": ((OPEN, CLOSED), {}, "R5", "its goal"),
    "project archived": ((OPEN, ARCHIVED), {}, "R5", "its project is archived"),
    "assigned to somebody else": ((THEIRS,), {}, "assignee", f"assigned to {CAT}"),
    "unrouted": ((AUDIT,), {}, "routes", "no route for type “audit” in radial.toml"),
    "unrouted, though assigned": ((AUDIT_OF_BOT,), {}, "routes", "no route for type “audit” in radial.toml"),
    "nobody produces it": ((OPEN,), IDEA, "profiles", "no agent of this operator produces type “plan”"),
    "assignee does not produce it": ((MINE,), IDEA, "profiles", f"{BOT}, its assignee, does not produce type “plan”"),
    "no grant": ((OPEN, REMOVED), {}, "T5", "no agent of this operator that produces type “plan” holds"),
    "assignee has no grant": ((MINE, REMOVED), {}, "T5", f"{BOT} holds no current grant"),
    "awaiting input": ((OPEN, QUESTION), {}, "R6", "awaiting input"),
}


@pytest.mark.parametrize("name", PASSED_OVER)
def test_what_is_passed_over_is_for_a_reason(name: str) -> None:
    records, changes, rule, text = PASSED_OVER[name]
    found = survey(*records, operator=run_by(BOT, **changes))
    assert found.actions == ()
    reason = found.why(records[0].uri)
    assert reason.rule == rule
    assert reason.text.startswith(text)


@pytest.mark.parametrize("undone", [(CLOSED, REOPENED), (ARCHIVED, UNARCHIVED), (QUESTION, REPLY)])
def test_what_held_a_request_up_can_be_undone(undone: tuple[Any, ...]) -> None:
    assert [type(action) for action in survey(OPEN, *undone).actions] == [WriteClaim]


def test_a_request_that_does_not_count_has_its_ruling_and_an_unknown_one_is_unknown() -> None:
    stranger = write(EVE, "artifactRequest", 10, "x", goal=ref(GOAL), type="plan")
    assert survey(stranger).why(stranger.uri).rule == "T5"
    assert survey().why(OPEN.uri).rule == "index"


EARLIER = request(5)
OTHER_SPACE = write(CAT, "space", 0, "den", name="Den")
OTHER_PROJECT = write(
    CAT, "project", 4, "home", space=ref(OTHER_SPACE), name="h", gitUrl="https://git.example/h", defaultBranch="main"
)
OTHER_GOAL = write(CAT, "goal", 5, "nap", space=ref(OTHER_SPACE), project=ref(OTHER_PROJECT), title="t", body="b")
WORK_THERE = write(CAT, "artifact", 6, goal=ref(OTHER_GOAL), request=ref(EARLIER), type="plan", title="t", body="b")
WORK_HERE = write(BOT, "artifact", 6, goal=ref(GOAL), request=ref(EARLIER), type="plan", title="t", body="b")
TALK_HERE = write(ANN, "message", 6, goal=ref(GOAL), body="b")
ABOUT: dict[str, tuple[str, Any, tuple[Any, ...]]] = {
    "a review of what was never seen": ("review", WORK_HERE, ()),
    "a review of another space's work": ("review", WORK_THERE, (OTHER_SPACE, OTHER_PROJECT, OTHER_GOAL, WORK_THERE)),
    "an answer to what was never seen": ("answer", TALK_HERE, ()),
}


@pytest.mark.parametrize("assignee", [None, BOT])
@pytest.mark.parametrize("name", ABOUT)
def test_a_judgement_of_nothing_that_counts_is_not_begun(name: str, assignee: str | None) -> None:
    """L4: no record could answer it. Turns that are bound to fail would use it up before what it is about comes in."""
    kind, about, seen_so_far = ABOUT[name]
    asked = request(10, kind, subject=ref(about), assignee=BOT if kind == "answer" else assignee)
    assert all(materialize([*BASE, *seen_so_far]).place_of(one.uri) is not None for one in seen_so_far[1:])
    found = survey(asked, *seen_so_far)
    assert found.actions == ()
    assert found.why(asked.uri) == ("L4", f"its subject {about.uri} does not count in its space")


@pytest.mark.parametrize("about", [WORK_HERE, TALK_HERE])
def test_a_judgement_begins_when_what_it_is_about_has_come_in(about: Any) -> None:
    asked = request(10, "review" if about is WORK_HERE else "answer", subject=ref(about), assignee=BOT)
    assert [action.key for action in survey(asked, about).actions] == [f"start {asked.uri}"]


def test_a_claim_on_a_judgement_of_nothing_is_released() -> None:
    asked = request(10, "review", subject=ref(WORK_HERE))
    found = survey(asked, claim(BOT, asked.uri, 59), state=State(claims=(held(asked.uri, 59, settled=True),)))
    reason = f"its subject {WORK_HERE.uri} does not count in its space (L4)"
    assert found.actions == (ReleaseClaim(claim=claim_uri(BOT, asked.uri, 0), request=asked.uri, reason=reason),)


SECOND, THIRD = request(11), request(12, assignee=BOT)


def test_work_is_taken_on_in_the_order_in_which_it_was_asked_for_while_there_is_room() -> None:
    found = survey(THIRD, OPEN, SECOND)
    assert [action.key for action in found.actions] == [claim_key(OPEN.uri, 0), claim_key(SECOND.uri, 0)]
    assert found.why(THIRD.uri).rule == "turns"
    assert survey(OPEN, SECOND, operator=run_by(BOT, turns=1)).why(SECOND.uri).rule == "turns"


def test_a_claim_that_waits_keeps_a_place_free_and_so_does_a_turn() -> None:
    waits = State(claims=(held(OPEN.uri, 59),))
    assert [action.key for action in survey(OPEN, SECOND, THIRD, state=waits).actions] == [claim_key(SECOND.uri, 0)]
    busy = State(turns=tuple(Turn(request=one.uri, did=BOT, started_at=minute(59)) for one in (THIRD, MINE)))
    full = survey(MINE, SECOND, THIRD, state=busy)
    assert full.actions == ()
    assert full.why(SECOND.uri).rule == "turns"
    assert full.why(THIRD.uri) == ("turn", f"a turn of {BOT} is running")


def test_as_many_claims_are_held_as_may_be() -> None:
    one = State(claims=(held(OPEN.uri, 59),))
    found = survey(OPEN, SECOND, THIRD, state=one, operator=run_by(BOT, claims=1))
    assert [action.key for action in found.actions] == [f"start {THIRD.uri}"]  # which needs no claim
    assert found.why(SECOND.uri).rule == "claims"


def test_what_is_about_to_be_written_is_not_said_to_be_held() -> None:
    found = survey(OPEN, SECOND, operator=run_by(BOT, claims=1))
    assert [type(action) for action in found.actions] == [WriteClaim]
    assert found.why(SECOND.uri) == (
        "claims", "no room: 1 claims may stand at once, those about to be written too",
    )  # fmt: skip


WAITS = {
    "failures": (Tries(failed=2, ended_at=minute(59)), "attempts", "2 turns in a row came to nothing"),
    "outages": (Tries(failed=0, outages=2, ended_at=minute(59)), "outages", "2 turns in a row were broken off"),
    "an outage after failures": (Tries(failed=3, outages=1, ended_at=minute(60)), "outages", "1 turns in a row were"),
}


@pytest.mark.parametrize("name", WAITS)
def test_a_wait_is_named_by_what_it_is_reckoned_by(name: str) -> None:
    tries, rule, text = WAITS[name]
    reason = survey(OPEN, state=State(tries={OPEN.uri: tries})).why(OPEN.uri)
    assert reason.rule == rule
    assert reason.text.startswith(text)


class _Once(tuple[Held, ...]):  # noqa: SLOT001 - it counts
    """Tells how often it was gone through."""

    times = 0

    def __iter__(self) -> Iterator[Held]:
        self.times += 1
        return super().__iter__()


def test_a_plan_goes_through_our_claims_as_often_for_many_requests_as_for_few() -> None:
    times: list[int] = []
    for number in (3, 30):
        asked = tuple(request(10 + n) for n in range(number))
        claims = _Once(held(one.uri, 59) for one in asked[: number // 2])
        survey(*asked, state=State(claims=claims), operator=run_by(BOT, turns=99, claims=99))
        times.append(claims.times)
    assert times[0] == times[1]


class _NotGoneThrough(dict[str, Tries]):
    """What was tried of requests that were answered long ago is most of it."""

    def items(self) -> NoReturn:
        raise AssertionError

    values = __iter__ = items


def test_a_plan_looks_for_what_was_tried_and_does_not_go_through_it() -> None:
    given_up = Tries(failed=9, ended_at=minute(1))
    tries = _NotGoneThrough({OPEN.uri: given_up, **{f"at://{ANN}/x/{n}": given_up for n in range(9)}})
    [warning] = survey(OPEN, state=State(tries=tries)).actions
    assert warning.key == f"given up {OPEN.uri}"


def test_no_new_work_starts_when_something_stops_it_and_a_claim_is_not_kept_for_nothing() -> None:
    stopped = State(may_not_start="the budget of turns is spent", claims=(held(OPEN.uri, 59, settled=True),))
    found = survey(OPEN, SECOND, claim(BOT, OPEN.uri, 59), state=stopped)
    reason = "the budget of turns is spent (may_not_start)"
    assert found.actions == (ReleaseClaim(claim=claim_uri(BOT, OPEN.uri, 0), request=OPEN.uri, reason=reason),)
    assert found.why(SECOND.uri) == ("may_not_start", "the budget of turns is spent")


def test_a_type_that_nobody_defined_and_a_scope_that_does_not_fit_are_no_reason_to_leave_a_request() -> None:
    """A3: both are requests; whoever has a route for such a type has said that it wants them (decision 0019)."""
    song, elsewhere = request(10, "song"), request(10, project=ref(PROJECT))
    operator = run_by(
        profiles=(Profile(did=BOT, name="p", types=("song", "plan")),), routes={"song": PLAN, "plan": PLAN}
    )
    for asked, field in ((song, "type_known"), (elsewhere, "scope_fits")):
        found = survey(asked, operator=operator)
        assert [type(action) for action in found.actions] == [WriteClaim]
        assert getattr(materialize([*BASE, asked]).request(asked.uri), field) is False


TRIES = {
    "not taken in yet": (Tries(failed=0, ended_at=minute(50), settled=False), "C4"),
    "waits": (Tries(failed=2, ended_at=minute(59)), "attempts"),
    "given up": (Tries(failed=5, ended_at=minute(1)), "attempts"),
    "waited for": (Tries(failed=2, ended_at=minute(58)), "C4"),
    "ended in our own future": (Tries(failed=2, ended_at=minute(100)), "C4"),
    "asked and answered": (Tries(failed=0, ended_at=minute(60)), "C4"),
}


@pytest.mark.parametrize("name", TRIES)
def test_a_turn_that_came_to_nothing_is_waited_for(name: str) -> None:
    tries, rule = TRIES[name]
    found = survey(OPEN, state=State(tries={OPEN.uri: tries}))
    claims = [action for action in found.actions if isinstance(action, WriteClaim)]
    assert bool(claims) == (name in {"waited for", "ended in our own future", "asked and answered"})
    assert found.why(OPEN.uri).rule == rule


def test_after_the_bound_a_request_is_left_open_with_one_warning() -> None:
    tries = {OPEN.uri: Tries(failed=5, ended_at=minute(1)), SECOND.uri: Tries(failed=4, ended_at=minute(1))}
    [warning] = survey(OPEN, state=State(tries=tries)).actions
    assert warning.key == f"given up {OPEN.uri}"
    assert survey(OPEN, state=State(tries=tries, done=frozenset({warning.key}))).actions == ()


def test_the_attempt_is_counted() -> None:
    tries = {MINE.uri: Tries(failed=2, ended_at=minute(1))}
    [start] = survey(MINE, state=State(tries=tries)).actions
    assert isinstance(start, StartTurn)
    assert start.attempt == 3


def test_a_write_that_failed_waits_a_little() -> None:
    key = claim_key(OPEN.uri, 0)
    assert survey(OPEN, state=State(tries={key: Tries(failed=9, ended_at=minute(60))})).actions == ()
    assert len(survey(OPEN, state=State(tries={key: Tries(failed=9, ended_at=minute(59))})).actions) == 1


@pytest.mark.parametrize("others", [(THIRD,), (SECOND,)])
def test_a_claim_that_cannot_be_written_holds_nobody_up(others: tuple[Any, ...]) -> None:
    """A server that is down for one agent: for a day, its claim is tried once a minute, and others get the place."""
    state, operator, seen_done = State(), run_by(BOT, turns=1), set[str]()
    for now in range(60, 60 + 24 * 60):
        for action in survey(OPEN, *others, state=state, operator=operator, now=now).actions:
            if getattr(action, "request", None) == OPEN.uri:
                state = failed(state, action.key, minute(now))
            else:
                seen_done.add(action.key)
    assert seen_done == {f"start {THIRD.uri}" if THIRD in others else claim_key(SECOND.uri, 0)}


@pytest.mark.parametrize(
    ("turns", "rule", "text"), [(2, "C4", "its claim could not be written"), (1, "turns", "no room")]
)
def test_a_claim_that_waits_to_be_written_again_says_so(turns: int, rule: str, text: str) -> None:
    state = State(tries={claim_key(OPEN.uri, 0): Tries(failed=9, ended_at=minute(60))})
    found = survey(OPEN, SECOND, state=state, operator=run_by(BOT, turns=turns))
    assert [action.key for action in found.actions] == [claim_key(SECOND.uri, 0)]
    assert found.why(OPEN.uri).rule == rule
    assert found.why(OPEN.uri).text.startswith(text)
    assert found.why(SECOND.uri).text.startswith("a claim is written first")


def test_the_first_agent_that_was_set_up_for_a_type_takes_it() -> None:
    planners = (Profile(did=CAT, name="a", types=("plan",)), Profile(did=BOT, name="b", types=("plan", "review")))
    [first] = survey(OPEN, operator=run_by(profiles=planners)).actions
    assert isinstance(first, WriteClaim)
    assert first.did == CAT


def test_the_same_arguments_give_the_same_actions() -> None:
    records = (OPEN, SECOND, THIRD, claim(CAT, SECOND.uri, 59))
    assert survey(*records).actions == survey(*reversed(records)).actions
