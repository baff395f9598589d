"""Who has to be judged again when something changes elsewhere (L5, T5, R2).

Strategy: a record that counts rests on records of its own place, except that it may name a request that stands in
another place or is not here yet. One that is refused rests on its anchors, on the request that it names, and on who is
a member of the space that its anchor leads to. These are what it watches; the table says so the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from radial_core.ladder import named_by
from radial_core.persistent import Draft, PersistentMap

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from radial_core.entries import Entry
    from radial_core.filing import Filing, Uris

KEY = TypeVar("KEY")

_FEW: Final = 16  # URIs that are copied, to change one of them, rather than kept in a map


class Watching:
    """Changes to the table of watchers while a filing is made; `before` is the last one."""

    def __init__(self, before: Filing) -> None:
        self.before = before
        self.changes: dict[Hashable, dict[str, bool | None]] = {}

    def watch(self, entry: Entry[Any], keys: set[Hashable]) -> None:
        """Let a record watch these, and no others; `None` among them is nothing."""
        for key in self.watched_before(entry) - keys:
            self.changes.setdefault(key, {})[entry.uri] = None
        for key in keys - {None}:
            self.changes.setdefault(key, {})[entry.uri] = True

    def watched_before(self, entry: Entry[Any]) -> set[Hashable]:
        """Give what a record watches as things were: nothing but what it could rest on needs to be looked at."""
        old = self.before.entries.get(entry.uri)
        if old is None:
            return set()
        named = {uri for uri in named_by(old) if uri is not None}
        strange = {(old.did, self.before.register.space_of(uri)) for uri in named}
        return {key for key in named | strange if entry.uri in self.before.watchers_of(key)}

    def done(self) -> PersistentMap[Hashable, Uris]:
        """Give the table as it is now."""
        return grown(self.before.watchers, self.changes)


def grown(tables: PersistentMap[KEY, Uris], changes: Mapping[KEY, dict[str, bool | None]]) -> PersistentMap[KEY, Uris]:
    """Change sets of URIs: each under its key, what came (`True`) and what went (`None`); an empty one is dropped."""
    draft = Draft(tables)
    for key, change in changes.items():
        uris = _changed(tables.get(key) or (), change)
        draft.put(key, uris if len(uris) else None)
    return draft.done()


def _changed(uris: Uris, change: dict[str, bool | None]) -> Uris:
    if len(uris) + len(change) <= _FEW:
        kept = [uri for uri in uris if uri not in change]
        return (*kept, *[uri for uri, comes in change.items() if comes])
    whole = PersistentMap(dict.fromkeys(uris, True)) if isinstance(uris, tuple) else uris
    return whole.updated(change)
