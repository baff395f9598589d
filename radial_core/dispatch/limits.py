"""How long a packet may be, and how its sections share that.

Strategy: each section has a room of its own, fixed before anything is read, so that no author can crowd out another
section and that two packets of one project start alike. When the rooms together are more than the whole allows, all
shrink in proportion, none below its least. The least of the request holds the task whatever its names are: bounds that
could not hold it are refused here, before anybody works by them. All lengths are bytes of the written packet, in
whichever of its two forms is longer.
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
LEAST_BRIEF: Final = 2_048  # what the task itself may always take, beyond its names
# The request's URI (2,603), DID (2,048) and CID, its type (512 bytes, six for each in JSON) and date (512), the words
# around them and LEAST_BRIEF; the words that are built in (1,024); what the section says of itself (768); and of the
# whole an eighth, which is kept for names.
LEAST_REQUEST: Final = 14_336
FRAME: Final = 16_384  # what stands around the sections: at most four URIs of 2,610 characters, and our own words
MOST: Final = 33_554_432  # what a packet's CID can be made of
LEASTS: Final[Mapping[str, int]] = MappingProxyType({**dict.fromkeys(ROOMS, LEAST_ROOM), "request": LEAST_REQUEST})
LEAST_TOTAL: Final = FRAME + sum(LEASTS.values())


def _rooms(given: Mapping[str, int]) -> Mapping[str, int]:
    strange = sorted(given.keys() - ROOMS.keys())
    if strange:
        raise ValueError(f"no such section: {', '.join(strange)}")
    for name, room in sorted(given.items()):
        _require(f"the section {name}", room, LEASTS[name])
    return MappingProxyType({**ROOMS, **given})


def _require(what: str, size: int, least: int) -> None:
    if size.__class__ is not int or not least <= size <= MOST:
        raise ValueError(f"{what} takes at least {least} bytes and at most {MOST}, whole ones")


@attrs.frozen(kw_only=True)
class Limits:
    """The bounds of a packet, in bytes: of the `total`, of a `piece`, of sections by name (others keep the usual).

    Raises `ValueError` for an unknown section; for a total of less than 40,960, a room of less than 14,336 (`request`)
    or 1,024 (all others), a piece of less than 1,024; and for any of them over 33,554,432.
    """

    total: int = 409_600
    piece: int = 40_960
    sections: Mapping[str, int] = attrs.field(factory=dict[str, int], converter=_rooms, hash=False)

    def __attrs_post_init__(self) -> None:
        _require("a packet", self.total, LEAST_TOTAL)
        _require("a piece", self.piece, LEAST_ROOM)

    def rooms(self) -> dict[str, int]:
        """Give the bytes that each section may take, in order; with the frame they are no more than the total."""
        wanted = {name: room - LEASTS[name] for name, room in self.sections.items()}
        free = min(self.total - LEAST_TOTAL, sum(wanted.values()))
        whole = max(1, sum(wanted.values()))
        return {name: LEASTS[name] + room * free // whole for name, room in wanted.items()}
