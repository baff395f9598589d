"""Provenance as a graph: how far, which edges, and what lies beyond; circles end."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from radial_core import materialize
from radial_core.query.lineage import Lineage, ancestry, offspring
from radial_core.query.standing import places_of
from tests.core.small_world import (
    AUDIT,
    AUDIT_WANTED,
    BOT,
    CHECKRUN,
    GOAL,
    MERGE,
    PLAN,
    PLAN_AGAIN,
    REQUEST,
    REVIEW,
    REVIEW_WANTED,
    UNSEEN,
    WORLD,
    ref,
    uri_of,
    write,
)
from tests.histories import histories
from tests.query.test_web import fold

INDEX = materialize(WORLD)


def met(found: Lineage) -> list[tuple[str, int]]:
    return [(each.note.uri, each.steps) for each in found.met]


def edges(found: Lineage) -> set[tuple[str, str, str]]:
    return {(edge.source, edge.kind, edge.target.uri) for edge in found.edges}


def test_upwards_are_the_records_that_something_came_from() -> None:
    found = ancestry(INDEX, PLAN_AGAIN.uri)
    assert met(found) == [(PLAN_AGAIN.uri, 0), (REQUEST.uri, 1), (PLAN.uri, 1), (AUDIT.uri, 2), (AUDIT_WANTED.uri, 3)]
    assert edges(found) == {
        (PLAN_AGAIN.uri, "request", REQUEST.uri),
        (PLAN_AGAIN.uri, "prev", PLAN.uri),
        (PLAN.uri, "request", REQUEST.uri),
        (REQUEST.uri, "basedOn", AUDIT.uri),
        (REQUEST.uri, "subject", AUDIT.uri),
        (AUDIT.uri, "request", AUDIT_WANTED.uri),
    }
    assert (found.more, found.beyond) == (0, ())


def test_downwards_are_those_that_came_of_it() -> None:
    found = offspring(INDEX, PLAN.uri)
    near = [PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE]
    assert met(found) == [(PLAN.uri, 0), *((record.uri, 1) for record in near)]
    assert (REVIEW.uri, "request", REVIEW_WANTED.uri) in edges(found)
    assert (PLAN.uri, "request", REQUEST.uri) not in edges(found)


def test_a_depth_ends_the_walk_and_the_rest_is_counted() -> None:
    found = ancestry(INDEX, PLAN_AGAIN.uri, 1)
    assert [uri for uri, _ in met(found)] == [PLAN_AGAIN.uri, REQUEST.uri, PLAN.uri]
    assert found.more == 2
    assert ancestry(INDEX, PLAN_AGAIN.uri, 0).more == 4
    assert (
        offspring(INDEX, AUDIT.uri, 1).more == 6
    )  # but for the request: plans, request for a review, review, checks, merge


def test_what_does_not_count_here_is_told_as_lying_beyond() -> None:
    lost = {"uri": uri_of(BOT, "artifact", "lost"), "cid": UNSEEN}
    work = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="", prev=lost)
    found = ancestry(materialize([*WORLD, work]), work.uri)
    assert [(edge.source, edge.kind, edge.target.uri) for edge in found.beyond] == [(work.uri, "prev", lost["uri"])]


def test_an_edge_that_does_not_resolve_leads_nowhere_downwards() -> None:
    """X2: a `prev` to another type is marked and not followed, though its target is here, and downstream too."""
    other = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(AUDIT_WANTED), type="other", body="", prev=ref(PLAN))
    wanted = write(BOT, "artifactRequest", 61, goal=ref(GOAL), type="other", basedOn=[ref(PLAN)])
    made = write(BOT, "artifact", 62, goal=ref(GOAL), request=ref(wanted), type="other", body="", prev=ref(PLAN))
    found = offspring(materialize([*WORLD, wanted, made, other]), PLAN.uri)
    assert (made.uri, 2) in met(found)


@given(histories(most=60))
def test_the_walks_meet_what_the_index_says(history: list[dict[str, Any]]) -> None:
    index = fold(history)
    for space in index.spaces:
        for place in places_of(space):
            for uri in place.records:
                up, down = ancestry(index, uri), offspring(index, uri)
                assert {each.note.uri for each in up.met} == {uri, *index.upstream(uri)}
                assert {each.note.uri for each in down.met} == {uri, *index.downstream(uri)}
                assert up.edges == tuple(
                    edge for each in up.met for edge in index.edges(each.note.uri) if edge.target.resolved
                )
