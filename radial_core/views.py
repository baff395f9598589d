"""What comes out: the views of spaces, projects, goals and what stands in them (protocol §15).

Strategy: one frozen class for each object of §15, whose fields are the JSON's keys in snake case and whose values are
what the JSON shows. Nothing here computes. Times are the records' own strings; lists are tuples in the order of §15.
A field named `…_by` holds the URI of a record, a plain `by` holds a DID.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from radial_core.identifiers import StrongRef
    from radial_core.records import Check, Model


class Ref(NamedTuple):
    """A reference as its record wrote it, and what it meets here (L4).

    `pin` is `held` when `cid` is the version that counts, `edited` when it is another that was seen, `unseen` when it
    was never seen; nothing when the reference does not resolve.
    """

    uri: str
    cid: str
    pin: str | None
    resolved: bool


class ClaimMark(NamedTuple):
    """The claim that a piece of work names (C7). `lost` is nothing when that cannot be told."""

    uri: str
    lost: bool | None


@attrs.frozen
class MessageView:
    """A message in its thread (M1); `depth` is 0 at the top level."""

    uri: str
    cid: str
    author: str
    created_at: str
    parent: Ref | None
    depth: int
    re: Ref | None
    claim: ClaimMark | None


@attrs.frozen
class QuestionView:
    """A question asked about a request (R6), with the first reply that answers it."""

    uri: str
    author: str
    answered_by: str | None


@attrs.frozen
class RequestView:
    """A request (R1–R6, A3). `auto_review` is the record's own value; `claims` are in rank order (C3)."""

    uri: str
    cid: str
    author: str
    created_at: str
    type: str
    assignee: str | None
    subject: Ref | None
    based_on: tuple[Ref, ...] | None
    auto_review: bool | None
    type_known: bool
    scope_fits: bool | None
    open: bool
    dispatchable: bool
    awaiting_input: bool
    fulfilled_by: tuple[str, ...]
    declined_by: str | None
    retracted_by: str | None
    claims: tuple[str, ...]
    questions: tuple[QuestionView, ...]


@attrs.frozen
class ReviewView:
    """A verdict on an artifact (X3); `pin` says which version of it was judged."""

    uri: str
    cid: str
    author: str
    created_at: str
    verdict: str
    pin: str | None
    request: Ref | None
    claim: ClaimMark | None


@attrs.frozen
class CheckrunView:
    """The project's checks, run on a commit (X4)."""

    uri: str
    cid: str
    author: str
    created_at: str
    commit: str
    passed: bool


@attrs.frozen
class MergedView:
    """The first merge observed of an artifact (X5): `at` is `mergedAt`, else when the record was made."""

    at: str
    pr: str
    by: str
    record: str


@attrs.frozen
class ArtifactView:
    """An artifact with what hangs on it (X1–X5); `auto_review` is the effective value (R8)."""

    uri: str
    cid: str
    author: str
    created_at: str
    type: str
    title: str | None
    request: Ref
    prev: Ref | None
    model: str | None
    claim: ClaimMark | None
    auto_review: bool
    reviews: tuple[ReviewView, ...]
    checkruns: tuple[CheckrunView, ...]
    merged: MergedView | None
    messages: tuple[MessageView, ...]


@attrs.frozen
class ChainView:
    """Versions of one deliverable (X2); `current` is the last of them."""

    type: str
    versions: tuple[str, ...]
    current: str
    forks: bool


@attrs.frozen
class SystemView:
    """A project's own artifact (X6): how many implementations were merged since its current version."""

    type: str
    current: str
    staleness: int


@attrs.frozen
class GuestView:
    """A guest's words that a member vouches for (M2): `by` blessed `comment`, which `guest` wrote."""

    bless: str
    by: str
    guest: str
    comment: Ref
    body: str


@attrs.frozen
class EndingView:
    """How a goal ended (G3, G4). The legacy field has no instant: `at` is nothing, `record` is the goal."""

    disposition: str | None
    at: str | None
    by: str
    record: str


@attrs.frozen
class GoalView:
    """A goal and everything that stands on it."""

    uri: str
    cid: str
    digest: str
    author: str
    created_at: str
    project: Ref
    title: str
    ended: bool
    ending: EndingView | None
    records: tuple[str, ...]
    requests: tuple[RequestView, ...]
    artifacts: tuple[ArtifactView, ...]
    chains: tuple[ChainView, ...]
    messages: tuple[MessageView, ...]
    guests: tuple[GuestView, ...]


@attrs.frozen
class ProjectView:
    """A project with its effective fields (P1, P2) and everything that stands on it but goals."""

    uri: str
    cid: str
    digest: str
    author: str
    created_at: str
    name: str
    git_url: str
    default_branch: str
    checks: tuple[Check, ...] | None
    archived: bool
    auto_review: Mapping[str, bool] = attrs.field(hash=False)
    records: tuple[str, ...]
    requests: tuple[RequestView, ...]
    artifacts: tuple[ArtifactView, ...]
    chains: tuple[ChainView, ...]
    system: tuple[SystemView, ...]


@attrs.frozen
class MemberView:
    """Somebody whose records count (T1, T3): root, or the holder of a current grant."""

    did: str
    kind: str
    role: str
    joined: bool
    grant: StrongRef | None
    since: str


@attrs.frozen
class GrantView:
    """A grant that had effect, and what became of it (T3–T5): `current`, `replaced` or `revoked` by `ended_by`."""

    uri: str
    cid: str
    did: str
    kind: str
    role: str
    by: str
    at: str
    state: str
    ended_by: str | None


@attrs.frozen
class TypeView:
    """An entry of the artifact-type registry (A1, A2); a built-in that nobody re-defined has no texts and no record."""

    name: str
    scope: str
    brief: str | None
    output_spec: str | None
    built_in: bool
    record: StrongRef | None


@attrs.frozen
class AgentView:
    """A profile of an agent (M5); `profile` is the record's key."""

    uri: str
    cid: str
    did: str
    profile: str
    handle_name: str
    harness: str
    models: tuple[Model, ...]
    artifact_types: tuple[str, ...]


@attrs.frozen
class SpaceView:
    """A Radial space: who is in it and everything that counts there."""

    uri: str
    cid: str
    digest: str
    name: str
    description: str | None
    root: str
    records: tuple[str, ...]
    members: tuple[MemberView, ...]
    grants: tuple[GrantView, ...]
    guest_comments: bool
    artifact_types: tuple[TypeView, ...]
    agents: tuple[AgentView, ...]
    projects: tuple[ProjectView, ...]
    goals: tuple[GoalView, ...]


@attrs.frozen
class ImageView:
    """A picture that prose may refer to (M4); `blob` is the lexicon's blob value."""

    uri: str
    cid: str
    author: str
    blob: Any = attrs.field(hash=False)
