"""Which way each repo is followed: decisions about values, nothing else.

    choice = read_choice(["jetstream=https://jetstream.example", "did:plc:…=repo"])
    plan = planned(members, homes, choice, down=frozenset())

Strategy: a repo is looked at from time to time (`poll`, `repo`), or a stream tells of it. A stream is shared by all
whose way leads to it; one that names no host is that of the repo's own PDS, which is known once the repo was looked at.
While a stream is broken off, the repos that it should tell of are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

import attrs

from radial_core.identifiers import is_did
from radial_io.atproto.addresses import plain
from radial_io.errors import AddressError, quoted
from radial_io.store.values import Adapter

LOOKS: Final[tuple[Adapter, ...]] = ("poll", "repo")
STREAMS: Final[tuple[Adapter, ...]] = ("firehose", "jetstream", "jetstream2", "tap")
_NEED_HOST: Final = frozenset(STREAMS) - {"firehose"}


@attrs.frozen
class Way:
    """How a repo is followed. `host` is that of a stream (scheme, host and port); a look goes to the repo's own PDS."""

    adapter: Adapter
    host: str = ""

    @property
    def is_stream(self) -> bool:
        """Whether somebody tells of changes, so that nobody has to look all the time."""
        return self.adapter in STREAMS


@attrs.frozen
class Choice:
    """What an operator chose: the usual way, and others for single repos (by DID) or servers (by their URL)."""

    usual: Way = Way("poll")
    others: Mapping[str, Way] = attrs.field(factory=dict)

    def of(self, did: str, home: str | None) -> Way:
        """Give the way for a repo; `home` is its PDS, None while that is not known."""
        way = self.others.get(did) or self.others.get(home or "") or self.usual
        if way == Way("firehose"):
            return Way("firehose", home) if home else Way("repo")
        return way

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that were named by hand."""
        return tuple(sorted({way.host for way in (self.usual, *self.others.values()) if way.host}))


class ChoiceError(ValueError):
    """A text that names no way."""


def read_choice(texts: Iterable[str]) -> Choice:
    """Read `[WHO=]ADAPTER[=HOST]`, once or several times; WHO is a DID or the URL of a PDS. Raises `ChoiceError`."""
    usual: Way | None = None
    others: dict[str, Way] = {}
    for text in texts:
        who, way = _read_one(text)
        if (who is None and usual is not None) or who in others:
            raise ChoiceError(f"{quoted(text)}: there is a way already for {who or 'all that are not named'}")
        if who is None:
            usual = way
        else:
            others[who] = way
    return Choice(usual or Way("poll"), others)


def _read_one(text: str) -> tuple[str | None, Way]:
    head, _, rest = text.partition("=")
    if is_did(head):
        return head, _read_way(rest)
    if head.startswith(("http://", "https://")):
        return _server(head), _read_way(rest)
    return None, _read_way(text)


def _read_way(text: str) -> Way:
    adapter, _, host = text.partition("=")
    if adapter not in (*LOOKS, *STREAMS):
        raise ChoiceError(f"{quoted(adapter)} is no way to follow a repo: {', '.join((*LOOKS, *STREAMS))}")
    if host and adapter in LOOKS:
        raise ChoiceError(f"{adapter} asks each repo's own server: it takes no host")
    if not host and adapter in _NEED_HOST:
        raise ChoiceError(f"{adapter} needs its host: {adapter}=https://…")
    return Way(adapter, _server(host) if host else "")


def _server(url: str) -> str:
    try:
        return plain(url)
    except AddressError as error:
        raise ChoiceError(str(error)) from error


@attrs.frozen
class Plan:
    """What is to be done: `looks` from time to time, by DID; `streams` to be held, each with whom it tells of."""

    looks: Mapping[str, Adapter]
    streams: Mapping[Way, frozenset[str]]
    chosen: Mapping[str, Way]


def planned(followed: Iterable[str], homes: Mapping[str, str], choice: Choice, down: Collection[Way]) -> Plan:
    """Say how those who are followed are; `homes` are their servers as far as known, `down` the streams broken off."""
    chosen = {did: choice.of(did, homes.get(did)) for did in sorted(followed)}
    streams: dict[Way, set[str]] = {}
    looks: dict[str, Adapter] = {}
    for did, way in chosen.items():
        if way.is_stream:
            streams.setdefault(way, set()).add(did)
        if not way.is_stream:
            looks[did] = way.adapter
        elif way in down:
            looks[did] = "repo"
    return Plan(looks, {way: frozenset(dids) for way, dids in streams.items()}, chosen)
