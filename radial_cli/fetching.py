"""`radial fetch`: from the members' servers into a file of observations.

Strategy: the file is a log that only grows. What it holds stays, byte for byte, above all the first sighting of each
version, from which leases are counted (C4). A record is added when it is news: never seen, in another version than
last, or back after a deletion. A record that is gone from a repo which was read in full, in one known revision, is
added as a deletion (O2); from any other reading, and of collections that are not read, nothing is concluded. The new
file replaces the old one when all is read; unless the old one was changed by somebody else meanwhile, whose lines would
be lost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import anyio
import attrs

from radial_cli.exits import FAILURE, TRY_AGAIN, USAGE, Failure, Silent
from radial_cli.files import replacing, target
from radial_cli.inputs import BadLine, observations
from radial_cli.output import out_json, say
from radial_cli.outside import status_of
from radial_cli.pictures.words import counted
from radial_cli.untrusted import one_line
from radial_core import Deletion, Record, to_line
from radial_core.identifiers import record_parts
from radial_core.records import COLLECTIONS
from radial_io.atproto.identity import open_servers
from radial_io.errors import RadialIoError
from radial_io.ingest.follow import Progress, RepoFailed, RepoRead, Summary, fetch_space
from radial_io.ingest.pages import SetAside

if TYPE_CHECKING:
    from radial_core.observations import Observation
    from radial_io.ingest.follow import Event


class Log:
    """What was last seen at each URI: a CID, or nothing after a deletion."""

    def __init__(self, held: Iterable[Observation] = ()) -> None:
        self.last = {seen.uri: seen.cid if isinstance(seen, Record) else None for seen in held}
        self._met: set[str] = set()

    def news(self, event: Event) -> Iterator[Event | Deletion]:
        """Pass on an event unless it is no news; before the end of a whole reading, the deletions that it shows."""
        if isinstance(event, Record):
            self._met.add(event.uri)
            if self.last.get(event.uri) == event.cid:
                return
            self.last[event.uri] = event.cid
        if isinstance(event, SetAside):
            self._met.add(event.uri)
        if isinstance(event, RepoRead) and event.rev is not None and not event.faults:
            yield from self._gone(event.did, event.rev)
        yield event

    def _gone(self, did: str, rev: str) -> Iterator[Deletion]:
        held = [uri for uri, cid in self.last.items() if cid is not None and _is_read_of(did, uri)]
        for uri in held:
            if uri not in self._met:
                self.last[uri] = None
                yield Deletion(uri=uri, rev=rev, seen_at=_now())


def _is_read_of(did: str, uri: str) -> bool:
    """Tell whether a whole reading of this repo would have come upon the URI."""
    parts = record_parts(uri)
    return parts is not None and parts[0] == did and parts[1] in COLLECTIONS


@attrs.define
class _Tally:
    """What one run did."""

    added: int = 0
    deletions: int = 0
    summary: Summary = attrs.field(factory=Summary)


def fetch_to_file(space: str, output: str, *, pds: str | None, plc: str | None, as_json: bool) -> None:
    """Read a space into a file. Raises `Failure`, or `Silent` when what was read is not the whole."""
    if pds is not None and plc is not None:
        raise Failure("--pds and --plc exclude each other", "With --pds no directory is asked.", USAGE)
    if output == "-":
        raise Failure("fetch does not write to standard output", "Name a file: the next run builds upon it.", USAGE)
    path = target(output)
    stamp = _stamp(path)
    log = Log(_held(path, output))
    ticker = Ticker()
    tally = _Tally()
    try:
        with replacing(path) as stream:
            _copy(path, stream)

            def tell(event: Event) -> None:
                for news in log.news(event):
                    ticker.clear()
                    _take(news, stream, tally)

            anyio.run(partial(_fetch, space, pds, plc, tell, ticker.tick))
            _check_unchanged(path, stamp)
    except RadialIoError as error:
        raise Failure(one_line(str(error)), error.advice, status_of(error)) from error
    finally:
        ticker.clear()
    _conclude(space, output, tally, len(log.last), as_json=as_json)


async def _fetch(
    space: str, pds: str | None, plc: str | None, tell: Callable[[Event], None], tick: Callable[[Progress], None]
) -> None:
    async with open_servers(pds=pds, plc=plc) as (client, resolver):
        await fetch_space(space, resolver=resolver, client=client, clock=_now, tell=tell, on_progress=tick)


def _held(path: Path, name: str) -> list[Observation]:
    """Read what the file holds already. Raises `Failure` when it is no log of ours."""
    if not path.exists():
        return []
    bad: list[BadLine] = []
    held = [*observations([name], bad.append)]
    for line in bad:
        for fault in line.faults:
            say(f"{line.spot}: {one_line(fault)}")
    if bad or any(spot.unit != "line" for spot, _ in held):
        raise Failure(f"{one_line(name)} is there and is no file of observations", "It was left alone: name another.")
    return [seen for _, seen in held]


def _stamp(path: Path) -> tuple[int, ...] | None:
    """Say in what state a file is; None when there is none."""
    try:
        state = path.stat()
    except FileNotFoundError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


def _check_unchanged(path: Path, stamp: tuple[int, ...] | None) -> None:
    if _stamp(path) != stamp:
        raise Failure(
            f"{one_line(str(path))} was changed by somebody else while this was reading",
            "It was left as it is now, and nothing was added: run the same command again.",
            TRY_AGAIN,
        )


def _copy(path: Path, stream: IO[bytes]) -> None:
    if not path.exists():
        return
    last = b"\n"
    with path.open("rb") as old:
        while piece := old.read(1 << 20):
            stream.write(piece)
            last = piece[-1:]
    if last != b"\n":
        stream.write(b"\n")


def _take(event: Event | Deletion, stream: IO[bytes], tally: _Tally) -> None:
    match event:
        case Record() | Deletion():
            stream.write(to_line(event).encode() + b"\n")
            tally.added += 1
            tally.deletions += isinstance(event, Deletion)
        case SetAside():
            say(f"{one_line(event.uri)}: set aside: {one_line(event.reason)}")
        case RepoRead():
            say(f"{event.did} at {one_line(event.pds)}: {counted(event.records, 'record')}")
            _say_each(event.did, (*event.faults, *event.notes))
        case RepoFailed():
            _say_each(event.did, (event.error.explained(),))
        case Summary():
            tally.summary = event


def _say_each(did: str, texts: Sequence[str]) -> None:
    for text in texts:
        say(f"  {did}: {one_line(text)}")


def _conclude(space: str, output: str, tally: _Tally, uris: int, *, as_json: bool) -> None:
    summary = tally.summary
    if as_json:
        out_json(_json(space, output, tally, uris))
    deletions = f" ({counted(tally.deletions, 'deletion')})" if tally.deletions else ""
    added = counted(tally.added, "new observation")
    say(f"radial: {one_line(output)}: {added}{deletions}; {counted(uris, 'record')} in all")
    if summary.failed or summary.faults:
        say("radial: this is not the whole space: run the same command again later, it goes on from this file")
        raise Silent(TRY_AGAIN)
    if summary.set_aside:
        say(f"radial: {counted(summary.set_aside, 'record')} cannot be taken and stayed out")
        raise Silent(FAILURE)


def _json(space: str, output: str, tally: _Tally, uris: int) -> dict[str, Any]:
    summary = tally.summary
    return {
        "space": space,
        "file": output,
        "whole": summary.is_whole,
        "added": tally.added,
        "deletions": tally.deletions,
        "held": uris,
        "repos": summary.repos,
        "failed": summary.failed,
        "records": summary.records,
        "setAside": summary.set_aside,
        "faults": summary.faults,
    }


class Ticker:
    """One line on a terminal that tells what is being read; nothing anywhere else."""

    def __init__(self) -> None:
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._shown = False

    def tick(self, progress: Progress) -> None:
        """Show progress in place of what was shown."""
        if self._shows:
            what = (progress.collection or "").rpartition(".")[2]
            sys.stderr.write(f"\r\x1b[2Kreading {progress.did}: {counted(progress.answers, 'answer')} {what}")
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Take the line away, so that another can be written."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._shown = False


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
