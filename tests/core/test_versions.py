"""Versions of one record (O3, V1–V6) beyond what golden scenarios say: many at once, in every order, and the reasons.

Strategy: one URI in a small world, crowded with versions, sightings and deletions. What V5 and V6 say of sightings and
deletions is held against the rule's own words, a loop within a loop; everything else against the oracle.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

from radial_core import Deletion, Record, materialize, parse_instant, to_line
from tests import oracle
from tests.core.small_world import (
    ANN,
    BOT,
    CLAIM,
    GOAL,
    LAB,
    PREFIX,
    PROFILE,
    PROJECT,
    REQUEST,
    REVS,
    SPACE,
    UNSEEN,
    again,
    at,
    gone,
    ref,
    seen,
    uri_of,
    write,
)

REST = tuple(one for one in LAB if one not in [CLAIM, GOAL, PROFILE, PROJECT])
TIMES = (at(600), "2026-01-01T20:00:00.000+01:00", at(601), "2026-01-01T19:00:00.000000001Z", at(602))


class Sighted(NamedTuple):
    """That something was seen: in which revision and when, as far as known."""

    rev: str | None
    seen_at: str | None


SIGHTINGS = st.builds(Sighted, st.none() | st.sampled_from(REVS[:4]), st.none() | st.sampled_from(TIMES))


# V5, V6: deletions, in the rule's own words -------------------------------------------------------------------------


def is_later(one: Sighted, deletion: Sighted) -> bool:
    """V5: greater `rev` if both are known, else greater `seenAt` if both are known, else not later."""
    if one.rev is not None and deletion.rev is not None:
        return one.rev > deletion.rev
    if one.seen_at is not None and deletion.seen_at is not None:
        return parse_instant(one.seen_at) > parse_instant(deletion.seen_at)
    return False


def survives(one: Sighted, deletions: list[Sighted]) -> bool:
    """Tell whether a sighting is later than every deletion, asking one after the other."""
    return all(is_later(one, deletion) for deletion in deletions)


JOIN = write(ANN, "join", 60, space=ref(SPACE))
JOINS = tuple(again(JOIN, note=note) for note in ("one", "two", "three"))


@given(st.lists(st.tuples(st.sampled_from(JOINS), SIGHTINGS), min_size=1, max_size=5), st.lists(SIGHTINGS, max_size=4))
def test_deletions_drop_the_sightings_that_are_not_later(
    sightings: list[tuple[Record, Sighted]], deletions: list[Sighted]
) -> None:
    index = materialize(
        [
            *LAB,
            *(again(version, rev=one.rev, seen_at=one.seen_at) for version, one in sightings),
            *(gone(JOIN, rev=one.rev, seen_at=one.seen_at) for one in deletions),
        ]
    )
    left = {version.cid for version, one in sightings if survives(one, deletions)}
    entry = index.entry(JOIN.uri)
    assert (entry is not None) is bool(left)
    assert entry is None or entry.cid in left
    assert [row.rule for row in index.ignored] == ([] if left else ["V5"])
    rows = {row.uri: row for row in index.edits}
    if JOIN.uri in rows:
        row = rows[JOIN.uri]
        assert {other.cid for other in row.others if other.reason == "deleted"} == {
            version.cid for version, _ in sightings
        } - left
        assert row.deleted is (bool(deletions) and not left)
    else:
        assert len({version.cid for version, _ in sightings}) == 1
        assert left


@given(st.lists(SIGHTINGS, min_size=1, max_size=4), st.lists(SIGHTINGS, min_size=1, max_size=4))
def test_a_deletion_marks_what_it_cannot_remove(sightings: list[Sighted], deletions: list[Sighted]) -> None:
    index = materialize(
        [
            *REST,
            PROJECT,
            *(again(GOAL, rev=one.rev, seen_at=one.seen_at) for one in sightings),
            *(gone(GOAL, rev=one.rev, seen_at=one.seen_at) for one in deletions),
        ]
    )
    assert index.goal(GOAL.uri) is not None
    marked = not any(survives(one, deletions) for one in sightings)
    assert [(row.uri, row.kept, row.others, row.deleted) for row in index.edits] == (
        [(GOAL.uri, GOAL.cid, (), True)] if marked else []
    )


# O3, V1–V4 against the oracle ---------------------------------------------------------------------------------------

ENDS = (at(40), at(52), "2026-01-01T10:52:00.00+01:00", at(82), at(83), at(200))
CHANGES: dict[str, tuple[Record, tuple[dict[str, Any], ...]]] = {
    "a project": (PROJECT, ({}, {"name": "A"}, {"name": "B"}, {"name": 7}, {"gitUrl": "no uri"})),
    "a profile": (PROFILE, ({}, {"harness": "A"}, {"harness": "B"}, {"harness": 7}, {"createdAt": at(9)})),
    "a goal": (
        GOAL,
        ({}, {"closed": True}, {"closed": False}, {"title": "A"}, {"title": "A", "closed": True}, {"closed": 1}),
    ),
    "a claim": (
        CLAIM,
        (
            *({"expiresAt": end} for end in ENDS),
            {"renewedAt": at(30), "expiresAt": at(82)},
            {"renewedAt": at(21)},
            {"createdAt": at(23)},
            {"createdAt": "2026-01-01T10:22:00.0+01:00"},
            {"request": {"uri": REQUEST.uri, "cid": UNSEEN}},
            {"request": {"uri": uri_of(ANN, "artifactRequest", "x"), "cid": UNSEEN}},
            {"expiresAt": None},
        ),
    ),
}


@st.composite
def crowds(draw: st.DrawFn) -> list[Record | Deletion]:
    """Draw what was seen at one URI: versions, sightings of them, deletions."""
    record, changes = CHANGES[draw(st.sampled_from(tuple(CHANGES)))]
    versions = [again(record, **changed) for changed in changes]
    known = draw(st.sampled_from([SIGHTINGS, SIGHTINGS.filter(all), st.just(Sighted(None, None))]))
    sightings = draw(st.lists(st.tuples(st.sampled_from(versions), known), min_size=1, max_size=6))
    deletions = draw(st.lists(SIGHTINGS, max_size=2))
    crowd: list[Record | Deletion] = [again(one, rev=how.rev, seen_at=how.seen_at) for one, how in sightings]
    return crowd + [gone(record, rev=how.rev, seen_at=how.seen_at) for how in deletions]


@given(crowds())
def test_the_oracle_chooses_the_same_version(crowd: list[Record | Deletion]) -> None:
    others = [one for one, _ in CHANGES.values() if one.uri != crowd[0].uri]
    observations = [*REST, *others, *crowd]
    found = json.loads(json.dumps(materialize(observations).to_json()))
    expected = oracle.materialize([json.loads(to_line(one)) for one in observations])
    assert found["edits"] == expected["edits"]
    assert found["digest"] == expected["digest"]
    assert found["spaces"] == expected["spaces"]
    assert [(row["uri"], row["cid"], row["rule"]) for row in found["ignored"]] == [
        (row["uri"], row["cid"], row["rule"]) for row in expected["ignored"]
    ]


# Reasons ------------------------------------------------------------------------------------------------------------


def reason(*observations: Record | Deletion) -> str:
    (row,) = materialize(observations).ignored
    return row.reason


def test_of_many_faults_twenty_are_told_and_the_rest_counted() -> None:
    bad = write(BOT, "artifact", 60, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="b", criteria=[7] * 25)
    faults = [f"must be a string, not an integer @ $.criteria[{index}]" for index in range(25)]
    assert reason(bad) == "; ".join([*faults[:20], "and 5 more"])
    fewer = again(bad, criteria=[7] * 20)
    assert reason(fewer) == "; ".join(faults[:20])


def test_the_rule_and_the_reason_are_the_earliest_versions() -> None:
    # §0: when no version passes L, the rule is the one that version breaks.
    first, second = again(GOAL, rev=REVS[0], title=7), again(GOAL, rev=REVS[1], body=7)
    assert reason(second, first) == "must be a string, not an integer @ $.title"
    deep: Any = "leaf"
    for _ in range(64):
        deep = [deep]
    assert reason(again(GOAL, rev=REVS[1], deep=deep), first) == "must be a string, not an integer @ $.title"
    assert reason(again(GOAL, rev=REVS[0], deep=deep), second).startswith("nested deeper than 64 levels @ $.deep[0]")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"renewedAt": at(21)}, "the lease was renewed before the claim was made"),
        ({"expiresAt": at(22)}, "the lease does not last at all: expiresAt is not later than renewedAt"),
        ({"expiresAt": at(83)}, "the lease lasts more than one hour from renewedAt"),
        (
            {"renewedAt": at(22 + 1400), "expiresAt": at(22 + 1441)},
            "the lease ends more than 24 hours after the claim's createdAt",
        ),
    ],
)
def test_a_claim_out_of_contract_is_told_which_bound_it_breaks(changed: dict[str, Any], complaint: str) -> None:
    assert reason(again(CLAIM, **changed)) == complaint
    both = [again(CLAIM, rev=REVS[0], **changed), again(CLAIM, rev=REVS[1], expiresAt=at(500))]
    assert reason(*both) == f"no version of this claim keeps the lease contract: {complaint}"


@pytest.mark.parametrize(
    ("uri", "complaint"),
    [
        (f"at://ann.example/{PREFIX}goal/g", "the URI is not at://DID/collection/record-key, each part legal"),
        (f"at://{ANN}/{PREFIX}goal", "the URI is not at://DID/collection/record-key, each part legal"),
        (f"at://{ANN}/{PREFIX}goal/..", "the URI is not at://DID/collection/record-key, each part legal"),
        ("\ud800", "the URI is not at://DID/collection/record-key, each part legal"),
        (f"at://{ANN}/app.bsky.feed.post/x", "'app.bsky.feed.post' is not a Radial collection"),
        (f"at://{ANN}/{PREFIX}Goal/x", f"'{PREFIX}Goal' is not a Radial collection"),
        (f"at://{ANN}/{'a' * 60}.{'b' * 60}.{'c' * 60}/x", f"'{('a' * 60 + '.' + 'b' * 60)[:120]}' is not a Radial"),
    ],
    ids=ascii,
)
def test_a_uri_that_is_none_of_ours_is_told_why(uri: str, complaint: str) -> None:
    value = {**GOAL.value, "title": "later"}
    versions = [seen(uri, GOAL.value, rev=REVS[1]), seen(uri, value, rev=REVS[0])]
    index = materialize(versions)
    (row,) = index.ignored
    # Of a URI that is not ours the earliest version is shown beside the rule (§0), and never any edits (V6).
    assert (row.cid, row.rule) == (versions[1].cid, "O6")
    assert row.reason.startswith(complaint)
    assert index.edits == ()
    (row,) = materialize([Deletion(uri=uri)]).ignored
    assert (row.cid, row.rule) == (None, "O6")


def test_a_record_that_was_only_deleted_has_no_version() -> None:
    index = materialize([gone(GOAL), gone(GOAL, rev=REVS[0])])
    assert [(row.uri, row.cid, row.rule, row.reason) for row in index.ignored] == [
        (GOAL.uri, None, "V5", "its author deleted it, and nothing later was seen")
    ]
    assert [(row.uri, row.kept, row.others, row.deleted) for row in index.edits] == [(GOAL.uri, None, (), True)]


def test_a_thousand_versions_of_a_claim_count_once() -> None:
    renewals = [
        again(CLAIM, seen_at=at(100 + minute), renewedAt=at(22 + minute), expiresAt=at(82 + minute))
        for minute in range(1_000)
    ]
    index = materialize([*REST, GOAL, PROJECT, PROFILE, *renewals[::-1]])
    (lease,) = index.leases(REQUEST.uri)
    assert lease.cid == renewals[-1].cid
    (row,) = index.edits
    assert [other.reason for other in row.others] == ["superseded"] * 999
    assert [other.cid for other in row.others] == [one.cid for one in renewals[:-1]]
    assert index.sightings(REQUEST.uri) == {(CLAIM.uri, renewals[-1].cid): parse_instant(at(1_099))}
