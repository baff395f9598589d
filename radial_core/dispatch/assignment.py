"""What one turn is for, settled before it starts: the kind of its one terminal record and all that anchors it.

Strategy: the request's type alone decides the kind: `review` and `answer` are this layer's own and nobody can re-define
them (A1), every other type is answered by an artifact. Each anchoring field is read off the index here, at the versions
that count, so that nothing an agent sends later can bend it. What the index does not bear out (an author who is no
member, a request for somebody else, a subject that is not there) is refused now, while it costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import attrs

from radial_core.dispatch.judged import open_findings
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.links import is_full_hash
from radial_core.dispatch.refusals import Refusal, refuse
from radial_core.dispatch.scope import Scope
from radial_core.dispatch.standing import is_member_at, ref_to, space_of, stopped_at, watched_by
from radial_core.identifiers import StrongRef
from radial_core.records import PREFIX, Artifact, ArtifactRequest, Goal, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from radial_core.dispatch.reasons import Reason
    from radial_core.dispatch.standing import Watched
    from radial_core.entries import Entry
    from radial_core.index import Index

    # Fields of a record that the daemon fills in, by their wire name.
    Fields: TypeAlias = tuple[tuple[str, str | StrongRef], ...]

Kind = Literal["artifact", "review", "reply"]
COLLECTIONS: Final[Mapping[str, str]] = {
    "artifact": PREFIX + "artifact",
    "review": PREFIX + "review",
    "reply": PREFIX + "message",
    "question": PREFIX + "message",
}
KINDS: Final[Mapping[str, Kind]] = {"review": "review", "answer": "reply"}


@attrs.frozen(kw_only=True)
class Assignment:
    """What a turn is for. Made by `assign`.

    `turn` names it among the turns of its author; `fields` anchor its terminal record, `asking` its questions (none:
    there is no thread where it could ask); `commit` is the one that a review's subject links, if that is a whole hash;
    `findings` are the names of those that are open on what an artifact builds on (`judged`). `watched` is what the
    request names, and `stopped` why nobody was to go on with it at the start, or none.
    """

    turn: str
    author: str
    request: StrongRef
    type: str
    kind: Kind
    fields: Fields
    asking: Fields
    watched: tuple[Watched, ...] = ()
    commit: str | None = None
    findings: tuple[str, ...] = ()
    stopped: Reason | None = None

    @property
    def terminal_uri(self) -> str:
        """The URI of the terminal record: known before it is written, the same for every turn of this author."""
        return f"at://{self.author}/{COLLECTIONS[self.kind]}/{record_key('terminal', self.request.uri)}"

    def question_uri(self, number: int) -> str:
        """Give the URI of a question, counted from 0 within the turn."""
        key = record_key("question", self.request.uri, self.turn, number)
        return f"at://{self.author}/{COLLECTIONS['question']}/{key}"


def assign(index: Index, request: str, *, author: str, turn: str) -> Assignment | Refusal:
    """Settle what a turn of `author` on a request is for, or refuse it.

    `turn` is any text that no other turn of the author on this request bears, such as the instant of its start.
    Refused are `UnknownRequest`, `NoMember`, `AssignedToAnother` and `UnknownSubject`. Whether the request is open is
    not asked: a turn outlives the moment of its start, and `plan` decides what is worth starting.
    """
    view, entry = index.request(request), index.entry(request)
    if view is None or entry is None:
        return refuse("UnknownRequest", f"{request} is no request that counts here", "look up its URI again", "request")
    if not is_member_at(index, request, author):
        return refuse("NoMember", f"{author} is no member of the request's space", "run it as a member", "author")
    if view.assignee not in {None, author}:
        return refuse("AssignedToAnother", f"the request is for {view.assignee}", "leave it to them", "author")
    work = _Work(index, entry)
    kind: Kind = KINDS.get(view.type, "artifact")
    if not work.is_about_something():
        return refuse("UnknownSubject", "the request's subject does not count here", "wait until it does", "subject")
    scope = Scope(index, request)
    return Assignment(
        turn=turn,
        author=author,
        request=ref_to(entry),
        type=view.type,
        kind=kind,
        fields=tuple(_FIELDS[kind](work)),
        asking=tuple(_asking(work)),
        watched=watched_by(scope),
        commit=_commit(work.subject(Artifact)) if kind == "review" else None,
        findings=open_findings(scope) if kind == "artifact" else (),
        stopped=stopped_at(index, request),
    )


_SUBJECTS: Final[Mapping[str, type[Any]]] = {"review": Artifact, "reply": Message}  # without which there is no record


def _commit(entry: Entry[Artifact] | None) -> str | None:
    commit = None if entry is None or entry.record.links is None else entry.record.links.commit
    return commit if commit is not None and is_full_hash(commit) else None


@attrs.frozen
class _Work:
    """A request in its index."""

    index: Index
    entry: Entry[ArtifactRequest]

    @property
    def anchor(self) -> tuple[str, StrongRef]:
        """The field and the reference of the goal or project where the request stands."""
        record = self.entry.record
        return self._anchor("goal" if record.goal is not None else "project", record.goal or record.project)

    def _anchor(self, field: str, uri: str | None) -> tuple[str, StrongRef]:
        found = None if uri is None else self.index.entry(uri)
        assert found is not None  # noqa: S101 - L5: what counts has an anchor that counts
        return field, ref_to(found)

    def find(self, uri: str | None, kind: type[Any]) -> Entry[Any] | None:
        """Resolve a reference of the request: to a record of its kind that counts in the same space (L4)."""
        found = None if uri is None else self.index.entry(uri)
        if found is None or found.record.__class__ is not kind:
            return None
        return found if space_of(self.index, found.uri) == space_of(self.index, self.entry.uri) else None

    def subject(self, kind: type[Any]) -> Entry[Any] | None:
        """Give the record that the request is about."""
        return self.find(self.entry.record.subject, kind)

    def about(self, kind: type[Any]) -> Entry[Any]:
        """Give what is to be judged or answered."""
        subject = self.subject(kind)
        assert subject is not None  # noqa: S101 - L4: it was looked for before anything else
        return subject

    def is_about_something(self) -> bool:
        """Tell whether what is to be judged or answered counts here; anything else can be made out of nothing."""
        kind = _SUBJECTS.get(KINDS.get(self.entry.record.type, "artifact"))
        return kind is None or self.subject(kind) is not None

    def basis(self, kind: type[Any]) -> Iterator[Entry[Any]]:
        """Give the records of one kind that the request is based on, each once."""
        uris = dict.fromkeys(self.entry.record.based_on or ())
        return (found for uri in uris if (found := self.find(uri, kind)) is not None)

    def predecessors(self) -> list[Entry[Artifact]]:
        """Give the artifacts of the basis of which this could be the next version: of its type, at its anchor."""
        home = self.index.place_of(self.entry.uri)
        same_type = (found for found in self.basis(Artifact) if found.record.type == self.entry.record.type)
        return [found for found in same_type if self.index.place_of(found.uri) == home]

    def anchor_of(self, message: Entry[Message]) -> tuple[str, StrongRef]:
        """Give the field and the reference of what a message is said about (M1)."""
        record = message.record
        return self._anchor("goal" if record.goal is not None else "artifact", record.goal or record.artifact)


def is_about_something(index: Index, request: Entry[ArtifactRequest]) -> bool:
    """Tell whether what a request wants judged or answered counts in its space (L4); if not, no turn can answer it."""
    return _Work(index, request).is_about_something()


def predecessors(index: Index, request: str) -> list[Entry[Artifact]]:
    """Give the artifacts whose next version a request could be for (X2); with exactly one it is for that one's."""
    entry = index.entry(request)
    return [] if entry is None or index.request(request) is None else _Work(index, entry).predecessors()


# The fields of the terminal record, by its kind ----------------------------------------------------------------------


def _artifact_fields(work: _Work) -> Iterator[tuple[str, str | StrongRef]]:
    """X1, X2: a request based on exactly one artifact of its type and anchor asks for that one's next version."""
    yield "request", ref_to(work.entry)
    yield work.anchor
    yield "type", work.entry.record.type
    earlier = work.predecessors()
    if len(earlier) == 1:
        yield "prev", ref_to(earlier[0])


def _review_fields(work: _Work) -> Iterator[tuple[str, str | StrongRef]]:
    """X3, R2: the verdict names the request and its very subject."""
    yield "subject", ref_to(work.about(Artifact))
    yield "request", ref_to(work.entry)


def _reply_fields(work: _Work) -> Iterator[tuple[str, str | StrongRef]]:
    """R2, M1: an answer is threaded under the subject, where that stands."""
    subject = work.about(Message)
    anchor = work.anchor_of(subject)
    yield anchor
    yield "root", _root(work.index, subject, anchor[1].uri)
    yield "parent", ref_to(subject)
    yield "re", ref_to(work.entry)


_FIELDS: Final[Mapping[str, Callable[[_Work], Iterator[tuple[str, str | StrongRef]]]]] = {
    "artifact": _artifact_fields,
    "review": _review_fields,
    "reply": _reply_fields,
}


def _root(index: Index, message: Entry[Message], anchor: str) -> StrongRef:
    """Walk up to the message that opened the thread; parents that resolve never run in circles (M1)."""
    place = index.goal(anchor) or index.artifact(anchor)
    posts = {} if place is None else {post.uri: post for post in place.messages}
    post = posts[message.uri]
    while post.parent is not None and post.parent.resolved:
        post = posts[post.parent.uri]
    return StrongRef(post.uri, post.cid)


def _asking(work: _Work) -> Iterator[tuple[str, str | StrongRef]]:
    """M1: a request at a project is asked about in the thread of what it is about, as there is none of its own."""
    place = next(_threads(work), None)
    if place is not None:
        yield place
        yield "re", ref_to(work.entry)


def _threads(work: _Work) -> Iterator[tuple[str, StrongRef]]:
    field, place = work.anchor
    if field == "goal":
        yield field, place
    for found in (work.subject(Artifact), *work.basis(Artifact)):
        if found is not None:
            yield "artifact", ref_to(found)
    for found in work.basis(Goal):
        yield "goal", ref_to(found)
    for found in (work.subject(Message), *work.basis(Message)):
        if found is not None:
            yield work.anchor_of(found)
