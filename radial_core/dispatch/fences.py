"""Where the fenced code blocks of a text lie, as CommonMark reads them: at the margin, in lists and in quotations.

Strategy: one pass over the lines, each looked at once and none read back. What holds a line is a short stack: the
quotations, and the items of lists by how far their words are indented. A line stays in those whose `>` or indentation
it has; the others end there, and with them the block that they hold. The next line of a paragraph may do without both.
Nothing else of Markdown is known, so HTML, items without words and what is nested more than 20 deep can mislead that: a
cut is then where it would have been, or moves back without need, and is said either way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS_OF_LINES: Final = re.compile(r"\r\n?|\n").finditer
_LEAD: Final = re.compile(r"(?:[ \t>]|[-+*][ \t]|[0-9]{1,9}[.)][ \t])*").match
_RULED: Final = re.compile(r"([ \t>]*)(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$").match  # across the page: no items
_TAB: Final = 4
_QUOTE: Final = re.compile(r" {0,3}> ?").match
_ITEM: Final = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?: {1,4}(?! )| )").match
_INTERRUPTS: Final = re.compile(r" {0,3}(?:>|[-+*]|0{0,8}1[.)])").match
_SPACES: Final = re.compile(r" *").match
_NO_PARAGRAPH: Final = re.compile(r"#{1,6}(?:[ \t]|$)|(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$").match
_SHORTEST: Final = 3
_FARTHEST_RIGHT: Final = 3
_DEEPEST: Final = 20  # lists and quotations in each other; so that no line is compared with more

Holders: TypeAlias = tuple[int, ...]  # the columns that an item takes up, or 0 for a quotation; the outermost first


class _Line(NamedTuple):
    """A line: where it is, what stands before its words, and the run of backticks or tildes that they begin with."""

    start: int
    end: int
    lead: str
    run: str
    rest: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing stands behind the lead."""
        return not self.run and not self.rest


class _Fence(NamedTuple):
    """A line that opens a block."""

    start: int
    run: str


def opened_before(text: str, at: int) -> int | None:
    """Give where the line begins that opens the block in which `at` lies; nothing when it lies in none."""
    fence: _Fence | None = None
    holders: Holders = ()
    in_paragraph = False
    for line in _lines(text, at):
        kept, place = _kept(line, holders)
        if fence is not None and kept == len(holders):
            fence = None if _closes(line, fence, place) and line.end <= at else fence
            continue
        inner, place = _opened(line, place, _DEEPEST - kept, in_paragraph=in_paragraph and kept == len(holders))
        is_near = _indent(line, place) == len(line.lead) - place <= _FARTHEST_RIGHT
        fence = _Fence(line.start, line.run) if is_near and _opens(line) else None
        goes_on = in_paragraph and not inner
        in_paragraph = fence is None and not _ends_paragraph(line) and (is_near or goes_on)
        if not (in_paragraph and goes_on):
            holders = holders[:kept] + inner
    return None if fence is None else fence.start


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
    found = _RULED(words) or _LEAD(words)
    lead = "" if found is None else found[found.lastindex or 0]
    bare = words[len(lead) :]
    first = bare[:1]
    rest = bare.lstrip(first) if first in {"`", "~"} else bare
    return _Line(start, end, lead.expandtabs(_TAB), bare[: len(bare) - len(rest)], rest)


def _kept(line: _Line, holders: Holders) -> tuple[int, int]:
    """Tell how many of these still hold a line, and where in its lead their marks end."""
    place = 0
    for number, width in enumerate(holders):
        if width and not _is_empty(line, place):
            if _indent(line, place) < width:
                return number, place
            place += width
        elif not width:
            found = _QUOTE(line.lead, place)
            if found is None:
                return number, place
            place = found.end()
    return len(holders), place


def _opened(line: _Line, place: int, most: int, *, in_paragraph: bool) -> tuple[Holders, int]:
    """Give the quotations and items that a line opens, and where their marks end; few items break into a paragraph."""
    found: list[int] = []
    if in_paragraph and _INTERRUPTS(line.lead, place) is None:
        return (), place
    while len(found) < most:
        quote, item = _QUOTE(line.lead, place), _ITEM(line.lead, place)
        mark = quote or item
        if mark is None:
            break
        found.append(0 if item is None else mark.end() - place)
        place = mark.end()
    return tuple(found), place


def _indent(line: _Line, place: int) -> int:
    found = _SPACES(line.lead, place)
    return 0 if found is None else found.end() - place


def _is_empty(line: _Line, place: int) -> bool:
    return line.is_blank and place + _indent(line, place) == len(line.lead)


def _ends_paragraph(line: _Line) -> bool:
    return line.is_blank or (not line.run and _NO_PARAGRAPH(line.rest) is not None)


def _opens(line: _Line) -> bool:
    return len(line.run) >= _SHORTEST and not (line.run[0] == "`" and "`" in line.rest)


def _closes(line: _Line, fence: _Fence, place: int) -> bool:
    return (
        line.run.startswith(fence.run)
        and not line.rest.strip(" \t")
        and _indent(line, place) == len(line.lead) - place <= _FARTHEST_RIGHT
    )
