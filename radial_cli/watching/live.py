"""`radial watch`: a follower that prints.

Strategy: what moves is data, everything else is talk; with `--json` all of it is data, one event a line, with its time
on this machine. Lines are whole, whoever writes them. A repo that fails again and again for the same reason is told of
once, and once more when it is well.
"""

from __future__ import annotations

import json
import random
from threading import Lock
from typing import Any

import attrs

from radial_cli.moving import Move, in_words, moves
from radial_cli.output import is_terminal, out, out_lines, say
from radial_cli.outside import told
from radial_cli.running import run
from radial_cli.storing.place import opened
from radial_cli.syncing.moved import fields_of, name_of
from radial_cli.syncing.session import Asked, following, now, tap_password
from radial_cli.syncing.telling import as_event, in_lines
from radial_cli.untrusted import one_line
from radial_core import Index
from radial_io.ingest.following import Settings
from radial_io.ingest.news import Looked, News
from radial_io.ingest.poll import Pace
from radial_io.ingest.watching import watch_spaces
from radial_io.store.store import Store


def watch_live(asked: Asked, *, interval: float, as_json: bool) -> None:
    """Follow the spaces until a signal comes. Raises `Failure`; `Silent` when it was stopped."""
    settings = Settings(
        choice=asked.choice(live=True),
        pace=Pace(interval=interval, longest=max(1800.0, interval)),
        limits=asked.limits,
        tap_password=tap_password(),
    )
    printer = Printer(asked.spaces, as_json=as_json)
    with told():
        asked.require_sense()
    with told(), opened(asked.store, write=True) as store:
        run(lambda: _watch(asked, settings, store, printer))


async def _watch(asked: Asked, settings: Settings, store: Store, printer: Printer) -> None:
    async with following(asked, settings, store, printer.tell) as follower:
        await watch_spaces(follower, jitter=random.random, on_index=printer.changed)


@attrs.define
class Printer:
    """Prints what it is told: of several threads, one line at a time."""

    spaces: list[str]
    as_json: bool = attrs.field(kw_only=True)
    _turn: Lock = attrs.field(factory=Lock, init=False)
    _words: dict[str, tuple[str, ...]] = attrs.field(factory=dict, init=False)  # what was said of each repo last

    def tell(self, news: News) -> None:
        """Print news of the follower."""
        if isinstance(news, Looked) and not self._is_worth_a_line(news):
            return
        if self.as_json:
            if (event := as_event(news)) is not None:
                self._event(event)
        elif (line := in_lines(news, live=True)) is not None:
            with self._turn:
                say(line)

    def _is_worth_a_line(self, news: Looked) -> bool:
        reading = news.reading
        before, self._words[reading.did] = self._words.get(reading.did), reading.words
        return reading.how == "read" or (bool(before or reading.words) and before != reading.words)

    def changed(self, before: Index | None, after: Index) -> None:
        """Print what moved between two indexes; of the first one, only that it is there."""
        moved = [] if before is None else moves(before, after, self.spaces)
        if self.as_json:
            for move in moved:
                self._event({"event": "moved", **move.to_json()})
            self._event({"event": "index", "digest": after.digest})
            return
        with self._turn:
            for move in moved:
                out(_line(move) + "\n")

    def _event(self, event: dict[str, Any]) -> None:
        with self._turn:
            out_lines([json.dumps({"at": now(), **event}, ensure_ascii=False, separators=(",", ":"))])


def _line(move: Move) -> str:
    if not is_terminal():
        return "\t".join(map(one_line, (now(), *fields_of(move))))
    return f"{now()[11:19]}  {move.kind}  {in_words(move)}  {one_line(name_of(move))}  {move.title}"
