"""The slow, obvious, literal implementation of the protocol, to be compared with the real one.

Strategy: written from the protocol's text alone, with the standard library alone; it shares no line with
the packages it judges. Each rule is one small function that cites it. Nothing is fast and nothing is kept
between questions. Observations are the wire form (O1, O2) as parsed JSON; results are the JSON of §15.

Read in this order: `canonical`, `instants`, `formats`, `structure` (values) · `versions` (O, L, V) ·
`membership`, `world` (T: who counts, where) · `references` (L4) · `goals`, `requests`, `artifacts`,
`settings` (the families) · `digests` (D) · `views` (J) · `provenance` (N) · `leases` (C4, C5).
"""

from __future__ import annotations

from typing import Any

from tests.oracle import provenance, views
from tests.oracle.leases import live, winner
from tests.oracle.world import build

__all__ = ["downstream", "live", "materialize", "upstream", "winner"]

Observations = list[dict[str, Any]]


def materialize(observations: Observations) -> dict[str, Any]:
    """Return the whole index of some observations (§15), digests and reasons included.

    ValueError: an observation is malformed, or two with one (uri, cid) have different values (O4).
    """
    return views.index(build(observations))


def upstream(observations: Observations, uri: str) -> list[str]:
    """N2: the URIs of everything that a record was made from, in (createdAt, uri) order."""
    return provenance.upstream(build(observations), uri)


def downstream(observations: Observations, uri: str) -> list[str]:
    """N2: the URIs of everything that was made from a record, in (createdAt, uri) order."""
    return provenance.downstream(build(observations), uri)
