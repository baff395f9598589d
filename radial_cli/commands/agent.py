"""`radial agent`: what an agent's account can do."""

from __future__ import annotations

from typing import Annotated

import typer

from radial_cli.acting.manner import Manner, acting

EXAMPLES = """\b
Examples:
  radial agent publish coder --harness codex --model m-1=low --type plan
  radial agent retire coder --as bot.example.com
"""

agent = typer.Typer(help="Publish what your account does as an agent.", epilog=EXAMPLES, no_args_is_help=True)

Profile = Annotated[str, typer.Argument(metavar="PROFILE", help="The profile's name: its key.", show_default=False)]


@agent.command()
@acting
def publish(
    manner: Manner,
    profile: Profile,
    harness: Annotated[str, typer.Option("--harness", metavar="NAME", help="What runs it.", show_default=False)],
    model: Annotated[
        list[str],
        typer.Option("--model", metavar="NAME[=COST]", help="A model, with a hint at its cost.", show_default=False),
    ],
    type_name: Annotated[
        list[str], typer.Option("--type", metavar="TYPE", help="A type of artifact that it makes.", show_default=False)
    ],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="What it is called; as the profile if not said.", show_default=False
        ),
    ] = None,
) -> None:
    """Publish a profile, or publish it anew: the latest counts."""
    from radial_cli.acting.agents import publish as run

    run(manner, profile=profile, name=name, harness=harness, models=model, types=type_name)


@agent.command()
@acting
def retire(manner: Manner, profile: Profile) -> None:
    """Take a profile away."""
    from radial_cli.acting.agents import retire as run

    run(manner, profile=profile)
