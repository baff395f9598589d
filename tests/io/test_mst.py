"""The tree: the interop fixtures, trees of any keys, and every way to write another tree of the same keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from radial_io.atproto.car import read_car
from radial_io.atproto.dagcbor import decode
from radial_io.atproto.mst import Node, layer_of, node_at, read_node, shared_prefix, walk, write_node
from radial_io.errors import MissingBlockError, TreeError
from tests.io.repos import node
from tests.io.streams_fakes_repo import block, cid_of, link, tree

VALUE = cid_of(b"\xa0")


def _fixture(shared: Path, name: str) -> Path:
    return shared / "fixtures/atproto-interop/mst" / name


def test_the_interop_layers(shared: Path) -> None:
    cases = json.loads(_fixture(shared, "key_heights.json").read_text())
    assert len(cases) == 9
    for case in cases:
        assert layer_of(case["key"].encode()) == case["height"], case


def test_the_interop_prefixes(shared: Path) -> None:
    cases = json.loads(_fixture(shared, "common_prefix.json").read_text())
    assert len(cases) == 13
    for case in cases:
        assert shared_prefix(case["left"].encode(), case["right"].encode()) == case["len"], case


def test_the_interop_example_keys(shared: Path) -> None:
    # Names begin with a letter for the layer: A0/…, B1/…
    keys = _fixture(shared, "example_keys.txt").read_text().split()
    assert len(keys) == 156
    for key in keys:
        assert layer_of(key.encode()) == int(key[1]), key
    root, nodes = tree(dict.fromkeys(keys, VALUE))
    assert [key.decode() for key, _ in walk(root, nodes.get)] == sorted(keys)


@pytest.mark.parametrize(
    ("keys", "root"),
    [
        ([], "bafyreie5737gdxlw5i64vzichcalba3z2v5n6icifvx5xytvske7mr3hpm"),
        (["com.example.record/3jqfcqzm3fo2j"], "bafyreibj4lsc3aqnrvphp5xmrnfoorvru4wynt6lwidqbm2623a6tatzdu"),
        (["com.example.record/3jqfcqzm3fx2j"], "bafyreih7wfei65pxzhauoibu3ls7jgmkju4bspy4t2ha2qdjnzqvoy33ai"),
    ],
)
def test_known_roots(keys: list[str], root: str) -> None:
    """Roots that implementations of the protocol publish for these keys, all with this value."""
    value = _binary("bafyreie5cvv4h45feadgeuwhbcutmh6t2ceseocckahdoe6uat64zmz454")
    made, nodes = tree(dict.fromkeys(keys, value))
    assert made == _binary(root)
    assert list(walk(made, nodes.get)) == [(key.encode(), value) for key in keys]


def _binary(text: str) -> bytes:
    number = 0
    for character in text[1:]:
        number = number << 5 | "abcdefghijklmnopqrstuvwxyz234567".index(character)
    return (number >> 2).to_bytes(36, "big")


@pytest.mark.parametrize(("name", "keys"), [("fakermaker.repo.car", 142), ("paul_staging.repo.car", 185)])
def test_real_trees(shared: Path, name: str, keys: int) -> None:
    (root,), blocks = read_car((shared / "fixtures/atproto-interop/extra-indigo" / name).read_bytes())
    data = decode(blocks[root])["data"].binary
    found = list(walk(data, blocks.get))
    assert len(found) == keys
    assert found == sorted(found)
    # Written anew from its keys alone, it has the same root.
    assert tree({key.decode(): cid for key, cid in found})[0] == data


_KEYS = st.text("abz019./-", min_size=1, max_size=12)


@given(st.dictionaries(_KEYS, st.binary(min_size=32, max_size=32), max_size=80))
def test_any_tree_is_walked_in_order(values: Mapping[str, bytes]) -> None:
    entries = {key: bytes.fromhex("01711220") + digest for key, digest in values.items()}
    root, nodes = tree(entries)
    assert list(walk(root, nodes.get)) == sorted((key.encode(), cid) for key, cid in entries.items())
    for cid, raw in nodes.items():
        assert write_node(node_at(cid, nodes.get)) == raw


@given(st.sets(_KEYS, min_size=1, max_size=80), st.data())
def test_any_node_less_is_missed(keys: set[str], data: st.DataObject) -> None:
    root, nodes = tree(dict.fromkeys(keys, VALUE))
    gone = data.draw(st.sampled_from(sorted(nodes)))
    with pytest.raises(MissingBlockError) as caught:
        list(walk(root, {cid: raw for cid, raw in nodes.items() if cid != gone}.get))
    assert caught.value.cid == gone


def _keys_on(layer: int, amount: int) -> list[bytes]:
    """The first keys that belong on a layer, in order; the layer is counted in bits of the hash."""
    found: list[bytes] = []
    for number in count():
        key = f"com.example.record/{number:06}".encode()
        bits = "".join(f"{byte:08b}" for byte in sha256(key).digest())
        if bits.index("1") // 2 == layer:
            found.append(key)
        if len(found) == amount:
            break
    return sorted(found)


LOW = _keys_on(0, 6)
HIGH = _keys_on(1, 3)
TOP = _keys_on(2, 2)


def _node(keys: list[bytes], below: Mapping[int, bytes] | None = None) -> bytes:
    """A node of these keys, shortened as they should be; `below` says what is below it, and where."""
    below = below or {}
    entries = []
    for at, key in enumerate(keys):
        shared = 0 if at == 0 else next(i for i, (a, b) in enumerate(zip(keys[at - 1], key, strict=True)) if a != b)
        entries.append((shared, key[shared:], VALUE, below.get(at + 1)))
    return node(entries, below.get(0))


def _wrong_trees() -> dict[str, tuple[str, list[bytes]]]:
    """Trees that are not the one tree of their keys: the reason, and the blocks, the root first."""
    leaf, other, empty = _node(LOW[:1]), _node(LOW[1:2]), node([])
    bridge = node([], cid_of(leaf))
    before = _node([key for key in LOW if key < HIGH[0]][:1])
    after = _node([key for key in LOW if key > HIGH[0]][:1])
    upper = _node(HIGH[1:2])
    hollow = node([], cid_of(empty))
    twice = node([(0, LOW[0], VALUE, None), (len(LOW[0]), b"", VALUE, None)])
    backwards = node([(0, LOW[1], VALUE, None), (len(LOW[1]) - 1, LOW[0][-1:], VALUE, None)])
    far = node([(0, LOW[0], VALUE, None), (len(LOW[0]) + 1, b"x", VALUE, None)])
    return {
        "a topmost node without a key": ("topmost node has no key", [bridge, leaf]),
        "an empty node below": ("holds nothing", [_node(HIGH[:1], {0: cid_of(empty)}), empty]),
        "an empty node below an empty one": ("holds nothing", [_node(TOP[:1], {0: cid_of(hollow)}), hollow, empty]),
        "keys of two layers": ("stands on layer", [_node(sorted([LOW[0], HIGH[0]]))]),
        "a key on a layer too low": ("on layer 0 and belongs on 1", [_node(HIGH[:1], {0: cid_of(upper)}), upper]),
        "a layer left out": ("on layer 1 and belongs on 0", [_node(TOP[:1], {0: cid_of(leaf)}), leaf]),
        "a layer too many": ("below the lowest", [_node(HIGH[:1], {0: cid_of(bridge)}), bridge, leaf]),
        "below the lowest": ("below the lowest", [_node(LOW[1:2], {0: cid_of(leaf)}), leaf]),
        "a left subtree that lies right": ("out of order", [_node(HIGH[:1], {0: cid_of(after)}), after]),
        "a right subtree that lies left": ("out of order", [_node(HIGH[:1], {1: cid_of(before)}), before]),
        "one subtree twice": ("out of order", [_node(HIGH[:2], {0: cid_of(before), 2: cid_of(before)}), before]),
        "one key twice": ("out of order", [twice]),
        "keys out of order": ("out of order", [backwards]),
        "a key that is not shortened": ("shortened", [node([(0, LOW[0], VALUE, None), (0, LOW[1], VALUE, None)])]),
        "a first key that is shortened": ("shares 1 bytes with one of 0", [node([(1, LOW[0], VALUE, None)])]),
        "a key shortened by more than there is": ("shares", [far]),
        "no node at all": ("no canonical DAG-CBOR", [other[:-1]]),
    }


@pytest.mark.parametrize("name", list(_wrong_trees()))
def test_another_tree_of_the_same_keys_is_refused(name: str) -> None:
    reason, blocks = _wrong_trees()[name]
    with pytest.raises(TreeError, match=reason) as caught:
        list(walk(cid_of(blocks[0]), {cid_of(raw): raw for raw in blocks}.get))
    assert not isinstance(caught.value, MissingBlockError)


def test_the_trees_they_are_made_of_are_right() -> None:
    before = [key for key in LOW if key < HIGH[0]]
    leaf = _node(before[:1])
    middle = _node(HIGH[:2], {0: cid_of(leaf)})
    assert [key for key, _ in walk(cid_of(middle), {cid_of(raw): raw for raw in (leaf, middle)}.get)] == sorted(
        [before[0], *HIGH[:2]]
    )


def _entry(**changes: object) -> dict[str, object]:
    return {"k": LOW[0], "p": 0, "t": None, "v": link(VALUE)} | changes


RAW_LINK = link(bytes.fromhex("01551220") + VALUE[4:])


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xf6",
        block([]),
        block({}),
        block({"e": []}),
        block({"l": None}),
        block({"e": [], "l": None, "m": 0}),
        block({"e": {}, "l": None}),
        block({"e": [], "l": "x"}),
        block({"e": [], "l": RAW_LINK}),
        block({"e": [None], "l": None}),
        block({"e": [{}], "l": None}),
        block({"e": [{"k": LOW[0], "p": 0, "v": link(VALUE)}], "l": None}),  # `t` is null, not absent
        block({"e": [_entry(x=1)], "l": None}),
        block({"e": [{"k": LOW[0], "q": 0, "t": None, "v": link(VALUE)}], "l": None}),
        block({"e": [_entry(k="text")], "l": None}),
        block({"e": [_entry(p=-1)], "l": None}),
        block({"e": [_entry(p="0")], "l": None}),
        block({"e": [_entry(p=2**40)], "l": None}),
        block({"e": [_entry(v=None)], "l": None}),
        block({"e": [_entry(v=RAW_LINK)], "l": None}),
        block({"e": [_entry(t=RAW_LINK)], "l": None}),
        block({"e": [_entry(k=b"")], "l": None}),
        block({"e": [], "l": None}) + b"\x00",
        block({"e": [_entry()], "l": None})[:-1],
        block({"e": [_entry()], "l": link(VALUE)})[:-1],
        block({"e": [_entry()], "l": None})[:-20],
        b"\xa2\x61l\xf6\x61e\x80",  # keys in the wrong order
        b"\xa2\x61e\x98\x00\x61l\xf6",  # a head longer than it need be
        b"\xa2\x61e\x9f\xff\x61l\xf6",
        b"\xa2\x61e\x99\xff\xff\x61l\xf6",
        b"\xa2\x61e\x99\x00\x00\x61l\xf6",
        b"\xa2\x61e\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x61l\xf6",
        b"\xa2\x61e\x81\xa4\x61k\x58\x01a\x61p\x00\x61t\xf6\x61v\xd8\x2a\x58\x25\x00" + VALUE + b"\x61l\xf6",
        b"\xa2\x61e\x81\xa4\x61k\x41a\x61p\x18\x00\x61t\xf6\x61v\xd8\x2a\x58\x25\x00" + VALUE + b"\x61l\xf6",
    ],
)
def test_what_is_no_node(raw: bytes) -> None:
    with pytest.raises(TreeError):
        read_node(raw)


def test_what_is_wrong_with_a_node_is_said() -> None:
    with pytest.raises(TreeError, match="no canonical DAG-CBOR: a head longer than it need be @ byte 3"):
        read_node(b"\xa2\x61e\x98\x00\x61l\xf6")
    with pytest.raises(TreeError, match="not of the form"):
        read_node(b"\xa0")
    with pytest.raises(TreeError, match="the node bafyrei"):
        node_at(VALUE, lambda _: b"\xa0")


@pytest.mark.parametrize("length", [1, 23, 24, 255, 256, 830])
def test_keys_of_any_length(length: int) -> None:
    key, longer = b"a" * length, b"a" * length + b"b" * 300
    raw = block({"e": [_entry(k=key), _entry(k=b"b" * 300, p=length, t=link(VALUE))], "l": link(VALUE)})
    assert read_node(raw) == Node(VALUE, ((key, VALUE, None), (longer, VALUE, VALUE)))
    assert write_node(read_node(raw)) == raw


@given(st.binary(max_size=200))
def test_bytes_are_a_node_or_an_error(raw: bytes) -> None:
    try:
        found = read_node(raw)
    except TreeError:
        return
    assert write_node(found) == raw


def test_a_large_node_is_read_in_one_pass() -> None:
    keys = _keys_on(0, 3000)
    raw = _node(keys)
    found = [key for key, _ in walk(cid_of(raw), {cid_of(raw): raw}.get)]
    assert found == keys
    assert all(one < other for one, other in pairwise(found))
