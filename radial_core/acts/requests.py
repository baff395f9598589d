"""Requests: made with all the provenance that is known, and withdrawn (R1, R3; RAD-4.41, 7.12, 8.6, 11.8).

Strategy: somebody asks out of what they are looking at. A table says, for each kind of record, what that gives a
request: the subject of a review or of an answer, else what the work is based on. All of it is pinned as it counts now.
What is asked for need not be wise: soft policy is said and never enforced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

from radial_core.acts.asking import cautions_about
from radial_core.acts.cautions import closed
from radial_core.acts.draft import Act, ActError
from radial_core.acts.nouns import noun
from radial_core.acts.registry import types_at
from radial_core.entries import in_order
from radial_core.records import Artifact, ArtifactRequest, Checkrun, Goal, Merge, Message, Project, Review
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.entries import Entry
    from radial_core.records import RadialRecord
    from radial_core.views import RequestView


@attrs.frozen(kw_only=True)
class Wish:
    """What is asked for: a `type`, a `brief` in one's own words, of whom; `alternatives` asks for so many, blindly."""

    type: str
    brief: str | None = None
    assignee: str | None = None
    auto_review: bool | None = None
    alternatives: int = 1


def request(
    desk: Desk,
    wish: Wish,
    *,
    context: str | None = None,
    anchor: str | None = None,
    based_on: Sequence[str] = (),
    subject: str | None = None,
) -> Act:
    """Ask for an artifact, a review or an answer.

    `context` is the URI from which one asks: a goal or project, an artifact, a review, a message, a request, a check
    run, a merge. It gives the anchor, unless `anchor` (a goal or project) does, and `basedOn` or `subject`, to which
    `based_on` and `subject` (URIs) add. Raises `ActError` where no anchor can be told.
    """
    known = _Provenance() if context is None else _provenance(desk, context, wish.type)
    about = subject or known.subject
    basis = tuple(dict.fromkeys((*known.based_on, *based_on)))
    home = anchor or _anchor(desk, wish.type, (context, about, *basis))
    place: Entry[Goal] | Entry[Project] = desk.find(home, *_PLACES)
    fields = {
        place.record.kind: desk.ref(home),
        "subject": None if about is None else desk.ref(about),
        "basedOn": [desk.ref(uri) for uri in basis] or None,
    }
    drafts = tuple(request_draft(desk, wish, **fields) for _ in range(_number(wish)))
    return Act(
        verb="request", space=desk.space_of(home), drafts=drafts, warnings=tuple(cautions_about(desk, drafts[0]))
    )


def request_draft(desk: Desk, wish: Wish, **fields: Any) -> Draft:
    """Draft one request for what is wished, with the fields that anchor it."""
    return desk.draft(
        "artifactRequest",
        type=wish.type,
        **fields,
        assignee=wish.assignee,
        brief=wish.brief,
        autoReview=wish.auto_review,
    )


def _number(wish: Wish) -> int:
    if wish.alternatives < 1:
        raise ActError(f"{wish.alternatives} alternatives cannot be asked for", "unfit", "Ask for one or more.")
    return wish.alternatives


# Where one asks from ------------------------------------------------------------------------------------------------


class _Provenance(NamedTuple):
    """What a context gives a request: URIs."""

    subject: str | None = None
    based_on: tuple[str, ...] = ()


def _of_place(_entry: Entry[Any], _type: str) -> _Provenance:
    return _Provenance()


def _of_artifact(entry: Entry[Artifact], wanted: str) -> _Provenance:
    return _Provenance(entry.uri) if wanted == "review" else _Provenance(None, (entry.uri,))


def _of_message(entry: Entry[Message], wanted: str) -> _Provenance:
    return _Provenance(entry.uri) if wanted == "answer" else _Provenance(None, (entry.uri,))


def _of_request(entry: Entry[ArtifactRequest], _type: str) -> _Provenance:
    return _Provenance(None, (entry.uri,))


def _of_judgement(entry: Entry[Any], wanted: str) -> _Provenance:
    """A verdict, a check run and a merge are about an artifact: what is asked for next is about both."""
    judged: str = entry.record.subject if entry.record.__class__ is Review else entry.record.artifact
    if wanted == "review":
        return _Provenance(judged, (entry.uri,))
    return _Provenance(None, (judged, entry.uri))


_CONTEXTS: Final[Mapping[type[RadialRecord], Callable[[Entry[Any], str], _Provenance]]] = {
    Goal: _of_place,
    Project: _of_place,
    Artifact: _of_artifact,
    Message: _of_message,
    ArtifactRequest: _of_request,
    Review: _of_judgement,
    Checkrun: _of_judgement,
    Merge: _of_judgement,
}
_PLACES: Final[tuple[type[Any], ...]] = (Goal, Project)


def _provenance(desk: Desk, context: str, wanted: str) -> _Provenance:
    entry: Entry[Any] = desk.find(context)
    reads = _CONTEXTS.get(entry.record.__class__)
    if reads is None:
        words = f"{quoted(context)} is {noun(entry.record.kind)}: nothing is asked for from there"
        raise ActError(words, "unfit", "Start from a goal, a project, a request, an artifact, a message or a verdict.")
    return reads(entry, wanted)


def _anchor(desk: Desk, wanted: str, named: tuple[str | None, ...]) -> str:
    """Give the place of the first record that is named; its project, if the type belongs there (A3)."""
    first = next((uri for uri in named if uri is not None), None)
    if first is None:
        raise ActError("a request needs a goal or a project, or something to start from", "unfit", "Name one of them.")
    place = desk.shelf(first)
    known = types_at(desk, first).get(wanted)
    return place.project if known is not None and known.scope == "project" else place.entry.uri


# Asked for the whole project, and withdrawn --------------------------------------------------------------------------


def capture(desk: Desk, source: str, wish: Wish) -> Act:
    """Ask that goal work be distilled for the whole project: a request at the project, based on the source."""
    act = request(desk, wish, context=source, anchor=desk.shelf(source).project)
    return attrs.evolve(act, verb="capture")


def retract_request(desk: Desk, request: str) -> Act:
    """Withdraw a request (R3)."""
    draft = desk.draft("retractRequest", request=desk.ref(request, ArtifactRequest))
    space = desk.space_of(request)
    return Act(verb="request retract", space=space, drafts=(draft,), warnings=closed(view_of(desk, request)))


def asked_of(desk: Desk, wanted: str, subject: str) -> str | None:
    """Find the first open request by which the author is asked for a review of, or an answer to, this very record.

    R2: it may stand anywhere in the space.
    """
    shelves = desk.own(desk.space_of(subject)).shelves()
    named = (
        entry
        for shelf in shelves
        for entry in shelf.all(ArtifactRequest)
        if (entry.record.type, entry.record.subject, entry.record.assignee) == (wanted, subject, desk.author)
    )
    return next((entry.uri for entry in in_order(named) if view_of(desk, entry.uri).open), None)


def view_of(desk: Desk, request: str) -> RequestView:
    """Show a request that counts. Raises `ActError` for anything else."""
    desk.find(request, ArtifactRequest)
    view = desk.index.request(request)
    assert view is not None  # noqa: S101 - it counts, so it is shown
    return view
