"""What follows from an artifact that landed: its review, its checks, its merge (R8, X4, X5; seed §7, §10).

Strategy: each of the three is done by the daemon that runs the artifact's author, so that one does it and not
everybody, and is done once. A request for a review by anybody at all is enough. Nothing follows from a verdict, from
checks or from a merge: an automatic review is the one hop there is. When a goal has ended or its project is archived,
nothing follows from its artifacts either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.dispatch.actions import PollMerge, RequestReview, RunChecks
from radial_core.dispatch.keys import record_key
from radial_core.records import Artifact, Links, Project
from radial_core.rules.projects import project_state
from radial_core.views import GoalView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.routing import Hands
    from radial_core.index import Index
    from radial_core.views import ArtifactView, ProjectView

_NO_LINKS = Links()


class Landed(NamedTuple):
    """What the artifacts of one place call for, as far as the index goes."""

    reviews: tuple[RequestReview, ...] = ()
    checks: tuple[RunChecks, ...] = ()
    merges: tuple[PollMerge, ...] = ()


def reviewed_in(place: GoalView | ProjectView) -> frozenset[str]:
    """Give the artifacts for which somebody asked for a review here."""
    return frozenset(
        request.subject.uri for request in place.requests if request.type == "review" and request.subject is not None
    )


def landed_in(index: Index, place: GoalView | ProjectView, hands: Hands) -> Landed:
    """Gather what the artifacts of our agents at a place call for; nothing where all work has stopped (R5)."""
    project = place.project.uri if isinstance(place, GoalView) else place.uri
    shelf = index.filing.shelf_of(project)
    ended = isinstance(place, GoalView) and place.ended
    if shelf is None or ended or shelf.fact(project_state).archived:
        return Landed()
    ours = [artifact for artifact in place.artifacts if artifact.author in hands.members]
    linked = [(artifact, _links(index, artifact)) for artifact in ours]
    record: Project = shelf.entry.record
    return Landed(
        tuple(_reviews(place.uri, ours, reviewed_in(place))),
        tuple(_checks(project, linked)) if record.checks else (),
        tuple(_merges(linked)),
    )


def _links(index: Index, artifact: ArtifactView) -> Links:
    record: Artifact = index.filing.entries[artifact.uri].record
    return record.links or _NO_LINKS


def _reviews(anchor: str, ours: list[ArtifactView], reviewed: frozenset[str]) -> Iterator[RequestReview]:
    for artifact in ours:
        if artifact.auto_review and artifact.uri not in reviewed:
            rkey = record_key("review request", artifact.uri)
            yield RequestReview(artifact=artifact.uri, anchor=anchor, did=artifact.author, rkey=rkey)


def _checks(project: str, linked: list[tuple[ArtifactView, Links]]) -> Iterator[RunChecks]:
    for artifact, links in linked:
        commit = links.commit
        if artifact.type == "implementation" and commit and all(run.commit != commit for run in artifact.checkruns):
            rkey = record_key("checkrun", artifact.uri, commit)
            yield RunChecks(artifact=artifact.uri, project=project, commit=commit, did=artifact.author, rkey=rkey)


def _merges(linked: list[tuple[ArtifactView, Links]]) -> Iterator[PollMerge]:
    for artifact, links in linked:
        if links.pr is not None and artifact.merged is None:
            rkey = record_key("merge", artifact.uri, links.pr)
            yield PollMerge(artifact=artifact.uri, pr=links.pr, did=artifact.author, rkey=rkey)
