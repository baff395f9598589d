"""The set of observations (O4): what is one version, what is a caller's mistake, and that growing harms nothing."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from radial_core import Deletion, Record, materialize
from tests.core.small_world import LAB, PROJECT, REVS, SPACE, again, at, gone, ref, seen, write

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = "did:plc:root"
URI = "at://did:plc:root/com.disnetdev.radial.space/s"


def record(value: Any, **known: str) -> Record:
    return Record(uri=URI, cid="cid", value=value, **known)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {"a": True}),
        ({"a": 0}, {"a": False}),
        ([1], [True]),
        ({"a": "1"}, {"a": 1}),
        ({"a": None}, {}),
        ({"a": b"x"}, {"a": "x"}),
        ([], {}),
        ({"a": 1}, {"a": 1.0}),  # which has no bytes at all
        ({"a": [{"b": 1}]}, {"a": [{"b": 2}]}),
    ],
    ids=str,
)
def test_one_cid_cannot_have_two_values(one: Any, other: Any) -> None:
    for first, second in ((one, other), (other, one)):
        with pytest.raises(ValueError, match=r"two different values .* cid at at://.*/s \(O4\)"):
            materialize([record(first), record(second)])
        with pytest.raises(ValueError, match="O4"):
            materialize([record(first), record(copy.deepcopy(first), seen_at=at(0)), record(second, seen_at=at(1))])
        with pytest.raises(ValueError, match="O4"):
            materialize([record(first)]).extend([record(second)])


def test_the_order_of_keys_makes_no_other_value() -> None:
    materialize([record({"a": 1, "b": {"c": 1, "d": 2}}), record({"b": {"d": 2, "c": 1}, "a": 1})])


def test_one_cid_may_stand_at_two_places_and_two_at_one() -> None:
    elsewhere = Record(uri=URI + "2", cid="cid", value={"a": 2})
    other_cid = Record(uri=URI, cid="dic", value={"a": 2})
    assert len(materialize([record({"a": 1}), elsewhere, other_cid]).ignored) == 2


def self_containing() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


BAD: dict[str, tuple[Callable[[], Any], str]] = {
    "not a number": (lambda: {"a": float("nan")}, "L1"),
    "a fraction": (lambda: {"a": [1.5]}, "L1"),
    "a key that is no string": (lambda: {1: 2}, "L1"),
    "half of a pair": (lambda: {"a": "\ud800"}, "L1"),
    "an object of no type": (lambda: {"a": object()}, "L1"),
    "70 levels": (lambda: nested(70), "L6"),
    "600 levels": (lambda: nested(600), "L6"),
    "100,000 levels": (lambda: nested(100_000), "L6"),
    "itself": (self_containing, "L6"),
    "over a mebibyte": (lambda: {"a": "x" * 1_100_000}, "L6"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_seen_twice_is_ignored_like_one_seen_once(name: str) -> None:
    make, rule = BAD[name]
    once = materialize([record(make())])
    twice = materialize([record(make()), record(make()), record(make(), seen_at=at(0))])
    assert [row.rule for row in once.ignored] == [rule]
    assert twice.ignored == once.ignored
    assert twice.edits == once.edits


@pytest.mark.parametrize("stranger", [None, 7, "line", {"uri": URI, "value": {}}, ("uri",), Record, [SPACE]], ids=str)
def test_what_is_no_observation_is_a_type_error(stranger: Any) -> None:
    for observations in ([stranger], [SPACE, stranger]):
        with pytest.raises(TypeError, match="neither a Record nor a Deletion"):
            materialize(observations)
        with pytest.raises(TypeError, match="neither a Record nor a Deletion"):
            materialize(LAB).extend(observations)


def test_what_cannot_be_iterated_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        materialize(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        materialize(SPACE)  # type: ignore[arg-type]


def test_an_observation_made_twice_stands_once() -> None:
    join = write("did:plc:bot", "join", 60, space=ref(SPACE))
    known: list[Record | Deletion] = [
        again(join, rev=REVS[0], seen_at=at(70)),
        gone(join, rev=REVS[1]),
        again(join, rev=REVS[2], name="x"),
    ]
    index = materialize([*LAB, *known])
    assert materialize([*LAB, *known, *copy.deepcopy(known), *known[::-1], *copy.deepcopy(LAB)]) == index
    assert [(row.uri, row.kept, len(row.others), row.deleted) for row in index.edits] == [
        (join.uri, again(join, name="x").cid, 1, False)
    ]


def test_10_000_sightings_of_one_version_are_one_version() -> None:
    revs = ["3k" + "".join("234567abcd"[int(digit)] for digit in f"{n:011}") for n in range(10_000)]
    sightings = [seen(SPACE.uri, copy.deepcopy(SPACE.value), rev=rev) for rev in revs]
    index = materialize([*sightings, *sightings[::7]])
    space = index.space(SPACE.uri)
    assert space is not None
    assert space.cid == SPACE.cid
    assert (index.edits, index.ignored) == ((), ())


def test_10_000_deletions_of_one_record_mark_it_deleted() -> None:
    revs = ["3k" + "".join("234567abcd"[int(digit)] for digit in f"{n:011}") for n in range(10_000)]
    index = materialize([SPACE, *(gone(SPACE, rev=rev) for rev in revs)])
    assert [(row.uri, row.kept, row.others, row.deleted) for row in index.edits] == [(SPACE.uri, SPACE.cid, (), True)]


# Growing ------------------------------------------------------------------------------------------------------------


def test_growing_leaves_the_index_as_it_was() -> None:
    index = materialize([SPACE])
    index.explain(SPACE.uri)
    before = (index.to_json(), repr(index), index.explain(PROJECT.uri), index.project(PROJECT.uri))
    project = write(ROOT, "project", 9, "p", space=ref(SPACE), name="P", gitUrl="https://x.example", defaultBranch="m")
    grown = index.extend([project, again(SPACE, name="Other")])
    assert grown.project(project.uri) is not None
    assert [row.uri for row in grown.edits] == [SPACE.uri]
    assert (index.to_json(), repr(index), index.explain(PROJECT.uri), index.project(PROJECT.uri)) == before
    assert index.project(project.uri) is None
    assert index.edits == ()


def test_two_ways_to_grow_part_without_a_trace() -> None:
    trunk = materialize(LAB[:12])
    one, other = trunk.extend(LAB[12:20]), trunk.extend(LAB[20:])
    assert one == materialize(LAB[:20])
    assert other == materialize([*LAB[:12], *LAB[20:]])
    assert one.extend(LAB[20:]) == other.extend(LAB[12:20]) == materialize(LAB)


def test_a_batch_that_fails_leaves_nothing_behind() -> None:
    index = materialize([SPACE])
    clash = Record(uri=SPACE.uri, cid=SPACE.cid, value={"a": 1})
    with pytest.raises(ValueError, match="O4"):
        index.extend([*LAB, clash])
    with pytest.raises(TypeError):
        index.extend([*LAB, None])  # type: ignore[list-item]
    assert index == materialize([SPACE])
    assert index.extend(LAB) == materialize(LAB)


def test_nothing_added_is_nothing_changed() -> None:
    index = materialize(LAB)
    assert index.extend([]) == index
    assert index.extend(LAB) == index
    assert index.extend(iter(LAB)).to_json() == index.to_json()
