"""Work: artifacts that people deliver, and verdicts on them (X1–X3, R2).

Strategy: whoever delivers names the request, and the rest follows from it, as it does for an agent's turn: anchor, type
and the version that this one follows. A verdict names the request that it answers where the index knows one. Findings
and links that mean nothing are said, not refused: a person may have their reasons. A severity that no reader knows is
more likely a slip: whoever means it has to insist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.acts.cautions import at_rest, closed, not_asked, superseded
from radial_core.acts.draft import Act, ActError, Caution, Vain
from radial_core.acts.nouns import noun
from radial_core.acts.requests import asked_of, view_of
from radial_core.dispatch.assignment import KINDS
from radial_core.dispatch.findings import SEVERITIES, judge_findings
from radial_core.dispatch.links import Demands, Looked, judge_links
from radial_core.records import Artifact, ArtifactRequest
from radial_core.rulings import quoted
from radial_core.structure import structural_faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.dispatch.refusals import Named
    from radial_core.entries import Entry


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
    asked: Entry[ArtifactRequest] = desk.find(request, ArtifactRequest)
    if asked.record.type in KINDS:
        wanted = noun(_INSTEAD[asked.record.type])
        raise ActError(f"the request is for {wanted}: no artifact answers it (R2)", "unfit", f"Write {wanted}.")
    place = desk.shelf(request).entry
    earlier = prev or _earlier(desk, asked)
    anchor: dict[str, Any] = {place.record.kind: desk.ref(place.uri)}
    draft = desk.draft(
        "artifact",
        request=desk.ref(request),
        **anchor,
        type=asked.record.type,
        prev=None if earlier is None else desk.ref(earlier, Artifact),
        title=work.title,
        body=work.body,
        bodyBlob=work.body_blob,
        links=dict(work.links) if work.links else None,
        criteria=list(work.criteria) or None,
        model=work.model,
    )
    warnings = (*_about_delivery(desk, request, draft, earlier), *at_rest(desk, request))
    return Act(verb="artifact submit", space=desk.space_of(request), drafts=(draft,), warnings=warnings)


_INSTEAD: Final = {"review": "review", "answer": "message"}


def _earlier(desk: Desk, asked: Entry[ArtifactRequest]) -> str | None:
    """X2: tell the version that a new one follows, where there is one and no other."""
    here = desk.shelf(asked.uri).all(Artifact)
    own = [entry.uri for entry in here if entry.did == desk.author and entry.record.request == asked.uri]
    if own:
        return own[-1]
    basis = asked.record.based_on or ()
    based = [entry.uri for entry in here if entry.uri in basis and entry.record.type == asked.record.type]
    return based[0] if len(based) == 1 else None


def _about_delivery(desk: Desk, request: str, draft: Draft, earlier: str | None) -> Iterator[Caution]:
    view = view_of(desk, request)
    yield from closed(view)
    yield from not_asked(desk, view, "your work would stand beside theirs and answer the request")
    if earlier is not None:
        yield from superseded(desk, earlier)
    yield from _sound(draft, judge_links(draft.value.get("links", {}), Demands(), Looked()))


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
    request, subject = _judged(desk, target)
    draft = desk.draft(
        "review",
        subject=desk.ref(subject, Artifact),
        request=None if request is None else desk.ref(request),
        verdict=verdict,
        findings=[dict(finding) for finding in findings] or None,
        model=model,
    )
    warnings = tuple(_about_verdict(desk, request, subject, draft))
    vain = tuple(_unknown(draft))
    return Act(verb="review", space=desk.space_of(subject), drafts=(draft,), warnings=warnings, vain=vain)


def _about_verdict(desk: Desk, request: str | None, subject: str, draft: Draft) -> Iterator[Caution]:
    if request is not None:
        view = view_of(desk, request)
        yield from closed(view)
        yield from not_asked(desk, view, "your verdict would answer it")
    if desk.find(subject).did == desk.author:
        yield Caution("OwnWork", "the artifact is your own")
    yield from superseded(desk, subject)
    yield from _sound(draft, (named for named in _findings(draft) if named[0] != _UNKNOWN))


def _findings(draft: Draft) -> Iterator[Named]:
    return judge_findings(draft.value.get("findings", ()), None)


def _unknown(draft: Draft) -> Iterator[Vain]:
    """Name the findings whose severity no reader knows: nobody could tell how much they weigh."""
    if structural_faults(draft.collection, dict(draft.value)):
        return
    for name, said in _findings(draft):
        if name == _UNKNOWN:
            yield Vain(name, f"{said.message} @ {said.path}", f"Use one of {', '.join(SEVERITIES)}.")


_UNKNOWN: Final = "UnknownSeverity"


def _judged(desk: Desk, target: str) -> tuple[str | None, str]:
    """Give the request that a verdict answers, if there is one, and the artifact that it judges."""
    entry: Entry[Any] = desk.find(target, Artifact, ArtifactRequest)
    if entry.record.__class__ is Artifact:
        return asked_of(desk, "review", target), target
    if entry.record.type != "review":
        words = f"the request is for {quoted(entry.record.type)}: no review answers it (R2)"
        raise ActError(words, "unfit", "Hand in what it asks for, or name an artifact to judge.")
    return target, entry.record.subject


def _sound(draft: Draft, found: Iterable[Named]) -> tuple[Caution, ...]:
    """Say what means nothing in a record that is well-formed; what is not is foreseen (L1)."""
    if structural_faults(draft.collection, dict(draft.value)):
        return ()
    return tuple(Caution(name, str(objection)) for name, objection in found)
