"""The ladder on which records are filed: what each kind stands on, and what its family has against it (T7, L5).

Strategy: anchors lead from an artifact's review over artifact, request, goal and project to a space. So kinds are filed
rung by rung, and whatever a record stands on, or answers, has been judged on a rung below. Spaces and their membership
come before the ladder, agents and images, which stand nowhere, beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from radial_core.places import grouped
from radial_core.records import (
    ArchiveGoal,
    ArchiveProject,
    Artifact,
    ArtifactRequest,
    ArtifactType,
    BlessComment,
    Checkrun,
    Claim,
    CloseGoal,
    EditProject,
    Goal,
    Join,
    Merge,
    Message,
    Project,
    RadialRecord,
    RetractBless,
    RetractRequest,
    Review,
    SetAutoReview,
    SetGuestComments,
)
from radial_core.rules import artifacts, claims, guests, projects, registry, requests

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.entries import Entry
    from radial_core.places import Holding, Shelf, Site
    from radial_core.rulings import Ruling


class Kind(NamedTuple):
    """How one kind is filed: the fields that hold its anchor (one of them does), and what its family has against it.

    `names` is a field that names a request, which may stand elsewhere or not be here yet.
    """

    anchors: tuple[str, ...]
    refuse: Callable[[Entry[Any], Site], Ruling | None] | None = None
    names: str | None = None


# T7: where each kind is anchored, rung by rung. Spaces, membership, agents and images come before and beside.
_LADDER: Final[tuple[dict[type[RadialRecord], Kind], ...]] = (
    {
        Join: Kind(("space",)),
        Project: Kind(("space",)),
        ArtifactType: Kind(("space",), registry.refuse_type),
        SetGuestComments: Kind(("space",), guests.refuse_switch),
    },
    {
        EditProject: Kind(("project",), projects.refuse_change),
        ArchiveProject: Kind(("project",), projects.refuse_change),
        SetAutoReview: Kind(("project",), projects.refuse_switch),
        Goal: Kind(("project", "space")),
    },
    {
        CloseGoal: Kind(("goal",)),
        ArchiveGoal: Kind(("goal",)),
        BlessComment: Kind(("goal",)),
        ArtifactRequest: Kind(("goal", "project"), requests.refuse_request),
    },
    {
        RetractRequest: Kind(("request",), requests.refuse_retraction),
        Claim: Kind(("request",), claims.refuse_claim),
        RetractBless: Kind(("bless",), guests.refuse_retraction),
        Artifact: Kind(("goal", "project"), artifacts.refuse_artifact, "request"),
    },
    {
        Review: Kind(("subject",), artifacts.refuse_review, "request"),
        Checkrun: Kind(("artifact",)),
        Merge: Kind(("artifact",)),
        Message: Kind(("goal", "artifact"), None, "re"),
    },
)

# How each kind is filed, from the lowest rung up.
RUNG_OF: Final[dict[type[RadialRecord], Kind]] = {kind: how for rung in _LADDER for kind, how in rung.items()}


def named_by(entry: Entry[Any]) -> tuple[str | None, ...]:
    """Give everything that the judgement of a record rests on: its anchors, and the request that it names."""
    how = RUNG_OF[entry.record.__class__]
    fields = how.anchors if how.names is None else (*how.anchors, how.names)
    return tuple(getattr(entry.record, field) for field in fields)


def resting_on(place: Shelf) -> dict[str, list[Entry[Any]]]:
    """Gather the records of a project or a goal by what their judgement rests on."""
    held = (entry for entries in place.records.values() for entry in entries)
    return grouped((uri, entry) for entry in held for uri in named_by(entry) if uri is not None)


def goals_by_project(space: Holding) -> dict[str, list[Entry[Goal]]]:
    """Gather the goals of a space by the project that they stand on."""
    return grouped((goal.project, goal.entry) for goal in space.goals.values())
