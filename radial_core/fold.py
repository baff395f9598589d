"""The fold: from a set of observations to the index, stage by stage.

Strategy: each stage is a function of what the one before it gave, and the first of them depends on no order:

    observations ── ledger ──► by URI ── versions (O, L, V) ──► entries ── filing (L5, T, families) ──► places
                 ── assembly (P … N) ──► views ── digest (D) ──► index

`Index.extend` enters more observations into the ledger and folds again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.assembly import assemble
from radial_core.digest import index_digest
from radial_core.filing import file_entries
from radial_core.index import Findings, Index
from radial_core.ledger import enter
from radial_core.rules.versions import choose
from radial_core.rulings import IgnoredRow
from radial_core.views import ImageView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.filing import Filing
    from radial_core.ledger import Ledger
    from radial_core.observations import Observation
    from radial_core.rules.versions import Choice


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
    choices = {uri: choose(uri, observations) for uri, observations in ledger.items()}
    filing = file_entries(choice.entry for choice in choices.values() if choice.entry is not None)
    assembled = [assemble(filing.estates[uri]) for uri in sorted(filing.estates)]
    spaces = tuple(one.view for one in assembled)
    agents = {entry.uri: entry for estate in filing.estates.values() for entry in estate.agents}
    return Findings(
        digest=index_digest(spaces),
        spaces=spaces,
        images=tuple(ImageView(e.uri, e.cid, e.did, e.value["blob"]) for e in filing.images),
        ignored=_ignored(choices, filing),
        edits=tuple(row for uri in sorted(choices) if (row := choices[uri].edits) is not None),
        estates=filing.estates,
        filed=filing.filed,
        strays=agents | {entry.uri: entry for entry in filing.images},
        leases={request: leases for one in assembled for request, leases in one.leases.items()},
    )


def _ignored(choices: dict[str, Choice], filing: Filing) -> tuple[IgnoredRow, ...]:
    """One row for every URI that V, L or the filing kept out; `cid` is V's choice, else the earliest seen (§0)."""
    rulings = {uri: choice.ruling for uri, choice in choices.items() if choice.ruling is not None} | filing.refused
    return tuple(IgnoredRow(uri, choices[uri].cid, *rulings[uri]) for uri in sorted(rulings))
