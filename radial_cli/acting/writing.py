"""Handing an act over to the writer: files first, then the records."""

from __future__ import annotations

from collections.abc import Sequence

from radial_cli.accounts.place import accounts
from radial_cli.acting.attaching import blob_value
from radial_cli.acting.manner import Manner
from radial_cli.acting.prepared import Prepared, Upload
from radial_cli.exits import Failure
from radial_cli.output import say
from radial_cli.outside import told
from radial_cli.running import run
from radial_cli.storing.place import place_of, told as store_told
from radial_cli.untrusted import one_line
from radial_io.accounts.session import Session, open_session
from radial_io.writing.blobs import upload_blob
from radial_io.writing.executing import execute
from radial_io.writing.intents import Removal
from radial_io.writing.written import Refused, Written


def write(ready: Prepared, uploads: Sequence[Upload], manner: Manner) -> tuple[Written, ...]:
    """Write it. Raises `Failure`, which says whether something was written."""
    with store_told(), told():
        return run(lambda: _write(ready, uploads, manner))


async def _write(ready: Prepared, uploads: Sequence[Upload], manner: Manner) -> tuple[Written, ...]:
    store = place_of(manner.store)
    async with open_session(accounts(), ready.view.account) as session:
        await _upload(uploads, session, manner)
        return await execute([*ready.act.drafts, *_removals(ready)], session=session, store=store, tell=_say_refused)


def _say_refused(refused: Refused) -> None:
    """Say that what an earlier act left is refused: whoever wrote it may have gone on in the belief that it stands."""
    say(
        f"radial: {one_line(refused.uri)}, which an earlier act left, was refused: {one_line(refused.words)}."
        " It stays in the outbox: `radial outbox list` shows it, `radial outbox drop NUMBER` takes it out."
    )


def _removals(ready: Prepared) -> list[Removal]:
    return [Removal(collection=each.collection, rkey=each.rkey, replaces=each.replaces) for each in ready.act.removals]


async def _upload(uploads: Sequence[Upload], session: Session, manner: Manner) -> None:
    for upload in uploads:
        blob = await upload_blob(upload.raw, upload.kind, session=session, store=place_of(manner.store))
        if blob != blob_value(upload):
            raise Failure("the server takes the file for another one", "Ask who runs it.")
