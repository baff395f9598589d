"""Sets of URIs by key: small or large, they hold what came and not what went."""

from __future__ import annotations

from random import Random

import pytest

from radial_core.persistent import PersistentMap
from radial_core.watching import grown


@pytest.mark.parametrize("most", [3, 30, 300])
def test_sets_of_every_size_hold_what_came_and_not_what_went(most: int) -> None:
    dice = Random(most)
    table: PersistentMap[str, tuple[str, ...] | PersistentMap[str, bool]] = PersistentMap({})
    model: dict[str, set[str]] = {"a": set(), "b": set()}
    for _ in range(200):
        key = dice.choice("ab")
        change = {str(dice.randrange(most)): dice.choice([True, None]) for _ in range(dice.randint(1, most))}
        table = grown(table, {key: change})
        model[key] = {uri for uri in {*model[key], *change} if change.get(uri, uri in model[key])}
        for name, uris in model.items():
            held = table.get(name) or ()
            assert (len(held), {*held}) == (len(uris), uris)
            assert (table.get(name) is None) == (not uris)
            assert all((str(uri) in held) == (str(uri) in uris) for uri in range(most))
