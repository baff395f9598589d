"""`radial goal`: what somebody wants done."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Body, BodyFile, Goal, InProject

EXAMPLES = """\b
Examples:
  radial goal create "Gauges agree" --project Gauge
  radial goal create "Gauges agree" --project 1 --body-file goal.md
  radial goal close 3 --disposition superseded
  radial goal reopen 3
"""

goal = typer.Typer(help="Set goals and end them.", epilog=EXAMPLES, no_args_is_help=True)


@goal.command()
@acting
def create(
    manner: Manner,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="In a few words.", show_default=False)],
    project: InProject = None,
    body: Body = None,
    body_file: BodyFile = None,
) -> None:
    """Set a goal; its text is asked for in your editor.

    A space with one project needs no --project.
    """
    from radial_cli.acting.goals import create as run

    run(manner, title=title, project=project, source=(body, body_file))


@goal.command()
@acting
def close(
    manner: Manner,
    goal: Goal,
    disposition: Annotated[
        str,
        typer.Option(
            "--disposition",
            metavar="WORD",
            help="How: completed (if not said), dropped, superseded, parked, or any other word.",
            show_default=False,
        ),
    ] = "completed",
) -> None:
    """End a goal; you are told what is under way there and will not be dispatched any more."""
    from radial_cli.acting.goals import close as run

    run(manner, goal=goal, disposition=disposition)


@goal.command()
@acting
def reopen(manner: Manner, goal: Goal) -> None:
    """Take up a goal that has ended."""
    from radial_cli.acting.goals import reopen as run

    run(manner, goal=goal)
