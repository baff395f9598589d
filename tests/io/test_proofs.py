"""What an event proves: the interop fixtures of Sync 1.1, and events made here, whole, cut and lying."""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.cids import Cid
from radial_core.jsonform import from_json
from radial_io.atproto.car import read_car
from radial_io.atproto.dagcbor import decode
from radial_io.atproto.partial import PartialTree
from radial_io.atproto.proofs import MOST_OPS, CommitProof, Op, ProvenOp, prove_commit, unchained
from radial_io.errors import CarError, CommitError, MissingBlockError, SignatureError, TreeError
from tests.io.repos import DID, KEY, LATEST, RADIAL, SIGNER, STRANGER, key_of, node, signed_commit
from tests.io.streams_fakes_repo import (
    Commit,
    SignedRepo,
    Write,
    block,
    car,
    cid_of,
    commit_body,
    spelled,
    tree,
)

GOAL = RADIAL + "goal/"
NOTE = RADIAL + "message/"


def _fixtures(shared: Path) -> list[dict[str, Any]]:
    path = shared / "fixtures/atproto-interop/firehose/commit-proof-fixtures.json"
    cases: list[dict[str, Any]] = json.loads(path.read_text())
    assert len(cases) == 6
    return cases


def test_the_interop_proofs(shared: Path) -> None:
    for case in _fixtures(shared):
        leaf = Cid.parse(case["leafValue"]).binary
        before = dict.fromkeys(case["keys"], leaf)
        after = dict.fromkeys({*case["keys"], *case["adds"]} - {*case["dels"]}, leaf)
        root, nodes = tree(before)
        assert spelled(root) == case["rootBeforeCommit"]
        new, new_nodes = tree(after)
        assert spelled(new) == case["rootAfterCommit"]

        whole = PartialTree(root, nodes.get)
        for key in case["adds"]:
            whole.put(key.encode(), leaf)
        for key in case["dels"]:
            whole.remove(key.encode())
        assert whole.root() == new, case["comment"]

        proof = {Cid.parse(text).binary for text in case["blocksInProof"]}
        slice_ = {cid: raw for cid, raw in new_nodes.items() if cid in proof}
        assert len(slice_) == len(proof)
        ops = tuple(Op("create", key, leaf, None) for key in case["adds"])
        ops += tuple(Op("delete", key, None, leaf) for key in case["dels"])
        assert unchained(ops, new, root, slice_.get) == "", case["comment"]
        assert unchained(ops[::-1], new, root, slice_.get) == "", case["comment"]
        with pytest.raises(CommitError, match="do not lead"):
            unchained(ops, new, new, slice_.get)
        assert "is not there" in unchained(ops, new, root, lambda _: None)


def _repo() -> SignedRepo:
    repo = SignedRepo(DID, SIGNER)
    repo.commit(*(Write(f"{NOTE}{number:04}", {"n": number}) for number in range(150)))
    return repo


def _proof(commit: Commit, /, **changes: Any) -> CommitProof:
    """What comes of an event; it passes through the reader of frames, as it does in a stream."""
    body = commit_body(DID, commit, 1, "2026-01-01T00:00:00Z") | changes
    return prove_commit(decode(block(body)), KEY, latest=LATEST)


def test_a_commit_with_all_three_operations() -> None:
    repo = _repo()
    last = repo.head
    changed = {"n": "another"}
    commit = repo.commit(Write(NOTE + "0007", changed), Write(NOTE + "0008", None), Write(GOAL + "new", {}))
    proof = _proof(commit)
    assert proof.commit.rev == commit.rev
    assert proof.commit.data.binary == commit.data
    assert proof.since == last.rev
    assert proof.previous == Cid(last.data)
    assert proof.unchained == ""
    collection = NOTE[:-1]
    assert proof.ops == (
        ProvenOp("update", collection, "0007", spelled(cid_of(block(changed))), block(changed)),
        ProvenOp("delete", collection, "0008", None, None),
        ProvenOp("create", GOAL[:-1], "new", spelled(cid_of(block({}))), block({})),
    )


def test_the_first_commit_follows_nothing() -> None:
    proof = _proof(_repo().head)
    assert all(op.unproven == "" for op in proof.ops)
    assert proof.previous is None
    assert "does not name the tree before" in proof.unchained


def test_an_empty_commit_is_chained() -> None:
    repo = _repo()
    proof = _proof(repo.commit())
    assert (proof.ops, proof.unchained) == ((), "")


def test_the_last_record_deleted_leaves_the_empty_tree() -> None:
    repo = SignedRepo(DID, SIGNER)
    repo.commit(Write(GOAL + "one", {}))
    proof = _proof(repo.commit(Write(GOAL + "one", None)))
    assert (proof.ops[0].unproven, proof.unchained) == ("", "")


def test_without_what_was_before_the_chain_is_not_shown() -> None:
    repo = _repo()
    commit = repo.commit(Write(NOTE + "0007", {}))
    op = {name: item for name, item in commit.ops[0].items() if name != "prev"}
    proof = _proof(commit, ops=[op])
    assert proof.ops[0].unproven == ""
    assert "what its operations replaced" in proof.unchained


def test_missing_blocks_leave_things_unproven_and_are_never_guessed() -> None:
    repo = _repo()
    commit = repo.commit(Write(NOTE + "0007", {}), Write(NOTE + "0008", None))
    bare = _proof(commit, blocks=car(commit.cid, [commit.raw]))
    assert all("is not there" in op.unproven and op.raw is None for op in bare.ops)
    assert "is not there" in bare.unchained
    no_record = _proof(commit, blocks=car(commit.cid, [commit.raw, *commit.nodes.values()]))
    assert "record is not in the CAR" in no_record.ops[0].unproven
    assert no_record.ops[1].unproven == ""
    assert no_record.unchained == ""
    root_only = _proof(commit, blocks=car(commit.cid, [commit.raw, commit.nodes[commit.data]]))
    assert any(op.unproven for op in root_only.ops)
    with pytest.raises(MissingBlockError, match="commit"):
        _proof(commit, blocks=car(commit.cid, []))


def test_bytes_that_are_no_record_are_proven_and_spoiled() -> None:
    repo = SignedRepo(DID, SIGNER)
    commit = repo.commit(Write(GOAL + "half", 0.5), Write(GOAL + "list", [1]), Write(GOAL + "good", {}))
    half, items, good = _proof(commit).ops
    assert "float" in half.spoiled
    assert "no object" in items.spoiled
    assert (half.unproven, items.unproven, good.unproven, good.spoiled) == ("", "", "", "")


def _lies() -> dict[str, Any]:
    repo = _repo()
    commit = repo.commit(Write(NOTE + "0007", {"n": -1}), Write(NOTE + "0008", None), Write(GOAL + "new", {}))
    update, delete, create = commit.ops
    other = SignedRepo(DID, STRANGER)
    other.commit(Write(GOAL + "new", {}))
    return {
        "one operation is kept back": (commit, {"ops": [update, delete]}, "do not lead"),
        "another value than in the tree": (commit, {"ops": [update | {"cid": create["cid"]}]}, "bear out"),
        "a deletion of what is still there": (
            commit,
            {"ops": [{"action": "delete", "path": NOTE + "0009", "cid": None, "prev": update["prev"]}]},
            "bear out",
        ),
        "a creation of what is not there": (commit, {"ops": [create | {"path": GOAL + "else"}]}, "bear out"),
        "another state before": (commit, {"prevData": create["cid"]}, "do not lead"),
        "two operations on one path": (commit, {"ops": [update, update]}, "two operations"),
        "too many operations": (commit, {"ops": [create] * (MOST_OPS + 1)}, "more than 200"),
        "operations that are no list": (commit, {"ops": None}, "list of operations"),
        "an operation that is none": (commit, {"ops": ["create"]}, "no object"),
        "an unknown action": (commit, {"ops": [create | {"action": "move"}]}, "move"),
        "an action that is no word": (commit, {"ops": [create | {"action": []}]}, "operation"),
        "a path that is none": (commit, {"ops": [create | {"path": "goal"}]}, "operation"),
        "a path out of the repo": (commit, {"ops": [create | {"path": GOAL + ".."}]}, "operation"),
        "a creation without its record": (commit, {"ops": [create | {"cid": None}]}, "as it must"),
        "a deletion with a record": (commit, {"ops": [delete | {"cid": create["cid"]}]}, "as it must"),
        "a prev that is no link": (commit, {"ops": [update | {"prev": "x"}]}, "as it must"),
        "another rev": (commit, {"rev": repo.commits[0].rev}, "says rev"),
        "another repo": (commit, {"repo": "did:plc:" + "b" * 24}, "not of"),
        "no repo": (commit, {"repo": None}, "whose commit"),
        "no blocks": (commit, {"blocks": None}, "without blocks"),
        "another commit": (commit, {"commit": create["cid"]}, "that of its commit"),
        "a strange signer": (other.head, {}, "not signed"),
    }


@pytest.mark.parametrize("name", list(_lies()))
def test_an_event_that_lies_is_refused(name: str) -> None:
    commit, changes, reason = _lies()[name]
    with pytest.raises(CommitError, match=reason):
        _proof(commit, **changes)


def test_only_a_wrong_signature_is_worth_another_key() -> None:
    repo = SignedRepo(DID, STRANGER)
    body = decode(block(commit_body(DID, repo.commit(Write(GOAL + "new", {})), 1, "2026-01-01T00:00:00Z")))
    with pytest.raises(SignatureError):
        prove_commit(body, KEY, latest=LATEST)
    assert prove_commit(body, key_of(STRANGER), latest=LATEST).ops[0].unproven == ""


def test_a_broken_car_is_refused() -> None:
    commit = _repo().head
    with pytest.raises(CarError):
        _proof(commit, blocks=commit.event_car()[:-1])
    with pytest.raises(CarError):
        _proof(commit, blocks=b"")


def _key_on(layer: int) -> bytes:
    """A key that belongs on this layer; its layer is counted in bits of its hash."""
    for number in count():
        key = f"{GOAL}{number}".encode()
        bits = "".join(f"{byte:08b}" for byte in sha256(key).digest())
        if bits.index("1") // 2 == layer:
            return key
    raise AssertionError


def test_a_tree_that_is_wrong_on_the_way_is_refused() -> None:
    low, high, value = _key_on(0), _key_on(1), cid_of(block({}))
    leaf, upper, empty = node([(0, low, value, None)]), node([(0, high, value, None)]), node([])
    wrong = {
        "no key at the top": [node([], left=cid_of(leaf)), leaf],
        "keys of two layers in a node": [node(_entries(low, high, value))],
        "a subtree below the lowest layer": [node([(0, low, value, None)], left=cid_of(leaf)), leaf],
        "a subtree on the wrong layer": [node([(0, high, value, None)], left=cid_of(upper)), upper],
        "an empty subtree": [node([(0, high, value, cid_of(empty))], left=cid_of(empty)), empty],
    }
    for name, (root, *others) in wrong.items():
        raw = signed_commit(cid_of(root))
        nodes = {cid_of(item): item for item in (root, *others)}
        ops = ({"action": "delete", "path": GOAL + "-", "cid": None},)  # before all others: the way leads left
        commit = Commit(decode(raw)["rev"], raw, cid_of(root), nodes, {}, None, None, ops)
        with pytest.raises(TreeError):
            print(name, _proof(commit))


def test_a_way_without_end_ends() -> None:
    key, high = (GOAL + "-").encode(), _key_on(1)
    chain = [node([])]
    while len(chain) < 3000:
        chain.append(node([], cid_of(chain[-1])))
    root = node([(0, high, cid_of(b"\xa0"), None)], cid_of(chain[-1]))
    blocks = {cid_of(item): item for item in (*chain, root)}
    with pytest.raises(TreeError, match="below the lowest layer"):
        PartialTree(cid_of(root), blocks.get).value(key)
    with pytest.raises(TreeError, match="below the lowest layer"):
        PartialTree(cid_of(root), blocks.get).put(key, cid_of(b"\xa0"))


def _entries(low: bytes, high: bytes, value: bytes) -> list[tuple[int, bytes, bytes, None]]:
    first, second = sorted((low, high))
    shared = next(at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other)
    return [(0, first, value, None), (shared, second[shared:], value, None)]


# Whatever is changed: undone, it leads back, and what a partial tree computes is what the whole one is.
_PATHS = st.integers(0, 400).map(lambda number: f"{NOTE}{number:03}")


@given(st.sets(_PATHS, max_size=60), st.dictionaries(_PATHS, st.sampled_from(["a", "b", None]), max_size=12))
def test_undoing_leads_back(present: set[str], changes: dict[str, str | None]) -> None:
    repo = SignedRepo(DID, SIGNER)
    repo.commit(*(Write(path, {"v": "first"}) for path in sorted(present)))
    writes = [Write(path, v and {"v": v}) for path, v in changes.items() if v is not None or path in present]
    commit = repo.commit(*writes)
    proof = _proof(commit)
    assert proof.unchained == ""
    assert [op.unproven for op in proof.ops] == [""] * len(writes)
    # Forwards too, from the whole tree before.
    forwards = PartialTree(repo.commits[0].data, repo.commits[0].nodes.get)
    for op in proof.ops:
        key = f"{op.collection}/{op.rkey}".encode()
        if op.cid is None:
            forwards.remove(key)
        else:
            forwards.put(key, Cid.parse(op.cid).binary)
    assert forwards.root() == commit.data


@given(st.sets(_PATHS, min_size=1, max_size=60), st.data())
def test_any_block_less_is_unproven_or_makes_no_difference(present: set[str], data: st.DataObject) -> None:
    repo = SignedRepo(DID, SIGNER)
    repo.commit(*(Write(path, {}) for path in sorted(present)))
    commit = repo.commit(Write(min(present), None), Write(GOAL + "new", {}))
    gone = data.draw(st.sampled_from(sorted(commit.nodes)))
    kept = [raw for cid, raw in commit.nodes.items() if cid != gone]
    proof = _proof(commit, blocks=car(commit.cid, [commit.raw, *kept, commit.records[GOAL + "new"]]))
    whole = _proof(commit)
    for op, known in zip(proof.ops, whole.ops, strict=True):
        assert op == known or (op.unproven and op.raw is None)
    assert proof.unchained == "" or "is not there" in proof.unchained


def test_a_key_that_is_not_there_cannot_be_taken_out() -> None:
    root, nodes = tree({GOAL + "a": cid_of(b"\xa0")})
    with pytest.raises(KeyError):
        PartialTree(root, nodes.get).remove(b"x")


REAL = ("4621317030", "4621317332", "4621332152", "4623075231")


@pytest.mark.parametrize("number", REAL)
def test_real_events_bear_out_what_they_say(shared: Path, number: str) -> None:
    # Their accounts' documents are not at hand, so it is the tree that is looked at, not the signature.
    path = shared / f"fixtures/atproto-interop/extra-indigo/firehose_commit_{number}.json"
    body = from_json(json.loads(path.read_text()))
    _, blocks = read_car(body["blocks"])
    commit = decode(blocks[body["commit"].binary])
    assert (commit["did"], commit["rev"], commit["version"]) == (body["repo"], body["rev"], 3)
    tree = PartialTree(commit["data"].binary, blocks.get)
    assert body["ops"]
    for op in body["ops"]:
        expected = None if op["action"] == "delete" else op["cid"].binary
        assert tree.value(op["path"].encode()) == expected
        assert expected is None or decode(blocks[expected])["$type"] == op["path"].partition("/")[0]
    assert tree.root() == commit["data"].binary


@pytest.mark.parametrize("number", REAL)
def test_real_events_of_another_signer_are_refused(shared: Path, number: str) -> None:
    path = shared / f"fixtures/atproto-interop/extra-indigo/firehose_commit_{number}.json"
    with pytest.raises(SignatureError):
        prove_commit(from_json(json.loads(path.read_text())), KEY, latest=LATEST)
