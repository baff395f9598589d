"""Five bounded questions about an index, each answered with what the answer rests on.

Strategy: a `Reader` holds an index and the web of its references, made once; each question is a function from a subject
to items, and what all answers state is put around them in one place. Everything is found before anything is cut off, so
that `total` is the truth whatever the limit. The same index gives the same answer, in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.query.answers import SURFACE, UNKNOWN, Answer, Coverage, Freshness, Item, Link, Question, Subject
from radial_core.query.deciding import decided
from radial_core.query.notes import note
from radial_core.query.search import search
from radial_core.query.standing import state_of
from radial_core.query.walk import steps_from
from radial_core.query.web import Web

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding
    from radial_core.query.notes import Note
    from radial_core.rules.provenance import Edge


class Reader:
    """Answers questions about one index. Making one costs nothing; what a question needs is made when it is asked."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.web = Web(index)

    def ask(self, question: Question, freshness: Freshness = UNKNOWN) -> Answer:
        """Answer a question. `freshness` is what the keeper of the observations knows of their age."""
        if question.ask == "search":
            return self._search(question, freshness)
        entry = self.index.entry(question.about)
        items = () if entry is None else _QUESTIONS[question.ask](self, entry)
        return self._answer(question, freshness, items, self._coverage(self._around(question.about)))

    def note(self, uri: str) -> Note | None:
        """Note a record, if it counts."""
        entry = self.index.entry(uri)
        return None if entry is None else note(entry, self.index.place_of(uri))

    # What every answer states

    def _answer(self, question: Question, freshness: Freshness, items: Sequence[Item], coverage: Coverage) -> Answer:
        subject = None if question.ask == "search" else self._subject(question.about)
        end = question.skip + question.limit
        return Answer(
            surface=SURFACE,
            question=question,
            resolved=None if subject is None else subject.note is not None,
            subject=subject,
            items=tuple(items[question.skip : end]),
            total=len(items),
            truncated=len(items) > end,
            coverage=coverage,
            freshness=freshness,
        )

    def _subject(self, uri: str) -> Subject:
        found, entry = self.index.explain(uri), self.index.entry(uri)
        return Subject(
            uri=uri,
            verdict=found.verdict,
            rule=found.rule,
            sentences=found.sentences,
            note=self.note(uri),
            state=() if entry is None else state_of(self.index, entry),
        )

    def _around(self, uri: str) -> Sequence[Holding]:
        """Give the space in which a record counts, for its references lead nowhere else (L4); else all there are."""
        holding = self.index.filing.holding_of(uri)
        return self._all() if holding is None else (holding,)

    def _all(self) -> Sequence[Holding]:
        return [holding for _, holding in sorted(self.index.filing.holdings.items())]

    def _coverage(self, holdings: Iterable[Holding]) -> Coverage:
        looked_at = [*holdings]
        return Coverage(
            digest=self.index.digest,
            spaces=tuple(holding.space.uri for holding in looked_at),
            records=sum(map(_count, looked_at)),
            ignored=len(self.index.ignored),
        )

    # The questions

    def _search(self, question: Question, freshness: Freshness) -> Answer:
        holdings = [each for each in self._all() if question.space in (None, each.space.uri)]
        found = search(self.index, question.about, holdings, superseded=question.superseded)
        coverage = Coverage(
            digest=self.index.digest,
            spaces=tuple(holding.space.uri for holding in holdings),
            records=found.looked_at,
            ignored=len(self.index.ignored),
            superseded=found.superseded,
        )
        return self._answer(question, freshness, found.items, coverage)

    def about(self, entry: Entry[Any]) -> Sequence[Item]:
        """List what was decided about a record, and how its checks went last."""
        return [self._item(uri) for uri in decided(self.index, self.web, entry)]

    def dependents(self, entry: Entry[Any]) -> Sequence[Item]:
        """List the records that refer to a record."""
        return self._linked((edge.source, edge) for edge in self.web.into(entry.uri))

    def dependencies(self, entry: Entry[Any]) -> Sequence[Item]:
        """List the records that a record refers to; also in vain."""
        return self._linked((edge.target.uri, edge) for edge in self.web.out_of(entry.uri))

    def impact(self, entry: Entry[Any]) -> Sequence[Item]:
        """List everything that rests on a record, through any number of references; what is near comes first."""
        steps = steps_from(entry.uri, lambda uri: (edge.source for edge in self.web.into(uri)))
        entries = self.index.filing.entries
        return [
            self._item(uri, steps=number)
            for uri, number in sorted(steps.items(), key=lambda found: (found[1], entries[found[0]].order))
        ]

    def _linked(self, pairs: Iterable[tuple[str, Edge]]) -> list[Item]:
        links: dict[str, list[Edge]] = {}
        for uri, edge in pairs:
            links.setdefault(uri, []).append(edge)
        return [self._neighbour(uri, edges) for uri, edges in links.items()]

    def _neighbour(self, uri: str, edges: Iterable[Edge]) -> Item:
        links = tuple(Link(edge.kind, edge.target.cid, edge.target.pin) for edge in edges)
        return self._item(uri, steps=1, links=links, resolved=any(link.pin is not None for link in links))

    def _item(self, uri: str, *, resolved: bool = True, steps: int | None = None, links: tuple[Link, ...] = ()) -> Item:
        return Item(uri=uri, resolved=resolved, note=self.note(uri) if resolved else None, steps=steps, links=links)


def _count(space: Holding) -> int:
    return sum(len(entries) for shelf in space.shelves() for entries in shelf.records.values())


_QUESTIONS: Final[Mapping[str, Callable[[Reader, Entry[Any]], Sequence[Item]]]] = {
    "subject": Reader.about,
    "dependents": Reader.dependents,
    "dependencies": Reader.dependencies,
    "impact": Reader.impact,
}


def query(index: Index, question: Question, freshness: Freshness = UNKNOWN) -> Answer:
    """Answer one question about an index; for several, keep a `Reader`."""
    return Reader(index).ask(question, freshness)
