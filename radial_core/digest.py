"""The digest tree (D1–D3): what two observers of the same trusted records must agree on, and nothing else.

Strategy: each place is written as a plain projection whose DAG-CBOR has a CID; a space's names those of its projects
and goals, the index's those of its spaces. So two observers who differ walk down to the place in question. The
projections are a contract with other languages: `docs/reference/digest.md` lists them field by field. Claims enter by
URI alone, because renewals change their CIDs.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from radial_core.canonical import cid_of_projection
from radial_core.records import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.entries import Entry
    from radial_core.leases import Lease
    from radial_core.places import Estate, Place
    from radial_core.views import GoalView, MemberView, ProjectView, SpaceView, TypeView


def goal_digest(goal: Place, leases: Mapping[str, tuple[Lease, ...]]) -> str:
    """Digest a goal: its records, its claims in rank order, and whether the legacy field closes it (V4)."""
    return cid_of_projection(_place("goal", goal, leases) | {"closed": goal.entry.closed})


def project_digest(project: Place, leases: Mapping[str, tuple[Lease, ...]]) -> str:
    """Digest a project: its records but not its goals', and its claims in rank order."""
    return cid_of_projection(_place("project", project, leases))


def _place(kind: str, place: Place, leases: Mapping[str, tuple[Lease, ...]]) -> dict[str, Any]:
    records = [entry for kind, entries in place.records.items() if kind is not Claim for entry in entries]
    return {
        "kind": kind,
        "uri": place.entry.uri,
        "cid": place.entry.cid,
        "records": _pairs(records),
        "claims": [[request, [lease.uri for lease in leases[request]]] for request in sorted(leases)],
    }


def space_digest(
    estate: Estate,
    members: Iterable[MemberView],
    types: Iterable[TypeView],
    places: tuple[Iterable[ProjectView], Iterable[GoalView]],
    *,
    guest_comments: bool,
) -> str:
    """Digest a space: its membership, registry, settings and agents, and the digests of its projects and goals."""
    projects, goals = places
    return cid_of_projection(
        {
            "kind": "space",
            "uri": estate.space.uri,
            "cid": estate.space.cid,
            # D1: who joined is nobody's business here.
            "members": [[m.did, m.kind, m.role, m.grant.uri if m.grant is not None else None] for m in members],
            "grants": [[grant.uri, grant.cid, grant.state, grant.ended_by] for grant in estate.grants],
            "types": [[known.name, *known.record] for known in types if known.record is not None],
            "guestComments": guest_comments,
            "agents": _pairs(estate.agents),
            "projects": _digests(projects),
            "goals": _digests(goals),
        }
    )


def index_digest(spaces: Iterable[SpaceView]) -> str:
    """Digest an index: the digests of its spaces."""
    return cid_of_projection({"kind": "index", "spaces": _digests(spaces)})


def _pairs(entries: Iterable[Entry[Any]]) -> list[list[str]]:
    return [[entry.uri, entry.cid] for entry in sorted(entries, key=attrgetter("uri"))]


def _digests(views: Iterable[SpaceView | ProjectView | GoalView]) -> list[list[str]]:
    return sorted([view.uri, view.digest] for view in views)
