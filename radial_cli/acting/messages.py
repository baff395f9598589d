"""Talk: messages, replies, a no, a question to an agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.texts import Source, Text
from radial_cli.acting.view import View
from radial_core.acts import messages
from radial_core.acts.draft import Act

_PLACES: Final = ("goal", "artifact")


def message(
    manner: Manner,
    *,
    place: str,
    about: str | None,
    mentions: Sequence[str],
    source: tuple[str | None, str | None],
) -> None:
    """Say something at a goal or an artifact."""
    text = Text(Source(*source), "message", hint="What do you want to say?")

    def build(view: View) -> Act:
        anchor = view.find(place, *_PLACES)
        re = view.find(about, "artifactRequest") if about is not None else None
        people = [view.person(name) for name in mentions]
        return messages.message(view.desk, anchor, text(), mentions=people, re=re)

    perform(manner, build, text=text, people=mentions)


def reply(manner: Manner, *, parent: str, mentions: Sequence[str], source: tuple[str | None, str | None]) -> None:
    """Reply to a message; where that is what somebody was asked to answer, it is the answer."""
    text = Text(Source(*source), "reply", hint="What do you want to say?")

    def build(view: View) -> Act:
        target = view.find(parent, "message")
        people = [view.person(name) for name in mentions]
        return messages.reply(view.desk, target, text(), mentions=people)

    perform(manner, build, text=text, people=mentions)


def decline(manner: Manner, *, request: str, place: str | None, source: tuple[str | None, str | None]) -> None:
    """Say no to a request."""
    text = Text(Source(*source), "decline", hint="Why not?")

    def build(view: View) -> Act:
        target = view.find(request, "artifactRequest")
        anchor = view.find(place, *_PLACES) if place is not None else None
        return messages.decline(view.desk, target, text(), anchor=anchor)

    perform(manner, build, text=text, question="Decline it?")


def ask(manner: Manner, *, agent: str, place: str, source: tuple[str | None, str | None]) -> None:
    """Ask an agent something (RAD-10.37)."""
    text = Text(Source(*source), "ask", hint="What do you want to know?")

    def build(view: View) -> Act:
        whom = view.person(agent)
        context = view.find(place, *_PLACES, "message")
        return messages.ask_agent(view.desk, whom, text(), context=context)

    perform(manner, build, text=text, people=[agent])
