"""Two ways to read a repo, one digest: listing and the signed repo, against a real PDS as it changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import attrs
import httpx
import pytest

from radial_core import Index, materialize
from radial_core.observations import Deletion
from radial_io.atproto.identity import open_servers
from radial_io.ingest.driving import World, carry_out
from radial_io.ingest.keeping import Keeping
from radial_io.ingest.poll import poll_repo
from radial_io.ingest.repo import read_repo
from radial_io.ingest.requests import Flow
from radial_io.ingest.visiting import Reading
from radial_io.store.store import Store, open_store
from tests.pds.accounts import Account, Servers, account
from tests.pds.story import PREFIX, Story, at, go_on, write

pytestmark = pytest.mark.pds

Look = Callable[[str], Flow[Reading]]
WAYS: dict[str, Look] = {"poll": poll_repo, "repo": read_repo}


@attrs.define
class Observer:
    """Somebody who reads these repos one way, into a store of their own."""

    servers: Servers
    store: Store
    folder: Path
    look: Look
    asked: list[str] = attrs.field(factory=list)
    tick: int = 0

    def visit(self, *dids: str) -> list[Reading]:
        """Look at each of these repos once."""
        return anyio.run(self._visit, dids)

    async def _visit(self, dids: tuple[str, ...]) -> list[Reading]:
        async with open_servers(plc=self.servers.plc) as (client, resolver):
            client.http.event_hooks = {"request": [self._note]}
            world = World(
                client=client, resolver=resolver, store=self.store, clock=self._now, keeping=Keeping(self.folder)
            )
            return [await carry_out(self.look(did), world) for did in dids]

    async def _note(self, request: httpx.Request) -> None:
        self.asked.append(request.url.path.rpartition("/")[2])

    def _now(self) -> str:
        self.tick += 1
        return f"2027-01-01T{self.tick // 3600:02}:{self.tick // 60 % 60:02}:{self.tick % 60:02}Z"

    def index(self) -> Index:
        return materialize(observation for _, observation in self.store.observations())


@contextmanager
def _observers(servers: Servers, tmp_path: Path) -> Iterator[dict[str, Observer]]:
    with ExitStack() as stack:
        yield {
            way: Observer(
                servers, stack.enter_context(open_store(tmp_path / f"{way}.db", write=True)), tmp_path / way, look
            )
            for way, look in WAYS.items()
        }


@contextmanager
def _story(servers: Servers, *names: str) -> Iterator[Story]:
    with ExitStack() as stack:
        root, mate, bot = (stack.enter_context(account(servers, name)) for name in names)
        story = Story(root, mate, bot)
        write(story)
        yield story


def _agree(observers: dict[str, Observer], dids: tuple[str, ...]) -> Index:
    """Let everybody look; give the index that all of them have."""
    indexes = []
    for observer in observers.values():
        readings = observer.visit(*dids)
        assert [reading.words for reading in readings] == [()] * len(dids)
        indexes.append(observer.index())
    assert len({index.digest for index in indexes}) == 1
    assert len({str(index.to_json()) for index in indexes}) == 1
    return indexes[0]


def test_both_ways_agree_from_day_to_day(servers: Servers, tmp_path: Path) -> None:
    """Creations, an edit in place, a renewal, a release, then everything of one member but the membership."""
    with _story(servers, "ruth-adp", "mate-adp", "bot-adp") as story, _observers(servers, tmp_path) as observers:
        dids = (story.root.did, story.mate.did, story.bot.did)
        first = _agree(observers, dids)
        newer = go_on(story)
        second = _agree(observers, dids)
        assert first.digest != second.digest
        edits = {row["uri"]: row for row in second.to_json()["edits"]}
        assert edits[story.uri("message/on-plan")]["others"] == [
            {"cid": newer["message/on-plan"]["cid"], "reason": "edit"}
        ]
        for name in [name for name in story.refs if name.startswith(("message/", "artifact/"))]:
            kind, rkey = name.split("/")
            for who in (story.root, story.mate, story.bot):
                who.delete_record(PREFIX + kind, rkey)
        third = _agree(observers, dids)
        assert {row["uri"] for row in third.to_json()["edits"] if row["deleted"]} >= {
            ref["uri"] for name, ref in story.refs.items() if name.startswith("artifact/")
        }


def test_an_unchanged_repo_costs_one_cheap_request(servers: Servers, tmp_path: Path) -> None:
    with account(servers, "calm-adp") as calm, _observers(servers, tmp_path) as observers:
        calm.create_record(f"{PREFIX}space", "main", _space())
        for observer in observers.values():
            (reading,) = observer.visit(calm.did)
            assert reading.how == "read"
            observer.asked.clear()
            (reading,) = observer.visit(calm.did)
            assert reading.how == "unchanged"
            assert observer.asked == [calm.did, "com.atproto.sync.getLatestCommit"]  # the first is the directory's


def test_odd_and_hostile_records_are_one_thing_to_both(servers: Servers, tmp_path: Path) -> None:
    """Of a record of 2,000 levels both say why it is set aside; one that JSON cannot carry, both have."""
    with account(servers, "odd-adp") as odd, _observers(servers, tmp_path) as observers:
        space = odd.create_record(f"{PREFIX}space", "main", _space())
        join = {"$type": f"{PREFIX}join", "createdAt": at(2), "space": space}
        odd.create_record(f"{PREFIX}join", "a", join)
        odd.create_record(f"{PREFIX}join", "bytes", join | {"x": {"$bytes": "@@"}})
        _create_deep(odd, f"{PREFIX}join", "deep", join | {"x": "here"})
        odd.create_record(f"{PREFIX}join", "z", join)
        for observer in observers.values():
            (reading,) = observer.visit(odd.did)
            assert (reading.how, reading.taken.new, reading.taken.spoiled) == ("read", 4, 1)
        asides = [
            [(aside.rkey, aside.cid, aside.reason) for aside in observer.store.quarantine()]
            for observer in observers.values()
        ]
        assert asides[0] == asides[1]
        assert [rkey for rkey, _, _ in asides[0]] == ["deep"]
        indexes = [observer.index().to_json() for observer in observers.values()]
        assert indexes[0] == indexes[1]
        odd.delete_record(f"{PREFIX}join", "deep")
        _agree(observers, (odd.did,))
        assert all(_deletions(observer) == [] for observer in observers.values())


def _create_deep(who: Account, collection: str, rkey: str, record: dict[str, Any]) -> None:
    """Write a record that the stdlib's encoder would refuse."""
    body = json.dumps({"repo": who.did, "collection": collection, "rkey": rkey, "record": record})
    who.http.post(
        "/com.atproto.repo.createRecord",
        content=body.replace('"here"', "[" * 2000 + "]" * 2000),
        headers={"content-type": "application/json"},
    ).raise_for_status()


def _space() -> dict[str, str]:
    return {"$type": f"{PREFIX}space", "createdAt": at(0), "name": "Lab"}


def _deletions(observer: Observer) -> list[str]:
    return [seen.uri for _, seen in observer.store.observations() if isinstance(seen, Deletion)]


@pytest.mark.parametrize("way", WAYS)
def test_what_becomes_of_an_account_deletes_no_record(servers: Servers, tmp_path: Path, way: str) -> None:
    """Deactivated, back, taken down, back, deleted: the state is told, what was seen stands."""
    with account(servers, f"gone-{way}") as leaver, _observers(servers, tmp_path) as observers:
        observer = observers[way]
        leaver.create_record(f"{PREFIX}space", "main", _space())
        observer.visit(leaver.did)
        before = observer.index().digest
        states = []
        for change in (_deactivate, _activate, _take_down, _put_back, _delete):
            change(servers, leaver)
            (reading,) = observer.visit(leaver.did)
            repo = observer.store.repo(leaver.did)
            states.append((reading.how != "failed", repo.state, repo.failure is None))
            assert observer.index().digest == before
        assert states == [
            (False, "deactivated", False),
            (True, "active", True),
            (False, "takendown", False),
            (True, "active", True),
            (False, "deleted", False),
        ]
        assert _deletions(observer) == []


def _deactivate(_servers: Servers, who: Account) -> None:
    who.http.post("/com.atproto.server.deactivateAccount", json={}).raise_for_status()


def _activate(_servers: Servers, who: Account) -> None:
    who.http.post("/com.atproto.server.activateAccount").raise_for_status()


def _take_down(servers: Servers, who: Account) -> None:
    _status(servers, who, applied=True)


def _put_back(servers: Servers, who: Account) -> None:
    _status(servers, who, applied=False)


def _status(servers: Servers, who: Account, *, applied: bool) -> None:
    subject = {"$type": "com.atproto.admin.defs#repoRef", "did": who.did}
    body = {"subject": subject, "takedown": {"applied": applied}}
    _as_admin(servers, "updateSubjectStatus", body)


def _delete(servers: Servers, who: Account) -> None:
    _as_admin(servers, "deleteAccount", {"did": who.did})


def _as_admin(servers: Servers, name: str, body: dict[str, Any]) -> None:
    url = f"{servers.pds}/xrpc/com.atproto.admin.{name}"
    httpx.post(url, json=body, auth=("admin", servers.password), trust_env=False).raise_for_status()
