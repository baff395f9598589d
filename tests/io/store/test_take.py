"""What a batch changes: sightings that never move, revisions that widen, a cursor that goes with its data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import attrs
import pytest

from radial_core import Deletion, Lease, Record, live, parse_instant
from radial_io.store.locking import writing
from radial_io.store.store import Store, open_store
from radial_io.store.values import Account, Batch, Failure, Gone, RepoState, Seen, Source, Spoiled, Taken
from tests.io.store.making import (
    ADA,
    BEN,
    CLAIM,
    GOAL,
    LATER,
    LATEST,
    NOON,
    REPO,
    REV_1,
    REV_2,
    REV_3,
    REV_4,
    REV_6,
    STREAM,
    batch,
    gone,
    seen,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "radial" / "store.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with open_store(file, write=True) as opened:
        yield opened


def sightings(store: Store) -> list[tuple[str | None, str | None]]:
    return [(one.rev, one.seen_at) for _, one in store.observations()]


def revisions(store: Store) -> list[str | None]:
    return [one.rev for one in store.every_sighting()]


def test_a_batch_says_what_was_new_and_what_was_known(store: Store) -> None:
    first = batch(seen({"n": 1}), seen({"n": 2}, "b"), seen({"n": 1}), gone("c"))
    assert store.take(first, NOON) == Taken(new=2, known=1, gone=1)
    assert store.take(first, LATER) == Taken(new=0, known=3, gone=0)


def test_what_is_taken_is_told_with_its_value_its_revision_and_its_sighting(store: Store) -> None:
    value = {"$type": GOAL, "link": {"$link": "bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity"}}
    store.take(batch(seen(value), seen(value, "b", form="json"), gone("c")), "2026-03-01T13:00:00.50+01:00")
    told = [one for _, one in store.observations()]
    assert [one.uri for one in told] == [f"at://{ADA}/{GOAL}/{rkey}" for rkey in "abc"]
    assert {one.seen_at for one in told} == {"2026-03-01T12:00:00.5Z"}
    first, second, third = told
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.value == second.value
    assert first.value["$type"] == GOAL
    assert third == Deletion(uri=f"at://{ADA}/{GOAL}/c", rev=REV_2, seen_at="2026-03-01T12:00:00.5Z")


@pytest.mark.parametrize("later", [LATER, "2026-02-28T12:00:00Z"])
def test_seeing_a_version_again_never_moves_its_first_sighting(later: str, store: Store) -> None:
    store.take(batch(seen({"n": 1}), gone("b")), NOON)
    store.take(batch(seen({"n": 1}), seen({"n": 1}, rev=REV_3), gone("b")), later)
    assert {moment for _, moment in sightings(store)} == {NOON}


def test_a_restart_moves_no_sighting(file: Path) -> None:
    for now in (NOON, LATER, LATEST):
        with open_store(file, write=True) as store:
            store.take(batch(seen({"n": 1}, collection=CLAIM)), now)
    with open_store(file, write=False) as store:
        assert sightings(store) == [(REV_1, NOON)]


def test_a_lease_of_ten_minutes_is_honoured_for_one_more_after_a_restart_at_the_ninth(
    file: Path, tmp_path: Path
) -> None:
    """Its writer's clock is a week off; a restart, a reading anew and a restored copy change nothing."""
    claim = {"createdAt": "2026-02-22T12:00:00Z", "expiresAt": "2026-02-22T12:10:00Z"}
    created, expires = (parse_instant(text) for text in claim.values())
    copy = tmp_path / "copy.db"
    with open_store(file, write=True) as store:
        store.take(batch(seen(claim, collection=CLAIM)), NOON)
        store.copy(copy)
    for place in (file, copy):
        with open_store(place, write=True) as store:
            store.take(batch(seen(claim, rev=REV_2, collection=CLAIM, form="json")), "2026-03-01T12:09:00Z")
            first = min(parse_instant(moment or "") for _, moment in sightings(store))
        lease = Lease(created, "at://", "bafy", created, expires)
        assert live(lease, first, parse_instant("2026-03-01T12:09:59.9Z"))
        assert not live(lease, first, parse_instant("2026-03-01T12:10:00Z"))


def test_one_s_own_word_of_an_earlier_sighting_counts_and_of_a_later_one_does_not(store: Store) -> None:
    store.take(batch(seen({"n": 1}), seen({"n": 2}, "b")), LATER)
    again = [seen({"n": 1}, seen_at=NOON), seen({"n": 2}, "b", REV_3, seen_at=LATEST)]
    store.take(batch(*again, seen({"n": 3}, "c", seen_at=LATEST)), LATEST)
    assert sorted(moment or "" for _, moment in sightings(store)) == [NOON, LATER, LATEST]
    deleted = Gone(ADA, GOAL, "z", REV_1)
    for told, kept in ((None, LATEST), (LATER, LATER), (LATEST, LATER)):
        store.take(batch(attrs.evolve(deleted, seen_at=told)), LATEST)
        (found,) = [one for _, one in store.observations() if isinstance(one, Deletion)]
        assert found.seen_at == kept


def test_of_the_revisions_of_a_version_the_least_and_the_greatest_are_kept(store: Store) -> None:
    for rev in (REV_2, REV_3, REV_1, REV_2, None):
        store.take(batch(seen({"n": 1}, rev=rev), seen({"n": 2}, rev=REV_2)), NOON)
    assert revisions(store) == [REV_1, REV_3, None, REV_2] or revisions(store) == [REV_2, REV_1, REV_3, None]


def test_of_what_a_deletion_takes_away_every_revision_is_kept(store: Store) -> None:
    """V5: after a deletion in revision 2 the least sighting is that of revision 3, whatever came first."""
    for rev in (REV_4, REV_1, REV_3):
        store.take(batch(seen({"n": 1}, rev=rev, collection=CLAIM)), NOON)
    assert revisions(store) == [REV_1, REV_3, REV_4]
    store.take(batch(gone(rev=REV_2, collection=CLAIM)), NOON)
    assert [rev for rev, _ in sightings(store)] == [REV_2, REV_1, REV_3, REV_4]


def test_a_version_that_stands_alone_is_told_once_however_often_it_is_read(store: Store) -> None:
    store.take(batch(seen({"n": 1})), NOON)
    met = store.last_row()
    for rev in (REV_2, REV_3):
        store.take(batch(seen({"n": 1}, rev=rev)), LATER)
    assert list(store.observations(after=met)) == []
    assert sightings(store) == [(REV_1, NOON)]
    store.take(batch(seen({"n": 2}, rev=REV_2)), LATEST)
    assert {one.rev for _, one in store.observations(after=met)} == {REV_1, REV_2, REV_3}


def test_among_others_every_sighting_that_may_matter_is_told_to_who_reads_on(store: Store) -> None:
    store.take(batch(seen({"n": 1}), seen({"n": 2}, rev=REV_2)), NOON)
    met = store.last_row()
    store.take(batch(seen({"n": 2}, rev=REV_2)), NOON)
    assert list(store.observations(after=met)) == []
    store.take(batch(seen({"n": 1}, rev=REV_3)), NOON)
    assert [(one.rev, one.seen_at) for _, one in store.observations(after=met)] == [(REV_1, NOON), (REV_3, NOON)]


def test_a_sighting_between_two_others_is_told_where_a_deletion_makes_it_the_least(store: Store) -> None:
    kept = [seen({"n": 1}, rev=rev, collection=CLAIM) for rev in (REV_1, REV_6)]
    store.take(batch(*kept, gone(rev=REV_2, collection=CLAIM)), NOON)
    met = store.last_row()
    store.take(batch(seen({"n": 1}, rev=REV_3, collection=CLAIM)), NOON)
    assert [one.rev for _, one in store.observations(after=met)] == [REV_1, REV_3, REV_6]


def test_cursors_of_two_sources_never_mix(store: Store) -> None:
    sources = [Source("jetstream", "https://a"), Source("jetstream2", "https://a"), Source("jetstream", "https://b")]
    for number, source in enumerate(sources):
        store.take(batch(source=source, cursor=str(number)), NOON)
    store.take(batch(source=sources[0]), NOON)
    assert [store.cursor(source) for source in (*sources, STREAM)] == ["0", "1", "2", None]


def test_a_batch_that_cannot_be_kept_leaves_nothing_and_no_cursor(store: Store) -> None:
    store.take(batch(seen({"n": 1}), cursor="1"), NOON)
    bad = Seen(ADA, GOAL, "b", "bafy", REV_1, "no bytes", "cbor")  # type: ignore[arg-type]
    halves = Seen(BEN, GOAL, "\ud800", "bafy", REV_1, b"\x01", "cbor")
    for broken in (bad, halves):
        with pytest.raises(Exception):  # noqa: B017, PT011 - whatever a caller's mistake ends with
            store.take(batch(seen({"n": 2}, did=BEN), broken, cursor="2"), NOON)
    assert (store.cursor(REPO), store.stats().versions, len(store.repos())) == ("1", 1, 1)
    assert store.take(batch(seen({"n": 2}, did=BEN), cursor="2"), NOON).new == 1


@pytest.mark.parametrize("rev", ["", "7", REV_1 + "x"])
def test_a_revision_that_is_no_tid_is_a_caller_s_mistake(rev: str, store: Store) -> None:
    for item in (seen({"n": 1}, rev=rev), gone(rev=rev)):
        with pytest.raises(ValueError, match="TID"):
            store.take(batch(item, cursor="1"), NOON)
    assert (store.cursor(REPO), store.last_row()) == (None, 0)


def test_what_a_repo_holds_is_what_was_seen_last(store: Store) -> None:
    old, new = seen({"n": 1}, rev=REV_1), seen({"n": 2}, rev=REV_2)
    store.take(batch(new, old, seen({"n": 3}, "b", REV_1), gone("b", REV_2), seen({"n": 4}, "c", REV_3)), NOON)
    store.take(batch(gone("c", REV_2), seen({"n": 5}, did=BEN)), NOON)
    assert store.held(ADA) == {(GOAL, "a"): (new.cid, REV_2), (GOAL, "c"): (seen({"n": 4}).cid, REV_3)}
    store.take(batch(seen({"n": 1}, rev=REV_3)), NOON)
    assert store.held(ADA)[GOAL, "a"] == (old.cid, REV_3)
    assert store.held("did:plc:nobody") == {}


def test_without_revisions_what_was_stored_last_is_held(store: Store) -> None:
    store.take(batch(seen({"n": 1}, rev=None)), NOON)
    store.take(batch(seen({"n": 2}, rev=REV_1)), LATER)
    assert store.held(ADA) == {(GOAL, "a"): (seen({"n": 2}).cid, REV_1)}
    store.take(batch(gone(rev=None)), LATEST)
    assert store.held(ADA) == {}


def test_observations_can_be_asked_of_some_repos_and_collections(store: Store) -> None:
    store.take(batch(*(seen({"n": 1}, did=did, collection=kind) for did in (ADA, BEN) for kind in (GOAL, CLAIM))), NOON)
    store.take(batch(gone("z"), gone("z", did=BEN)), NOON)

    def uris(dids: set[str] | None = None, collections: set[str] | None = None) -> set[str]:
        told = store.observations(dids=dids, collections=collections)
        return {one.uri.removeprefix("at://did:plc:") for _, one in told}

    assert uris(dids={ADA}) == {f"ada/{GOAL}/a", f"ada/{CLAIM}/a", f"ada/{GOAL}/z"}
    assert uris(collections={CLAIM}) == {f"ada/{CLAIM}/a", f"ben/{CLAIM}/a"}
    assert uris(dids={BEN}, collections={CLAIM}) == {f"ben/{CLAIM}/a"}
    assert uris(dids=set()) == set()


def test_a_repo_is_told_with_its_state_its_last_reading_and_the_error_since(store: Store) -> None:
    assert store.repo(ADA).state is None
    store.take(
        Batch(source=REPO, accounts=(Account(ADA, "active"),), repos=(RepoState(ADA, REV_1, "bafyroot", REPO),)), NOON
    )
    store.take(
        Batch(source=REPO, accounts=(Account(ADA, "active"),), failures=(Failure(ADA, REPO, "no answer"),)), LATER
    )
    repo = store.repo(ADA)
    assert (repo.state, repo.state_since, repo.rev, repo.root) == ("active", NOON, REV_1, "bafyroot")
    assert (repo.source, repo.read_at, repo.failure, repo.failed_at) == (REPO, NOON, "no answer", LATER)
    store.take(
        Batch(source=REPO, accounts=(Account(ADA, "deactivated"),), repos=(RepoState(ADA, REV_2, None, REPO),)), LATEST
    )
    repo = store.repo(ADA)
    assert (repo.state, repo.state_since, repo.rev, repo.failure) == ("deactivated", LATEST, REV_2, None)
    assert store.repos() == (repo,)


POLL = attrs.evolve(REPO, adapter="poll")
STANDINGS = [
    RepoState(ADA, None, None, POLL),
    RepoState(ADA, REV_1, "bafyold", REPO),
    RepoState(ADA, REV_2, None, POLL),
    RepoState(ADA, REV_2, "bafynew", STREAM),
]


@pytest.mark.parametrize("order", list(permutations(STANDINGS)))
def test_a_repo_stands_where_it_was_read_furthest_whoever_tells_of_it_last(
    order: tuple[RepoState, ...], store: Store
) -> None:
    for state, now in zip(order, (NOON, NOON, LATER, LATEST), strict=True):
        store.take(Batch(source=state.source, repos=(state,)), now)
    repo = store.repo(ADA)
    assert (repo.rev, repo.root, repo.source, repo.read_at) == (REV_2, "bafynew", STREAM, LATEST)


def test_an_older_reading_ends_the_failures_of_its_source_all_the_same(store: Store) -> None:
    store.take(Batch(source=STREAM, repos=(RepoState(ADA, REV_2, "bafynew", STREAM),)), NOON)
    store.take(Batch(source=REPO, failures=(Failure(ADA, REPO, "no answer"),)), LATER)
    store.take(Batch(source=REPO, repos=(RepoState(ADA, REV_1, "bafyold", REPO),)), LATER)
    assert store.failures() == ()
    assert store.repo(ADA).rev == REV_2


def test_a_tree_seen_again_in_the_same_revision_is_the_last_one_s(store: Store) -> None:
    for root, source in (("bafyone", STREAM), ("bafytwo", REPO), (None, POLL)):
        store.take(Batch(source=source, repos=(RepoState(ADA, REV_1, root, source),)), NOON)
    assert (store.repo(ADA).root, store.repo(ADA).source) == ("bafytwo", REPO)


def test_an_error_from_elsewhere_that_came_before_the_last_reading_is_not_told(store: Store) -> None:
    store.take(Batch(source=STREAM, failures=(Failure(ADA, STREAM, "bad signature"),)), NOON)
    assert store.repo(ADA).failure == "bad signature"
    store.take(Batch(source=REPO, repos=(RepoState(ADA, REV_1, None, REPO),)), LATER)
    assert store.repo(ADA).failure is None


def test_a_store_is_not_ready_for_those_whose_repo_was_never_read_wholly(store: Store) -> None:
    assert store.unread([ADA, BEN]) == (ADA, BEN)
    store.take(batch(seen({"n": 1}), cursor="1"), NOON)
    assert store.unread([ADA]) == (ADA,)
    store.take(Batch(source=REPO, repos=(RepoState(ADA, REV_1, None, REPO),)), NOON)
    assert store.unread([ADA, BEN]) == (BEN,)
    assert store.unread([]) == ()


def test_freshness_is_unknown_once_a_stream_breaks_off_or_its_reader_ends(file: Path) -> None:
    def is_live() -> bool:
        with open_store(file, write=False) as reader:
            (state,) = reader.sources()
        return state.is_live

    with open_store(file, write=True) as store:
        store.take(batch(source=STREAM, cursor="1"), NOON)
        assert is_live()
        store.take(Batch(source=STREAM, failures=(Failure("", STREAM, "closed: 1006"),)), LATER)
        assert not is_live()
        (state,) = store.sources()
        assert (state.cursor, state.taken_at, state.failure, state.failed_at) == ("1", NOON, "closed: 1006", LATER)
        store.take(batch(source=STREAM, cursor="2"), LATEST)
        assert is_live()
    assert not is_live()
    with open_store(file, write=True) as store:
        assert not is_live(), "a new process has taken nothing from it yet"
    with writing(file, 0.0):
        assert not is_live(), "a new process has the lock, and not yet a session"


def spoiled(rkey: str = "a", reason: str = "no map", raw: bytes = b"\x00", cid: str | None = None) -> Spoiled:
    return Spoiled(ADA, GOAL, rkey, cid, REV_1, reason, raw)


def test_what_cannot_be_taken_is_set_aside_once_with_its_reason(store: Store) -> None:
    set_aside = Batch(
        source=REPO, cursor="1", seen=(seen({"n": 1}),), spoiled=(spoiled("b"), spoiled("c", "cut short"))
    )
    assert store.take(set_aside, NOON) == Taken(new=1, spoiled=2)
    assert store.take(set_aside, LATER) == Taken(known=1)
    told = [(one.rkey, one.reason, one.times, one.first_at, one.last_at, one.source) for one in store.quarantine()]
    assert told == [("b", "no map", 2, NOON, LATER, REPO), ("c", "cut short", 2, NOON, LATER, REPO)]
    assert list(store.quarantine(BEN)) == []


def test_only_the_first_bytes_of_what_is_set_aside_are_kept(store: Store) -> None:
    store.take(Batch(source=REPO, spoiled=(spoiled(raw=b"x" * 3_000_000, reason="long " * 1_000),)), NOON)
    (one,) = store.quarantine()
    assert (len(one.raw), one.length, len(one.reason)) == (65_536, 3_000_000, 1_000)


def test_a_hostile_repo_fills_no_disk_and_takes_no_room_from_others(store: Store) -> None:
    many = tuple(spoiled(str(number), raw=b"x" * 100) for number in range(1_500))
    assert store.take(Batch(source=REPO, spoiled=many), NOON).spoiled == 1_500
    store.take(Batch(source=REPO, spoiled=(nameless(BEN),)), NOON)
    kept = list(store.quarantine(ADA))
    assert len(kept) == 1_001
    assert (kept[0].times, kept[0].rkey, kept[0].raw) == (500, None, b"")
    assert len(list(store.quarantine(BEN))) == 1


def nameless(did: str) -> Spoiled:
    return Spoiled(did, None, None, None, None, "half \ud800", b"")


def test_what_could_be_taken_after_all_leaves_the_quarantine_and_does_not_come_back(store: Store) -> None:
    good = seen({"n": 1})
    bad = Batch(source=REPO, spoiled=(spoiled(cid=good.cid), spoiled(cid="bafyother")))
    store.take(bad, NOON)
    store.take(batch(good), NOON)
    assert [one.cid for one in store.quarantine()] == ["bafyother"]
    assert store.take(bad, NOON).spoiled == 0
    assert [one.cid for one in store.quarantine()] == ["bafyother"]


def test_notes_are_kept_together_and_taken_away(store: Store) -> None:
    store.note({"digest": "bafy", "row": "7"})
    store.note({"digest": None})
    assert (store.meta("digest"), store.meta("row"), store.meta("other")) == (None, "7", None)


def test_a_store_opened_for_reading_takes_nothing(file: Path) -> None:
    with open_store(file, write=True):
        pass
    with open_store(file, write=False) as store, pytest.raises(TypeError, match="reading only"):
        store.take(batch(seen({"n": 1})), NOON)
