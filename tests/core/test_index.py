"""The index as a value: looking up by URI, agents for a type, leases with their sightings, provenance, equality."""

from __future__ import annotations

import pytest

from radial_core import Index, materialize, parse_instant, winner
from radial_core.views import Ref
from tests.core.lexicon_cases import RECORDS
from tests.core.small_world import (
    ADD_BOT,
    ADD_BOT_THERE,
    ADD_EVE,
    ANN,
    ATTIC,
    AUDIT,
    AUDIT_WANTED,
    BLESS,
    BOT,
    CHECKRUN,
    CLAIM,
    CLOSE,
    EDIT,
    EVE,
    GOAL,
    IMAGE,
    LAB,
    MERGE,
    ON_THE_GOAL,
    ON_THE_PROJECT,
    ON_THE_SPACE,
    PLAN,
    PLAN_AGAIN,
    PREFIX,
    PROFILE,
    PROJECT,
    QUESTION,
    REMOVE_EVE,
    REQUEST,
    REVIEW,
    REVIEW_WANTED,
    REVS,
    ROOT,
    SPACE,
    UNSEEN,
    WORLD,
    again,
    at,
    gone,
    ref,
    uri_of,
    uris,
    write,
)

INDEX = materialize(WORLD)
NOWHERE = uri_of(EVE, "goal", "none")


def test_the_small_world_counts_whole() -> None:
    assert INDEX.ignored == ()
    assert INDEX.edits == ()
    assert {record.uri.split("/")[3].removeprefix(PREFIX) for record in WORLD} == set(RECORDS)  # protocol §13


# Looking up ---------------------------------------------------------------------------------------------------------


def test_each_kind_of_view_is_found_by_its_uri() -> None:
    assert INDEX.spaces == tuple(view for uri in sorted(uris(SPACE, ATTIC)) if (view := INDEX.space(uri)) is not None)
    space = INDEX.space(SPACE.uri)
    assert space is not None
    assert (space.uri, space.cid, space.name) == (SPACE.uri, SPACE.cid, "Lab")
    assert space.projects == (INDEX.project(PROJECT.uri),)
    assert space.goals == (INDEX.goal(GOAL.uri),)
    goal = INDEX.goal(GOAL.uri)
    assert goal is not None
    assert [INDEX.request(view.uri) for view in goal.requests] == list(goal.requests)
    assert [view.uri for view in goal.artifacts] == [PLAN.uri, PLAN_AGAIN.uri]
    assert [INDEX.artifact(view.uri) for view in goal.artifacts] == list(goal.artifacts)
    project = INDEX.project(PROJECT.uri)
    assert project is not None
    assert project.requests == (INDEX.request(AUDIT_WANTED.uri),)
    assert project.artifacts == (INDEX.artifact(AUDIT.uri),)
    assert project.name == "New site"
    assert [image.uri for image in INDEX.images] == [IMAGE.uri]


LOOKUPS = {
    Index.space: {SPACE.uri, ATTIC.uri},
    Index.project: {PROJECT.uri},
    Index.goal: {GOAL.uri},
    Index.request: {record.uri for record in WORLD if "/com.disnetdev.radial.artifactRequest/" in record.uri},
    Index.artifact: {AUDIT.uri, PLAN.uri, PLAN_AGAIN.uri},
}


@pytest.mark.parametrize("lookup", LOOKUPS, ids=lambda lookup: lookup.__name__)
def test_a_lookup_finds_its_own_kind_and_no_other(lookup: object) -> None:
    find = getattr(INDEX, lookup.__name__)  # type: ignore[attr-defined]
    found = {record.uri for record in WORLD if find(record.uri) is not None}
    assert found == LOOKUPS[lookup]  # type: ignore[index]
    assert all(find(uri).uri == uri for uri in found)
    for unknown in (NOWHERE, "", "at://", SPACE.uri + "/"):
        assert find(unknown) is None


def test_every_record_that_counts_has_an_entry_and_a_place() -> None:
    places = {record.uri: GOAL.uri for record in ON_THE_GOAL} | {record.uri: PROJECT.uri for record in ON_THE_PROJECT}
    places |= {record.uri: SPACE.uri for record in ON_THE_SPACE}
    places |= {ATTIC.uri: ATTIC.uri, ADD_BOT_THERE.uri: ATTIC.uri}
    for record in WORLD:
        entry = INDEX.entry(record.uri)
        assert entry is not None
        assert (entry.uri, entry.cid, entry.did) == (record.uri, record.cid, record.uri.split("/")[2])
        assert entry.value is record.value
        assert entry.created_at == record.value["createdAt"]
        # Agents and images belong to no one place (T7).
        assert INDEX.place_of(record.uri) == (None if record is IMAGE or record is PROFILE else places[record.uri])
    for unknown in (NOWHERE, ""):
        assert INDEX.entry(unknown) is None
        assert INDEX.place_of(unknown) is None


def test_what_is_ignored_has_no_entry_and_no_place() -> None:
    stranger = write(EVE, "message", 60, goal=ref(GOAL), body="hello")
    index = INDEX.extend([stranger])
    assert [row.uri for row in index.ignored] == [stranger.uri]
    assert index.entry(stranger.uri) is None
    assert index.place_of(stranger.uri) is None


def test_profiles_are_found_by_what_they_produce() -> None:
    second = write(BOT, "agent", 61, "another", handleName="x", harness="h", models=[], artifactTypes=["plan", "plan"])
    anns = write(ANN, "agent", 62, "a", handleName="x", harness="h", models=[], artifactTypes=["audit", "\U0001f600"])
    index = INDEX.extend([second, anns])
    found = {
        (space, kind): [agent.uri for agent in index.capable(space, kind)]
        for space in (SPACE.uri, ATTIC.uri, NOWHERE)
        for kind in ("plan", "audit", "\U0001f600", "Plan", "")
    }
    in_both = {
        "plan": [second.uri, PROFILE.uri],
        "audit": [anns.uri, PROFILE.uri],
        "\U0001f600": [anns.uri],
        "Plan": [],
        "": [],
    }
    assert found == {(SPACE.uri, kind): agents for kind, agents in in_both.items()} | {
        (ATTIC.uri, kind): agents for kind, agents in in_both.items()
    } | {(NOWHERE, kind): [] for kind in in_both}


# Leases -------------------------------------------------------------------------------------------------------------

RIVAL = write(BOT, "claim", 20, "early", request=ref(REQUEST), expiresAt=at(50))


def test_leases_are_in_rank_order() -> None:
    index = INDEX.extend([RIVAL])
    assert [lease.uri for lease in INDEX.leases(REQUEST.uri)] == [CLAIM.uri]
    assert [(lease.uri, lease.cid) for lease in index.leases(REQUEST.uri)] == [
        (RIVAL.uri, RIVAL.cid),
        (CLAIM.uri, CLAIM.cid),
    ]
    lease = index.leases(REQUEST.uri)[1]
    created = parse_instant(at(22))
    assert (lease.created_at, lease.renewed_at, lease.expires_at) == (created, created, parse_instant(at(52)))
    for unclaimed in (AUDIT_WANTED.uri, GOAL.uri, NOWHERE):
        assert index.leases(unclaimed) == ()
        assert index.sightings(unclaimed) == {}


def test_a_sighting_is_the_first_known_one_of_the_version_that_counts() -> None:
    renewed = again(CLAIM, rev=REVS[1], seen_at=at(101), renewedAt=at(40), expiresAt=at(90))
    seen = [
        again(CLAIM, rev=REVS[0], seen_at=at(100)),
        again(renewed, rev=REVS[2], seen_at="2026-01-01T11:40:30.5+01:00"),  # at(100) and thirty seconds and a half
        again(renewed, rev=REVS[3]),
        renewed,
        again(renewed, rev=REVS[4], seen_at=at(999)),
    ]
    index = materialize([*(one for one in WORLD if one is not CLAIM), *seen])
    assert index.sightings(REQUEST.uri) == {(CLAIM.uri, renewed.cid): parse_instant("2026-01-01T10:40:30.5Z")}
    unstamped = materialize(WORLD)
    assert unstamped.sightings(REQUEST.uri) == {(CLAIM.uri, CLAIM.cid): None}


def test_leases_and_sightings_are_what_a_winner_is_chosen_from() -> None:
    index = INDEX.extend([again(CLAIM, seen_at=at(200)), again(RIVAL, seen_at=at(190))])
    leases, sightings = index.leases(REQUEST.uri), index.sightings(REQUEST.uri)
    holders = {
        minute: None if (holder := winner(leases, sightings, parse_instant(at(minute)))) is None else holder.uri
        for minute in (190, 219, 220, 229, 230)
    }
    assert holders == {190: RIVAL.uri, 219: RIVAL.uri, 220: CLAIM.uri, 229: CLAIM.uri, 230: None}


# Provenance ---------------------------------------------------------------------------------------------------------


def edges(index: Index, uri: str) -> set[tuple[str, str, str | None]]:
    found = index.edges(uri)
    assert all(edge.source == uri for edge in found)
    return {(edge.kind, edge.target.uri, edge.target.pin) for edge in found}


def test_edges_are_what_a_record_names() -> None:
    assert edges(INDEX, AUDIT.uri) == {("request", AUDIT_WANTED.uri, "held")}
    assert edges(INDEX, REQUEST.uri) == {("basedOn", AUDIT.uri, "held"), ("subject", AUDIT.uri, "held")}
    assert edges(INDEX, PLAN.uri) == {("request", REQUEST.uri, "held")}
    assert edges(INDEX, PLAN_AGAIN.uri) == {("request", REQUEST.uri, "held"), ("prev", PLAN.uri, "held")}
    assert edges(INDEX, REVIEW.uri) == {("request", REVIEW_WANTED.uri, "held"), ("subject", PLAN.uri, "held")}
    assert edges(INDEX, CHECKRUN.uri) == {("artifact", PLAN.uri, "held")}
    assert edges(INDEX, MERGE.uri) == {("artifact", PLAN.uri, "held")}
    for bare in (SPACE, GOAL, AUDIT_WANTED, QUESTION, CLAIM, PROFILE, IMAGE):
        assert edges(INDEX, bare.uri) == set()
    assert INDEX.edges(NOWHERE) == ()


def test_an_answer_comes_from_what_it_answers() -> None:
    about = {"goal": ref(GOAL), "subject": ref(QUESTION)}
    wanted = write(ROOT, "artifactRequest", 70, "ask", **about, type="answer", assignee=ANN)
    answer = write(ANN, "message", 71, goal=ref(GOAL), body="so", parent=ref(QUESTION), re=ref(wanted))
    index = INDEX.extend([wanted, answer])
    assert edges(index, answer.uri) == {("subject", QUESTION.uri, "held")}
    assert index.upstream(answer.uri) == (QUESTION.uri,)
    assert index.downstream(QUESTION.uri) == uris(wanted, answer)


def test_edges_say_whether_they_resolve_and_dead_ends_are_not_followed() -> None:
    nothing = {"uri": NOWHERE, "cid": UNSEEN}
    edited = again(PLAN, rev=REVS[1], body="other")
    wanted = write(
        ANN, "artifactRequest", 72, goal=ref(GOAL), type="plan", basedOn=[nothing, ref(edited), ref(ADD_EVE)]
    )
    index = materialize([*(one for one in WORLD if one is not PLAN), again(PLAN, rev=REVS[0]), edited, wanted])
    assert [edge.target for edge in index.edges(wanted.uri)] == [
        Ref(NOWHERE, UNSEEN, None, resolved=False),
        Ref(PLAN.uri, edited.cid, "edited", resolved=True),
        Ref(ADD_EVE.uri, ADD_EVE.cid, "held", resolved=True),
    ]
    assert NOWHERE not in index.upstream(wanted.uri)
    assert index.downstream(NOWHERE) == ()
    assert index.upstream(NOWHERE) == ()


def test_closures_run_through_every_step_in_order() -> None:
    assert INDEX.upstream(PLAN_AGAIN.uri) == uris(AUDIT_WANTED, AUDIT, REQUEST, PLAN)
    assert INDEX.upstream(REVIEW.uri) == uris(AUDIT_WANTED, AUDIT, REQUEST, PLAN, REVIEW_WANTED)
    assert INDEX.downstream(PLAN.uri) == uris(PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE)
    assert INDEX.downstream(AUDIT_WANTED.uri) == uris(
        AUDIT, REQUEST, PLAN, PLAN_AGAIN, REVIEW_WANTED, REVIEW, CHECKRUN, MERGE
    )
    assert INDEX.upstream(AUDIT_WANTED.uri) == ()
    assert INDEX.downstream(MERGE.uri) == ()


def test_a_cycle_is_walked_once_and_nobody_is_its_own_ancestor() -> None:
    keys = ("one", "two", "three")
    # A ring of requests: each is based on the next. Their CIDs cannot all be true, and references go by URI (L4).
    ring = [
        write(
            ANN, "artifactRequest", 80 + place, key, goal=ref(GOAL), type="plan",
            basedOn=[{"uri": uri_of(ANN, "artifactRequest", keys[(place + 1) % 3]), "cid": UNSEEN}],
        )
        for place, key in enumerate(keys)
    ]  # fmt: skip
    index = INDEX.extend(ring)
    one, two, three = uris(*ring)
    assert index.upstream(one) == index.downstream(one) == (two, three)
    assert index.upstream(three) == index.downstream(three) == (one, two)
    # A request that is based on itself.
    itself = write(
        ANN, "artifactRequest", 84, "self", goal=ref(GOAL), type="plan",
        basedOn=[{"uri": uri_of(ANN, "artifactRequest", "self"), "cid": UNSEEN}, ref(ring[0])],
    )  # fmt: skip
    index = index.extend([itself])
    assert index.upstream(itself.uri) == (one, two, three)
    assert index.downstream(itself.uri) == ()


# A value ------------------------------------------------------------------------------------------------------------


def test_equal_observations_make_equal_indexes() -> None:
    assert materialize(WORLD[::-1]) == INDEX
    assert hash(materialize(WORLD[::-1])) == hash(INDEX)
    assert len({INDEX, materialize([*WORLD, *WORLD]), materialize(WORLD[:-1])}) == 2


def test_indexes_that_show_different_things_differ() -> None:
    others = {
        "one record less": materialize(WORLD[:-1]),
        "an ignored record": INDEX.extend([write(EVE, "join", 60, space=ref(SPACE))]),
        "a deletion": INDEX.extend([gone(GOAL)]),
        "an edit": INDEX.extend([again(GOAL, title="Z")]),
        "no image": materialize([one for one in WORLD if one is not IMAGE]),
        "nothing": materialize([]),
    }
    assert [name for name, other in others.items() if other == INDEX] == []
    # What the digest leaves out still makes a difference, though not to a hash.
    assert {name for name, other in others.items() if other.digest == INDEX.digest} == {
        "an ignored record",
        "a deletion",
        "no image",
    }
    assert hash(others["a deletion"]) == hash(INDEX)


def test_an_index_equals_nothing_else() -> None:
    for other in (INDEX.digest, None, object(), INDEX.to_json()):
        assert (other == INDEX) is False
        assert (other != INDEX) is True


def test_an_index_says_in_a_line_what_it_is() -> None:
    assert repr(INDEX) == f"<Index of {len(WORLD)} records in 2 spaces, {INDEX.digest}>"
    assert repr(materialize([])) == f"<Index of 0 records in 0 spaces, {materialize([]).digest}>"
    assert repr(materialize([gone(SPACE)])).startswith("<Index of 1 records in 0 spaces, ")


def test_json_is_fresh_every_time() -> None:
    plain = INDEX.to_json()
    plain["spaces"][0]["projects"].clear()
    plain["images"][0]["blob"]["size"] = 0
    plain["spaces"].clear()
    assert INDEX.to_json()["spaces"]
    assert INDEX.to_json()["images"][0]["blob"]["size"] == 9
    assert materialize(WORLD) == INDEX


def test_growing_is_folding_everything() -> None:
    late = [CLOSE, EDIT, BLESS, ADD_BOT, REMOVE_EVE, PROFILE, IMAGE, SPACE]
    early = [one for one in WORLD if one not in late]
    index = materialize(early)
    for one in late:
        index = index.extend([one])
    assert index == INDEX
    assert index.to_json() == INDEX.to_json()
    assert materialize([]).extend(WORLD) == INDEX
    assert materialize(LAB).space(ATTIC.uri) is None
