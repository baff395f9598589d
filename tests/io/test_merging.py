"""A whole repo is merged with what the store holds: page by page, with the outcome of comparing both at once.

Strategy: `settling.settle` has both in memory and is the oracle. Random repos, random histories in the store, pages of
one to three: what is written must be the same, whatever is read or written in which portion.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from radial_core.records import COLLECTIONS
from radial_io.ingest.limits import Limits
from radial_io.ingest.merging import merge
from radial_io.ingest.requests import Flow, HeldOf, HeldPage
from radial_io.ingest.settling import Whole, settle
from radial_io.store.store import open_store
from radial_io.store.values import Batch, Gone, Seen, Source, Spoiled, Taken
from tests.io.fakes import ALICE
from tests.io.lab import Lab
from tests.io.streams_fakes_repo import block, cid_of, spelled, tid

SOURCE = Source("repo", "https://pds.example.com", ALICE)
STREAM = Source("firehose", "https://pds.example.com")
REVS = [tid(number << 20) for number in range(1, 6)]
SHELVES = sorted(COLLECTIONS)
PLACES = sorted((shelf, rkey) for shelf in (*SHELVES[:3], SHELVES[-1]) for rkey in ("A", "a", "a.b", "b", "~"))


def seen(place: tuple[str, str], title: int, rev: str | None) -> Seen:
    raw = block({"$type": place[0], "title": str(title)})
    return Seen(ALICE, *place, spelled(cid_of(raw)), rev, raw, "cbor")


def known(dice: random.Random) -> list[Batch]:
    """Make up what the store has seen: versions, with and without revisions, and deletions."""
    batches = []
    for place in dice.sample(PLACES, dice.randint(0, len(PLACES))):
        for _ in range(dice.randint(1, 3)):
            if dice.random() < 0.25:
                batches.append(Batch(source=STREAM, gone=(Gone(ALICE, *place, dice.choice(REVS)),)))
            else:
                version = seen(place, dice.randint(0, 2), dice.choice([None, *REVS]))
                batches.append(Batch(source=STREAM, seen=(version,)))
    return batches


def found(dice: random.Random) -> list[Seen | Spoiled]:
    """Make up what the tree holds, in its order; some of it spoiled, some at a path that is none of ours."""
    rows: list[Seen | Spoiled] = []
    for place in sorted(dice.sample(PLACES, dice.randint(0, len(PLACES)))):
        is_spoiled = dice.random() < 0.2
        spoiled = Spoiled(ALICE, *place, None, REVS[3], "nested too deep", b"\xa0")
        rows.append(spoiled if is_spoiled else seen(place, dice.randint(0, 2), REVS[3]))
    if dice.random() < 0.3:
        rows.insert(dice.randint(0, len(rows)), Spoiled(ALICE, None, None, None, REVS[3], "no path", b""))
    return rows


def written(lab: Lab) -> tuple[list[list[str]], int]:
    batches = [request.batch for request in lab.takes()]
    rows = [
        sorted(repr(one) for batch in batches for one in getattr(batch, name)) for name in ("seen", "gone", "spoiled")
    ]
    return rows, sum(batch.cursor is not None for batch in batches)


@pytest.fixture
def labs(tmp_path: Path) -> Iterator[tuple[Lab, Lab]]:
    with open_store(tmp_path / "a.db", write=True) as one, open_store(tmp_path / "b.db", write=True) as other:
        yield Lab(one), Lab(other)


@pytest.mark.parametrize("seed", range(120))
def test_merging_writes_what_comparing_both_at_once_writes(seed: int, labs: tuple[Lab, Lab]) -> None:
    dice = random.Random(seed)
    history, rows = known(dice), found(dice)
    limits = Limits(batch=dice.randint(1, 3))
    is_latest = dice.random() < 0.8
    outcomes = []
    for lab, way in zip(labs, (settle, merge), strict=True):
        for batch in history:
            lab.store.take(batch, "2027-01-01T00:00:00Z")
        whole = Whole(did=ALICE, source=SOURCE, rev=REVS[3], root=None, found=rows, is_latest=is_latest)
        flow: Flow[Taken] = way(whole, limits)
        taken = lab.run(flow)
        outcomes.append((written(lab), taken, lab.store.held(ALICE), lab.store.repo(ALICE).rev))
    assert outcomes[0] == outcomes[1]


def test_the_store_is_asked_for_pages_and_never_for_everything(labs: tuple[Lab, Lab]) -> None:
    lab, _ = labs
    places = [(SHELVES[0], f"r{number:03}") for number in range(50)]
    lab.store.take(Batch(source=STREAM, seen=tuple(seen(place, 0, REVS[0]) for place in places)), lab.now())
    whole = Whole(did=ALICE, source=SOURCE, rev=REVS[3], root=None, found=[], is_latest=True)
    assert lab.run(merge(whole, Limits(batch=7))).gone == 50
    assert not any(isinstance(request, HeldOf) for request in lab.requests)
    pages = [request for request in lab.requests if isinstance(request, HeldPage) and request.collection == SHELVES[0]]
    assert {request.size for request in pages} == {7}
    assert max(len(request.batch.gone) for request in lab.takes()) == 7


def test_a_page_passes_over_what_is_gone(labs: tuple[Lab, Lab]) -> None:
    lab, _ = labs
    places = [(SHELVES[0], f"r{number:03}") for number in range(20)]
    lab.store.take(Batch(source=STREAM, seen=tuple(seen(place, 0, REVS[0]) for place in places)), lab.now())
    lab.store.take(Batch(source=STREAM, gone=tuple(Gone(ALICE, *place, REVS[1]) for place in places[:15])), lab.now())
    assert [standing.rkey for standing in lab.store.held_page(ALICE, SHELVES[0], "", 2)] == ["r015"]
    assert [standing.rkey for standing in lab.store.held_page(ALICE, SHELVES[0], "r015", 2)] == ["r016", "r017"]
    assert lab.store.held_page(ALICE, SHELVES[0], "r019", 2) == ()
    assert lab.store.held_page(ALICE, SHELVES[1], "", 2) == ()
