"""How a request stands, and what it names: who may answer it, what stops it, which versions are the last.

Strategy: asked when a turn is settled and again when it delivers, so that what is different then is news. Each is read
off the index by the rule that others go by too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.dispatch.reasons import Reason, case_of, stopped
from radial_core.dispatch.routing import Operator
from radial_core.identifiers import StrongRef

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.dispatch.scope import Scope
    from radial_core.entries import Entry
    from radial_core.index import Index


@attrs.frozen
class Watched:
    """A record that a turn works on: `ref` as it was at the start, `current` the last version of its chain then."""

    ref: StrongRef
    current: str


def watched_by(scope: Scope) -> tuple[Watched, ...]:
    """Watch what the request names and counts here; what that was based on is behind it, and was read with it."""
    named = [one.ref.uri for one in scope.basis if one.distance == 0 and one.ref.resolved]
    currents = current_versions(scope.index, named)
    found = ((uri, scope.index.entry(uri)) for uri in named)
    return tuple(Watched(ref_to(entry), currents[uri]) for uri, entry in found if entry is not None)


_ANYBODY: Final = Operator(profiles=(), routes={})  # what stops a request stops it for every operator


def stopped_at(index: Index, request: str) -> Reason | None:
    """Say why nobody at all is to go on with a request (R2–R5), or nothing."""
    case = case_of(index, _ANYBODY, request)
    return None if case is None else stopped(case)


def is_member_at(index: Index, request: str, did: str) -> bool:
    """Tell whether somebody is a member of a request's space: whether what they answer counts there (T5)."""
    space = index.space(space_of(index, request))
    return space is not None and any(member.did == did for member in space.members)


def space_of(index: Index, uri: str) -> str:
    """Give the space of what stands at a goal or project (T7); nothing for anything else."""
    home = index.place_of(uri)
    place = None if home is None else index.entry(home)
    return "" if place is None else place.value.get("space", {"uri": ""})["uri"]


def ref_to(entry: Entry[Any]) -> StrongRef:
    """Refer to a record at the version that counts."""
    return StrongRef(entry.uri, entry.cid)


def current_version(index: Index, uri: str) -> str:
    """Give the last version of an artifact's chain (X2); of anything else, itself."""
    return current_versions(index, (uri,))[uri]


def current_versions(index: Index, uris: Iterable[str]) -> dict[str, str]:
    """Give the last version of each artifact's chain, looking through each place once."""
    found = {uri: uri for uri in uris}
    homes = {index.place_of(uri) for uri in found}
    places = (index.goal(home) or index.project(home) for home in homes if home is not None)
    for chain in (chain for place in places if place is not None for chain in place.chains):
        found |= {uri: chain.current for uri in chain.versions if uri in found}
    return found
