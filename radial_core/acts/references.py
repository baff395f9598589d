"""Short references to records and people, as a person types them, and what they resolve to.

Strategy: what is spelled out (a URI, a DID, `kind/key`, `#3`) names itself or nothing, for anybody may write such text
into a title. Any other is read in the ways that there are, the exact ones first, and the first reading that fits
anything decides. Where that leaves two, both are named and none is guessed. Anybody may call a goal by the key or the
title of another one; so names and keys are held against one another, and such a reference is ambiguous, never captured.
A number counts the records of a kind in the order in which they were made, all of them, so that it means the same in
every list.
"""

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

from radial_core.acts.nouns import noun
from radial_core.entries import in_order
from radial_core.identifiers import is_did, is_record_key
from radial_core.records import CLASSES, Agent, Image
from radial_core.rules.projects import project_state
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding
    from radial_core.records import RadialRecord

NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
MEMBER: Final = "member"


class Found(NamedTuple):
    """What a text names: `uri` is a record's URI, a member's DID. `name` is its title or name, or nothing.

    `number` is its position in `numbered`, counted from 1.
    """

    kind: str
    uri: str
    name: str | None
    number: int


class Several(NamedTuple):
    """All that a text may name: nothing is guessed."""

    text: str
    candidates: tuple[Found, ...]


class Nothing(NamedTuple):
    """That a text names nothing here, and why."""

    text: str
    reason: str


if TYPE_CHECKING:
    Resolved: TypeAlias = Found | Several | Nothing


def numbered(index: Index, kind: str, space: str | None = None) -> tuple[str, ...]:
    """List the URIs of all records of a kind that count, in a space or anywhere, in order (createdAt, URI).

    `kind` is a record's kind, such as `goal` or `artifactRequest`, or `member`, which gives DIDs in their order. The
    number that a person types is the position here, counted from 1. Raises `KeyError` for an unknown kind.
    """
    if kind == MEMBER:
        return _members(index, space)
    return tuple(entry.uri for entry in _entries(index, kind, space))


def _members(index: Index, space: str | None) -> tuple[str, ...]:
    return tuple(sorted({did for holding in _holdings(index, space) for did in holding.trust.dids()}))


def _entries(index: Index, kind: str, space: str | None) -> list[Entry[Any]]:
    owner, holdings = _CLASS_OF[kind], _holdings(index, space)
    if owner is Image:
        return _images(index, space)
    if owner is Agent:
        return in_order({entry.uri: entry for holding in holdings for entry in holding.agents}.values())
    return in_order(entry for holding in holdings for shelf in holding.shelves() for entry in shelf.all(owner))


_CLASS_OF: Final[Mapping[str, type[RadialRecord]]] = {owner.kind: owner for owner in CLASSES}


def _holdings(index: Index, space: str | None) -> list[Holding]:
    if space is None:
        return [*index.filing.holdings.values()]
    holding = index.filing.holdings.get(space)
    return [] if holding is None else [holding]


def _images(index: Index, space: str | None) -> list[Entry[Any]]:
    """M4: a picture stands in no place; a space has those of its members."""
    images = index.filing.images.values()
    return in_order(image for image in images if space is None or space in index.filing.spaces_of(image.did))


# What there is to be named -------------------------------------------------------------------------------------------


@attrs.frozen
class _Candidate:
    """Something that may be named: by its URI, its record key, its names as they are compared."""

    found: Found
    key: str
    names: tuple[str, ...]
    handles: tuple[str, ...] = ()


def _same(text: str) -> str:
    """Give the form in which names are compared: no case, one spelling of each accent, single spaces."""
    return unicodedata.normalize("NFC", " ".join(unicodedata.normalize("NFC", text).casefold().split()))


def _candidates(index: Index, kind: str, space: str | None, handles: Mapping[str, str]) -> Iterator[_Candidate]:
    if kind == MEMBER:
        yield from _people(index, space, handles)
        return
    for number, entry in enumerate(_entries(index, kind, space), start=1):
        names = [name for name in _names(index, entry) if name]
        found = Found(kind, entry.uri, names[0] if names else None, number)
        yield _Candidate(found, entry.uri.rpartition("/")[2], tuple(map(_same, names)))


def _people(index: Index, space: str | None, handles: Mapping[str, str]) -> Iterator[_Candidate]:
    """A person is known by a handle, an agent also by what its profiles are called."""
    profiles: dict[str, list[str]] = {}
    for entry in _entries(index, Agent.kind, space):
        profiles.setdefault(entry.did, []).extend(_names(index, entry))
    proven: dict[str, list[str]] = {}
    for handle in sorted(handles):
        proven.setdefault(handles[handle], []).append(handle)
    for number, did in enumerate(_members(index, space), start=1):
        own = proven.get(did, [])
        names = [*own, *profiles.get(did, ())]
        found = Found(MEMBER, did, names[0] if names else None, number)
        yield _Candidate(found, did, tuple(map(_same, names)), tuple(map(_same, own)))


def _names(index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    return _NAMES.get(entry.record.kind, _nameless)(index, entry)


def _nameless(_index: Index, _entry: Entry[Any]) -> tuple[str, ...]:
    return ()


def _named(_index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    return (entry.record.name or "",)


def _titled(_index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    return (entry.record.title or "",)


def _project_name(index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    """P1: a project is called what it was called last."""
    shelf = index.filing.shelf_of(entry.uri)
    return (entry.record.name if shelf is None else shelf.fact(project_state).name,)


def _profile_names(_index: Index, entry: Entry[Any]) -> tuple[str, ...]:
    return entry.uri.rpartition("/")[2], entry.record.handle_name


_NAMES: Final[Mapping[str, Callable[[Index, Entry[Any]], tuple[str, ...]]]] = {
    "space": _named,
    "project": _project_name,
    "goal": _titled,
    "artifact": _titled,
    "artifactType": _named,
    "image": _named,
    "agent": _profile_names,
}


# How a text is read --------------------------------------------------------------------------------------------------


def resolve(
    index: Index, text: str, *, kinds: Sequence[str], space: str | None = None, handles: Mapping[str, str] = NOBODY
) -> Resolved:
    """Tell what a text names among the records of these kinds.

    It may be a URI, `kind/key`, a number of `numbered` (`3` or `#3`), a key, the beginning of a title or name, in any
    case; for members a DID or handle, and `@name`, which also names agents by their profile. `handles` maps handles to
    DIDs.
    """
    asked = _Asked(index, text.strip(), tuple(kinds), space, handles)
    if not asked.text:
        return Nothing(text, "nothing was named")
    pool = [one for kind in kinds for one in _candidates(index, kind, space, handles)]
    for fits in _readings(asked):
        fitting = {(one.found.kind, one.found.uri): one.found for one in fits(asked, pool)}
        if fitting:
            found = tuple(fitting.values())
            return found[0] if len(found) == 1 else Several(text, found)
    return Nothing(text, _why_not(asked))


@attrs.frozen
class _Asked:
    """A question: what was typed, and where to look."""

    index: Index
    text: str
    kinds: tuple[str, ...]
    space: str | None
    handles: Mapping[str, str]


_NUMBER: Final = re.compile(r"#?([0-9]{1,9})", re.ASCII).fullmatch
_HANDLE_IN_URI: Final = re.compile(r"at://([^/]+)/").match


def _by_uri(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    """A URI or a DID names itself; a handle in a URI stands for the DID that it is known to name."""
    uri = asked.text
    match = _HANDLE_IN_URI(uri)
    did = None if match is None else _did_of(asked, match[1])
    if match is not None and did is not None:
        uri = f"at://{did}{uri[match.end(1) :]}"
    return [one for one in pool if one.found.uri == uri]


def _did_of(asked: _Asked, handle: str) -> str | None:
    known = {_same(name): did for name, did in asked.handles.items()}
    return known.get(_same(handle))


def _by_kind_and_key(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    kind, _, key = asked.text.partition("/")
    return [one for one in pool if one.found.kind.casefold() == kind.casefold() and one.key == key]


def _by_number(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    match = _NUMBER(asked.text)
    return [] if match is None else [one for one in pool if one.found.number == int(match[1])]


def _by_handle(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    """A handle is proven, the name of a profile is not: nobody takes another's handle for a name."""
    handle = _same(asked.text.removeprefix("@"))
    return [one for one in pool if handle in one.handles]


def _by_name(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    name = _same(_bare(asked))
    return [one for one in pool if name in one.names or one.key == asked.text]


def _by_beginning(asked: _Asked, pool: Iterable[_Candidate]) -> list[_Candidate]:
    name = _same(_bare(asked))
    return [one for one in pool if any(whole.startswith(name) for whole in one.names)] if name else []


def _bare(asked: _Asked) -> str:
    """Take off the sign that says that somebody is meant."""
    return asked.text.removeprefix("@") if {MEMBER, Agent.kind} & {*asked.kinds} else asked.text


_READINGS: Final = (_by_number, _by_handle, _by_name, _by_beginning)


def _readings(asked: _Asked) -> Sequence[Callable[[_Asked, Iterable[_Candidate]], list[_Candidate]]]:
    """Say how a text may be read: what is spelled out is never a name, also where nothing here is called so."""
    kind, _, key = asked.text.partition("/")
    if asked.text.startswith("at://") or is_did(asked.text):
        return (_by_uri,)
    if kind.casefold() in map(str.casefold, asked.kinds) and is_record_key(key):
        return (_by_kind_and_key,)
    return (_by_number,) if asked.text.startswith("#") and _NUMBER(asked.text) else _READINGS


def _why_not(asked: _Asked) -> str:
    """Say of a record that is here why it is not what is meant; of anything else what was looked for."""
    wanted = " or ".join("a member" if kind == MEMBER else noun(kind) for kind in asked.kinds)
    row = asked.index.ignored_at(asked.text)
    if row is not None:
        return f"it is ignored by rule {row.rule}: {row.reason}"
    entry = asked.index.entry(asked.text)
    if entry is not None and entry.record.kind not in asked.kinds:
        return f"it is {noun(entry.record.kind)}: {wanted} is needed"
    if entry is not None:
        return "it stands in another space"
    return f"no {wanted.partition(' ')[2]} that counts here is called {quoted(asked.text)}"
