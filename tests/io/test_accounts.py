"""Logging in and out, several accounts, renewing a session; where secrets lie, and that they lie nowhere else."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import stat
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import attrs
import httpx
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from radial_io.accounts import session as sessions, signing_in
from radial_io.accounts.book import Accounts
from radial_io.accounts.credentials import Tokens, read_credentials
from radial_io.accounts.errors import (
    LoginRefusedError,
    NoAccountError,
    NoNameError,
    NoServerError,
    OwnFileError,
    SessionEndedError,
    VaultError,
)
from radial_io.accounts.session import open_session
from radial_io.accounts.signing_in import login, logout
from radial_io.accounts.values import Account, Secret
from radial_io.accounts.vaults import FileVault, KeyringVault
from radial_io.atproto.identity import FixedPds
from radial_io.atproto.procedures import Answer, Procedure
from radial_io.errors import NotJsonError, RateLimitError, RefusedError
from tests.io.fakes import ALICE, BOB
from tests.io.home import ACCESS, ACCOUNT, HOME, REFRESH, Home, error, once

PASSWORD = "abcd-efgh-ijkl-mnop"
WRITE = Procedure("com.atproto.repo.applyWrites", json.dumps({"repo": ALICE, "writes": []}).encode())


class Ring(KeyringBackend):
    """A keyring in memory, which can be locked."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.held: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def _open(self) -> dict[tuple[str, str], str]:
        if self.is_locked:
            raise KeyringLocked(f"cannot unlock, though I know {self.held}")
        return self.held

    def get_password(self, service: str, username: str) -> str | None:
        return self._open().get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self._open().pop((service, username), None) is None:
            raise PasswordDeleteError


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


@pytest.fixture
def no_ring(ring: Ring) -> None:
    ring.__class__.priority = 0.0


@pytest.fixture(autouse=True)
def _usable() -> Iterator[None]:
    yield
    Ring.priority = 1.0


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Home:
    """Return a server that everything which opens a connection is led to."""
    home = Home()

    @asynccontextmanager
    async def open_servers(*, pds: str | None = None, plc: str | None = None) -> Any:  # noqa: ARG001
        async with home.client() as client:
            yield client, FixedPds(pds or HOME)

    @asynccontextmanager
    async def open_client(_reach: object) -> Any:
        async with home.client() as client:
            yield client

    async def server_given(url: str, *, is_directory: bool) -> tuple[str, None]:  # noqa: ARG001
        return url, None

    monkeypatch.setattr(signing_in, "open_servers", open_servers)
    monkeypatch.setattr(sessions, "open_client", open_client)
    monkeypatch.setattr(sessions, "server_given", server_given)
    return home


def log_in(folder: Path, name: str = "alice.example", password: str = PASSWORD, **more: Any) -> Account:
    async def work() -> Account:
        return await login(name, Secret(password), accounts=Accounts(folder), pds=HOME, **more)

    return anyio.run(work)


def call(folder: Path, account: Account) -> Answer:
    async def work() -> Answer:
        async with open_session(Accounts(folder), account) as session:
            return await session.call(WRITE)

    return anyio.run(work)


@pytest.mark.usefixtures("no_ring")
def test_without_a_keyring_a_file_for_its_owner_alone_keeps_the_session(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path / "a")
    assert account == Account(ALICE, "alice.example", HOME, "file")
    (file,) = (tmp_path / "a" / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert ACCESS in file.read_text()
    assert call(tmp_path / "a", account).is_good
    assert home.calls("createSession") == 1


@pytest.mark.usefixtures("no_ring", "home")
def test_what_is_not_there_above_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir(mode=0o755)
    before = os.umask(0)
    try:
        log_in(tmp_path / "open" / "a" / "b")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / "open" / name).stat().st_mode) for name in ("a", "a/b", "a/b/secrets", "")]
    assert modes == [0o700, 0o700, 0o700, 0o755]


def test_a_keyring_keeps_the_session_where_there_is_one(home: Home, ring: Ring, tmp_path: Path) -> None:
    account = log_in(tmp_path)
    assert account.vault == "keyring"
    assert [name for _, name in ring.held] == [ALICE]
    assert not (tmp_path / "secrets").exists()
    assert call(tmp_path, account).is_good
    assert home.calls("applyWrites") == 1


@pytest.mark.usefixtures("home")
def test_a_keyring_that_fails_at_the_login_is_replaced_by_a_file_unless_it_was_asked_for(
    ring: Ring, tmp_path: Path
) -> None:
    ring.is_locked = True
    assert log_in(tmp_path).vault == "file"
    with pytest.raises(VaultError):
        log_in(tmp_path, vault="keyring")


@pytest.mark.usefixtures("home")
def test_a_keyring_that_is_locked_later_is_an_error_with_advice(ring: Ring, tmp_path: Path) -> None:
    account = log_in(tmp_path)
    ring.is_locked = True
    with pytest.raises(VaultError) as failed:
        call(tmp_path, account)
    assert failed.value.advice
    assert ACCESS not in str(failed.value)
    assert failed.value.__cause__ is None


@pytest.mark.usefixtures("home", "no_ring")
@pytest.mark.parametrize("name", ["@Alice.Example", "at://alice.example", ALICE])
def test_a_name_is_read_as_people_write_it(name: str, tmp_path: Path) -> None:
    assert log_in(tmp_path, name).did == ALICE


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("name", "password"), [("alice.example", "wrong"), (BOB, PASSWORD)])
def test_who_is_not_let_in_is_not_kept(name: str, password: str, tmp_path: Path) -> None:
    with pytest.raises(LoginRefusedError) as failed:
        log_in(tmp_path, name, password)
    assert Accounts(tmp_path).all() == ()
    assert password not in failed.value.explained()


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error(429, retry_after="60"), RateLimitError),
        (error(500, PASSWORD, PASSWORD), RefusedError),
        (error(401, "AuthFactorTokenRequired"), LoginRefusedError),
        (error(401, "AccountTakedown"), LoginRefusedError),
        (error(401, PASSWORD, PASSWORD), LoginRefusedError),
        (httpx.Response(200, json={"did": ALICE}), LoginRefusedError),
        (httpx.Response(200, json={"did": ALICE, "accessJwt": "é", "refreshJwt": "x\r\ny: z"}), LoginRefusedError),
        (httpx.Response(200, json={"did": "nobody", "accessJwt": "a", "refreshJwt": "b"}), LoginRefusedError),
    ],
)
def test_every_refusal_is_told_without_the_password(
    home: Home, fault: httpx.Response, kind: type[Exception], tmp_path: Path
) -> None:
    home.before = once("createSession", fault)
    with pytest.raises(kind) as failed:
        log_in(tmp_path)
    assert PASSWORD not in str(failed.value)


def test_a_handle_whose_host_says_nothing_leads_to_no_server(home: Home, tmp_path: Path) -> None:
    async def work() -> None:
        await login("alice.test", Secret(PASSWORD), accounts=Accounts(tmp_path))

    with pytest.raises(NoServerError):
        anyio.run(work)
    assert home.asked == []


def test_a_session_is_renewed_once_and_the_write_goes_on(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.access = "eyJuZXdlciBhY2Nlc3M.x.y"
    assert call(tmp_path, account).is_good
    assert home.calls("refreshSession") == 1
    assert call(tmp_path, account).is_good
    assert home.calls("refreshSession") == 1  # what was renewed is kept


def test_of_two_processes_one_renews_and_the_other_takes_what_it_got(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")

    async def work() -> list[Answer]:
        answers = []
        async with open_session(Accounts(tmp_path), account) as one, open_session(Accounts(tmp_path), account) as two:
            home.access = "eyJuZXdlciBhY2Nlc3M.x.y"
            async with anyio.create_task_group() as tasks:
                for session in (one, two):

                    async def ask(session: Any = session) -> None:
                        answers.append(await session.call(WRITE))

                    tasks.start_soon(ask)
        return answers

    assert [answer.is_good for answer in anyio.run(work)] == [True, True]
    assert home.calls("refreshSession") == 1


@pytest.mark.parametrize("name", ["ExpiredToken", "InvalidToken", "AccountTakedown"])
def test_a_session_that_is_over_is_told_with_advice(home: Home, name: str, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.access = "gone"
    home.before = lambda nsid, _number: error(400, name) if nsid.endswith("refreshSession") else None
    with pytest.raises(SessionEndedError, match=name) as failed:
        call(tmp_path, account)
    assert "radial login" in failed.value.advice
    assert Accounts(tmp_path).all() == (account,)


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitError), (503, RefusedError)])
def test_a_server_that_is_busy_ends_no_session(home: Home, status: int, kind: type[Exception], tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.access = "gone"
    home.before = once("refreshSession", error(status))
    with pytest.raises(kind):
        call(tmp_path, account)
    assert call(tmp_path, account).is_good


def test_a_server_that_never_takes_what_it_gave_is_no_loop(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.before = lambda nsid, _number: error(400, "ExpiredToken") if nsid.endswith("applyWrites") else None
    with pytest.raises(SessionEndedError):
        call(tmp_path, account)
    assert home.calls("applyWrites") == 2


def test_logging_out_ends_the_session_there_and_here(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    assert anyio.run(logout, Accounts(tmp_path), account) is True
    assert home.calls("deleteSession") == 1
    assert Accounts(tmp_path).all() == ()
    assert list((tmp_path / "secrets").iterdir()) == []
    with pytest.raises(SessionEndedError):
        call(tmp_path, account)


def test_logging_out_works_without_the_server(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.before = lambda _nsid, _number: httpx.ConnectError("no way")
    assert anyio.run(logout, Accounts(tmp_path), account) is False
    assert Accounts(tmp_path).all() == ()


def test_several_accounts_and_who_of_them_acts(tmp_path: Path) -> None:
    accounts, bob = Accounts(tmp_path / "new"), Account(BOB, "bob.example", HOME, "file")
    assert accounts.current() is None
    with pytest.raises(NoAccountError):
        accounts.find(None)
    accounts.add(ACCOUNT)
    accounts.add(bob)
    assert accounts.all() == (ACCOUNT, bob)
    assert accounts.current() == bob
    assert accounts.use("@Alice.example") == ACCOUNT
    assert accounts.find(None) == ACCOUNT
    assert accounts.find(BOB) == bob
    accounts.drop(ACCOUNT)
    assert accounts.current() is None
    with pytest.raises(NoAccountError, match="carol"):
        accounts.use("carol.example")
    accounts.add(attrs.evolve(ACCOUNT, handle="bob.example"))
    with pytest.raises(NoAccountError, match="2 accounts"):
        accounts.find("bob.example")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 9}', '{"format":1,"current":null,"accounts":[{}]}', "\x80"]
)
def test_a_file_that_is_not_ours_is_an_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(VaultError):
        Accounts(tmp_path).all()


def _add(folder: str, number: int) -> None:
    Accounts(Path(folder)).add(Account(f"did:web:n{number}.example", f"n{number}.example", HOME, "file"))


def test_two_processes_may_log_in_at_the_same_time(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add, args=(str(tmp_path), number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(Accounts(tmp_path).all()) == 4


@pytest.mark.parametrize(
    "text", ["", "{}", '{"kind":"oauth"}', '{"kind":"app-password"}', "[1]", f'{{"kind": "{ACCESS}"}}']
)
def test_a_vault_that_holds_something_else_is_an_error_without_its_content(text: str) -> None:
    with pytest.raises(VaultError) as failed:
        read_credentials(Secret(text))
    assert ACCESS not in str(failed.value)
    assert failed.value.__cause__ is None


def test_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(VaultError):
        FileVault(tmp_path / "file" / "secrets").keep(ALICE, Secret("x"))


def test_a_secret_shows_nothing() -> None:
    tokens = Tokens(Secret(ACCESS), Secret(REFRESH))
    account = tokens.to_secret()
    shown = [
        repr(tokens),
        str(tokens),
        f"{tokens.access}",
        f"{account!r:>80}",
        repr([tokens]),
        repr(vars),
        "{}".format(account),  # noqa: UP032
    ]
    assert not any(part in text for text in shown for part in (ACCESS, REFRESH))
    with pytest.raises(TypeError):
        pickle.dumps(tokens)
    assert Tokens.kept(json.loads(account.reveal())) == tokens


@pytest.mark.usefixtures("ring")
def test_dropping_what_a_keyring_does_not_hold_is_no_error() -> None:
    KeyringVault().drop(ALICE)


@pytest.mark.parametrize("quote", [ACCESS, ACCESS[:16], ACCESS[5:21], ACCESS[-16:], ACCESS.upper(), REFRESH[3:30]])
def test_a_server_that_quotes_a_token_back_is_not_quoted(home: Home, tmp_path: Path, quote: str) -> None:
    account = log_in(tmp_path, vault="file")
    home.before = once("applyWrites", error(400, "BadThing", f"who sent {quote}?"))
    answer = call(tmp_path, account)
    assert (answer.status, answer.name, answer.message) == (400, "BadThing", "")
    home.before = once("applyWrites", error(400, quote, "what the server says of it"))
    answer = call(tmp_path, account)
    assert (answer.status, answer.name, answer.message) == (400, "", "what the server says of it")


def test_a_server_that_quotes_the_token_when_it_is_over_is_understood_all_the_same(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    home.before = once("applyWrites", error(400, "ExpiredToken", f"{ACCESS} is over"))
    assert call(tmp_path, account).status == 200
    assert home.calls("refreshSession") == 1


@pytest.mark.parametrize("mode", [0o644, 0o666, 0o640, 0o601])
def test_a_file_that_others_may_read_is_closed_to_them_before_it_is_read(mode: int, home: Home, tmp_path: Path) -> None:
    """As one is that was restored from a backup."""
    account = log_in(tmp_path, vault="file")
    files = [tmp_path / "accounts.json", FileVault(tmp_path / "secrets").file(ALICE)]
    for file in files:
        file.chmod(mode)
    assert call(tmp_path, account).status == 200
    assert Accounts(tmp_path).current() == account
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    assert home.calls("applyWrites") == 1


def test_a_lock_that_cannot_be_made_is_an_error_of_the_account(home: Home, tmp_path: Path) -> None:
    account = log_in(tmp_path, vault="file")
    Accounts(tmp_path).lock_file(account).mkdir()
    home.before = once("applyWrites", error(400, "ExpiredToken"))
    with pytest.raises(OwnFileError, match="Is a directory"):
        call(tmp_path, account)


def test_a_list_of_accounts_that_is_none_of_ours_says_what_to_do_with_it(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_text('{"format": 2}')
    with pytest.raises(OwnFileError) as failed:
        Accounts(tmp_path).all()
    assert "move it away and log in again" in failed.value.advice


@pytest.mark.parametrize("name", ["", "not a handle", "did:nothing", "alice"])
def test_what_is_no_name_is_said_to_be_none(name: str, home: Home, tmp_path: Path) -> None:
    with pytest.raises(NoNameError, match=f"“{name}” is neither a handle nor a DID"):
        log_in(tmp_path, name)
    assert home.asked == []


@pytest.mark.parametrize("body", [b"<html>", b"[1]", b"{}", b"x" * 2_000_000])
def test_an_answer_that_names_nobody_is_not_taken_for_somebody_else_s(body: bytes, home: Home, tmp_path: Path) -> None:
    home.before = once("createSession", httpx.Response(200, content=body))
    with pytest.raises(NotJsonError, match="does not say whom it logs in"):
        log_in(tmp_path)
