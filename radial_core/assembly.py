"""From a filed space to its view: one rule's result handed to the next.

Strategy: what spans a whole space is computed once (registry, claims, threads, what names the requests); then each
project and goal is shown from its own records and those results. No view looks at another view, except that a project's
documents count the merges on its goals (X6).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from radial_core.entries import in_order
from radial_core.places import show, show_field
from radial_core.records import Artifact, ArtifactRequest, Goal, Join, Project
from radial_core.rules.artifacts import artifact_view, chains, gather_hangings, merge_instants, system_views
from radial_core.rules.claims import mark
from radial_core.rules.goals import ending
from radial_core.rules.guests import asks_for_comments, guest_views
from radial_core.rules.membership import member_views
from radial_core.rules.projects import project_state
from radial_core.rules.registry import agent_view, fit, registry
from radial_core.rules.requests import Standing, gather_echoes, request_view
from radial_core.rules.threads import show_parent, threads
from radial_core.views import GoalView, MessageView, ProjectView, SpaceView

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.entries import Entry
    from radial_core.leases import Lease
    from radial_core.places import Estate, Place
    from radial_core.rules.claims import Ranking
    from radial_core.rules.threads import Post
    from radial_core.views import ArtifactView, ClaimMark, RequestView


def assemble(estate: Estate, rankings: Mapping[str, Ranking], digests: Mapping[str, str]) -> SpaceView:
    """Show a space with everything that counts in it; claims and digests are given by the URI of their place."""
    return _Assembly(estate, rankings, digests).space()


class _Assembly:
    """One space under assembly: what spans it, then its places one by one."""

    def __init__(self, estate: Estate, rankings: Mapping[str, Ranking], digests: Mapping[str, str]) -> None:
        self.estate = estate
        self.digests = digests
        self.types = registry(estate.place)
        self.states = {project.entry.uri: project_state(project) for project in estate.projects}
        self.endings = {goal.entry.uri: ending(goal) for goal in estate.goals}
        self.goals_of: dict[str, list[Place]] = {}
        for goal in estate.goals:
            self.goals_of.setdefault(goal.project.entry.uri, []).append(goal)
        self.leases = {place.entry.uri: rankings[place.entry.uri].leases for place in estate.places()}
        lost = frozenset[str]().union(*(rankings[uri].lost for uri in self.leases))
        self.mark = partial(_mark, estate, lost)
        self.threads = {place.entry.uri: threads(place) for place in estate.places()}
        self.echoes = gather_echoes(estate, _parents(self.threads))

    def space(self) -> SpaceView:
        estate, space = self.estate, self.estate.space
        members = member_views(space, estate.trust, frozenset(entry.did for entry in estate.place.all(Join)))
        types = tuple(self.types.values())
        guest_comments = asks_for_comments(estate.place)
        goals = tuple(self.goal(goal) for goal in estate.goals)
        projects = tuple(self.project(project) for project in estate.projects)
        return SpaceView(
            uri=space.uri,
            cid=space.cid,
            digest=self.digests[space.uri],
            name=space.record.name,
            description=space.record.description,
            root=space.did,
            records=_uris(estate.place, *estate.agents),
            members=members,
            grants=estate.grants,
            guest_comments=guest_comments,
            artifact_types=types,
            agents=tuple(agent_view(entry) for entry in sorted(estate.agents, key=lambda entry: entry.uri)),
            projects=projects,
            goals=goals,
        )

    def project(self, place: Place) -> ProjectView:
        project: Entry[Project] = place.entry
        state = self.states[project.uri]
        versions = chains(place)
        merged = merge_instants(self.goals_of.get(project.uri, ()))
        return ProjectView(
            uri=project.uri,
            cid=project.cid,
            digest=self.digests[project.uri],
            author=project.did,
            created_at=project.created_at,
            name=state.name,
            git_url=state.git_url,
            default_branch=state.default_branch,
            checks=project.record.checks,
            archived=state.archived,
            auto_review=state.auto_review,
            records=_uris(place),
            requests=self.requests(place, active=not state.archived),
            artifacts=self.artifacts(place, self.messages(place)),
            chains=versions,
            system=system_views(place, versions, merged),
        )

    def goal(self, place: Place) -> GoalView:
        goal: Entry[Goal] = place.entry
        ended = self.endings[goal.uri]
        # R5: nothing is dispatched on an ended goal or under an archived project.
        active = ended is None and not self.states[place.project.entry.uri].archived
        messages = self.messages(place)
        return GoalView(
            uri=goal.uri,
            cid=goal.cid,
            digest=self.digests[goal.uri],
            author=goal.did,
            created_at=goal.created_at,
            project=show(goal.value["project"], place.project.entry),
            title=goal.record.title,
            ended=ended is not None,
            ending=ended,
            records=_uris(place),
            requests=self.requests(place, active=active),
            artifacts=self.artifacts(place, messages),
            chains=chains(place),
            messages=messages.get(goal.uri, ()),
            guests=guest_views(place),
        )

    def requests(self, place: Place, *, active: bool) -> tuple[RequestView, ...]:
        leases = self.leases[place.entry.uri]
        return tuple(
            request_view(entry, place, self.echoes, self.standing(entry, leases, active=active))
            for entry in place.all(ArtifactRequest)
        )

    def standing(
        self, entry: Entry[ArtifactRequest], leases: Mapping[str, tuple[Lease, ...]], *, active: bool
    ) -> Standing:
        return Standing(active, *fit(entry.record, self.types), leases.get(entry.uri, ()))

    def artifacts(self, place: Place, messages: Mapping[str, tuple[MessageView, ...]]) -> tuple[ArtifactView, ...]:
        hangings = gather_hangings(place, messages)
        auto_review = self.states[place.project.entry.uri].auto_review
        return tuple(artifact_view(entry, place, hangings, auto_review, self.mark) for entry in place.all(Artifact))

    def messages(self, place: Place) -> dict[str, tuple[MessageView, ...]]:
        return {
            anchor: tuple(self.message(post) for post in posts)
            for anchor, posts in self.threads[place.entry.uri].items()
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


def _mark(estate: Estate, lost: frozenset[str], claim: str | None, request: str | None) -> ClaimMark | None:
    return mark(claim, request, estate, lost)


def _parents(threads: Mapping[str, Mapping[str, tuple[Post, ...]]]) -> dict[str, str]:
    return {
        post.entry.uri: post.parent.uri
        for anchored in threads.values()
        for posts in anchored.values()
        for post in posts
        if post.parent is not None
    }


def _uris(place: Place, *more: Entry[Any]) -> tuple[str, ...]:
    """§15: every record that counts at a place, in order."""
    entries = in_order((*place.everything(), *more)) if more else place.everything()
    return tuple(entry.uri for entry in entries)
