"""A packet for a seat that a person operates by hand, and what comes back from there.

Strategy: what leaves is bound to five things: the workspace, the revision of its source, the records that it is about,
the phase, and the packet itself. What comes back is taken only if all five are still what they were; otherwise it is
refused with both values of each that moved, and nothing else is looked at. A CID says that something moved and not
what, so it is told in words where to look. Taking is a comparison of values: the same reply is one contribution however
often it is brought, and no act follows from it. What the reply contains is judged where a turn's submissions are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

import attrs

from radial_core.canonical import cid_of, is_well_formed, measure
from radial_core.dispatch.piece import byte_length, written
from radial_core.dispatch.said import copied, says_something

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from radial_core.dispatch.packet import Bundle

FORMAT: Final = 1
_ROOM_FOR_NAMES: Final = 8_192  # bytes of names of unread files
_ABOUT: Final = "Answer with a JSON object: format 1, this binding as it stands, and `answer`, an object."


class Binding(NamedTuple):
    """What a handoff holds only for: each is compared as text.

    `root` names the workspace, `revision` the state of its source, `phase` the step of the work; `subjects` is the CID
    of the list of `[uri, cid]` that the packet is about, `packet` the packet's own.
    """

    root: str
    revision: str
    subjects: str
    phase: str
    packet: str


class Moved(NamedTuple):
    """A binding that does not hold any more: its name, what the reply was written for, and what is so now."""

    what: str
    then: str
    now: str

    @property
    def means(self) -> str:
        """What that is in words: what to look for."""
        return _MEANS[self.what]


_MEANS: Final[Mapping[str, str]] = {
    "root": "it was written in another workspace",
    "revision": "the source is at another revision",
    "subjects": "the request, or a record that it names, counts in another version, no longer or only now",
    "phase": "the work is at another step",
    "packet": "something that the packet tells is not as it was, or it was compiled within other limits",
}


@attrs.frozen
class Unread:
    """Files that nobody read for the handoff: how many, the first of their names, and how many are not named."""

    count: int
    named: tuple[str, ...]
    unnamed: int


@attrs.frozen
class Handoff:
    """A packet bound to where and when it holds."""

    binding: Binding
    bundle: Bundle
    unread: Unread

    def to_json(self) -> dict[str, Any]:
        """Give the handoff as JSON."""
        return {
            "format": FORMAT,
            "about": _ABOUT,
            "binding": self.binding._asdict(),
            "partial": self.bundle.is_partial or self.unread.count > 0,
            "unread": {"count": self.unread.count, "files": list(self.unread.named), "unnamed": self.unread.unnamed},
            "packet": self.bundle.to_json(),
        }

    def to_json_text(self) -> str:
        """Give the file that is handed over: one line of JSON."""
        return written(self.to_json()) + "\n"


@attrs.frozen
class Contribution:
    """What came back, with the CID by which it is one and the same; `is_new` is false for one that is held already."""

    id: str
    binding: Binding
    answer: dict[str, Any] = attrs.field(hash=False)
    is_new: bool


@attrs.frozen
class Refused:
    """Why a reply is not taken: faults of its form, else the bindings that moved."""

    faults: tuple[str, ...]
    moved: tuple[Moved, ...]


Outcome: TypeAlias = Contribution | Refused


def bind(bundle: Bundle, *, root: str, revision: str, phase: str) -> Binding:
    """Bind a packet to a workspace, the revision of its source and the phase of the work.

    Raises `ValueError` for one of them that says nothing: what went wrong twice would be equal to itself.
    """
    for name, text in (("root", root), ("revision", revision), ("phase", phase)):
        if not is_well_formed(text) or not says_something(text):
            raise ValueError(f"the {name} is no text that could tell one from another")
    subjects = cid_of([[subject.uri, subject.cid] for subject in bundle.subjects])
    return Binding(root, revision, subjects, phase, bundle.cid)


def export(bundle: Bundle, binding: Binding, unread: Iterable[str] = ()) -> Handoff:
    """Make a handoff; `unread` are files that its maker could not read. A partial view is stated, never refused.

    A name that is no UTF-8, as `os.fsdecode` gives it, is spelled out.
    """
    names = sorted({name.encode(errors="backslashreplace").decode() for name in unread})
    named = tuple(_fitting(names))
    return Handoff(binding, bundle, Unread(len(names), named, len(names) - len(named)))


def _fitting(names: Iterable[str]) -> Iterator[str]:
    free = _ROOM_FOR_NAMES
    for name in names:
        free -= byte_length(written(name)) + 1
        if free < 0:
            return
        yield name


def take(reply: Any, now: Binding, held: Collection[str] = frozenset()) -> Outcome:
    """Judge a reply against what is so now; `held` are the ids of contributions that were taken before.

    A reply is as deep and as long as a record's value at most: 64 levels, 1 MiB in DAG-CBOR (L6). Nothing is started by
    it, and taking it again gives the same contribution, not new.
    """
    faults = tuple(_faults(reply))
    if faults:
        return Refused(faults, ())
    then = Binding(**reply["binding"])
    moved = tuple(Moved(*one) for one in zip(Binding._fields, then, now, strict=True) if one[1] != one[2])
    if moved:
        return Refused((), moved)
    name = cid_of(reply)
    return Contribution(name, then, copied(reply["answer"]), is_new=name not in held)


def _faults(reply: Any) -> Iterator[str]:
    """Say what keeps a reply from being one; a value that is no atproto data is no reply at all."""
    misfit = measure(reply)
    if misfit is not None or not isinstance(reply, dict):
        yield str(misfit or "not an object @ $")
        return
    given = cast("dict[str, Any]", reply)
    for name in sorted({"format", "binding", "answer"} ^ given.keys()):
        yield f"{'unknown' if name in given else 'missing'} @ $.{name}"
    if given.get("format", FORMAT) != FORMAT or given.get("format") is True:
        yield f"not {FORMAT} @ $.format"
    if not isinstance(given.get("answer", {}), dict):
        yield "not an object @ $.answer"
    if not _is_binding(given.get("binding", _NO_BINDING)):
        yield f"not an object of the texts {', '.join(Binding._fields)} @ $.binding"


def _is_binding(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    given = cast("dict[str, Any]", value)
    return given.keys() == set(Binding._fields) and all(isinstance(text, str) for text in given.values())


_NO_BINDING: Final = dict.fromkeys(Binding._fields, "")
