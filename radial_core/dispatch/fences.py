"""Where the fenced code blocks of a text lie, as CommonMark reads them: at the margin, in lists and in quotations.

Strategy: one pass over the lines, each looked at once and none read back. Of Markdown only what a fence needs is known:
how many `>` stand before a line, how far it is indented behind them, and how far the items of a list are, for a fence
stands at most three columns to the right of what holds it. Lists that end without a word can mislead that: a cut is
then where it would have been, or moves back without need, and is said either way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS_OF_LINES: Final = re.compile(r"\r\n?|\n").finditer
_LEAD: Final = re.compile(r"(?:[ \t>]|[-+*][ \t]|[0-9]{1,9}[.)][ \t])*").match
_MARKERS: Final = frozenset("-+*.)")
_SHORTEST: Final = 3
_FARTHEST_RIGHT: Final = 3


class _Line(NamedTuple):
    """A line: where it is, what stands before its words, and the run of backticks or tildes that they begin with."""

    start: int
    end: int
    quotes: int
    width: int
    is_item: bool
    run: str
    rest: str


class _Fence(NamedTuple):
    """A line that opens a block, and the column that holds it."""

    line: _Line
    column: int


def opened_before(text: str, at: int) -> int | None:
    """Give where the line begins that opens the block in which `at` lies; nothing when it lies in none."""
    fence: _Fence | None = None
    column = 0  # of the innermost item of a list that is still open
    for line in _lines(text, at):
        if fence is not None and line.quotes >= fence.line.quotes:
            fence = None if _closes(line, fence) and line.end <= at else fence
            continue
        if line.run or line.rest:
            column = line.width if line.is_item else min(column, line.width)
        fence = _Fence(line, column) if _opens(line, column) else None
    return None if fence is None else fence.line.start


def _lines(text: str, end: int) -> Iterator[_Line]:
    """Give the lines that begin before a place, each read to its own end."""
    start = 0
    for found in _ENDS_OF_LINES(text):
        if start >= end:
            return
        yield _line(text, start, found.start())
        start = found.end()
    if start < end:
        yield _line(text, start, len(text))


def _line(text: str, start: int, end: int) -> _Line:
    words = text[start:end]
    found = _LEAD(words)
    lead = "" if found is None else found[0]
    bare = words[len(lead) :]
    first = bare[:1]
    rest = bare.lstrip(first) if first in {"`", "~"} else bare
    inner = lead.rpartition(">")[2].expandtabs(4)
    run = bare[: len(bare) - len(rest)]
    return _Line(start, end, lead.count(">"), len(inner), not _MARKERS.isdisjoint(inner), run, rest)


def _opens(line: _Line, column: int) -> bool:
    is_near = line.width <= column + _FARTHEST_RIGHT
    return len(line.run) >= _SHORTEST and is_near and not (line.run[0] == "`" and "`" in line.rest)


def _closes(line: _Line, fence: _Fence) -> bool:
    return (
        line.run.startswith(fence.line.run)
        and not line.rest.strip(" \t")
        and not line.is_item
        and line.quotes == fence.line.quotes
        and line.width <= fence.column + _FARTHEST_RIGHT
    )
