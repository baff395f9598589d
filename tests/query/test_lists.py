"""The queue is the set that a plan considers; documents are the index's `system`; what happened, and when."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from radial_core import materialize, parse_instant
from radial_core.dispatch.following import Dockets
from radial_core.dispatch.plan import why
from radial_core.dispatch.routing import Operator, Profile, Route
from radial_core.dispatch.state import State
from radial_core.query.happenings import lately, timeline
from radial_core.query.lists import documents, queue
from radial_core.query.standing import places_of
from radial_core.query.web import Web
from tests.core.small_world import (
    ANN,
    AUDIT,
    AUDIT_WANTED,
    BOT,
    CHECKRUN,
    CLAIM,
    GOAL,
    IMAGE,
    MERGE,
    ON_THE_GOAL,
    ON_THE_PROJECT,
    ON_THE_SPACE,
    PLAN,
    PLAN_AGAIN,
    PROFILE,
    PROJECT,
    QUESTION,
    REMARK,
    REQUEST,
    REVIEW,
    REVIEW_WANTED,
    ROOT,
    SPACE,
    WORLD,
    at,
    ref,
    uris,
    write,
)
from tests.histories import histories
from tests.query.test_web import fold

NOW = parse_instant("2026-03-01T12:00:00Z")
INDEX = materialize(WORLD)


def operator(*dids: str, types: tuple[str, ...] = ("plan", "implementation", "review", "answer", "audit")) -> Operator:
    return Operator(
        profiles=tuple(Profile(did=did, name="p", types=types) for did in dids),
        routes={each: Route(harness="h") for each in types},
    )


# RAD-6.4 --------------------------------------------------------------------------------------------------------------

# What a plan may say of a request that is in the queue: all of it is about this operator, or about waiting.
STATED = {"assignee", "routes", "profiles", "T5", "R6"}


@given(histories(most=60))
def test_the_queue_is_what_a_plan_considers_but_for_its_stated_reasons(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    setup = operator("did:plc:bot", "did:plc:ada")
    dockets = Dockets(setup)
    dockets.follow(index)
    considered = {candidate.request.uri for candidate in dockets.candidates}
    queued = {each.request.uri: each for each in queue(index)}
    assert considered <= queued.keys()
    for uri in queued.keys() - considered:
        assert why(index, setup, State(), NOW, uri).rule in STATED
    for space in index.spaces:
        for request in (request for place in places_of(space) for request in place.requests):
            assert (request.uri in queued) == request.dispatchable


@given(histories(most=60))
def test_the_queue_is_in_the_order_in_which_a_plan_goes_through_it(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    dockets = Dockets(operator("did:plc:bot"))
    dockets.follow(index)
    order = [each.request.uri for each in queue(index)]
    taken = [candidate.request.uri for candidate in dockets.candidates]
    assert taken == [uri for uri in order if uri in set(taken)]


def test_the_queue_of_one_space() -> None:
    opened = write(ANN, "closeGoal", 60, goal=ref(GOAL), closed=False)
    wanted = [write(ANN, "artifactRequest", minute, goal=ref(GOAL), type="plan") for minute in (62, 61)]
    index = materialize([*WORLD, opened, *wanted])
    assert [each.request.uri for each in queue(index)] == [wanted[1].uri, wanted[0].uri]
    assert {(each.space, each.place) for each in queue(index, SPACE.uri)} == {(SPACE.uri, GOAL.uri)}
    assert queue(index, "at://did:plc:ann/com.disnetdev.radial.space/attic") == ()


# RAD-8.3 --------------------------------------------------------------------------------------------------------------


def test_documents_are_the_index_s_system_with_forks_and_single_versions() -> None:
    second, rival = (
        write(
            BOT,
            "artifact",
            minute,
            project=ref(PROJECT),
            request=ref(AUDIT_WANTED),
            type="audit",
            body="",
            prev=ref(AUDIT),
        )
        for minute in (60, 61)
    )
    merged = write(ANN, "artifactRequest", 62, goal=ref(GOAL), type="implementation")
    built = write(BOT, "artifact", 63, goal=ref(GOAL), request=ref(merged), type="implementation", body="")
    landed = write(ANN, "merge", 64, artifact=ref(built), pr="https://git.example/2")
    alone = write(
        BOT, "artifact", 65, project=ref(PROJECT), request=ref(AUDIT_WANTED), type="audit", body="", title="T"
    )
    index = materialize([*WORLD, second, rival, merged, built, landed, alone])
    project = index.project(PROJECT.uri)
    assert project is not None
    found = documents(index, project)
    assert [(each.type, each.current, each.staleness) for each in found] == [
        (view.type, view.current, view.staleness) for view in project.system
    ]
    by_current = {each.current: (each.versions, each.forks, each.staleness, each.note.title) for each in found}
    assert by_current == {rival.uri: (3, True, 1, None), alone.uri: (1, False, 0, "T")}


def test_a_project_without_documents_has_none() -> None:
    index = materialize([record for record in WORLD if record is not AUDIT])
    project = index.project(PROJECT.uri)
    assert project is not None
    assert documents(index, project) == ()


# What happened --------------------------------------------------------------------------------------------------------


def test_lately_gives_the_latest_and_counts_the_rest() -> None:
    everything = lately(INDEX, 1000)
    assert (everything.truncated, everything.total) == (
        False,
        len(WORLD) - 2,
    )  # the profile and the picture stand nowhere
    assert [note.uri for note in everything.notes] == [record.uri for record in WORLD if record not in (PROFILE, IMAGE)]
    few = lately(INDEX, 3)
    assert (few.notes, few.total, few.truncated) == (everything.notes[-3:], everything.total, True)


def test_lately_can_be_of_a_time_and_of_a_place() -> None:
    since = lately(INDEX, 1000, since=parse_instant(at(39)))
    assert [note.created_at for note in since.notes] == [at(39), at(50), at(51)]
    of_goal = lately(INDEX, 1000, within=GOAL.uri)
    assert [note.uri for note in of_goal.notes] == [*uris(*ON_THE_GOAL)]
    of_project = lately(INDEX, 1000, within=PROJECT.uri)
    assert [note.uri for note in of_project.notes] == [*uris(*ON_THE_PROJECT, *ON_THE_GOAL)]
    of_space = lately(INDEX, 1000, within=SPACE.uri)
    assert of_space.total == len(ON_THE_SPACE) - 1 + len(ON_THE_PROJECT) + len(ON_THE_GOAL)
    assert lately(INDEX, 1000, within="at://nowhere").notes == ()
    by_bot = [record.uri for record in WORLD if f"/{BOT}/" in record.uri and record is not PROFILE]
    assert [note.uri for note in lately(INDEX, 1000, by=BOT).notes] == by_bot


def test_a_timeline_tells_what_happened_to_one_thing() -> None:
    web = Web(INDEX)

    def told(record: Any) -> list[str]:
        return [note.uri for note in timeline(INDEX, web, record.uri)]

    assert told(GOAL) == [*uris(*ON_THE_GOAL)]
    assert told(PROJECT) == [*uris(*ON_THE_PROJECT)]
    assert told(SPACE) == [record.uri for record in ON_THE_SPACE if record is not PROFILE]
    assert told(REQUEST) == [*uris(REQUEST, CLAIM, QUESTION, PLAN, PLAN_AGAIN)]
    assert told(PLAN) == [*uris(PLAN, PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE, REMARK)]
    assert told(IMAGE) == [IMAGE.uri]
    assert told(write(ROOT, "goal", 99, space=ref(SPACE), project=ref(PROJECT), title="", body="")) == []
