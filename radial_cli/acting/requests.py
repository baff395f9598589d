"""Requests: made from wherever one stands, for one's goal or one's project, taken back (RAD-4.41, 8.5, 8.6, 11.8)."""

from __future__ import annotations

from typing import Final, NamedTuple

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.texts import Source, Text
from radial_cli.acting.view import View
from radial_cli.acting.words import named
from radial_cli.exits import USAGE, Failure
from radial_cli.output import say
from radial_cli.pictures.words import brief_title, listed
from radial_cli.untrusted import one_line
from radial_core.acts import requests
from radial_core.acts.draft import Act
from radial_core.acts.standing import offers
from radial_core.views import AgentView

_ORIGINS: Final = ("artifact", "message", "review", "artifactRequest", "checkrun", "merge", "goal", "project")


class Wish(NamedTuple):
    """What is asked for, in the words of the command line."""

    type: str
    goal: str | None
    project: str | None
    origin: str | None
    based_on: list[str]
    subject: str | None
    assignee: str | None
    auto_review: bool | None
    alternatives: int


def new(manner: Manner, wish: Wish, *, source: tuple[str | None, str | None]) -> None:
    """Ask for something to be made."""
    if wish.goal is not None and wish.project is not None:
        raise Failure("--goal and --project exclude each other", "A request stands at one place.", USAGE)
    if wish.goal is None and wish.project is None and wish.origin is None and wish.subject is None:
        raise Failure("a request needs a place", "Give --goal, --project, or --from an artifact or message.", USAGE)
    named(wish.type, "what is asked for")
    brief = Text(Source(*source), "request", required=False)
    menu = _Menu(wish.type)

    def build(view: View) -> Act:
        act = _request(view, wish, brief() or None)
        if wish.assignee is None and act.space is not None:
            menu.show(view, act.space)
        return act

    perform(manner, build, text=brief, people=[wish.assignee])


def _request(view: View, wish: Wish, brief: str | None) -> Act:
    anchor = None
    if wish.goal is not None:
        anchor = view.find(wish.goal, "goal")
    elif wish.project is not None:
        anchor = view.find(wish.project, "project")
    return requests.request(
        view.desk,
        requests.Wish(
            type=wish.type,
            brief=brief,
            assignee=view.person(wish.assignee) if wish.assignee is not None else None,
            auto_review=wish.auto_review,
            alternatives=wish.alternatives,
        ),
        context=view.find(wish.origin, *_ORIGINS) if wish.origin is not None else None,
        anchor=anchor,
        based_on=[view.find(text, *_ORIGINS) for text in wish.based_on],
        subject=view.find(wish.subject, "artifact", "message", "artifactRequest", "review") if wish.subject else None,
    )


class _Menu:
    """Who can make it: told once, before the act is shown."""

    def __init__(self, type_name: str) -> None:
        self.type = type_name
        self.lines: list[str] = []

    def show(self, view: View, space: str) -> None:
        """Say who is offered for the type: exactly the members' profiles that produce it."""
        lines = menu(offers(view.reading.index, space, self.type), self.type)
        if lines != self.lines:
            self.lines = lines
            for line in lines:
                say(line)


def menu(agents: tuple[AgentView, ...], type_name: str) -> list[str]:
    """Spell who can make a type, on which models, at what cost."""
    if not agents:
        return []  # a caution says so
    rows = [f"radial: {one_line(type_name, 60)} is made by, with --assignee to choose:"]
    for agent in agents:
        models = [
            brief_title(model.name) + (f" ({brief_title(model.cost_hint)})" if model.cost_hint else "")
            for model in agent.models
        ]
        rows.append(f"  @{one_line(agent.profile, 60)}  {agent.did}  {brief_title(agent.harness)} on {listed(models)}")
    return rows


def retract(manner: Manner, *, request: str) -> None:
    """Take a request back."""
    perform(
        manner,
        lambda view: requests.retract_request(view.desk, view.find(request, "artifactRequest")),
        is_ending=True,
        question="Take it back?",
    )


def capture(
    manner: Manner, *, artifact: str, type_name: str, assignee: str | None, source: tuple[str | None, str | None]
) -> None:
    """Ask that a goal's work be distilled for its project."""
    named(type_name, "what is asked for")
    brief = Text(Source(*source), "capture", required=False)

    def build(view: View) -> Act:
        person = view.person(assignee) if assignee is not None else None
        wish = requests.Wish(type=type_name, brief=brief() or None, assignee=person)
        return requests.capture(view.desk, view.find(artifact, "artifact"), wish)

    perform(manner, build, text=brief, people=[assignee])
