"""What one more record costs: only what it touches is judged and shown again, and what it does not touch is shared.

Strategy: operations are counted, never seconds. A view that is the same object was not made again; a judgement or a
view that was made is counted where it is made. The world has many goals, so that doing too much shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Index, assembly, judging, materialize
from radial_core.ledger import observations_in
from tests.core.small_world import (
    ADD_ANN,
    ADD_BOT,
    ADD_EVE,
    ANN,
    AUDIT,
    AUDIT_WANTED,
    BOT,
    EVE,
    GOAL,
    LAB,
    PLAN,
    PROFILE,
    PROJECT,
    REQUEST,
    REVS,
    ROOT,
    SPACE,
    TYPE,
    WORLD,
    again,
    at,
    gone,
    ref,
    write,
)
from tests.core.test_hostile import lines_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core import Deletion, Record

OTHERS = 30


def others() -> Iterator[Record]:
    """Thirty more goals with a request and an artifact each."""
    for number in range(OTHERS):
        minute = 100 + number
        goal = write(ANN, "goal", minute, f"g{number}", space=ref(SPACE), project=ref(PROJECT), title="T", body="B")
        wanted = write(ANN, "artifactRequest", minute, f"r{number}", goal=ref(goal), type="plan")
        plan = write(BOT, "artifact", minute, f"a{number}", goal=ref(goal), request=ref(wanted), type="plan", body="p")
        yield from (goal, wanted, plan)


CROWD = (*WORLD, *others())


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Note every record that is judged, and every place of which a view is made."""
    told: dict[str, list[str]] = {"judged": [], "shown": []}
    judge, view = judging._Refiling.judge, assembly._Showing.view

    def judge_and_tell(self: Any, entry: Any, how: Any) -> None:
        told["judged"].append(entry.uri)
        judge(self, entry, how)

    def view_and_tell(self: Any) -> Any:
        told["shown"].append(self.shelf.entry.uri)
        return view(self)

    monkeypatch.setattr(judging._Refiling, "judge", judge_and_tell)
    monkeypatch.setattr(assembly._Showing, "view", view_and_tell)
    return told


def folded(index: Index, *records: Record | Deletion) -> dict[str, Any]:
    """Give what one fold makes of everything that an index stands on and these records."""
    held = [one for here in index._findings.ledger.values() for one in observations_in(here)]
    return materialize([*held, *records]).to_json()


def growth(told: dict[str, list[str]], index: Index, *records: Any) -> tuple[Index, list[str], list[str]]:
    """Extend and look at everything; give what was judged and what was shown for it."""
    index.spaces  # noqa: B018 - a look
    told["judged"].clear()
    told["shown"].clear()
    grown = index.extend(records)
    judged = sorted(told["judged"])
    grown.spaces  # noqa: B018 - a look
    return grown, judged, sorted(told["shown"])


def test_a_remark_is_judged_alone_and_only_its_goal_is_shown_again(counted: dict[str, list[str]]) -> None:
    remark = write(ANN, "message", 300, goal=ref(GOAL), body="more")
    _, judged, shown = growth(counted, materialize(CROWD), remark)
    assert judged == [remark.uri]
    assert shown == [GOAL.uri]


def test_what_is_not_touched_is_the_same_object() -> None:
    index = materialize(CROWD)
    before = index.space(SPACE.uri)
    assert before is not None
    grown = index.extend([write(ANN, "message", 300, goal=ref(GOAL), body="more")])
    after = grown.space(SPACE.uri)
    assert after is not None
    assert after.projects[0] is before.projects[0]
    kept = [new is old for new, old in zip(after.goals, before.goals, strict=True)]
    assert kept == [goal.uri != GOAL.uri for goal in before.goals]
    assert grown._filing.holdings[SPACE.uri].projects is index._filing.holdings[SPACE.uri].projects


def test_nothing_new_is_the_same_index() -> None:
    index = materialize(CROWD)
    assert index.extend([]) is index
    assert index.extend(CROWD[:5]) is index


def test_one_question_about_one_goal_shows_one_goal(counted: dict[str, list[str]]) -> None:
    index = materialize(CROWD)
    assert index.goal(GOAL.uri) is not None
    assert index.request(REQUEST.uri) is not None
    assert counted["shown"] == [GOAL.uri]


def test_a_merge_shows_its_goal_and_the_project_that_counts_it(counted: dict[str, list[str]]) -> None:
    built = write(BOT, "artifact", 200, goal=ref(GOAL), request=ref(WANTED), type="implementation", body="b")
    index = materialize([*CROWD, WANTED, built])
    merge = write(ANN, "merge", 301, artifact=ref(built), pr="https://git.example/1")
    _, judged, shown = growth(counted, index, merge)
    assert judged == [merge.uri]
    assert shown == sorted([GOAL.uri, PROJECT.uri])


WANTED = write(ANN, "artifactRequest", 150, goal=ref(GOAL), type="implementation")


def test_a_late_goal_brings_in_what_waited_for_it(counted: dict[str, list[str]]) -> None:
    on_it = [record for record in WORLD if record.value.get("goal") == ref(GOAL)]
    index = materialize(record for record in CROWD if record != GOAL)
    grown, judged, shown = growth(counted, index, GOAL)
    assert set(judged) >= {GOAL.uri, *(record.uri for record in on_it)}
    assert not any("/g" in uri.removeprefix("at://") and uri != GOAL.uri for uri in shown if "goal/" in uri)
    assert shown == [GOAL.uri]
    assert grown.to_json() == materialize(CROWD).to_json()


def test_a_grant_judges_only_what_its_member_wrote(counted: dict[str, list[str]]) -> None:
    waiting = [write(EVE, "message", 310 + n, goal=ref(GOAL), body=str(n)) for n in range(3)]
    index = materialize([*CROWD, *waiting])
    grant = write(ROOT, "addMember", 320, space=ref(SPACE), did=EVE, kind="human", role="member")
    grown, judged, _ = growth(counted, index, grant)
    assert judged == sorted(record.uri for record in waiting)
    assert grown.to_json() == materialize([*CROWD, *waiting, grant]).to_json()


def test_a_removal_judges_again_what_its_member_wrote_and_what_stood_on_it(counted: dict[str, list[str]]) -> None:
    removal = write(ROOT, "removeMember", 330, space=ref(SPACE), did=BOT, membership=ref(ADD_BOT))
    grown, judged, _ = growth(counted, materialize(CROWD), removal)
    assert {PLAN.uri, AUDIT.uri} <= set(judged)
    assert f"at://{ANN}/com.disnetdev.radial.goal/g3" not in judged
    assert grown.to_json() == folded(grown) == materialize([*CROWD, removal]).to_json()
    assert grown.extend([again(ADD_BOT, createdAt=at(2))]).to_json() == grown.to_json()  # seen before: nothing changes


def test_taking_a_right_away_judges_what_needed_it(counted: dict[str, list[str]]) -> None:
    demotion = write(ROOT, "addMember", 340, space=ref(SPACE), did=ANN, kind="human", role="member")
    grown, _, _ = growth(counted, materialize(CROWD), demotion)
    assert grown.to_json() == materialize([*CROWD, demotion]).to_json()
    assert [row.rule for row in grown.ignored if row.uri.split("/")[3].endswith("setGuestComments")] == ["M3"]


def test_a_type_shows_the_requests_of_its_space_again() -> None:
    index = materialize(record for record in CROWD if record != TYPE)
    wanted = index.request(AUDIT_WANTED.uri)
    assert wanted is not None
    assert not wanted.type_known
    assert index.extend([TYPE]).to_json() == materialize(CROWD).to_json()


def test_a_renewal_and_a_deletion_touch_only_their_claim(counted: dict[str, list[str]]) -> None:
    claim = write(BOT, "claim", 350, request=ref(WANTED), expiresAt=at(360))
    index = materialize([*CROWD, WANTED, again(claim, rev=REVS[0])])
    renewed = again(claim, rev=REVS[1], renewedAt=at(355), expiresAt=at(370))
    grown, judged, shown = growth(counted, index, renewed)
    assert (judged, shown) == ([claim.uri], [GOAL.uri])
    dropped, judged, shown = growth(counted, grown, gone(claim, rev=REVS[2]))
    assert (judged, shown) == ([], [GOAL.uri])
    assert dropped.to_json() == folded(dropped)
    assert dropped.leases(WANTED.uri) == ()


def test_an_earlier_version_of_a_project_in_another_space_takes_everything_along() -> None:
    attic = next(record for record in WORLD if record.value.get("name") == "Attic")
    index = materialize([again(PROJECT, rev=REVS[3]), *(record for record in CROWD if record != PROJECT)])
    assert len(index.space(SPACE.uri).projects) == 1  # type: ignore[union-attr]
    grown = index.extend([again(PROJECT, rev=REVS[0], space=ref(attic))])
    assert grown.to_json() == folded(grown)
    assert [project.uri for project in grown.spaces[0].projects + grown.spaces[1].projects] == [PROJECT.uri]


def test_a_profile_and_a_picture_are_shown_to_the_spaces_of_their_author(counted: dict[str, list[str]]) -> None:
    index = materialize(record for record in CROWD if record != PROFILE)
    grown, judged, shown = growth(counted, index, PROFILE)
    assert (judged, shown) == ([], [])
    assert grown.to_json() == materialize(CROWD).to_json()


def test_a_refused_batch_leaves_everything_as_it_was() -> None:
    index = materialize(CROWD)
    before = index.to_json()
    bad = again(GOAL, title="Other")
    object.__setattr__(bad, "cid", GOAL.cid)
    with pytest.raises(ValueError, match="O4"):
        index.extend([write(ANN, "message", 300, goal=ref(GOAL), body="more"), bad])
    assert index.to_json() == before


@pytest.mark.parametrize("kind", ["message", "claim", "artifactRequest", "goal"])
def test_one_more_costs_the_same_in_a_large_index(kind: str) -> None:
    """Counted in lines of the core that run: forty times the goals, and hardly a line more."""
    fields: dict[str, dict[str, Any]] = {
        "message": {"goal": ref(GOAL), "body": "b"},
        "claim": {"request": ref(WANTED), "expiresAt": at(410)},
        "artifactRequest": {"goal": ref(GOAL), "type": "plan"},
        "goal": {"space": ref(SPACE), "project": ref(PROJECT), "title": "T", "body": "B"},
    }
    one = write(ANN, kind, 400, **fields[kind])
    small, large = materialize([*LAB, WANTED]), materialize([*many_goals(2_000), *LAB, WANTED])
    small.extend([one])  # whatever is made once, is made
    costs = [lines_run(index.extend, [one]) for index in (small, large)]
    assert costs[1] <= costs[0] + 12  # steps down the trie, at most


def test_one_more_message_costs_the_same_on_a_crowded_goal() -> None:
    """Counted in lines: what stands there already is sorted in with the new message, and not looked at."""
    talk = [write(ANN, "message", n, f"t{n}", goal=ref(GOAL), body="b") for n in range(500)]
    one = write(ANN, "message", 600, "one", goal=ref(GOAL), body="b")
    quiet, crowded = materialize([*LAB, *talk[:20]]), materialize([*LAB, *talk])
    quiet.extend([one])  # whatever is made once, is made
    costs = [lines_run(index.extend, [one]) for index in (quiet, crowded)]
    assert costs[1] <= costs[0] + 12  # steps down the trie, at most


def test_one_more_profile_does_not_show_those_of_its_author_again() -> None:
    """They are told apart from it, each in one line of the core, and sorted with it; nothing more."""
    fields: dict[str, Any] = {"handleName": "h", "harness": "h", "models": [], "artifactTypes": ["plan"]}
    profiles = [write(BOT, "agent", n, f"p{n}", **fields) for n in range(420)]
    few, many = materialize([*LAB, *profiles[:20]]), materialize([*LAB, *profiles[:-1]])
    few.extend(profiles[-1:])  # whatever is made once, is made
    costs = [lines_run(index.extend, profiles[-1:]) for index in (few, many)]
    assert costs[1] - costs[0] < 1.1 * (len(profiles) - 21)
    assert many.extend(profiles[-1:]).to_json() == materialize([*LAB, *profiles]).to_json()


def many_goals(count: int) -> Iterator[Record]:
    for number in range(count):
        yield write(ANN, "goal", 100, f"n{number}", space=ref(SPACE), project=ref(PROJECT), title="T", body="B")


def test_members_are_named_once_however_they_came() -> None:
    index = materialize([])
    for record in (ADD_EVE, ADD_ANN, SPACE, ADD_BOT):
        index = index.extend([record])
    (space,) = index.spaces
    assert sorted(member.did for member in space.members) == sorted([ROOT, ANN, BOT, EVE])


# What stops counting when something else comes -----------------------------------------------------------------------


def same(index: Index, *records: Record | Deletion) -> Index:
    """Extend, look, and hold the result against one fold of everything."""
    index.spaces  # noqa: B018 - a look
    grown = index.extend(records)
    assert grown.to_json() == folded(index, *records)
    return grown


def test_a_profile_that_is_taken_back_is_shown_no_more() -> None:
    index = materialize([*(record for record in CROWD if record != PROFILE), again(PROFILE, rev=REVS[0])])
    assert [space.agents != () for space in index.spaces] == [True, True]
    grown = same(index, gone(PROFILE, rev=REVS[1]))
    assert [space.agents for space in grown.spaces] == [(), ()]
    assert same(grown, again(PROFILE, rev=REVS[2])).spaces == index.spaces


def test_a_strangers_profile_and_join_can_be_taken_back_too() -> None:
    profile = again(write(EVE, "agent", 8, "p", handleName="e", harness="h", models=[], artifactTypes=[]), rev=REVS[0])
    join = again(write(EVE, "join", 9, space=ref(SPACE)), rev=REVS[0])
    index = materialize([*CROWD, profile, join])
    assert {row.uri: row.rule for row in index.ignored} == {profile.uri: "T5", join.uri: "T5"}
    grown = same(index, gone(profile, rev=REVS[1]), gone(join, rev=REVS[1]))
    assert {row.uri: row.rule for row in grown.ignored} == {profile.uri: "V5", join.uri: "V5"}


def test_a_claim_may_go_together_with_what_it_stood_on() -> None:
    claim = again(write(BOT, "claim", 350, request=ref(WANTED), expiresAt=at(360)), rev=REVS[0])
    index = materialize([*CROWD, WANTED, claim])
    removal = write(ROOT, "removeMember", 330, space=ref(SPACE), did=ANN, membership=ref(ADD_ANN))
    same(index, gone(claim, rev=REVS[1]), removal)
    same(index, gone(claim, rev=REVS[1]), again(WANTED, rev=REVS[2], type="other"))


def test_a_late_removal_undoes_the_grants_that_came_after_it() -> None:
    """T2: an event counts by the grants that are current at its own point of the log, whenever it is seen."""
    removal = write(ROOT, "removeMember", 1, "z", space=ref(SPACE), did=ANN, membership=ref(ADD_ANN))
    grown = same(materialize(CROWD), removal)
    assert {row.uri: row.rule for row in grown.ignored}[ADD_BOT.uri] == "T2"


def test_a_grant_seen_in_another_space_first_moves_there() -> None:
    attic = next(record for record in WORLD if record.value.get("name") == "Attic")
    index = materialize([*CROWD, again(ADD_BOT, rev=REVS[3])])
    same(index, again(ADD_BOT, rev=REVS[0], space=ref(attic)))


def test_a_request_that_moves_to_another_goal_takes_its_work_along_or_not() -> None:
    goal = next(record for record in others())
    index = materialize([*(record for record in CROWD if record != REQUEST), again(REQUEST, rev=REVS[3])])
    grown = same(index, again(REQUEST, rev=REVS[0], goal=ref(goal)))
    assert {row.rule for row in grown.ignored if row.uri == PLAN.uri} == {"R2"}


def test_a_message_of_another_place_is_heard_by_the_request_that_it_names() -> None:
    goal = next(record for record in others())
    index = materialize(record for record in CROWD if record != REQUEST)
    question = write(BOT, "message", 360, goal=ref(goal), body="which?", re=ref(REQUEST))
    answer = write(ANN, "message", 361, goal=ref(goal), body="this", parent=ref(question))
    grown = same(same(same(index, question), REQUEST), answer)
    wanted = grown.request(REQUEST.uri)
    assert wanted is not None
    assert [asked.answered_by for asked in wanted.questions if asked.uri == question.uri] == [answer.uri]
