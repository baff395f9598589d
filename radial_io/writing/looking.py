"""What stands in one's own repo: looked up before anything is repeated.

Strategy: the account's own server is asked, which answers for its own writes. The revision is told only where the repo
was in the same one before and after, for then the record was seen in it.
"""

from __future__ import annotations

import json
from typing import Any, Final

import attrs

from radial_io.accounts.session import Session
from radial_io.atproto.xrpc import Get
from radial_io.errors import NotJsonError, RefusedError, RequestError
from radial_io.store.outbox import Letter

GET_RECORD: Final = "com.atproto.repo.getRecord"
GET_COMMIT: Final = "com.atproto.sync.getLatestCommit"
_ABSENT: Final = "RecordNotFound"
_ABSENT_WORDS: Final = "Could not locate record"  # of servers that give the error no name of its own


@attrs.frozen
class Standing:
    """The version that stands at a place, None where nothing does; and the repo's revision, if it held still."""

    cid: str | None
    rev: str | None = None


async def standing(session: Session, letter: Letter) -> Standing:
    """Look what stands where a letter is for. Raises `RequestError`."""
    before = await _revision(session)
    place = (("repo", session.did), ("collection", letter.collection), ("rkey", letter.rkey))
    try:
        found = _read(await session.ask(Get(GET_RECORD, place)), session.pds)
    except RefusedError as error:
        if error.name != _ABSENT and _ABSENT_WORDS not in str(error):
            raise
        return Standing(None)
    cid = found.get("cid")
    if not isinstance(cid, str):
        raise NotJsonError(session.pds, "gives a record without a CID", b"")
    return Standing(cid, before if before == await _revision(session) else None)


async def _revision(session: Session) -> str | None:
    try:
        rev = _read(await session.ask(Get(GET_COMMIT, (("did", session.did),))), session.pds).get("rev")
    except RequestError:
        return None
    return rev if isinstance(rev, str) else None


def _read(body: bytes, server: str) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotJsonError(server, "answered with something that is not JSON", b"") from error
    return value if isinstance(value, dict) else {}
