"""What an act hides, shows, stops and sets going, counted by hand in the small world (T5, R5)."""

from radial_core import materialize
from radial_core.acts.draft import Draft
from radial_core.acts.foresight import Hidden, foresee
from radial_core.acts.goals import close_goal, reopen_goal
from radial_core.acts.members import add_member, remove_member
from radial_core.acts.messages import message
from radial_core.acts.nouns import counted, noun
from radial_core.acts.projects import archive_project
from radial_core.acts.requests import retract_request
from radial_core.records import CLASSES
from tests.acts.desks import desk, recorded
from tests.core import small_world as w
from tests.core.small_world import ANN, BOT, ROOT, ref, uris

LAB = (*w.LAB, w.ATTIC)
MORE = (
    w.write(ROOT, "artifactRequest", 60, "more0", goal=ref(w.GOAL), type="plan"),
    w.write(ROOT, "artifactRequest", 61, "more1", goal=ref(w.GOAL), type="implementation"),
    w.write(ROOT, "artifactRequest", 62, "more2", project=ref(w.PROJECT), type="audit"),
)
OPEN = tuple(one for one in (*LAB, *MORE) if one.uri != w.CLOSE.uri)

MORE_GOAL = w.write(ROOT, "goal", 59, "more", space=ref(w.SPACE), project=ref(w.PROJECT), title="More", body="b")


def told(hidden: tuple[Hidden, ...]) -> dict[str, int]:
    return {one.kind: len(one.uris) for one in hidden}


def test_removing_the_author_of_a_project_hides_everything_on_it() -> None:
    at_desk = desk(ROOT, w.LAB)
    forecast = foresee(at_desk.index, ROOT, remove_member(at_desk, w.SPACE.uri, ANN).drafts)
    assert told(forecast.hidden) == {
        "archiveGoal": 1,
        "archiveProject": 1,
        "artifact": 3,
        "artifactRequest": 4,
        "blessComment": 2,
        "checkrun": 1,
        "claim": 1,
        "closeGoal": 1,
        "editProject": 1,
        "goal": 1,
        "image": 1,
        "merge": 1,
        "message": 3,
        "project": 1,
        "retractBless": 1,
        "retractRequest": 1,
        "review": 1,
        "setAutoReview": 1,
        "setGuestComments": 1,
    }
    assert forecast.shown == ()
    assert forecast.refusals == ()
    assert [str(one) for one in forecast.hidden][:6] == [
        "1 archiving of a goal",
        "1 archiving of a project",
        "3 artifacts",
        "4 requests",
        "2 blessings of comments",
        "1 check run",
    ]


def test_a_picture_stays_while_its_author_is_in_another_space() -> None:
    at_desk = desk(ROOT, LAB)
    forecast = foresee(at_desk.index, ROOT, remove_member(at_desk, w.SPACE.uri, ANN).drafts)
    assert "image" not in told(forecast.hidden)


def test_removing_an_agent_hides_its_work_and_what_hangs_on_it_and_opens_what_it_had_fulfilled() -> None:
    at_desk = desk(ROOT, LAB)
    forecast = foresee(at_desk.index, ROOT, remove_member(at_desk, w.SPACE.uri, BOT).drafts)
    assert {one.kind: one.uris for one in forecast.hidden} == {
        "agent": uris(w.PROFILE),
        "archiveGoal": uris(w.UNPARK),
        "artifact": uris(w.AUDIT, w.PLAN, w.PLAN_AGAIN),
        "checkrun": uris(w.CHECKRUN),
        "claim": uris(w.CLAIM),
        "join": uris(w.JOIN),
        "merge": uris(w.MERGE),
        "message": uris(w.QUESTION, w.REMARK),
        "review": uris(w.REVIEW),
    }
    # The goal has ended, so only the project's request is taken up again.
    assert forecast.resumed == uris(w.AUDIT_WANTED)
    assert forecast.stopped == ()


def test_whoever_comes_back_brings_everything_back() -> None:
    at_desk = desk(ROOT, LAB)
    removal = remove_member(at_desk, w.SPACE.uri, BOT)
    hidden = foresee(at_desk.index, ROOT, removal.drafts).hidden
    later = desk(ROOT, [*LAB, *recorded(ROOT, *removal.drafts)], 95)
    forecast = foresee(later.index, ROOT, add_member(later, w.SPACE.uri, BOT, kind="agent", role="agent").drafts)
    assert forecast.shown == hidden
    assert forecast.hidden == ()


def test_an_ending_stops_the_open_requests_of_its_goal() -> None:
    at_desk = desk(ANN, OPEN)
    forecast = foresee(at_desk.index, ANN, close_goal(at_desk, w.GOAL.uri).drafts)
    assert forecast.stopped == uris(*MORE[:2])
    assert forecast.hidden == forecast.shown == ()


def test_a_reopening_sets_them_going_again() -> None:
    at_desk = desk(ANN, [*OPEN, w.CLOSE])
    assert foresee(at_desk.index, ANN, reopen_goal(at_desk, w.GOAL.uri).drafts).resumed == uris(*MORE[:2])


def test_an_archiving_stops_the_requests_of_all_goals_of_its_project() -> None:
    at_desk = desk(ANN, OPEN)
    act = archive_project(at_desk, w.PROJECT.uri)
    assert foresee(at_desk.index, ANN, act.drafts).stopped == uris(*MORE)
    later = desk(ANN, [*OPEN, *recorded(ANN, *act.drafts)], 95)
    again = archive_project(later, w.PROJECT.uri, archived=False)
    assert foresee(later.index, ANN, again.drafts).resumed == uris(*MORE)


def test_an_ending_that_is_refused_stops_nothing() -> None:
    at_desk = desk(w.EVE, OPEN)
    forecast = foresee(at_desk.index, w.EVE, close_goal(at_desk, w.GOAL.uri).drafts)
    assert (len(forecast.refusals), forecast.stopped) == (1, ())


def test_a_request_that_is_withdrawn_is_no_longer_open_and_not_stopped() -> None:
    at_desk = desk(ROOT, OPEN)
    assert foresee(at_desk.index, ROOT, retract_request(at_desk, MORE[0].uri).drafts).stopped == ()


def test_a_circle_of_messages_sets_what_it_had_answered_elsewhere_going_again() -> None:
    """M1, R2: an answer on a circle is none, and what it answered may stand on another goal."""
    other = w.write(ROOT, "goal", 60, "other", space=ref(w.SPACE), project=ref(w.PROJECT), title="Other", body="b")
    place = {"goal": ref(other), "body": "b"}
    last = {"uri": w.uri_of(BOT, "message", "last"), "cid": w.UNSEEN}
    asks = w.write(ANN, "message", 61, "asks", parent=last, **place)
    request = w.write(
        ANN, "artifactRequest", 62, "say", goal=ref(MORE_GOAL), type="answer", subject=ref(asks), assignee=BOT
    )
    answers = w.write(BOT, "message", 63, "answers", parent=ref(asks), re=ref(request), **place)
    index = materialize([*LAB, other, MORE_GOAL, asks, request, answers])
    closing = Draft(
        collection=w.PREFIX + "message",
        rkey="last",
        value=w.write(BOT, "message", 64, parent=ref(answers), **place).value,
    )
    assert foresee(index, BOT, [closing]).resumed == (request.uri,)


def test_a_message_changes_nothing_else() -> None:
    at_desk = desk(ROOT, OPEN)
    forecast = foresee(at_desk.index, ROOT, message(at_desk, w.GOAL.uri, "well").drafts)
    assert (forecast.hidden, forecast.shown, forecast.stopped, forecast.resumed) == ((), (), (), ())


def test_a_space_that_its_records_waited_for_shows_them() -> None:
    waiting = [one for one in OPEN if one.uri != w.SPACE.uri]
    missing = Draft(collection=f"{w.PREFIX}space", rkey="lab", value=w.SPACE.value)
    shown = foresee(materialize(waiting), ROOT, [missing]).shown
    # All but the space itself, which is the act's own; the picture's author is in ann's space anyway.
    assert sum(told(shown).values()) == len(OPEN) - 3
    assert told(shown)["addMember"] == 3


def test_every_kind_has_a_name_in_one_and_in_many() -> None:
    assert {noun(one.kind).split()[0] for one in CLASSES} == {"a", "an"}
    assert noun("artifact") == "an artifact"
    assert noun("goal") == "a goal"
    assert all(counted(one.kind, 2).startswith("2 ") and counted(one.kind, 1).startswith("1 ") for one in CLASSES)
    assert counted("merge", 2) == "2 merges"
    assert counted("claim", 0) == "0 claims"
