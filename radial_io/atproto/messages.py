"""What comes out of a websocket."""

from __future__ import annotations

from typing import TypeAlias

import attrs


@attrs.frozen
class Text:
    """A text message."""

    text: str


@attrs.frozen
class Binary:
    """A binary message."""

    data: bytes


@attrs.frozen
class Closed:
    """The socket is closed: by the other side, by the network (1006) or for a message too long (1009)."""

    code: int
    reason: str = ""


@attrs.frozen
class Idle:
    """Nothing came in time; the socket is still open."""


Message: TypeAlias = Text | Binary | Closed | Idle
