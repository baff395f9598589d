"""Seeing what goes by: batches on their way into the store, requests on their way into the world.

Strategy: nobody is asked to report. `Noticed` stands between the flows and the store and says when something was taken
that a fold may tell apart; `stepped` and `announced` stand between a flow and whoever carries it out. None of them
changes what passes, but for a word to the store where its silence would be taken for something else: a repo that was
looked at and found unchanged, and a stream that was opened and has nothing to tell, are fresh.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs

from radial_io.ingest.attending import StreamFlow, StreamRequest
from radial_io.ingest.choosing import Way
from radial_io.ingest.driving import Books
from radial_io.ingest.listing import TRUST
from radial_io.ingest.news import BrokeOff, Opened, Step
from radial_io.ingest.requests import Ask, Connect, Flow, NextChunk, Request, Take
from radial_io.ingest.visiting import Reading
from radial_io.store.values import Batch, Repo, Source, Standing, Taken

T = TypeVar("T")


@attrs.frozen
class Noticed:
    """A store that says when a batch brought something; `notice(True)` when membership may rest on it."""

    store: Books
    notice: Callable[[bool], None]

    def take(self, batch: Batch, now: str) -> Taken:
        """Keep a batch."""
        taken = self.store.take(batch, now)
        if batch.seen or batch.gone:
            collections = {one.collection for one in batch.seen} | {one.collection for one in batch.gone}
            self.notice(not collections.isdisjoint(TRUST))
        return taken

    def cursor(self, source: Source) -> str | None:
        """Give a cursor."""
        return self.store.cursor(source)

    def held(self, did: str) -> Mapping[tuple[str, str], tuple[str, str | None]]:
        """Give what a repo holds as last seen."""
        return self.store.held(did)

    def held_page(self, did: str, collection: str, after: str, size: int) -> tuple[Standing, ...]:
        """Give a page of what a repo holds of one collection."""
        return self.store.held_page(did, collection, after, size)

    def repo(self, did: str) -> Repo:
        """Tell what is known of a repo."""
        return self.store.repo(did)


def stepped(flow: Flow[Reading], did: str, tell: Callable[[Step], None], *, marks: bool) -> Flow[Reading]:
    """Carry a look through and tell how it goes on; with `marks`, say to the store when nothing had changed."""
    answers = size = records = 0

    def see(request: Request, answer: Any) -> None:
        nonlocal answers, size, records
        if isinstance(request, Ask | NextChunk) and answer is not None:
            answers, size = answers + 1, size + len(answer)
        elif isinstance(request, Take) and request.batch.seen:
            records += len(request.batch.seen)
        else:
            return
        tell(Step(did, answers, size, records))

    reading = yield from _through(flow, see)
    if marks and reading.how == "unchanged":
        yield Take(Batch(source=reading.source))
    return reading


def announced(
    flow: StreamFlow[None], way: Way, source: Source, tell: Callable[[Opened | BrokeOff], None]
) -> StreamFlow[None]:
    """Carry a stream through; tell, and say to the store, when it is opened, and tell when it breaks off."""
    answer: Any = None
    request = next(flow)
    try:
        while True:
            try:
                answer = yield request
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the flow's to answer
                request = flow.throw(error)
                continue
            if isinstance(request, Connect):
                yield Take(Batch(source=source))
                tell(Opened(way))
            for words in _breaks(request):
                tell(BrokeOff(way, words))
            request = flow.send(answer)
    except StopIteration:
        return
    finally:
        flow.close()


def _breaks(request: StreamRequest) -> list[str]:
    """Give the words with which a stream that ended is said to the store."""
    return [failure.words for failure in request.batch.failures if not failure.did] if isinstance(request, Take) else []


def _through(flow: Flow[T], see: Callable[[Request, Any], None]) -> Flow[T]:
    """Pass requests and answers, errors too; show each request with its answer."""
    try:
        request = next(flow)
        while True:
            try:
                answer = yield request
            except Exception as error:  # noqa: BLE001 - whatever it is, it is the flow's to answer
                request = flow.throw(error)
            else:
                see(request, answer)
                request = flow.send(answer)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        flow.close()
