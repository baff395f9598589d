"""What somebody means to write: a record as it shall stand, or a removal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

import attrs


class Drafted(Protocol):
    """A record as somebody means to write it: `radial_core.acts.draft.Draft` is one.

    `replaces` is the CID of the version that it replaces; None: nothing may stand there yet.
    """

    @property
    def collection(self) -> str:
        """The collection's NSID."""

    @property
    def rkey(self) -> str:
        """The record key."""

    @property
    def value(self) -> Mapping[str, Any]:
        """The whole value: links as `Cid`, byte strings as `bytes`."""

    @property
    def replaces(self) -> str | None:
        """The CID of the version that stands there."""


@attrs.frozen(kw_only=True)
class Removal:
    """A record that shall be taken away; `replaces` is the CID of the version that stands there, if that matters."""

    collection: str
    rkey: str
    replaces: str | None = None


Intent: TypeAlias = Drafted | Removal
