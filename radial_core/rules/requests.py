"""Requests: what makes one, and whether it is open, dispatchable, waiting for an answer (R1–R6).

Strategy: nothing about a request is stored; it is read off the records that name it, wherever in the space they stand.
Those are gathered once per place (`Echoes`), so that each request is answered from what concerns it alone. The three
kinds of request differ in what fulfils them, and in nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.entries import in_order
from radial_core.places import grouped, show, show_field
from radial_core.records import Artifact, ArtifactRequest, Message, RetractRequest, Review
from radial_core.rulings import Ruling
from radial_core.views import QuestionView, Ref, RequestView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from radial_core.entries import RECORD, Entry
    from radial_core.leases import Lease
    from radial_core.places import Estate, Place, Shelf, Site, Trust


class Echoes(NamedTuple):
    """What names the requests of one place, each list in order (createdAt, URI).

    `artifacts`, `reviews`, `retractions` and `messages` (through `re`) are by the URI of the request, `replies` by the
    URI of the message replied to; `parents` maps a message to the one it resolves to as its parent.
    """

    artifacts: Mapping[str, Sequence[Entry[Artifact]]]
    reviews: Mapping[str, Sequence[Entry[Review]]]
    retractions: Mapping[str, Sequence[Entry[RetractRequest]]]
    messages: Mapping[str, Sequence[Entry[Message]]]
    replies: Mapping[str, Sequence[Entry[Message]]]
    parents: Mapping[str, str]


class Standing(NamedTuple):
    """What a request's place decides about it: whether work goes on there (R5), its fit (A3), the leases on it."""

    active: bool
    type_known: bool
    scope_fits: bool | None
    leases: tuple[Lease, ...]


def refuse_request(entry: Entry[ArtifactRequest], _site: Site) -> Ruling | None:
    """R1: a review and an answer need to say what they are about, and an answer who is asked, under which goal."""
    needed = _NEEDED.get(entry.record.type, ())
    missing = [field for field in needed if getattr(entry.record, field) is None]
    if not missing:
        return None
    return Ruling("R1", f"a request of type {entry.record.type} lacks " + ", ".join(f"$.{field}" for field in missing))


_NEEDED = {"review": ("subject",), "answer": ("subject", "goal", "assignee")}


def refuse_retraction(entry: Entry[RetractRequest], site: Site) -> Ruling | None:
    """R3: a request is retracted by its author or an admin."""
    author = site.estate.known(entry.record.request).did
    if entry.did == author or site.estate.trust.is_admin(entry.did):
        return None
    return Ruling("R3", f"only the author of the request, {author}, or an admin may retract it")


def gather_echoes(
    place: Shelf,
    abroad: Sequence[Entry[Any]],
    parents: Mapping[str, str],
    replies: Mapping[str, Sequence[Entry[Message]]],
) -> Echoes:
    """Gather what names the requests of a place; `abroad` are the reviews and messages of other places that do.

    `parents` and `replies` are the replies that resolve, at least among the messages that name a request (M1).
    """
    return Echoes(
        artifacts=grouped((entry.record.request, entry) for entry in place.all(Artifact)),
        reviews=grouped(
            (entry.record.request, entry) for entry in _all(Review, place, abroad) if entry.record.request is not None
        ),
        retractions=grouped((entry.record.request, entry) for entry in place.all(RetractRequest)),
        messages=grouped(
            (entry.record.re, entry) for entry in _all(Message, place, abroad) if entry.record.re is not None
        ),
        replies=replies,
        parents=parents,
    )


def _all(kind: type[RECORD], place: Shelf, abroad: Sequence[Entry[Any]]) -> list[Entry[RECORD]]:
    others = [entry for entry in abroad if entry.record.__class__ is kind]
    return in_order((*place.all(kind), *others)) if others else place.all(kind)


class Status(NamedTuple):
    """What has become of a request (R2–R4), and what was asked about it (R6)."""

    fulfilled_by: tuple[str, ...]
    declined_by: str | None
    retracted_by: str | None
    questions: tuple[QuestionView, ...]

    @property
    def open(self) -> bool:
        """R5: what else ends it is nobody's say."""
        return not self.fulfilled_by and self.declined_by is None and self.retracted_by is None

    @property
    def awaiting_input(self) -> bool:
        """R6: open, and some question has no reply."""
        return self.open and any(question.answered_by is None for question in self.questions)


def status(entry: Entry[ArtifactRequest], trust: Trust, echoes: Echoes) -> Status:
    """Tell what has become of a request."""
    record, uri = entry.record, entry.uri
    said = echoes.messages.get(uri, ())
    answers = _answers(record, said, echoes.parents)
    answering = frozenset(answers)
    return Status(
        fulfilled_by=_FULFILMENTS.get(record.type, _artifacts)(entry, echoes, answers),
        declined_by=_declined_by(record, said),
        retracted_by=next((retraction.uri for retraction in echoes.retractions.get(uri, ())), None),
        questions=tuple(_question(message, echoes) for message in said if _asks(message, record, trust, answering)),
    )


def wants_work(entry: Entry[ArtifactRequest], trust: Trust, echoes: Echoes) -> bool:
    """Tell whether a request is open and awaits nobody's input: what `status` says, at less cost where nobody spoke."""
    if entry.uri not in echoes.messages:
        answered = echoes.reviews if entry.record.type == "review" else echoes.artifacts  # R2: an answer is a message
        return entry.uri not in answered and entry.uri not in echoes.retractions
    found = status(entry, trust, echoes)
    return found.open and not found.awaiting_input


def request_view(entry: Entry[ArtifactRequest], place: Place, echoes: Echoes, standing: Standing) -> RequestView:
    """Show a request with everything that its space says of it."""
    record, found = entry.record, status(entry, place.estate.trust, echoes)
    is_open = found.open
    return RequestView(
        uri=entry.uri,
        cid=entry.cid,
        author=entry.did,
        created_at=entry.created_at,
        type=record.type,
        assignee=record.assignee,
        subject=_show_subject(entry, place.estate),
        based_on=_show_basis(entry, place.estate),
        auto_review=record.auto_review,
        type_known=standing.type_known,
        scope_fits=standing.scope_fits,
        open=is_open,
        dispatchable=is_open and standing.active,
        awaiting_input=found.awaiting_input,
        fulfilled_by=found.fulfilled_by,
        declined_by=found.declined_by,
        retracted_by=found.retracted_by,
        claims=tuple(lease.uri for lease in standing.leases),
        questions=found.questions,
    )


# R2: what fulfils a request -----------------------------------------------------------------------------------------


def _answers(request: ArtifactRequest, said: Iterable[Entry[Message]], parents: Mapping[str, str]) -> tuple[str, ...]:
    """R2: the assignee's messages that reply to the subject of an answer request and do not decline."""
    if request.type != "answer" or request.subject is None:
        return ()
    return tuple(
        message.uri
        for message in said
        if message.did == request.assignee
        and not message.record.declines
        and parents.get(message.uri) == request.subject
    )


def _artifacts(entry: Entry[ArtifactRequest], echoes: Echoes, _answers: tuple[str, ...]) -> tuple[str, ...]:
    # Those of another anchor or type never came to count (R2).
    return tuple(artifact.uri for artifact in echoes.artifacts.get(entry.uri, ()))


def _reviews(entry: Entry[ArtifactRequest], echoes: Echoes, _answers: tuple[str, ...]) -> tuple[str, ...]:
    # Those of another subject never came to count (R2).
    return tuple(review.uri for review in echoes.reviews.get(entry.uri, ()))


def _messages(_entry: Entry[ArtifactRequest], _echoes: Echoes, answers: tuple[str, ...]) -> tuple[str, ...]:
    return answers


_FULFILMENTS = {"review": _reviews, "answer": _messages}


# R4, R6: what is said about a request -------------------------------------------------------------------------------


def _declined_by(request: ArtifactRequest, said: Iterable[Entry[Message]]) -> str | None:
    # R4: nobody but the assignee can decline.
    if request.assignee is None:
        return None
    return next((m.uri for m in said if m.record.declines and m.did == request.assignee), None)


def _asks(message: Entry[Message], request: ArtifactRequest, trust: Trust, answers: frozenset[str]) -> bool:
    """R6: the assignee asks, or any agent where nobody is assigned; a person thinking aloud stops nothing."""
    if message.record.declines or message.uri in answers:
        return False
    if request.assignee is not None:
        return message.did == request.assignee
    return trust.is_agent(message.did)


def _question(message: Entry[Message], echoes: Echoes) -> QuestionView:
    # R6: only a reply by somebody else answers.
    replies = echoes.replies.get(message.uri, ())
    return QuestionView(
        message.uri, message.did, next((reply.uri for reply in replies if reply.did != message.did), None)
    )


# L4: what a request refers to ---------------------------------------------------------------------------------------

_SUBJECTS = {"review": (Artifact,), "answer": (Message,)}


def _show_subject(entry: Entry[ArtifactRequest], estate: Estate) -> Ref | None:
    """L4: the subject is an artifact, a message, or any record, as the request's type has it."""
    found = estate.find(entry.record.subject, *_SUBJECTS.get(entry.record.type, ()))
    return show_field(entry, "subject", found)


def _show_basis(entry: Entry[ArtifactRequest], estate: Estate) -> tuple[Ref, ...] | None:
    """L4: a request is based on any record but `agent` and `image`, which stand in no place."""
    if entry.record.based_on is None:
        return None
    return tuple(show(reference, estate.find(reference["uri"])) for reference in entry.value["basedOn"])
