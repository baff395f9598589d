"""From an observation that somebody wrote down to what a store takes: the way of `radial import`.

Strategy: observations merge as sets. Whose sighting times come along is the one question: those of another observer
never do (O1: nobody takes over another's clock), and the moment of the import counts; one's own are kept, and the
earlier of two stands.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from radial_core.identifiers import record_parts
from radial_core.jsonform import to_json
from radial_core.observations import Deletion
from radial_io.store.values import Gone, Seen

if TYPE_CHECKING:
    from radial_core.observations import Observation


def item_of(observation: Observation, *, own: bool) -> Seen | Gone | None:
    """Give what a batch holds for an observation; None when its URI is that of no record in a repo (O6).

    `own` says that it comes from this same observer. Raises `CanonicalError` for a value that has no canonical bytes.
    """
    parts = record_parts(observation.uri)
    if parts is None:
        return None
    seen_at = observation.seen_at if own else None
    if isinstance(observation, Deletion):
        return Gone(*parts, observation.rev, seen_at)
    text = json.dumps(to_json(observation.value), ensure_ascii=False, separators=(",", ":"))
    return Seen(*parts, observation.cid, observation.rev, text.encode(), "json", seen_at)
