"""What the tests of the writer have in common: an account behind the proxy, acts, and what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import attrs

from radial_io.accounts.book import Accounts
from radial_io.accounts.session import open_session
from radial_io.accounts.signing_in import login
from radial_io.accounts.values import Secret
from radial_io.atproto.retries import Patience
from radial_io.writing.executing import execute
from radial_io.writing.intents import Intent, Removal
from radial_io.writing.writer import Manners
from radial_io.writing.written import Written
from tests.io.fakes import GOAL, cid
from tests.pds.accounts import Account, Servers, account

HASTY = Manners(Patience(attempts=10, first_wait=0.05))


@attrs.frozen(kw_only=True)
class Goal:
    """A record as somebody means to write it; its title is of no other."""

    rkey: str
    title: str
    replaces: str | None = None
    collection: str = GOAL

    @property
    def value(self) -> dict[str, Any]:
        return {"$type": GOAL, "title": self.title, "createdAt": "2026-01-01T00:00:00Z"}

    @property
    def cid(self) -> str:
        return cid(self.value)


@attrs.frozen
class Plan:
    """Acts in their order, and the titles by key that the repo holds once all are done."""

    acts: tuple[tuple[Intent, ...], ...]
    standing: dict[str, str]
    gone: tuple[str, ...]

    @property
    def intended(self) -> int:
        return len(self.standing) + len(self.gone)


def plan(name: str) -> Plan:
    """Four acts: a new record; three together; a renewal of the first; the removal of one of the three."""
    first = Goal(rkey=f"{name}-first", title=f"{name} first")
    three = tuple(Goal(rkey=f"{name}-{at}", title=f"{name} {at}") for at in "abc")
    better = attrs.evolve(first, title=f"{name} first, better", replaces=first.cid)
    removal = Removal(collection=GOAL, rkey=three[1].rkey, replaces=three[1].cid)
    standing = {goal.rkey: goal.title for goal in (better, three[0], three[2])}
    return Plan(((first,), three, (better,), (removal,)), standing, (three[1].rkey,))


@attrs.frozen
class Judgement:
    """What became of what was intended: how many are `lost`, `doubled`, or `left` in spite of their removal."""

    lost: int
    doubled: int
    left: int


def judge(who: Account, plans: Sequence[Plan], prefix: str = "") -> Judgement:
    """Read the repo with nobody in between and none of our own code."""
    held = dict(_records(who, prefix))
    titles = Counter(held.values())
    intended = {key: title for each in plans for key, title in each.standing.items()}
    lost = sum(held.get(key) != title for key, title in intended.items())
    doubled = sum(times - 1 for times in titles.values()) + len(held.keys() - intended.keys())
    return Judgement(lost, doubled, sum(key in held for each in plans for key in each.gone))


def _records(who: Account, prefix: str) -> Iterator[tuple[str, str]]:
    cursor = ""
    while True:
        asked = {"repo": who.did, "collection": GOAL, "limit": "100", "cursor": cursor}
        said = who.http.get("/com.atproto.repo.listRecords", params={k: v for k, v in asked.items() if v}).json()
        for record in said["records"]:
            key = record["uri"].rpartition("/")[2]
            if key.startswith(prefix):
                yield key, record["value"]["title"]
        cursor = said.get("cursor", "")
        if not cursor:
            return


@contextmanager
def writer(servers: Servers, name: str, folder: Path, pds: str) -> Iterator[Account]:
    """An account that is logged in, through the proxy, with an app password; its session lies in `folder`."""
    with account(servers, name) as who:
        password = who.call("com.atproto.server.createAppPassword", name="radial")["password"]
        log_in = partial(login, accounts=Accounts(folder / "accounts"), pds=pds, vault="file")
        anyio.run(log_in, f"{name}.test", Secret(password))
        yield who


async def act(folder: Path, acts: Sequence[Sequence[Intent]], manners: Manners = HASTY) -> list[Written]:
    """Carry out acts, one after another, in one session."""
    accounts = Accounts(folder / "accounts")
    async with open_session(accounts, accounts.find(None)) as session:
        return [
            one
            for intents in acts
            for one in await execute(intents, session=session, store=folder / "store.db", manners=manners)
        ]
