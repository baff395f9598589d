"""The fold: from a set of observations to the index, stage by stage.

Strategy: each stage is a function of what the one before it gave, and the first of them depends on no order:

    observations ── ledger ──► by URI ── versions (O, L, V) ──► entries ── filing (L5, T, families) ──► places
                 ── claims (C3), digest (D) ──► index ── assembly (P … N), space by space when asked for ──► views

Everything that is decided about a record is decided before the index is there; a view only shows it. So views are made
when somebody looks: who wants a digest, an explanation or one of a hundred spaces does not pay for the others.
`Index.extend` enters more observations into the ledger and folds again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from radial_core.digest import digest_tree
from radial_core.filing import file_entries
from radial_core.index import Findings, Index
from radial_core.ledger import enter
from radial_core.rules.claims import rank
from radial_core.rules.versions import choose
from radial_core.rulings import IgnoredRow
from radial_core.views import ImageView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.filing import Filing
    from radial_core.ledger import Ledger
    from radial_core.observations import Observation
    from radial_core.rulings import EditRow


def materialize(records: Iterable[Observation]) -> Index:
    """Fold observations into the index that they amount to.

    The result depends on the set alone: order, repetition and batches change nothing. Bad records never raise; each
    ends in `ignored` with its rule. Raises `ValueError` when two observations give one `(uri, cid)` two different
    values (O4), `TypeError` for what is no observation: both are the caller's mistakes.
    """
    return _extend({}, records)


def _extend(ledger: Ledger, records: Iterable[Observation]) -> Index:
    grown = enter(ledger, records)
    return Index(grown, _findings(grown), _extend)


def _findings(ledger: Ledger) -> Findings:
    chosen = _choose_all(ledger)
    filing = file_entries(chosen.entries)
    rankings = {place.entry.uri: rank(place) for estate in filing.estates.values() for place in estate.places()}
    agents = {entry.uri: entry for estate in filing.estates.values() for entry in estate.agents}
    return Findings(
        estates=filing.estates,
        register=filing.register,
        rankings=rankings,
        digests=digest_tree(filing.estates, rankings),
        strays=agents | {entry.uri: entry for entry in filing.images},
        images=tuple(ImageView(e.uri, e.cid, e.did, e.value["blob"]) for e in filing.images),
        ignored=_ignored(chosen, filing),
        edits=tuple(sorted(chosen.edits, key=lambda row: row.uri)),
    )


class _Chosen(NamedTuple):
    """What V and L make of all URIs: the entries, the rows of those kept out, and the edits."""

    entries: list[Entry[Any]]
    ignored: list[IgnoredRow]
    edits: list[EditRow]


def _choose_all(ledger: Ledger) -> _Chosen:
    chosen = _Chosen([], [], [])
    for uri, held in ledger.items():
        entry, cid, ruling, edits = choose(uri, held)
        if entry is not None:
            chosen.entries.append(entry)
        if ruling is not None:
            chosen.ignored.append(IgnoredRow(uri, cid, *ruling))
        if edits is not None:
            chosen.edits.append(edits)
    return chosen


def _ignored(chosen: _Chosen, filing: Filing) -> tuple[IgnoredRow, ...]:
    """One row for every URI that V, L or the filing kept out; `cid` is V's choice, else the earliest seen (§0)."""
    refused = (IgnoredRow(e.uri, e.cid, *filing.refused[e.uri]) for e in chosen.entries if e.uri in filing.refused)
    return tuple(sorted((*chosen.ignored, *refused), key=lambda row: row.uri))
