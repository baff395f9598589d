"""What follows from an artifact that landed: its review, its checks, its merge (R8, X4, X5; seed §7, §10).

Strategy: each of the three is done by the daemon that runs the artifact's author, so that one does it and not
everybody, and is done once. A request for a review by anybody at all is enough. Nothing follows from a verdict, from
checks or from a merge: an automatic review is the one hop there is, and a version that another follows needs none
(decision 0019). When a goal has ended or its project is archived, nothing follows from its artifacts either. What a
record links goes on to git and to a forge: what is no whole commit hash, or cannot name a pull request, goes nowhere
and is told instead. Most of a place is history: what was read off it before is kept while the records that it was read
off stand, and what is still called for is not made again.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from radial_core.dispatch.actions import PollMerge, RequestReview, RunChecks, Warn
from radial_core.dispatch.keys import record_key
from radial_core.dispatch.links import is_full_hash, is_pull
from radial_core.records import Artifact, ArtifactRequest, Checkrun, Links, Merge
from radial_core.rules.artifacts import is_auto_reviewed
from radial_core.rules.projects import project_state
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.entries import Entry
    from radial_core.places import Shelf
    from radial_core.records import Project, RadialRecord

_NO_LINKS: Final = Links()
_NO_HASH: Final = "no whole commit hash: no checks run"
_NO_PULL: Final = "no address of a pull request: nobody looks whether it was merged"


class Terms(NamedTuple):
    """What a project says of the work on it and on its goals; a docket reads nothing else of it."""

    project: str
    archived: bool
    has_checks: bool
    auto_review: Mapping[str, bool]


class Ground(NamedTuple):
    """What is read for what landed at a place: its records, its project's terms, who of our agents is a member."""

    place: Shelf
    terms: Terms
    ours: frozenset[str]


class Landed(NamedTuple):
    """What the artifacts of one place call for, as far as the index goes; useless links are told of in its stead."""

    reviews: tuple[RequestReview, ...] = ()
    checks: tuple[RunChecks | Warn, ...] = ()
    merges: tuple[PollMerge | Warn, ...] = ()


def terms_of(project: Shelf) -> Terms:
    """Read a project's terms off its shelf."""
    record: Project = project.entry.record
    state = project.fact(project_state)
    return Terms(project.entry.uri, state.archived, bool(record.checks), state.auto_review)


def reviewed_at(place: Shelf) -> frozenset[str]:
    """Give the artifacts for which somebody asked for a review here."""
    requests = (entry.record for entry in place.all(ArtifactRequest))
    return frozenset(one.subject for one in requests if one.type == "review" and one.subject is not None)


def landed_at(ground: Ground, before: Ground | None, had: Landed) -> Landed:
    """Gather what the artifacts of our agents call for at a place where work goes on (R5).

    `had` is what they called for on the ground `before`.
    """
    ours = [entry for entry in ground.place.all(Artifact) if entry.did in ground.ours]
    stands = partial(_stands, ground, before)
    return Landed(
        had.reviews if stands(ArtifactRequest, "auto_review") else tuple(_reviews(ground, ours, had)),
        had.checks if stands(Checkrun, "project", "has_checks") else tuple(_checks(ground, ours, had)),
        had.merges if stands(Merge) else tuple(_merges(ground, ours, had)),
    )


def _stands(ground: Ground, before: Ground | None, kind: type[RadialRecord], *terms: str) -> bool:
    """Tell whether nothing has moved of what is read for one of the three: an unchanged list is the same list."""
    if before is None or ground.ours != before.ours:
        return False
    if any(getattr(ground.terms, term) != getattr(before.terms, term) for term in terms):
        return False
    now, then = ground.place.records, before.place.records
    return now.get(Artifact) is then.get(Artifact) and now.get(kind) is then.get(kind)


def _reviews(ground: Ground, ours: list[Entry[Artifact]], had: Landed) -> Iterator[RequestReview]:
    known = {asked.artifact: asked for asked in had.reviews}
    place, wanted, reviewed = ground.place, ground.terms.auto_review, reviewed_at(ground.place)
    followed = {(entry.record.prev, entry.record.type) for entry in place.all(Artifact)}  # X2
    requests = {entry.uri: entry.record for entry in place.all(ArtifactRequest)}  # R2: of the same place
    for entry in ours:
        uri, record = entry.uri, entry.record
        if uri in reviewed or (uri, record.type) in followed:
            continue
        if is_auto_reviewed(record, requests.get(record.request), wanted):
            yield known.get(uri) or _review(ground, entry)


def _review(ground: Ground, entry: Entry[Artifact]) -> RequestReview:
    rkey = record_key("review request", entry.uri)
    return RequestReview(artifact=entry.uri, anchor=ground.place.entry.uri, did=entry.did, rkey=rkey)


def _checks(ground: Ground, ours: list[Entry[Artifact]], had: Landed) -> Iterator[RunChecks | Warn]:
    if not ground.terms.has_checks:
        return
    project = ground.terms.project
    known = {(one.artifact, one.commit, one.project): one for one in had.checks if isinstance(one, RunChecks)}
    run = {(entry.record.artifact, entry.record.commit) for entry in ground.place.all(Checkrun)}
    for entry in ours:
        commit = (entry.record.links or _NO_LINKS).commit
        if entry.record.type == "implementation" and commit and (entry.uri, commit) not in run:
            yield known.get((entry.uri, commit, project)) or _check(project, entry, commit)


def _check(project: str, entry: Entry[Artifact], commit: str) -> RunChecks | Warn:
    if not is_full_hash(commit):
        return _refused(entry, "commit", commit, _NO_HASH)
    rkey = record_key("checkrun", entry.uri, commit)
    return RunChecks(artifact=entry.uri, project=project, commit=commit, did=entry.did, rkey=rkey)


def _merges(ground: Ground, ours: list[Entry[Artifact]], had: Landed) -> Iterator[PollMerge | Warn]:
    known = {(one.artifact, one.pr): one for one in had.merges if isinstance(one, PollMerge)}
    merged = {entry.record.artifact for entry in ground.place.all(Merge)}
    for entry in ours:
        pr = (entry.record.links or _NO_LINKS).pr
        if pr is not None and entry.uri not in merged:
            yield known.get((entry.uri, pr)) or _merge(entry, pr)


def _merge(entry: Entry[Artifact], pr: str) -> PollMerge | Warn:
    if not is_pull(pr):
        return _refused(entry, "pr", pr, _NO_PULL)
    return PollMerge(artifact=entry.uri, pr=pr, did=entry.did, rkey=record_key("merge", entry.uri, pr))


def _refused(entry: Entry[Artifact], link: str, said: str, what: str) -> Warn:
    """Tell it once for each version: another one may link something else that is no better."""
    text = f"{entry.uri} links the {link} {quoted(said)}, which is {what}"
    return Warn(key=f"link {link} {entry.uri}#{entry.cid}", text=text)
