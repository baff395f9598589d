"""Talk: messages, replies, answers, refusals, questions to an agent (M1, R2, R4, R6; RAD-10.37).

Strategy: a reply carries its parent and the root of its thread, and stands where its parent stands; who replies need
not know any of it. A message that names a request may turn into a question, an answer or a refusal by who writes it and
under what: each of these has a builder of its own, and a reply names a request only where that makes it no question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_core.acts.asking import cautions_about
from radial_core.acts.cautions import closed, not_asked
from radial_core.acts.draft import Act, ActError, Caution, Vain
from radial_core.acts.requests import Wish, asked_of, request_draft, view_of
from radial_core.records import Artifact, ArtifactRequest, Goal, Message
from radial_core.rules.threads import talk
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.entries import Entry
    from radial_core.views import RequestView


def message(desk: Desk, anchor: str, body: str, *, mentions: Sequence[str] = (), re: str | None = None) -> Act:
    """Say something about a goal or an artifact; `mentions` are DIDs, `re` is the request that it is about."""
    about = None if re is None else desk.ref(re, ArtifactRequest)
    draft = _said(desk, body, mentions, re=about, **_anchored(desk, anchor))
    return _act(desk, "message", anchor, draft, _unheard(desk, anchor, mentions))


def reply(desk: Desk, parent: str, body: str, *, mentions: Sequence[str] = ()) -> Act:
    """Reply to a message, in its thread. A reply to a question answers it (R6).

    Where that is what the author was asked to answer, it is the answer (R2).
    """
    said: Entry[Message] = desk.find(parent, Message)
    asked = asked_of(desk, "answer", parent)
    if asked is not None:
        return answer(desk, asked, body, mentions=mentions)
    draft = _said(desk, body, mentions, **_under(desk, said), re=_carried(desk, said))
    return _act(desk, "reply", parent, draft, _unheard(desk, parent, mentions))


def answer(desk: Desk, request: str, body: str, *, mentions: Sequence[str] = ()) -> Act:
    """Answer a request for an answer: a reply to its subject that names it (R2)."""
    asked: Entry[ArtifactRequest] = desk.find(request, ArtifactRequest)
    if asked.record.type != "answer":
        words = f"the request is for {quoted(asked.record.type)}: no message answers it (R2)"
        raise ActError(words, "unfit", "Hand in what it asks for.")
    draft = _said(desk, body, mentions, **_in_subject(desk, asked), re=desk.ref(request))
    view = view_of(desk, request)
    warnings = (*closed(view), *not_asked(desk, view, "only they can answer it"), *_unheard(desk, request, mentions))
    return _act(desk, "reply", request, draft, warnings)


def decline(desk: Desk, request: str, body: str, *, anchor: str | None = None) -> Act:
    """Decline a request, as its assignee (R4).

    A request at a project has no thread of its own: it is declined in that of what it is about, or at `anchor`, a goal
    or an artifact. Raises `ActError` where there is none.
    """
    asked: Entry[ArtifactRequest] = desk.find(request, ArtifactRequest)
    thread = _thread(desk, asked) if anchor is None else _anchored(desk, anchor)
    draft = _said(desk, body, (), **thread, re=desk.ref(request), declines=True)
    view = view_of(desk, request)
    space = desk.space_of(request)
    return Act(verb="decline", space=space, drafts=(draft,), warnings=closed(view), vain=_unheeded(desk, view))


def _unheeded(desk: Desk, view: RequestView) -> tuple[Vain, ...]:
    """R4: whoever is not the assignee declines nothing: the message would be one like any other."""
    if view.assignee == desk.author:
        return ()
    if view.assignee is None:
        words = "the request is addressed to nobody: there is nobody to decline it, and it stays open (R4)"
        return (Vain("NotAssignee", words, "Leave it, or say what you think of it in a message."),)
    words = f"the request is addressed to {view.assignee}: only they can decline it, and it stays open (R4)"
    remedy = "Say it in a message; whoever made the request, and an admin, can retract it."
    return (Vain("NotAssignee", words, remedy),)


def ask_agent(desk: Desk, agent: str, body: str, *, context: str) -> Act:
    """Ask an agent (a DID) in a thread: the message and the request that pins it, two records (RAD-10.37).

    `context` is a goal or artifact to speak about, or a message to reply to.
    """
    entry: Entry[Any] = desk.find(context, Goal, Artifact, Message)
    replies = entry.record.__class__ is Message
    thread = _under(desk, entry) if replies else _anchored(desk, context)
    said = _said(desk, body, (agent,), **thread)
    place = desk.shelf(context).entry
    asked = request_draft(
        desk,
        Wish(type="answer", assignee=agent),
        **{place.record.kind: desk.ref(place.uri)},
        subject=desk.ref_to(said),
        basedOn=[thread["artifact"]] if "artifact" in thread else None,
    )
    warnings = tuple(cautions_about(desk, asked))
    return Act(verb="ask", space=desk.space_of(context), drafts=(said, asked), warnings=warnings)


# Where a message stands ---------------------------------------------------------------------------------------------


def _said(desk: Desk, body: str, mentions: Sequence[str], **fields: Any) -> Draft:
    return desk.draft("message", body=body, mentions=[*dict.fromkeys(mentions)] or None, **fields)


def _act(desk: Desk, verb: str, about: str, draft: Draft, warnings: tuple[Caution, ...]) -> Act:
    return Act(verb=verb, space=desk.space_of(about), drafts=(draft,), warnings=warnings)


def _anchored(desk: Desk, uri: str) -> dict[str, dict[str, str]]:
    """M1: a message is about a goal or an artifact."""
    entry: Entry[Any] = desk.find(uri, Goal, Artifact)
    return {entry.record.kind: desk.ref(uri)}


def _under(desk: Desk, parent: Entry[Message]) -> dict[str, dict[str, str]]:
    """M1: a reply stands where its parent stands, and names it and the message that opened the thread."""
    anchor = parent.record.goal or parent.record.artifact
    assert anchor is not None  # noqa: S101 - L1: exactly one of the two
    return {**_anchored(desk, anchor), "root": desk.ref(_root(desk, parent.uri)), "parent": desk.ref(parent.uri)}


def _root(desk: Desk, uri: str) -> str:
    """Walk up to the message that opened a thread: parents that resolve never run in circles (M1)."""
    parents = desk.shelf(uri).fact(talk).parents
    while uri in parents:
        uri = parents[uri]
    return uri


def _in_subject(desk: Desk, asked: Entry[ArtifactRequest]) -> dict[str, dict[str, str]]:
    subject = asked.record.subject
    assert subject is not None  # noqa: S101 - R1: an answer request has one
    return _under(desk, desk.find(subject, Message))


def _carried(desk: Desk, said: Entry[Message]) -> dict[str, str] | None:
    """R6: carry the request that a message is about, unless that makes a question of the reply."""
    re = said.record.re
    view = None if re is None else desk.index.request(re)
    if view is None:
        return None
    asks = desk.own(desk.space_of(view.uri)).trust.is_agent(desk.author) if view.assignee is None else False
    return None if asks or view.assignee == desk.author else desk.ref(view.uri)


def _thread(desk: Desk, asked: Entry[ArtifactRequest]) -> dict[str, dict[str, str]]:
    """Give the thread in which a request is spoken of: under its subject, at its goal, at what it is based on."""
    if asked.record.type == "answer" and desk.index.entry(asked.record.subject or "") is not None:
        return _in_subject(desk, asked)
    found = next(_threads(desk, asked.record), None)
    if found is None:
        words = "the request stands on a project, which has no thread"
        raise ActError(words, "unfit", "Name a goal or an artifact at which it is to be declined.")
    return _anchored(desk, found)


def _threads(desk: Desk, asked: ArtifactRequest) -> Iterator[str]:
    if asked.goal is not None:
        yield asked.goal
    for uri in (asked.subject, *(asked.based_on or ())):
        entry = None if uri is None else desk.index.entry(uri)
        if entry is not None and isinstance(entry.record, (Goal, Artifact)):
            yield entry.uri


def _unheard(desk: Desk, about: str, mentions: Sequence[str]) -> tuple[Caution, ...]:
    """M1: a mention starts nothing; an agent has to be asked."""
    trust = desk.own(desk.space_of(about)).trust
    agents = [did for did in dict.fromkeys(mentions) if trust.is_agent(did)]
    words = "a mention starts nothing (M1): to have {} answer, ask them"
    return tuple(Caution("MentionStartsNothing", words.format(did)) for did in agents)
