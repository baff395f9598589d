"""The digest tree (D1–D3): what two observers of the same trusted records must agree on, and nothing else.

Strategy: each place is written as a plain projection whose DAG-CBOR has a CID; a space's names those of its projects
and goals, the index's those of its spaces. So two observers who differ walk down to the place in question. The
projections are a contract with other languages: `docs/reference/digest.md` lists them field by field. Claims enter by
URI alone, because renewals change their CIDs. No view is needed for a digest.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.canonical import cid_of_projection
from radial_core.records import Claim
from radial_core.rules.guests import asks_for_comments
from radial_core.rules.registry import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.entries import Entry
    from radial_core.places import Estate, Place
    from radial_core.rules.claims import Ranking


class Digests(NamedTuple):
    """The digest of the index, and those of its spaces, projects and goals by URI."""

    root: str
    places: dict[str, str]


def digest_tree(estates: Mapping[str, Estate], rankings: Mapping[str, Ranking]) -> Digests:
    """Digest everything; `rankings` are the claims of every place by its URI."""
    places: dict[str, str] = {}
    for estate in estates.values():
        for project in estate.projects:
            places[project.entry.uri] = cid_of_projection(_place("project", project, rankings))
        for goal in estate.goals:
            # V4: the effective `closed` is told apart, because the record keeps its first CID.
            projection = _place("goal", goal, rankings) | {"closed": goal.entry.closed}
            places[goal.entry.uri] = cid_of_projection(projection)
        places[estate.space.uri] = cid_of_projection(_space(estate, places))
    return Digests(cid_of_projection({"kind": "index", "spaces": _named(sorted(estates), places)}), places)


def _place(kind: str, place: Place, rankings: Mapping[str, Ranking]) -> dict[str, Any]:
    records = [entry for kind, entries in place.records.items() if kind is not Claim for entry in entries]
    leases = rankings[place.entry.uri].leases
    return {
        "kind": kind,
        "uri": place.entry.uri,
        "cid": place.entry.cid,
        "records": _pairs(records),
        "claims": [[request, [lease.uri for lease in leases[request]]] for request in sorted(leases)],
    }


def _space(estate: Estate, digests: Mapping[str, str]) -> dict[str, Any]:
    types = registry(estate.place).values()
    return {
        "kind": "space",
        "uri": estate.space.uri,
        "cid": estate.space.cid,
        "members": _members(estate),
        "grants": [[grant.uri, grant.cid, grant.state, grant.ended_by] for grant in estate.grants],
        "types": [[known.name, *known.record] for known in types if known.record is not None],
        "guestComments": asks_for_comments(estate.place),
        "agents": _pairs(estate.agents),
        "projects": _named(sorted(place.entry.uri for place in estate.projects), digests),
        "goals": _named(sorted(place.entry.uri for place in estate.goals), digests),
    }


def _members(estate: Estate) -> list[list[str | None]]:
    """D1: who joined is nobody's business here."""
    root: list[str | None] = [estate.trust.root, "human", "admin", None]
    others: list[list[str | None]] = [
        [did, grant.record.member_kind, grant.record.role, grant.uri] for did, grant in estate.trust.grants.items()
    ]
    return sorted([root, *others], key=lambda member: str(member[0]))


def _pairs(entries: Iterable[Entry[Any]]) -> list[list[str]]:
    return [[entry.uri, entry.cid] for entry in sorted(entries, key=attrgetter("uri"))]


def _named(uris: Iterable[str], digests: Mapping[str, str]) -> list[list[str]]:
    return [[uri, digests[uri]] for uri in uris]
