"""`radial project`: repositories that goals work on."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Project, TypeName

EXAMPLES = """\b
Examples:
  radial project create Gauge --git URL --check test="make test"
  radial project edit Gauge --branch trunk
  radial project auto-review Gauge plan on
  radial project archive Gauge
"""

project = typer.Typer(help="Start projects and settle how they work.", epilog=EXAMPLES, no_args_is_help=True)


@project.command()
@acting
def create(
    manner: Manner,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called.", show_default=False)],
    git: Annotated[str, typer.Option("--git", metavar="URL", help="Its repository.", show_default=False)],
    branch: Annotated[
        str, typer.Option("--branch", metavar="NAME", help="Its branch; main if not said.", show_default=False)
    ] = "main",
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check", metavar="NAME=COMMAND", help="A check, settled for good; several in order.", show_default=False
        ),
    ] = None,
    auto_review: Annotated[
        list[str] | None,
        typer.Option(
            "--auto-review", metavar="TYPE", help="Ask for reviews of this type by itself.", show_default=False
        ),
    ] = None,
) -> None:
    """Start a project."""
    from radial_cli.acting.projects import create as run

    run(manner, name=name, git=git, branch=branch, checks=check or [], auto_review=auto_review or [])


@project.command()
@acting
def edit(
    manner: Manner,
    project: Project,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="A new name.", show_default=False)] = None,
    git: Annotated[
        str | None, typer.Option("--git", metavar="URL", help="Another repository.", show_default=False)
    ] = None,
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="Another branch.", show_default=False)
    ] = None,
) -> None:
    """Change the name, the repository or the branch of your project."""
    from radial_cli.acting.projects import edit as run

    run(manner, project=project, name=name, git=git, branch=branch)


@project.command()
@acting
def archive(
    manner: Manner,
    project: Project,
    undo: Annotated[bool, typer.Option("--undo", help="Take it up again.")] = False,
) -> None:
    """Shelve your project: nothing of it is dispatched any more."""
    from radial_cli.acting.projects import archive as run

    run(manner, project=project, archived=not undo)


@project.command("auto-review")
@acting
def auto_review(
    manner: Manner,
    project: Project,
    type_name: TypeName,
    switch: Annotated[str, typer.Argument(metavar="on|off", help="Whether reviews are asked for.", show_default=False)],
) -> None:
    """Say whether artifacts of a type are reviewed without anybody asking; for admins."""
    from radial_cli.acting.projects import auto_review as run

    run(manner, project=project, type_name=type_name, switch=switch)
