"""Soft policy about a request: what is said before one is made that may come to nothing (RAD-7.12, 11.8; A3, R5).

Strategy: asking is free, and whoever insists may. So each of these looks at the draft as it would be written, and says
one thing; none of them knows of another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.acts.cautions import at_rest, superseded
from radial_core.acts.draft import Caution
from radial_core.acts.registry import types_at, unknown_type
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Draft
    from radial_core.views import ArtifactView


def cautions_about(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """Say what is unwise about a request that is drafted."""
    for look in _LOOKS:
        yield from look(desk, draft)


def _home(draft: Draft) -> str:
    uri: str = (draft.value.get("goal") or draft.value["project"])["uri"]
    return uri


def _artifacts(desk: Desk, refs: Iterable[dict[str, str]]) -> Iterator[ArtifactView]:
    views = (desk.index.artifact(ref["uri"]) for ref in refs)
    return (view for view in views if view is not None)


def _resting(desk: Desk, draft: Draft) -> Iterator[Caution]:
    return at_rest(desk, _home(draft))


def _unfit(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """A3: an unknown type and a foreign scope make a request that nobody can be relied on to read."""
    home, name = _home(draft), draft.value["type"]
    yield from unknown_type(desk, home, name)
    known, scope = types_at(desk, home).get(name), "goal" if "goal" in draft.value else "project"
    if known is not None and known.scope != scope:
        yield Caution(
            "WrongScope", f"{quoted(name)} is a type for a {known.scope}, and this request stands on a {scope}"
        )


def _unapproved(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """RAD-7.12: an implementation follows from a plan that somebody approved, and nobody asked for changes since."""
    if draft.value["type"] != "implementation":
        return
    for plan in _artifacts(desk, draft.value.get("basedOn", ())):
        if plan.type == "plan" and (not plan.reviews or plan.reviews[-1].verdict != "approve"):
            said = "its last review asks for changes" if plan.reviews else "nobody has approved it"
            yield Caution("UnapprovedPlan", f"this builds on the plan {plan.uri}, and {said}")


def _old_basis(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """X2: what is built on, or judged, has a later version."""
    subject = draft.value.get("subject")
    refs = [*draft.value.get("basedOn", ()), *(() if subject is None else (subject,))]
    for view in _artifacts(desk, refs):
        yield from superseded(desk, view.uri)


def _unheard(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """RAD-11.8: whoever is asked should be there, and able to do it."""
    space, name, assignee = desk.space_of(_home(draft)), draft.value["type"], draft.value.get("assignee")
    able = {agent.did for agent in desk.index.capable(space, name)}
    if assignee is None:
        if not able:
            yield Caution("NobodyCapable", f"no member has published a profile that produces {quoted(name)}")
    elif not desk.own(space).trust.is_member(assignee):
        yield Caution("AssigneeNoMember", f"{assignee} is not a member of this space: their work would not count")
    elif assignee not in able:
        words = f"{assignee} has published no profile that produces {quoted(name)}: no daemon takes this up"
        yield Caution("AssigneeWithoutProfile", words)


_SAME: Final = ("goal", "project", "type", "subject", "basedOn", "assignee")


def _twice(desk: Desk, draft: Draft) -> Iterator[Caution]:
    """Say that the same is asked for already, and open: two would be worked on."""
    for view in desk.requests_at(_home(draft)):
        asked = desk.find(view.uri).value
        if view.open and all(_uris(asked.get(name)) == _uris(draft.value.get(name)) for name in _SAME):
            yield Caution("AlreadyAsked", f"the same is asked for already, and open: {view.uri}")
            return


def _uris(field: Any) -> object:
    """Take a reference for its URI: what it pins makes no other request of it (L4)."""
    if field.__class__ is list:
        return {_uris(item) for item in field}
    return field["uri"] if field.__class__ is dict else field


_LOOKS: Final[tuple[Callable[[Desk, Draft], Iterable[Caution]], ...]] = (
    _resting,
    _unfit,
    _unapproved,
    _old_basis,
    _unheard,
    _twice,
)
