"""From a holding to its views: one rule's result handed to the next, place by place.

Strategy: a project or goal is shown from its own shelf, from what its whole space decides (who is trusted, which types
there are, the state of its project), and from what it asks about records elsewhere. A view remembers all three; as
long as each of them is what it was, the view is what it was, in whatever index of the same lineage. So after one more
record only the places that it concerns are shown anew. No view looks at another view, except that a project's documents
count the merges on its goals (X6).
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from radial_core.digest import place_digest, space_digest
from radial_core.entries import in_order
from radial_core.places import Estate, Place, show, show_field
from radial_core.records import Artifact, ArtifactRequest, Goal, Join, Message, Project, RadialRecord, Review
from radial_core.rules.artifacts import artifact_view, chains, gather_hangings, merge_instants, system_views
from radial_core.rules.claims import mark, rank
from radial_core.rules.goals import ending
from radial_core.rules.guests import asks_for_comments, guest_views
from radial_core.rules.membership import grant_views, member_views
from radial_core.rules.projects import project_state
from radial_core.rules.registry import agent_view, fit, registry
from radial_core.rules.requests import Standing, gather_echoes, request_view
from radial_core.rules.threads import show_parent, talk, threads
from radial_core.views import GoalView, MessageView, ProjectView, SpaceView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from radial_core.entries import Entry
    from radial_core.filing import Filing
    from radial_core.instants import Instant
    from radial_core.persistent import PersistentMap
    from radial_core.places import Holding, Shelf, Trust
    from radial_core.rules.projects import ProjectState
    from radial_core.rules.requests import Echoes
    from radial_core.rules.threads import Post
    from radial_core.views import ArtifactView, ClaimMark, RequestView, TypeView

PlaceView: TypeAlias = "ProjectView | GoalView"


class Grounds(NamedTuple):
    """Everything that a view of a place was made from, but for the answers it asked for."""

    shelf: Shelf
    trust: Trust
    types: Mapping[str, TypeView]
    state: ProjectState
    merged: tuple[Instant, ...]
    abroad: tuple[tuple[Entry[Any], Shelf], ...]


class Memo(NamedTuple):
    """A view with its grounds, and with what it asked of its space: questions and the answers that they got."""

    grounds: Grounds
    answers: Mapping[tuple[Any, ...], object]
    view: PlaceView


Memos: TypeAlias = "dict[str, Memo]"


class _Witness(Estate):
    """An estate that remembers what it was asked and what it said."""

    def __init__(self, uri: str, trust: Trust, filing: Filing) -> None:
        super().__init__(uri, trust, filing.register)
        self.filing = filing
        self.answers: dict[tuple[Any, ...], object] = {}

    def find(self, uri: str | None, *kinds: type[RadialRecord]) -> Entry[Any] | None:
        found = super().find(uri, *kinds)
        if uri is not None:
            self.answers["find", uri, *kinds] = found
        return found

    def home(self, uri: str) -> str | None:
        home = super().home(uri)
        self.answers["home", uri] = home
        return home

    def had_lost(self, claim: str) -> bool:
        """C7: whether a claim that counts had lost from the start."""
        shelf = self.filing.shelf_of(claim)
        lost = shelf is not None and claim in shelf.fact(rank).lost
        self.answers["had_lost", claim] = lost
        return lost

    def would_repeat(self, answers: Mapping[tuple[Any, ...], object]) -> bool:
        """Tell whether the same questions get the same answers now."""
        return all(getattr(self, question)(*about) == answer for (question, *about), answer in answers.items())


class Assembly:
    """The views of one space in one index. `memos` are by place, and shared with the indexes that it grew from."""

    def __init__(self, filing: Filing, holding: Holding, memos: Memos) -> None:
        self.filing = filing
        self.holding = holding
        self.memos = memos
        self.types = holding.own.fact(registry)

    def place(self, shelf: Shelf) -> PlaceView:
        """Show a project or a goal: as it was shown before, if nothing that it rests on has changed."""
        uri = shelf.entry.uri
        grounds = self._grounds(shelf)
        witness = _Witness(self.holding.space.uri, self.holding.trust, self.filing)
        memo = self.memos.get(uri)
        if memo is not None and memo.grounds == grounds and witness.would_repeat(memo.answers):
            return memo.view
        witness.answers = {}
        view = _Showing(grounds, witness).view()
        self.memos[uri] = Memo(grounds, witness.answers, view)
        return view

    def _grounds(self, shelf: Shelf) -> Grounds:
        project = self.holding.projects.get(shelf.project) or shelf
        merged = tuple(self._merged.get(shelf.entry.uri, ())) if project is shelf else ()
        return Grounds(
            shelf, self.holding.trust, self.types, project.fact(project_state), merged, tuple(self.abroad(shelf))
        )

    @cached_property
    def _merged(self) -> dict[str, list[Instant]]:
        """The instants at which implementations on the goals of each project were merged, in order (X6)."""
        instants: dict[str, list[Instant]] = {}
        for goal in self.holding.goals.values():
            instants.setdefault(goal.project, []).extend(goal.fact(merge_instants))
        return {project: sorted(found) for project, found in instants.items()}

    def abroad(self, shelf: Shelf) -> Iterator[tuple[Entry[Any], Shelf]]:
        """Give what stands at other places of the space and names a request of this one, with its place."""
        for request in shelf.all(ArtifactRequest):
            watchers = self.filing.watchers_of(request.uri)
            if not watchers:
                continue
            found = (self.filing.entries.get(uri) for uri in watchers)
            for entry in in_order(entry for entry in found if entry is not None and _names(entry, request.uri)):
                home = self.filing.homes.get(entry.uri)
                place = None if home is None else self.holding.shelf(home)
                if place is not None:
                    yield entry, place

    def space(self) -> SpaceView:
        """Show the space with everything in it."""
        holding, space = self.holding, self.holding.space
        joined = frozenset(entry.did for entry in holding.own.all(Join))
        agents = sorted(holding.agents, key=lambda entry: entry.uri)
        return SpaceView(
            uri=space.uri,
            cid=space.cid,
            digest=holding.fact(space_digest),
            name=space.record.name,
            description=space.record.description,
            root=space.did,
            records=_uris((*holding.own.everything(), *holding.agents)),
            members=member_views(space, holding.trust, joined),
            grants=grant_views(holding.membership),
            guest_comments=asks_for_comments(holding.own),
            artifact_types=tuple(self.types.values()),
            agents=tuple(agent_view(entry) for entry in agents),
            projects=tuple(cast("ProjectView", self.place(shelf)) for shelf in in_places(holding.projects)),
            goals=tuple(cast("GoalView", self.place(shelf)) for shelf in in_places(holding.goals)),
        )


class _Showing:
    """One project or goal as it is shown."""

    def __init__(self, grounds: Grounds, witness: _Witness) -> None:
        self.grounds = grounds
        self.shelf = grounds.shelf
        self.estate = witness
        self.shown = Place(self.shelf, witness)
        self.leases = self.shelf.fact(rank).leases
        self.mark = partial(_mark, witness)

    def view(self) -> PlaceView:
        return self.goal() if self.shelf.entry.record.__class__ is Goal else self.project()

    def project(self) -> ProjectView:
        project: Entry[Project] = self.shelf.entry
        state = self.grounds.state
        versions = chains(self.shown)
        return ProjectView(
            uri=project.uri,
            cid=project.cid,
            digest=self.shelf.fact(place_digest),
            author=project.did,
            created_at=project.created_at,
            name=state.name,
            git_url=state.git_url,
            default_branch=state.default_branch,
            checks=project.record.checks,
            archived=state.archived,
            auto_review=state.auto_review,
            records=_uris(self.shelf.everything()),
            requests=self.requests(active=not state.archived),
            artifacts=self.artifacts(self.messages()),
            chains=versions,
            system=system_views(self.shown, versions, self.grounds.merged),
        )

    def goal(self) -> GoalView:
        goal: Entry[Goal] = self.shelf.entry
        ended = ending(self.shelf)
        messages = self.messages()
        return GoalView(
            uri=goal.uri,
            cid=goal.cid,
            digest=self.shelf.fact(place_digest),
            author=goal.did,
            created_at=goal.created_at,
            project=show(goal.value["project"], self.estate.find(goal.record.project)),
            title=goal.record.title,
            ended=ended is not None,
            ending=ended,
            records=_uris(self.shelf.everything()),
            # R5: nothing is dispatched on an ended goal or under an archived project.
            requests=self.requests(active=ended is None and not self.grounds.state.archived),
            artifacts=self.artifacts(messages),
            chains=chains(self.shown),
            messages=messages.get(goal.uri, ()),
            guests=guest_views(self.shown),
        )

    def requests(self, *, active: bool) -> tuple[RequestView, ...]:
        echoes = echoes_at(self.shelf, self.grounds.abroad)
        return tuple(
            request_view(entry, self.shown, echoes, self.standing(entry, active=active))
            for entry in self.shelf.all(ArtifactRequest)
        )

    def standing(self, entry: Entry[ArtifactRequest], *, active: bool) -> Standing:
        return Standing(active, *fit(entry.record, self.grounds.types), self.leases.get(entry.uri, ()))

    def artifacts(self, messages: Mapping[str, tuple[MessageView, ...]]) -> tuple[ArtifactView, ...]:
        hangings = gather_hangings(self.shelf, messages)
        auto_review = self.grounds.state.auto_review
        return tuple(
            artifact_view(entry, self.shown, hangings, auto_review, self.mark) for entry in self.shelf.all(Artifact)
        )

    def messages(self) -> dict[str, tuple[MessageView, ...]]:
        return {
            anchor: tuple(self.message(post) for post in posts) for anchor, posts in self.shelf.fact(threads).items()
        }

    def message(self, post: Post) -> MessageView:
        entry, record = post.entry, post.entry.record
        request = self.estate.find(record.re, ArtifactRequest)
        return MessageView(
            uri=entry.uri,
            cid=entry.cid,
            author=entry.did,
            created_at=entry.created_at,
            parent=show_parent(post),
            depth=post.depth,
            re=show_field(entry, "re", request),
            claim=self.mark(record.claim, record.re),  # C7: a message's request is its `re`
        )


def echoes_at(shelf: Shelf, abroad: Sequence[tuple[Entry[Any], Shelf]]) -> Echoes:
    """Gather what names the requests of a place; a message of another place stands in a thread there (M1)."""
    own = shelf.fact(talk)
    said = [(entry.uri, there.fact(talk)) for entry, there in abroad]
    parents = own.parents | {uri: there.parents[uri] for uri, there in said if uri in there.parents}
    replies = own.replies | {uri: there.replies[uri] for uri, there in said if uri in there.replies}
    return gather_echoes(shelf, [entry for entry, _ in abroad], parents, replies)


def _mark(witness: _Witness, claim: str | None, request: str | None) -> ClaimMark | None:
    return mark(claim, request, witness, witness.had_lost)


def _names(entry: Entry[Any], request: str) -> bool:
    """R2, R4, R6: a review names a request as what it answers, a message as what it is about."""
    record = entry.record
    return (record.__class__ is Review and record.request == request) or (
        record.__class__ is Message and record.re == request
    )


def in_places(places: PersistentMap[str, Shelf]) -> list[Shelf]:
    """Give shelves in the order of their own records (createdAt, URI)."""
    return sorted(places.values(), key=lambda shelf: shelf.entry.order)


def _uris(entries: Iterable[Entry[Any]]) -> tuple[str, ...]:
    """§15: every record that counts at a place, in order."""
    return tuple(entry.uri for entry in in_order(entries))
