"""What the fold will make of an act, before anything is written (RK-14.3, T5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radial_core.acts.draft import Draft, Removal
    from radial_core.index import Index


@attrs.frozen
class Refusal:
    """A record that would not count: the `rule` that keeps it out and the `reason`, spoken to its author."""

    uri: str
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


@attrs.frozen
class Hidden:
    """Records of one kind (`goal`, `artifactRequest`, …), by URI in order (createdAt, URI)."""

    kind: str
    uris: tuple[str, ...]

    def __str__(self) -> str:
        raise NotImplementedError


@attrs.frozen(kw_only=True)
class Forecast:
    """What an act would come to.

    `index` is as it would be. `refusals` are of the drafts, in their order. `hidden` is what counts now and would not
    any more, `shown` what would count again, without the drafts themselves, by kind. `stopped` are the requests that
    are dispatchable now and would still be open, but no longer dispatchable (R5); `resumed` those for which it is the
    other way round.
    """

    index: Index = attrs.field(repr=False, hash=False)
    refusals: tuple[Refusal, ...] = ()
    hidden: tuple[Hidden, ...] = ()
    shown: tuple[Hidden, ...] = ()
    stopped: tuple[str, ...] = ()
    resumed: tuple[str, ...] = ()


def foresee(index: Index, author: str, drafts: Sequence[Draft], removals: Sequence[Removal] = ()) -> Forecast:
    """Fold an act's records into the index and tell what becomes of them and of everything else.

    All are folded at once, so that they may rest on one another. The index given stays as it is.
    """
    raise NotImplementedError
