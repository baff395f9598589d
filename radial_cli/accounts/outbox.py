"""`radial outbox`: what was meant to be written and is not known to be, or is not in the store yet.

Strategy: listing asks nobody and needs no session. Sending goes account by account, and one that cannot be reached
stops none of the others. What is dropped is named first; whether it was written is another question.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from radial_cli.accounts.place import accounts
from radial_cli.exits import FAILURE, NOT_FOUND, TRY_AGAIN, USAGE, Failure, Silent
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.outside import status_of
from radial_cli.pictures.words import counted
from radial_cli.render import Page
from radial_cli.running import run
from radial_cli.storing.place import place_of, told as store_told
from radial_cli.untrusted import one_line
from radial_io.accounts.session import open_session
from radial_io.errors import RadialIoError
from radial_io.store.errors import StoreError
from radial_io.store.outbox import Entry, open_outbox, peek_outbox
from radial_io.writing.executing import send_pending
from radial_io.writing.written import Delivered

_STYLES: Final = {"pending": "wait", "written": "good", "refused": "bad"}
_WORDS: Final = {"pending": "waits", "written": "written, not in the store yet", "refused": "refused"}


def print_outbox(store: str | None, *, as_json: bool) -> None:
    """Print what is in the outbox."""
    with store_told():
        entries = peek_outbox(place_of(store))
    if as_json:
        out_json({"entries": [_entry_json(entry) for entry in entries]})
        return
    page = Page(width(), styled=is_terminal())
    for entry in entries:
        letter = entry.letter
        state = (_WORDS[entry.state], _STYLES[entry.state])
        page.line([(f"{entry.number}", "name"), f"  {letter.operation}, prepared {entry.prepared}: ", state])
        page.line(one_line(letter.uri), indent=4)
        if entry.words:
            page.line(one_line(entry.words), indent=4)
    out(page.text())
    if not entries:
        say("radial: the outbox is empty")


def send(store: str | None, *, as_json: bool) -> None:
    """Send what waits, for everybody who is logged in."""
    path = place_of(store)
    with store_told():
        waiting = dict.fromkeys(entry.letter.did for entry in peek_outbox(path) if entry.state != "refused")
    delivered: dict[str, Delivered] = {}
    worst = 0
    for did in waiting:
        try:
            delivered[did] = _sent(did, path)
        except StoreError as error:
            raise Failure(one_line(str(error)), error.advice) from error
        except RadialIoError as error:
            worst = max(worst, status_of(error))
            say(f"radial: {did}: {one_line(error.explained())}")
    _tell(delivered, as_json=as_json)
    if not waiting and not as_json:
        say("radial: nothing was waiting to be sent")
    refused = any(one.refused for one in delivered.values())
    if worst or refused:
        raise Silent(worst if worst == TRY_AGAIN else FAILURE)


def _sent(did: str, store: Path) -> Delivered:
    async def work() -> Delivered:
        async with open_session(accounts(), accounts().find(did)) as session:
            return await send_pending(session=session, store=store)

    return run(work)


def _tell(delivered: dict[str, Delivered], *, as_json: bool) -> None:
    written = [one for each in delivered.values() for one in each.written]
    refused = [one for each in delivered.values() for one in each.refused]
    for no in refused:
        say(f"radial: {one_line(no.uri)} was refused and stays in the outbox: {one_line(no.words)}")
    if as_json:
        out_json(
            {
                "written": [{"uri": one.uri, "cid": one.cid, "rev": one.rev, "how": one.how} for one in written],
                "refused": [{"uri": no.uri, "reason": no.words} for no in refused],
            }
        )
        return
    out("".join(f"{one.how}: {one_line(one.uri)}\n" for one in written))


def drop(store: str | None, numbers: Sequence[int], *, every: bool, as_json: bool) -> None:
    """Take entries out of the outbox."""
    if every == bool(numbers):
        raise Failure("name the entries to drop, or say --all", "`radial outbox list` lists their numbers.", USAGE)
    path = place_of(store)
    with store_told():
        found = [entry for entry in peek_outbox(path) if every or entry.number in numbers]
        missing = sorted(set(numbers) - {entry.number for entry in found})
        if missing:
            raise Failure(f"there is no entry {missing[0]}", "`radial outbox list` lists them.", NOT_FOUND)
        if found:
            with open_outbox(path) as outbox:
                outbox.drop(found)
    if as_json:
        out_json({"entries": [_entry_json(entry) for entry in found]})
        return
    out(f"{counted(len(found), 'entry', 'entries')} dropped\n")
    for entry in found:
        if entry.state == "pending":
            say(f"radial: {one_line(entry.letter.uri)} may have been written all the same: `radial sync` tells")


def _entry_json(entry: Entry) -> dict[str, Any]:
    letter = entry.letter
    return {
        "number": entry.number,
        "act": letter.act,
        "uri": letter.uri,
        "operation": letter.operation,
        "cid": letter.cid,
        "replaces": letter.replaces,
        "state": entry.state,
        "preparedAt": entry.prepared,
        "endedAt": entry.ended,
        "reason": entry.words,
    }
