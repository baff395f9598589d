"""`radial review`: a verdict on an artifact."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting

EXAMPLES = """\b
Examples:
  radial review artifact/3mgdi7lg52222 approve
  radial review "The plan" request-changes --findings findings.json
  radial review "The plan" request-changes --finding "major: And then?"

\b
FILE of --findings is a JSON list of {severity, body, path?, line?}, where a
severity is blocking, major, minor or nit. A review gates nothing.
"""


@acting
def review(
    manner: Manner,
    artifact: Annotated[
        str,
        typer.Argument(
            metavar="ARTIFACT",
            help="The start of its title, its key or URI; or that of the request for the review.",
            show_default=False,
        ),
    ],
    verdict: Annotated[str, typer.Argument(metavar="approve|request-changes", help="The verdict.", show_default=False)],
    findings: Annotated[
        str | None,
        typer.Option(
            "--findings", metavar="FILE", help="The findings, as JSON; - is standard input.", show_default=False
        ),
    ] = None,
    finding: Annotated[
        list[str] | None,
        typer.Option("--finding", metavar="SEVERITY:TEXT", help="A finding; several in order.", show_default=False),
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            "--request",
            metavar="REQUEST",
            help="The request that it answers; yours for this artifact if not said.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Say what you think of an artifact, with findings."""
    from radial_cli.acting.work import review as run

    run(manner, artifact=artifact, verdict=verdict, findings=findings, lines=finding or [], request=request)
