"""A verb that has others under it: `radial request TYPE` is `radial request new TYPE`."""

from __future__ import annotations

from typing import Any, ClassVar

from typer.core import TyperGroup

_HELP = ("-h", "--help")


class DefaultGroup(TyperGroup):
    """Takes what is no verb of its own as the words of its usual one."""

    usual: ClassVar[str] = "new"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the usual verb in front, where another one does not stand there."""
        if args and args[0] not in self.commands and args[0] not in _HELP:
            args = [self.usual, *args]
        return super().parse_args(ctx, args)


class ShowGroup(DefaultGroup):
    """Its usual verb is `show`."""

    usual = "show"
