"""How a goal ends (G1–G4).

Strategy: whatever spelling an ending has, its readers see one predicate and one row. The latest `closeGoal` decides;
the two older spellings are read for ever and never written. Nothing branches on a disposition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core.records import ArchiveGoal, CloseGoal
from radial_core.views import EndingView

if TYPE_CHECKING:
    from radial_core.entries import Entry
    from radial_core.places import Shelf


def ending(goal: Shelf) -> EndingView | None:
    """Give the ending of a goal, or nothing while it has not ended (G3)."""
    closings, archivings = goal.all(CloseGoal), goal.all(ArchiveGoal)
    parked = archivings[-1] if archivings and archivings[-1].record.archived else None
    if not closings:
        # G3: without any closeGoal the legacy field comes before an archiving.
        return _legacy(goal) if goal.entry.closed else _parked(parked)
    latest = closings[-1]
    if latest.record.closed:
        return EndingView(latest.record.disposition, latest.created_at, latest.did, latest.uri)
    # G3: a re-opening holds unless the goal was archived later.
    return _parked(parked) if parked is not None and parked.order > latest.order else None


def _legacy(goal: Shelf) -> EndingView:
    # G2: `closed: true` on the goal itself says that it is done and not when.
    return EndingView("completed", None, goal.entry.did, goal.entry.uri)


def _parked(archiving: Entry[ArchiveGoal] | None) -> EndingView | None:
    if archiving is None:
        return None
    return EndingView("parked", archiving.created_at, archiving.did, archiving.uri)
