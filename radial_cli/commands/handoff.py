"""`radial handoff`: a packet for a seat that a person operates by hand, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.commands.bundle import Total
from radial_cli.options import AsJson, FilesOrStore, Force, InStore, Subject

EXAMPLES = """\b
Examples:
  radial handoff export artifactRequest/plan-quiet space.jsonl \\
      --root site --revision "$(git rev-parse HEAD)" -o handoff.json
  radial handoff import reply.json artifactRequest/plan-quiet space.jsonl \\
      --root site --revision "$(git rev-parse HEAD)" --into taken/

\b
A reply is taken only while the workspace, its source, the records, the phase
and the packet are what they were. Taking it starts nothing.
"""

handoff = typer.Typer(help="Hand a request over to a person's seat, and back.", epilog=EXAMPLES, no_args_is_help=True)

Root = Annotated[str, typer.Option("--root", metavar="NAME", help="The workspace.", show_default=False)]
Revision = Annotated[
    str, typer.Option("--revision", metavar="ID", help="The state of its source, as a commit.", show_default=False)
]
Phase = Annotated[str, typer.Option("--phase", metavar="NAME", help="The step of the work.")]


@handoff.command()
def export(  # noqa: PLR0917 - typer reads them as options and arguments
    uri: Subject,
    root: Root,
    revision: Revision,
    files: FilesOrStore = None,
    phase: Phase = "turn",
    store: InStore = None,
    unread: Annotated[
        str | None,
        typer.Option("--unread", metavar="FILE", help="Names of files not read, one a line.", show_default=False),
    ] = None,
    total: Total = 409_600,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there instead.", show_default=False)
    ] = None,
    force: Force = False,
) -> None:
    """Print the packet for a request, bound to what it holds for."""
    from radial_cli.telling.handoff import print_handoff

    at = {"root": root, "revision": revision, "phase": phase}
    print_handoff(uri, files, store=store, at=at, total=total, unread=unread, output=output, force=force)


@handoff.command("import")
def import_(  # noqa: PLR0917 - typer reads them as options and arguments
    reply: Annotated[str, typer.Argument(metavar="REPLY", help="The file that came back.", show_default=False)],
    uri: Subject,
    root: Root,
    revision: Revision,
    into: Annotated[str, typer.Option("--into", metavar="FOLDER", help="Where replies are kept.", show_default=False)],
    files: FilesOrStore = None,
    phase: Phase = "turn",
    store: InStore = None,
    total: Total = 409_600,
    as_json: AsJson = False,
) -> None:
    """Take a reply if all that it is bound to is still so.

    It is kept in a file named after its content; taking it again changes nothing.
    """
    from radial_cli.telling.handoff import take_reply

    at = {"root": root, "revision": revision, "phase": phase}
    take_reply(reply, uri, files, store=store, at=at, total=total, folder=into, as_json=as_json)
