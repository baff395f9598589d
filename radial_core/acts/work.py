"""Work: artifacts that people deliver, and verdicts on them (X1–X3, R2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from radial_core.acts.desk import Desk


@attrs.frozen(kw_only=True)
class Deliverable:
    """What is delivered. `links` holds some of branch, commit and pr; `body_blob` is a blob's value: the whole body."""

    body: str
    title: str | None = None
    criteria: tuple[str, ...] = ()
    links: Mapping[str, str] | None = attrs.field(default=None, hash=False)
    model: str | None = None
    body_blob: Any = attrs.field(default=None, hash=False)


def submit_artifact(desk: Desk, request: str, work: Deliverable, *, prev: str | None = None) -> Act:
    """Deliver an artifact that answers a request: anchor and type are the request's.

    `prev` is the version that it follows; by default the author's own last one for this request, else the one artifact
    of its type and place that the request is based on.
    """
    raise NotImplementedError


def review(
    desk: Desk,
    target: str,
    verdict: str,
    *,
    findings: Sequence[Mapping[str, Any]] = (),
    model: str | None = None,
) -> Act:
    """Judge an artifact: `verdict` is approve or request_changes, a finding {severity, body, path?, line?}.

    `target` is the artifact, or the review request that asks for the verdict. A request that asks the author for a
    review of this artifact, and is open, is answered by it.
    """
    raise NotImplementedError
