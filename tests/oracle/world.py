"""Strategy: which records count, and where (L5, T, and each family's own refusals).

The kinds are taken from the ground up, so that whatever a rule asks about (an anchor, a request, the
membership) is settled before it asks. Each record climbs one ladder of rules, in the order of §0;
the first rung that breaks is its rule. A record that climbs the whole ladder counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.held import Held, in_order
from tests.oracle.membership import Membership, fold
from tests.oracle.versions import Choice, choose, gather

ANCHORS = {
    "addMember": ("space",),
    "removeMember": ("space",),
    "join": ("space",),
    "project": ("space",),
    "artifactType": ("space",),
    "setGuestComments": ("space",),
    "goal": ("space", "project"),
    "setAutoReview": ("project",),
    "editProject": ("project",),
    "archiveProject": ("project",),
    "closeGoal": ("goal",),
    "archiveGoal": ("goal",),
    "blessComment": ("goal",),
    "artifactRequest": ("goal", "project"),
    "artifact": ("goal", "project"),
    "message": ("goal", "artifact"),
    "retractRequest": ("request",),
    "claim": ("request",),
    "review": ("subject",),
    "checkrun": ("artifact",),
    "merge": ("artifact",),
    "retractBless": ("bless",),
    "agent": (),
    "image": (),
}
EVENTS = ("addMember", "removeMember")
GROUND_UP = (
    ("project", "artifactType", "setGuestComments", "join", "agent", "image"),
    ("goal", "setAutoReview", "editProject", "archiveProject"),
    ("closeGoal", "archiveGoal", "blessComment", "artifactRequest"),
    ("artifact", "retractRequest", "claim", "retractBless"),
    ("review", "checkrun", "merge", "message"),
)


@dataclass
class World:
    """All that is decided about a set of observations. `counting` is in (createdAt, uri) order."""

    choices: dict[str, Choice] = field(default_factory=dict)
    seen: dict[str, set[str]] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    counting: dict[str, Held] = field(default_factory=dict)
    ignored: dict[str, tuple[str, str]] = field(default_factory=dict)
    spaces_of: dict[str, list[str]] = field(default_factory=dict)
    home_of: dict[str, str] = field(default_factory=dict)
    memberships: dict[str, Membership] = field(default_factory=dict)

    def all(self, *kinds: str) -> list[Held]:
        """Return the records of some kinds that count, in (createdAt, uri) order."""
        return [record for record in self.counting.values() if record.kind in kinds]

    def anchored(self, kind: str, field: str, uri: str) -> list[Held]:
        """Return the records of a kind that count and name a URI in a field, in (createdAt, uri) order."""
        return [record for record in self.all(kind) if record.target(field) == uri]

    def anchors(self, record: Held) -> list[str]:
        """T7: the URIs through which a record is placed."""
        targets = [record.target(field) for field in ANCHORS[record.kind]]
        return [target for target in targets if target is not None]

    def membership(self, record: Held) -> Membership:
        """Return the membership of the space of a record that is placed."""
        return self.memberships[self.spaces(record)[0]]

    def spaces(self, record: Held) -> list[str]:
        """T7: the space of a record, or all the spaces of an agent or image."""
        if record.kind in ("agent", "image"):
            return [uri for uri, one in self.memberships.items() if one.is_member(record.author)]
        return self.spaces_of[self.anchors(record)[0]]


def build(observations: list[dict[str, Any]]) -> World:
    """Decide about every URI whether its record counts, and where, or the rule that keeps it out."""
    world = World()
    for uri, history in gather(observations).items():
        choice = choose(history)
        world.choices[uri] = choice
        world.seen[uri] = set(history.versions)
        if choice.rule is not None:
            world.ignored[uri] = (choice.rule, choice.reason)
        elif choice.kept is not None:
            world.held[uri] = Held(uri, choice.kept.cid, choice.kept.value, choice.closed)
    _settle_spaces(world)
    for kinds in GROUND_UP:
        for record in [record for record in world.held.values() if record.kind in kinds]:
            _settle(world, record)
    world.counting = {record.uri: record for record in in_order(list(world.counting.values()))}
    return world


def _settle_spaces(world: World) -> None:
    """T1-T4: every space counts; then the events of each are folded."""
    for space in [record for record in world.held.values() if record.kind == "space"]:
        world.counting[space.uri] = space
        world.spaces_of[space.uri] = [space.uri]
        world.home_of[space.uri] = space.uri
    events = [record for record in world.held.values() if record.kind in EVENTS]
    for uri in list(world.spaces_of):
        mine = [event for event in events if event.target("space") == uri]
        world.memberships[uri] = fold(world.counting[uri], mine)
        for event in mine:
            _rule(world, event, world.memberships[uri].broken.get(event.uri))
    for event in events:
        if event.target("space") not in world.counting:
            _rule(world, event, ("L5", "its space is not here"))


def _settle(world: World, record: Held) -> None:
    """§0: the rule named is the first that fails."""
    for rule, breaks, reason in LADDER:
        if breaks(world, record):
            _rule(world, record, (rule, reason))
            return
    _rule(world, record, None)


def _rule(world: World, record: Held, broken: tuple[str, str] | None) -> None:
    """Write down what is decided about one record."""
    if broken is not None:
        world.ignored[record.uri] = broken
        return
    world.counting[record.uri] = record
    world.spaces_of[record.uri] = world.spaces(record)
    if record.kind in ("project", "goal"):
        world.home_of[record.uri] = record.uri
    elif world.anchors(record):
        world.home_of[record.uri] = world.home_of[world.anchors(record)[0]]


# --- the ladder -------------------------------------------------------------------------------------


def unplaced(world: World, record: Held) -> bool:
    """L5: the anchor, or anything on the way to its space, is absent or itself ignored."""
    return any(anchor not in world.counting for anchor in world.anchors(record))


def between_spaces(world: World, record: Held) -> bool:
    """T7: a goal whose project is one of another space."""
    return record.kind == "goal" and len({world.spaces_of[anchor][0] for anchor in world.anchors(record)}) > 1


def stranger(world: World, record: Held) -> bool:
    """T5: the author is not a member of the record's space; an agent or image: of any space."""
    return not any(world.memberships[space].is_member(record.author) for space in world.spaces(record))


def not_project_author(world: World, record: Held) -> bool:
    """P1: editProject and archiveProject are the project author's."""
    if record.kind not in ("editProject", "archiveProject"):
        return False
    return record.author != world.counting[world.anchors(record)[0]].author


def no_admin(*kinds: str) -> Callable[[World, Held], bool]:
    """P2, A2, M3: records that an admin alone may write."""
    return lambda world, record: record.kind in kinds and not world.membership(record).is_admin(record.author)


def built_in_type(_world: World, record: Held) -> bool:
    """A1: `review` and `answer` cannot be defined or overridden."""
    return record.kind == "artifactType" and record.value["name"] in ("review", "answer")


def incomplete_request(_world: World, record: Held) -> bool:
    """R1: a `review` without `subject`; an `answer` without `subject`, `goal` or `assignee`."""
    if record.kind != "artifactRequest":
        return False
    needs = {"review": ("subject",), "answer": ("subject", "goal", "assignee")}
    return any(field not in record.value for field in needs.get(record.value["type"], ()))


def unfitting_delivery(world: World, record: Held) -> bool:
    """R2: an artifact or review whose request resolves to one that it cannot fulfil."""
    if record.kind not in ("artifact", "review"):
        return False
    request = world.counting.get(record.target("request") or "")
    if request is None or request.kind != "artifactRequest":
        return False
    if world.spaces_of[request.uri] != world.spaces(record):
        return False
    if record.kind == "review":
        return request.value["type"] != "review" or request.target("subject") != record.target("subject")
    return (
        world.anchors(request) != world.anchors(record)
        or request.value["type"] != record.value["type"]
        or request.value["type"] in ("review", "answer")
    )


def foreign_retraction(world: World, record: Held) -> bool:
    """R3: by the request's author or an admin."""
    return record.kind == "retractRequest" and _neither_author_nor_admin(world, record)


def foreign_withdrawal(world: World, record: Held) -> bool:
    """M2: by the bless's author or an admin."""
    return record.kind == "retractBless" and _neither_author_nor_admin(world, record)


def _neither_author_nor_admin(world: World, record: Held) -> bool:
    anchor = world.counting[world.anchors(record)[0]]
    return record.author != anchor.author and not world.membership(record).is_admin(record.author)


def claim_on_assigned(world: World, record: Held) -> bool:
    """C1: a claim on an assigned request."""
    return record.kind == "claim" and "assignee" in world.counting[world.anchors(record)[0]].value


LADDER: tuple[tuple[str, Callable[[World, Held], bool], str], ...] = (
    ("L5", unplaced, "its anchor is not here"),
    ("T7", between_spaces, "its project is in another space"),
    ("T5", stranger, "its author is no member"),
    ("P1", not_project_author, "not by the project's author"),
    ("P2", no_admin("setAutoReview"), "not by an admin"),
    ("A1", built_in_type, "a type that cannot be defined"),
    ("A2", no_admin("artifactType"), "not by an admin"),
    ("R1", incomplete_request, "a request without what its type needs"),
    ("R2", unfitting_delivery, "its request asks for something else"),
    ("R3", foreign_retraction, "neither by the request's author nor by an admin"),
    ("C1", claim_on_assigned, "the request is assigned"),
    ("M2", foreign_withdrawal, "neither by the bless's author nor by an admin"),
    ("M3", no_admin("setGuestComments"), "not by an admin"),
)
