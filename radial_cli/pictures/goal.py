"""A goal: what is wanted, what was asked for, what was made of it, and what was said."""

from __future__ import annotations

from typing import Final

from radial_cli.pictures.text import draw_text
from radial_cli.pictures.thread import draw_guests, draw_thread
from radial_cli.pictures.words import brief_title, goal_state, moment
from radial_cli.pictures.work import draw_requests, draw_versions
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_core.views import GoalView

_INDENT: Final = 2


def draw_goal(page: Page, goal: GoalView, reading: Reading) -> None:
    """Draw one goal with everything that stands on it."""
    names = reading.names
    page.line([(goal.title, "title"), "  ", goal_state(goal)])
    page.line((goal.uri, "quiet"))
    project = reading.index.project(goal.project.uri)
    place = f" for {brief_title(project.name)}" if project is not None else ""
    page.line(
        [("By ", "quiet"), (names.did(goal.author), "name"), (f", {moment(goal.created_at, reading)},{place}", "quiet")]
    )
    if (ending := goal.ending) is not None:
        when = f" {moment(ending.at, reading)}" if ending.at is not None else ""
        page.line([(f"Ended{when} by ", "quiet"), (names.did(ending.by), "name")])
    page.gap()
    draw_text(page, reading.value(goal.uri)["body"], reading)
    draw_requests(page, goal.requests, reading)
    draw_versions(page, goal.artifacts, goal.chains, reading)
    if goal.messages:
        page.heading("Talk", f"({len(goal.messages)})")
        questions = {question.uri: question for request in goal.requests for question in request.questions}
        draw_thread(page, goal.messages, questions, reading, indent=_INDENT)
    if goal.guests:
        page.heading("Guests", f"({len(goal.guests)})")
        draw_guests(page, goal.guests, reading, indent=_INDENT)
    page.heading("Digest")
    page.line(goal.digest, indent=_INDENT)
