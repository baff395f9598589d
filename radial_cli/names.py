"""Short names for long URIs and DIDs, and the way back.

Strategy: identity is the URI and the DID; a name is only what is shown, and only where it cannot be mistaken: a record
is `kind/key` when no other record seen has the same, a DID is cut when no other one seen begins alike. Everything else
is spelled in full. A person may type the names that were shown; two records that fit are both named and neither is
guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise
from typing import Final

from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.untrusted import one_line
from radial_core.records import PREFIX

_SHORT_DID: Final = 16  # did:plc: and eight characters
_WHOLE_DID: Final = 24
_MOST_SUGGESTED: Final = 10
# As sentences hold them: what ends the sentence or the bracket is not theirs.
_URI: Final = re.compile(r"at://[^\s()“”]+[^\s()“”.,:;]")
_DID: Final = re.compile(r"(?<![\w/])did:[a-z]+:[A-Za-z0-9._:%-]*[A-Za-z0-9_-]")


def short_name(uri: str) -> str | None:
    """Give `kind/key` for the URI of a Radial record."""
    _, found, rest = uri.partition(f"/{PREFIX}")
    return rest if found and rest.count("/") == 1 else None


def author_of(uri: str) -> str:
    """Give the DID, or whatever else stands at its place, in a URI."""
    return uri.removeprefix("at://").partition("/")[0]


class Names:
    """The names of everything that was seen: `uris`, their authors, and `dids` met elsewhere."""

    def __init__(self, uris: Iterable[str], dids: Iterable[str]) -> None:
        self._uris = set(uris)
        self._more_dids = set(dids)

    @cached_property
    def _times(self) -> Counter[str]:
        return Counter(name for uri in self._uris if (name := short_name(uri)) is not None)

    @cached_property
    def _dids(self) -> dict[str, str]:
        dids = sorted(self._more_dids | {author_of(uri) for uri in self._uris})
        alike = [0, *(_alike(one, other) for one, other in pairwise(dids)), 0]
        return {did: _cut(did, max(alike[at], alike[at + 1]) + 1) for at, did in enumerate(dids)}

    def record(self, uri: str) -> str:
        """Name a record: `kind/key`, with its author where others are called so too; its URI when it was not seen."""
        name = short_name(uri)
        if name is None or uri not in self._uris:
            return uri
        return name if self._times[name] == 1 else f"{name} by {self.author(uri)}"

    def did(self, did: str) -> str:
        """Name a DID: its beginning, or the whole of one that was not seen."""
        return self._dids.get(did, did)

    def author(self, uri: str) -> str:
        """Name the author of a record."""
        return self.did(author_of(uri))

    def within(self, text: str) -> str:
        """Put names for the URIs and DIDs in a sentence of the core."""
        named = _URI.sub(lambda match: self.record(match[0]), text)
        return _DID.sub(lambda match: self.did(match[0]), named)

    def find(self, name: str) -> str:
        """Give the URI that somebody means. Raises `Failure` when several fit, or nothing could."""
        if (uri := self.look_up(name)) is None:
            raise unknown(name)
        return uri

    def look_up(self, name: str) -> str | None:
        """Give the URI that somebody means, or nothing when nothing is called so. Raises `Failure` for several."""
        if name in self._uris or name.startswith("at://"):
            return name
        fitting = sorted(uri for uri in self._uris if short_name(uri) == name)
        if len(fitting) <= 1:
            return next(iter(fitting), None)
        listed = ", ".join(one_line(uri) for uri in fitting[:_MOST_SUGGESTED])
        raise Failure(f"{one_line(name, 200)} is the name of {len(fitting)} records", f"Name one: {listed}", USAGE)


def unknown(name: str) -> Failure:
    """Say that nothing is called so."""
    return Failure(f"nothing here is called {one_line(name, 200)}", _HOW_TO_NAME, NOT_FOUND)


_HOW_TO_NAME: Final = "Give the record's URI (at://DID/collection/key), or its kind and key, like goal/3mgdi7lg52222."


def _alike(one: str, other: str) -> int:
    """Count the characters that two texts begin alike with."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cut(did: str, least: int) -> str:
    if len(did) <= _WHOLE_DID:
        return did
    kept = max(_SHORT_DID, least)
    return did if kept >= len(did) - 1 else did[:kept] + "…"
