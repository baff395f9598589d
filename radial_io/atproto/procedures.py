"""One change asked of a server, and what it said.

Strategy: a change is asked for once; whether it may be asked for again is for those to say who know what it does. So an
answer is a value, whatever its status, and the two ways to get none are told apart: the request never left
(`UnsentError`), or nobody knows what became of it (`UnreachableError`).
"""

from __future__ import annotations

from typing import Any

import attrs

from radial_io.errors import UnreachableError


class UnsentError(UnreachableError):
    """The server was not reached: nothing was asked of it."""


@attrs.frozen
class Procedure:
    """A change that is asked for: an XRPC procedure, its body and the body's media type."""

    nsid: str
    body: bytes = attrs.field(repr=False)
    kind: str = "application/json"


@attrs.frozen
class Answer:
    """What the server said: the status, the value it gave (`{}` for none), and for an error its name and words.

    `asked` is how many seconds it asks us to wait before the next try, if it says.
    """

    status: int
    value: Any = attrs.field(repr=False)
    name: str = ""
    message: str = ""
    asked: float | None = None

    @property
    def is_good(self) -> bool:
        """Tell whether what was asked for was done."""
        return self.status == 200  # noqa: PLR2004
