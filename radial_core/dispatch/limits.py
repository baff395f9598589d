"""How long a packet may be, and how its sections share that.

Strategy: each section has a room of its own, fixed before anything is read, so that no author can crowd out another
section and that two packets of one project start alike. When the rooms together are more than the whole allows, all
shrink in proportion. All lengths are bytes of the written packet, in whichever of its two forms is longer.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs

if TYPE_CHECKING:
    from collections.abc import Mapping

# In the order in which sections stand: what changes least comes first.
ROOMS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "project": 8_192,
        "system": 65_536,
        "goal": 32_768,
        "request": 49_152,
        "basis": 81_920,
        "criteria": 16_384,
        "findings": 32_768,
        "checks": 32_768,
        "thread": 49_152,
        "guests": 16_384,
        "images": 8_192,
    }
)
LEAST_ROOM: Final = 1_024  # a section that says that all of it was left out
FRAME: Final = 16_384  # what stands around the sections: at most four URIs of 2,610 characters, and our own words
_LEAST_TOTAL: Final = FRAME + LEAST_ROOM * len(ROOMS)


def _rooms(given: Mapping[str, int]) -> Mapping[str, int]:
    strange = sorted(given.keys() - ROOMS.keys())
    if strange:
        raise ValueError(f"no such section: {', '.join(strange)}")
    small = sorted(name for name, room in given.items() if room < LEAST_ROOM)
    if small:
        raise ValueError(f"less than {LEAST_ROOM} bytes for: {', '.join(small)}")
    return MappingProxyType({**ROOMS, **given})


@attrs.frozen(kw_only=True)
class Limits:
    """The bounds of a packet, in bytes: of the `total`, of a `piece`, of sections by name (others keep the usual).

    Raises `ValueError` for an unknown section, a room of less than 1,024 and a total of less than 27,648.
    """

    total: int = 409_600
    piece: int = 40_960
    sections: Mapping[str, int] = attrs.field(factory=dict[str, int], converter=_rooms, hash=False)

    def __attrs_post_init__(self) -> None:
        if self.total < _LEAST_TOTAL:
            raise ValueError(f"a packet takes at least {_LEAST_TOTAL} bytes")

    def rooms(self) -> dict[str, int]:
        """Give the bytes that each section may take, in order; with the frame they are no more than the total."""
        wanted = {name: room - LEAST_ROOM for name, room in self.sections.items()}
        free = min(self.total - _LEAST_TOTAL, sum(wanted.values()))
        whole = max(1, sum(wanted.values()))
        return {name: LEAST_ROOM + room * free // whole for name, room in wanted.items()}
