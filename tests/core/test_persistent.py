"""Maps that never change behave as dicts do, whatever becomes of them later, and share what they do not change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from radial_core.persistent import Draft, PersistentMap

# Few keys, so that changes meet; some collide in all the bits of a hash that the trie looks at.
COLLIDING = [2**60 + 7, 7, 2**61 - 1 + 7]  # the third hashes as the second does
KEYS = st.one_of(st.integers(0, 40), st.sampled_from(COLLIDING), st.text("ab", max_size=2))
CHANGES = st.dictionaries(KEYS, st.one_of(st.none(), st.integers(1, 9)), max_size=12)


def as_dict(some: PersistentMap[Any, Any]) -> dict[Any, Any]:
    return dict(some.items())


def changed(before: dict[Any, Any], changes: dict[Any, Any]) -> dict[Any, Any]:
    return {key: value for key, value in (before | changes).items() if value is not None}


@given(st.dictionaries(KEYS, st.integers(1, 9), max_size=60), st.lists(CHANGES, max_size=12))
def test_a_map_is_the_dict_that_the_same_changes_make(base: dict[Any, Any], steps: list[dict[Any, Any]]) -> None:
    maps = [PersistentMap(dict(base))]
    dicts = [dict(base)]
    for changes in steps:
        maps.append(maps[-1].updated(dict(changes)))
        dicts.append(changed(dicts[-1], changes))
    for some, model in zip(maps, dicts, strict=True):
        assert as_dict(some) == model
        assert (len(some), set(some), sorted(map(str, some.values()))) == (
            len(model),
            set(model),
            sorted(map(str, model.values())),
        )
        for key in {*base, *(key for changes in steps for key in changes)}:
            assert some.get(key) == model.get(key)
            assert (key in some) is (key in model)


@given(st.dictionaries(KEYS, st.integers(1, 9), max_size=60), st.lists(CHANGES, max_size=6))
def test_a_draft_shows_its_changes_and_its_map_does_not(base: dict[Any, Any], steps: list[dict[Any, Any]]) -> None:
    before = PersistentMap(dict(base))
    draft = Draft(before)
    model = dict(base)
    for changes in steps:
        for key, value in changes.items():
            draft.put(key, value)
        model = changed(model, changes)
        assert {key: draft.get(key) for key in changes} == {key: model.get(key) for key in changes}
    assert as_dict(before) == base
    assert as_dict(draft.done()) == model


def test_many_small_changes_to_a_large_map_make_no_new_base() -> None:
    before: PersistentMap[int, int] = PersistentMap(dict.fromkeys(range(10000), 1))
    grown = before
    for key in range(5_000, 15_000, 7):
        grown = grown.updated({key: 2})
    assert grown._base is before._base
    assert grown.get(5_000) == 2
    assert grown.get(5_001) == 1
    assert before.get(5_000) == 1
    assert sum(grown.values()) == 10_000 + 2 * len(range(10_003, 15_000, 7)) + len(range(5_000, 10_000, 7))
    assert len(grown) == 10_000 + len(range(10_003, 15_000, 7))


def test_a_change_as_large_as_the_map_makes_a_new_base() -> None:
    before: PersistentMap[int, int] = PersistentMap(dict.fromkeys(range(100), 1))
    grown = before.updated(dict.fromkeys(range(60)))
    assert len(grown._base) == 40
    assert not grown._over


def test_nothing_changed_is_the_same_map() -> None:
    before: PersistentMap[str, int] = PersistentMap({"a": 1})
    assert before.updated({}) is before
    draft = Draft(before)
    draft.put("b", None)
    assert draft.done() is before


def test_a_missing_key_raises() -> None:
    before: PersistentMap[str, int] = PersistentMap({"a": 1})
    assert before["a"] == 1
    assert Draft(before)["a"] == 1
    with pytest.raises(KeyError, match="b"):
        before["b"]
    with pytest.raises(KeyError, match="b"):
        Draft(before)["b"]
