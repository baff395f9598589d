"""What an act comes to: the records to write, those to take away, and what is to be said before.

Strategy: a draft is complete before anything is sent, so its URI and CID are known, a second record can refer to a
first that nobody has written yet, and writing twice writes once. Who writes is no part of it: a record goes into the
repo of whoever is logged in, and of nobody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import attrs

from radial_core.canonical import cid_of
from radial_core.observations import Deletion, Record

if TYPE_CHECKING:
    from collections.abc import Mapping


# Later than every sighting there is: whatever is written next comes after what was seen.
_LAST_REV: Final = "j" + "z" * 12
_LAST_SEEN: Final = "9999-12-31T23:59:59Z"


Misstep: TypeAlias = Literal["absent", "unfit"]


class ActError(ValueError):
    """An act that cannot be put into records; `remedy` is what can be done about it.

    `kind` is `absent` where what it names is not here, and `unfit` where that is here and of the wrong kind, or where
    what was given makes no record.
    """

    def __init__(self, words: str, kind: Misstep, remedy: str) -> None:
        super().__init__(words)
        self.kind: Misstep = kind
        self.remedy = remedy


@attrs.frozen(kw_only=True)
class Draft:
    """One record as somebody means to write it: `value` is complete, links are `Cid`, byte strings `bytes`.

    `collection` is the full NSID. `replaces` is the CID of the version that this one takes the place of; without it
    nothing may stand at its key yet.
    """

    collection: str
    rkey: str
    value: Mapping[str, Any] = attrs.field(hash=False)
    replaces: str | None = None

    def uri(self, author: str) -> str:
        """Give the URI that it will have in the repo of a DID."""
        return f"at://{author}/{self.collection}/{self.rkey}"

    @property
    def cid(self) -> str:
        """The CID of the value. Raises `CanonicalError` for one that has no canonical bytes."""
        return cid_of(dict(self.value))

    def seen(self, author: str) -> Record:
        """Give the observation of it, later than every other one. Raises `CanonicalError` as `cid` does."""
        return Record(uri=self.uri(author), cid=self.cid, value=dict(self.value), rev=_LAST_REV, seen_at=_LAST_SEEN)

    @property
    def operation(self) -> Literal["create", "update"]:
        """Whether it makes a record or replaces one."""
        return "create" if self.replaces is None else "update"


@attrs.frozen(kw_only=True)
class Removal:
    """One record that its author takes away: the version `replaces`, and no other."""

    collection: str
    rkey: str
    replaces: str

    def uri(self, author: str) -> str:
        """Give its URI in the repo of a DID."""
        return f"at://{author}/{self.collection}/{self.rkey}"

    def seen(self, author: str) -> Deletion:
        """Give the observation of it, later than every other one."""
        return Deletion(uri=self.uri(author), rev=_LAST_REV, seen_at=_LAST_SEEN)


@attrs.frozen
class Caution:
    """Something to know before acting, which stops nobody: a `code` that programs match, and `words` for a person."""

    code: str
    words: str

    def __str__(self) -> str:
        return self.words


@attrs.frozen
class Vain:
    """What an act would write for nothing, although no rule keeps it out: it is written by whoever insists, only.

    `code` and `words` are as those of a `Caution`; `remedy` is what to do instead.
    """

    code: str
    words: str
    remedy: str

    def __str__(self) -> str:
        return self.words


@attrs.frozen(kw_only=True)
class Act:
    """What one verb writes: `drafts` in the order in which they are to be written, then the `removals`.

    `space` is the Radial space that it concerns, none for a picture or a profile. An act without drafts and removals
    has nothing to do: a caution says why.
    """

    verb: str
    space: str | None
    drafts: tuple[Draft, ...]
    removals: tuple[Removal, ...] = ()
    warnings: tuple[Caution, ...] = ()
    vain: tuple[Vain, ...] = ()
