"""What a follower tells while it works, as values: somebody may draw them, print them, or count them."""

from __future__ import annotations

from typing import TypeAlias

import attrs

from radial_io.ingest.choosing import Way
from radial_io.ingest.skew import Skew
from radial_io.ingest.visiting import Reading
from radial_io.store.values import Damage


@attrs.frozen
class Joined:
    """A repo is followed from now on: its owner is a member."""

    did: str


@attrs.frozen
class Left:
    """A repo is not followed any more; what was read of it stays."""

    did: str


@attrs.frozen
class Step:
    """A look at a repo goes on: `answers` of its server so far, their `bytes`, and `records` written."""

    did: str
    answers: int
    bytes: int
    records: int


@attrs.frozen
class Looked:
    """A look at a repo is over."""

    reading: Reading


@attrs.frozen
class Opened:
    """A stream is connected."""

    way: Way


@attrs.frozen
class BrokeOff:
    """A stream is not connected any more; it will be tried again."""

    way: Way
    words: str


@attrs.frozen
class NoSpace:
    """The root's repo was read, and does not hold the space."""

    uri: str


@attrs.frozen
class Damaged:
    """A stored version cannot be read any more."""

    damage: Damage


@attrs.frozen
class TooMany:
    """There are more members than are followed: `most`, those whose DIDs sort first."""

    members: int
    most: int


@attrs.frozen
class ClockOff:
    """This machine's clock is off by so much that somebody should set it."""

    skew: Skew


News: TypeAlias = Joined | Left | Step | Looked | Opened | BrokeOff | NoSpace | Damaged | TooMany | ClockOff
