"""What hostile repos and servers cost: bounded, one reason each, and nothing for their neighbours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from radial_io.atproto.car import CarLimits
from radial_io.atproto.repository import RepositoryLimits
from radial_io.ingest.limits import Limits
from radial_io.ingest.poll import poll_repo
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Flow
from radial_io.ingest.visiting import Reading
from radial_io.store.store import open_store
from tests.io.fakes import ALICE, GOAL, Reply
from tests.io.lab import Lab
from tests.io.streams_fakes_repo import cid_of, spelled

LIMITS = Limits(seconds=100_000)
Look = Callable[[str, Limits], Flow[Reading]]
WAYS: dict[str, Look] = {"poll": poll_repo, "repo": read_repo}
ODD_KEYS = ("a", "A", "-", "_", "~", ":", "0", "...", ".a", "a.", "self", "pre:fix", "-_~.:", "3jui7kd54zh2y")
LONGEST_KEY = "x" * 512


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Alice has one goal."""
    with open_store(tmp_path / "store.db", write=True) as store:
        lab = Lab(store)
        lab.join(ALICE)
        lab.write(ALICE, a={"title": "A"})
        yield lab


def _held(lab: Lab) -> dict[str, str]:
    return {rkey: cid for (_, rkey), (cid, _) in lab.store.held(ALICE).items()}


def _cids(lab: Lab) -> dict[str, str]:
    return {path.partition("/")[2]: spelled(cid_of(raw)) for path, raw in lab.signed[ALICE].head.records.items()}


@pytest.mark.parametrize("way", WAYS)
def test_record_keys_of_every_legal_form(lab: Lab, way: str) -> None:
    keys = (*ODD_KEYS[1:], LONGEST_KEY)
    lab.write(ALICE, **{key: {"title": key} for key in keys})
    reading = lab.run(WAYS[way](ALICE, LIMITS))
    assert (reading.how, reading.taken.new, reading.taken.spoiled) == ("read", 1 + len(keys), 0)
    assert _held(lab) == _cids(lab)
    lab.write(ALICE, **dict.fromkeys(keys))
    lab.run(WAYS[way](ALICE, LIMITS))
    assert set(_held(lab)) == {"a"}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_ten_thousand_records(lab: Lab, way: str) -> None:
    lab.write(ALICE, **{f"g{number:05}": {"title": str(number)} for number in range(10_000)})
    reading = lab.run(WAYS[way](ALICE, LIMITS))
    assert (reading.how, reading.taken.new) == ("read", 10_001)
    assert _held(lab) == _cids(lab)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(repository=RepositoryLimits(car=CarLimits(most_bytes=2000))), "bytes"),
        (Limits(repository=RepositoryLimits(car=CarLimits(most_blocks=3))), "blocks"),
        (Limits(repository=RepositoryLimits(car=CarLimits(longest_block=100))), "block"),
    ],
)
def test_a_car_over_a_limit_is_refused_with_the_limit_named(lab: Lab, limits: Limits, said: str) -> None:
    lab.write(ALICE, **{f"g{number}": {"title": "x" * 200} for number in range(20)})
    reading = lab.run(read_repo(ALICE, limits))
    assert reading.how == "failed"
    assert said in reading.words[0]
    assert _held(lab) == {}


def test_many_records_of_the_greatest_length_go_in_small_transactions(lab: Lab) -> None:
    """A batch is bounded by its bytes too: two of a MiB here, whatever the count allows."""
    lab.write(ALICE, **{f"g{number}": {"title": "x" * 2**20} for number in range(9)})
    lab.run(read_repo(ALICE, Limits(batch_bytes=2 * 2**20)))
    sizes = [sum(len(seen.raw) for seen in request.batch.seen) for request in lab.takes()]
    assert len(sizes) == 6  # five of up to two records, and the cursor's
    assert max(sizes) < 4 * 2**20
    assert _held(lab) == _cids(lab)


def test_a_record_that_json_cannot_be_parsed_for(lab: Lab) -> None:
    """Nested 2,000 deep in a listing: it is named, its neighbours are listed, and the signed repo settles the rest."""
    lab.write(ALICE, b={"title": "B"}, c={"title": "C"})
    lab.run(poll_repo(ALICE, LIMITS))
    lab.write(ALICE, bb={"title": "deep"}, d={"title": "D"})
    deep = "[" * 100_000 + "]" * 100_000

    def intercept(nsid: str, query: dict[str, str]) -> Reply | None:
        if not nsid.endswith("listRecords") or query["collection"] != GOAL:
            return None
        page = json.dumps(lab.pds.page(ALICE, query))
        return Reply(page.replace('"deep"', deep).encode())

    lab.pds.intercept = intercept
    reading = lab.run(poll_repo(ALICE, LIMITS))
    assert reading.how == "read"
    assert f"/{GOAL}/bb" in reading.words[0]
    assert _held(lab) == _cids(lab)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"null",
        b"[]",
        b'{"rev": 5}',
        b'{"rev": "not a rev"}',
        b'{"rev": {}}',
        b"[" * 100_000,
        b'{"rev": "' + b"3" * 100_000 + b'"}',
    ],
    ids=["nothing", "null", "list", "number", "no rev", "object", "deep", "long"],
)
@pytest.mark.parametrize("way", WAYS)
def test_a_head_that_is_none(lab: Lab, way: str, said: bytes) -> None:
    """Then the signed repo alone says in which revision it is."""
    lab.pds.intercept = lambda nsid, _query: Reply(said) if nsid.endswith("getLatestCommit") else None
    reading = lab.run(WAYS[way](ALICE, LIMITS))
    assert (reading.how, reading.rev) == ("read", lab.signed[ALICE].head.rev)


@pytest.mark.parametrize("way", WAYS)
def test_a_neighbour_is_unharmed(lab: Lab, way: str) -> None:
    """Somebody else's refused repo leaves no trace in ours, nor in what is asked next."""
    bob: Any = "did:plc:" + "b" * 24
    lab.join(bob, 2)
    lab.write(bob, x={"title": "X"})
    lab.cars[bob] = b"nonsense"
    lab.pds.intercept = lambda nsid, query: (
        Reply(b"<html>") if nsid.endswith("listRecords") and query["repo"] == bob else None
    )
    assert lab.run(WAYS[way](bob, LIMITS)).how == "failed"
    lab.pds.rev = lab.signed[ALICE].head.rev
    assert lab.run(WAYS[way](ALICE, LIMITS)).how == "read"
    assert _held(lab) == _cids(lab)
    assert lab.store.held(bob) == {}
    assert (lab.store.repo(ALICE).failure, lab.store.repo(bob).failure is None) == (None, False)
