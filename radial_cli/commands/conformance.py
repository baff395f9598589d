"""`radial conformance`: the golden suite, asked and answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """\b
Examples:
  radial conformance run -- node my-radial/driver.js
  radial conformance run --only smoke -- radial conformance serve
  python golden/run.py 'radial conformance serve'
"""

conformance = typer.Typer(
    help="Hold an implementation against the golden suite, or be one.",
    epilog=EXAMPLES,
    no_args_is_help=True,
)


@conformance.command()
def run(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND…", help="Starts the implementation.")],
    only: Annotated[list[str] | None, typer.Option(metavar="ID", help="A case or a folder; may be repeated.")] = None,
    xfails: Annotated[Path | None, typer.Option(metavar="FILE", help="Names of cases that are known to fail.")] = None,
    skips: Annotated[Path | None, typer.Option(metavar="FILE", help="Names of cases that may be skipped.")] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every result there, as JSON Lines.")
    ] = None,
    golden: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The suite, elsewhere than beside us.")] = None,
) -> None:
    """Run the suite against a command. It is what golden/run.py does, and ends as that does.

    Status 0 says that the run is green, 1 that it is red, 2 that an option, a name or the command is wrong.
    """
    from radial_cli.suite import run_suite

    files = {"--xfails": xfails, "--skips": skips, "--report": report}
    given = [("--only", name) for name in only or ()]
    given += [(name, str(path)) for name, path in files.items() if path is not None]
    run_suite(golden, [word for pair in given for word in pair], command)


@conformance.command()
def serve() -> None:
    """Answer the runner's questions on standard input and output, until it says stop."""
    from radial_cli.driver import serve_standard_streams

    serve_standard_streams()
