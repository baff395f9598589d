"""What is said of the records that do not count, and of the versions that were passed over.

Strategy: a refusal is a value with the name of the rule and a reason in words that its reader can act on. Nothing is
dropped without one: every record seen stands in a view, among the images, or in a row made here.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs


def quoted(text: str, most: int = 80) -> str:
    """Make somebody else's text fit to stand in a sentence: short, on one line, without control characters."""
    shown = "".join(character if character.isprintable() else "�" for character in text[:most])
    return f"“{shown}…”" if len(text) > most else f"“{shown}”"


class Ruling(NamedTuple):
    """Why a record does not count: the protocol's `rule` and the `reason` in words."""

    rule: str
    reason: str


@attrs.frozen
class IgnoredRow:
    """One record that does not count. `cid` is the version that V chose, else the earliest seen, else nothing."""

    uri: str
    cid: str | None
    rule: str
    reason: str


@attrs.frozen
class PassedOver:
    """A version that is not the one kept, with V6's reason."""

    cid: str
    reason: str


@attrs.frozen
class EditRow:
    """What else was seen at a record's URI (V6): `others` earliest first; `kept` is V's choice.

    `deleted` tells that a deletion was seen and nothing later.
    """

    uri: str
    kept: str | None
    others: tuple[PassedOver, ...]
    deleted: bool
