"""`radial message`, `reply`, `decline` and `ask`: talking in a thread."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting
from radial_cli.acting.options import Body, BodyFile, Request

EXAMPLES = """\b
Examples:
  radial message 3 --body "The gauge at the pier is off by two."
  radial message artifact/3mgdi7lg52222 --mention ben.example.com
  radial message 3 --re 12 --body "Which of the two?"
"""
REPLY_EXAMPLES = """\b
Examples:
  radial reply message/3mgdi7lg52222 --body "That one."
  echo "That one." | radial reply 3mgdi7lg52222 --body-file - --yes
"""
DECLINE_EXAMPLES = """\b
Examples:
  radial decline 12 --body "I am away until May."
"""
ASK_EXAMPLES = """\b
Examples:
  radial ask @coder 3 --body "Why two passes?"
  radial ask @coder artifact/3mgdi7lg52222 --body-file question.md
"""

Place = Annotated[
    str, typer.Argument(metavar="GOAL|ARTIFACT", help="Where: a goal or an artifact.", show_default=False)
]
Mention = Annotated[
    list[str] | None,
    typer.Option("--mention", metavar="WHO", help="A handle, a DID or @AGENT; it starts nothing.", show_default=False),
]


@acting
def message(
    manner: Manner,
    place: Place,
    body: Body = None,
    body_file: BodyFile = None,
    mention: Mention = None,
    about: Annotated[
        str | None, typer.Option("--re", metavar="REQUEST", help="About this request.", show_default=False)
    ] = None,
) -> None:
    """Say something at a goal or an artifact."""
    from radial_cli.acting.messages import message as run

    run(manner, place=place, about=about, mentions=mention or [], source=(body, body_file))


@acting
def reply(
    manner: Manner,
    parent: Annotated[
        str, typer.Argument(metavar="MESSAGE", help="What you reply to: its key or URI.", show_default=False)
    ],
    body: Body = None,
    body_file: BodyFile = None,
    mention: Mention = None,
) -> None:
    """Reply to a message; to a question, that is its answer."""
    from radial_cli.acting.messages import reply as run

    run(manner, parent=parent, mentions=mention or [], source=(body, body_file))


@acting
def decline(
    manner: Manner,
    request: Request,
    body: Body = None,
    body_file: BodyFile = None,
    place: Annotated[
        str | None,
        typer.Option(
            "--at", metavar="GOAL|ARTIFACT", help="Where to say so, for a request at a project.", show_default=False
        ),
    ] = None,
) -> None:
    """Say no to a request that is addressed to you."""
    from radial_cli.acting.messages import decline as run

    run(manner, request=request, place=place, source=(body, body_file))


@acting
def ask(
    manner: Manner,
    agent: Annotated[
        str, typer.Argument(metavar="@AGENT", help="An agent of the space, or a DID.", show_default=False)
    ],
    place: Place,
    body: Body = None,
    body_file: BodyFile = None,
) -> None:
    """Ask an agent something in a thread.

    Two records: the message, and the request for an answer to this very version of it.
    """
    from radial_cli.acting.messages import ask as run

    run(manner, agent=agent, place=place, source=(body, body_file))
