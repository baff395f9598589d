"""The findings on what a request is about, each under a name of its own, open or addressed.

Strategy: a finding is known by its review's URI and its place there, as a fragment; nobody has to invent a name, and
every observer gives the same one. It is open while nothing newer than what it judges is in the basis, and addressed
once something is: a fact of the chain, whatever anybody says about it. A turn that revises is asked which ones it took
up; what it says is kept beside its record, and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.dispatch.scope import Scope
    from radial_core.entries import Entry
    from radial_core.records import Finding, Review
    from radial_core.views import ReviewView


class Told(NamedTuple):
    """One finding of a review of the artifact `on`; a review without any is told with none.

    `followed_by` is the newer version in the basis, or none while it is open.
    """

    on: str
    review: ReviewView
    number: int
    finding: Finding | None
    followed_by: str | None

    @property
    def id(self) -> str:
        """The finding's name: `at://…/com.disnetdev.radial.review/…#/findings/0`."""
        return f"{self.review.uri}#/findings/{self.number}"


def told_findings(scope: Scope) -> Iterator[Told]:
    """Give the findings on the artifacts of the basis: nearest artifact first, reviews and findings in their order."""
    for artifact in scope.artifacts:
        follower = scope.followed.get(artifact.uri)
        for review in artifact.reviews:
            entry = cast("Entry[Review]", scope.index.entry(review.uri))  # what a view shows counts
            for number, finding in enumerate(entry.record.findings or (None,)):
                yield Told(artifact.uri, review, number, finding, follower)


def open_findings(scope: Scope) -> tuple[str, ...]:
    """Give the names of those that are open, in order."""
    return tuple(one.id for one in told_findings(scope) if one.finding is not None and one.followed_by is None)
