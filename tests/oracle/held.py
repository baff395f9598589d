"""Strategy: a record that V has chosen, with the few things every rule asks of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from tests.oracle import formats
from tests.oracle.instants import instant


@dataclass(frozen=True, eq=False)
class Held:
    """One record: its URI, and the version that counts. `closed` is V4's, of a goal."""

    uri: str
    cid: str
    value: dict[str, Any]
    closed: bool = False

    @cached_property
    def kind(self) -> str:
        """Return the short name of its collection."""
        return formats.kind_named(self.uri) or ""

    @cached_property
    def author(self) -> str:
        """O6: the author of a record is the DID in its URI."""
        return formats.authority(self.uri)

    @cached_property
    def created(self) -> Fraction:
        """L2: the instant of `createdAt`."""
        return instant(self.value["createdAt"])

    @cached_property
    def order(self) -> tuple[Fraction, str]:
        """P3: (createdAt instant, URI code points)."""
        return self.created, self.uri

    def target(self, field: str) -> str | None:
        """Return the URI that a strongref field names, None without the field."""
        return str(self.value[field]["uri"]) if field in self.value else None


def in_order(records: list[Held]) -> list[Held]:
    """Sort records by (createdAt instant, URI)."""
    return sorted(records, key=lambda record: record.order)


def latest(records: list[Held]) -> Held | None:
    """P3: latest-wins."""
    return max(records, key=lambda record: record.order, default=None)
