"""Every act of a person on a real PDS, seen by an observer who only reads; and what a person is asked on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from radial_core import materialize
from radial_io.store.store import open_store
from tests.pds import acts_expected
from tests.pds.accounts import Account, Servers, account
from tests.pds.acts_story import LONG_BODY, Person, Tale, tell
from tests.pds.following import ROOT
from tests.pds.matching import assert_matches
from tests.pds.story import PIXEL, PREFIX
from tests.pds.terminals import Asked

pytestmark = [pytest.mark.pds, pytest.mark.slow]

NAMES = ("ruth", "mate", "bot", "gast")


@pytest.fixture(scope="module")
def tale(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tale]:
    """Return the story, told."""
    folder = tmp_path_factory.mktemp("acts")
    with ExitStack() as stack:
        people = []
        for name in NAMES:
            logged_in = stack.enter_context(account(servers, f"{name}-acts"))
            people.append(Person(logged_in, f"{name}-acts.test", folder / name, servers))
            people[-1].log_in()
        ruth, mate, bot, gast = people
        told = Tale(ruth, mate, bot, gast, folder)
        tell(told)
        yield told


@pytest.fixture(scope="module")
def observer(servers: Servers, tale: Tale) -> Person:
    """Return a fifth person, who has no account and has read both spaces."""
    nobody = Person(Account("", httpx.Client()), "", tale.folder / "observer", servers)
    nobody.home.mkdir()
    status, _ = nobody.radial("sync", tale.uri("space/lab"), tale.uri("space/annex"), "--plc", servers.plc)
    assert status == 0, nobody.said
    return nobody


def test_the_observer_sees_what_was_meant(tale: Tale, observer: Person) -> None:
    with open_store(observer.home / "store.db", write=False) as store:
        index = materialize(observation for _, observation in store.observations())
    assert_matches(index.to_json(), acts_expected.index(tale))


def test_every_kind_of_record_that_people_write_was_written(tale: Tale) -> None:
    """Agents alone write claims, check runs and merges, and nobody writes archiveGoal any more (G2)."""
    kinds = {path.stem for path in (ROOT / "lexicons/com/disnetdev/radial").glob("*.json")}
    told = {name.partition("/")[0] for name in tale.written}
    assert kinds - told == {"claim", "checkrun", "merge", "archiveGoal"}


def test_what_was_refused_is_in_no_repo(tale: Tale) -> None:
    """Of what the bot was refused, only what it forced was written."""
    listed = {kind: _listed(tale.bot, kind) for kind in ("addMember", "artifactType", "setAutoReview", "retractBless")}
    assert listed == {
        "addMember": [],
        "artifactType": [],
        "setAutoReview": [tale.uri("setAutoReview/forced")],
        "retractBless": [],
    }


def _listed(person: Person, kind: str) -> list[str]:
    asked = {"repo": person.did, "collection": PREFIX + kind}
    answer = person.account.http.get("/com.atproto.repo.listRecords", params=asked).raise_for_status()
    return [record["uri"] for record in answer.json()["records"]]


def test_long_bodies_and_pictures_are_there_in_full(tale: Tale, observer: Person) -> None:
    status, body = observer.radial("body", tale.uri("artifact/build"), "--plc", observer.servers.plc)
    assert (status, body) == (0, LONG_BODY)
    text = tale.written["goal/g1"]["value"]["body"]
    assert text.endswith(f"![A pixel](radial-image:{tale.uri('image/pixel')})\n")
    picture = observer.home / "pixel.png"
    status, _ = observer.radial("image", text, "-o", str(picture), "--plc", observer.servers.plc)
    assert status == 0, observer.said
    assert picture.read_bytes() == PIXEL


def test_a_new_machine_lists_the_spaces_that_were_joined(tale: Tale) -> None:
    mate = tale.mate
    afresh = Person(mate.account, mate.handle, tale.folder / "mate-afresh", mate.servers)
    afresh.log_in()
    status, out = afresh.radial("spaces", "--json")
    assert status == 0, afresh.said
    listed = [(space["uri"], space["name"]) for space in json.loads(out)["spaces"]]
    assert listed == [(tale.uri("space/lab"), None), (tale.uri("space/annex"), None)]  # none was read here yet
    again = tale.mate.ask("space", "join", tale.uri("space/lab"))
    assert (again["outcome"], again["records"]) == ("nothing to do", [])


def test_a_removal_says_what_it_would_hide(tale: Tale) -> None:
    said = tale.ruth.ask("member", "remove", tale.mate.handle, "--dry-run")
    hidden = {group["kind"]: set(group["uris"]) for group in said["hidden"]}
    assert hidden["goal"] == {tale.uri("goal/g2")}  # T5: with the endings that others wrote there
    assert hidden["closeGoal"] == {tale.uri(f"closeGoal/g2-{number}") for number in (1, 2, 3)}
    assert "It would hide" in tale.ruth.said
    assert said["outcome"] == "not written"


def test_a_person_is_asked_and_may_say_no(tale: Tale) -> None:
    before = _listed(tale.ruth, "closeGoal")
    asked = Asked(tale.ruth, "goal", "close", "1")
    asked.until("[y/N] ")
    assert "Make it work" in asked.said
    assert tale.ruth.did in asked.said
    assert tale.ruth.servers.pds in asked.said
    assert asked.answer("n\n") == 1
    assert "nothing was written" in asked.said
    assert _listed(tale.ruth, "closeGoal") == before


def test_ctrl_c_at_the_question_writes_nothing(tale: Tale) -> None:
    before = _listed(tale.ruth, "message")
    asked = Asked(tale.ruth, "message", "1", "--body", "Wait")
    asked.until("[y/N] ")
    asked.process.send_signal(2)
    assert asked.answer("") == 130
    assert "Traceback" not in asked.said
    assert _listed(tale.ruth, "message") == before


def test_what_changed_while_a_person_decided_is_not_overruled(tale: Tale) -> None:
    """RK-14.3: what was agreed to is looked at once more before it is written."""
    ruth, mate = tale.ruth, tale.mate
    words = ("goal", "create", "Afterwards", "--body", "One more.", "--space", "Lab")
    tale.act(mate, *words, names=("goal/after",))
    asked = Asked(ruth, "goal", "close", tale.uri("goal/after"))
    asked.until("[y/N] ")
    tale.act(mate, "goal", "close", tale.uri("goal/after"), names=("closeGoal/after",))
    assert asked.answer("y\n") == 75
    assert "the space has changed meanwhile" in asked.said
    assert tale.uri("closeGoal/after") not in _listed(ruth, "closeGoal")
    closed = [uri for uri in _listed(ruth, "closeGoal") if uri.rpartition("/")[2] > tale.uri("goal/after")[-13:]]
    assert closed == []
