"""What a session is proven with.

Strategy: a session asks its credentials two things: which headers go with a request, and to renew them when the server
says that they are over. How they came about is written beside them in the vault (`kind`), so that another way to log
in, as OAuth with its keys and its nonces, is one more class and one more row of the table, and nobody else's business.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, Self, TypeGuard

import attrs

from radial_io.accounts.errors import SessionEndedError, VaultError
from radial_io.accounts.values import Secret, SecretHeaders
from radial_io.atproto.procedures import Answer, Procedure, call_once
from radial_io.atproto.xrpc import XrpcClient
from radial_io.errors import RateLimitError, RefusedError

REFRESH: Final = "com.atproto.server.refreshSession"
DELETE: Final = "com.atproto.server.deleteSession"
_PIECE: Final = 16  # characters: less is no secret
_NAME: Final = re.compile(r"[A-Z][A-Za-z]{2,39}", re.ASCII).fullmatch
_TOO_MANY: Final = 429
_SERVER_ERROR: Final = 500
_OVER: Final = frozenset({"ExpiredToken", "InvalidToken", "AuthMissing", "AuthenticationRequired"})


class Credentials(Protocol):
    """What a session is proven with."""

    def headers(self, method: str, url: str) -> Mapping[str, str]:
        """Give the headers that go with a request."""

    def are_over(self, answer: Answer) -> bool:
        """Tell whether an answer says that they have to be renewed."""

    def show_in(self, text: str) -> bool:
        """Tell whether a text shows anything of them."""

    async def renewed(self, client: XrpcClient, server: str) -> Credentials:
        """Have the server renew them. Raises `SessionEndedError`, or the error of a request."""

    async def revoke(self, client: XrpcClient, server: str) -> None:
        """Tell the server that they are needed no more. Raises the error of a request."""

    def to_secret(self) -> Secret:
        """Give them as a vault keeps them."""


@attrs.frozen
class Tokens:
    """What `createSession` gives for an app password: a token for requests, and one to renew both with."""

    access: Secret
    refresh: Secret

    def headers(self, method: str, url: str) -> Mapping[str, str]:  # noqa: ARG002 - the same for every request
        """Give the headers that go with a request."""
        return _bearer(self.access)

    def are_over(self, answer: Answer) -> bool:
        """Tell whether an answer says that they have to be renewed."""
        return answer.status in {400, 401} and answer.name in _OVER

    def show_in(self, text: str) -> bool:
        """Tell whether a text shows a piece of them: what servers say is cut, and may begin anywhere."""
        said = text.lower()
        return any(piece in said for token in (self.access, self.refresh) for piece in _pieces(token.reveal().lower()))

    async def renewed(self, client: XrpcClient, server: str) -> Tokens:
        """Have the server renew them. Raises `SessionEndedError`, or the error of a request."""
        answer = await call_once(client, server, Procedure(REFRESH, b""), _bearer(self.refresh))
        if answer.is_good:
            return self.given(answer.value, server)
        if answer.status == _TOO_MANY:
            raise RateLimitError(server, answer.status, answer.asked)
        if answer.status >= _SERVER_ERROR:
            raise RefusedError(server, answer.status, "", "")
        raise SessionEndedError(f"{server} does not renew the session ({known_name(answer) or answer.status})")

    async def revoke(self, client: XrpcClient, server: str) -> None:
        """Tell the server that they are needed no more. Raises the error of a request."""
        answer = await call_once(client, server, Procedure(DELETE, b""), _bearer(self.refresh))
        if not answer.is_good and not self.are_over(answer):
            raise RefusedError(server, answer.status, "", "")

    def to_secret(self) -> Secret:
        """Give them as a vault keeps them."""
        tree = {"kind": "app-password", "access": self.access.reveal(), "refresh": self.refresh.reveal()}
        return Secret(json.dumps(tree))

    @classmethod
    def given(cls, value: Mapping[str, Any], server: str) -> Self:
        """Read what a server gave. Raises `SessionEndedError` where it gave none."""
        access, refresh = (value.get(name) for name in ("accessJwt", "refreshJwt"))
        if not _is_token(access) or not _is_token(refresh):
            raise SessionEndedError(f"{server} gave no session")
        return cls(Secret(access), Secret(refresh))

    @classmethod
    def kept(cls, tree: Mapping[str, Any]) -> Self:
        """Read what a vault kept."""
        return cls(Secret(tree["access"]), Secret(tree["refresh"]))


_KINDS: Final = {"app-password": Tokens.kept}


def read_credentials(secret: Secret) -> Credentials:
    """Read what a vault kept. Raises `VaultError`, which does not say what it was."""
    try:
        tree = json.loads(secret.reveal())
        return _KINDS[tree["kind"]](tree)
    except (ValueError, KeyError, TypeError):
        raise VaultError("what the vault kept is no session of this program") from None


def known_name(answer: Answer) -> str:
    """Give the name of an error when it is one: where a secret was sent, nothing else that is said is shown."""
    return answer.name if _NAME(answer.name) else ""


def _is_token(text: object) -> TypeGuard[str]:
    """Tell whether a text can stand in a header."""
    return isinstance(text, str) and text.isascii() and text.isprintable() and text != ""


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _PIECE] for start in range(max(1, len(text) - _PIECE + 1)))


def _bearer(token: Secret) -> Mapping[str, str]:
    return SecretHeaders(authorization=f"Bearer {token.reveal()}")
