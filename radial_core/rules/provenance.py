"""Where things come from: the edges between records, and their closures (N1, N2).

Strategy: edges are read off the views, where every reference stands with its pin and whether it resolves, and off the
records that hang on an artifact. A closure visits each record once, whatever the number of paths to it. A model is what
its writer attests; nothing here infers one (N3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from radial_core.places import show
from radial_core.records import Checkrun, Merge, Review

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from radial_core.places import Place
    from radial_core.views import ArtifactView, Ref, RequestView


class Edge(NamedTuple):
    """One record's dependence on another: `kind` is the field that says so, `target` the reference as it resolves."""

    source: str
    kind: str
    target: Ref


def place_edges(place: Place, requests: Sequence[RequestView], artifacts: Iterable[ArtifactView]) -> Iterator[Edge]:
    """Give the edges from the records of one project or goal (N1); an artifact's `basedOn` is its request's."""
    for request in requests:
        yield from _request_edges(request)
    for artifact in artifacts:
        yield Edge(artifact.uri, "request", artifact.request)
        if artifact.prev is not None:
            yield Edge(artifact.uri, "prev", artifact.prev)
        for review in artifact.reviews:
            if review.request is not None:
                yield Edge(review.uri, "request", review.request)
    yield from _hanging_edges(place)


def _request_edges(request: RequestView) -> Iterator[Edge]:
    for basis in request.based_on or ():
        yield Edge(request.uri, "basedOn", basis)
    if request.subject is None:
        return
    yield Edge(request.uri, "subject", request.subject)
    if request.type == "answer":
        for answer in request.fulfilled_by:
            yield Edge(answer, "subject", request.subject)


def _hanging_edges(place: Place) -> Iterator[Edge]:
    hanging = (*place.all(Review), *place.all(Checkrun), *place.all(Merge))
    for entry in hanging:
        field = "subject" if entry.record.__class__ is Review else "artifact"
        reference = entry.value[field]
        yield Edge(entry.uri, field, show(reference, place.estate.known(reference["uri"])))


def closure(start: str, neighbours: Callable[[str], Iterable[str]]) -> set[str]:
    """Give everything that can be reached from `start`, itself left out (N2)."""
    reached = {start}
    waiting = [start]
    while waiting:
        fresh = {uri for uri in neighbours(waiting.pop()) if uri not in reached}
        reached |= fresh
        waiting.extend(fresh)
    return reached - {start}
