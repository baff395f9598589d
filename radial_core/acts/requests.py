"""Requests: made with all the provenance that is known, and withdrawn (R1, R3; RAD-4.41, 8.6, 7.12, 11.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.acts.desk import Desk


@attrs.frozen(kw_only=True)
class Wish:
    """What is asked for: a `type`, a `brief` in one's own words, of whom; `alternatives` asks for so many, blindly."""

    type: str
    brief: str | None = None
    assignee: str | None = None
    auto_review: bool | None = None
    alternatives: int = 1


def request(
    desk: Desk,
    wish: Wish,
    *,
    context: str | None = None,
    anchor: str | None = None,
    based_on: Sequence[str] = (),
    subject: str | None = None,
) -> Act:
    """Ask for an artifact, a review or an answer.

    `context` is the URI from which one asks: a goal or project, an artifact, a review, a message, a request, a check
    run, a merge. It gives the anchor, unless `anchor` (a goal or project) does, and `basedOn` or `subject`, to which
    `based_on` and `subject` (URIs) add. Raises `ActError` where no anchor can be told.
    """
    raise NotImplementedError


def capture(desk: Desk, source: str, wish: Wish) -> Act:
    """Ask that goal work be distilled for the whole project: one request at the project, based on the source."""
    raise NotImplementedError


def retract_request(desk: Desk, request: str) -> Act:
    """Withdraw a request (R3)."""
    raise NotImplementedError
