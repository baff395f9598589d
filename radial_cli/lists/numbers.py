"""The numbers by which a person may name things: their positions among all of their kind in a space.

Strategy: a number means the same in every list, whatever the list leaves out.
"""

from __future__ import annotations

from radial_core import Index
from radial_core.acts.references import numbered


def numbers(index: Index, kind: str, space: str) -> dict[str, str]:
    """Map the URIs of a kind to their numbers in a space."""
    return {uri: str(at) for at, uri in enumerate(numbered(index, kind, space), 1)}
