"""Whose is a record that stands in no view? In an input with several spaces, each picture lists its own.

Strategy: what a record refers to tells its space, as far as that counts; where nothing does, its author's repo does,
which belongs to every space that ever granted the author something. In an input with one space all is of that space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from radial_cli.names import author_of
from radial_cli.reading import Reading
from radial_core import Record
from radial_core.views import SpaceView


def of_space(space: SpaceView, uris: Iterable[str], reading: Reading) -> frozenset[str]:
    """Choose the records that are a space's own, as far as can be known."""
    if len(reading.index.spaces) == 1:
        return frozenset(uris)
    homes = _homes(reading.index.spaces)
    wanted = frozenset(uris)
    people = {space.root, *(grant.did for grant in space.grants)}
    told: dict[str, str] = {}
    for uri, named in _named(wanted, reading):
        place = reading.index.place_of(named) or named
        if place in homes:
            told.setdefault(uri, homes[place])
    return frozenset(uri for uri in wanted if (told[uri] == space.uri if uri in told else author_of(uri) in people))


def _homes(spaces: Iterable[SpaceView]) -> dict[str, str]:
    """Give the space of every space, project and goal."""
    return {
        place: space.uri
        for space in spaces
        for place in (space.uri, *(each.uri for each in space.projects), *(each.uri for each in space.goals))
    }


def _named(wanted: frozenset[str], reading: Reading) -> Iterator[tuple[str, str]]:
    """Pair each record with itself, for one that counts, and with what its versions refer to."""
    yield from ((uri, uri) for uri in wanted)
    for seen in reading.observed:
        if seen.uri in wanted and isinstance(seen, Record):
            yield from ((seen.uri, target) for target in _targets(seen.value))


def _targets(value: Any) -> Iterator[str]:
    fields = value.values() if isinstance(value, dict) else ()
    for item in fields:
        if isinstance(item, dict) and isinstance(item.get("uri"), str):
            yield item["uri"]
