"""The thread as a turn is told it: what was said on the goal and about the basis, questions and replies kept longest.

Strategy: messages stand in the order of their threads, each once. What is about the request (asked about it, or a reply
to that, or the message to be answered) is taken first, whichever place it stands at; then what was said last. A reply
is known by its `parent`, never by its words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.dispatch.choosing import Candidate
from radial_core.dispatch.quoting import record_piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.dispatch.piece import Mark, Piece
    from radial_core.dispatch.scope import Scope
    from radial_core.views import MessageView


def thread(scope: Scope) -> list[Candidate]:
    """Give the messages of the goals, of the artifacts of the basis, and questions that were asked elsewhere."""
    told = _told(scope)
    asked = _asked(scope)
    about = asked.keys() | {uri for uri, (message, _) in told.items() if _is_about(scope, message, asked)}
    elsewhere = [uri for uri in asked if uri not in told]
    candidates = [
        Candidate((0, at) if uri in about else (1, -at), _piece(scope, uri, where, message, is_about=uri in about))
        for at, (uri, (message, where)) in enumerate(told.items())
    ]
    return [
        *candidates,
        *(Candidate((0, 0), _piece(scope, uri, "elsewhere", None, is_about=True)) for uri in elsewhere),
    ]


def _told(scope: Scope) -> dict[str, tuple[MessageView, str]]:
    told: dict[str, tuple[MessageView, str]] = {}
    for goal in scope.goals:
        told.update((message.uri, (message, "on the goal")) for message in goal.messages)
    for artifact in scope.artifacts:
        told.update((message.uri, (message, f"about {artifact.uri}")) for message in artifact.messages)
    return told


def _asked(scope: Scope) -> dict[str, None]:
    """Give the questions about the request in order, each before the reply that cleared it (R6)."""
    pairs = ((question.uri, question.answered_by) for question in scope.request.questions)
    return {uri: None for pair in pairs for uri in pair if uri is not None}


def _is_about(scope: Scope, message: MessageView, asked: Mapping[str, None]) -> bool:
    named = (message.re, message.parent)
    uris = {ref.uri for ref in named if ref is not None and ref.resolved}
    subject = scope.request.subject
    return (
        scope.request.uri in uris
        or not asked.keys().isdisjoint(uris)
        or (subject is not None and subject.uri == message.uri)
    )


def _piece(scope: Scope, uri: str, where: str, message: MessageView | None, *, is_about: bool) -> Piece:
    marks: list[tuple[str, Mark]] = [] if message is None else list(_place(message))
    entry: Any = scope.index.entry(uri)
    return record_piece(entry, f"said {where}{', about this request' if is_about else ''}", marks)


def _place(message: MessageView) -> Iterator[tuple[str, Mark]]:
    yield "depth", message.depth
    if message.parent is not None and message.parent.resolved:
        yield "reply to", message.parent.uri
