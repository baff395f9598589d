"""Repos read by listing, from servers that change, lie and break."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from radial_core import materialize
from radial_core.observations import Deletion
from radial_io.errors import RefusedError
from radial_io.ingest.limits import Limits
from radial_io.ingest.poll import Pace, keep_polling, poll_repo
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Ask, Download, Flow, Request
from radial_io.ingest.visiting import Reading
from radial_io.store.store import Store, open_store
from radial_io.store.values import Source
from tests.io.fakes import ALICE, BOB, CAROL, GOAL, Reply, cid
from tests.io.lab import InterruptedByHandError, Lab
from tests.io.streams_fakes_repo import cid_of, spelled, tid

HOST = "https://pds.example.com"
SOURCE = Source("poll", HOST, ALICE)
LIMITS = Limits(seconds=100_000)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db", write=True) as store:
        yield store


@pytest.fixture
def lab(store: Store) -> Lab:
    """Alice has two goals."""
    lab = Lab(store)
    lab.join(ALICE)
    lab.write(ALICE, a={"title": "A"}, b={"title": "B"})
    return lab


def _poll(lab: Lab, limits: Limits = LIMITS) -> Reading:
    lab.asked.clear()
    return lab.run(poll_repo(ALICE, limits))


def _held(lab: Lab, did: str = ALICE) -> dict[str, str]:
    return {rkey: cid for (_, rkey), (cid, _) in lab.store.held(did).items()}


def _cids(lab: Lab) -> dict[str, str]:
    return {path.partition("/")[2]: spelled(cid_of(raw)) for path, raw in lab.signed[ALICE].head.records.items()}


def _deletions(lab: Lab) -> list[tuple[str, str | None]]:
    return [
        (seen.uri.rpartition("/")[2], seen.rev) for _, seen in lab.store.observations() if isinstance(seen, Deletion)
    ]


def test_every_record_is_seen_in_the_revision_of_the_listing(lab: Lab) -> None:
    reading = _poll(lab)
    rev = lab.signed[ALICE].head.rev
    assert (reading.how, reading.rev, reading.taken.new, reading.words) == ("read", rev, 2, ())
    assert _held(lab) == _cids(lab)
    assert {seen.rev for _, seen in lab.store.observations()} == {rev}
    assert lab.store.cursor(SOURCE) == rev
    assert "getRepo" not in lab.asked


def test_an_unchanged_repo_costs_one_question_and_nothing_else(lab: Lab) -> None:
    _poll(lab)
    assert _poll(lab).how == "unchanged"
    assert lab.asked == ["getLatestCommit"]


def test_what_is_missing_is_gone_in_the_second_revision(lab: Lab) -> None:
    _poll(lab)
    lab.write(ALICE, a=None, b={"title": "B, better"}, c={"title": "C"})
    reading = _poll(lab)
    assert (reading.taken.new, reading.taken.gone) == (2, 1)
    assert _held(lab) == _cids(lab)
    assert _deletions(lab) == [("a", lab.signed[ALICE].head.rev)]


def test_what_comes_back_is_there_again(lab: Lab) -> None:
    _poll(lab)
    lab.write(ALICE, a=None)
    _poll(lab)
    lab.write(ALICE, a={"title": "A"})
    assert _poll(lab).taken.known == 1
    assert _held(lab) == _cids(lab)


def test_listing_and_the_signed_repo_lead_to_one_index(lab: Lab, tmp_path: Path) -> None:
    with open_store(tmp_path / "other.db", write=True) as other:
        for change in ({"c": {"title": "C"}}, {"a": None}, {"b": {"title": "B, better"}}, {"a": {"title": "A, again"}}):
            lab.write(ALICE, **change)
            _poll(lab)
            lab.store, mine = other, lab.store
            lab.run(read_repo(ALICE))
            lab.store = mine
        both = [materialize(seen for _, seen in store.observations()) for store in (lab.store, other)]
    assert both[0].digest == both[1].digest
    assert both[0].to_json() == both[1].to_json()


def _moving(lab: Lab, listings: int) -> None:
    """Write to the repo at every listing, so often."""
    left = iter(range(listings))

    def intercept(nsid: str, query: dict[str, str]) -> None:
        is_first = nsid.endswith("listRecords") and query["collection"] == GOAL and "cursor" not in query
        if is_first and (number := next(left, None)) is not None:
            lab.write(ALICE, **{f"new{number}": {"title": str(number)}})

    lab.pds.intercept = intercept


@pytest.mark.parametrize(("moves", "is_whole_read"), [(1, False), (2, False), (3, True), (9, True)])
def test_a_repo_that_keeps_changing_is_read_whole(lab: Lab, moves: int, is_whole_read: bool) -> None:  # noqa: FBT001
    """After three tries; a label that is only a bound is never written."""
    _moving(lab, moves)
    reading = _poll(lab)
    assert ("getRepo" in lab.asked) == is_whole_read
    assert reading.how == "read"
    assert {seen.rev for _, seen in lab.store.observations()} == {lab.signed[ALICE].head.rev}
    assert _held(lab) == _cids(lab)


def test_after_a_whole_reading_the_listing_stands_there_too(lab: Lab) -> None:
    _moving(lab, 3)
    _poll(lab)
    lab.pds.intercept = lambda _nsid, _query: None
    assert _poll(lab).how == "unchanged"
    assert lab.asked == ["getLatestCommit"]


def _without_download(request: Request) -> None:
    if isinstance(request, Download):
        raise RefusedError(HOST, 501, "MethodNotImplemented", "")


def test_without_a_revision_that_holds_nothing_is_written(lab: Lab) -> None:
    _moving(lab, 9)
    lab.refuse = _without_download
    assert _poll(lab).how == "failed"
    assert list(lab.store.observations()) == []
    assert lab.store.cursor(SOURCE) is None
    assert "501" in str(lab.store.repo(ALICE).failure)


def _listed(
    change: Callable[[dict[str, Any]], dict[str, Any]], lab: Lab
) -> Callable[[str, dict[str, str]], Reply | None]:
    """Let the server answer for goals with its page as `change` leaves it."""

    def intercept(nsid: str, query: dict[str, str]) -> Reply | None:
        if nsid.endswith("listRecords") and query["collection"] == GOAL:
            return Reply.json(change(lab.pds.page(ALICE, query)))
        return None

    return intercept


def _circle(page: dict[str, Any]) -> dict[str, Any]:
    _circle.turn = getattr(_circle, "turn", 0) + 1  # type: ignore[attr-defined]
    return page | {"cursor": "xy"[_circle.turn % 2], "records": page["records"] or [{"uri": "x"}]}  # type: ignore[attr-defined]


def _wrong_cid(page: dict[str, Any]) -> dict[str, Any]:
    return page | {"records": [item | {"cid": cid("another")} for item in page["records"]]}


def _empty(_page: dict[str, Any]) -> dict[str, Any]:
    return {"records": []}


def _of_bob(page: dict[str, Any]) -> dict[str, Any]:
    return page | {"records": [item | {"uri": item["uri"].replace(ALICE, BOB)} for item in page["records"]]}


@pytest.mark.parametrize("lie", [_circle, _wrong_cid, _empty, _of_bob])
def test_a_listing_that_cannot_be_right_is_settled_by_the_signed_repo(lab: Lab, lie: Any) -> None:
    _poll(lab)
    lab.write(ALICE, c={"title": "C"})
    lab.pds.intercept = _listed(lie, lab)
    reading = _poll(lab)
    assert reading.how == "read"
    assert reading.words
    assert "getRepo" in lab.asked
    assert _held(lab) == _cids(lab)
    assert _deletions(lab) == []


@pytest.mark.parametrize("lie", [_circle, _wrong_cid, _empty, _of_bob])
def test_or_else_it_deletes_nothing_and_says_why(lab: Lab, lie: Any) -> None:
    _poll(lab)
    before, rev = _held(lab), lab.signed[ALICE].head.rev
    lab.write(ALICE, c={"title": "C"})
    lab.pds.intercept = _listed(lie, lab)
    lab.refuse = _without_download
    reading = _poll(lab)
    assert (reading.how, _deletions(lab), lab.store.cursor(SOURCE)) == ("failed", [], rev)
    assert before.items() <= _held(lab).items()
    assert lab.store.repo(ALICE).failure == "; ".join(reading.words)


def test_an_empty_repo_that_was_never_anything_else(lab: Lab) -> None:
    lab.write(ALICE, a=None, b=None)
    assert (_poll(lab).how, "getRepo" in lab.asked) == ("read", False)


def test_a_record_that_json_cannot_carry_comes_with_the_signed_repo(lab: Lab) -> None:
    """A map that looks like bytes and is none: in a listing its CID is wrong, in the repo it is not."""
    lab.write(ALICE, odd={"title": "Odd", "x": {"$bytes": "@@"}})
    reading = _poll(lab)
    assert (reading.how, reading.taken.new, reading.taken.spoiled) == ("read", 3, 0)
    assert _held(lab) == _cids(lab)
    lab.write(ALICE, c={"title": "C"})
    _poll(lab)
    assert "getRepo" not in lab.asked  # the odd one is known by now


@pytest.mark.parametrize("rev", ["j" + "z" * 12, tid(2**62)])
def test_a_revision_from_the_future_is_not_believed(lab: Lab, rev: str) -> None:
    """It would outrank all that is yet to come."""
    lab.pds.rev = rev
    reading = _poll(lab)
    assert reading.how == "failed"
    assert "future" in reading.words[0]
    assert list(lab.store.observations()) == []


def test_a_server_that_tells_no_revision(lab: Lab) -> None:
    lab.pds.intercept = lambda nsid, _query: (
        Reply.json({"error": "MethodNotImplemented", "message": ""}, 501) if nsid.endswith("getLatestCommit") else None
    )
    reading = _poll(lab)
    assert (reading.how, reading.rev, lab.asked) == ("read", lab.signed[ALICE].head.rev, ["getLatestCommit", "getRepo"])


def test_an_older_revision_than_before_deletes_nothing(lab: Lab) -> None:
    old = lab.signed[ALICE].head
    lab.write(ALICE, c={"title": "C"})
    _poll(lab)
    lab.pds.rev, lab.cars[ALICE] = old.rev, old.car()
    del lab.pds.repos[ALICE][GOAL]["c"]
    reading = _poll(lab)
    assert (reading.how, _deletions(lab)) == ("failed", [])
    assert "back at revision" in reading.words[0]


@pytest.mark.parametrize("limits", [Limits(bytes=1), Limits(seconds=3), Limits(records=1), Limits(pages=1)])
def test_the_listing_is_bounded(lab: Lab, limits: Limits) -> None:
    lab.refuse = _without_download
    reading = _poll(lab, limits)
    assert reading.how == "failed"
    assert "limit" in reading.words[0] or "are over" in reading.words[0]
    assert lab.store.cursor(SOURCE) is None


def test_an_interrupted_listing_writes_the_rest_later(lab: Lab) -> None:
    limits = Limits(seconds=100_000, batch=10)
    lab.write(ALICE, **{f"g{number:03}": {"title": str(number)} for number in range(100)})
    batches = count()

    def refuse(request: Request) -> None:
        if type(request).__name__ == "Take" and next(batches) == 4:
            raise InterruptedByHandError

    lab.refuse = refuse
    with pytest.raises(InterruptedByHandError):
        _poll(lab, limits)
    assert (len(_held(lab)), lab.store.cursor(SOURCE)) == (40, None)
    lab.refuse = lambda _request: None
    assert _poll(lab, limits).taken.new == 62
    assert _held(lab) == _cids(lab)


def test_known_versions_are_not_asked_of_the_store_again(lab: Lab) -> None:
    _poll(lab)
    lab.write(ALICE, c={"title": "C"})
    taken = _poll(lab).taken
    assert (taken.new, taken.known) == (1, 0)


def test_a_failure_ends_with_the_next_good_look(lab: Lab) -> None:
    _poll(lab)
    lab.refuse = _refusing_head
    assert _poll(lab).how == "failed"
    lab.refuse = lambda _request: None
    assert _poll(lab).how == "unchanged"
    repo = lab.store.repo(ALICE)
    assert (repo.failure, repo.state) == (None, "active")


def _refusing_head(request: Request) -> None:
    if isinstance(request, Ask):
        raise RefusedError(HOST, 503, "", "")


def test_the_pace_spreads_repos_and_backs_off() -> None:
    pace = Pace(interval=30, longest=600)
    first = {did: pace.first(did) for did in (ALICE, BOB, CAROL)}
    assert all(0 <= wait < 30 for wait in first.values())
    assert len(set(first.values())) == 3
    assert {did: pace.first(did) for did in first} == first
    assert all(27 <= pace.next(ALICE, turn, 0) <= 33 for turn in range(100))
    for failures, (least, most) in {1: (30, 60), 2: (60, 120), 3: (120, 240), 9: (300, 600)}.items():
        assert all(least <= pace.next(ALICE, turn, failures) <= most for turn in range(20))


def test_polling_waits_longer_while_it_fails(lab: Lab) -> None:
    looks = iter([False, True, True, False])

    def refuse(request: Request) -> None:
        if isinstance(request, Ask) and request.question.nsid.endswith("getLatestCommit"):
            is_bad = next(looks, None)
            if is_bad is None:
                raise InterruptedByHandError
            if is_bad:
                raise RefusedError(HOST, 503, "", "")

    _poll(lab)
    lab.refuse = refuse
    flow: Flow[Any] = keep_polling(ALICE, Pace(interval=30, longest=600), LIMITS)
    with pytest.raises(InterruptedByHandError):
        lab.run(flow)
    spread, *waits = lab.pauses
    assert 0 <= spread < 30
    assert [27 <= waits[0] <= 33, 30 <= waits[1] <= 60, 60 <= waits[2] <= 120, 27 <= waits[3] <= 33] == [True] * 4
