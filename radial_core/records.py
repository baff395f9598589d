"""One class for each kind of record (protocol §13): the fields as the rules read them.

Strategy: a value becomes one of these only when it passes L1 (`reading`), so that no rule asks again whether a field is
there or well formed. Names are the lexicon's in snake case; datetimes are instants, references are URIs; an optional
field that is absent is `None`. Fields that no lexicon knows stay in the record's value and nowhere here. Nobody
compares records, so they are spared the code for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

import attrs

from radial_core.instants import Instant

# Frozen to whoever checks types; at run time a plain class, which is made in a third of the time (decision 0014).
if TYPE_CHECKING:
    from attrs import frozen as _record
else:
    from attrs import define as _record

PREFIX: Final = "com.disnetdev.radial."

# The URI of another record: a reference resolves by that alone (L4). The CID it pins is shown, from the value.
Reference: TypeAlias = str


@_record(eq=False)
class RadialRecord:
    """What every record has: a kind. When its author made it is for its entry to say, since that orders all of them."""

    kind: ClassVar[str]


@_record(eq=False)
class Space(RadialRecord):
    """A Radial space; its author is the root of trust (T1)."""

    kind = "space"
    name: str
    description: str | None = None


@_record(eq=False)
class AddMember(RadialRecord):
    """A grant (T3)."""

    kind = "addMember"
    space: Reference
    did: str
    member_kind: str
    role: str


@_record(eq=False)
class RemoveMember(RadialRecord):
    """A revocation of the one grant it names (T4)."""

    kind = "removeMember"
    space: Reference
    did: str
    membership: Reference


@_record(eq=False)
class Join(RadialRecord):
    """A member's note that it opened the space; grants nothing (T6)."""

    kind = "join"
    space: Reference


@attrs.frozen
class Check:
    """A command whose success is a project's check."""

    name: str
    command: str


@_record(eq=False)
class Project(RadialRecord):
    """A repository that goals work on (P1)."""

    kind = "project"
    space: Reference
    name: str
    git_url: str
    default_branch: str
    checks: tuple[Check, ...] | None = None
    auto_review: dict[str, bool] | None = None


@_record(eq=False)
class SetAutoReview(RadialRecord):
    """An admin's switch of automatic reviews for one artifact type (P2)."""

    kind = "setAutoReview"
    project: Reference
    type: str
    enabled: bool


@_record(eq=False)
class EditProject(RadialRecord):
    """New values for some of a project's fields (P1)."""

    kind = "editProject"
    project: Reference
    name: str | None = None
    git_url: str | None = None
    default_branch: str | None = None


@_record(eq=False)
class ArchiveProject(RadialRecord):
    """A project shelved or taken up again (P1)."""

    kind = "archiveProject"
    project: Reference
    archived: bool


@_record(eq=False)
class Goal(RadialRecord):
    """What somebody wants done; `closed` is read and never written (G2)."""

    kind = "goal"
    space: Reference
    project: Reference
    title: str
    body: str
    closed: bool | None = None


@_record(eq=False)
class CloseGoal(RadialRecord):
    """A goal's ending, or its re-opening (G1)."""

    kind = "closeGoal"
    goal: Reference
    closed: bool
    disposition: str | None = None


@_record(eq=False)
class ArchiveGoal(RadialRecord):
    """The older way to park a goal: read, never written (G2)."""

    kind = "archiveGoal"
    goal: Reference
    archived: bool


@_record(eq=False)
class ArtifactType(RadialRecord):
    """An entry of the space's type registry (A2)."""

    kind = "artifactType"
    space: Reference
    name: str
    brief: str
    output_spec: str
    scope: str


@_record(eq=False)
class ArtifactRequest(RadialRecord):
    """A request for one artifact, review or answer (R1)."""

    kind = "artifactRequest"
    type: str
    goal: Reference | None = None
    project: Reference | None = None
    subject: Reference | None = None
    based_on: tuple[Reference, ...] | None = None
    assignee: str | None = None
    brief: str | None = None
    auto_review: bool | None = None


@_record(eq=False)
class RetractRequest(RadialRecord):
    """A request withdrawn (R3)."""

    kind = "retractRequest"
    request: Reference


@_record(eq=False)
class Claim(RadialRecord):
    """A lease on an unassigned request (C1)."""

    kind = "claim"
    request: Reference
    expires_at: Instant
    renewed_at: Instant | None = None


@attrs.frozen
class Links:
    """Where an implementation is to be found."""

    branch: str | None = None
    commit: str | None = None
    pr: str | None = None


@_record(eq=False)
class Artifact(RadialRecord):
    """One piece of work that answers a request (X1)."""

    kind = "artifact"
    request: Reference
    type: str
    body: str
    goal: Reference | None = None
    project: Reference | None = None
    prev: Reference | None = None
    title: str | None = None
    body_blob: Any = None
    links: Links | None = None
    criteria: tuple[str, ...] | None = None
    model: str | None = None
    claim: Reference | None = None


@attrs.frozen
class Finding:
    """One remark of a review."""

    severity: str
    body: str
    path: str | None = None
    line: int | None = None


@_record(eq=False)
class Review(RadialRecord):
    """A verdict on one version of one artifact (X3)."""

    kind = "review"
    subject: Reference
    verdict: str
    request: Reference | None = None
    findings: tuple[Finding, ...] | None = None
    model: str | None = None
    claim: Reference | None = None


@attrs.frozen
class CheckResult:
    """How one check of a project went; `pass` is a word of the language, so `passed` here."""

    name: str
    passed: bool
    log: str | None = None


@_record(eq=False)
class Checkrun(RadialRecord):
    """The project's checks run on an artifact's commit (X4)."""

    kind = "checkrun"
    artifact: Reference
    commit: str
    results: tuple[CheckResult, ...]


@_record(eq=False)
class Merge(RadialRecord):
    """A merge that somebody observed on the forge (X5)."""

    kind = "merge"
    artifact: Reference
    pr: str
    commit: str | None = None
    merged_at: Instant | None = None


@_record(eq=False)
class Message(RadialRecord):
    """Talk under a goal or an artifact (M1)."""

    kind = "message"
    body: str
    goal: Reference | None = None
    artifact: Reference | None = None
    root: Reference | None = None
    parent: Reference | None = None
    mentions: tuple[str, ...] | None = None
    re: Reference | None = None
    declines: bool | None = None
    model: str | None = None
    claim: Reference | None = None


@attrs.frozen
class Model:
    """A model that a profile prefers."""

    name: str
    cost_hint: str | None = None


@_record(eq=False)
class Agent(RadialRecord):
    """An agent's profile (M5); its record key is the profile's name."""

    kind = "agent"
    handle_name: str
    harness: str
    models: tuple[Model, ...]
    artifact_types: tuple[str, ...]


@_record(eq=False)
class Image(RadialRecord):
    """A picture that prose refers to (M4)."""

    kind = "image"
    blob: Any
    alt: str | None = None
    name: str | None = None


@_record(eq=False)
class SetGuestComments(RadialRecord):
    """Whether a space asks non-members for comments (M3)."""

    kind = "setGuestComments"
    space: Reference
    enabled: bool


@_record(eq=False)
class BlessComment(RadialRecord):
    """A guest's words, copied into the space by a member (M2)."""

    kind = "blessComment"
    goal: Reference
    comment: Reference
    body: str


@_record(eq=False)
class RetractBless(RadialRecord):
    """A blessing withdrawn (M2)."""

    kind = "retractBless"
    bless: Reference


CLASSES: Final[tuple[type[RadialRecord], ...]] = (
    Space, AddMember, RemoveMember, Join, Project, SetAutoReview, EditProject, ArchiveProject, Goal, CloseGoal,
    ArchiveGoal, ArtifactType, ArtifactRequest, RetractRequest, Claim, Artifact, Review, Checkrun, Merge, Message,
    Agent, Image, SetGuestComments, BlessComment, RetractBless,
)  # fmt: skip

# Wire names that are not the field's name in camel case.
_WIRE_NAMES: Final = {(AddMember, "member_kind"): "kind", (CheckResult, "passed"): "pass"}


def wire_name(owner: type, field: str) -> str:
    """Give the lexicon's name of a field."""
    head, *rest = field.split("_")
    return _WIRE_NAMES.get((owner, field), head + "".join(part.capitalize() for part in rest))


# O6: the collections that are ours.
COLLECTIONS: Final = frozenset(PREFIX + kind.kind for kind in CLASSES)
