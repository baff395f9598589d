"""The digest tree (D1–D3): what two observers of the same trusted records must agree on, and nothing else.

Strategy: each place is written as a plain projection whose DAG-CBOR has a CID; a space's names those of its projects
and goals, the index's those of its spaces. So two observers who differ walk down to the place in question. The
projections are a contract with other languages: `docs/reference/digest.md` lists them field by field. Claims enter by
URI alone, because renewals change their CIDs. No view is needed for a digest. Each digest is a fact of its shelf or its
holding: it is computed when somebody asks, once, and holds wherever that shelf or holding is part of an index.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from radial_core.canonical import cid_of_projection
from radial_core.records import Claim
from radial_core.rules.guests import asks_for_comments
from radial_core.rules.membership import grant_views
from radial_core.rules.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.persistent import PersistentMap
    from radial_core.places import Holding, Shelf


def place_digest(place: Shelf) -> str:
    """Digest a project or a goal (D2)."""
    return cid_of_projection(_place(place))


def space_digest(space: Holding) -> str:
    """Digest a space, and for it all of its projects and goals (D2)."""
    return cid_of_projection(_space(space))


def index_digest(holdings: PersistentMap[str, Holding]) -> str:
    """Digest everything (D2)."""
    spaces = [[uri, holding.fact(space_digest)] for uri, holding in sorted(holdings.items())]
    return cid_of_projection({"kind": "index", "spaces": spaces})


def digest_tree(holdings: PersistentMap[str, Holding]) -> dict[str, Any]:
    """Write the whole tree as JSON: every projection beside its digest, those of a space's places within it."""
    return {
        "digest": index_digest(holdings),
        "spaces": [_space_node(holding) for _, holding in sorted(holdings.items())],
    }


def _space_node(space: Holding) -> dict[str, Any]:
    places = {
        name: [{"digest": shelf.fact(place_digest), **_place(shelf)} for _, shelf in sorted(held.items())]
        for name, held in (("projects", space.projects), ("goals", space.goals))
    }
    return {"digest": space.fact(space_digest), **_space(space), **places}


def _place(place: Shelf) -> dict[str, Any]:
    records = [entry for kind, entries in place.records.items() if kind is not Claim for entry in entries]
    claims: dict[str, list[str]] = {}
    for claim in place.all(Claim):  # as they stand here, they stand in rank order (C3)
        claims.setdefault(claim.record.request, []).append(claim.uri)
    projection = {
        "kind": place.entry.record.kind,
        "uri": place.entry.uri,
        "cid": place.entry.cid,
        "records": _pairs(records),
        "claims": [[request, uris] for request, uris in sorted(claims.items())],
    }
    # V4: the effective `closed` of a goal is told apart, because the record keeps its first CID.
    return projection | {"closed": place.entry.closed} if projection["kind"] == "goal" else projection


def _space(space: Holding) -> dict[str, Any]:
    types = space.own.fact(registry).values()
    return {
        "kind": "space",
        "uri": space.space.uri,
        "cid": space.space.cid,
        "members": _members(space),
        "grants": [[grant.uri, grant.cid, grant.state, grant.ended_by] for grant in grant_views(space.membership)],
        "types": [[known.name, *known.record] for known in types if known.record is not None],
        "guestComments": asks_for_comments(space.own),
        "agents": _pairs(space.agents),
        "projects": _digests(space.projects),
        "goals": _digests(space.goals),
    }


def _members(space: Holding) -> list[list[str | None]]:
    """D1: who joined is nobody's business here."""
    root: list[str | None] = [space.trust.root, "human", "admin", None]
    others: list[list[str | None]] = [
        [did, grant.record.member_kind, grant.record.role, grant.uri] for did, grant in space.trust.grants.items()
    ]
    return sorted([root, *others], key=lambda member: str(member[0]))


def _pairs(entries: Iterable[Entry[Any]]) -> list[list[str]]:
    return [[entry.uri, entry.cid] for entry in sorted(entries, key=attrgetter("uri"))]


def _digests(places: PersistentMap[str, Shelf]) -> list[list[str]]:
    return [[uri, shelf.fact(place_digest)] for uri, shelf in sorted(places.items())]
