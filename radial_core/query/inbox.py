"""Everything that waits for one person (RK-12.6).

Strategy: nothing is kept and nothing is ticked off: a thing waits because of what is in the index, and once the act
that answers it is there, it waits no more. Work is reported to whoever asked for it; where an agent asked, to whoever
set the goal, and failing a person there, to the root. Ended goals and archived projects wait for nobody (R5). One rule
below finds one kind of thing; the table of them has the order in which a person is told.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.query.notes import Note, note
from radial_core.query.standing import places_of, superseded_in
from radial_core.records import Message
from radial_core.views import GoalView, ProjectView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.instants import Instant
    from radial_core.views import ArtifactView, MessageView, RequestView, SpaceView

    Place: TypeAlias = GoalView | ProjectView

_AHEAD: Final = 300  # seconds by which clocks may differ before a date counts as lying in the future
_NO_WORK: Final = frozenset({"review", "answer"})  # requests that take nothing further (A1)


@attrs.frozen(kw_only=True)
class Waiting:
    """One thing that waits, of a `kind` in `KINDS`, in a `space` and, if it stands at one, at a goal or project.

    `about` is the URI that the act which answers it names; `note` the record because of which it waits, with its author
    and date. `type` is the artifact type in question, if one is; `reason` says what is wrong, where something is.
    """

    kind: str
    space: str
    place: str | None
    about: str
    note: Note
    type: str | None = None
    reason: str | None = None


def inbox(index: Index, who: str, now: Instant) -> tuple[Waiting, ...]:
    """List what waits for a DID, kind by kind as in `KINDS`, each in order (createdAt, URI).

    `now` is the caller's own clock: it only tells what is dated in the future.
    """
    desks = [_Desk(index, space, who, now) for space in index.spaces]
    found = (waiting for desk in desks for rule in _RULES for waiting in rule(desk))
    entries = index.filing.entries
    return tuple(sorted(found, key=lambda each: (KINDS.index(each.kind), entries[each.note.uri].order, each.about)))


class _Desk:
    """One space as it looks to one person."""

    def __init__(self, index: Index, space: SpaceView, who: str, now: Instant) -> None:
        self.index, self.space, self.who, self.now = index, space, who, now

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The members, by DID, and whether each is a human or an agent."""
        return {member.did: member.kind for member in self.space.members}

    @cached_property
    def places(self) -> list[Place]:
        """Where work goes on: the projects that are not archived, and the goals on them that have not ended."""
        if self.who not in self.kinds:
            return []
        projects = {project.uri: project for project in self.space.projects if not project.archived}
        goals = [goal for goal in self.space.goals if not goal.ended and goal.project.uri in projects]
        return [*projects.values(), *goals]

    @cached_property
    def taken_up(self) -> frozenset[str]:
        """What somebody built upon: the artifacts on which a request for work is based, or which one is about."""
        requests = [request for place in places_of(self.space) for request in place.requests]
        work = [request for request in requests if request.type not in _NO_WORK and request.retracted_by is None]
        based = {basis.uri for request in work for basis in request.based_on or ()}
        return frozenset(based | {request.subject.uri for request in work if request.subject is not None})

    def is_mine(self, place: Place, author: str | None) -> bool:
        """Tell whether what came of something by `author` at a place is this person's to look at."""
        people = (did for did in (author, place.author) if did is not None and self.kinds.get(did) == "human")
        return next(people, self.space.root) == self.who

    def asked_by(self, artifact: ArtifactView) -> str | None:
        """Give who asked for an artifact."""
        request = self.index.request(artifact.request.uri) if artifact.request.resolved else None
        return None if request is None else request.author

    def entry(self, uri: str) -> Entry[Any]:
        """Give a record that is known to count."""
        return self.index.filing.entries[uri]

    def waiting(
        self, kind: str, place: Place | None, uri: str, about: str | None = None, *, artifact_type: str | None = None
    ) -> Waiting:
        """Say that something waits because of a record; it is about that record unless `about` says otherwise."""
        return Waiting(
            kind=kind,
            space=self.space.uri,
            place=None if place is None else place.uri,
            about=about or uri,
            note=note(self.entry(uri), self.index.place_of(uri)),
            type=artifact_type,
        )


def _questions(desk: _Desk) -> Iterator[Waiting]:
    """R6: what an agent asked and nobody has answered, of whoever is to decide and of whom it names."""
    for place, request in _requests(desk):
        for question in request.questions if request.dispatchable else ():
            if question.answered_by is None and question.author != desk.who:
                named = desk.entry(question.uri).record.mentions or ()
                if desk.who in named or desk.is_mine(place, request.author):
                    yield desk.waiting("question", place, question.uri, artifact_type=request.type)


def _addressed(desk: _Desk) -> Iterator[Waiting]:
    """R5: requests for this person; one that waits for an answer waits for somebody else."""
    for place, request in _assigned(desk):
        if not request.awaiting_input:
            about = _subject(request) if request.type in _NO_WORK else None
            yield desk.waiting("request", place, request.uri, about, artifact_type=request.type)


def _subject(request: RequestView) -> str | None:
    """L5: what a request is about need not be here."""
    return request.subject.uri if request.subject is not None and request.subject.resolved else None


def _unreviewed(desk: _Desk) -> Iterator[Waiting]:
    """X3: versions that no person has judged yet and nobody has built upon."""
    asked = {_subject(request) for _, request in _assigned(desk) if request.type == "review"}  # told of as requests
    for place, artifact in _fresh(desk):
        judged = any(desk.kinds.get(review.author) == "human" for review in artifact.reviews)
        is_mine = artifact.author != desk.who and desk.is_mine(place, desk.asked_by(artifact))
        if is_mine and not judged and artifact.uri not in asked:
            yield desk.waiting("review", place, artifact.uri, artifact_type=artifact.type)


def _red(desk: _Desk) -> Iterator[Waiting]:
    """X4: versions whose last check run failed; told to their author too."""
    for place, artifact in _fresh(desk):
        is_red = bool(artifact.checkruns) and not artifact.checkruns[-1].passed
        if is_red and (artifact.author == desk.who or desk.is_mine(place, desk.asked_by(artifact))):
            yield desk.waiting("checks", place, artifact.checkruns[-1].uri, artifact.uri, artifact_type=artifact.type)


def _fresh(desk: _Desk) -> Iterator[tuple[Place, ArtifactView]]:
    """Give the artifacts of which nothing has come yet: not superseded, not merged, not built upon."""
    for place in desk.places:
        done = superseded_in(place) | desk.taken_up
        for artifact in place.artifacts:
            if artifact.uri not in done and artifact.merged is None:
                yield place, artifact


def _declined(desk: _Desk) -> Iterator[Waiting]:
    """R4: requests that their assignee turned down, until they are retracted or somebody asks anew."""
    for place in desk.places:
        last = {request.type: request.uri for request in place.requests}
        for request in place.requests:
            is_last = request.retracted_by is None and last[request.type] == request.uri
            if request.declined_by is not None and is_last and desk.is_mine(place, request.author):
                yield desk.waiting("declined", place, request.declined_by, request.uri, artifact_type=request.type)


def _stuck(desk: _Desk) -> Iterator[Waiting]:
    """A3, R2, T5: requests that nobody can fulfil as things stand."""
    for place, request in _requests(desk):
        reason = _obstacle(desk, request) if request.dispatchable else None
        if reason is not None and desk.is_mine(place, request.author):
            found = desk.waiting("stuck", place, request.uri, artifact_type=request.type)
            yield attrs.evolve(found, reason=reason)


def _obstacle(desk: _Desk, request: RequestView) -> str | None:
    if not request.type_known:
        return "the space does not know its type"
    if request.scope_fits is False:
        return "its type does not belong where it stands"
    if request.assignee is not None and request.assignee not in desk.kinds:
        return "its assignee is no member"
    if request.type in _NO_WORK and _subject(request) is None:
        return "what it is about is not here"
    return None


def _mentions(desk: _Desk) -> Iterator[Waiting]:
    """M1: what names this person, until they reply, or say something later under the same goal or artifact."""
    asked = {waiting.about for waiting in _questions(desk)}
    for place in desk.places:
        for thread in _threads(place):
            entries = [desk.entry(message.uri) for message in thread]
            own = [entry for entry in entries if entry.did == desk.who]
            spoke = max((entry.order for entry in own), default=None)
            settled = asked | {entry.record.parent for entry in own}  # whatever the clock of who named them says
            for entry in entries:
                if _names(entry, desk.who) and entry.uri not in settled and (spoke is None or spoke < entry.order):
                    yield desk.waiting("mention", place, entry.uri)


def _names(entry: Entry[Message], who: str) -> bool:
    return entry.did != who and who in (entry.record.mentions or ())


def _threads(place: Place) -> Iterator[Iterable[MessageView]]:
    if isinstance(place, GoalView):
        yield place.messages
    for artifact in place.artifacts:
        yield artifact.messages


def _invitations(desk: _Desk) -> Iterator[Waiting]:
    """T6: a grant after which this person never opened the space."""
    for member in desk.space.members:
        if member.did == desk.who and member.kind == "human" and member.grant is not None and not member.joined:
            yield desk.waiting("invitation", None, member.grant.uri, desk.space.uri)


def _lapsed(desk: _Desk) -> Iterator[Waiting]:
    """T4, T5: trust that was taken away, with which everything that this person wrote left the view."""
    own = [grant for grant in desk.space.grants if grant.did == desk.who]
    if own and desk.who not in desk.kinds and own[-1].ended_by is not None:
        yield desk.waiting("trust", None, own[-1].ended_by)


def _ahead(desk: _Desk) -> Iterator[Waiting]:
    """P3: records dated in the future win until then; told to their author and to admins."""
    holding = desk.index.filing.holdings[desk.space.uri]
    latest = desk.now.plus(_AHEAD)
    for shelf in holding.shelves():
        for entries in shelf.records.values():
            for entry in reversed(entries):
                if entry.instant <= latest:
                    break
                if entry.did == desk.who or holding.trust.is_admin(desk.who):
                    yield desk.waiting("future", None, entry.uri)


def _assigned(desk: _Desk) -> Iterator[tuple[Place, RequestView]]:
    return ((place, r) for place, r in _requests(desk) if r.assignee == desk.who and r.dispatchable)


def _requests(desk: _Desk) -> Iterator[tuple[Place, RequestView]]:
    return ((place, request) for place in desk.places for request in place.requests)


_KINDS: Final[tuple[tuple[str, Callable[[_Desk], Iterator[Waiting]]], ...]] = (
    ("question", _questions),
    ("request", _addressed),
    ("review", _unreviewed),
    ("checks", _red),
    ("declined", _declined),
    ("stuck", _stuck),
    ("mention", _mentions),
    ("invitation", _invitations),
    ("trust", _lapsed),
    ("future", _ahead),
)
KINDS: Final = tuple(kind for kind, _ in _KINDS)
_RULES: Final = tuple(rule for _, rule in _KINDS)
