"""login, logout, whoami, accounts, use, outbox: against a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from radial_cli.accounts import signing_in
from radial_io.store.outbox import Letter, open_outbox, outbox_file
from radial_io.store.store import open_store
from tests.cli.conftest import Call, Done, Stream
from tests.cli.test_reference import documented_keys_hold, section
from tests.io.fakes import ALICE, BOB, GOAL, cid
from tests.io.home import Home, error, served

PASSWORD = b"abcd-efgh-ijkl-mnop\n"
VALUE = {"$type": GOAL, "title": "a goal", "createdAt": "2026-01-01T00:00:00Z"}
LETTER = Letter(
    act="1",
    did=ALICE,
    collection=GOAL,
    rkey="one",
    operation="create",
    cid=cid(VALUE),
    value=json.dumps(VALUE),
)
NOW = "2026-01-01T00:00:00Z"


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RADIAL_ACCOUNTS", str(tmp_path / "accounts"))
    monkeypatch.setenv("RADIAL_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("RADIAL_VAULT", "file")
    monkeypatch.delenv("RADIAL_ACCOUNT", raising=False)
    return tmp_path / "store.db"


@pytest.fixture
def home() -> Home:
    return Home()


@pytest.fixture
def pds(home: Home) -> Iterator[str]:
    with served(home) as url:
        yield url


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")


def log_in(radial: Call, pds: str, *more: str) -> Done:
    return radial("login", "alice.example", "--pds", pds, "--password-stdin", *more, stdin=PASSWORD)


def value(done: Done) -> Any:
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_who_logs_in_acts_and_is_told_where_the_session_lies(radial: Call, pds: str, tmp_path: Path) -> None:
    done = log_in(radial, pds)
    assert (done.status, done.out) == (0, f"alice.example is logged in ({ALICE}) at {pds}\n")
    assert str(tmp_path / "accounts" / "secrets") in done.err
    assert "the password is kept nowhere" in done.err
    assert radial("whoami").out == f"alice.example ({ALICE}) at {pds}\n"
    assert [line.split() for line in radial("accounts").out.splitlines()] == [
        ["*", "alice.example", ALICE, pds, "file"]
    ]


def test_what_they_print_as_json_is_documented(radial: Call, pds: str, page: str) -> None:
    account = {"did": ALICE, "handle": "alice.example", "pds": pds, "vault": "file", "current": True}
    assert value(log_in(radial, pds, "--json")) == account
    assert value(radial("whoami", "--json")) == value(radial("use", ALICE, "--json")) == account
    assert value(radial("accounts", "--json")) == {"accounts": [account]}
    assert documented_keys_hold(section(page, "login"), account) == 1
    gone = value(radial("logout", "--json"))
    assert gone == {"did": ALICE, "handle": "alice.example", "revoked": True}
    assert documented_keys_hold(section(page, "logout"), gone) == 1
    assert value(radial("accounts", "--json")) == {"accounts": []}


@pytest.mark.parametrize("verb", [["whoami"], ["logout"], ["use", "bob.example"]])
def test_nobody_logged_in_is_said_with_advice(verb: list[str], radial: Call) -> None:
    done = radial(*verb)
    assert (done.status, done.out) == (2, "")
    assert "radial login" in done.err


def test_the_environment_names_who_acts(radial: Call, pds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    log_in(radial, pds)
    monkeypatch.setenv("RADIAL_ACCOUNT", "bob.example")
    assert radial("whoami").status == 2
    monkeypatch.setenv("RADIAL_ACCOUNT", "alice.example")
    assert radial("whoami").status == 0


def test_a_password_is_asked_of_a_terminal_alone(radial: Call, pds: str, home: Home) -> None:
    done = radial("login", "alice.example", "--pds", pds, stdin=PASSWORD)
    assert done.status == 2
    assert "--password-stdin" in done.err
    assert home.asked == []


def test_at_a_terminal_it_is_typed_unseen(radial: Call, pds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = {"App password: ": PASSWORD.decode().strip()}
    monkeypatch.setattr(Stream, "isatty", lambda _stream: True)
    monkeypatch.setattr(signing_in, "getpass", typed.pop)
    assert radial("login", "alice.example", "--pds", pds).status == 0
    assert typed == {}


@pytest.mark.parametrize("sent", [b"", b"\n", b"x" * 2000])
def test_what_cannot_be_a_password_is_not_sent(sent: bytes, radial: Call, pds: str, home: Home) -> None:
    assert radial("login", "alice.example", "--pds", pds, "--password-stdin", stdin=sent).status == 2
    assert home.asked == []


def test_a_wrong_password_is_said_and_not_shown(radial: Call, pds: str) -> None:
    done = radial("login", "alice.example", "--pds", pds, "--password-stdin", stdin=b"wrong-word\n")
    assert done.status == 1
    assert "AuthenticationRequired" in done.err
    assert "app password" in done.err
    assert "wrong-word" not in done.err


def test_logging_out_says_when_the_server_was_not_told(radial: Call, pds: str, home: Home) -> None:
    log_in(radial, pds)
    home.before = lambda _nsid, _number: ConnectionError()
    done = radial("logout")
    assert done.status == 0
    assert "was not told" in done.err


def test_a_vault_of_another_name_is_no_vault(radial: Call, pds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADIAL_VAULT", "pocket")
    assert log_in(radial, pds).status == 2


def test_the_outbox_lists_sends_and_drops(radial: Call, pds: str, page: str, home: Home, store: Path) -> None:
    assert radial("outbox", "list") == (0, "", "radial: the outbox is empty\n")
    assert radial("outbox", "send").err == "radial: nothing was waiting to be sent\n"
    log_in(radial, pds)
    with open_outbox(store) as outbox:
        outbox.add([LETTER, attrs.evolve(LETTER, rkey="two")], NOW)
    assert radial("outbox", "list").out.splitlines()[:2] == [f"1  create, prepared {NOW}: waits", f"    {LETTER.uri}"]
    listed = value(radial("outbox", "list", "--json"))
    assert [(entry["number"], entry["state"]) for entry in listed["entries"]] == [(1, "pending"), (2, "pending")]
    assert documented_keys_hold(section(page, "outbox").partition("`radial outbox send`")[0], listed) == 3
    dropped = radial("outbox", "drop", "2")
    assert dropped.out == "1 entry dropped\n"
    assert "may have been written all the same" in dropped.err
    sent = value(radial("outbox", "send", "--json"))
    assert sent == {
        "written": [{"uri": LETTER.uri, "cid": LETTER.cid, "rev": home.rev_text, "how": "written"}],
        "refused": [],
    }
    assert documented_keys_hold(section(page, "outbox").partition("`radial outbox send`")[2], sent) == 1
    assert home.records == {f"{GOAL}/one": VALUE}
    assert value(radial("outbox", "list", "--json")) == {"entries": []}
    with open_store(store, write=False) as held:
        assert set(held.held(ALICE)) == {(GOAL, "one")}


def test_what_is_refused_stays_and_says_why(radial: Call, pds: str, home: Home, store: Path) -> None:
    log_in(radial, pds)
    with open_outbox(store) as outbox:
        outbox.add([LETTER], NOW)
    home.before = lambda nsid, _number: error(400, "InvalidRequest", "not\x1b[31m so") if "putRecord" in nsid else None
    done = radial("outbox", "send")
    assert done.status == 1
    assert "InvalidRequest" in done.err
    assert "\x1b" not in done.err
    assert "refused" in radial("outbox", "list").out
    assert radial("outbox", "drop", "--all").out == "1 entry dropped\n"


def test_one_account_that_is_not_logged_in_stops_no_other(radial: Call, pds: str, home: Home, store: Path) -> None:
    log_in(radial, pds)
    with open_outbox(store) as outbox:
        outbox.add([attrs.evolve(LETTER, did=BOB), LETTER], NOW)
    done = radial("outbox", "send")
    assert done.status == 1
    assert f"{BOB} is not logged in here" in done.err
    assert home.records == {f"{GOAL}/one": VALUE}


def test_doctor_says_what_waits_and_what_was_refused(radial: Call, store: Path) -> None:
    with open_store(store, write=True):
        assert not _of_the_outbox(radial)
    with open_outbox(store) as outbox:
        first, second, third = outbox.add([LETTER, *(attrs.evolve(LETTER, rkey=key) for key in ("two", "three"))], NOW)
        outbox.mark_refused([second], "too long", NOW)
        outbox.mark_written([third], None, NOW)
        assert [(level, words) for level, words in _of_the_outbox(radial)] == [
            ("warning", "1 record of yours not known to be written"),
            ("warning", "1 record of yours refused by your server"),
        ]
        outbox.drop([first, second])
    assert not _of_the_outbox(radial)
    outbox_file(store).write_bytes(b"no database at all" * 100)
    assert [level for level, _ in _of_the_outbox(radial)] == ["fault"]


def _of_the_outbox(radial: Call) -> list[tuple[str, str]]:
    found = json.loads(radial("doctor", "--json").out)["findings"]
    return [(finding["level"], finding["words"]) for finding in found if finding["what"] == "outbox"]


@pytest.mark.parametrize(("words", "status"), [([], 2), (["1", "--all"], 2), (["7"], 3)])
def test_what_to_drop_has_to_be_named(words: list[str], status: int, radial: Call) -> None:
    assert radial("outbox", "drop", *words).status == status


def test_what_was_written_while_a_watcher_holds_the_store_is_read_beside_it(
    radial: Call, pds: str, store: Path
) -> None:
    log_in(radial, pds)
    with open_outbox(store) as outbox:
        outbox.add([LETTER], NOW)
    with open_store(store, write=True):
        assert radial("outbox", "send").status == 0
        assert "written, not in the store yet" in radial("outbox", "list").out.replace("\n   ", "")
        index = value(radial("materialize", "--json"))
    assert [record["uri"] for record in index["ignored"]] == [LETTER.uri]  # a goal of no project: it was read
