"""Plain search: the records in whose words all the words asked for occur.

Strategy: no index of words and no second store: every record that counts is looked through, which takes as long as
there are records and is never out of date. Letters compare without regard to case or compatibility form (NFKC). What
was superseded is left out unless asked for, and counted, so that an old decision does not come back as if it stood
(RK-18.1). Records whose title has the words come first, later ones before earlier.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core.query.answers import Item
from radial_core.query.notes import note
from radial_core.query.standing import place_view, superseded_in
from radial_core.records import BlessComment
from radial_core.views import GoalView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding, Shelf

# The fields of a record's value that hold words, those that name it first.
_NAMING: Final = ("title", "name", "handleName", "alt")
_TELLING: Final = ("type", "description", "body", "brief", "outputSpec", "disposition", "criteria", "findings")
_BEFORE: Final = 40
_EXCERPT: Final = 160


class Found(NamedTuple):
    """What a search found, in order, how many records it looked through, and how many it passed by."""

    items: Sequence[Item]
    looked_at: int
    superseded: int


def search(index: Index, words: str, holdings: Sequence[Holding], *, superseded: bool) -> Found:
    """Look for all of some words in the records of some spaces."""
    wanted = [*dict.fromkeys(folded(words).split())]
    hits: list[tuple[bool, Entry[Any], str]] = []
    looked_at = passed_by = 0
    for entry, is_superseded in _entries(index, holdings):
        looked_at += 1
        hit = _hit(entry, wanted)
        if hit is not None and is_superseded and not superseded:
            passed_by += 1
        elif hit is not None:
            hits.append((hit.in_title, entry, hit.excerpt))
    # Later before earlier: entries sort as lists of records do (P3).
    hits.sort(key=lambda found: (found[0], found[1]), reverse=True)
    places = index.filing.homes
    items = [Item(uri=e.uri, note=note(e, places.get(e.uri)), excerpt=excerpt) for _, e, excerpt in hits]
    return Found(items, looked_at, passed_by)


def folded(text: str) -> str:
    """Give a text as it is compared."""
    return unicodedata.normalize("NFKC", text).casefold()


def _entries(index: Index, holdings: Sequence[Holding]) -> Iterator[tuple[Entry[Any], bool]]:
    """Give every record that counts in some spaces, each once, and whether it is superseded."""
    for holding in holdings:
        for shelf in holding.shelves():
            gone = _gone(index, shelf)
            for entry in shelf.everything():
                yield entry, entry.uri in gone
    # T7: agents and images belong to every space of their author.
    agents = {agent.uri: agent for holding in holdings for agent in holding.agents}
    spaces = {holding.space.uri for holding in holdings}
    images = (image for image in index.filing.images.values() if index.filing.spaces_of(image.did) & spaces)
    yield from ((stray, False) for stray in (*agents.values(), *images))


def _gone(index: Index, shelf: Shelf) -> frozenset[str]:
    """Give what was superseded at a place: versions of artifacts, and blessings that were withdrawn (M2)."""
    place = place_view(index, shelf.entry.uri)
    if place is None:
        return frozenset()
    standing = {guest.bless for guest in place.guests} if isinstance(place, GoalView) else set[str]()
    return superseded_in(place) | {bless.uri for bless in shelf.all(BlessComment) if bless.uri not in standing}


class _Hit(NamedTuple):
    in_title: bool
    excerpt: str


def _hit(entry: Entry[Any], wanted: Sequence[str]) -> _Hit | None:
    naming, telling = [*_texts(entry.value, _NAMING)], [*_texts(entry.value, _TELLING)]
    title = folded("\n".join(naming))
    if all(word in title for word in wanted):
        return _Hit(in_title=True, excerpt=_excerpt(naming, wanted))
    whole = title + "\n" + folded("\n".join(telling))
    return (
        _Hit(in_title=False, excerpt=_excerpt((*naming, *telling), wanted))
        if all(word in whole for word in wanted)
        else None
    )


def _texts(value: Any, fields: Iterable[str]) -> Iterator[str]:
    """Give the words in some fields; of a field that no lexicon knows, whatever is no text is passed over."""
    for field in fields:
        held: Any = value.get(field)
        items: Iterable[Any] = held if held.__class__ is list else (held,)
        for item in items:
            text = item.get("body") if item.__class__ is dict else item
            if isinstance(text, str):
                yield text


def _excerpt(texts: Iterable[str], wanted: Sequence[str]) -> str:
    """Cut out the words around the first one asked for, in the first line that has one."""
    lines = (line for text in texts for line in text.splitlines())
    line, at = next(((line, at) for line in lines if (at := _first(folded(line), wanted)) is not None), ("", 0))
    start = max(0, at - _BEFORE)  # folding may change lengths: then the cut is off by as much
    end = start + _EXCERPT
    return ("…" if start else "") + line[start:end] + ("…" if line[end:] else "")


def _first(line: str, wanted: Sequence[str]) -> int | None:
    return min((at for word in wanted if (at := line.find(word)) >= 0), default=None)
