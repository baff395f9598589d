"""The corpus keeps what it promises: the count, the mix, the same bytes everywhere."""

import hashlib
import os
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from radial_core import Index, Record, materialize, read_jsonl, to_line
from radial_core.canonical import cid_of
from radial_core.records import COLLECTIONS
from radial_core.views import GoalView, ProjectView
from radial_corpus import observations
from radial_corpus.breaches import BREACHES

LARGE = 20_000

FINGERPRINT = """
import hashlib, sys
from radial_core import to_line
from radial_corpus import observations
lines = "".join(to_line(seen) + "\\n" for seen in observations(3_000, seed=7))
print(hashlib.sha256(lines.encode()).hexdigest())
"""


def places(index: Index) -> list[ProjectView | GoalView]:
    found: list[ProjectView | GoalView] = []
    for space in index.spaces:
        found += [*space.projects, *space.goals]
    return found


@pytest.fixture(scope="module")
def index() -> Index:
    return materialize(observations(LARGE))


def fingerprint(root: Path, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", FINGERPRINT]
    return subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def test_every_process_writes_the_same_bytes(root: Path) -> None:
    lines = "".join(to_line(seen) + "\n" for seen in observations(3_000, seed=7))
    here = hashlib.sha256(lines.encode()).hexdigest()
    assert {fingerprint(root, seed) for seed in ("0", "1", "random")} == {here}


def test_another_seed_writes_something_else() -> None:
    one, other = ([to_line(seen) for seen in observations(500, seed)] for seed in (0, 1))
    assert set(one).isdisjoint(other)


@pytest.mark.parametrize("records", [0, 1, 99, 100, 101, 1_000, 1_001, 10_000])
def test_the_count_is_exact(records: int) -> None:
    assert sum(1 for _ in observations(records)) == records


@pytest.mark.parametrize("seed", range(12))
def test_the_count_is_exact_whatever_the_seed(seed: int) -> None:
    assert sum(1 for _ in observations(1_234, seed)) == 1_234


def test_a_negative_count_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="-1"):
        observations(-1)


def test_a_million_begin_at_once() -> None:
    assert len([*islice(observations(1_000_000), 50)]) == 50


def test_every_cid_is_that_of_its_value() -> None:
    records = [seen for seen in observations(1_000) if isinstance(seen, Record)]
    assert [seen.uri for seen in records if seen.cid != cid_of(seen.value)] == []


def test_lines_read_back_as_they_were() -> None:
    seen = [*observations(1_000)]
    assert [*read_jsonl(map(to_line, seen))] == seen


def test_every_kind_of_record_occurs_and_counts(index: Index) -> None:
    counting = [uri for place in (*index.spaces, *places(index)) for uri in place.records]
    kinds = {uri.split("/")[3] for uri in (*counting, *(image.uri for image in index.images))}
    assert kinds == COLLECTIONS


def test_every_rule_that_ignores_occurs(index: Index) -> None:
    assert {row.rule for row in index.ignored} == set(BREACHES)


@pytest.mark.parametrize("records", [100, 1_000, 10_000])
def test_little_is_ignored_at_any_size(records: int) -> None:
    index = materialize(observations(records))
    uris = {seen.uri for seen in observations(records)}
    assert 0 < len(index.ignored) < len(uris) / 10


def test_every_reason_of_an_edit_occurs(index: Index) -> None:
    reasons = {other.reason for row in index.edits for other in row.others}
    assert reasons == {"invalid", "deleted", "frozen", "C2", "shortened", "superseded", "legacy ending", "edit"}
    assert any(row.deleted for row in index.edits)
    assert any(not row.deleted for row in index.edits)


def test_spaces_and_goals_grow_with_the_corpus(index: Index) -> None:
    small = materialize(observations(1_000))
    assert 1 <= len(small.spaces) < len(index.spaces)
    goals = [sum(len(space.goals) for space in each.spaces) for each in (small, index)]
    assert 10 * goals[0] < goals[1]
    assert all(10 <= len(space.members) <= 60 for space in index.spaces)


def test_most_goals_are_of_the_usual_size_and_some_are_large(index: Index) -> None:
    sizes = Counter(len(goal.records) // 15 for space in index.spaces for goal in space.goals)
    usual = sum(sizes[size] for size in range(1, 4))
    assert usual > sum(sizes.values()) / 2
    assert max(sizes) >= 10


def test_references_are_held_edited_unseen_and_unresolved(index: Index) -> None:
    reviews = [
        review for space in index.spaces for goal in space.goals for work in goal.artifacts for review in work.reviews
    ]
    messages = [message for space in index.spaces for goal in space.goals for message in goal.messages]
    pins = Counter(message.parent.pin for message in messages if message.parent is not None)
    assert pins["held"] > 0.9 * pins.total()
    assert set(pins) == {"held", "edited", "unseen", None}
    assert {review.request.resolved for review in reviews if review.request is not None} == {True, False}


def test_the_states_of_a_request_all_occur(index: Index) -> None:
    requests = [request for place in places(index) for request in place.requests]
    assert {request.dispatchable for request in requests if request.open} == {True, False}
    for field in ("fulfilled_by", "declined_by", "retracted_by", "awaiting_input", "claims", "questions", "based_on"):
        assert {bool(getattr(request, field)) for request in requests} == {True, False}
    assert {request.type_known for request in requests} == {True, False}
    assert {request.scope_fits for request in requests} == {True, False, None}
    assert any(len(request.claims) > 1 for request in requests)


def test_what_hangs_on_work_occurs_in_all_its_states(index: Index) -> None:
    work = [artifact for place in places(index) for artifact in place.artifacts]
    assert {None if one.claim is None else one.claim.lost for one in work} == {None, True, False}
    assert {run.passed for one in work for run in one.checkruns} == {True, False}
    assert {one.merged is None for one in work} == {True, False}
    assert {one.auto_review for one in work} == {True, False}
    assert {chain.forks for place in places(index) for chain in place.chains} == {True, False}
    assert any(
        document.staleness for space in index.spaces for project in space.projects for document in project.system
    )


def test_goals_end_in_every_way(index: Index) -> None:
    endings = [goal.ending for space in index.spaces for goal in space.goals if goal.ending is not None]
    assert {ending.disposition for ending in endings} == {"completed", "dropped", "superseded", "parked", None}
    assert any(ending.at is None for ending in endings)
    assert any(not goal.ended for space in index.spaces for goal in space.goals)


def test_grants_come_to_every_end_and_switches_stand_both_ways(index: Index) -> None:
    assert {grant.state for space in index.spaces for grant in space.grants} == {"current", "replaced", "revoked"}
    assert {space.guest_comments for space in index.spaces} == {True, False}
    assert {project.archived for space in index.spaces for project in space.projects} == {True, False}
    assert any(goal.guests for space in index.spaces for goal in space.goals)


def test_instants_are_spelled_in_many_ways_and_some_are_equal() -> None:
    records = [seen for seen in observations(LARGE) if isinstance(seen, Record)]
    texts = [seen.value["createdAt"] for seen in records if isinstance(seen.value.get("createdAt"), str)]
    assert {text[-6:] for text in texts} >= {"+01:00", "+05:30", "-07:00", "+00:00"}
    assert {len(text) for text in texts if text.endswith("Z")} >= {24, 27, 33}
    assert max(Counter(texts).values()) > 1


def test_revisions_and_sightings_are_missing_now_and_then() -> None:
    known = {(seen.rev is not None, seen.seen_at is not None) for seen in observations(1_000)}
    assert known == {(True, True), (True, False), (False, True), (False, False)}
