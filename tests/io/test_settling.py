"""What of a whole reading is news, what is gone, and in what portions it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from radial_core.observations import Deletion
from radial_io.ingest.limits import Limits
from radial_io.ingest.settling import Found, Whole, settle
from radial_io.store.store import open_store
from radial_io.store.values import Batch, Seen, Source, Spoiled, Taken
from tests.io.fakes import ALICE, GOAL, PREFIX
from tests.io.lab import Lab
from tests.io.streams_fakes_repo import block, cid_of, spelled, tid

SOURCE = Source("repo", "https://pds.example.com", ALICE)
STREAM = Source("firehose", "https://pds.example.com")
EARLIER, NOW, LATER = (tid(number << 20) for number in (1, 2, 3))


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with open_store(tmp_path / "store.db", write=True) as store:
        yield Lab(store)


def _seen(rkey: str, rev: str | None, title: str = "", collection: str = GOAL) -> Seen:
    raw = block({"$type": collection, "title": title or rkey})
    return Seen(ALICE, collection, rkey, spelled(cid_of(raw)), rev, raw, "cbor")


def _know(lab: Lab, *seen: Seen) -> None:
    """Let a stream have seen this."""
    lab.store.take(Batch(source=STREAM, seen=seen), lab.now())


def _settle(lab: Lab, *found: Found, limits: Limits | None = None, is_latest: bool = True) -> Taken:
    whole = Whole(did=ALICE, source=SOURCE, rev=NOW, root=None, found=found, is_latest=is_latest)
    return lab.run(settle(whole, limits or Limits()))


def _gone(lab: Lab) -> list[str]:
    return sorted(seen.uri.rpartition("/")[2] for _, seen in lab.store.observations() if isinstance(seen, Deletion))


def _written(lab: Lab) -> list[tuple[str, str | None]]:
    return [(seen.rkey, seen.rev) for request in lab.takes() for seen in request.batch.seen]


@pytest.mark.parametrize(
    ("known", "is_news"),
    [
        (_seen("a", EARLIER), False),
        (_seen("a", NOW), False),
        (_seen("a", LATER), True),  # an earlier sighting may come before another version
        (_seen("a", None), True),  # now there is a revision to it
        (_seen("a", EARLIER, "another"), True),
        (_seen("a", LATER, "another"), True),
    ],
    ids=["earlier", "same", "later", "without a revision", "another before", "another after"],
)
def test_what_is_news(lab: Lab, known: Seen, is_news: bool) -> None:  # noqa: FBT001
    _know(lab, known)
    _settle(lab, _seen("a", NOW))
    assert _written(lab) == ([("a", NOW)] if is_news else [])
    assert _gone(lab) == []


def test_what_a_stream_saw_later_is_not_gone(lab: Lab) -> None:
    """The reading is of an older revision: what was created since was not there yet."""
    _know(lab, _seen("old", EARLIER), _seen("same", NOW), _seen("new", LATER), _seen("unknown", None))
    assert _settle(lab).gone == 2
    assert _gone(lab) == ["old", "unknown"]


def test_what_is_there_in_any_form_is_not_gone(lab: Lab) -> None:
    _know(lab, *(_seen(rkey, EARLIER) for rkey in "abc"))
    spoiled = Spoiled(ALICE, GOAL, "b", "bafy", NOW, "not to be read", b"x")
    _settle(lab, (GOAL, "a"), spoiled, Spoiled(ALICE, None, None, None, NOW, "no path", b""))
    assert _gone(lab) == ["c"]


def test_what_is_not_read_is_not_gone(lab: Lab) -> None:
    """An import may have brought records of collections that nobody asked the repo for."""
    _know(lab, _seen("x", EARLIER, collection=f"{PREFIX}unheardOf"))
    _settle(lab)
    assert _gone(lab) == []


def test_a_reading_that_is_not_the_latest_ends_nothing(lab: Lab) -> None:
    _know(lab, _seen("a", EARLIER))
    _settle(lab, _seen("b", NOW), is_latest=False)
    assert (_written(lab), _gone(lab), lab.store.cursor(SOURCE)) == ([("b", NOW)], [], None)
    assert lab.store.repo(ALICE).rev is None


@pytest.mark.parametrize("gone", [0, 1, 9, 10, 11, 20, 25])
def test_deletions_are_written_in_portions_too(lab: Lab, gone: int) -> None:
    _know(lab, *(_seen(f"g{number}", EARLIER) for number in range(gone)))
    assert _settle(lab, limits=Limits(batch=10)).gone == gone
    assert len(_gone(lab)) == gone
    batches = [request.batch for request in lab.takes()]
    assert [batch.cursor for batch in batches] == [None] * (len(batches) - 1) + [NOW]
    assert max(len(batch.gone) for batch in batches) <= 10


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 25])
def test_the_cursor_comes_with_the_last_portion(lab: Lab, count: int) -> None:
    taken = _settle(lab, *(_seen(f"g{number}", NOW) for number in range(count)), limits=Limits(batch=10))
    assert taken.new == count
    batches = [request.batch for request in lab.takes()]
    assert [batch.cursor for batch in batches] == [None] * (len(batches) - 1) + [NOW]
    assert [len(batch.repos) for batch in batches] == [0] * (len(batches) - 1) + [1]
    assert max(len(batch.seen) for batch in batches) <= 10
