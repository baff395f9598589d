"""What the adapters can fail with.

    RadialIoError                 every failure of the world outside; `advice` says what to do about it
    ├── AddressError              a URL or an address that must not be contacted (and was not)
    │   └── GivenUrlError         the same, of a URL that was given by hand
    ├── SpaceUriError             a text that is not the URI of a space
    ├── IdentityError             a DID that leads to no PDS
    ├── SpaceNotFoundError        the root's repo does not hold the space
    ├── KeyFormatError            a public key in a form, or on a curve, that atproto does not use
    ├── DisprovedError            bytes that do not prove what they should: refused whole, nothing of them is taken
    │   ├── DagCborError          not DAG-CBOR, or not its one canonical spelling; `offset` says where
    │   ├── CarError              not a CAR, cut short, over a limit, or a block that is not what its CID says
    │   ├── TreeError             a repo's tree that is not the canonical one of its keys
    │   │   └── MissingBlockError a block that the tree names is not there
    │   ├── BlobError             not the blob that its record names, or one that is not taken
    │   └── CommitError           not a commit of this repo, or one from the future
    │       └── SignatureError    the key did not sign it: a key looked up afresh may have
    └── RequestError              one request failed; `url` says which, without its query
        ├── UnreachableError      no answer, or half of one: name, connection, TLS, time
        ├── LimitError            a server sends more than we take
        ├── RedirectError         an answer that points elsewhere; it is never followed
        ├── RefusedError          a status of 400 or more; `status`, and the server's own `name` for the error
        │   └── RateLimitError    the server wants a longer wait than we keep a caller for; `wait` in seconds, if said
        └── UnreadableError       an answer, but not the one asked for; `body` is what was read of it
            ├── TooLargeError     longer than the limit; reading stopped there
            └── NotJsonError      not JSON, or not of the expected shape

Strategy: errors of httpx and httpcore are mapped in one place, `mapped` below, and get no further. What a server says
is quoted short and without control characters: it may end up on somebody's terminal.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import httpcore
import httpx

_LONGEST_QUOTE = 200


class RadialIoError(Exception):
    """Every failure of the world outside. `str(error)` says what happened, `advice` what to do about it."""

    advice: ClassVar[str] = ""

    def explained(self) -> str:
        """Say what happened and what to do, in one line."""
        return f"{self}. {self.advice}".rstrip()


class AddressError(RadialIoError):
    """A URL or an address that must not be contacted."""

    advice = "Only public https hosts are contacted, unless the URL given by hand is itself a local one."


class GivenUrlError(AddressError):
    """A URL given by hand that is not that of a server, or of one that is never contacted."""

    advice = "Give scheme, host and port: https://HOST, or for a server in a private network http://HOST:PORT."


class SpaceUriError(RadialIoError):
    """A text that is not the URI of a space."""

    advice = "The URI of a Radial space is at://DID/com.disnetdev.radial.space/KEY, with the DID of its root."


class IdentityError(RadialIoError):
    """A DID that leads to no PDS."""

    advice = "Check the DID; if it is right, its owner has to repair its DID document, or ask another PLC directory."


class SpaceNotFoundError(RadialIoError):
    """The root's repo does not hold the space."""

    advice = "Check the URI: a Radial space is at://DID/com.disnetdev.radial.space/KEY, with the DID of its root."


class KeyFormatError(RadialIoError):
    """A public key in a form, or on a curve, that atproto does not use."""

    advice = "The owner of the account has to repair the DID document."


class DisprovedError(RadialIoError):
    """Bytes that do not prove what they should. Nothing of them is taken; what was known before stands."""

    advice = "What was known before is kept; if it goes on, the operator of the server has to look at it."


class DagCborError(DisprovedError):
    """Bytes that are not DAG-CBOR, or not its one canonical spelling. `reason` says why, `offset` at which byte."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(f"{reason} @ byte {offset}")
        self.reason = reason
        self.offset = offset


class CarError(DisprovedError):
    """Not a CAR, or one cut short, over a limit, or with a block that is not what its CID says."""


class TreeError(DisprovedError):
    """A repo's tree that is not the canonical one of its keys."""


class MissingBlockError(TreeError):
    """A block that the tree names is not there. `cid` is the block's, in its binary form."""

    def __init__(self, message: str, cid: bytes) -> None:
        super().__init__(message)
        self.cid = cid


class BlobError(DisprovedError):
    """Bytes that are not the blob that a record names, or a blob that is not taken. Nothing of it is kept."""

    advice = "Only its author can mend this: by writing a record that names the file as it is."


class CommitError(DisprovedError):
    """Not a commit of this repo, or one from the future."""


class SignatureError(CommitError):
    """The key did not sign the commit. A key looked up afresh may have: keys are changed, accounts are moved."""


class RequestError(RadialIoError):
    """One request failed; `url` says which."""

    def __init__(self, url: str, message: str) -> None:
        super().__init__(f"{url}: {message}")
        self.url = url


class UnreachableError(RequestError):
    """No answer, or half of one."""

    advice = "Check the network and that the server is up, then run the command again."


class LimitError(RequestError):
    """A server sends more than we take."""

    advice = "What was read before is kept. Leave such a member out, or ask who runs the server."


class RedirectError(RequestError):
    """An answer that points elsewhere; it was not followed."""

    advice = "Give the server's own URL."


class RefusedError(RequestError):
    """A status of 400 or more. `name` is the server's own name for the error, or empty."""

    advice = "The reason is the server's; if it names a repo, check that the account still exists and is active."

    def __init__(self, url: str, status: int, name: str, message: str) -> None:
        said = ": ".join(part for part in (name, message) if part)
        super().__init__(url, f"status {status}" + (f" ({said})" if said else ""))
        self.status = status
        self.name = name


class RateLimitError(RefusedError):
    """The server wants a longer wait than a caller is kept for: `wait` seconds, None when it does not say."""

    advice = "Run the command again later."

    def __init__(self, url: str, status: int, wait: float | None) -> None:
        super().__init__(url, status, "", "asks us to slow down" if wait is None else f"asks us to wait {wait:.0f} s")
        self.wait = wait


class UnreadableError(RequestError):
    """An answer, but not the one asked for. `body` is what was read of it."""

    advice = "If the URL is that of a PDS, its operator has to look at this answer."

    def __init__(self, url: str, message: str, body: bytes) -> None:
        super().__init__(url, message)
        self.body = body


class TooLargeError(UnreadableError):
    """An answer longer than the limit; reading stopped there."""


class NotJsonError(UnreadableError):
    """An answer that is not JSON, or not of the expected shape."""


def quoted(text: object) -> str:
    """Quote foreign text: one line, printable, short."""
    printable = "".join(character if character.isprintable() else " " for character in str(text)[: 2 * _LONGEST_QUOTE])
    return printable if len(printable) <= _LONGEST_QUOTE else printable[:_LONGEST_QUOTE] + "…"


@contextmanager
def mapped(url: str, late: str = "no answer in time") -> Iterator[None]:
    """Turn the errors of httpx and httpcore inside the block into ours. `url` names the request, `late` a timeout."""
    try:
        yield
    except (httpx.TimeoutException, httpcore.TimeoutException) as error:
        raise UnreachableError(url, late) from error
    except (httpx.TransportError, httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise UnreachableError(url, quoted(error) or type(error).__name__) from error
    except httpx.InvalidURL as error:
        raise AddressError(f"{quoted(url)}: {quoted(error)}") from error
