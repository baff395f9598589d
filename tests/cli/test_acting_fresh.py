"""On which view an act is decided: what is read before it, what is not, and what stops it (RK-7.10)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import anyio
import attrs
import pytest

from radial_cli.acting import freshness, performing
from radial_cli.diagnosing.situation import situation
from radial_cli.syncing import session
from radial_cli.syncing.session import Asked, following
from radial_io.accounts.book import Accounts
from radial_io.accounts.values import Account
from radial_io.ingest.choosing import Way
from radial_io.ingest.following import SKEW, Settings
from radial_io.ingest.syncing import sync_spaces
from radial_io.store.store import Store, open_store
from tests.cli.conftest import Done
from tests.cli.harbour import Harbour
from tests.cli.test_reference import documented_keys_hold, section
from tests.io.fakes import ALICE, BOB, CAROL, PREFIX, FakePds, FakePlc, Reply, serving

LATER_REV = "3kbbbbbbbbbb2"
RESOLVE = "com.atproto.identity.resolveHandle"


class World(Harbour):
    """A server with a space of two, and the machine of its root, who has read nothing yet."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.pds, self.plc = FakePds(), FakePlc()
        self.url = self.directory = ""
        self.space = self.pds.put(ALICE, "space", "main", name="Lab")
        self.here = {"space": self.pds.ref(self.space)}
        self.grant("bob", BOB, "human", "admin")
        self.pds.put(BOB, "join", "main", **self.here)
        fields = {"name": "P", "gitUrl": "https://git.example/p.git", "defaultBranch": "main"}
        self.project = self.pds.put(ALICE, "project", "p", **self.here, **fields)
        self.goal_ = self.goal("g", "Tides", "2026-01-02T00:00:00Z")

    def grant(self, rkey: str, did: str, kind: str, role: str) -> str:
        return self.pds.put(ALICE, "addMember", rkey, **self.here, did=did, kind=kind, role=role)

    def goal(self, rkey: str, title: str, at: str) -> str:
        there = self.here | {"project": self.pds.ref(self.project)}
        return self.pds.put(ALICE, "goal", rkey, **there, title=title, body="x", createdAt=at)

    def try_(self, *words: str, who: str = ALICE, keyboard: bool = False, stdin: bytes = b"") -> Done:
        """Act, with the server's repos as they are at this moment."""
        self.pds.asked.clear()
        options = () if keyboard else ("--yes",)
        return self.call_plain(*words, *options, "--as", who, "--plc", self.directory, stdin=stdin, keyboard=keyboard)

    def ask(self, *words: str, who: str = ALICE) -> dict[str, Any]:
        done = self.try_(*words, "--json", who=who)
        assert done.out, done.err
        said: dict[str, Any] = json.loads(done.out)
        return said


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    made = World(tmp_path)
    with ExitStack() as stack:
        made.url = stack.enter_context(serving(made.pds.answer))
        made.directory = stack.enter_context(serving(made.plc.answer))
        for did, name in ((ALICE, "alice"), (BOB, "bob"), (CAROL, "carol")):
            made.plc.register(did, made.url)
            made.plc.documents[did]["alsoKnownAs"] = [f"at://{name}.example"]
            Accounts(tmp_path / "accounts").add(Account(did, f"{name}.example", made.url, "file"))
        monkeypatch.setenv("RADIAL_ACCOUNTS", str(tmp_path / "accounts"))
        monkeypatch.setenv("RADIAL_STORE", str(made.store))
        monkeypatch.setattr(performing, "write", made.write)
        yield made


@pytest.fixture
def a_minute_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that was read before be fresh."""
    monkeypatch.setattr(performing, "FRESH_FOR", 0.0)


def test_a_space_is_read_before_anything_is_decided_about_it(world: World) -> None:
    said = world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    assert (said["outcome"], said["space"]) == ("written", world.space)
    assert {query.get("did") or query.get("repo") for _, query in world.pds.asked} == {ALICE, BOB}


def test_what_was_read_a_moment_ago_is_not_read_again(world: World) -> None:
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    assert world.ask("message", "1", "--body", "Again")["outcome"] == "written"
    assert world.pds.asked == []


@pytest.mark.usefixtures("a_minute_later")
def test_after_a_minute_it_is_read_again(world: World) -> None:
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    world.pds.put(ALICE, "removeMember", "bob", **world.here, did=BOB, membership=world.pds.ref(_grant("bob")))
    world.pds.rev = LATER_REV
    done = world.try_("message", "1", "--body", "Still here?", who=BOB)
    assert (done.status, len(world.written)) == (1, 1)
    assert "you are no longer a member of this space (T5)" in done.err


def _grant(rkey: str) -> str:
    return f"at://{ALICE}/{PREFIX}addMember/{rkey}"


def test_what_ends_something_is_decided_on_a_view_of_this_moment(world: World) -> None:
    """T5: a count of what would be hidden has to count what was written a second ago."""
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    world.pds.put(BOB, "goal", "late", **world.here, project=world.pds.ref(world.project), title="Late", body="x")
    world.pds.rev = LATER_REV
    said = world.ask("member", "remove", BOB, "--dry-run")
    assert said["hidden"] == [
        {"kind": "goal", "uris": [f"at://{BOB}/{PREFIX}goal/late"]},
        {"kind": "join", "uris": [f"at://{BOB}/{PREFIX}join/main"]},
    ]


def test_what_is_new_is_found_at_once(world: World) -> None:
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    new = world.goal("new", "Brand new", "2026-01-03T00:00:00Z")
    world.pds.rev = LATER_REV
    assert world.ask("message", "Brand", "--body", "Already?")["meant"][0]["uri"] == new


def test_nobody_is_refused_for_what_was_true_a_moment_ago(world: World) -> None:
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    assert world.try_("message", world.goal_, "--body", "And I?", who=CAROL).status == 1
    world.grant("carol", CAROL, "human", "member")
    world.pds.repos.setdefault(CAROL, {})
    world.pds.rev = LATER_REV
    assert world.try_("message", world.goal_, "--body", "And I?", who=CAROL).status == 0


@pytest.mark.usefixtures("a_minute_later")
def test_a_number_that_means_something_else_now_stops(world: World) -> None:
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    world.goal("older", "Backdated", "2026-01-01T00:00:00Z")
    world.pds.rev = LATER_REV
    done = world.try_("message", "1", "--body", "To whom?")
    assert (done.status, len(world.written)) == (75, 1)
    assert f"1 was {world.goal_} and is" in done.err


def test_after_a_question_everything_is_looked_at_once_more(world: World) -> None:
    """RK-14.3."""
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    world.pds.rev = LATER_REV
    assert world.try_("message", "1", "--body", "Well?", keyboard=True, stdin=b"y\n").status == 0
    assert {query.get("did") or query.get("repo") for _, query in world.pds.asked} == {ALICE, BOB}


@pytest.mark.usefixtures("a_minute_later")
@pytest.mark.parametrize("did", [ALICE, BOB])
def test_without_the_repos_that_authority_stands_on_nothing_is_written(did: str, world: World) -> None:
    """RK-7.10: the root and the admins."""
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    world.plc.documents[did] = 500
    done = world.try_("message", "1", "--body", "Anybody?")
    assert (done.status, len(world.written)) == (75, 1)
    assert f"{did} could not be read" in done.err
    assert "--no-sync" in done.err
    old = world.try_("message", "1", "--body", "Anybody?", "--no-sync")
    assert old.status == 0


@pytest.mark.usefixtures("a_minute_later")
def test_a_member_who_cannot_be_read_is_named_and_stops_nobody(world: World) -> None:
    world.grant("carol", CAROL, "human", "member")
    world.plc.documents[CAROL] = 500
    done = world.try_("message", world.goal_, "--body", "Hi", "--space", world.space)
    assert (done.status, len(world.written)) == (0, 1)
    assert f"{CAROL} could not be read, and is seen as it was" in done.err


def test_a_space_that_is_not_there_is_said(world: World) -> None:
    done = world.try_("space", "join", f"at://{ALICE}/{PREFIX}space/nowhere")
    assert (done.status, world.written) == (3, [])
    assert "there is no space" in done.err


@pytest.fixture
def held(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Have somebody who looks from time to time hold the store, as `radial watch` does; nobody waits for them."""
    monkeypatch.setattr(freshness, "_PATIENCE", 0.0)
    asked = Asked([world.space], [], None, world.directory, str(world.store), 64)

    async def read(store: Store) -> None:
        async with following(asked, Settings(), store, lambda _news: None) as follower:
            await sync_spaces(follower)

    with open_store(world.store, write=True) as store:
        anyio.run(read, store)
        yield store


def test_what_was_polled_a_moment_ago_is_fresh_for_what_ends_nothing(world: World, held: Store) -> None:
    rows = held.last_row()
    assert world.ask("message", "1", "--body", "Hi")["outcome"] == "written"
    assert (world.pds.asked, held.last_row()) == ([], rows)


def test_what_ends_something_is_judged_on_this_moment_also_while_somebody_polls(world: World, held: Store) -> None:
    """T5: what came since their last look counts, and what was deleted since does not."""
    world.pds.put(BOB, "goal", "late", **world.here, project=world.pds.ref(world.project), title="Late", body="x")
    del world.pds.repos[BOB][f"{PREFIX}join"]["main"]
    world.pds.rev = LATER_REV
    rows = held.last_row()
    said = world.ask("member", "remove", BOB)
    assert (said["outcome"], said["hidden"]) == (
        "written",
        [{"kind": "goal", "uris": [f"at://{BOB}/{PREFIX}goal/late"]}],
    )
    assert held.last_row() == rows  # the store is theirs


def test_who_was_removed_since_the_last_look_of_whoever_polls_is_refused(world: World, held: Store) -> None:
    world.pds.put(ALICE, "removeMember", "bob", **world.here, did=BOB, membership=world.pds.ref(_grant("bob")))
    world.pds.rev = LATER_REV
    rows = held.last_row()
    done = world.try_("goal", "close", "1", who=BOB)
    assert (done.status, world.written, held.last_row()) == (1, [], rows)
    assert "you are no longer a member of this space (T5)" in done.err


def test_a_space_that_nobody_follows_can_be_joined_while_the_store_is_held(world: World, held: Store) -> None:
    other = world.pds.put(ALICE, "space", "other", name="Another")
    world.pds.rev = LATER_REV
    rows = held.last_row()
    assert world.try_("space", "join", other).status == 0
    assert held.last_row() == rows


@pytest.mark.usefixtures("held")
def test_the_copy_that_was_read_into_is_not_left_behind(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    world.plc.documents[BOB] = 500
    world.pds.rev = LATER_REV
    assert world.try_("goal", "close", "1").status == 75
    del world.plc.documents[BOB]
    world.plc.register(BOB, world.url)
    assert world.try_("goal", "close", "1").status == 0
    assert list((tmp_path / "t").iterdir()) == []


def test_what_a_stream_tells_of_is_fresh(world: World, held: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = situation(held)
    told = [attrs.evolve(repo, way=Way("firehose", world.url), is_live=True, lag=0.0) for repo in seen.repos]
    monkeypatch.setattr(freshness, "situation", lambda _store: attrs.evolve(seen, repos=told))
    assert world.ask("goal", "close", "1")["outcome"] == "written"
    assert world.pds.asked == []


@pytest.mark.parametrize(("days", "words"), [(-365, "ahead of"), (365, "behind")])
def test_a_clock_that_is_off_is_said_before_it_dates_anything(world: World, days: int, words: str) -> None:
    """Whatever is dated in the future wins over all that comes before."""
    moment = format_datetime(datetime.now(UTC) + timedelta(days=days), usegmt=True)

    def dated(nsid: str, query: dict[str, str]) -> Reply | None:
        world.pds.intercept = lambda _nsid, _query: None
        reply = world.pds.answer(nsid, query)
        world.pds.intercept = dated
        return Reply(reply.body, reply.status, {**reply.headers, "date": moment})

    world.pds.intercept = dated
    said = world.ask("message", world.goal_, "--body", "Hi", "--space", world.space)
    (warning,) = said["warnings"]
    assert warning["code"] == "Clock"
    assert f" s {words} that of 1 of the servers, and what you write is dated by it" in warning["words"]


@pytest.mark.parametrize("year", [2025, 2099])
def test_what_was_read_under_a_clock_that_was_wrong_is_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    """And what that clock was off by is not said of this one."""
    words = ("message", world.goal_, "--body", "Hi", "--space", world.space)
    with monkeypatch.context() as patched:
        patched.setattr(session, "now", lambda: f"{year}-01-01T00:00:00.000Z")
        world.ask(*words)
    with open_store(world.store, write=True) as store:
        store.note({SKEW: json.dumps({"seconds": 9e8, "servers": 1, "at": f"{year}-01-01T00:00:00.000Z"})})
    assert world.ask(*words, "--no-sync")["warnings"] == []
    world.ask(*words)
    assert {query.get("did") or query.get("repo") for _, query in world.pds.asked} == {ALICE, BOB}


# Handles --------------------------------------------------------------------------------------------------------------


def test_a_server_that_cannot_look_up_a_handle_is_no_answer(world: World) -> None:
    world.pds.intercept = lambda nsid, _query: Reply.json({"error": "Busy"}, 503) if nsid == RESOLVE else None
    done = world.try_("member", "add", "carol.example", "--space", world.space)
    assert (done.status, world.written) == (75, [])
    assert "a handle cannot be looked up" in done.err


def resolving(world: World, **handles: Any) -> None:
    def answer(nsid: str, query: dict[str, str]) -> Reply | None:
        if nsid != RESOLVE:
            return None
        did = handles.get(query["handle"].partition(".")[0])
        return Reply.json({"did": did}) if did is not None else Reply.json({"error": "InvalidRequest"}, 400)

    world.pds.intercept = answer


def test_a_handle_is_looked_up_and_its_did_is_written(world: World) -> None:
    resolving(world, carol=CAROL)
    done = world.try_("member", "add", "carol.example", "--space", world.space)
    assert done.status == 0, done.err
    assert world.written[0].value["did"] == CAROL
    assert CAROL in done.err


@pytest.mark.parametrize(
    ("handles", "said"),
    [
        ({"mallory": CAROL}, "who does not claim it"),
        ({}, "nobody is called mallory.example"),
        ({"mallory": "no did"}, "nobody is called mallory.example"),
        ({"mallory": 7}, "nobody is called mallory.example"),
    ],
)
def test_a_handle_that_leads_nowhere_or_not_back_is_nobody_s(handles: dict[str, Any], said: str, world: World) -> None:
    resolving(world, **handles)
    done = world.try_("member", "add", "mallory.example", "--space", world.space)
    assert (done.status, world.written) == (3, [])
    assert said in done.err


# Which spaces one joined ----------------------------------------------------------------------------------------------


def test_the_spaces_that_one_joined_are_one_question(world: World, root: Path) -> None:
    """RAD-3.16: on a machine that knows nothing but the login."""
    elsewhere = {"uri": f"at://{CAROL}/{PREFIX}space/far", "cid": world.here["space"]["cid"]}
    world.pds.put(BOB, "join", "far", space=elsewhere, createdAt="2026-01-05T00:00:00Z")
    world.pds.put(BOB, "join", "odd", space="nonsense")
    done = world.call_plain("spaces", "--as", BOB, "--json")
    assert [nsid for nsid, _ in world.pds.asked] == ["com.atproto.repo.listRecords"]
    said = json.loads(done.out)
    page = (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert documented_keys_hold(section(page, "spaces"), said) == 3
    assert [(space["uri"], space["name"], space["role"]) for space in said["spaces"]] == [
        (world.space, None, None),
        (elsewhere["uri"], None, None),
    ]
    world.ask("message", world.goal_, "--body", "Hi", "--space", world.space, who=BOB)
    rows = [row.split("\t") for row in world.call_plain("spaces", "--as", BOB).out.splitlines()]
    assert rows[1][0::2] == [world.space, "Lab"]
    assert rows[1][3] == "admin"
    shown = world.call_plain("spaces", "--as", BOB, screen=True).out
    assert "“Lab”" in shown
    assert "not read yet" in shown


def test_many_joins_come_page_by_page(world: World) -> None:
    cid = world.here["space"]["cid"]
    for number in range(150):
        world.pds.put(BOB, "join", f"n{number:03}", space={"uri": _far(number), "cid": cid})
    world.pds.put(BOB, "join", "n000-again", space={"uri": _far(0), "cid": cid})
    listed = json.loads(world.call_plain("spaces", "--as", BOB, "--json").out)["spaces"]
    assert len(listed) == len({space["uri"] for space in listed}) == 151
    assert len(world.pds.asked) == 2


def _far(number: int) -> str:
    return f"at://{CAROL}/{PREFIX}space/n{number:03}"


@pytest.mark.parametrize("reply", [Reply(b"nonsense"), Reply.json([]), Reply.json({"records": {}})])
def test_a_list_that_cannot_be_read_is_said(reply: Reply, world: World) -> None:
    world.pds.intercept = lambda _nsid, _query: reply
    done = world.call_plain("spaces", "--as", BOB)
    assert (done.status, done.out) == (1, "")
    assert "Traceback" not in done.err


def test_who_joined_nothing_is_told_how(world: World) -> None:
    world.pds.repos.setdefault(CAROL, {})
    done = world.call_plain("spaces", "--as", CAROL)
    assert done.status == 0
    assert "radial space join" in done.err
