"""A request: who asked whom for what, who works on it, what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from radial_cli.pictures.words import counted, request_state
from radial_cli.pictures.work import draw_request_body
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_core import live
from radial_core.views import QuestionView, RequestView


def draw_request(page: Page, request: RequestView, reading: Reading) -> None:
    """Draw one request in full."""
    word, style = request_state(request)
    page.line([(f"Request: {request.type}", "title"), "  ", (word, style)])
    page.line((request.uri, "quiet"))
    draw_request_body(page, request, reading, indent=0)
    if request.claims:
        page.heading("Claims", "(in rank order)")
        page.columns(_claims(request, reading), indent=2)
    if request.questions:
        page.heading("Questions", f"({len(request.questions)})")
        page.columns((_question(question, reading) for question in request.questions), indent=2)


def _claims(request: RequestView, reading: Reading) -> Iterator[list[Parts]]:
    """C4: a lease is a duration, counted from when this observer first saw it."""
    sightings = reading.index.sightings(request.uri)
    for lease in reading.index.leases(request.uri):
        seen_at = sightings[lease.uri, lease.cid]
        minutes = counted(ceil(lease.expires_at.since(lease.renewed_at) / 60), "minute")
        state: Part = ("live", "good") if live(lease, seen_at, reading.now) else ("lapsed", "quiet")
        unseen = "" if seen_at is not None else " (nobody noted when it was seen, so it counts as seen now)"
        yield [
            (reading.names.author(lease.uri), "name"),
            f"for {minutes}",
            state,
            [(reading.names.record(lease.uri), "quiet"), unseen],
        ]


def _question(question: QuestionView, reading: Reading) -> list[Parts]:
    names = reading.names
    answer: Parts = ("without an answer", "wait")
    if question.answered_by is not None:
        answer = f"answered by {names.author(question.answered_by)} in {names.record(question.answered_by)}"
    return [(names.did(question.author), "name"), names.record(question.uri), answer]
