"""The laws of the fold, on generated histories: only the set of observations matters, and only what it should.

Strategy: `tests.histories` makes crowded little worlds with edits, deletions, duplicates, missing revisions, equal
times, dangling and cyclic references, and people who come and go. Each law is one property. The oracle is the literal
reading of the protocol by another hand, in another style, without our code.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from radial_core import Index, materialize, read_jsonl
from tests import oracle
from tests.histories import PREFIX, histories

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

History = list[dict[str, Any]]


def fold(history: Iterable[dict[str, Any]]) -> Index:
    return materialize(read_jsonl(json.dumps(one) for one in history))


def without_reasons(plain: dict[str, Any]) -> dict[str, Any]:
    """The reasons of refusals are each implementation's own words."""
    return plain | {"ignored": [{key: row[key] for key in ("uri", "cid", "rule")} for row in plain["ignored"]]}


@given(histories(most=60))
def test_the_oracle_agrees(history: History) -> None:
    found = json.loads(json.dumps(fold(history).to_json()))
    assert without_reasons(found) == without_reasons(oracle.materialize(history))


@given(histories(), st.randoms(use_true_random=False))
def test_order_changes_nothing(history: History, random: Any) -> None:
    shuffled = random.sample(history, len(history))
    assert fold(shuffled) == fold(history)
    assert fold(shuffled).to_json() == fold(history).to_json()


@given(histories(), st.data())
def test_repetition_changes_nothing(history: History, data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(history), max_size=10))
    assert fold([*history, *again]).to_json() == fold(history).to_json()


@given(histories(), st.data())
def test_batches_change_nothing(history: History, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(history)), max_size=4)))
    bounds = [0, *cuts, len(history)]
    index = materialize([])
    for start, end in itertools.pairwise(bounds):
        before = index.to_json()
        grown = index.extend(read_jsonl(json.dumps(one) for one in history[start:end]))
        assert index.to_json() == before
        index = grown
    assert index.to_json() == fold(history).to_json()


@given(histories(most=60), st.randoms(use_true_random=False))
def test_one_by_one_in_any_order_changes_nothing(history: History, random: Any) -> None:
    """Looked at in between, or not: what was shown before must neither stay nor go wrongly."""
    lines = [json.dumps(one) for one in random.sample(history, len(history))]
    index = materialize([])
    for line in lines:
        index = index.extend(read_jsonl([line]))
        if random.random() < 0.5:
            index.spaces  # noqa: B018 - a look
    whole = fold(history)
    assert index.to_json() == whole.to_json()
    for one in history:
        assert index.explain(one["uri"]) == whole.explain(one["uri"])
        assert index.edges(one["uri"]) == whole.edges(one["uri"])


@given(histories(), st.data())
def test_every_index_on_the_way_stays_what_it_was(history: History, data: st.DataObject) -> None:
    """Also when the later ones are looked at first: views are shared, and must not leak."""
    indexes = [materialize([])]
    for one in history:
        indexes.append(indexes[-1].extend(read_jsonl([json.dumps(one)])))
    for _ in range(5):
        at = data.draw(st.integers(0, len(history)))
        assert indexes[at].to_json() == fold(history[:at]).to_json()


@given(histories(most=60))
def test_every_uri_ends_in_exactly_one_place(history: History) -> None:
    plain = fold(history).to_json()
    homes: dict[str, int] = {}
    for space in plain["spaces"]:
        for place in (space, *space["projects"], *space["goals"]):
            for uri in place["records"]:
                homes[uri] = homes.get(uri, 0) + (0 if f"/{PREFIX}agent/" in uri and uri in homes else 1)
    for row in (*plain["images"], *plain["ignored"]):
        homes[row["uri"]] = homes.get(row["uri"], 0) + 1
    assert homes == dict.fromkeys({one["uri"] for one in history}, 1)


@given(histories(most=60))
def test_a_space_is_a_function_of_its_own_lines(history: History) -> None:
    index = fold(history)
    for space in index.spaces:
        places: list[Any] = [space, *space.projects, *space.goals]
        own = {uri for place in places for uri in place.records}
        alone = fold(one for one in history if one["uri"] in own).space(space.uri)
        assert alone is not None
        assert alone.digest == space.digest


@given(histories(most=60))
def test_images_change_only_images(history: History) -> None:
    plain = fold(history).to_json()
    rest = fold(one for one in history if f"/{PREFIX}image/" not in one["uri"]).to_json()
    assert rest["digest"] == plain["digest"]
    assert rest["spaces"] == plain["spaces"]
    assert rest["images"] == []
    for name in ("ignored", "edits"):
        assert rest[name] == [row for row in plain[name] if f"/{PREFIX}image/" not in row["uri"]]


@given(histories(most=60), st.data())
def test_what_is_ignored_changes_only_ignored(history: History, data: st.DataObject) -> None:
    plain = fold(history).to_json()
    if not plain["ignored"]:
        return
    gone = data.draw(st.sampled_from([row["uri"] for row in plain["ignored"]]))
    rest = fold(one for one in history if one["uri"] != gone).to_json()
    assert (rest["digest"], rest["spaces"], rest["images"]) == (plain["digest"], plain["spaces"], plain["images"])
    for name in ("ignored", "edits"):
        assert [{**row, "reason": ""} for row in rest[name]] == [
            {**row, "reason": ""} for row in plain[name] if row["uri"] != gone
        ]


def shape(plain: Any) -> Any:
    """An index without CIDs and what is made of them."""
    if isinstance(plain, dict):
        return {
            key: shape(inner) for key, inner in plain.items() if key not in ("cid", "digest", "kept", "grant", "record")
        }
    return [shape(inner) for inner in plain] if isinstance(plain, list) else plain


@given(histories(most=60))
def test_unknown_fields_change_nothing_but_cids(history: History) -> None:
    single = list({one["uri"]: one for one in history if isinstance(one.get("value"), dict)}.values())
    renamed: dict[str, str] = {}
    marked = []
    for one in single:
        value = one["value"] | {"zzUnknown": {"deep": [1, "two", None]}}
        marked.append({**one, "value": value, "cid": oracle.canonical.cid_of(value)})
        renamed[one["cid"]] = marked[-1]["cid"]
    told = json.loads(json.dumps(shape(fold(single).to_json())))
    retold = json.loads(json.dumps(shape(fold(marked).to_json())))
    # A reference keeps the CID that its author wrote, so it may pin another version now; where it leads stays.
    assert unpinned(retold) == unpinned(told)


def unpinned(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: unpinned(inner) for key, inner in plain.items() if key not in ("pin", "others")}
    return [unpinned(inner) for inner in plain] if isinstance(plain, list) else plain


@given(histories(most=60))
def test_revisions_and_sightings_decide_no_trust(history: History) -> None:
    """RAD-3.14: with one version at each URI and no deletion, blanking rev and seenAt changes nothing at all."""
    single = list({one["uri"]: one for one in history if "value" in one}.values())
    blank = [{key: one[key] for key in one if key not in ("rev", "seenAt")} for one in single]
    assert fold(blank).to_json() == fold(single).to_json()


@given(histories(most=60))
def test_overlays_leave_primary_records_alone(history: History) -> None:
    """RAD-4.7: endings, names, archived states and switches stand beside a record and never in it."""
    overlays = tuple(
        f"/{PREFIX}{kind}/" for kind in ("closeGoal", "archiveGoal", "editProject", "archiveProject", "setAutoReview")
    )
    index = fold(history)
    bare = fold(one for one in history if not any(mark in one["uri"] for mark in overlays))
    for space in index.spaces:
        for place in [*list[Any](space.projects), *space.goals]:
            entry, bare_entry = index.entry(place.uri), bare.entry(place.uri)
            assert entry is not None
            assert bare_entry is not None
            assert (entry.uri, entry.cid, entry.value) == (bare_entry.uri, bare_entry.cid, bare_entry.value)


@given(histories(most=60), st.text(max_size=5))
def test_nothing_branches_on_a_disposition(history: History, word: str) -> None:
    """RAD-7.15: another word in a disposition changes that word and CIDs, and nothing else."""

    def reworded(one: dict[str, Any]) -> dict[str, Any]:
        value = one.get("value")
        if not isinstance(value, dict) or not isinstance(value.get("disposition"), str):
            return one
        value = value | {"disposition": word}
        return {**one, "value": value, "cid": oracle.canonical.cid_of(value)}

    single = list({one["uri"]: one for one in history if "value" in one}.values())
    told, retold = (unpinned(shape(fold(one).to_json())) for one in (single, map(reworded, single)))

    def unworded(plain: dict[str, Any]) -> dict[str, Any]:
        for space in plain["spaces"]:
            for goal in space["goals"]:
                if goal["ending"] is not None and goal["ending"]["disposition"] is not None:
                    goal["ending"]["disposition"] = "word"
        return plain

    assert unworded(json.loads(json.dumps(retold))) == unworded(json.loads(json.dumps(told)))


@given(histories(most=60))
def test_a_hostile_member_spoils_only_its_own_records(history: History) -> None:
    """RAD-12.4: when a member is removed, what others see is as if it had never written anything."""
    index = fold(history)
    for space in index.spaces:
        members = {member.did for member in space.members if member.grant is not None}
        grants = {grant.uri for grant in space.grants}
        for did in members:
            others = [one for one in history if not one["uri"].startswith(f"at://{did}/") or one["uri"] in grants]
            removed = [*others, *removals(space, did)]
            with_corpus = fold([*history, *removals(space, did)]).space(space.uri)
            without = fold(removed).space(space.uri)
            assert with_corpus is not None
            assert without is not None
            if did not in {member.did for member in with_corpus.members}:
                assert with_corpus.goals == without.goals
                assert with_corpus.projects == without.projects


def removals(space: Any, did: str) -> list[dict[str, Any]]:
    """Root's final word about one member, after everything else."""
    grant = next(member.grant for member in space.members if member.did == did)
    value = {
        "$type": PREFIX + "removeMember",
        "createdAt": "9999-12-31T23:59:59.99-23:59",
        "space": {"uri": space.uri, "cid": space.cid},
        "did": did,
        "membership": {"uri": grant.uri, "cid": grant.cid},
    }
    return [{"uri": f"at://{space.root}/{PREFIX}removeMember/last", "value": value}]


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_hash_seeds_change_nothing(seed: str, root: Path) -> None:
    """D3: the digest of one history, computed by processes whose sets and dicts hash differently."""
    program = """
import json, random
from radial_core import materialize, read_jsonl
from tests.histories import HistoryMaker
digests = []
for seed in range(20):
    history = HistoryMaker(random.Random(seed).choice).history(60)
    index = materialize(read_jsonl(json.dumps(one) for one in history))
    digests.append([index.digest, json.dumps(index.to_json())])
print(json.dumps(digests))
"""
    outputs = []
    for hash_seed in ("0", seed):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root)}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert len(json.loads(outputs[0])) == 20
