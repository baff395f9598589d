"""From a real PDS to the index: every kind of record, an edit, a renewal, a release."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import anyio
import pytest

from radial_core import Index, materialize
from radial_core.observations import Record
from radial_core.records import COLLECTIONS
from radial_io.atproto.identity import open_servers
from radial_io.ingest.follow import Event, RepoFailed, RepoRead, Summary, fetch_space
from radial_io.ingest.pages import SetAside
from tests.pds import expected
from tests.pds.accounts import Account, Servers, account
from tests.pds.matching import assert_matches
from tests.pds.story import PREFIX, Story, at, go_on, write

pytestmark = pytest.mark.pds

MORNING, EVENING = "2026-01-02T08:00:00Z", "2026-01-02T20:00:00Z"


class Told:
    """The story as it was fetched twice: on its first evening, and after it went on."""

    def __init__(self, servers: Servers, story: Story) -> None:
        self.story = story
        write(story)
        self.first = events(servers, story.uri("space/main"), MORNING)
        self.newer = go_on(story)
        self.second = events(servers, story.uri("space/main"), EVENING)


def events(servers: Servers, uri: str, now: str, *, by_directory: bool = True) -> list[Event]:
    found: list[Event] = []

    async def fetch() -> None:
        chosen = open_servers(plc=servers.plc) if by_directory else open_servers(pds=servers.pds)
        async with chosen as (client, resolver):
            await fetch_space(uri, resolver=resolver, client=client, clock=lambda: now, tell=found.append)

    anyio.run(fetch)
    return found


def records(found: Iterable[Event]) -> list[Record]:
    return [event for event in found if isinstance(event, Record)]


@pytest.fixture(scope="module")
def told(servers: Servers) -> Iterator[Told]:
    with ExitStack() as stack:
        root, mate, bot = (stack.enter_context(account(servers, name)) for name in ("ruth-lab", "mate-lab", "bot-lab"))
        yield Told(servers, Story(root, mate, bot))


def fold(*fetches: Iterable[Event]) -> Index:
    return materialize(record for found in fetches for record in records(found))


def test_the_story_has_every_kind_of_record(told: Told) -> None:
    assert {record.uri.split("/")[3] for record in records(told.first)} == COLLECTIONS


def test_all_that_was_written_is_fetched(told: Told) -> None:
    kept = {name: ref for name, ref in told.story.refs.items() if name != "message/oops"}
    assert {record.uri: record.cid for record in records(told.first)} == {
        ref["uri"]: ref["cid"] for ref in kept.values()
    }
    assert told.first[-1] == Summary(repos=3, records=len(kept))
    assert not [event for event in told.first if isinstance(event, SetAside | RepoFailed)]


def test_every_repo_was_seen_in_one_revision(told: Told) -> None:
    for found, now in ((told.first, MORNING), (told.second, EVENING)):
        revs = {event.did: event.rev for event in found if isinstance(event, RepoRead)}
        assert revs.keys() == {told.story.root.did, told.story.mate.did, told.story.bot.did}
        assert all(record.rev == revs[record.uri.split("/")[2]] for record in records(found))
        assert {record.seen_at for record in records(found)} == {now}
        assert None not in revs.values()


def test_the_index_is_as_reasoned(told: Told) -> None:
    index = fold(told.first)
    assert_matches(index.to_json(), expected.index(told.story))


def test_the_next_day_alone(told: Told) -> None:
    """Who comes late sees the edit as the record, and nothing of the released claim."""
    wanted = expected.index(told.story)
    goal = next(goal for goal in wanted["spaces"][0]["goals"] if goal["title"] == "Make it work")
    goal["records"].remove(told.story.uri("claim/released"))
    goal["requests"][-1]["claims"].remove(told.story.uri("claim/released"))
    goal["artifacts"][1]["messages"][0]["cid"] = told.newer["message/on-plan"]["cid"]
    # The question names the claim as it was before its renewal: by URI it resolves all the same (L4).
    assert_matches(fold(told.second).to_json(), wanted)


def test_both_days_together(told: Told) -> None:
    """Who saw both keeps the first message (V1), takes the renewal (V3), and lists what does not count."""
    story, newer = told.story, told.newer
    wanted = expected.index(story)
    wanted["edits"] += [
        expected.edit(
            story,
            "message/on-plan",
            story.cid("message/on-plan"),
            (newer["message/on-plan"]["cid"], "edit"),
        ),
        expected.edit(story, "claim/open", newer["claim/open"]["cid"], (story.cid("claim/open"), "superseded")),
    ]
    wanted["edits"].sort(key=lambda row: str(row["uri"]))
    both = fold(told.first, told.second)
    assert_matches(both.to_json(), wanted)
    assert fold(told.second, told.first).to_json() == both.to_json()


def test_reading_one_pds_gives_the_same(servers: Servers, told: Told) -> None:
    found = events(servers, told.story.uri("space/main"), EVENING, by_directory=False)
    assert records(found) == records(told.second)
    assert fold(found).digest == fold(told.second).digest


def test_a_record_too_deep_for_the_parser_hides_nobody(servers: Servers) -> None:
    """The PDS takes a record of 2,000 levels; a page that holds it cannot be parsed."""
    with account(servers, "deep-lab") as hostile, account(servers, "near-lab") as root:
        space = root.create_record(f"{PREFIX}space", "main", _space())
        root.create_record(f"{PREFIX}addMember", "hostile", _grant(space, hostile))
        for rkey in ("a", "c"):
            join = {"$type": f"{PREFIX}join", "createdAt": at(2), "space": space}
            hostile.create_record(f"{PREFIX}join", rkey, join)
        _create_deep(hostile, f"{PREFIX}join", "b")
        found = events(servers, space["uri"], MORNING)
    (aside,) = (event for event in found if isinstance(event, SetAside))
    assert aside.uri == f"at://{hostile.did}/{PREFIX}join/b"
    assert "deep" in aside.reason or "levels" in aside.reason
    joins = [record.uri for record in records(found) if "join" in record.uri]
    assert joins == [f"at://{hostile.did}/{PREFIX}join/{rkey}" for rkey in ("a", "c")]


def _space() -> dict[str, str]:
    return {"$type": f"{PREFIX}space", "createdAt": at(0), "name": "Lab"}


def _grant(space: dict[str, str], who: Account) -> dict[str, Any]:
    grant = {"$type": f"{PREFIX}addMember", "createdAt": at(1), "space": space}
    return grant | {"did": who.did, "kind": "human", "role": "member"}


def _create_deep(who: Account, collection: str, rkey: str) -> None:
    """Write a record that the stdlib's encoder would refuse."""
    record = {"$type": collection, "createdAt": at(3), "deep": "here"}
    body = json.dumps({"repo": who.did, "collection": collection, "rkey": rkey, "record": record})
    who.http.post(
        "/com.atproto.repo.createRecord",
        content=body.replace('"here"', "[" * 2000 + "]" * 2000),
        headers={"content-type": "application/json"},
    ).raise_for_status()


def test_a_deactivated_member_is_named_with_the_reason(servers: Servers) -> None:
    with account(servers, "first-lab") as root, account(servers, "last-lab") as leaver:
        space = root.create_record(f"{PREFIX}space", "main", _space())
        root.create_record(f"{PREFIX}addMember", "leaver", _grant(space, leaver))
        leaver.http.post("/com.atproto.server.deactivateAccount", json={}).raise_for_status()
        found = events(servers, space["uri"], MORNING)
    (failed,) = (event for event in found if isinstance(event, RepoFailed))
    assert failed.did == leaver.did
    assert "RepoDeactivated" in str(failed.error)
    assert found[-1] == Summary(repos=1, failed=1, records=2)
