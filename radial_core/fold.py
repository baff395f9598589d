"""The fold: from a set of observations to the index, stage by stage.

Strategy: each stage is a function of what the one before it gave, and the first of them depends on no order:

    observations ── ledger (O) ──► what changed, by URI ── versions (O, L, V) ──► entries
                 ── judging (L5, T, families) ──► filing ──► index ── digests (D), views (P … N), when asked for

Everything that is decided about a record is decided before the index is there; a digest and a view only show it. So
both are made when somebody looks: who wants an explanation, or one of a hundred spaces, does not pay for the others.
There is one fold. `materialize` starts it from nothing; `Index.extend` from what an earlier one left, all of which is
persistent: what the new observations do not touch is neither computed nor copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_core.entries import Entry
from radial_core.filing import NOTHING_FILED
from radial_core.index import Findings, Index, Memories
from radial_core.judging import refile
from radial_core.ledger import enter
from radial_core.persistent import Draft, PersistentMap
from radial_core.rules.versions import choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from radial_core.ledger import Held
    from radial_core.observations import Observation
    from radial_core.rulings import IgnoredRow


def materialize(records: Iterable[Observation]) -> Index:
    """Fold observations into the index that they amount to.

    The result depends on the set alone: order, repetition and batches change nothing. Bad records never raise; each
    ends in `ignored` with its rule. Raises `ValueError` when two observations give one `(uri, cid)` two different
    values (O4), `TypeError` for what is no observation: both are the caller's mistakes.
    """
    return Index(_extended(_NOTHING, records), _extended, Memories({}, {}))


_NOTHING: Final = Findings(PersistentMap({}), NOTHING_FILED, PersistentMap({}))


def _extended(before: Findings, records: Iterable[Observation]) -> Findings:
    """Give the findings of what was observed before and of these observations."""
    entered = enter(before.ledger, records)
    if not entered:
        return before
    entries, unread = _choose(before, entered)
    return Findings(before.ledger.updated(dict(entered)), refile(before.filing, entries), unread)


def _choose(
    before: Findings, entered: Mapping[str, Held]
) -> tuple[dict[str, Entry[Any] | None], PersistentMap[str, IgnoredRow]]:
    """Give what V and L make of the URIs that changed: the entries that are not as before, and all that is kept out."""
    entries: dict[str, Entry[Any] | None] = {}
    unread = Draft(before.unread)
    entry_before = before.filing.entries.get
    is_first = not len(before.ledger)
    for uri, held in entered.items():
        made = choose(uri, held)
        entry, row = (made, None) if isinstance(made, Entry) else (None, made)
        old = entry_before(uri)
        if entry is not old and (entry is None or old is None or not _is_same(entry, old)):
            entries[uri] = entry
        if row is not None or not is_first:
            unread.put(uri, row)
    return entries, unread.done()


def _is_same(one: Entry[Any], other: Entry[Any]) -> bool:
    # The rest of an entry is a function of its URI and of the version that was chosen (O4).
    return one.cid == other.cid and one.others == other.others and one.closed == other.closed
