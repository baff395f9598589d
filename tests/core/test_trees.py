"""A digest tree that was written down tells where two observers differ, and nothing that is not so."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core import Difference, Index, materialize, read_jsonl
from radial_core.trees import TreeError, read_tree, tree_differences
from tests import oracle
from tests.core.small_world import GOAL, JOIN, PLAN, PROJECT, REMARK, SPACE, WORLD, again
from tests.histories import histories

INDEX = materialize(WORLD)


def written(index: Index) -> Any:
    """Write a tree to text and read it as JSON."""
    return json.loads(json.dumps(index.digest_tree()))


def compare(here: Index, there: Index) -> tuple[Difference, ...]:
    return tree_differences(read_tree(written(here)), read_tree(written(there)))


def test_a_tree_holds_the_projections_beside_their_digests() -> None:
    tree = written(INDEX)
    assert tree["digest"] == INDEX.digest
    (lab,) = (space for space in tree["spaces"] if space["uri"] == SPACE.uri)
    (goal,) = lab["goals"]
    assert goal["digest"] == oracle.canonical.cid_of({key: goal[key] for key in goal if key != "digest"})
    assert [PLAN.uri, PLAN.cid] in goal["records"]
    own = {key: lab[key] for key in lab if key not in ("digest", "projects", "goals")}
    inner = {name: [[place["uri"], place["digest"]] for place in lab[name]] for name in ("projects", "goals")}
    assert lab["digest"] == oracle.canonical.cid_of(own | inner)
    assert {place["uri"]: place["digest"] for place in (*lab["projects"], *lab["goals"])} == {
        view.uri: view.digest for space in INDEX.spaces for places in (space.projects, space.goals) for view in places
    }


def test_equal_trees_do_not_differ() -> None:
    assert compare(INDEX, materialize(reversed(WORLD))) == ()


@pytest.mark.parametrize("record", [record for record in WORLD if record.uri != JOIN.uri], ids=lambda r: r.uri)
def test_a_record_that_is_lacking_is_named_as_the_records_would_name_it(record: Any) -> None:
    other = materialize(one for one in WORLD if one.uri != record.uri)
    found, known = compare(INDEX, other), INDEX.diff(other)
    # A tree does not name the switches, joins and removals of a space: everything else is as the records say.
    assert [(one.kind, one.uri) for one in found] == [(one.kind, one.uri) for one in known]
    for one, full in zip(found, known, strict=True):
        same = one == full if one.kind != "space" else set(one.only_here) <= set(full.only_here)
        assert same, (one, full)


def test_versions_claims_and_what_is_read_off_them() -> None:
    changed = materialize([*(one for one in WORLD if one != REMARK), again(REMARK, body="other")])
    assert compare(INDEX, changed) == (Difference("goal", GOAL.uri, (), (), (REMARK.uri,)),)
    closed = INDEX.extend([again(GOAL, rev="3kaaaaaaaaab2"), again(GOAL, rev="3kaaaaaaaaac2", closed=True)])
    assert compare(INDEX, closed) == (Difference("goal", GOAL.uri, (), (), ()),)


def test_a_space_that_one_side_lacks_is_named_with_all_its_places() -> None:
    found = compare(INDEX, materialize([]))
    assert [(one.kind, one.uri) for one in found if one.uri in (SPACE.uri, PROJECT.uri, GOAL.uri)] == [
        ("space", SPACE.uri),
        ("project", PROJECT.uri),
        ("goal", GOAL.uri),
    ]
    assert all(one.only_there == () for one in found)


def test_a_tree_of_one_space_has_its_digest_on_top() -> None:
    tree = written(INDEX)
    space = tree["spaces"][1]
    assert read_tree({"digest": space["digest"], "spaces": [space]}).digest == space["digest"]
    with pytest.raises(TreeError, match="not that of these spaces"):
        read_tree({"digest": space["digest"], "spaces": tree["spaces"]})
    with pytest.raises(TreeError, match="not that of these spaces"):
        read_tree({"digest": tree["digest"], "spaces": [*tree["spaces"], space]})


@pytest.mark.parametrize(
    "plain", [None, [], {}, {"digest": "x"}, {"digest": "x", "spaces": {}}, {"digest": 1, "spaces": []}]
)
def test_what_is_no_tree_is_refused(plain: Any) -> None:
    with pytest.raises(TreeError):
        read_tree(plain)


def spots(value: Any) -> list[tuple[Any, Any]]:
    """List every place in a JSON value: its holder and its key or index."""
    found, waiting = [], [value]
    while waiting:
        holder = waiting.pop()
        steps = list(holder) if isinstance(holder, dict) else range(len(holder))
        for step in steps:
            found.append((holder, step))
            if isinstance(holder[step], dict | list):
                waiting.append(holder[step])
    return found


@pytest.mark.parametrize("change", [None, "", "x", "\ud800", 1, 1.5, True, [], {}, ["a"], [["a", "b"]]], ids=repr)
def test_a_tree_that_was_changed_anywhere_is_refused(change: Any) -> None:
    tree = written(INDEX)
    for number in range(len(spots(tree))):
        spoilt = copy.deepcopy(tree)
        holder, step = spots(spoilt)[number]
        if json.dumps(holder[step]) == json.dumps(change):
            continue
        holder[step] = change
        with pytest.raises(TreeError):
            read_tree(spoilt)


def test_a_tree_from_which_something_was_cut_is_refused() -> None:
    tree = written(INDEX)
    for number in range(len(spots(tree))):
        spoilt = copy.deepcopy(tree)
        holder, step = spots(spoilt)[number]
        del holder[step]
        with pytest.raises(TreeError):
            read_tree(spoilt)


@given(histories(), st.randoms(use_true_random=False))
def test_trees_and_records_tell_the_same_places(history: list[dict[str, Any]], rng: random.Random) -> None:
    here, there = (
        materialize(read_jsonl(json.dumps(one) for one in rng.sample(history, rng.randint(0, len(history)))))
        for _ in range(2)
    )
    found, known = compare(here, there), here.diff(there)
    assert [(one.kind, one.uri) for one in found] == [(one.kind, one.uri) for one in known]
    assert [one for one in found if one.kind != "space"] == [one for one in known if one.kind != "space"]
