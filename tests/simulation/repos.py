"""The shared world of a simulation: repos that everybody reads, clocks that tell what they like, and one true time.

Strategy: true time is a number of seconds that no daemon ever sees. A repo is what a PDS serves: the records that stand
in it now, each with its revision. Versions that were written over are gone for whoever reads it later, as in reality;
by some other way they may still come in, after what they were followed by.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, NamedTuple

from radial_core import Deletion, Record, parse_instant
from radial_core.canonical import cid_of
from radial_core.instants import Instant

PREFIX: Final = "com.disnetdev.radial."
ROOT: Final = "did:plc:root"
_START: Final = datetime(2026, 6, 1, tzinfo=UTC)
_TOLERATED: Final = 30  # seconds, by which a clock may be off without a word
_LETTERS: Final = "234567abcdefghijklmnopqrstuvwxyz"


def text_of(seconds: int) -> str:
    """Spell a moment, given in seconds since the start of the simulation."""
    return (_START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


_ORIGIN: Final = parse_instant(text_of(0))


def instant(seconds: int) -> Instant:
    return _ORIGIN.plus(seconds)


@cache
def revision(number: int) -> str:
    """Give the TID of a repo's so-many-th commit."""
    digits = ""
    for _ in range(11):
        number, digit = divmod(number, len(_LETTERS))
        digits = _LETTERS[digit] + digits
    return "3k" + digits


class Standing(NamedTuple):
    """A record as a repo has it: its revision, and the true time at which that version was committed."""

    cid: str
    value: dict[str, Any]
    rev: str
    at: int


class Repo:
    """The repo of one DID. `log` has every commit: (true time, URI, value or nothing)."""

    def __init__(self, did: str) -> None:
        self.did = did
        self.records: dict[str, Standing] = {}
        self.log: list[tuple[int, str, dict[str, Any] | None]] = []
        self.deleted: set[str] = set()

    @property
    def rev(self) -> str:
        return revision(len(self.log))

    def put(self, at: int, uri: str, value: dict[str, Any]) -> Standing:
        self.log.append((at, uri, value))
        self.records[uri] = standing = Standing(cid_of(value), value, self.rev, at)
        return standing

    def delete(self, at: int, uri: str) -> None:
        if self.records.pop(uri, None) is not None:
            self.log.append((at, uri, None))
            self.deleted.add(uri)

    def snapshot(self) -> tuple[str, dict[str, Standing]]:
        return self.rev, dict(self.records)

    def commit(self, number: int, seen_at: str) -> Record | Deletion:
        """Observe the so-many-th commit, counted from 0, as somebody does who is told of it late, or again."""
        at, uri, value = self.log[number]
        rev = revision(number + 1)
        if value is None:
            return Deletion(uri=uri, rev=rev, seen_at=seen_at)
        return observed(uri, Standing(cid_of(value), value, rev, at), seen_at)


class Clock:
    """A daemon's own clock: true time and an offset, which jumps."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.jumped_at = 0
        self.was_off = abs(offset) > _TOLERATED

    def jump(self, at: int, offset: int) -> None:
        self.offset, self.jumped_at = offset, at
        self.was_off = self.was_off or abs(offset) > _TOLERATED

    def seconds(self, at: int) -> int:
        return at + self.offset

    def text(self, at: int) -> str:
        return text_of(at + self.offset)

    def now(self, at: int) -> Instant:
        return instant(at + self.offset)


def uri_of(did: str, kind: str, key: str) -> str:
    return f"at://{did}/{PREFIX}{kind}/{key}"


def ref(uri: str, cid: str) -> dict[str, str]:
    return {"uri": uri, "cid": cid}


def observed(uri: str, standing: Standing, seen_at: str) -> Record:
    return Record(uri=uri, cid=standing.cid, value=standing.value, rev=standing.rev, seen_at=seen_at)
