"""Progress on a terminal: how many repos are done, and what is being read; nothing anywhere else.

Strategy: rich draws it, imported only when somebody looks. What is drawn is taken away at the end, so that what remains
on the screen is what was said.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import attrs

from radial_cli.output import say
from radial_cli.pictures.words import counted
from radial_io.ingest.news import Joined, Left, Looked, News, Step

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_MOST_SHOWN: Final = 6  # repos at a time
_SHORT: Final = 32


@contextmanager
def progress() -> Iterator[Bars]:
    """Draw in the block, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield Bars(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True, highlight=False, markup=False)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as drawing:
        yield Bars(drawing)


@attrs.define
class Bars:
    """One bar for all repos, and one for each that is being read."""

    drawing: Progress | None
    repos: int = 0
    done: set[str] = attrs.field(factory=set)
    _all: TaskID | None = None
    _each: dict[str, TaskID] = attrs.field(factory=dict)

    def see(self, news: News) -> None:
        """Draw what is told."""
        if self.drawing is None:
            return
        match news:
            case Joined():
                self.repos += 1
            case Left():
                self.repos -= 1
            case Step():
                self._step(self.drawing, news)
            case Looked(reading):
                self._over(self.drawing, reading.did)
            case _:
                return
        self._total(self.drawing)

    def say(self, line: str) -> None:
        """Say a line, above what is drawn."""
        if self.drawing is None:
            say(line)
        else:
            self.drawing.console.print(line, soft_wrap=True)

    def _total(self, drawing: Progress) -> None:
        if self._all is None:
            self._all = drawing.add_task("repos", total=self.repos)
        drawing.update(self._all, total=self.repos, completed=len(self.done))

    def _step(self, drawing: Progress, step: Step) -> None:
        if step.did not in self._each and len(self._each) < _MOST_SHOWN:
            self._each[step.did] = drawing.add_task(step.did[:_SHORT], total=None)
        if (task := self._each.get(step.did)) is not None:
            words = f"{step.did[:_SHORT]}  {counted(step.answers, 'answer')}, {step.bytes // 1024:,} KiB"
            drawing.update(task, description=words, completed=step.records)

    def _over(self, drawing: Progress, did: str) -> None:
        self.done.add(did)
        if (task := self._each.pop(did, None)) is not None:
            drawing.remove_task(task)
