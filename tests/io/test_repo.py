"""Whole repos: signed, or refused whole; interrupted, or changed, or hostile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cbor2
import pytest

from radial_core.observations import Deletion
from radial_io.errors import RefusedError, UnreachableError
from radial_io.ingest.limits import Limits
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Ask, Download, NextChunk, Request, Resolve, Take
from radial_io.store.store import open_store
from radial_io.store.values import Batch, RepoState, Source
from tests.io.fakes import ALICE, BOB, GOAL, PREFIX, Reply
from tests.io.lab import InterruptedByHandError, Lab
from tests.io.streams_fakes_repo import Signer, block, car, cid_of, spelled, tid

HOST = "https://pds.example.com"
SOURCE = Source("repo", HOST, ALICE)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Alice has two goals."""
    with open_store(tmp_path / "store.db", write=True) as store:
        lab = Lab(store)
        lab.join(ALICE)
        lab.write(ALICE, a={"title": "A"}, b={"title": "B"})
        yield lab


def _held(lab: Lab) -> dict[str, str]:
    return {rkey: cid for (_, rkey), (cid, _) in lab.store.held(ALICE).items()}


def _cids(lab: Lab) -> dict[str, str]:
    return {path.partition("/")[2]: spelled(cid_of(raw)) for path, raw in lab.signed[ALICE].head.records.items()}


def _deletions(lab: Lab) -> list[Deletion]:
    return [seen for _, seen in lab.store.observations() if isinstance(seen, Deletion)]


def test_every_record_is_seen_in_the_signed_revision(lab: Lab) -> None:
    reading = lab.run(read_repo(ALICE))
    head = lab.signed[ALICE].head
    assert (reading.how, reading.rev, reading.taken.new) == ("read", head.rev, 2)
    assert _held(lab) == _cids(lab)
    assert {seen.rev for _, seen in lab.store.observations()} == {head.rev}
    assert lab.store.cursor(SOURCE) == head.rev
    repo = lab.store.repo(ALICE)
    assert (repo.rev, repo.root, repo.state, repo.failure) == (head.rev, spelled(head.data), "active", None)


def test_an_unchanged_repo_is_not_read_again(lab: Lab) -> None:
    lab.run(read_repo(ALICE))
    lab.asked.clear()
    assert lab.run(read_repo(ALICE)).how == "unchanged"
    assert lab.asked == ["getLatestCommit"]


def test_only_our_collections_are_taken(lab: Lab) -> None:
    others = ("app.bsky.feed.post", f"{PREFIX}unheardOf", f"{PREFIX}goals")
    lab.commit(ALICE, {f"{collection}/x": {"$type": collection} for collection in others})
    lab.run(read_repo(ALICE))
    assert {collection for collection, _ in lab.store.held(ALICE)} == {GOAL}


def test_what_is_missing_is_gone_in_the_revision_that_was_read(lab: Lab) -> None:
    lab.run(read_repo(ALICE))
    lab.write(ALICE, a=None, b={"title": "B, better"}, c={"title": "C"})
    reading = lab.run(read_repo(ALICE))
    assert (reading.taken.new, reading.taken.gone) == (2, 1)
    assert _held(lab) == _cids(lab)
    (gone,) = _deletions(lab)
    assert (gone.uri, gone.rev) == (f"at://{ALICE}/{GOAL}/a", lab.signed[ALICE].head.rev)


def _cut(lab: Lab) -> bytes:
    """Without its last block: it parses cleanly."""
    head = lab.signed[ALICE].head
    return car(head.cid, [head.raw, *head.nodes.values(), *[*head.records.values()][:-1]])


def _flipped(lab: Lab) -> bytes:
    whole = bytearray(lab.signed[ALICE].head.car())
    whole[-1] ^= 1
    return bytes(whole)


def _of_somebody_else(lab: Lab) -> bytes:
    other = lab.join(BOB)
    other.signer = lab.signed[ALICE].signer
    lab.write(BOB, a={"title": "Hers"})
    lab.pds.rev = lab.signed[ALICE].head.rev
    return other.head.car()


def _signed_by_another(lab: Lab) -> bytes:
    lab.signed[ALICE].signer = Signer.numbered(99)
    lab.write(ALICE, c={"title": "Not hers"})
    return lab.signed[ALICE].head.car()


def _from_the_future(lab: Lab) -> bytes:
    head = lab.signed[ALICE].head
    unsigned = {"did": ALICE, "version": 3, "data": cbor2.CBORTag(42, b"\0" + head.data), "rev": "z" * 13, "prev": None}
    raw = block(unsigned | {"sig": lab.signed[ALICE].signer.sign(block(unsigned))})
    return car(cid_of(raw), [raw, *head.nodes.values(), *head.records.values()])


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (_cut, "not there"),
        (_flipped, "CID|hash"),
        (_of_somebody_else, ALICE),
        (_signed_by_another, "sign"),
        (_from_the_future, "future|rev"),
        (lambda _lab: b"", "CAR|header"),
        (lambda _lab: b"<html>", "CAR|header"),
    ],
    ids=["cut", "flipped", "somebody else's", "another's signature", "future", "empty", "html"],
)
def test_a_car_that_is_refused_leaves_what_was(lab: Lab, made: Callable[[Lab], bytes], said: str) -> None:
    lab.run(read_repo(ALICE))
    before, rev = _held(lab), lab.signed[ALICE].head.rev
    lab.cars[ALICE] = made(lab)
    lab.pds.rev = tid(1 << 30)
    reading = lab.run(read_repo(ALICE))
    assert reading.how == "failed"
    repo = lab.store.repo(ALICE)
    assert repo.failure == reading.words[0]
    assert any(word in reading.words[0] for word in said.split("|")), reading.words
    assert (repo.rev, lab.store.cursor(SOURCE), _held(lab), _deletions(lab)) == (rev, rev, before, [])
    assert lab.kept == {}


def test_a_changed_key_is_looked_up_once(lab: Lab) -> None:
    known = lab.identities[ALICE]
    lab.signed[ALICE].signer = Signer.numbered(7)
    lab.fresh[ALICE] = lab.identity(ALICE)
    lab.write(ALICE, c={"title": "C"})
    assert lab.identities[ALICE] == known
    reading = lab.run(read_repo(ALICE))
    assert (reading.how, reading.taken.new) == ("read", 3)
    assert [request.fresh for request in lab.requests if isinstance(request, Resolve)] == [False, True]


def _after(takes: int) -> Callable[[Request], None]:
    """End the process when so many batches were taken."""
    left = takes

    def refuse(request: Request) -> None:
        nonlocal left
        if isinstance(request, Take):
            left -= 1
            if left < 0:
                raise InterruptedByHandError

    return refuse


def _interrupt(lab: Lab, takes: int, limits: Limits) -> None:
    lab.refuse = _after(takes)
    with pytest.raises(InterruptedByHandError):
        lab.run(read_repo(ALICE, limits))
    lab.refuse = lambda _request: None


def test_an_interrupted_reading_goes_on_where_it_was(lab: Lab) -> None:
    """Nothing is asked of the server but the head, and what was written is not written again."""
    limits = Limits(batch=10)
    lab.write(ALICE, **{f"g{number:03}": {"title": str(number)} for number in range(100)})
    _interrupt(lab, 5, limits)
    assert len(lab.store.held(ALICE)) == 50
    assert lab.store.cursor(SOURCE) is None
    lab.asked.clear()
    lab.requests.clear()
    reading = lab.run(read_repo(ALICE, limits))
    assert lab.asked == ["getLatestCommit"]
    assert (reading.how, reading.taken.new, reading.taken.known) == ("read", 52, 0)
    assert sum(isinstance(request, Take) for request in lab.requests) == 7  # 5 of ten, one of two, and the cursor's
    assert _held(lab) == _cids(lab)
    assert lab.kept == {}


def test_an_interrupted_reading_of_what_has_changed_since(lab: Lab) -> None:
    """The old revision is finished as what was seen; what is gone is told by the new one alone."""
    limits = Limits(batch=1)
    old = lab.signed[ALICE].head.rev
    _interrupt(lab, 1, limits)
    lab.write(ALICE, a=None, c={"title": "C"})
    new = lab.signed[ALICE].head.rev
    lab.asked.clear()
    reading = lab.run(read_repo(ALICE, limits))
    assert lab.asked == ["getLatestCommit", "getRepo"]
    assert reading.rev == new
    seen = {(observation.uri.rpartition("/")[2], observation.rev) for _, observation in lab.store.observations()}
    assert seen == {("a", old), ("b", old), ("c", new), ("a", new)}
    assert [(gone.uri.rpartition("/")[2], gone.rev) for gone in _deletions(lab)] == [("a", new)]


def test_a_spoiled_keeping_is_asked_for_anew(lab: Lab) -> None:
    lab.kept[ALICE] = b"not a CAR"
    reading = lab.run(read_repo(ALICE))
    assert (reading.how, reading.taken.new) == ("read", 2)
    assert lab.asked == ["getLatestCommit", "getRepo"]


def _deep(levels: int) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value]
    return value


def _with_block(lab: Lab, rkey: str, raw: bytes) -> bytes:
    """Her repo with these bytes for one record, signed."""
    repo = lab.signed[ALICE]
    head = repo._signed({**repo.head.records, f"{GOAL}/{rkey}": raw}, ())
    lab.pds.rev = head.rev
    return head.car()


@pytest.mark.parametrize(
    "raw",
    [
        b"\x81" * 2000 + b"\x00",
        block({"deep": _deep(200)})[:-1] + b"\xfb\x3f\xf0\0\0\0\0\0\0",
        b"\xbf\xff",
        b"\xa2\x61b\x01\x61a\x01",
        b"\xff",
        b"",
        b"\x80",
    ],
    ids=["2,000 levels", "a float", "indefinite", "keys out of order", "no CBOR", "nothing", "no object"],
)
def test_a_record_that_cannot_be_read_hides_no_other(lab: Lab, raw: bytes) -> None:
    lab.cars[ALICE] = _with_block(lab, "aa", raw)
    reading = lab.run(read_repo(ALICE))
    assert (reading.how, reading.taken.new, reading.taken.spoiled) == ("read", 2, 1)
    (aside,) = lab.store.quarantine()
    assert (aside.rkey, aside.cid, aside.raw) == ("aa", spelled(cid_of(raw)), raw)
    assert aside.reason


def test_a_record_that_became_unreadable_is_not_gone(lab: Lab) -> None:
    lab.run(read_repo(ALICE))
    lab.cars[ALICE] = _with_block(lab, "a", b"\xff")
    assert lab.run(read_repo(ALICE)).taken.spoiled == 1
    assert _deletions(lab) == []


def test_a_server_that_goes_back_deletes_nothing(lab: Lab) -> None:
    lab.run(read_repo(ALICE))
    old = lab.signed[ALICE].head
    lab.write(ALICE, c={"title": "C"})
    lab.run(read_repo(ALICE))
    lab.pds.rev = old.rev
    lab.cars[ALICE] = old.car()
    reading = lab.run(read_repo(ALICE))
    assert reading.how == "failed"
    assert "back at revision" in reading.words[0]
    assert _deletions(lab) == []
    assert lab.store.cursor(SOURCE) == lab.signed[ALICE].head.rev


def test_a_server_that_stops_in_the_middle(lab: Lab) -> None:
    def refuse(request: Request) -> None:
        if isinstance(request, NextChunk):
            raise UnreachableError(f"{HOST}/xrpc/x", "stopped in the middle")

    lab.refuse = refuse
    reading = lab.run(read_repo(ALICE))
    assert (reading.how, lab.store.repo(ALICE).state) == ("failed", "unreachable")
    assert "stopped in the middle" in reading.words[0]


def _status(said: dict[str, Any] | str) -> Callable[[Request], None]:
    """Play a server that refuses this repo, and says this of its account: fields, or the name of an error."""

    def refuse(request: Request) -> None:
        if isinstance(request, Download) or (isinstance(request, Ask) and "Latest" in request.question.nsid):
            raise RefusedError(HOST, 400, "RepoNotFound", "Could not find repo")
        if isinstance(request, Ask) and request.question.nsid.endswith("getRepoStatus") and isinstance(said, str):
            raise RefusedError(HOST, 400, said, "")

    return refuse


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ({"active": False, "status": "deactivated"}, "deactivated"),
        ({"active": False, "status": "takendown"}, "takendown"),
        ({"active": False, "status": "suspended"}, "suspended"),
        ({"active": False, "status": "deleted"}, "deleted"),
        ({"active": False, "status": "throttled"}, "throttled"),
        ({"active": True}, "active"),
        ({"active": False, "status": "on holiday"}, None),
        ({"active": "yes"}, None),
        ("RepoNotFound", "deleted"),
        ("MethodNotImplemented", None),
    ],
)
def test_what_a_server_says_of_an_account(lab: Lab, said: Any, state: str | None) -> None:
    lab.refuse = _status(said)
    lab.pds.intercept = lambda nsid, _query: Reply.json(said) if nsid.endswith("getRepoStatus") else None
    reading = lab.run(read_repo(ALICE))
    assert reading.how == "failed"
    assert lab.store.repo(ALICE).state == state
    assert list(lab.store.observations()) == []


def test_a_repo_that_moved_is_followed(lab: Lab) -> None:
    """Its old server knows it no more; the document, looked up afresh, names the new one."""
    lab.run(read_repo(ALICE))
    elsewhere = "https://new.example.com"
    lab.fresh[ALICE] = lab.identity(ALICE, elsewhere)
    lab.write(ALICE, c={"title": "C"})

    def refuse(request: Request) -> None:
        if isinstance(request, Ask) and request.server == HOST:
            raise RefusedError(HOST, 400, "RepoNotFound", "Could not find repo")

    lab.refuse = refuse
    reading = lab.run(read_repo(ALICE))
    assert (reading.how, reading.source, reading.taken.new) == ("read", Source("repo", elsewhere, ALICE), 1)
    assert lab.store.repo(ALICE).failure is None


def test_what_a_stream_followed_up_to_the_head_is_not_read(lab: Lab) -> None:
    head = lab.signed[ALICE].head
    stream = Source("firehose", HOST)
    lab.store.take(Batch(source=stream, repos=(RepoState(ALICE, head.rev, spelled(head.data), stream),)), lab.now())
    assert lab.run(read_repo(ALICE)).how == "unchanged"
    assert lab.asked == ["getLatestCommit"]


def test_an_older_reading_does_not_put_a_stream_back(lab: Lab) -> None:
    ahead = tid(1 << 25)
    stream = Source("firehose", HOST)

    def refuse(request: Request) -> None:
        if isinstance(request, NextChunk):
            lab.store.take(Batch(source=stream, repos=(RepoState(ALICE, ahead, None, stream),)), lab.now())

    lab.refuse = refuse
    lab.run(read_repo(ALICE))
    repo = lab.store.repo(ALICE)
    assert (repo.rev, repo.source) == (ahead, stream)
    assert lab.store.cursor(SOURCE) == lab.signed[ALICE].head.rev
