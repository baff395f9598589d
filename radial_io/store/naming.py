"""Numbers for what is named again and again: the collections of repos, and sources.

Strategy: a number is given at the first mention and never changes; each is looked up once. A transaction that is undone
takes its numbers along, so `forget` them then.
"""

from __future__ import annotations

import sqlite3
from typing import Final

from radial_io.store.values import Source

_PLACE: Final = "SELECT place FROM places WHERE did = ? AND collection = ?"
_NEW_PLACE: Final = "INSERT INTO places (did, collection) VALUES (?, ?)"
_SOURCE: Final = "SELECT source FROM sources WHERE adapter = ? AND host = ? AND subject = ?"
_NEW_SOURCE: Final = "INSERT INTO sources (adapter, host, subject) VALUES (?, ?, ?)"
_MOST_KEPT: Final = 100_000


class Names:
    """The numbers that one connection has met. Asking for one may write it down."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._places: dict[tuple[str, str], int] = {}
        self._sources: dict[Source, int] = {}

    def forget(self) -> None:
        """Look everything up again."""
        self._places.clear()
        self._sources.clear()

    def place(self, did: str, collection: str) -> int:
        """Give the number of a collection in a repo."""
        known = self._places.get((did, collection))
        if known is not None:
            return known
        if len(self._places) >= _MOST_KEPT:
            self._places.clear()
        number = self._number(_PLACE, _NEW_PLACE, (did, collection))
        self._places[did, collection] = number
        return number

    def source(self, source: Source) -> int:
        """Give the number of a source."""
        known = self._sources.get(source)
        if known is not None:
            return known
        if len(self._sources) >= _MOST_KEPT:
            self._sources.clear()
        number = self._number(_SOURCE, _NEW_SOURCE, (source.adapter, source.host, source.subject))
        self._sources[source] = number
        return number

    def _number(self, look_up: str, write: str, key: tuple[str, ...]) -> int:
        found = self._db.execute(look_up, key).fetchone()
        if found is not None:
            return int(found[0])
        number = self._db.execute(write, key).lastrowid
        if number is None:  # an insert that did not raise has made a row
            raise AssertionError(key)
        return number
