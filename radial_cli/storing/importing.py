"""`radial import`: observations from files into the store.

Strategy: a union of sets, so it can be repeated, cut short and taken up again, and every good line counts whatever
stands beside it: the bad ones are named, and the status tells that there were some. The lines of another observer come
without that observer's clock; one's own (`--own`) bring back when they were first stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final

import attrs

from radial_cli.exits import FAILURE, Silent
from radial_cli.inputs import BadLine, observations
from radial_cli.output import out_json, say
from radial_cli.pictures.words import counted
from radial_cli.storing.place import opened
from radial_cli.untrusted import one_line
from radial_io.store.exchange import item_of
from radial_io.store.store import Store
from radial_io.store.values import Batch, Gone, Seen, Source

_AT_ONCE: Final = 1_000  # observations in one transaction
_SOURCE: Final = Source("import", "file")


@attrs.define
class Result:
    """What became of the lines."""

    versions: int = 0
    deletions: int = 0
    known: int = 0
    malformed: int = 0
    elsewhere: int = 0

    def words(self) -> str:
        """Say it to a person."""
        return (
            f"{counted(self.versions, 'version')} and {counted(self.deletions, 'deletion')} new, "
            f"{counted(self.known, 'observation')} known"
        )


def import_files(files: Sequence[str], name: str | None, *, own: bool, as_json: bool) -> None:
    """Take what some files hold into the store. Raises `Silent` when lines were left out."""
    result = Result()
    with opened(name, write=True) as store:
        items = _items(files, result, own=own)
        while some := tuple(islice(items, _AT_ONCE)):
            _take(store, some, result)
    if as_json:
        out_json(attrs.asdict(result))
    else:
        say(f"radial: {result.words()}")
    if result.elsewhere:
        say(f"radial: {counted(result.elsewhere, 'line')} left out: no repo can hold a record at such a URI")
    if result.malformed:
        say(f"radial: {counted(result.malformed, 'line')} malformed and left out")
    if result.malformed or result.elsewhere:
        raise Silent(FAILURE)


def _items(files: Sequence[str], result: Result, *, own: bool) -> Iterator[Seen | Gone]:
    def name(line: BadLine) -> None:
        result.malformed += 1
        for fault in line.faults:
            say(f"{line.spot}: {one_line(fault)}")

    for spot, observation in observations(files, name):
        item = item_of(observation, own=own)
        if item is None:
            result.elsewhere += 1
            say(f"{spot}: {ascii(observation.uri)[:200]} is not the URI of a record in a repo")
        else:
            yield item


def _take(store: Store, items: Sequence[Seen | Gone], result: Result) -> None:
    seen = tuple(item for item in items if isinstance(item, Seen))
    gone = tuple(item for item in items if isinstance(item, Gone))
    taken = store.take(Batch(source=_SOURCE, seen=seen, gone=gone), datetime.now(UTC).isoformat())
    result.versions += taken.new
    result.deletions += taken.gone
    result.known += taken.known + len(gone) - taken.gone
