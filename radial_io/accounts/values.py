"""An account as it is remembered, and a text that must not be seen.

Strategy: a secret travels inside a value that shows nothing of itself: no `repr`, no `str`, no format, no pickle. Who
needs it says `reveal`, which is easy to search for.
"""

from __future__ import annotations

from typing import Literal, NoReturn, TypeAlias, final

import attrs

VaultName: TypeAlias = Literal["keyring", "file"]


@attrs.frozen
class Account:
    """Somebody who is logged in: the DID, the handle as its server told it, the PDS (scheme, host and port).

    `vault` says where the secrets of the session lie.
    """

    did: str
    handle: str
    pds: str
    vault: VaultName


class SecretHeaders(dict[str, str]):
    """Headers that show nothing of themselves where the variables of a program are printed."""

    def __repr__(self) -> str:
        return "SecretHeaders(…)"


@final
class Secret:
    """A text that shows nothing of itself."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Give the text, to whoever has to send or keep it."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not written down")
