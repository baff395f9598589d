"""One repo's listing, as a flow: every odd server is a few lines, and no socket is opened."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from radial_core.records import COLLECTIONS
from radial_io.atproto.xrpc import Get
from radial_io.errors import (
    NotJsonError,
    RateLimitError,
    RedirectError,
    RefusedError,
    RequestError,
    TooLargeError,
    UnreachableError,
)
from radial_io.ingest.limits import Limits
from radial_io.ingest.listing import LATEST_COMMIT, LIST_RECORDS, Listing, list_repo
from radial_io.ingest.pages import SetAside
from tests.io.fakes import ALICE, BOB, GOAL, REV, SPACE, FakePds, Reply, answered, cid

ONE_KIND = (SPACE,)


def _list(pds: FakePds, *, collections: tuple[str, ...] = ONE_KIND, limits: Limits | None = None) -> Listing:
    return answered(list_repo(ALICE, collections, limits), pds.ask)


def _with_spaces(count: int) -> FakePds:
    pds = FakePds()
    for number in range(count):
        pds.put(ALICE, "space", f"s{number:04}", name=f"space {number}")
    return pds


def _keys(listing: Listing) -> list[str]:
    return [held.uri.rpartition("/")[2] for held in listing.held]


def _pages_asked(pds: FakePds) -> list[tuple[str, str | None]]:
    return [(query["limit"], query.get("cursor")) for nsid, query in pds.asked if nsid == LIST_RECORDS]


def test_the_questions_of_a_small_repo() -> None:
    """Driven by hand, with the answers written out."""
    value = {"$type": SPACE, "name": "x", "createdAt": "2026-01-01T00:00:00Z"}
    uri = f"at://{ALICE}/{SPACE}/one"
    flow = list_repo(ALICE, [SPACE, GOAL])
    commit = Get(LATEST_COMMIT, (("did", ALICE),))

    def page(collection: str, *more: tuple[str, str]) -> Get:
        return Get(
            LIST_RECORDS,
            (("repo", ALICE), ("collection", collection), ("limit", "100"), ("reverse", "true"), *more),
        )

    assert next(flow) == commit
    assert flow.send(json.dumps({"cid": "bafy", "rev": REV}).encode()) == page(SPACE)
    listed = {"records": [{"uri": uri, "cid": cid(value), "value": value}], "cursor": "one"}
    assert flow.send(json.dumps(listed).encode()) == page(SPACE, ("cursor", "one"))
    assert flow.send(b'{"records": []}') == page(GOAL)
    assert flow.send(b'{"records": []}') == commit
    with pytest.raises(StopIteration) as done:
        flow.send(json.dumps({"cid": "bafy", "rev": REV}).encode())
    listing = done.value.value
    (record,) = listing.observations("2026-02-01T00:00:00Z")
    assert (record.uri, record.cid, record.value) == (uri, cid(value), value)
    assert (record.rev, record.seen_at) == (REV, "2026-02-01T00:00:00Z")
    assert (listing.set_aside, listing.faults, listing.notes) == ((), (), ())


def test_every_collection_of_ours_is_asked_for() -> None:
    pds = _with_spaces(1)
    answered(list_repo(ALICE), pds.ask)
    assert len(COLLECTIONS) == 25
    assert {query["collection"] for nsid, query in pds.asked if nsid == LIST_RECORDS} == COLLECTIONS


@pytest.mark.parametrize("ends_silently", [False, True])
@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 250])
def test_pages_add_up(count: int, ends_silently: bool) -> None:  # noqa: FBT001
    pds = _with_spaces(count)
    pds.repos.setdefault(ALICE, {})
    pds.ends_silently = ends_silently
    listing = _list(pds)
    assert _keys(listing) == [f"s{number:04}" for number in range(count)]
    assert (listing.rev, listing.faults, listing.notes) == (REV, (), ())


def test_an_unchanged_cursor_ends_a_listing() -> None:
    pds = _with_spaces(3)
    pds.intercept = lambda nsid, query: (
        Reply.json(pds.page(ALICE, {**query, "cursor": ""}) | {"cursor": "same"}) if nsid == LIST_RECORDS else None
    )
    listing = _list(pds)
    assert _pages_asked(pds) == [("100", None), ("100", "same")]
    assert (_keys(listing), listing.faults) == (["s0000", "s0001", "s0002"], ())


def test_an_empty_page_ends_a_listing_whatever_its_cursor() -> None:
    pds = _with_spaces(1)
    pds.intercept = lambda nsid, query: (
        Reply.json({"records": [], "cursor": query.get("cursor", "") + "x"}) if nsid == LIST_RECORDS else None
    )
    listing = _list(pds)
    assert _pages_asked(pds) == [("100", None)]
    assert (listing.held, listing.faults) == ((), ())


def test_cursors_in_a_circle_are_left() -> None:
    pds = _with_spaces(2)
    following: dict[str | None, str] = {None: "a", "a": "b", "b": "c", "c": "a"}
    pds.intercept = lambda nsid, query: (
        Reply.json(pds.page(ALICE, {**query, "cursor": ""}) | {"cursor": following[query.get("cursor")]})
        if nsid == LIST_RECORDS
        else None
    )
    listing = _list(pds)
    assert [cursor for _, cursor in _pages_asked(pds)] == [None, "a", "b", "c"]
    assert _keys(listing) == ["s0000", "s0001"]
    assert "goes in a circle" in listing.faults[0]


def test_an_endless_listing_meets_the_limits() -> None:
    pds = _with_spaces(1000)
    assert "limit of 3 pages" in _list(pds, limits=Limits(pages=3)).faults[0]
    full = _list(pds, limits=Limits(records=250))
    assert len(full.held) == 300
    assert "limit of 250 records" in full.faults[0]


def _deep(pds: FakePds, *hostile: str, levels: int = 2000) -> Callable[[str, dict[str, str]], Reply | None]:
    """Give the records with these keys a deep value.

    Python 3.11's parser refuses 2,000 levels, and the page with them; 3.13's takes them; none takes 100,000.
    """

    def intercept(nsid: str, query: dict[str, str]) -> Reply | None:
        if nsid != LIST_RECORDS:
            return None
        text = json.dumps(pds.page(ALICE, query))
        for key in hostile:
            name = json.dumps(f"space {int(key[1:])}")
            text = text.replace(f'"name": {name}', f'"name": {"[" * levels}{"]" * levels}')
        return Reply(text.encode())

    return intercept


@pytest.mark.parametrize(
    "hostile", [["s0000"], ["s0149"], ["s0042"], ["s0099", "s0100"], ["s0001", "s0002", "s0003", "s0148"]]
)
@pytest.mark.parametrize("ends_silently", [False, True])
def test_a_hostile_record_is_set_aside_and_its_neighbours_are_kept(
    hostile: list[str],
    ends_silently: bool,  # noqa: FBT001
) -> None:
    pds = _with_spaces(150)
    pds.ends_silently = ends_silently
    pds.intercept = _deep(pds, *hostile)
    listing = _list(pds)
    assert [aside.uri for aside in listing.set_aside] == [f"at://{ALICE}/{SPACE}/{key}" for key in hostile]
    assert all("too deep" in aside.reason or "512 levels" in aside.reason for aside in listing.set_aside)
    assert all(aside.cid and aside.cid.startswith("bafyrei") for aside in listing.set_aside)
    assert _keys(listing) == [key for key in (f"s{number:04}" for number in range(150)) if key not in hostile]
    assert (listing.rev, listing.faults) == (REV, ())


def test_whole_pages_come_back_after_a_hostile_one() -> None:
    pds = _with_spaces(300)
    pds.intercept = _deep(pds, "s0005", levels=100_000)
    _list(pds)
    limits = [limit for limit, _ in _pages_asked(pds)]
    assert limits == ["100", *["1"] * 100, "100", "100", "100"]


def _cut_at(longest: int) -> Callable[[FakePds], Callable[[Get], bytes]]:
    def client(pds: FakePds) -> Callable[[Get], bytes]:
        def ask(question: Get) -> bytes:
            body = pds.ask(question)
            if len(body) > longest:
                raise TooLargeError(question.nsid, f"an answer of more than {longest} bytes", body[:longest])
            return body

        return ask

    return client


def test_a_page_that_is_too_large_is_read_record_by_record() -> None:
    pds = _with_spaces(150)
    pds.put(ALICE, "space", "s0042", name="x" * 20_000)
    listing = answered(list_repo(ALICE, ONE_KIND), _cut_at(10_000)(pds))
    assert len(listing.held) == 149
    assert [aside.uri[-5:] for aside in listing.set_aside] == ["s0042"]
    assert "more than 10000 bytes" in listing.set_aside[0].reason


def test_an_unreadable_answer_without_a_name_ends_its_collection_alone() -> None:
    pds = _with_spaces(2)
    pds.put(ALICE, "goal", "g", title="x")
    pds.intercept = lambda nsid, query: (
        Reply(b"<html>") if nsid == LIST_RECORDS and query["collection"] == GOAL else None
    )
    listing = _list(pds, collections=(GOAL, SPACE))
    assert _keys(listing) == ["s0000", "s0001"]
    assert listing.rev == REV
    assert listing.faults[0].startswith(f"{GOAL}: ")


def test_a_name_that_is_not_of_this_repo_is_no_name() -> None:
    uri = f"at://{BOB}/{SPACE}/one"
    pds = _with_spaces(1)
    pds.intercept = lambda nsid, _query: (
        Reply(f'{{"records": [{{"uri": "{uri}", "value": {"[" * 2000}'.encode()) if nsid == LIST_RECORDS else None
    )
    listing = _list(pds)
    assert (listing.held, listing.set_aside) == ((), ())
    assert len(listing.faults) == 1


def test_a_wrong_cid_is_set_aside_with_its_reason() -> None:
    pds = _with_spaces(3)

    def intercept(nsid: str, query: dict[str, str]) -> Reply | None:
        if nsid != LIST_RECORDS:
            return None
        page = pds.page(ALICE, query)
        for item in page["records"]:
            if item["uri"].endswith("s0001"):
                item["value"] = item["value"] | {"name": "tampered with"}
        return Reply.json(page)

    pds.intercept = intercept
    listing = _list(pds)
    assert _keys(listing) == ["s0000", "s0002"]
    tampered = {"$type": SPACE, "createdAt": "2026-01-01T00:00:00Z", "name": "tampered with"}
    assert listing.set_aside == (
        SetAside(
            f"at://{ALICE}/{SPACE}/s0001",
            cid({"$type": SPACE, "createdAt": "2026-01-01T00:00:00Z", "name": "space 1"}),
            f"its cid is not that of its value, which is {cid(tampered)}",
        ),
    )


def _changing(pds: FakePds, revs: list[str]) -> None:
    """Answer the n-th question for the revision with the n-th of `revs`."""
    waiting = iter(revs)
    pds.intercept = lambda nsid, _query: (
        Reply.json({"cid": "bafy", "rev": next(waiting)}) if nsid == LATEST_COMMIT else None
    )


R1, R2, R3, R4, R5 = (f"3kaaaaaaaaa{number}2" for number in (2, 3, 4, 5, 6))


@pytest.mark.parametrize(
    ("revs", "rev", "listings"),
    [
        ([R1, R1], R1, 1),
        ([R1, R2, R2], R2, 2),
        ([R1, R2, R3, R3], R3, 3),
        ([R1, R2, R3, R4, R4], R4, 4),
        ([R1, R2, R3, R4, R5], None, 4),
    ],
)
def test_a_repo_that_changes_is_listed_again(revs: list[str], rev: str | None, listings: int) -> None:
    pds = _with_spaces(1)
    _changing(pds, revs)
    listing = _list(pds)
    assert listing.rev == rev
    assert len(_pages_asked(pds)) == 2 * listings
    assert len([nsid for nsid, _ in pds.asked if nsid == LATEST_COMMIT]) == len(revs)
    assert _keys(listing) == ["s0000"]
    assert [record.rev for record in listing.observations(None)] == [rev]
    assert ("kept changing" in "".join(listing.notes)) is (rev is None)


def test_the_last_listing_counts() -> None:
    """What vanished between two listings was in no revision that was read whole."""
    pds = _with_spaces(2)
    revs = iter([R1, R2, R2])

    def intercept(nsid: str, _query: dict[str, str]) -> Reply | None:
        if nsid != LATEST_COMMIT:
            return None
        rev = next(revs)
        if rev == R2:
            pds.repos[ALICE][SPACE].pop("s0000", None)
        return Reply.json({"cid": "bafy", "rev": rev})

    pds.intercept = intercept
    assert _keys(_list(pds)) == ["s0001"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply.json({"error": "MethodNotImplemented", "message": "no"}, 501),
        Reply.json({"error": "AuthMissing", "message": "no"}, 401),
        Reply.json({"cid": "bafy", "rev": "no-tid"}),
        Reply.json({"cid": "bafy", "rev": 5}),
        Reply.json({"cid": "bafy"}),
        Reply.json([]),
        Reply(b"[" * 100_000),
    ],
)
def test_a_server_that_tells_no_revision(reply: Reply) -> None:
    pds = _with_spaces(1)
    pds.intercept = lambda nsid, _query: reply if nsid == LATEST_COMMIT else None
    listing = _list(pds)
    assert (_keys(listing), listing.rev, listing.faults) == (["s0000"], None, ())
    assert "tells no revision" in listing.notes[0]
    assert len(_pages_asked(pds)) == 2


@pytest.mark.parametrize("name", ["RepoNotFound", "RepoTakendown", "RepoSuspended", "RepoDeactivated"])
def test_a_repo_that_is_not_served(name: str) -> None:
    pds = FakePds(intercept=lambda _nsid, _query: Reply.json({"error": name, "message": "no"}, 400))
    with pytest.raises(RefusedError, match=name):
        _list(pds)
    assert len(pds.asked) == 1


def test_a_server_that_refuses_every_listing_holds_no_such_repo() -> None:
    pds = _with_spaces(1)
    pds.intercept = lambda nsid, _query: (
        Reply.json({"error": "InvalidRequest", "message": "Could not find repo"}, 400) if nsid == LIST_RECORDS else None
    )
    with pytest.raises(RefusedError, match="Could not find repo"):
        _list(pds)


def test_a_collection_that_is_refused_is_missing_alone() -> None:
    pds = _with_spaces(1)
    pds.put(ALICE, "goal", "g", title="x")
    pds.intercept = lambda _nsid, query: (
        Reply.json({"error": "InternalServerError", "message": "no"}, 500) if query.get("collection") == GOAL else None
    )
    listing = _list(pds, collections=(GOAL, SPACE))
    assert (_keys(listing), listing.rev) == (["s0000"], REV)
    assert listing.faults[0].startswith(f"{GOAL}: ")
    assert "status 500" in listing.faults[0]
    assert isinstance(listing.error, RefusedError)


@pytest.mark.parametrize(("status", "asked"), [(500, 2), (502, 1), (503, 1), (504, 1)])
def test_a_server_that_is_broken_all_over_is_asked_no_more(status: int, asked: int) -> None:
    pds = _with_spaces(1)
    pds.intercept = lambda _nsid, query: (
        Reply.json({"error": "Broken", "message": "no"}, status) if query.get("collection", SPACE) != SPACE else None
    )
    listing = answered(list_repo(ALICE), pds.ask)
    assert (_keys(listing), listing.rev, len(listing.faults)) == (["s0000"], None, asked)
    assert len({query["collection"] for nsid, query in pds.asked if nsid == LIST_RECORDS}) == 1 + asked


def test_what_membership_rests_on_is_listed_first() -> None:
    pds = _with_spaces(1)
    answered(list_repo(ALICE), pds.ask)
    order = list(dict.fromkeys(query["collection"] for nsid, query in pds.asked if nsid == LIST_RECORDS))
    assert [name.rpartition(".")[2] for name in order[:3]] == ["space", "addMember", "removeMember"]
    assert order[3:] == sorted(order[3:])


def _failing_at(pds: FakePds, number: int, error: RequestError) -> Callable[[Get], bytes]:
    def ask(question: Get) -> bytes:
        if len(pds.asked) >= number:
            pds.asked.append((question.nsid, {}))
            raise error
        return pds.ask(question)

    return ask


@pytest.mark.parametrize("error", [UnreachableError("u", "gone"), RateLimitError("u", 429, 900)])
def test_what_was_read_before_the_server_went_away_is_kept(error: RequestError) -> None:
    pds = _with_spaces(250)
    listing = answered(list_repo(ALICE, ["x.y.z", SPACE]), _failing_at(pds, 2, error))
    assert len(listing.held) == 100
    assert listing.rev is None
    assert len(listing.faults) == 1
    assert "what follows it" in listing.faults[0]
    assert len(pds.asked) == 3  # nobody is asked for `x.y.z`, nor for the revision


@pytest.mark.parametrize(
    "error",
    [
        UnreachableError("u", "gone"),
        RateLimitError("u", 429, 900),
        RedirectError("u", "points elsewhere"),
        NotJsonError("u", "text/html", b""),
    ],
)
def test_a_server_that_is_none_from_the_start(error: RequestError) -> None:
    with pytest.raises(type(error)):
        answered(list_repo(ALICE, ONE_KIND), _failing_at(FakePds(), 0, error))


def test_a_server_that_goes_away_before_the_last_question() -> None:
    pds = _with_spaces(1)
    listing = answered(list_repo(ALICE, ONE_KIND), _failing_at(pds, 3, UnreachableError("u", "gone")))
    assert (_keys(listing), listing.rev) == (["s0000"], None)
    assert "gone" in listing.faults[0]


def test_a_repo_speaks_for_itself_alone() -> None:
    pds = _with_spaces(1)
    value: dict[str, Any] = {"$type": SPACE, "name": "mine", "createdAt": "2026-01-01T00:00:00Z"}
    forged = {"uri": f"at://{BOB}/{SPACE}/s0000", "cid": cid(value), "value": value}
    pds.intercept = lambda nsid, query: (
        Reply.json({"records": [*pds.page(ALICE, query)["records"], forged]}) if nsid == LIST_RECORDS else None
    )
    listing = _list(pds)
    assert _keys(listing) == ["s0000"]
    assert [aside.uri for aside in listing.set_aside] == [forged["uri"]]
