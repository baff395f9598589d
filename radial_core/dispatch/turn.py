"""One turn: one run of an agent that answers one request and may write exactly one terminal record.

Strategy: a turn is a value. Something happens (`lifecycle`), and out come the turn as it is then and an answer: the
exact record to write, a refusal that the agent can act on, or nothing. Nobody here writes, waits or knows what time it
is. The kind of the record and all that anchors it were fixed before the start (`assignment`); the agent says what is in
it (`submission`) and where that leads is checked (`findings`, `links`). A record that was handed out is written or not
before the next is made, so a second terminal record cannot come to be, and a crash that repeats the turn repeats its
URIs.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

from radial_core.dispatch.drafting import Bounds, Stamp, Write, draft
from radial_core.dispatch.effort import is_model
from radial_core.dispatch.findings import judge_addressed, judge_findings, left_open, unchecked, unexplained
from radial_core.dispatch.lifecycle import (
    TABLE,
    Ask,
    Cancel,
    End,
    Event,
    Failed,
    Hold,
    IllegalEvent,
    Observe,
    Phase,
    Start,
    Submit,
    Written,
)
from radial_core.dispatch.links import Demands, judge_links, unlooked
from radial_core.dispatch.moved import moved
from radial_core.dispatch.outcomes import Cause, Ending, ending_of
from radial_core.dispatch.refusals import Notice, Refusal, gather, refuse
from radial_core.dispatch.submission import is_list_of_texts, judge_fields, judge_whole
from radial_core.identifiers import StrongRef
from radial_core.instants import parse_instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from radial_core.dispatch.assignment import Assignment, Fields
    from radial_core.dispatch.refusals import Named


@attrs.frozen(kw_only=True)
class Turn:
    """A turn and all that happened to it. Made by hand when it is about to start; changed by `advance` alone.

    `configured` is the model that its operator named, or none; `claim` the one it runs under, or none (C7); `demands`
    what its artifact has to link. `questions` and `delivered` are what it wrote. Raises `ValueError` for a model that
    could be in no record.
    """

    assignment: Assignment
    configured: str | None = attrs.field(default=None, validator=attrs.validators.optional(is_model))
    claim: StrongRef | None = None
    demands: Demands = attrs.field(factory=Demands)
    bounds: Bounds = attrs.field(factory=Bounds)
    phase: Phase = Phase.NEW
    observed: str | None = None
    pending: Write | None = None
    questions: tuple[StrongRef, ...] = ()
    delivered: StrongRef | None = None

    @property
    def model(self) -> str | None:
        """The model that a record written now is attributed to: observed, else configured, else unknown (N3)."""
        return self.configured if self.observed is None else self.observed


@attrs.frozen
class Outcome:
    """How a turn ended.

    `delivered`, `cancelled`; `unconfirmed`: nobody knows whether the record at `pending` was written, so look there
    before anything else; else `asked` or `nothing`, after both of which the request stays open.
    """

    name: str
    delivered: StrongRef | None
    questions: tuple[StrongRef, ...]
    pending: str | None

    def amounts_to(self, cause: Cause = Cause.NO_RECORD) -> Ending:
        """Say what it amounts to for what is planned next; `cause` is why a turn that wrote nothing ended.

        What is unconfirmed may have been written: if the request is still open once everything has been taken in, it
        was not.
        """
        return ending_of(self.name, cause)

    @property
    def end(self) -> str:
        """What it amounts to when no cause is known (`retry.ENDS`)."""
        return self.amounts_to().end


Answer: TypeAlias = Write | Refusal | Outcome | None


def advance(turn: Turn, event: Event) -> tuple[Turn, Answer]:
    """Tell what an event makes of a turn, and what to answer.

    A refused turn is as it was. Raises `IllegalEvent` for an event of the daemon's that cannot happen now, `ValueError`
    for an `at` that is no datetime or a listing of another commit than the one reviewed.
    """
    move = TABLE[turn.phase, event.__class__]
    if isinstance(move, Phase):
        return _DEEDS[event.__class__](turn, event, move)
    if not isinstance(event, Ask | Submit):
        raise IllegalEvent(move, event, turn.phase)
    message, remedy = _TOLD[move]
    return turn, refuse(move, message.format(turn.delivered and turn.delivered.uri), remedy)


# What an agent is told that comes at the wrong time.
_TOLD: Final[Mapping[str, tuple[str, str]]] = {
    "NotStarted": ("the turn has not started", "wait"),
    "WritePending": ("a record of this turn is being written", "wait for the answer to the last command"),
    "AlreadyDelivered": ("this turn has delivered {0}", "put it into the work next time; there is nothing left to do"),
    "SecondTerminal": ("this turn has delivered {0}, and one record is all", "there is nothing left to do: stop"),
    "TurnCancelled": ("this turn was cancelled: somebody else has the request, or it is gone", "stop"),
    "TurnEnded": ("this turn is over", "stop"),
}


def _go(turn: Turn, _event: Any, phase: Phase) -> tuple[Turn, Answer]:
    return attrs.evolve(turn, phase=phase), None


def _observe(turn: Turn, event: Observe, phase: Phase) -> tuple[Turn, Answer]:
    return attrs.evolve(turn, phase=phase, observed=event.model), None


def _hold(turn: Turn, event: Hold, phase: Phase) -> tuple[Turn, Answer]:
    return attrs.evolve(turn, phase=phase, claim=event.claim), None


def _ask(turn: Turn, event: Ask, phase: Phase) -> tuple[Turn, Answer]:
    assignment, asked = turn.assignment, len(turn.questions)
    if not assignment.asking:
        remedy = "stop without a record: the request stays open, and your transcript says why"
        return turn, refuse("NoThread", "the request stands at a project and is about nothing with a thread", remedy)
    most = turn.bounds.questions
    if asked >= most:
        remedy = "submit what you have, or stop: the request stays open until somebody replies"
        return turn, refuse("TooManyQuestions", f"a turn asks {_MOST.get(most, f'{most} questions at most')}", remedy)
    made = _made(turn, event, "question", assignment.question_uri(asked), assignment.asking)
    return _hand_out(turn, made, phase)


_MOST: Final = {0: "no questions", 1: "one question at most"}


def _submit(turn: Turn, event: Submit, phase: Phase) -> tuple[Turn, Answer]:
    assignment = turn.assignment
    if event.kind != assignment.kind:
        message = f"the request is for {_COMMANDS[assignment.kind][0]}"
        return turn, refuse("WrongKind", message, f"use `{_COMMANDS[assignment.kind][1]}`")
    made = _made(turn, event, event.kind, assignment.terminal_uri, assignment.fields)
    if isinstance(made, Write):
        notices, addressed = tuple(_notices(turn, event, made)), tuple(event.said.get("addressed", ()))
        made = attrs.evolve(made, notices=notices, addressed=addressed)
    return _hand_out(turn, made, phase)


_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "artifact": ("an artifact", "radial artifact submit"),
    "review": ("a review", "radial review post"),
    "reply": ("a reply", "radial reply post"),
}


def _made(turn: Turn, event: Ask | Submit, kind: str, uri: str, fields: Fields) -> Write | Refusal:
    """Make the record that was submitted, or name at once all that is wrong with it."""
    said, bounds = event.said, turn.bounds
    refusal = judge_whole(kind, said, most=bounds.file + bounds.record)  # a body in a file, and a record beside it
    if refusal is not None:
        return refusal
    drafted = draft(kind, said, fields=fields, stamp=_stamp(turn, event.at), bounds=bounds)
    wrong = chain(judge_fields(kind, said), drafted.faults, _JUDGES.get(kind, _nothing)(turn, event))
    return gather(wrong) or drafted.at(uri)


def _stamp(turn: Turn, at: str) -> Stamp:
    parse_instant(at)
    return Stamp(at=at, model=turn.model, claim=turn.claim)


def _hand_out(turn: Turn, made: Write | Refusal, phase: Phase) -> tuple[Turn, Answer]:
    if isinstance(made, Refusal):
        return turn, made
    return attrs.evolve(turn, phase=phase, pending=made), made


# Whether what is well-formed means something -------------------------------------------------------------------------


def _nothing(_turn: Turn, _event: Ask) -> Iterator[Named]:
    return iter(())


def _judge_artifact(turn: Turn, event: Submit) -> Iterator[Named]:
    addressed = event.said.get("addressed")
    yield from judge_links(event.said.get("links"), turn.demands, event.looked)
    yield from judge_addressed(addressed if is_list_of_texts(addressed) else (), turn.assignment.findings)


def _judge_review(turn: Turn, event: Submit) -> Iterator[Named]:
    listing, reviewed = event.listing, turn.assignment.commit
    if listing is not None and listing.commit != reviewed:
        raise ValueError(f"a listing of commit {listing.commit}, but {reviewed} was reviewed")
    return judge_findings(event.said.get("findings"), listing)


_JUDGES: Final[Mapping[str, Callable[[Turn, Any], Iterator[Named]]]] = {
    "artifact": _judge_artifact,
    "review": _judge_review,
}


def _notices(turn: Turn, event: Submit, made: Write) -> Iterator[Notice]:
    """Say what should be known of a record that is written all the same."""
    said, findings = event.said, event.said.get("findings", ())
    yield from moved(turn.assignment, event.index)
    if event.kind == "artifact":
        yield from unlooked(said.get("links", {}), event.looked)
        yield from left_open(said.get("addressed", ()), turn.assignment.findings)
    if event.kind == "review":
        yield from unchecked(findings, event.listing)
        yield from unexplained(said["verdict"], findings)
    if "summary" in said and made.file is None:
        yield Notice("SummaryUnused", "the body fits into the record: the summary was left out", "$.summary")


# What became of a record that was handed out -------------------------------------------------------------------------


def _written(turn: Turn, event: Written, phase: Phase) -> tuple[Turn, Answer]:
    assert turn.pending is not None  # noqa: S101 - the table: something was handed out
    ref = StrongRef(turn.pending.uri, event.cid)
    if turn.phase is Phase.SUBMITTING:
        return attrs.evolve(turn, phase=phase, pending=None, delivered=ref), None
    return attrs.evolve(turn, phase=phase, pending=None, questions=(*turn.questions, ref)), None


def _failed(turn: Turn, _event: Failed, phase: Phase) -> tuple[Turn, Answer]:
    return attrs.evolve(turn, phase=phase, pending=None), None


def _end(turn: Turn, _event: End, phase: Phase) -> tuple[Turn, Answer]:
    name = _OUTCOMES.get(turn.phase) or ("asked" if turn.questions else "nothing")
    pending = None if turn.pending is None else turn.pending.uri
    return attrs.evolve(turn, phase=phase), Outcome(name, turn.delivered, turn.questions, pending)


_OUTCOMES: Final = {
    Phase.ASKING: "unconfirmed",
    Phase.SUBMITTING: "unconfirmed",
    Phase.DELIVERED: "delivered",
    Phase.CANCELLED: "cancelled",
}
_DEEDS: Final[Mapping[type[Any], Callable[[Turn, Any, Phase], tuple[Turn, Answer]]]] = {
    Start: _go,
    Observe: _observe,
    Hold: _hold,
    Ask: _ask,
    Submit: _submit,
    Written: _written,
    Failed: _failed,
    Cancel: _go,
    End: _end,
}
