"""`radial type`: the types of artifact that a space knows."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.options import AsJson, FilesOrStore, InSpace, InStore, KeepGoing

EXAMPLES = """\b
Examples:
  radial type list
  radial type add --from-template glossary
  radial type add risk --scope goal --brief "Dangers" --output-spec "A list"

\b
Templates: architecture, inventory, glossary, conventions, decision.
"""

type_ = typer.Typer(help="See and define types of artifact.", epilog=EXAMPLES, no_args_is_help=True)


@type_.command()
@acting
def add(
    manner: Manner,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="What it is called; the template's if not said.", show_default=False),
    ] = None,
    template: Annotated[
        str | None, typer.Option("--from-template", metavar="NAME", help="A ready-made one.", show_default=False)
    ] = None,
    brief: Annotated[
        str | None,
        typer.Option("--brief", metavar="TEXT", help="What its maker is told to do.", show_default=False),
    ] = None,
    output_spec: Annotated[
        str | None,
        typer.Option("--output-spec", metavar="TEXT", help="What the result looks like.", show_default=False),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option("--scope", metavar="SCOPE", help="Where it belongs: `goal` or `project`.", show_default=False),
    ] = None,
) -> None:
    """Define a type of artifact, or define it anew; for admins."""
    from radial_cli.acting.types import add as run

    run(manner, name=name, template=template, brief=brief, output_spec=output_spec, scope=scope)


@type_.command("list")
def list_(
    files: FilesOrStore = None,
    space: InSpace = None,
    store: InStore = None,
    as_json: AsJson = False,
    keep_going: KeepGoing = False,
) -> None:
    """List the types that a space knows, with who makes them."""
    from radial_cli.lists.types import print_types
    from radial_cli.reading import reading

    with reading(files, keep_going=keep_going, store=store) as found:
        print_types(found, space, as_json=as_json)
