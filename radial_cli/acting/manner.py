"""How an act is to be carried out: the options that every acting verb has.

Strategy: they are written down once, as the parameters of `_options`, and `acting` puts them behind those of each
verb. A verb gets them as one value, its first parameter.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Concatenate, NamedTuple, ParamSpec

import typer

from radial_cli.options import FromPds, FromPlc, InStore

P = ParamSpec("P")


class Manner(NamedTuple):
    """Who acts, where, from which view, and whether it is in earnest."""

    author: str | None = None
    space: str | None = None
    dry_run: bool = False
    yes: bool = False
    force: bool = False
    sync: bool = True
    pds: str | None = None
    plc: str | None = None
    store: str | None = None
    as_json: bool = False


def _options(  # noqa: PLR0917 - it is called by nobody
    author: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="WHO",
            envvar="RADIAL_ACCOUNT",
            help="Act as this account: a handle or a DID.",
            show_default=False,
        ),
    ] = None,
    space: Annotated[
        str | None,
        typer.Option("--space", metavar="SPACE", help="In this space: URI, name or number.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the records and write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write also what nobody will honour.")] = False,
    sync: Annotated[
        bool,
        typer.Option(
            "--sync/--no-sync", help="Read the space anew first, unless that was just done.", show_default=False
        ),
    ] = True,
    pds: FromPds = None,
    plc: FromPlc = None,
    store: InStore = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say as JSON what was written.")] = False,
) -> None:
    """Hold the options; their order is that of `Manner`."""


_PARAMETERS = tuple(inspect.signature(_options, eval_str=True).parameters.values())


def acting(verb: Callable[Concatenate[Manner, P], None]) -> Callable[..., None]:
    """Make a command of a function whose first parameter is a `Manner`."""

    @wraps(verb)
    def command(**given: Any) -> None:
        manner = Manner(**{name: given.pop(name) for name in Manner._fields})
        verb(manner, **given)  # type: ignore[call-arg]

    own = list(inspect.signature(verb, eval_str=True).parameters.values())[1:]
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *_PARAMETERS)]
    )
    command.__annotations__ = {each.name: each.annotation for each in (*own, *_PARAMETERS)}
    del command.__wrapped__  # typer would look at what is behind it
    return command
