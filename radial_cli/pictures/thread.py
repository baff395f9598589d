"""Talk: messages under a goal or an artifact as a thread, and the words of guests beside it.

Strategy: the core has put the messages into thread order and told each one's depth (M1); here a reply is indented under
what it replies to, up to a depth that leaves room to read, and deeper than that the depth is said in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from radial_cli.pictures.text import draw_text
from radial_cli.pictures.words import claim_words, listed, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part
from radial_core.views import GuestView, MessageView, QuestionView

_DEEPEST: Final = 6
_STEP: Final = 2


def draw_thread(
    page: Page,
    messages: Sequence[MessageView],
    questions: Mapping[str, QuestionView],
    reading: Reading,
    *,
    indent: int,
) -> None:
    """Draw messages in thread order; `questions` are those of the requests that they may be about, by message."""
    for message in messages:
        page.gap()
        draw_message(page, message, questions.get(message.uri), reading, indent=indent)


def draw_message(
    page: Page, message: MessageView, question: QuestionView | None, reading: Reading, *, indent: int
) -> None:
    """Draw one message: who, when, to what end, and its words."""
    at = indent + _STEP * min(message.depth, _DEEPEST)
    head: list[Part] = [(reading.names.did(message.author), "name"), f", {moment(message.created_at, reading)}"]
    page.line(
        [*head, *_notes(message, question, reading), (f"  {reading.names.record(message.uri)}", "quiet")], indent=at
    )
    value = reading.value(message.uri)
    draw_text(page, value["body"], reading, indent=at + _STEP)
    if mentions := value.get("mentions"):
        page.line((f"Mentions {listed(map(reading.names.did, mentions))}", "quiet"), indent=at + _STEP)


def _notes(message: MessageView, question: QuestionView | None, reading: Reading) -> list[Part]:
    names, value = reading.names, reading.value(message.uri)
    notes: list[Part] = []
    if message.depth > _DEEPEST:
        notes.append(f"reply {message.depth} deep")
    if message.parent is not None and not message.parent.resolved:
        notes.append("a reply to something that is not here")
    if message.re is not None:
        notes.append(
            (f"declines {names.record(message.re.uri)}", "bad")
            if value.get("declines")
            else f"about {names.record(message.re.uri)}"
        )
    if question is not None:
        notes.append("a question, answered below" if question.answered_by else ("a question without an answer", "wait"))
    if model := value.get("model"):
        notes.append(f"written with {model}")
    if message.claim is not None and message.claim.lost:
        notes.append((claim_words(message.claim.uri, message.claim.lost, names), "wait"))
    return [part for note in notes for part in (", ", note)]


def draw_guests(page: Page, guests: Sequence[GuestView], reading: Reading, *, indent: int) -> None:
    """Draw what guests said, as members copied it; with both DIDs (M2)."""
    for guest in guests:
        page.gap()
        page.line(
            [
                ("A guest, ", "quiet"),
                (reading.names.did(guest.guest), "name"),
                (f", in the words that {reading.names.did(guest.by)} copied here", "quiet"),
                (f"  {reading.names.record(guest.bless)}", "quiet"),
            ],
            indent=indent,
        )
        draw_text(page, guest.body, reading, indent=indent + _STEP)
