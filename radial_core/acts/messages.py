"""Talk: messages, replies, answers, refusals, questions to an agent (M1, R2, R4, R6; RAD-10.37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.acts.draft import Act

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.acts.desk import Desk


def message(desk: Desk, anchor: str, body: str, *, mentions: Sequence[str] = (), re: str | None = None) -> Act:
    """Say something about a goal or an artifact; `mentions` are DIDs, `re` is the request that it is about."""
    raise NotImplementedError


def reply(desk: Desk, parent: str, body: str, *, mentions: Sequence[str] = ()) -> Act:
    """Reply to a message, in its thread. A reply to a question answers it (R6)."""
    raise NotImplementedError


def answer(desk: Desk, request: str, body: str, *, mentions: Sequence[str] = ()) -> Act:
    """Answer a request for an answer: a reply to its subject that names it (R2)."""
    raise NotImplementedError


def decline(desk: Desk, request: str, body: str, *, anchor: str | None = None) -> Act:
    """Decline a request, as its assignee (R4).

    A request at a project has no thread of its own: it is declined in that of what it is about, or at `anchor`, a goal
    or an artifact. Raises `ActError` where there is none.
    """
    raise NotImplementedError


def ask_agent(desk: Desk, agent: str, body: str, *, context: str) -> Act:
    """Ask an agent (a DID) in a thread: the message and the request that pins it, two records (RAD-10.37).

    `context` is a goal or artifact to speak about, or a message to reply to.
    """
    raise NotImplementedError
