"""Arguments and options that several acting verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

Body = Annotated[str | None, typer.Option("--body", "-m", metavar="TEXT", help="The text itself.", show_default=False)]
BodyFile = Annotated[
    str | None,
    typer.Option(
        "--body-file", "-F", metavar="FILE", help="The text, from a file; - is standard input.", show_default=False
    ),
]
Brief = Annotated[
    str | None, typer.Option("--brief", metavar="TEXT", help="What exactly is wanted.", show_default=False)
]
BriefFile = Annotated[
    str | None,
    typer.Option(
        "--brief-file", metavar="FILE", help="The same, from a file; - is standard input.", show_default=False
    ),
]
InProject = Annotated[
    str | None, typer.Option("--project", metavar="PROJECT", help="The project, by any name.", show_default=False)
]
Goal = Annotated[
    str, typer.Argument(metavar="GOAL", help="Its number, the start of its title, its key or URI.", show_default=False)
]
Project = Annotated[
    str,
    typer.Argument(metavar="PROJECT", help="Its number, the start of its name, its key or URI.", show_default=False),
]
Request = Annotated[str, typer.Argument(metavar="REQUEST", help="Its number, key or URI.", show_default=False)]
Artifact = Annotated[
    str, typer.Argument(metavar="ARTIFACT", help="The start of its title, its key or URI.", show_default=False)
]
Who = Annotated[str, typer.Argument(metavar="WHO", help="A handle or a DID.", show_default=False)]
TypeName = Annotated[
    str, typer.Argument(metavar="TYPE", help="A type of artifact, as `radial type list` has them.", show_default=False)
]
AutoReview = Annotated[
    bool | None,
    typer.Option(
        "--auto-review/--no-auto-review",
        help="Ask for a review of the result, whatever the project says.",
        show_default=False,
    ),
]
Assignee = Annotated[
    str | None,
    typer.Option(
        "--assignee", metavar="WHO", help="For this one alone: a handle, a DID or @AGENT.", show_default=False
    ),
]
