"""Spaces: made, joined, opened to guests; and the list of those that an account joined (RAD-3.16)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from radial_cli.acting.manner import Manner
from radial_cli.acting.opening import account_of, look
from radial_cli.acting.performing import perform
from radial_cli.acting.view import Keys, now
from radial_cli.acting.words import is_on, named
from radial_cli.exits import USAGE, Failure
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.outside import told
from radial_cli.pictures.words import brief_title
from radial_cli.render import Page
from radial_cli.running import run
from radial_cli.untrusted import one_line
from radial_core.acts.spaces import create_space, join_space, set_guest_comments
from radial_core.identifiers import record_parts
from radial_core.records import PREFIX
from radial_core.structure import structural_faults
from radial_io.accounts.values import Account
from radial_io.atproto.identity import open_servers
from radial_io.atproto.xrpc import Get

_SPACE: Final = f"{PREFIX}space"
_JOIN: Final = f"{PREFIX}join"
_LIST: Final = "com.atproto.repo.listRecords"
_PAGE: Final = 100
_MOST_PAGES: Final = 100


def create(manner: Manner, *, name: str, description: str | None) -> None:
    """Make a space."""
    named(name, "a space")
    perform(manner, lambda view: create_space(view.desk, name, description=description), spaces=())


def join(manner: Manner, *, uri: str) -> None:
    """Note that one belongs to a space, which is read first, so that it is known to be there."""
    parts = record_parts(uri)
    if parts is None or parts[1] != _SPACE:
        raise Failure(
            f"{one_line(uri, 300)} is no space's URI", "It is at://DID/com.disnetdev.radial.space/KEY.", USAGE
        )
    perform(manner._replace(space=uri), lambda view: join_space(view.desk, uri), spaces=(uri,))


def guest_comments(manner: Manner, *, switch: str) -> None:
    """Say whether guests are asked."""
    enabled = is_on(switch)
    perform(manner, lambda view: set_guest_comments(view.desk, view.chosen_space(), enabled=enabled))


def print_spaces(author: str | None, *, pds: str | None, plc: str | None, store: str | None, as_json: bool) -> None:
    """Print the spaces that an account joined, as its own repo lists them. Raises `Failure`."""
    manner = Manner(author=author, pds=pds, plc=plc, store=store)
    account = account_of(manner)
    with told("the spaces cannot be listed: "):
        joined = run(lambda: _joined(account))
    view = look(manner, account, Keys(), now())
    rows = [_row(uri, at, account, view.reading.index.space(uri)) for uri, at in joined]
    if as_json:
        out_json({"did": account.did, "handle": account.handle, "spaces": rows})
        return
    if not rows:
        say("radial: no spaces were joined: `radial space join SPACE_URI`, or `radial space create NAME`")
    out(_table(rows) if is_terminal() else _lines(rows))


async def _joined(account: Account) -> list[tuple[str, str]]:
    """Ask for the notes of joining, a page at a time; the first of each space counts."""
    found: dict[str, str] = {}
    cursor: str | None = None
    async with open_servers(pds=account.pds) as (client, _):
        for _ in range(_MOST_PAGES):
            more = (("cursor", cursor),) if cursor is not None else ()
            question = Get(
                _LIST, (("repo", account.did), ("collection", _JOIN), ("limit", str(_PAGE)), ("reverse", "true"), *more)
            )
            page = _read(await client.query(account.pds, question))
            for uri, at in _notes(page):
                found.setdefault(uri, at)
            cursor = page.get("cursor")
            if not isinstance(cursor, str) or len(page.get("records", ())) < _PAGE:
                break
    return sorted(found.items(), key=lambda each: (each[1], each[0]))


def _read(body: bytes) -> dict[str, Any]:
    try:
        page = json.loads(body)
    except (ValueError, RecursionError):
        page = None
    if not isinstance(page, dict) or not isinstance(page.get("records"), list):
        raise Failure("the server's list of records cannot be read", "Ask who runs it.")
    return page


def _notes(page: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for item in page["records"]:
        value = item.get("value") if isinstance(item, dict) else None
        if isinstance(value, dict) and not structural_faults(_JOIN, value):
            yield value["space"]["uri"], value["createdAt"]


def _row(uri: str, at: str, account: Account, space: Any) -> dict[str, Any]:
    role = None
    if space is not None:
        role = next((member.role for member in space.members if member.did == account.did), None)
    return {"uri": uri, "joinedAt": at, "name": space.name if space is not None else None, "role": role}


def _table(rows: list[dict[str, Any]]) -> str:
    page = Page(width(), styled=True)
    for row in rows:
        known = f"“{brief_title(row['name'])}”" if row["name"] is not None else "not read yet"
        page.line([(known, "title"), f"  {row['role'] or ('not a member' if row['name'] is not None else '')}"])
        page.line((row["uri"], "name"), indent=2)
    return page.text()


def _lines(rows: list[dict[str, Any]]) -> str:
    names = ("uri", "joinedAt", "name", "role")
    return "".join(
        "\t".join(one_line(str(cell or "")) for cell in cells) + "\n"
        for cells in (names, *([row[name] for name in names] for row in rows))
    )
