"""Two indexes compared (D2): the places that differ are named, with the records that do it, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_core import Difference, materialize
from tests.core.small_world import (
    ADD_BOT_THERE,
    ANN,
    ATTIC,
    AUDIT,
    BOT,
    CLAIM,
    CLOSE,
    EDIT,
    EVE,
    GOAL,
    IMAGE,
    JOIN,
    LAB,
    ON_THE_GOAL,
    ON_THE_PROJECT,
    ON_THE_SPACE,
    PLAN,
    PROFILE,
    PROJECT,
    REMARK,
    REMOVE_EVE,
    REQUEST,
    REVS,
    SPACE,
    TYPE,
    UNPARK,
    WORLD,
    again,
    at,
    gone,
    ref,
    seen,
    uris,
    write,
)

if TYPE_CHECKING:
    from radial_core import Index, Record

INDEX = materialize(WORLD)


def without(*records: Record) -> Index:
    return materialize(one for one in WORLD if all(one is not record for record in records))


def mirrored(differences: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """What the other side would say."""
    return tuple(Difference(one.kind, one.uri, one.only_there, one.only_here, one.changed) for one in differences)


def compare(one: Index, other: Index) -> tuple[Difference, ...]:
    """Compare both ways; the two answers mirror each other."""
    found = one.diff(other)
    assert other.diff(one) == mirrored(found)
    return found


def here(kind: str, place: Record, *records: Record) -> Difference:
    """A place where the other side lacks some records."""
    return Difference(kind, place.uri, tuple(sorted(uris(*records))), (), ())


def test_equal_indexes_do_not_differ() -> None:
    assert compare(INDEX, INDEX) == ()
    assert compare(INDEX, materialize(WORLD[::-1])) == ()
    assert compare(materialize([]), materialize([])) == ()


def test_what_the_digest_leaves_out_is_no_difference() -> None:
    stranger = write(EVE, "join", 60, space=ref(SPACE))
    other = without(IMAGE).extend([gone(GOAL), stranger, again(PLAN, rev=REVS[1], seen_at=at(9))])
    assert other != INDEX
    assert compare(INDEX, other) == ()


def test_who_joined_is_no_difference_beside_one_either() -> None:
    assert compare(INDEX, without(JOIN, REMARK)) == (here("goal", GOAL, REMARK),)
    # A definition that another overrides: the registry is the same.
    overridden = again(TYPE, name="audit", createdAt=at(5))
    older = seen(TYPE.uri + "0", overridden.value)
    assert compare(INDEX.extend([older]), without(REMARK)) == (here("goal", GOAL, REMARK),)


@pytest.mark.parametrize(
    ("missing", "kind", "place"),
    [
        ([REMARK], "goal", GOAL),
        ([CLOSE, UNPARK], "goal", GOAL),
        ([EDIT], "project", PROJECT),
        ([JOIN], None, None),  # D1: who joined is not in the digest
        ([TYPE], "space", SPACE),
        ([REMOVE_EVE], "space", SPACE),
    ],
    ids=str,
)
def test_a_missing_record_is_named_where_it_counts(
    missing: list[Record], kind: str | None, place: Record | None
) -> None:
    expected = () if kind is None or place is None else (here(kind, place, *missing),)
    assert compare(INDEX, without(*missing)) == expected


def test_a_profile_makes_a_difference_in_every_space() -> None:
    expected = [here("space", space, PROFILE) for space in sorted((SPACE, ATTIC), key=lambda space: space.uri)]
    assert compare(INDEX, without(PROFILE)) == tuple(expected)


def test_what_hangs_on_a_missing_record_is_missing_with_it() -> None:
    (difference,) = compare(INDEX, without(PLAN))
    assert (difference.kind, difference.uri) == ("goal", GOAL.uri)
    hanging = {one.uri for one in ON_THE_GOAL if one.value.get("artifact", one.value.get("subject")) == ref(PLAN)}
    assert set(difference.only_here) == {PLAN.uri} | (hanging - {ref_wanted()})
    assert list(difference.only_here) == sorted(difference.only_here)


def ref_wanted() -> str:
    """A review request is placed by its goal: it stays when its subject is missing."""
    return next(one.uri for one in ON_THE_GOAL if one.value.get("type") == "review")


def test_a_missing_project_takes_its_goals_along_and_each_is_named() -> None:
    assert compare(INDEX, without(PROJECT)) == (
        here("project", PROJECT, *ON_THE_PROJECT),
        here("goal", GOAL, *ON_THE_GOAL),
    )


def test_a_space_that_one_side_lacks_is_named_with_everything_in_it() -> None:
    assert compare(INDEX, materialize(LAB)) == (here("space", ATTIC, ATTIC, ADD_BOT_THERE, PROFILE),)
    lab = [
        here("space", SPACE, *ON_THE_SPACE),
        here("project", PROJECT, *ON_THE_PROJECT),
        here("goal", GOAL, *ON_THE_GOAL),
    ]
    attic = [here("space", ATTIC, ATTIC, ADD_BOT_THERE, PROFILE)]
    assert compare(INDEX, materialize([])) == tuple(attic + lab if ATTIC.uri < SPACE.uri else lab + attic)


def test_each_side_may_lack_something() -> None:
    one, other = without(REMARK, EDIT), without(CLOSE, TYPE)
    assert compare(one, other) == (
        Difference("space", SPACE.uri, (TYPE.uri,), (), ()),
        Difference("project", PROJECT.uri, (), (EDIT.uri,), ()),
        Difference("goal", GOAL.uri, (CLOSE.uri,), (REMARK.uri,), ()),
    )


def test_a_record_in_two_versions_is_changed() -> None:
    for record, kind, place in ((PLAN, "goal", GOAL), (AUDIT, "project", PROJECT), (GOAL, "goal", GOAL)):
        rewritten = again(record, body="rewritten")
        other = without(record).extend([rewritten])
        assert compare(INDEX, other) == (Difference(kind, place.uri, (), (), (record.uri,)),)
    newer = again(PROFILE, rev=REVS[1], harness="i")
    changed = [Difference("space", space.uri, (), (), (PROFILE.uri,)) for space in (SPACE, ATTIC)]
    other = without(PROFILE).extend([newer, again(PROFILE, rev=REVS[0])])
    assert compare(INDEX, other) == tuple(sorted(changed, key=lambda one: one.uri))


def test_a_space_in_two_versions_is_changed() -> None:
    other = without(SPACE).extend([again(SPACE, name="Other")])
    assert compare(INDEX, other) == (Difference("space", SPACE.uri, (), (), (SPACE.uri,)),)


def test_a_renewal_is_no_difference() -> None:
    renewed = again(CLAIM, rev=REVS[1], renewedAt=at(40), expiresAt=at(90))
    other = without(CLAIM).extend([again(CLAIM, rev=REVS[0]), renewed])
    assert other.leases(REQUEST.uri) != INDEX.leases(REQUEST.uri)
    assert compare(INDEX, other) == ()
    # Nor is it named beside a difference that is one.
    assert compare(INDEX, other.extend([write(ANN, "message", 60, "new", goal=ref(GOAL), body="b")])) == (
        Difference("goal", GOAL.uri, (), (f"at://{ANN}/com.disnetdev.radial.message/new",), ()),
    )


def test_a_claim_that_one_side_lacks_is_a_difference() -> None:
    assert compare(INDEX, without(CLAIM)) == (here("goal", GOAL, CLAIM),)


def test_a_legacy_ending_differs_without_any_record_that_does() -> None:
    closed = again(GOAL, rev=REVS[1], closed=True)
    other = without(GOAL).extend([again(GOAL, rev=REVS[0]), closed])
    entry = other.entry(GOAL.uri)
    assert entry is not None
    assert entry.cid == GOAL.cid
    assert compare(INDEX, other) == (Difference("goal", GOAL.uri, (), (), ()),)


def test_a_difference_is_a_value() -> None:
    one, other = INDEX.diff(without(REMARK)), INDEX.diff(without(REMARK))
    assert len({*one, *other}) == 1
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        one[0].kind = "space"  # type: ignore[misc]


SUBSETS = st.lists(st.sampled_from(range(len(WORLD))), unique=True, max_size=6)


@given(SUBSETS, SUBSETS)
def test_what_differs_is_named_and_nothing_else(here_missing: list[int], there_missing: list[int]) -> None:
    """The walk against a plain comparison of everything that counts, place by place."""
    one, other = (
        materialize(record for number, record in enumerate(WORLD) if number not in missing)
        for missing in (here_missing, there_missing)
    )
    found = compare(one, other)
    assert (one.digest == other.digest) is (found == ())
    named = {difference.uri: difference for difference in found}
    assert len(named) == len(found)
    mine, theirs = records_by_place(one), records_by_place(other)
    for uri in mine.keys() | theirs.keys():
        records, others = mine.get(uri, set()), theirs.get(uri, set())
        assert (uri in named) is (records ^ others not in (set(), {JOIN.uri}))
        if uri in named:
            assert set(named[uri].only_here) == records - others
            assert set(named[uri].only_there) == others - records


def records_by_place(index: Index) -> dict[str, set[str]]:
    places = {space.uri: set(space.records) for space in index.spaces}
    places |= {project.uri: set(project.records) for space in index.spaces for project in space.projects}
    return places | {goal.uri: set(goal.records) for space in index.spaces for goal in space.goals}


def test_the_bot_is_a_member_of_both() -> None:
    # What makes the tests above tests of two spaces at all.
    members = [{member.did for member in space.members} for space in INDEX.spaces]
    assert all(BOT in dids for dids in members)
