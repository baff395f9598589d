"""What a follower tells, as lines for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from radial_cli.pictures.words import counted
from radial_cli.untrusted import one_line
from radial_io.ingest.choosing import Way
from radial_io.ingest.news import BrokeOff, ClockOff, Damaged, Joined, Left, Looked, News, NoSpace, Opened, TooMany
from radial_io.ingest.visiting import Reading


def in_lines(news: News, *, live: bool = False) -> str | None:
    """Say it; nothing where it is not worth a line. `live`: somebody follows, so that coming and going is news."""
    words = _LINES.get(type(news))
    return None if words is None or (isinstance(news, Joined | Left) and not live) else words(news)


def _stream(way: Way) -> str:
    return f"{way.adapter} {one_line(way.host)}"


def _looked(news: Looked) -> str:
    reading = news.reading
    where = one_line(reading.source.host) or "an unknown server"
    taken = reading.taken
    counts = [
        counted(taken.new, "new version") if taken.new else "",
        counted(taken.gone, "deletion") if taken.gone else "",
        f"{taken.spoiled} set aside" if taken.spoiled else "",
    ]
    nothing = {"read": "nothing new", "unchanged": "as it was", "failed": "not read"}[reading.how]
    head = f"{reading.did} at {where}: {', '.join(filter(None, counts)) or nothing}"
    return "\n".join([head, *(f"  {one_line(words)}" for words in reading.words)])


_LINES: Final[Mapping[type[News], Callable[[Any], str]]] = {
    Looked: _looked,
    Joined: lambda news: f"{news.did} is followed",
    Left: lambda news: f"{news.did} is followed no more: not a member",
    Opened: lambda news: f"{_stream(news.way)} is open",
    BrokeOff: lambda news: f"{_stream(news.way)} broke off and will be tried again: {one_line(news.words)}",
    NoSpace: lambda news: f"{one_line(news.uri)} is not in the repo of its root",
    TooMany: lambda news: f"of {counted(news.members, 'member')} only {news.most} are read: that is the limit",
    ClockOff: lambda news: f"{news.skew.in_words()}: set it, for your records are ordered by it",
    Damaged: lambda news: f"{one_line(news.damage.uri)} is damaged in the store: {one_line(news.damage.reason)}",
}


def looked_json(reading: Reading) -> dict[str, Any]:
    """Give a look with the documented keys."""
    return {
        "did": reading.did,
        "how": reading.how,
        "source": attrs.asdict(reading.source),
        "rev": reading.rev,
        "new": reading.taken.new,
        "deletions": reading.taken.gone,
        "setAside": reading.taken.spoiled,
        "words": list(reading.words),
    }


def as_event(news: News) -> dict[str, Any] | None:
    """Give an event with the documented keys; nothing for what is drawn only."""
    name, fields = _EVENTS.get(type(news), ("", None))
    return None if fields is None else {"event": name, **fields(news)}


_EVENTS: Final[Mapping[type[News], tuple[str, Callable[[Any], dict[str, Any]] | None]]] = {
    Looked: ("looked", lambda news: looked_json(news.reading)),
    Joined: ("joined", attrs.asdict),
    Left: ("left", attrs.asdict),
    Opened: ("opened", lambda news: attrs.asdict(news.way)),
    BrokeOff: ("brokeOff", lambda news: {**attrs.asdict(news.way), "words": news.words}),
    NoSpace: ("noSpace", lambda news: {"space": news.uri}),
    TooMany: ("tooMany", lambda news: {"members": news.members, "followed": news.most}),
    ClockOff: ("clockOff", lambda news: {"seconds": news.skew.seconds, "servers": news.skew.servers}),
    Damaged: ("damaged", lambda news: attrs.asdict(news.damage)),
}
