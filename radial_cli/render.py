"""Text laid out for a person: headings, wrapped prose, aligned columns, tables.

Strategy: a `Page` gathers lines that are final when they are added: wrapped to the width by the cells that characters
take on a terminal, indented, with a hanging indent. Words longer than a line stay whole, so that a URI can be copied.
Style is a name from one short table; off a terminal it is dropped, and nothing is said by colour alone. Every string
that comes in is somebody else's and is made visible here, once (`radial_cli.untrusted`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from radial_cli.untrusted import visible

STYLES: Final = {
    "title": "bold",
    "heading": "bold cyan",
    "name": "cyan",
    "quiet": "dim",
    "good": "green",
    "bad": "red",
    "wait": "yellow",
}

# A word or a run of words with a style; several of them make a line.
Part: TypeAlias = "str | tuple[str, str]"
Parts: TypeAlias = "Part | list[Part]"

_LIST_MARK: Final = re.compile(r"[ ]*(?:[-*+>]|\d{1,3}[.)])?[ ]*")
# A word with the spaces after it. Scripts that are written without spaces may be broken after any character.
_WORD: Final = re.compile(
    r"([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+)(\s*)"
)
# A line that goes on with a paragraph: it starts with a word, or is indented under the mark of a list.
_PLAIN_WORDS: Final = re.compile(r"[ ]{0,3}(?!\d{1,3}[.)])[^\s#>|*+-]")
_NO_PARAGRAPH: Final = re.compile(r"[ ]*[#|]")
_LONG_LINE: Final = 60
_TAB: Final = 4
_GUTTER: Final = 2
_LEAST_ROOM: Final = 24
_WIDEST_CELL: Final = 60  # of those that have others after them: every row is padded to the widest; a CID fits


class Page:
    """Lines of text for a page `width` cells wide; `styled` for a terminal that shows colour and weight."""

    def __init__(self, width: int, *, styled: bool) -> None:
        self.width = width
        self._styled = styled
        self._lines: list[Text] = []
        self._console = Console(
            file=io.StringIO(),
            width=width,
            force_terminal=styled,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    def gap(self) -> None:
        """Leave one empty line, unless there is one already or nothing stands above."""
        if self._lines and self._lines[-1]:
            self._lines.append(Text())

    def heading(self, text: str, note: str = "") -> None:
        """Begin a part of the page."""
        self.gap()
        self.line([(text, "heading"), *([(f" {note}", "quiet")] if note else [])])

    def line(self, parts: Parts, *, indent: int = 0, hang: int = 2) -> None:
        """Add one line; what does not fit is wrapped and indented by `hang` more."""
        self._lines.extend(self._wrapped(_text(parts), indent, indent + hang))

    def prose(self, text: str, *, indent: int = 0, most: int | None = None) -> int:
        """Add a text of several paragraphs, wrapped; gives the number of lines left out beyond `most`."""
        paragraphs = _reflowed(visible(text).strip("\n").expandtabs(_TAB).split("\n"))
        lines = [line for paragraph in paragraphs for line in self._paragraph(paragraph, indent)]
        kept = lines if most is None or len(lines) <= most + 1 else lines[:most]  # one line more is no more than a note
        self._lines.extend(kept)
        return len(lines) - len(kept)

    def _paragraph(self, paragraph: str, indent: int) -> list[Text]:
        """Wrap one line of prose; under the mark of a list hangs what belongs to it."""
        mark = _LIST_MARK.match(paragraph)
        at = min(mark.end() if mark else 0, self.width // 3)
        first, *rest = _wrap(Text(paragraph[at:]), self.width - indent - at)
        return [_indented(Text(paragraph[:at] + first.plain), indent), *(_indented(line, indent + at) for line in rest)]

    def columns(self, rows: Iterable[Sequence[Parts]], *, indent: int = 0) -> None:
        """Add rows whose cells stand under each other; the last one of a row is wrapped, the others are cut at 60."""
        texts = [[*map(_cell, row[:-1]), _text(row[-1])] for row in rows]
        deepest = max((len(row) for row in texts), default=0)
        widths = [max((row[at].cell_len for row in texts if at < len(row) - 1), default=0) for at in range(deepest)]
        for row in texts:
            self._lines.extend(self._row(row, widths, indent))

    def _row(self, row: list[Text], widths: list[int], indent: int) -> list[Text]:
        head = Text(" " * indent)
        for cell, room in zip(row[:-1], widths, strict=False):
            head.append_text(cell)
            head.append(" " * (room - cell.cell_len + _GUTTER))
        left = self.width - head.cell_len
        if not row[-1]:
            head.rstrip()
            return [head]
        if left < min(_LEAST_ROOM, row[-1].cell_len):  # too narrow for columns: the last cell goes below
            return [head, *self._wrapped(row[-1], indent + _TAB, indent + _TAB)]
        first, *rest = _wrap(row[-1], left)
        return [head.append_text(first), *(_indented(line, self.width - left) for line in rest)]

    def _wrapped(self, text: Text, indent: int, hang: int) -> list[Text]:
        if text.cell_len <= self.width - indent:
            return [_indented(text, indent)]
        first, *rest = _wrap(text, self.width - hang)
        return [_indented(first, indent), *(_indented(line, hang) for line in rest)]

    def text(self) -> str:
        """Give the whole page."""
        if not self._styled:
            return "".join(line.plain.rstrip() + "\n" for line in self._lines)
        with self._console.capture() as captured:
            for line in self._lines:
                self._console.print(line, soft_wrap=True)
        return captured.get()


def _text(parts: Parts) -> Text:
    text = Text()
    for part in _listed(parts):
        words, style = (part, "") if isinstance(part, str) else part
        text.append(visible(words).replace("\n", " ").replace("\t", " "), STYLES.get(style))
    return text


def _cell(parts: Parts) -> Text:
    text = _text(parts)
    text.truncate(_WIDEST_CELL, overflow="ellipsis")
    return text


def _listed(parts: Parts) -> Sequence[Part]:
    if isinstance(parts, str):
        return [parts]
    return [parts] if isinstance(parts, tuple) else parts


def _reflowed(lines: Iterable[str]) -> Iterator[str]:
    """Join lines that somebody's editor broke: long ones that are followed by plain words. Code keeps its breaks."""
    held: list[str] = []
    fenced = False
    for line in lines:
        fence = line.lstrip().startswith("```")
        if held and not fence and not fenced and _runs_on(held[-1], line):
            held.append(line.strip())
            continue
        if held:
            yield " ".join(held)
        held = [line]
        fenced ^= fence
    yield " ".join(held)


def _runs_on(line: str, following: str) -> bool:
    return len(line) >= _LONG_LINE and not _NO_PARAGRAPH.match(line) and _PLAIN_WORDS.match(following) is not None


def _wrap(text: Text, room: int) -> list[Text]:
    """Break a text between words, so that each line fits if its words do; there is at least one line."""
    room = max(_LEAST_ROOM, room)
    breaks: list[int] = []
    taken = 0
    for word in _WORD.finditer(text.plain):
        long = cell_len(word[1])
        if taken and taken + long > room:
            breaks.append(word.start())
            taken = 0
        taken += long + len(word[2])
    lines = list(text.divide(breaks)) if breaks else [text]
    for line in lines:
        line.rstrip()
    return lines


def _indented(text: Text, indent: int) -> Text:
    text.pad_left(indent)
    return text
