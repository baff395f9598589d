"""Laws: however observations are split, ordered and repeated, the store holds one set; folding it is folding them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, strategies as st

from radial_core import Deletion, Record, materialize, to_line
from radial_core.jsonform import from_json
from radial_core.observations import parse_observation
from radial_io.store.exchange import item_of
from radial_io.store.store import Store, open_store
from radial_io.store.values import Gone, Seen, Source
from tests.histories import PREFIX, ROOT, TIMES, UNSEEN, histories
from tests.io.store.making import STREAM, batch, handed_over
from tests.oracle.canonical import cid_of

SOURCES = (STREAM, Source("poll", "https://pds.example"), Source("tap", "http://127.0.0.1:2480"))


@contextmanager
def new_store() -> Iterator[Store]:
    with TemporaryDirectory() as folder, open_store(Path(folder) / "store.db", write=True) as store:
        yield store


def minute(number: int) -> str:
    return f"2026-03-03T{number // 60:02}:{number % 60:02}:00Z"


def cut(items: list[Any], at: list[int]) -> list[list[Any]]:
    ends = sorted({place % (len(items) + 1) for place in at} | {len(items)})
    return [items[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def told(store: Store) -> set[str]:
    return {to_line(one) for one in store.every_sighting()}


def seen_directly(batches: list[list[dict[str, Any]]]) -> list[Record | Deletion]:
    """Say what an observer saw who stamps each version, and each deletion, when it first stores it (O1)."""
    first: dict[tuple[Any, ...], str] = {}
    made: list[Record | Deletion] = []
    for number, items in enumerate(batches):
        for item in items:
            uri, rev = item["uri"], item.get("rev")
            if handed_over(item) is None:
                continue
            if "value" in item:
                at = first.setdefault((uri, item["cid"]), minute(number))
                made.append(Record(uri=uri, cid=item["cid"], value=from_json(item["value"]), rev=rev, seen_at=at))
            else:
                at = first.setdefault((uri, None, rev), minute(number))
                made.append(Deletion(uri=uri, rev=rev, seen_at=at))
    return made


@given(history=histories(60), ends=st.lists(st.integers(0, 100), max_size=8), forms=st.integers(0, 2))
def test_folding_the_store_is_folding_what_was_seen(history: list[dict[str, Any]], ends: list[int], forms: int) -> None:
    batches = cut(history, ends)
    with new_store() as store:
        live, met = materialize(()), 0
        for number, items in enumerate(batches):
            form = "json" if (number + forms) % 3 == 0 else "cbor"
            handed = [one for item in items if (one := handed_over(item, form)) is not None]
            store.take(batch(*handed, source=SOURCES[number % 3]), minute(number))
            more = list(store.observations(after=met))
            met = max([met, *(row for row, _ in more)])
            live = live.extend(one for _, one in more)
        direct = materialize(seen_directly(batches))
        whole = materialize(one for _, one in store.observations())
        every = materialize(store.every_sighting())
        assert met == store.last_row() or not history
    assert whole.digest == direct.digest
    assert whole.to_json() == direct.to_json()
    assert every.to_json() == direct.to_json()
    assert live.to_json() == direct.to_json()
    for uri in [one["uri"] for one in history if "/com.disnetdev.radial.artifactRequest/" in one["uri"]]:
        assert whole.sightings(uri) == live.sightings(uri) == direct.sightings(uri)


SPACE, PROJECT, REQUEST = (
    {"uri": f"at://{ROOT}/{PREFIX}{kind}/a", "cid": UNSEEN} for kind in ("space", "project", "artifactRequest")
)
LEASE = {"request": REQUEST, "createdAt": TIMES[0]}
PROFILE = {"harness": "h", "models": [], "artifactTypes": []}
VALUES: dict[str, list[dict[str, Any]]] = {
    "claim": [
        {**LEASE, "expiresAt": "2026-03-01T10:30:00Z"},
        {**LEASE, "expiresAt": "2026-03-01T10:59:00Z"},
        {**LEASE, "createdAt": "2026-03-01T10:20:00Z", "expiresAt": "2026-03-01T10:59:00Z"},
    ],
    "agent": [{**PROFILE, "handleName": name} for name in ("a", "b", "c")],
    "join": [{"space": SPACE, "createdAt": time} for time in TIMES[3:6]],
    "goal": [
        {"space": SPACE, "project": PROJECT, "title": "t", "body": "b", **more}
        for more in ({}, {"closed": True}, {"title": "u"})
    ],
}
STEPS = st.tuples(st.sampled_from([0, 0, 1, 1, 2, None, None]), st.sampled_from([*"abcdef" * 3, None]))


# A deletion between two sightings, in one batch with them; and of three sightings the middle one counts after it.
@example(kind="join", steps=[(0, "a"), (0, "f"), (None, "b")], ends=[])
@example(kind="join", steps=[(0, "a"), (0, "c"), (0, "f"), (1, "d"), (None, "b")], ends=[])
@example(kind="join", steps=[(0, "a"), (0, "f"), (1, "d"), (None, "b"), (0, "c")], ends=[*range(10)])
@given(
    kind=st.sampled_from([*VALUES]),
    steps=st.lists(STEPS, min_size=3, max_size=10),
    ends=st.one_of(st.just([*range(10)]), st.lists(st.integers(0, 10), max_size=3)),
)
def test_at_one_uri_every_sighting_and_deletion_has_its_say(
    kind: str, steps: list[tuple[int | None, str | None]], ends: list[int]
) -> None:
    """Three versions, six revisions and deletions between them, in any order: where keeping less would show."""
    history = [lone_observation(kind, *step) for step in steps]
    batches = cut(history, ends)
    with new_store() as store:
        live, met = materialize(()), 0
        for number, items in enumerate(batches):
            store.take(batch(*(item for one in items if (item := handed_over(one)) is not None)), minute(number))
            more = list(store.observations(after=met))
            met = max([met, *(row for row, _ in more)])
            live = live.extend(one for _, one in more)
        direct = materialize(seen_directly(batches)).to_json()
        assert materialize(one for _, one in store.observations()).to_json() == direct
        assert materialize(store.every_sighting()).to_json() == direct
        assert live.to_json() == direct


def lone_observation(kind: str, version: int | None, place: str | None) -> dict[str, Any]:
    observation: dict[str, Any] = {"uri": f"at://{ROOT}/{PREFIX}{kind}/a"}
    if place is not None:
        observation["rev"] = f"3kaaaaaaaaa{place}2"
    if version is None:
        return {**observation, "deleted": True}
    value = {"$type": PREFIX + kind, "createdAt": TIMES[0], **VALUES[kind][version]}
    return {**observation, "cid": cid_of(value), "value": value}


@given(history=histories(), data=st.data())
def test_any_split_and_any_interleaving_gives_the_same_set(history: list[dict[str, Any]], data: st.DataObject) -> None:
    handed = [given for item in history if (given := handed_over(item)) is not None]
    again = [*handed, *data.draw(st.lists(st.sampled_from(handed), max_size=5))]
    shuffled = data.draw(st.permutations(again))
    ends = data.draw(st.lists(st.integers(0, 100), max_size=6))
    with new_store() as one, new_store() as other:
        one.take(batch(*handed), minute(0))
        for number, items in enumerate(cut(shuffled, ends)):
            other.take(batch(*items, source=SOURCES[number % 3], cursor=str(number)), minute(0))
        assert told(one) == told(other)
        assert {to_line(each) for _, each in one.observations()} == {to_line(each) for _, each in other.observations()}


@given(history=histories(), ends=st.lists(st.integers(0, 100), max_size=3))
def test_an_export_taken_into_another_store_is_a_union_and_twice_is_once(
    history: list[dict[str, Any]], ends: list[int]
) -> None:
    """Both sides stamp at the same minute here: what is compared is the set, not the clocks."""
    mine, theirs = cut(history, ends)[0], history[len(cut(history, ends)[0]) // 2 :]
    with new_store() as one, new_store() as other, new_store() as both:
        for store, items in ((one, mine), (other, theirs), (both, [*mine, *theirs])):
            store.take(batch(*(item for one in items if (item := handed_over(one)) is not None)), minute(0))
        lines = [to_line(each) for each in other.every_sighting()]
        for _ in range(2):
            one.take(batch(*(handed_over_line(line) for line in lines)), minute(0))
            assert told(one) == told(both)


def handed_over_line(line: str) -> Seen | Gone:
    item = item_of(parse_observation(line), own=False)
    assert item is not None
    return item
