"""`radial request`: asking for an artifact, a review, an answer."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.group import DefaultGroup
from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Assignee, AutoReview, Brief, BriefFile, InProject, Request

EXAMPLES = """\b
Examples:
  radial request plan --goal 3 --brief "Two pages at most"
  radial request implementation --from artifact/3mgdi7lg52222
  radial request review --from "The plan" --assignee ben.example.com
  radial request plan --goal 3 --alternatives 3
  radial request architecture --project Gauge
  radial request retract 12

\b
`radial request TYPE …` is `radial request new TYPE …`: its --help has the
options.
"""

request = typer.Typer(
    help="Ask for something to be made, or take that back.",
    epilog=EXAMPLES,
    no_args_is_help=True,
    cls=DefaultGroup,
)


@request.command()
@acting
def new(  # noqa: PLR0917 - an option each
    manner: Manner,
    type_name: Annotated[
        str,
        typer.Argument(
            metavar="TYPE", help="A type of artifact, as `radial type list` has them, or review.", show_default=False
        ),
    ],
    goal: Annotated[
        str | None, typer.Option("--goal", metavar="GOAL", help="On this goal.", show_default=False)
    ] = None,
    project: InProject = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RECORD",
            help="From this artifact, message or review: where it is made and what it is based on follow from that.",
            show_default=False,
        ),
    ] = None,
    based_on: Annotated[
        list[str] | None,
        typer.Option("--based-on", metavar="RECORD", help="Based on this too; several in order.", show_default=False),
    ] = None,
    subject: Annotated[
        str | None,
        typer.Option("--subject", metavar="RECORD", help="What is to be reviewed.", show_default=False),
    ] = None,
    assignee: Assignee = None,
    brief: Brief = None,
    brief_file: BriefFile = None,
    auto_review: AutoReview = None,
    alternatives: Annotated[
        int,
        typer.Option(
            "--alternatives",
            metavar="N",
            min=1,
            max=20,
            help="Ask as often, each blind to the others.",
            show_default=False,
        ),
    ] = 1,
) -> None:
    """Ask for something to be made.

    Without an assignee whoever can make it may take it up; you are told who that is, on which model and at what cost.
    """
    from radial_cli.acting.requests import Wish, new as run

    wish = Wish(type_name, goal, project, origin, based_on or [], subject, assignee, auto_review, alternatives)
    run(manner, wish, source=(brief, brief_file))


@request.command()
@acting
def retract(manner: Manner, request: Request) -> None:
    """Take a request back; for who made it, and for admins."""
    from radial_cli.acting.requests import retract as run

    run(manner, request=request)
