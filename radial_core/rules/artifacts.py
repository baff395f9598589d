"""Artifacts with what hangs on them: reviews, checks, merges, versions, a project's own documents (X1–X6, R2, R8).

Strategy: what names an artifact is gathered by its URI, place by place; a place's artifacts never need another's.
Chains are the connected sets of `prev`, found without following anything, so that a cycle is a chain like any other.
Verdicts, checks and merges are shown; none of them gates anything.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from radial_core.places import grouped, show, show_field
from radial_core.records import Artifact, ArtifactRequest, Checkrun, Merge, Review
from radial_core.rulings import Ruling, quoted
from radial_core.views import ArtifactView, ChainView, CheckrunView, MergedView, ReviewView, SystemView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from radial_core.entries import Entry
    from radial_core.instants import Instant
    from radial_core.places import Estate, Place, Shelf, Site
    from radial_core.views import ClaimMark, MessageView

_ANSWERED_OTHERWISE = {"review": "a review", "answer": "a message"}


def refuse_artifact(entry: Entry[Artifact], site: Site) -> Ruling | None:
    """R2: an artifact answers a request of its own anchor and type, and none for a review or an answer."""
    found = site.estate.find(entry.record.request, ArtifactRequest)
    if found is None:
        return None
    request: ArtifactRequest = found.record
    if request.type in _ANSWERED_OTHERWISE:
        return Ruling("R2", f"the request is for {_ANSWERED_OTHERWISE[request.type]}: no artifact answers it")
    home = site.estate.home(found.uri)
    if home != site.entry.uri:
        return Ruling("R2", f"the request stands on {home}, the artifact on {site.entry.uri}")
    if request.type != entry.record.type:
        return Ruling("R2", f"the request is for {quoted(request.type)}, the artifact is {quoted(entry.record.type)}")
    return None


def refuse_review(entry: Entry[Review], site: Site) -> Ruling | None:
    """R2: a review that answers a request answers a review request with the same subject."""
    found = site.estate.find(entry.record.request, ArtifactRequest)
    if found is None:
        return None
    request: ArtifactRequest = found.record
    if request.type != "review" or request.subject is None:
        return Ruling("R2", f"the request is for {quoted(request.type)}: no review answers it")
    if request.subject != entry.record.subject:
        return Ruling("R2", f"the request asks for a review of {request.subject}")
    return None


class Hangings(NamedTuple):
    """What hangs on the artifacts of a place, by the URI of the artifact, in order (createdAt, URI)."""

    reviews: Mapping[str, Sequence[Entry[Review]]]
    checkruns: Mapping[str, Sequence[Entry[Checkrun]]]
    merges: Mapping[str, Sequence[Entry[Merge]]]
    messages: Mapping[str, tuple[MessageView, ...]]


def gather_hangings(place: Shelf, messages: Mapping[str, tuple[MessageView, ...]]) -> Hangings:
    """Gather what hangs on a place's artifacts; `messages` are its threads by anchor."""
    return Hangings(
        reviews=grouped((entry.record.subject, entry) for entry in place.all(Review)),
        checkruns=grouped((entry.record.artifact, entry) for entry in place.all(Checkrun)),
        merges=grouped((entry.record.artifact, entry) for entry in place.all(Merge)),
        messages=messages,
    )


def artifact_view(
    entry: Entry[Artifact],
    place: Place,
    hangings: Hangings,
    auto_review: Mapping[str, bool],
    mark: Callable[[str | None, str | None], ClaimMark | None],
) -> ArtifactView:
    """Show an artifact. `auto_review` is the project's effective map, `mark` shows a claim for a request (C7)."""
    record = entry.record
    request = place.estate.find(record.request, ArtifactRequest)
    return ArtifactView(
        uri=entry.uri,
        cid=entry.cid,
        author=entry.did,
        created_at=entry.created_at,
        type=record.type,
        title=record.title,
        request=show(entry.value["request"], request),
        prev=show_field(entry, "prev", find_prev(entry, place)),
        model=record.model,
        claim=mark(record.claim, record.request),
        auto_review=is_auto_reviewed(record, request.record if request is not None else None, auto_review),
        reviews=tuple(
            _review_view(review, entry, place.estate, mark) for review in hangings.reviews.get(entry.uri, ())
        ),
        checkruns=tuple(_checkrun_view(run) for run in hangings.checkruns.get(entry.uri, ())),
        merged=_merged_view(hangings.merges.get(entry.uri, ())),
        messages=hangings.messages.get(entry.uri, ()),
    )


def is_auto_reviewed(artifact: Artifact, request: ArtifactRequest | None, auto_review: Mapping[str, bool]) -> bool:
    """R8: the request's word, else the project's for the artifact's type, else no."""
    if request is not None and request.auto_review is not None:
        return request.auto_review
    return auto_review.get(artifact.type, False)


def _review_view(
    review: Entry[Review],
    subject: Entry[Artifact],
    estate: Estate,
    mark: Callable[[str | None, str | None], ClaimMark | None],
) -> ReviewView:
    record = review.record
    request = estate.find(record.request, ArtifactRequest)
    return ReviewView(
        uri=review.uri,
        cid=review.cid,
        author=review.did,
        created_at=review.created_at,
        verdict=record.verdict,
        pin=show(review.value["subject"], subject).pin,
        request=show_field(review, "request", request),
        claim=mark(record.claim, record.request),
    )


def _checkrun_view(run: Entry[Checkrun]) -> CheckrunView:
    results = run.record.results
    # X4: no results, no pass.
    passed = bool(results) and all(result.passed for result in results)
    return CheckrunView(run.uri, run.cid, run.did, run.created_at, run.record.commit, passed)


def _merged_view(merges: Sequence[Entry[Merge]]) -> MergedView | None:
    if not merges:
        return None
    first = merges[0]
    return MergedView(first.value.get("mergedAt", first.created_at), first.record.pr, first.did, first.uri)


# X2: versions -------------------------------------------------------------------------------------------------------


def find_prev(entry: Entry[Artifact], place: Place) -> Entry[Artifact] | None:
    """Resolve `prev`: under the same anchor and of the same type (L4, X2)."""
    found = place.estate.find(entry.record.prev, Artifact)
    if found is None or found.record.type != entry.record.type or place.estate.home(found.uri) != place.entry.uri:
        return None
    return found


def chains(place: Place) -> tuple[ChainView, ...]:
    """Give the chains of a place by the URI of their first version (X2)."""
    artifacts = place.all(Artifact)
    groups = _Groups()
    succeeded: set[str] = set()
    for entry in artifacts:
        groups.add(entry.uri)
        prev = find_prev(entry, place)
        if prev is not None:
            groups.join(entry.uri, prev.uri)
            succeeded.add(prev.uri)
    versions: dict[str, list[Entry[Artifact]]] = {}
    for entry in artifacts:
        versions.setdefault(groups.head(entry.uri), []).append(entry)
    return tuple(
        sorted((_chain_view(held, succeeded) for held in versions.values()), key=lambda chain: chain.versions[0])
    )


def _chain_view(versions: Sequence[Entry[Artifact]], succeeded: set[str]) -> ChainView:
    uris = tuple(entry.uri for entry in versions)
    return ChainView(versions[0].record.type, uris, uris[-1], forks=sum(uri not in succeeded for uri in uris) > 1)


class _Groups:
    """Disjoint sets of URIs, each known by one of its members."""

    def __init__(self) -> None:
        self._towards: dict[str, str] = {}
        self._size: dict[str, int] = {}

    def add(self, uri: str) -> None:
        self._towards.setdefault(uri, uri)
        self._size.setdefault(uri, 1)

    def head(self, uri: str) -> str:
        towards = self._towards
        while (above := towards[uri]) != uri:
            towards[uri] = towards[above]  # every second step is cut short: later walks are near constant
            uri = above
        return uri

    def join(self, one: str, other: str) -> None:
        self.add(other)
        small, large = sorted((self.head(one), self.head(other)), key=self._size.__getitem__)
        if small != large:
            self._towards[small] = large
            self._size[large] += self._size[small]


# X6: system artifacts -----------------------------------------------------------------------------------------------


def merge_instants(goal: Shelf) -> tuple[Instant, ...]:
    """Give the instants at which the implementations on a goal were merged (X5, X6)."""
    first: dict[str, Entry[Merge]] = {}
    for merge in goal.all(Merge):
        first.setdefault(merge.record.artifact, merge)
    return tuple(
        first[artifact.uri].record.merged_at or first[artifact.uri].instant
        for artifact in goal.all(Artifact)
        if artifact.uri in first and artifact.record.type == "implementation"
    )


def system_views(place: Place, chains: Iterable[ChainView], merged: Sequence[Instant]) -> tuple[SystemView, ...]:
    """Show the current version of each of a project's chains, and how many merges, in order, it has not seen (X6)."""
    return tuple(
        SystemView(
            chain.type, chain.current, len(merged) - bisect_right(merged, place.estate.known(chain.current).instant)
        )
        for chain in chains
    )
