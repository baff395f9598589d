"""What does not count: by which rule, how many, and why; and the versions that were passed over.

Strategy: rows are grouped by their rule, each rule in a few words of plain English, then the records and the reasons. A
long list is cut with a count of the rest, and `radial explain` is named: it says what would bring a record in.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Final

from radial_cli.pictures.belonging import of_space
from radial_cli.pictures.words import counted
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_cli.untrusted import one_line
from radial_core.rulings import IgnoredRow
from radial_core.views import SpaceView

_MOST: Final = 5
_LONGEST_REASON: Final = 300

# What each rule asks, for somebody who has not the protocol at hand.
RULES: Final = {
    "O6": "not at the URI of a Radial record",
    "L1": "not a valid record",
    "L5": "stands on something that is not here or does not count",
    "L6": "too large or too deep",
    "V5": "deleted by its author",
    "C1": "a claim on a request that is assigned already",
    "C2": "a claim that breaks the lease contract",
    "T1": "a grant or a removal of the root",
    "T2": "a grant or a removal by somebody who was no admin then",
    "T4": "a removal of a grant that is not the current one",
    "T5": "by somebody who is no member",
    "T7": "a goal in another space than its project",
    "P1": "a change of a project by another than its author",
    "P2": "a switch of automatic reviews by somebody who is no admin",
    "A1": "a type that cannot be defined",
    "A2": "a type defined by somebody who is no admin",
    "R1": "a request that lacks what its type needs",
    "R2": "an answer to a request that asked for something else",
    "R3": "a retraction by neither the request's author nor an admin",
    "M2": "a blessing withdrawn by neither its giver nor an admin",
    "M3": "a switch of guest comments by somebody who is no admin",
}

EDITS: Final = {
    "invalid": "not valid",
    "deleted": "deleted",
    "frozen": "a claim moved to another request or another moment",
    "C2": "a claim out of the lease contract",
    "shortened": "a live lease shortened",
    "superseded": "replaced by a later version",
    "legacy ending": "ended in the old way",
    "edit": "edited in place: the first version stays",
}


def draw_ignored(page: Page, space: SpaceView, reading: Reading) -> None:
    """Draw what of a space is ignored, rule by rule, and how much else is in the input."""
    everything = reading.index.ignored
    own = of_space(space, (row.uri for row in everything), reading)
    rows = [row for row in everything if row.uri in own]
    page.heading("Ignored", f"({len(rows)}{_extent(reading)})")
    by_rule = sorted(rows, key=lambda row: (row.rule, row.uri))
    for rule, group in groupby(by_rule, key=attrgetter("rule")):
        _draw_rule(page, rule, list(group), reading)
    _draw_rest(page, len(everything) - len(rows))
    if rows:
        page.line(("`radial explain` tells what would make one count.", "quiet"), indent=2)


def _extent(reading: Reading) -> str:
    return " in this input" if len(reading.index.spaces) == 1 else " of this space"


def _draw_rest(page: Page, number: int) -> None:
    if number:
        page.line((f"and {counted(number, 'record')} of this input outside this space", "quiet"), indent=2)


def _draw_rule(page: Page, rule: str, rows: list[IgnoredRow], reading: Reading) -> None:
    names = reading.names
    page.line([(f"{rule}  ", "bad"), RULES.get(rule, ""), (f"  ({len(rows)})", "quiet")], indent=2)
    reasons: dict[str, list[str]] = {}
    for row in rows[:_MOST]:
        reasons.setdefault(row.reason, []).append(names.record(row.uri))
    for reason, records in reasons.items():
        page.line([", ".join(records), (f": {one_line(names.within(reason), _LONGEST_REASON)}", "quiet")], indent=6)
    if len(rows) > _MOST:
        page.line((f"and {len(rows) - _MOST} more", "quiet"), indent=6)


def draw_edits(page: Page, space: SpaceView, reading: Reading) -> None:
    """Draw where in a space more was seen than the version that counts, reason by reason (V6)."""
    everything = reading.index.edits
    own = of_space(space, (row.uri for row in everything), reading)
    rows = [row for row in everything if row.uri in own]
    page.heading("Edits and deletions", f"({counted(len(rows), 'record')}{_extent(reading)})")
    by_reason: dict[str, list[str]] = {}
    for row in rows:
        reasons = dict.fromkeys(EDITS[other.reason] for other in row.others)
        for reason in reasons or ["deleted, and still there for everybody who saw it"]:
            by_reason.setdefault(reason, []).append(reading.names.record(row.uri))
    for reason, records in sorted(by_reason.items()):
        page.line([reason, (f"  ({len(records)})", "quiet")], indent=2)
        more = f", and {len(records) - _MOST} more" if len(records) > _MOST else ""
        page.line([", ".join(records[:_MOST]), (more, "quiet")], indent=6)
    _draw_rest(page, len(everything) - len(rows))
