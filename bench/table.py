"""The figures of `bench.fold`, for people.

Strategy: aligned plain text, one fact a line, the unit in words; what was aimed at stands beside what was measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HEAD = "{:<18}{:>9}{:>9}{:>9}{:>9}{:>8}{:>12}{:>9}{:>8}"
_ROW = "{:<18}{:>9.2f}{:>9.2f}{:>9.2f}{:>9.2f}{:>8.2f}{:>12.2f}{:>9.2f}{:>8.2f}"


def drawn(figures: Mapping[str, Any]) -> str:
    """Draw all figures."""
    return "\n".join([*_times(figures), "", *_sizes(figures), "", *_rest(figures)])


def _times(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{figures['records']:,} records, {figures['runs']} runs each in turns; microseconds of CPU time a record"
    yield _HEAD.format("", "floor", "", "fold", "", "", "with views", "", "")
    yield _HEAD.format("collector", "best", "median", "best", "median", "ratio", "best", "median", "ratio")
    for name, row in figures["collectors"].items():
        yield _line(name, row)


def _sizes(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "growth, with the collector as it is"
    for row in (*figures["sizes"], {"records": figures["records"], **figures["collectors"]["as it is"]}):
        yield _line(f"{row['records']:,} records", row)


def _line(name: str, row: Mapping[str, float]) -> str:
    fold = ("floorBest", "floorMedian", "foldBest", "foldMedian", "ratioOfMedians")
    columns = (*fold, "shownBest", "shownMedian", "shownRatioOfMedians")
    return _ROW.format(name, *(row[column] for column in columns))


def _rest(figures: Mapping[str, Any]) -> Iterator[str]:
    edges, memory, traced = figures["edges"], figures["memory"], figures["traced"]
    yield f"digest                  {figures['digestShare']:>10.1%} of a fold"
    yield f"read lines              {edges['readLines']:>10.2f} microseconds a record"
    yield f"index to plain JSON     {edges['toJson']:>10.2f} microseconds a record, then {edges['dumps']:.2f} to text"
    yield f"corpus in memory        {memory['corpus']:>10,.0f} bytes a record (resident set, a process of its own)"
    yield f"fold beyond it, peak    {memory['peak']:>10,.0f} bytes a record (the same; aim: 3,072)"
    yield (
        f"fold, allocations       {traced['peak']:>10,.0f} bytes a record at the peak, {traced['kept']:,.0f} kept "
        f"(tracemalloc, {traced['records']:,} records)"
    )
    yield f"import radial_core      {figures['importSeconds'] * 1e3:>10.0f} milliseconds (aim: under 100)"
    start = figures["helpSeconds"]
    cold = "     there is no command yet" if start is None else f"{start * 1e3:>10.0f} milliseconds (aim: under 150)"
    yield f"radial --help           {cold}"
