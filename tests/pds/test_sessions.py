"""Sessions at a real server: across expiry, in several processes, revoked, ended."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import attrs
import pytest

from radial_io.accounts.book import Accounts
from radial_io.accounts.credentials import Tokens, read_credentials
from radial_io.accounts.errors import LoginRefusedError, SessionEndedError
from radial_io.accounts.session import open_session
from radial_io.accounts.signing_in import login, logout
from radial_io.accounts.values import Account as Known, Secret
from radial_io.writing.errors import KeptError
from radial_io.writing.executing import execute, send_pending
from radial_io.writing.written import Delivered, Written
from tests.pds.accounts import Account, Servers, account
from tests.pds.writing import HASTY, Goal

pytestmark = pytest.mark.pds

KEY = b"jwt-secret-for-tests-only"  # of the lab's server
GOALS = [Goal(rkey=f"g{number}", title=f"goal {number}") for number in range(3)]


@attrs.frozen
class Person:
    """Somebody with an account and an app password, on a machine of their own."""

    who: Account
    password: str
    folder: Path
    servers: Servers

    @property
    def accounts(self) -> Accounts:
        return Accounts(self.folder / "accounts")

    def log_in(self) -> Known:
        async def work() -> Known:
            known = self.accounts
            return await login(self.who.did, Secret(self.password), accounts=known, plc=self.servers.plc, vault="file")

        return anyio.run(work)

    def write(self, *goals: Goal) -> tuple[Written, ...]:
        async def work() -> tuple[Written, ...]:
            async with open_session(self.accounts, self.accounts.find(None)) as session:
                return await execute(goals, session=session, store=self.folder / "store.db", manners=HASTY)

        return anyio.run(work)

    def tokens(self) -> Tokens:
        secret = self.accounts.vault(self.accounts.find(None)).read(self.who.did)
        assert secret is not None
        tokens = read_credentials(secret)
        assert isinstance(tokens, Tokens)
        return tokens

    def keep(self, tokens: Tokens) -> None:
        self.accounts.vault(self.accounts.find(None)).keep(self.who.did, tokens.to_secret())


def expired(token: Secret) -> Secret:
    """Sign the same token anew, as if it had been given a day ago."""
    head, body, _ = token.reveal().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "==="))
    claims |= {"iat": claims["iat"] - 86_400, "exp": claims["iat"] - 80_000}
    signed = f"{head}.{_base64(json.dumps(claims).encode())}"
    return Secret(f"{signed}.{_base64(hmac.digest(KEY, signed.encode(), hashlib.sha256))}")


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


@pytest.fixture
def person(servers: Servers, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    name = "p" + hashlib.sha256(request.node.name.encode()).hexdigest()[:12]
    with account(servers, name) as who:
        password = who.call("com.atproto.server.createAppPassword", name="radial")["password"]
        person = Person(who, password, tmp_path, servers)
        person.log_in()
        yield person


def test_a_did_leads_to_its_server(person: Person, servers: Servers) -> None:
    known = person.accounts.find(None)
    assert (known.did, known.pds.rpartition(":")[2]) == (person.who.did, servers.pds.rpartition(":")[2])
    assert known.handle.endswith(".test")


def test_a_session_goes_on_across_its_expiry(person: Person) -> None:
    """RAD-3.2: log in, write, start again, renew, write."""
    assert [one.how for one in person.write(GOALS[0])] == ["written"]
    before = person.tokens()
    person.keep(attrs.evolve(before, access=expired(before.access)))
    assert [one.how for one in person.write(GOALS[1])] == ["written"]
    after = person.tokens()
    assert after.access != expired(before.access)
    assert before.refresh != after.refresh  # the other may be the same text: it was given within a second
    assert [one.how for one in person.write(GOALS[2])] == ["written"]


def test_a_token_that_is_none_is_renewed_too(person: Person) -> None:
    person.keep(attrs.evolve(person.tokens(), access=Secret("rubbish")))
    assert [one.how for one in person.write(GOALS[0])] == ["written"]


def test_two_sessions_renew_at_the_same_time(person: Person) -> None:
    person.keep(attrs.evolve(person.tokens(), access=expired(person.tokens().access)))

    async def both() -> list[str]:
        found: list[str] = []

        async def one(goal: Goal) -> None:
            async with open_session(person.accounts, person.accounts.find(None)) as session:
                store = person.folder / f"{goal.rkey}.db"
                found.extend(one.how for one in await execute([goal], session=session, store=store, manners=HASTY))

        async with anyio.create_task_group() as tasks:
            for goal in GOALS[:2]:
                tasks.start_soon(one, goal)
        return found

    assert anyio.run(both) == ["written", "written"]


def test_a_password_that_was_revoked_ends_the_session_and_what_was_meant_is_kept(person: Person) -> None:
    person.who.http.post("/com.atproto.server.revokeAppPassword", json={"name": "radial"}).raise_for_status()
    person.keep(attrs.evolve(person.tokens(), access=expired(person.tokens().access)))
    with pytest.raises(KeptError, match="radial login") as failed:
        person.write(GOALS[0])
    assert isinstance(failed.value.cause, SessionEndedError)
    with pytest.raises(LoginRefusedError):
        person.log_in()
    password = person.who.call("com.atproto.server.createAppPassword", name="again")["password"]
    attrs.evolve(person, password=password).log_in()

    async def send() -> Delivered:
        async with open_session(person.accounts, person.accounts.find(None)) as session:
            return await send_pending(session=session, store=person.folder / "store.db", manners=HASTY)

    assert [one.how for one in anyio.run(send).written] == ["written"]


def test_logging_out_ends_it_at_the_server(person: Person) -> None:
    tokens, known = person.tokens(), person.accounts.find(None)
    assert anyio.run(logout, person.accounts, known) is True
    person.accounts.add(known)
    person.keep(attrs.evolve(tokens, access=expired(tokens.access)))
    with pytest.raises(KeptError) as failed:
        person.write(GOALS[0])
    assert isinstance(failed.value.cause, SessionEndedError)


def test_a_session_writes_to_no_repo_but_its_own(person: Person, servers: Servers) -> None:
    """RAD-1.2: not even where somebody makes a session up that claims another author."""
    with account(servers, "somebody-else"[:14]) as other:
        forged: Any = attrs.evolve(person.accounts.find(None), did=other.did)
        person.accounts.add(forged)
        person.accounts.vault(forged).keep(other.did, person.tokens().to_secret())
        with pytest.raises(KeptError):
            person.write(GOALS[0])
        records = other.http.get(
            "/com.atproto.repo.listRecords", params={"repo": other.did, "collection": GOALS[0].collection}
        )
        assert records.json()["records"] == []
