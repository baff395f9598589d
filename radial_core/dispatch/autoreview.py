"""What follows from an artifact that landed: its review, its checks, its merge (R8, X4, X5; seed §7, §10).

Strategy: each of the three is done by the daemon that runs the artifact's author, so that one does it and not
everybody, and is done once. A request for a review by anybody at all is enough. Nothing follows from a verdict, from
checks or from a merge: an automatic review is the one hop there is. When a goal has ended or its project is archived,
nothing follows from its artifacts either. What a record links goes on to git and to a forge: what is no whole commit
hash, or cannot name a pull request, goes nowhere and is told instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.actions import PollMerge, RequestReview, RunChecks, Warn
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.links import is_full_hash, is_pull
from radial_core.places import Estate, grouped
from radial_core.records import Artifact, ArtifactRequest, Checkrun, Links, Merge, Project
from radial_core.rules.artifacts import is_auto_reviewed
from radial_core.rules.projects import project_state
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.routing import Hands
    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding, Shelf

_NO_LINKS: Final = Links()
_NO_HASH: Final = "no whole commit hash: no checks run"
_NO_PULL: Final = "no address of a pull request: nobody looks whether it was merged"


class Landed(NamedTuple):
    """What the artifacts of one place call for, as far as the index goes; `refused` tells of useless links."""

    reviews: tuple[RequestReview, ...] = ()
    checks: tuple[RunChecks, ...] = ()
    merges: tuple[PollMerge, ...] = ()
    refused: tuple[Warn, ...] = ()


def reviewed_at(place: Shelf) -> frozenset[str]:
    """Give the artifacts for which somebody asked for a review here."""
    requests = (entry.record for entry in place.all(ArtifactRequest))
    return frozenset(one.subject for one in requests if one.type == "review" and one.subject is not None)


def landed_at(index: Index, holding: Holding, place: Shelf, hands: Hands) -> Landed:
    """Gather what the artifacts of our agents call for at a place where work goes on (R5)."""
    ours = [entry for entry in place.all(Artifact) if entry.did in hands.members]
    project = holding.projects.get(place.project)
    if not ours or project is None:
        return Landed()
    estate = Estate(holding.space.uri, holding.trust, index.filing.register)
    linked = [(entry, entry.record.links or _NO_LINKS) for entry in ours]
    record: Project = project.entry.record
    checks = tuple(_checks(project.entry.uri, place, linked)) if record.checks else ()
    merges = tuple(_merges(place, linked))
    return Landed(
        tuple(_reviews(estate, place, project, ours)),
        tuple(one for one in checks if is_full_hash(one.commit)),
        tuple(one for one in merges if is_pull(one.pr)),
        (
            *(_refused(one.artifact, "commit", one.commit, _NO_HASH) for one in checks if not is_full_hash(one.commit)),
            *(_refused(one.artifact, "pr", one.pr, _NO_PULL) for one in merges if not is_pull(one.pr)),
        ),
    )


def _refused(artifact: str, link: str, said: str, what: str) -> Warn:
    return Warn(key=f"link {link} {artifact}", text=f"{artifact} links the {link} {quoted(said)}, which is {what}")


def _reviews(estate: Estate, place: Shelf, project: Shelf, ours: list[Entry[Artifact]]) -> Iterator[RequestReview]:
    reviewed, wanted = reviewed_at(place), project.fact(project_state).auto_review
    for entry in ours:
        request = estate.find(entry.record.request, ArtifactRequest)
        automatic = is_auto_reviewed(entry.record, None if request is None else request.record, wanted)
        if automatic and entry.uri not in reviewed:
            rkey = record_key("review request", entry.uri)
            yield RequestReview(artifact=entry.uri, anchor=place.entry.uri, did=entry.did, rkey=rkey)


def _checks(project: str, place: Shelf, linked: list[tuple[Entry[Artifact], Links]]) -> Iterator[RunChecks]:
    runs = grouped((run.record.artifact, run) for run in place.all(Checkrun))
    for entry, links in linked:
        commit = links.commit
        if entry.record.type != "implementation" or not commit:
            continue
        if all(run.record.commit != commit for run in runs.get(entry.uri, ())):
            rkey = record_key("checkrun", entry.uri, commit)
            yield RunChecks(artifact=entry.uri, project=project, commit=commit, did=entry.did, rkey=rkey)


def _merges(place: Shelf, linked: list[tuple[Entry[Artifact], Links]]) -> Iterator[PollMerge]:
    merged = {entry.record.artifact for entry in place.all(Merge)}
    for entry, links in linked:
        if links.pr is not None and entry.uri not in merged:
            rkey = record_key("merge", entry.uri, links.pr)
            yield PollMerge(artifact=entry.uri, pr=links.pr, did=entry.did, rkey=rkey)
