"""Short references to records and people, as a person types them, and what they resolve to."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from radial_core.index import Index

NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


class Found(NamedTuple):
    """What a text names: `uri` is a record's URI, a member's DID. `name` is its title or name, or nothing.

    `number` is its position in `numbered`, counted from 1.
    """

    kind: str
    uri: str
    name: str | None
    number: int


class Several(NamedTuple):
    """All that a text may name: nothing is guessed."""

    text: str
    candidates: tuple[Found, ...]


class Nothing(NamedTuple):
    """That a text names nothing here, and why."""

    text: str
    reason: str


Resolved: TypeAlias = "Found | Several | Nothing"


def numbered(index: Index, kind: str, space: str | None = None) -> tuple[str, ...]:
    """List the URIs of all records of a kind that count, in a space or anywhere, in order (createdAt, URI).

    `kind` is a record's kind, such as `goal` or `artifactRequest`, or `member`, which gives DIDs in their order. The
    number that a person types is the position here, counted from 1.
    """
    raise NotImplementedError


def resolve(
    index: Index, text: str, *, kinds: Sequence[str], space: str | None = None, handles: Mapping[str, str] = NOBODY
) -> Resolved:
    """Tell what a text names among the records of these kinds.

    It may be a URI, `kind/key`, a key, a number of `numbered`, the beginning of a title or name, in any case; for
    members a DID or handle, and `@name`, which also names agents by their profile. `handles` maps handles to DIDs.
    """
    raise NotImplementedError
