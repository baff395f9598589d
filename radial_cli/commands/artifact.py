"""`radial artifact`: work that a person hands in."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Body, BodyFile, Request

EXAMPLES = """\b
Examples:
  radial artifact submit 12 --title "The plan" --body-file plan.md
  radial artifact submit 12 --body-file - --yes < plan.md
  radial artifact submit 12 --commit c0ffee --branch gauge/fix
"""

artifact = typer.Typer(help="Hand in what was asked for.", epilog=EXAMPLES, no_args_is_help=True)


@artifact.command()
@acting
def submit(  # noqa: PLR0917 - an option each
    manner: Manner,
    request: Request,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Its title.", show_default=False)] = None,
    body: Body = None,
    body_file: BodyFile = None,
    summary: Annotated[
        str | None,
        typer.Option(
            "--summary", metavar="TEXT", help="For a text too long for a record: its summary.", show_default=False
        ),
    ] = None,
    prev: Annotated[
        str | None,
        typer.Option(
            "--prev",
            metavar="ARTIFACT",
            help="The version that it follows; if not said, your last one for this request.",
            show_default=False,
        ),
    ] = None,
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion", metavar="TEXT", help="What it has to fulfil; several in order.", show_default=False
        ),
    ] = None,
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="Its branch.", show_default=False)
    ] = None,
    commit: Annotated[
        str | None, typer.Option("--commit", metavar="ID", help="Its commit.", show_default=False)
    ] = None,
    pull: Annotated[
        str | None, typer.Option("--pr", metavar="URI", help="Its pull request.", show_default=False)
    ] = None,
) -> None:
    """Hand in what a request asked for.

    A text too long for a record goes into a file beside it, and the record keeps a summary.
    """
    from radial_cli.acting.work import Work, submit as run

    links = {name: text for name, text in (("branch", branch), ("commit", commit), ("pr", pull)) if text is not None}
    run(manner, Work(request, title, summary, prev, criterion or [], links), source=(body, body_file))
