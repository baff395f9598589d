"""One repo's records, read with `listRecords`.

Strategy: a flow that yields questions and is sent the answers (or thrown the error); it opens no socket and reads no
clock, so every odd server is a few lines of test. Which server is asked is for whoever puts the questions.

- Pages ascend (`reverse=true`): what is written meanwhile lands at the end, not behind us.
- A collection ends with no cursor, an empty page, or the cursor just used; servers differ. A cursor seen before, or a
  limit reached, ends it too, but is reported.
- A page that cannot be read is asked for again record by record, so that one hostile record is set aside by name and
  its neighbours are kept.
- A listing is no snapshot and has no revision of its own. The repo's latest commit is asked for before and after:
  equal, and every record was seen in that revision (O1's `rev`); else the listing is done again, and at last kept
  without a revision, which is said.
- What membership rests on is listed first: when a server breaks off, that is what the others are found by.
- A server that is gone, busy or broken all over is asked no more about this repo.
- What was read before a failure is kept, and the failure is said: an observation stays one.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias, TypeVar

import attrs

from radial_core.identifiers import is_tid, record_parts
from radial_core.observations import Record
from radial_core.records import COLLECTIONS, PREFIX
from radial_io.atproto.retries import RETRIED
from radial_io.atproto.xrpc import Get
from radial_io.errors import LimitError, RateLimitError, RefusedError, RequestError, UnreachableError, UnreadableError
from radial_io.ingest.limits import Limits
from radial_io.ingest.pages import Held, Page, SetAside, read_item, read_page, skim

T = TypeVar("T")
Questions: TypeAlias = Generator[Get, bytes, T]

LIST_RECORDS: Final = "com.atproto.repo.listRecords"
LATEST_COMMIT: Final = "com.atproto.sync.getLatestCommit"
TRUST: Final = tuple(f"{PREFIX}{kind}" for kind in ("space", "addMember", "removeMember"))  # T1–T4 read no others
PAGE: Final = 100  # the most that a server gives at once
_BUG: Final = 500
_REPO_ERRORS: Final = frozenset({"RepoNotFound", "RepoTakendown", "RepoSuspended", "RepoDeactivated"})


@attrs.frozen(kw_only=True)
class Listing:
    """What one repo was seen to hold.

    `rev` is the revision in which all of it was seen, None when there was none such. `unchanged` are the URIs of what
    was known before. `set_aside` names what was listed
    and cannot be taken; `faults` says what could not be read, and `error` is the first failed request behind them;
    `notes` says what a reader should know.
    """

    did: str
    rev: str | None
    held: tuple[Held, ...]
    unchanged: tuple[str, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: RequestError | None = None

    def observations(self, seen_at: str | None) -> Iterator[Record]:
        """Give the records as observations made at `seen_at`, the observer's own clock (O1)."""
        for held in self.held:
            yield Record(uri=held.uri, cid=held.cid, value=held.value, rev=self.rev, seen_at=seen_at)


def list_repo(
    did: str,
    collections: Iterable[str] = COLLECTIONS,
    limits: Limits | None = None,
    known: Mapping[str, str] | None = None,
) -> Questions[Listing]:
    """List a repo's records in these collections. Raises `RequestError` when nothing of the repo can be read.

    Of versions that are `known` (CID by URI) the value is not looked at again.
    """
    limits = limits or Limits()
    known = {} if known is None else known
    wanted = sorted(collections, key=_turn)
    before = yield from _latest_rev(did)
    for _ in range(limits.relistings):
        reading = yield from _read_once(did, wanted, limits, known)
        after = yield from _rev_after(reading, before)
        if after is None or after == before:
            return reading.listing(after)
        before = after
    reading = yield from _read_once(did, wanted, limits, known)
    after = yield from _rev_after(reading, before)
    return reading.listing(after) if after == before else reading.listing(None, _CHANGING)


def _turn(collection: str) -> tuple[int, str]:
    return TRUST.index(collection) if collection in TRUST else len(TRUST), collection


_CHANGING: Final = "the repo kept changing while it was read: its records carry no revision"
_UNTOLD: Final = "the server tells no revision of the repo: its records carry none"


def _latest_rev(did: str) -> Questions[str | None]:
    """Ask for the repo's revision; None when the server does not tell. Raises when it cannot serve this repo."""
    try:
        body = yield Get(LATEST_COMMIT, (("did", did),))
    except RefusedError as error:
        if error.name in _REPO_ERRORS or isinstance(error, RateLimitError):
            raise
        return None
    try:
        rev = json.loads(body)["rev"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return rev if isinstance(rev, str) and is_tid(rev) else None


def _rev_after(reading: _Reading, before: str | None) -> Questions[str | None]:
    """Ask for the revision again where that can tell something."""
    if before is None or reading.cut_short:
        return None
    try:
        return (yield from _latest_rev(reading.did))
    except RequestError as error:
        reading.fail("its revision", error)
        return None


@attrs.define
class _Reading:
    """What one pass over a repo has gathered so far."""

    did: str
    known: Mapping[str, str]
    held: dict[str, Held] = attrs.field(factory=dict)
    unchanged: set[str] = attrs.field(factory=set)
    set_aside: dict[str, SetAside] = attrs.field(factory=dict)
    faults: list[str] = attrs.field(factory=list)
    pages: int = 0
    cut_short: bool = False
    error: RequestError | None = None

    def take(self, page: Page, prefix: str) -> None:
        self.pages += 1
        for item in page.items:
            if (uri := self._known(item)) is not None:
                self.unchanged.add(uri)
                continue
            judged = item if isinstance(item, SetAside) else read_item(item, prefix)
            if isinstance(judged, Held):
                self.held[judged.uri] = judged
            else:
                self.set_aside[judged.uri] = judged

    def _known(self, item: Any) -> str | None:
        """Give the URI of an item that is as it was."""
        fields = {"uri": item.uri, "cid": item.cid} if isinstance(item, SetAside) else item
        if not isinstance(fields, dict):
            return None
        uri, cid = fields.get("uri"), fields.get("cid")
        return uri if isinstance(uri, str) and isinstance(cid, str) and self.known.get(uri) == cid else None

    @property
    def records(self) -> int:
        return len(self.held) + len(self.unchanged) + len(self.set_aside)

    def fail(self, what: str, error: RequestError) -> None:
        self.faults.append(f"{what}: {error.explained()}")
        self.error = self.error or error

    def listing(self, rev: str | None, note: str = _UNTOLD) -> Listing:
        return Listing(
            did=self.did,
            rev=rev,
            held=tuple(self.held.values()),
            unchanged=tuple(self.unchanged),
            set_aside=tuple(self.set_aside.values()),
            faults=tuple(self.faults),
            notes=(note,) if rev is None and not self.cut_short else (),
            error=self.error,
        )


def _read_once(did: str, collections: Iterable[str], limits: Limits, known: Mapping[str, str]) -> Questions[_Reading]:
    """Read every collection once. One that cannot be read is a fault; a server that is no use now ends the pass."""
    reading = _Reading(did, known)
    for collection in collections:
        try:
            yield from _read_collection(reading, collection, limits)
        except RequestError as error:
            if not reading.pages and not isinstance(error, UnreadableError):
                raise  # a server that fails from the start tells nothing of this repo
            if _ends_all(error, reading.error):
                reading.fail(f"{collection} and what follows it", error)
                reading.cut_short = True
                break
            reading.fail(collection, error)
    return reading


def _ends_all(error: RequestError, earlier: RequestError | None) -> bool:
    """Tell whether the next question would fare no better. One 500 may be of one collection; a second hardly is."""
    if isinstance(error, UnreachableError | RateLimitError | LimitError):
        return True
    return isinstance(error, RefusedError) and error.status in RETRIED and (error.status != _BUG or earlier is not None)


def _read_collection(reading: _Reading, collection: str, limits: Limits) -> Questions[None]:
    prefix = f"at://{reading.did}/{collection}/"
    cursor: str | None = None
    used: set[str | None] = set()
    one_by_one = 0  # how many records to ask for singly before trying whole pages again
    for _ in range(limits.pages):
        try:
            body = yield _question(reading.did, collection, 1 if one_by_one else PAGE, cursor)
            page = read_page(LIST_RECORDS, body)
        except UnreadableError as error:
            if not one_by_one:
                one_by_one = PAGE
                continue
            page = _stepped_over(error, prefix)
        one_by_one = max(0, one_by_one - 1)
        reading.take(page, prefix)
        if page.cursor is None or not page.items or page.cursor == cursor:
            return
        used.add(cursor)
        if page.cursor in used:
            reading.faults.append(f"{collection}: the listing goes in a circle; it was left there")
            return
        if reading.records >= limits.records:
            reading.faults.append(f"{collection}: the limit of {limits.records} records was reached")
            return
        cursor = page.cursor
    reading.faults.append(f"{collection}: the limit of {limits.pages} pages was reached")


def _question(did: str, collection: str, limit: int, cursor: str | None) -> Get:
    start = () if cursor is None else (("cursor", cursor),)
    parameters = (("repo", did), ("collection", collection), ("limit", str(limit)), ("reverse", "true"))
    return Get(LIST_RECORDS, parameters + start)


def _stepped_over(error: UnreadableError, prefix: str) -> Page:
    """Name the one record of an unreadable answer and go on behind it. Raises the error when it has no name."""
    seen = skim(error.body)
    if seen.uri is None or not seen.uri.startswith(prefix) or record_parts(seen.uri) is None:
        raise error
    # The cursor is the last record key in every server we know; it is used where the answer breaks off before its own.
    return Page((SetAside(seen.uri, seen.cid, str(error)),), seen.cursor or seen.uri.removeprefix(prefix))
