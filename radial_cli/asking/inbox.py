"""`radial inbox`: everything that waits for a person, each with the commands that answer it (RK-12.6).

Strategy: the core says what waits and why; here it gets its words and its commands, from two tables by kind. A command
names things by URI where it may be run by a program, and by their short names for a person, as long as those are
unambiguous. A type is anybody's text: one that is no short plain word is put into no command.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import attrs

from radial_cli.asking.freshness import Ages, in_words
from radial_cli.names import short_name
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import brief_title, brief_type, counted, moment
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_cli.untrusted import one_line
from radial_core.jsonviews import to_plain
from radial_core.query.inbox import Waiting, inbox
from radial_core.views import GoalView, ProjectView

_Name: TypeAlias = Callable[[str], str]  # how a DID or a URI is called

_FIELDS: Final = ("kind", "at", "by", "about", "place", "space", "words", "command")
_EXCERPT: Final = 200
_PLAIN_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}").fullmatch


@attrs.frozen
class Ways:
    """The options that were given here and that the commands need too."""

    who: str | None
    store: str | None

    @property
    def acting(self) -> list[str]:
        """Those of a command that acts."""
        return [*(["--as", self.who] if self.who is not None else []), *self.reading]

    @property
    def reading(self) -> list[str]:
        """Those of a command that only reads."""
        is_meant_anyway = self.store is None or self.store == os.environ.get("RADIAL_STORE")
        return [] if is_meant_anyway or self.store is None else ["--store", self.store]


def print_inbox(found: Reading, who: str, ways: Ways, ages: Ages, *, as_json: bool) -> None:
    """Print what waits for a DID, and how old that is: what was not read yet may wait too."""
    items, fresh = inbox(found.index, who, found.now), ages(_spaces(found, who))
    if as_json:
        listed = [_json(item, ways) for item in items]
        out_json({"digest": found.index.digest, "who": who, "items": listed, "freshness": to_plain(fresh)})
        return
    out(_page(items, found, ways) if is_terminal() else _rows(items, ways))
    if not items:
        say(f"radial: nothing waits for {one_line(who)}")
    if fresh.state != "live":
        say(f"radial: {one_line(in_words(fresh))}")


def _spaces(found: Reading, who: str) -> list[str]:
    """Give the spaces in which something may wait: where somebody is a member or was one; all, if nowhere."""
    spaces = found.index.spaces
    return [each.uri for each in spaces if who in {each.root, *(grant.did for grant in each.grants)}] or [
        each.uri for each in spaces
    ]


def _json(item: Waiting, ways: Ways) -> dict[str, Any]:
    return {
        **to_plain(item),
        "words": _words(item, str),
        "commands": [shlex.join(command) for command in _commands(item, ways, str)],
    }


def _rows(items: Sequence[Waiting], ways: Ways) -> str:
    rows = [_FIELDS, *(_row(item, ways) for item in items)]
    return "".join("\t".join(map(one_line, row)) + "\n" for row in rows)


def _row(item: Waiting, ways: Ways) -> tuple[str, ...]:
    command = shlex.join(_commands(item, ways, str)[0])
    note = item.note
    words = _words(item, str)
    return (item.kind, note.created_at, note.author, item.about, item.place or "", item.space, words, command)


def _page(items: Sequence[Waiting], found: Reading, ways: Ways) -> str:
    page = Page(width(), styled=True)
    for item in items:
        page.gap()
        page.line([(item.kind, "heading"), "  ", _words(item, found.names.did)], hang=4)
        if excerpt := _excerpt(item, found):
            page.line(f"“{excerpt}”", indent=4, hang=0)
        page.line((f"{moment(item.note.created_at, found)}, {_scope(item, found)}", "quiet"), indent=4)
        for command in _commands(item, ways, lambda uri: _short(uri, found)):
            for line in _broken(command, width() - 8):
                page.line((line, "name"), indent=4)
    if items:
        page.gap()
        page.line((counted(len(items), "thing waits", "things wait"), "quiet"))
    return page.text()


def _broken(command: Sequence[str], room: int) -> list[str]:
    """Break a command between its words, so that a shell that is given all lines takes them for one command."""
    lines = [command[0]]
    for word in map(shlex.quote, command[1:]):
        if len(lines[-1]) + len(word) < room:
            lines[-1] += f" {word}"
        else:
            lines[-1] += " \\"
            lines.append(f"  {word}")
    return lines


def _short(uri: str, found: Reading) -> str:
    """Name a record so that a command finds it again: shortly, if nothing else is called so."""
    name = short_name(uri)
    return name if name is not None and found.names.record(uri) == name else uri


def _scope(item: Waiting, found: Reading) -> str:
    space = found.index.space(item.space)
    place = None if item.place is None else _place(item.place, found)
    where = [] if place is None else [brief_title(place.title if isinstance(place, GoalView) else place.name)]
    return ", ".join([*where, *([brief_title(space.name)] if space is not None else [])])


def _place(uri: str, found: Reading) -> GoalView | ProjectView | None:
    return found.index.goal(uri) or found.index.project(uri)


def _excerpt(item: Waiting, found: Reading) -> str:
    body = found.value(item.note.uri).get("body")
    return one_line(body, _EXCERPT) if item.note.kind == "message" and isinstance(body, str) else ""


# The words ------------------------------------------------------------------------------------------------------------


def _words(item: Waiting, name: _Name) -> str:
    by = name(item.note.author)
    kind = brief_type(item.type or "")
    title = f" “{brief_title(item.note.title)}”" if item.note.title else ""
    return _WORDS[item.kind](item, by, kind, title)


_WORDS: Final[Mapping[str, Callable[[Waiting, str, str, str], str]]] = {
    "question": lambda _, by, kind, __: f"{by} asks, and cannot go on with {kind} before somebody replies",
    "request": lambda _, by, kind, __: f"{by} asks you for: {kind}",
    "review": lambda _, by, kind, title: f"{by} handed in {kind}{title}, which no person has reviewed",
    "checks": lambda _, by, kind, title: f"checks of {kind} failed on commit{title}, observed by {by}",
    "declined": lambda _, by, kind, __: f"{by} declined to make {kind}",
    "stuck": lambda item, _, kind, __: f"nobody can make {kind} as things stand: {item.reason}",
    "mention": lambda _, by, __, ___: f"{by} mentions you",
    "invitation": lambda item, by, _, __: (
        f"{by} granted you the role {item.note.says}; you have not opened the space yet"
    ),
    "trust": lambda _, by, __, ___: f"{by} removed you: what you wrote there is not shown any more",
    "future": lambda _, by, __, ___: f"a record by {by} is dated in the future, and wins over others until then",
}


# The commands ---------------------------------------------------------------------------------------------------------


def _commands(item: Waiting, ways: Ways, name: _Name) -> list[list[str]]:
    """List the commands that answer something, the usual one first; one there always is."""
    return [
        ["radial", *command, *(ways.reading if command[0] in {"explain", "show"} else ways.acting)]
        for command in _COMMANDS[item.kind](item, name)
    ]


def _reply(item: Waiting, name: _Name) -> Iterator[list[str]]:
    yield ["reply", name(item.about)]


def _fulfil(item: Waiting, name: _Name) -> Iterator[list[str]]:
    is_here = item.about != item.note.uri  # what it is about
    if item.type == "review":
        yield from _judge(item, name) if is_here else ()
    elif item.type == "answer":
        yield from _reply(item, name) if is_here else ()
    else:
        yield ["artifact", "submit", name(item.about)]
    yield ["decline", name(item.note.uri)]


def _judge(item: Waiting, name: _Name) -> Iterator[list[str]]:
    yield ["review", name(item.about), "approve"]
    yield ["review", name(item.about), "request-changes"]


def _go_on(item: Waiting, name: _Name) -> Iterator[list[str]]:
    if item.type is not None and _PLAIN_WORD(item.type):
        yield ["request", item.type, "--from", name(item.about)]
    yield ["show", name(item.about)]


def _retract(item: Waiting, name: _Name) -> Iterator[list[str]]:
    yield ["request", "retract", name(item.about)]


def _join(item: Waiting, _name: _Name) -> Iterator[list[str]]:
    yield ["space", "join", item.space]


def _look(item: Waiting, name: _Name) -> Iterator[list[str]]:
    yield ["explain", name(item.about)]


_COMMANDS: Final[Mapping[str, Callable[[Waiting, _Name], Iterator[list[str]]]]] = {
    "question": _reply,
    "request": _fulfil,
    "review": _judge,
    "checks": _go_on,
    "declined": _retract,
    "stuck": _retract,
    "mention": _reply,
    "invitation": _join,
    "trust": _look,
    "future": _look,
}
