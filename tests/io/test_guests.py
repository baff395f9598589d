"""Guests' comments: only what is true is shown, and whatever the index does changes nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any, Final

import attrs
import pytest
from hypothesis import given, strategies as st

from radial_io.errors import NotJsonError
from radial_io.viewing.backlinks import Backlinks, Hit, read_hits
from radial_io.viewing.guests import GuestLimits, Guests, find_guests
from tests.io.fakes import ALICE, BOB, CAROL, DAVE, PREFIX, Reply, cid
from tests.io.repos import key_of
from tests.io.strangers import DIRECTORY, GINA, INDEX, MESSAGE, NOW, Network, Writing, message, refused, write_space
from tests.io.streams_fakes_repo import Signer, Write

EVE: Final = "did:plc:" + "e" * 24
GINA_HOST: Final = "gina.example.com"
BACKLINKS: Final = "blue.microcosm.links.getBacklinks"


def hit(uri: str) -> dict[str, str]:
    did, collection, rkey = uri.removeprefix("at://").split("/")
    return {"did": did, "collection": collection, "rkey": rkey}


def uri_of(did: str, rkey: str) -> str:
    return f"at://{did}/{MESSAGE}/{rkey}"


@attrs.define
class Scene:
    """A space that asks for guests, the network around it, and what the index says."""

    writing: Writing
    goal: dict[str, str]
    network: Network = attrs.field(factory=Network)
    hits: list[Any] = attrs.field(factory=list)
    index_queries: list[dict[str, str]] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.network.hosts[INDEX] = self.answer

    def answer(self, nsid: str, query: dict[str, str]) -> Reply:
        """Answer as Constellation does, three hits a page."""
        self.index_queries.append(query)
        assert nsid == BACKLINKS
        start = int(query.get("cursor", "0"), 16)
        page, rest = self.hits[start : start + 3], self.hits[start + 3 :]
        return Reply.json({"total": len(self.hits), "records": page, "cursor": f"{start + 3:x}" if rest else None})

    def guest(self, did: str, number: int, /, **records: Any) -> None:
        """Let somebody have messages by key, and the index name them."""
        self.network.settle(
            did, f"{did[-1]}.example.com", number, {f"{MESSAGE}/{key}": value for key, value in records.items()}
        )
        self.name(*(uri_of(did, key) for key in records))

    def name(self, *uris: str) -> None:
        self.hits += [hit(uri) for uri in uris]

    def look(self, **limits: Any) -> Guests:
        index = self.writing.index()
        goal, space = index.goal(self.goal["uri"]), index.spaces[0]
        assert goal is not None
        before = index.digest

        async def look(client: Any, resolver: Any) -> Guests:
            return await find_guests(
                goal,
                space,
                backlinks=Backlinks(client, f"https://{INDEX}"),
                client=client,
                resolver=resolver,
                clock=lambda: NOW,
                limits=GuestLimits(**limits),
            )

        found = self.network.run(look)
        assert self.writing.index().digest == before
        return found

    def reasons(self, **limits: Any) -> dict[str, str]:
        return {left.uri: left.reason for left in self.look(**limits).left_out}


@pytest.fixture
def scene() -> Scene:
    return Scene(*write_space(asks=True))


def bodies(found: Guests) -> list[str]:
    return [comment.body for comment in found.comments]


def test_a_guest_s_comment_is_fetched_from_their_own_repo_and_shown(scene: Scene) -> None:
    said = message(scene.goal, "Have you tried felt?")
    scene.guest(GINA, 5, felt=said)
    found = scene.look()
    (comment,) = found.comments
    assert (comment.uri, comment.cid, comment.guest) == (uri_of(GINA, "felt"), cid(said), GINA)
    assert (comment.body, comment.created_at) == ("Have you tried felt?", "2026-02-01T00:00:00Z")
    assert comment.proven
    assert (found.left_out, found.known, found.complaint) == ((), 0, "")
    assert scene.index_queries == [{"subject": scene.goal["uri"], "source": f"{MESSAGE}:goal.uri", "limit": "100"}]
    assert scene.network.asked == [
        f"{INDEX}/{BACKLINKS}",
        f"{DIRECTORY}/{GINA}",
        "g.example.com/com.atproto.sync.getRecord",
    ]


def test_nobody_is_asked_for_a_space_that_does_not_ask() -> None:
    """M3: the switch is off unless an admin turns it on, and off again when turned off."""
    never = Scene(*write_space(asks=False))
    never.guest(GINA, 5, felt=message(never.goal, "Felt!"))
    off = Scene(*write_space(asks=True))
    off.guest(GINA, 5, felt=message(off.goal, "Felt!"))
    space = {"uri": off.writing.records[0].uri, "cid": off.writing.records[0].cid}
    off.writing.put(ALICE, "setGuestComments/off", space=space, enabled=False, createdAt="2026-01-02T00:00:00Z")
    for scene in (never, off):
        assert scene.look() == Guests(goal=scene.goal["uri"], asks=False)
        assert scene.network.asked == []


def test_one_bad_hit_costs_no_other(scene: Scene) -> None:
    """RAD-4.31: of a true hit and every kind of false one, the true one is shown, and the others are named."""
    other = {"uri": scene.goal["uri"].replace("quiet", "loud"), "cid": scene.goal["cid"]}
    scene.guest(GINA, 5, true=message(scene.goal, "True."), elsewhere=message(other, "Elsewhere."))
    scene.guest(
        BOB,
        6,
        no_body={key: value for key, value in message(scene.goal, "").items() if key != "body"},
        no_date=message(scene.goal, "When?", at="yesterday"),
        other_type=message(scene.goal, "", **{"$type": f"{PREFIX}goal"}),
        on_artifact=message(scene.goal, "", artifact=scene.goal),
        deep=message(scene.goal, "Deep", x=_nested(70)),
    )
    scene.name(uri_of(GINA, "gone"))
    scene.name(uri_of(CAROL, "nowhere"))  # the directory knows nobody of this name
    scene.network.live(DAVE, "down.example.com", signer=Signer.numbered(7))
    scene.name(uri_of(DAVE, "down"))
    scene.network.live(EVE, "away.example.com", signer=Signer.numbered(8))
    scene.network.hosts["away.example.com"] = lambda _n, _q: Reply(
        status=302, headers={"location": "http://127.0.0.1/"}
    )
    scene.name(uri_of(EVE, "away"))
    mallory = "did:plc:" + "m" * 24
    scene.network.live(mallory, "127.0.0.1", signer=Signer.numbered(9))
    scene.name(uri_of(mallory, "inside"))
    found = scene.look()
    assert bodies(found) == ["True."]
    reasons = {left.uri: left.reason for left in found.left_out}
    for uri, words in {
        uri_of(GINA, "elsewhere"): f"names {other['uri']} and not this goal",
        uri_of(GINA, "gone"): "is not in its author's repo",
        uri_of(BOB, "no_body"): "$.body",
        uri_of(BOB, "no_date"): "$.createdAt",
        uri_of(BOB, "other_type"): "$.$type",
        uri_of(BOB, "on_artifact"): "only one of goal and artifact",
        uri_of(BOB, "deep"): "nested deeper than 64 levels",
        uri_of(CAROL, "nowhere"): "was never registered",
        uri_of(DAVE, "down"): "nobody is there",
        uri_of(EVE, "away"): "points to http://127.0.0.1/",
        uri_of(mallory, "inside"): "not public",
    }.items():
        assert words in reasons.pop(uri), uri
    assert reasons == {}
    assert not any(asked.startswith("127.") for asked in scene.network.asked)


def _nested(levels: int) -> Any:
    value: Any = "deep"
    for _ in range(levels):
        value = [value]
    return value


def test_what_members_wrote_or_blessed_is_left_alone(scene: Scene) -> None:
    space = {"uri": scene.writing.records[0].uri, "cid": scene.writing.records[0].cid}
    scene.writing.put(ALICE, "addMember/bob", space=space, did=BOB, kind="human", role="member")
    blessed = {"uri": uri_of(GINA, "blessed"), "cid": cid({})}
    scene.writing.put(BOB, "blessComment/one", goal=scene.goal, comment=blessed, body="As I read it.")
    scene.guest(GINA, 5, blessed=message(scene.goal, "Blessed"), new=message(scene.goal, "New"))
    scene.name(uri_of(BOB, "mine"), uri_of(ALICE, "hers"), uri_of(GINA, "new"))
    found = scene.look()
    assert bodies(found) == ["New"]
    assert (found.known, found.left_out) == (3, ())
    assert not any(BOB in asked or ALICE in asked for asked in scene.network.asked)


def test_comments_are_in_order_of_their_dates(scene: Scene) -> None:
    when = {"c": "2026-01-01T00:00:00Z", "a": "2026-01-01T01:00:00+01:00", "b": "2025-12-31T23:59:59.999Z"}
    scene.guest(GINA, 5, **{key: message(scene.goal, key, at) for key, at in when.items()})
    assert bodies(scene.look()) == ["b", "a", "c"]


def test_every_page_of_the_index_is_read_and_no_hit_twice(scene: Scene) -> None:
    scene.guest(GINA, 5, **{f"k{number}": message(scene.goal, str(number)) for number in range(7)})
    scene.name(uri_of(GINA, "k0"), uri_of(GINA, "k6"))
    assert sorted(bodies(scene.look())) == list("0123456")
    assert [query.get("cursor") for query in scene.index_queries] == [None, "3", "6"]
    assert scene.network.asked.count("g.example.com/com.atproto.sync.getRecord") == 7


@pytest.mark.parametrize(
    "answer",
    [
        lambda _n, _q: refused("Down", 503),
        lambda _n, _q: Reply(status=302, headers={"location": "https://elsewhere.example.com"}),
        lambda _n, _q: Reply(b"<html>"),
        lambda _n, _q: Reply(b"[" * 100_000),
        lambda _n, _q: Reply.json([]),
        lambda _n, _q: Reply.json({"records": {"did": "x"}}),
        lambda _n, _q: Reply(b"{}", headers={"content-type": "text/html"}),
        None,
    ],
    ids=["error", "redirect", "html", "deep", "list", "object", "kind", "down"],
)
def test_an_index_that_fails_changes_nothing(scene: Scene, answer: Callable[..., Reply] | None) -> None:
    if answer is None:
        del scene.network.hosts[INDEX]
    else:
        scene.network.hosts[INDEX] = answer
    found = scene.look()
    assert (found.asks, found.comments, found.left_out) == (True, (), ())
    assert found.complaint.startswith(f"https://{INDEX}")


def test_what_the_index_said_before_it_failed_is_used(scene: Scene) -> None:
    scene.guest(GINA, 5, **{f"k{number}": message(scene.goal, str(number)) for number in range(5)})
    whole = scene.network.hosts[INDEX]
    scene.network.hosts[INDEX] = lambda nsid, query: refused("Down", 503) if "cursor" in query else whole(nsid, query)
    found = scene.look()
    assert bodies(found) == ["0", "1", "2"]
    assert "Down" in found.complaint


def test_what_is_no_hit_is_dropped(scene: Scene) -> None:
    scene.guest(GINA, 5, true=message(scene.goal, "True."))
    good = hit(uri_of(GINA, "true"))
    scene.hits = [
        None,
        "at://x",
        {},
        good | {"did": "gina.example.com"},
        good | {"did": 1},
        good | {"collection": f"{PREFIX}goal", "rkey": "another"},
        good | {"rkey": "../../x"},
        good | {"rkey": None},
        good,
    ]
    found = scene.look()
    assert bodies(found) == ["True."]
    assert found.left_out == ()


@pytest.mark.parametrize("cursor", ["same", 5, "", "x" * 2000, {}])
def test_a_cursor_that_leads_nowhere_ends_the_listing(scene: Scene, cursor: Any) -> None:
    scene.guest(GINA, 5, true=message(scene.goal, "True."))
    page = {"records": scene.hits, "cursor": cursor, "total": 10**9}
    scene.network.hosts[INDEX] = lambda _nsid, _query: Reply.json(page)
    assert bodies(scene.look()) == ["True."]
    assert scene.network.asked.count(f"{INDEX}/{BACKLINKS}") == (2 if cursor == "same" else 1)


def test_an_index_without_end_is_left_after_some_pages(scene: Scene) -> None:
    names = iter(range(10**6))

    def endless(_nsid: str, _query: dict[str, str]) -> Reply:
        number = next(names)
        return Reply.json({"records": [hit(uri_of(GINA, f"k{number}"))], "cursor": f"c{number}"})

    scene.network.hosts[INDEX] = endless
    found = scene.look(pages=4)
    assert len(found.left_out) == 4
    assert scene.network.asked.count(f"{INDEX}/{BACKLINKS}") == 4


def test_one_guest_cannot_take_up_all_the_room(scene: Scene) -> None:
    scene.guest(BOB, 6, **{f"k{number}": message(scene.goal, "flood") for number in range(9)})
    scene.guest(GINA, 5, one=message(scene.goal, "one"), two=message(scene.goal, "two"))
    found = scene.look(of_one_guest=3)
    assert sorted(bodies(found)) == ["flood"] * 3 + ["one", "two"]
    assert {left.reason for left in found.left_out} == {"is beyond the limit of 3 comments of one guest"}
    scene.index_queries.clear()
    found = scene.look(hits=4, of_one_guest=3)
    assert len(found.comments) == 4
    assert "is beyond the limit of 4 comments" in {left.reason for left in found.left_out}
    assert len(scene.index_queries) == 4
    scene.index_queries.clear()
    assert len(scene.look(hits=3).comments) == 3
    assert len(scene.index_queries) == 1


def test_a_signature_of_somebody_else_is_not_believed(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.live(GINA, "g.example.com", signer=Signer.numbered(50))
    assert "is not signed by its key" in scene.reasons()[uri_of(GINA, "felt")]


def test_a_repo_from_the_future_is_not_believed(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.repos[GINA].ticks = count(1_900_000_000_000_000)  # microseconds: in 2030
    scene.network.repos[GINA].commit(Write(f"{MESSAGE}/felt", message(scene.goal, "Cork!")))
    assert "is in the future" in scene.reasons()[uri_of(GINA, "felt")]


def test_bytes_that_are_no_record_are_said_to_be_none(scene: Scene) -> None:
    scene.guest(GINA, 5, odd=["no", "object"])
    assert scene.reasons()[uri_of(GINA, "odd")] == "a record that is no object"


def test_a_guest_who_changed_their_key_or_moved_is_followed(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.live(GINA, "old.example.com", "g.example.com", signer=Signer.numbered(5))
    assert bodies(scene.look()) == ["Felt!"]
    first, second = Signer.numbered(50), Signer.numbered(5)
    scene.network.live(GINA, "g.example.com", signer=first)
    old = scene.network.documents[GINA][0]
    scene.network.live(GINA, "g.example.com", signer=second)
    scene.network.documents[GINA].insert(0, old)
    assert bodies(scene.look()) == ["Felt!"]
    assert key_of(first) != key_of(second)


def test_the_newest_version_is_shown(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.repos[GINA].commit(Write(f"{MESSAGE}/felt", message(scene.goal, "Cork!")))
    assert bodies(scene.look()) == ["Cork!"]


def test_without_a_key_the_cid_is_checked_and_it_is_said(scene: Scene) -> None:
    said = message(scene.goal, "Felt!")
    answers: dict[str, Any] = {
        "true": {"uri": uri_of(GINA, "true"), "cid": cid(said), "value": said},
        "other": {"uri": uri_of(GINA, "other"), "cid": cid({}), "value": said},
        "swapped": {"uri": uri_of(GINA, "true"), "cid": cid(said), "value": said},
        "stolen": {"uri": uri_of(BOB, "stolen"), "cid": cid(said), "value": said},
    }

    def answer(nsid: str, query: dict[str, str]) -> Reply:
        assert (nsid, query["repo"], query["collection"]) == ("com.atproto.repo.getRecord", GINA, MESSAGE)
        return Reply.json(answers[query["rkey"]])

    scene.network.live(GINA, GINA_HOST)
    scene.network.hosts[GINA_HOST] = answer
    scene.name(*(uri_of(GINA, key) for key in answers))
    found = scene.look()
    assert [(comment.uri, comment.proven) for comment in found.comments] == [(uri_of(GINA, "true"), False)]
    assert [left.uri for left in found.left_out] == [uri_of(GINA, key) for key in ("other", "stolen", "swapped")]
    scene.network.hosts[GINA_HOST] = lambda _nsid, _query: Reply(b"[" * 50_000)
    assert len(scene.reasons()) == 4


def test_a_server_that_stalls_costs_its_own_hits(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.live(BOB, "slow.example.com", signer=Signer.numbered(6))
    scene.name(uri_of(BOB, "slow"))
    scene.network.stalls.add("slow.example.com")
    found = scene.look(hit_seconds=0.2)
    assert bodies(found) == ["Felt!"]
    assert [(left.uri, left.reason) for left in found.left_out] == [
        (uri_of(BOB, "slow"), "was not answered for in time")
    ]


def test_when_time_is_over_what_was_found_is_shown(scene: Scene) -> None:
    scene.guest(GINA, 5, felt=message(scene.goal, "Felt!"))
    scene.network.live(BOB, "slow.example.com", signer=Signer.numbered(6))
    scene.name(*(uri_of(BOB, f"slow{number}") for number in range(3)))
    scene.network.stalls.add("slow.example.com")
    found = scene.look(seconds=0.5)
    assert bodies(found) == ["Felt!"]
    assert {left.reason for left in found.left_out} == {"was not answered for in time"}
    assert len(found.left_out) == 3


def test_an_index_that_stalls_in_the_middle_leaves_time_for_what_it_said(scene: Scene) -> None:
    scene.guest(GINA, 5, **{f"k{number}": message(scene.goal, str(number)) for number in range(5)})
    whole = scene.answer
    scene.network.hosts[INDEX] = lambda nsid, query: None if "cursor" in query else whole(nsid, query)
    found = scene.look(index_seconds=0.3, seconds=20.0)
    assert (bodies(found), found.left_out) == (["0", "1", "2"], ())
    assert found.complaint == "the index did not answer in time"


def test_an_index_that_stalls_is_not_waited_for(scene: Scene) -> None:
    scene.network.stalls.add(INDEX)
    found = scene.look(index_seconds=0.1)
    assert (found.comments, found.complaint) == ((), "the index did not answer in time")


def test_a_page_is_read() -> None:
    page = {"total": 2, "records": [hit(uri_of(GINA, "a")), {"did": GINA}], "cursor": "0a"}
    read = read_hits("https://x", json.dumps(page).encode())
    assert (read.hits, read.dropped, read.cursor) == ((Hit(GINA, "a"),), 1, "0a")
    many = json.dumps({"records": [hit(uri_of(GINA, f"k{number}")) for number in range(150)]}).encode()
    assert (len(read_hits("https://x", many).hits), read_hits("https://x", many).dropped) == (100, 50)
    with pytest.raises(NotJsonError):
        read_hits("https://x", b"{}")


_JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([GINA, MESSAGE, "felt"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["did", "collection", "rkey", "x"]), inner),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["records", "cursor", "total"]), _JSON) | _JSON)
def test_whatever_json_comes_it_is_a_page_or_an_error(page: Any) -> None:
    try:
        read = read_hits("https://x", json.dumps(page).encode())
    except NotJsonError:
        return
    assert all(found.uri.startswith("at://did:") and MESSAGE in found.uri for found in read.hits)


@given(st.binary())
def test_whatever_bytes_come_they_are_an_error(body: bytes) -> None:
    with pytest.raises(NotJsonError):
        read_hits("https://x", body)
