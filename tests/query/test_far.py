"""Far: chains and circles of 100,000 records are walked without recursion, and to the end (RK-13.4)."""

from __future__ import annotations

from typing import Any

import pytest

from radial_core import Record, materialize
from radial_core.query.answers import Question
from radial_core.query.asking import Reader
from radial_core.query.lineage import ancestry, offspring
from radial_core.query.walk import steps_from
from tests.core.small_world import ANN, BOT, GOAL, PREFIX, REQUEST, UNSEEN, WORLD, at, ref, uri_of, uris

MANY = 100_000


def test_a_circle_is_walked_once() -> None:
    steps = steps_from("0", lambda at_: [str((int(at_) + 1) % MANY)])
    assert len(steps) == MANY - 1
    assert steps[str(MANY - 1)] == MANY - 1


def test_the_shortest_way_counts() -> None:
    ways = {"a": ["b", "c"], "b": ["d"], "c": ["e"], "e": ["d", "a"], "d": ["f"]}
    assert steps_from("a", lambda at_: ways.get(at_, ())) == {"b": 1, "c": 1, "d": 2, "e": 2, "f": 3}


def chain(kind: str, did: str, field: str, *, closed: bool, **fields: Any) -> list[Record]:
    """Make many records, each of which names the one before; closed, the first names the last."""

    def named(number: int) -> dict[str, str]:
        return {"uri": uri_of(did, kind, f"k{number}"), "cid": UNSEEN}

    value = {"$type": PREFIX + kind, "createdAt": at(60), **fields}
    return [
        Record(
            uri=uri_of(did, kind, f"k{number}"),
            cid=UNSEEN,
            value={**value, field: named((number - 1) % MANY)} if number or closed else value,
        )
        for number in range(MANY)
    ]


def ends(records: list[Record]) -> None:
    answer = Reader(materialize([*WORLD, *records])).ask(
        Question(ask="impact", about=records[0].uri, limit=3, skip=MANY - 3)
    )
    assert (answer.resolved, answer.total, answer.truncated) == (True, MANY - 1, False)
    assert [(item.uri.rpartition("/")[2], item.steps) for item in answer.items] == [
        (f"k{MANY - 2}", MANY - 2),
        (f"k{MANY - 1}", MANY - 1),
    ]


@pytest.mark.slow
def test_impact_goes_to_the_end_of_a_chain_of_replies() -> None:
    ends(chain("message", ANN, "parent", closed=False, goal=ref(GOAL), body=""))


@pytest.mark.slow
def test_impact_goes_once_around_a_circle_of_roots() -> None:
    ends(chain("message", ANN, "root", closed=True, goal=ref(GOAL), body=""))


@pytest.mark.slow
def test_impact_and_lineage_go_once_around_a_circle_of_versions() -> None:
    records = chain("artifact", BOT, "prev", closed=True, goal=ref(GOAL), request=ref(REQUEST), type="plan", body="")
    ends(records)
    index = materialize([*WORLD, *records])
    # By hand: one step up are the version before and the request; all the rest, and what the request is based on, lie
    # beyond. One step down is the next version.
    above = ancestry(index, records[2].uri, 1)
    assert [met.note.uri for met in above.met] == [records[2].uri, REQUEST.uri, records[1].uri]
    assert above.more == MANY - 2 + 1 + 1
    below = offspring(index, records[0].uri, 1)
    assert [met.note.uri for met in below.met] == [*uris(*records[:2])]
    assert below.more == MANY - 2
