"""What a write came to."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

How: TypeAlias = Literal["written", "was there already"]


@attrs.frozen
class Written:
    """A record as it now stands in the author's repo; `cid` is None where it was taken away, `rev` where it is unknown.

    `how` tells whether this run wrote it, or found it there: an earlier one had, whose answer was lost.
    """

    uri: str
    cid: str | None
    rev: str | None
    how: How


@attrs.frozen
class Refused:
    """A record that was not written and will not be, and why."""

    uri: str
    words: str


@attrs.frozen
class Delivered:
    """What became of what the outbox held: `written`, in order, and `refused`, which stays there to be looked at."""

    written: tuple[Written, ...] = ()
    refused: tuple[Refused, ...] = ()
