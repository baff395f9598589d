"""What the fold will make of an act, before anything is written (RK-14.3, T5).

Strategy: there is one judge, the fold. A draft is taken for a record that was just seen, later than everything else,
and the index is extended by it, which leaves the index as it was. What does not count then would not count. Only what
need not be folded is told beforehand: a key that is none, a value that is no record, an edit of a record that no edit
changes. Of the two kinds that are rewritten in place, the version that counts afterwards decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.acts.effects import effects
from radial_core.acts.nouns import counted
from radial_core.acts.wording import Case, spoken
from radial_core.answers import REMEDIES
from radial_core.identifiers import record_parts
from radial_core.records import COLLECTIONS, PREFIX
from radial_core.rules.versions import judge
from radial_core.rulings import Ruling, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from radial_core.acts.draft import Draft, Removal
    from radial_core.entries import Entry
    from radial_core.index import Index


@attrs.frozen
class Refusal:
    """A record that would not count: the `rule` that keeps it out and the `reason`, spoken to its author."""

    uri: str
    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"

    @property
    def remedy(self) -> str:
        """What can be done about it."""
        return _REMEDIES[self.rule]


_REMEDIES: Final = REMEDIES | {
    "V1": "Write a new record, at a key of its own.",
    "V3": "Write a new claim, at a key of its own (C6).",
}


@attrs.frozen
class Hidden:
    """Records of one kind (`goal`, `artifactRequest`, …), by URI in order (createdAt, URI); as text, their number."""

    kind: str
    uris: tuple[str, ...]

    def __str__(self) -> str:
        return counted(self.kind, len(self.uris))


@attrs.frozen(kw_only=True)
class Forecast:
    """What an act would come to.

    `index` is as it would be. `refusals` are of the drafts, in their order. `hidden` is what counts now and would not
    any more, `shown` what would count again, without what the act itself writes and takes away, by kind. `stopped` are
    the requests that are dispatchable now and would still be open, but no longer dispatchable (R5); `resumed` those
    that would become dispatchable again.
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
    judged = [(draft, draft.uri(author), _unfit(index, draft, draft.uri(author))) for draft in drafts]
    seen = (draft.seen(author) for draft, _, unfit in judged if unfit is None)
    after = index.extend([*seen, *(one.seen(author) for one in removals)])
    refusals = (_refusal(after, *each) for each in judged)
    own = {*(uri for _, uri, _ in judged), *(one.uri(author) for one in removals)}
    found = effects(index, after)
    return Forecast(
        index=after,
        refusals=tuple(refusal for refusal in refusals if refusal is not None),
        hidden=_by_kind(found.hidden, own),
        shown=_by_kind(found.shown, own),
        stopped=tuple(uri for uri in found.stopped if uri not in own),
        resumed=tuple(uri for uri in found.resumed if uri not in own),
    )


def _unfit(index: Index, draft: Draft, uri: str) -> Refusal | None:
    """Tell what need not be folded: O6, L1, L6 and V1."""
    if record_parts(uri) is None or draft.collection not in COLLECTIONS:
        return Refusal(uri, "O6", f"nothing of Radial's can be written at {quoted(uri)}")
    made = judge(draft.collection, dict(draft.value))
    if isinstance(made, Ruling):
        return Refusal(uri, *made)
    standing = index.filing.entries.get(uri)
    # V1: whoever saw the first version keeps it, whatever this index knows of when that was.
    if standing is None or standing.cid == draft.cid or draft.collection in _REWRITTEN:
        return None
    return Refusal(uri, "V1", "another record stands at this key already, and a record is not edited in place")


_REWRITTEN: Final = frozenset({PREFIX + "agent", PREFIX + "claim"})  # V2, V3


def _refusal(after: Index, draft: Draft, uri: str, unfit: Refusal | None) -> Refusal | None:
    if unfit is not None:
        return unfit
    entry, row = after.filing.entries.get(uri), after.ignored_at(uri)
    if row is not None:
        reason = row.reason if entry is None else spoken(row.rule, row.reason, Case(after, entry))
        return Refusal(uri, row.rule, reason)
    if entry is not None and entry.cid == draft.cid:
        return None
    return Refusal(uri, "V3", "the claim that stands at this key would not be renewed by this version")


def _by_kind(entries: Iterable[Entry[Any]], own: set[str]) -> tuple[Hidden, ...]:
    kinds: dict[str, list[str]] = {}
    for entry in entries:
        if entry.uri not in own:
            kinds.setdefault(entry.record.kind, []).append(entry.uri)
    return tuple(Hidden(kind, tuple(uris)) for kind, uris in sorted(kinds.items()))
