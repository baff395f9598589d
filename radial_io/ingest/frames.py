"""The messages of `com.atproto.sync.subscribeRepos`: bytes in, events as values out.

Strategy: a frame is two DAG-CBOR maps one behind the other, a header and a body, decoded strictly; the body's fields
are checked by a table. A frame that is none is a value too, with its reason and whatever of number and DID could be
made out: it costs nobody but itself. What no one knows yet (another kind, another `op`) is stepped over, as the
protocol asks. Nothing here is believed: signatures and trees are for `radial_io.atproto.proofs`.

`Mark` is the cursor of such a stream: the number of the last event that was dealt with, and the time it bore. The time
is what shows, after a break, that a host's numbers start anew or that it has thrown some away: not every host says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Final, TypeAlias

import attrs

from radial_core.cids import Cid
from radial_core.identifiers import is_did, is_tid
from radial_core.instants import parse_instant
from radial_io.atproto.dagcbor import decode_first
from radial_io.errors import DagCborError, quoted

COMMIT: Final = "#commit"
SYNC: Final = "#sync"
ACCOUNT: Final = "#account"
IDENTITY: Final = "#identity"
INFO: Final = "#info"

_DEEPEST: Final = 32  # an op's link is on the fifth level; servers may add some
_GREATEST: Final = 2**63
_LONGEST_TIME: Final = 64


@attrs.frozen
class Event:
    """Something that was told of one account. `body` is as it came; its fields of known names have the right form."""

    kind: str
    seq: int
    did: str
    time: str
    body: Mapping[str, Any] = attrs.field(repr=False)


@attrs.frozen
class Notice:
    """An `#info` frame."""

    name: str
    message: str


@attrs.frozen
class Refusal:
    """An error frame: the host closes the stream after it."""

    name: str
    message: str


@attrs.frozen
class Unknown:
    """A frame of a kind that we do not know: it is stepped over."""

    kind: str
    seq: int | None


@attrs.frozen
class BadFrame:
    """A frame that is none. `seq` and `did` where they could be made out."""

    reason: str
    seq: int | None = None
    did: str | None = None


Frame: TypeAlias = Event | Notice | Refusal | Unknown | BadFrame


def _is_seq(value: object) -> bool:
    return value.__class__ is int and 0 <= value < _GREATEST


def _is(test: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and test(value)


def _of(kind: type) -> Callable[[object], bool]:
    return lambda value: value.__class__ is kind


def _maybe(test: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or test(value)


_WHOLE: Final = {"seq": _is_seq, "time": _is(lambda text: len(text) <= _LONGEST_TIME)}
_FORMS: Final[Mapping[str, Mapping[str, Callable[[object], bool]]]] = {
    COMMIT: _WHOLE
    | {
        "repo": _is(is_did),
        "rev": _is(is_tid),
        "since": _maybe(_is(is_tid)),
        "commit": _of(Cid),
        "ops": _of(list),
        "blocks": _of(bytes),
        "prevData": _maybe(_of(Cid)),
        "tooBig": _maybe(_of(bool)),
    },
    SYNC: _WHOLE | {"did": _is(is_did), "rev": _is(is_tid), "blocks": _of(bytes)},
    ACCOUNT: _WHOLE | {"did": _is(is_did), "active": _of(bool), "status": _maybe(_of(str))},
    IDENTITY: _WHOLE | {"did": _is(is_did)},
}


def read_frame(raw: bytes) -> Frame:
    """Read one message. Never raises for what a host sent."""
    try:
        header, end = decode_first(raw, max_depth=_DEEPEST)
        body, end = decode_first(raw, end, max_depth=_DEEPEST)
    except DagCborError as error:
        return BadFrame(quoted(error))
    if not isinstance(header, dict) or not isinstance(body, dict) or end != len(raw):
        return BadFrame("a frame is two maps and no more")
    kind = header.get("t")
    match header.get("op"):
        case 1 if isinstance(kind, str):
            return _event(kind, body)
        case -1:
            return Refusal(_said(body, "error"), _said(body, "message"))
        case _:
            return Unknown("another op", None)


def _said(body: Mapping[str, Any], key: str) -> str:
    said = body.get(key)
    return quoted(said) if isinstance(said, str) else ""


def _event(kind: str, body: Mapping[str, Any]) -> Frame:
    if kind == INFO:
        return Notice(_said(body, "name"), _said(body, "message"))
    seq = body["seq"] if _is_seq(body.get("seq")) else None
    form = _FORMS.get(kind)
    if form is None:
        return Unknown(quoted(kind), seq)
    did = body.get("repo" if kind == COMMIT else "did")
    did = did if isinstance(did, str) and is_did(did) else None
    wrong = [name for name, test in form.items() if not test(body.get(name))]
    if wrong or seq is None or did is None:
        return BadFrame(f"{kind}: {' and '.join(wrong)} cannot be used", seq, did)
    return Event(kind, seq, did, body["time"], body)


@attrs.frozen
class Mark:
    """How far a stream was read: the number of its last event, and the time it bore, as text."""

    seq: int
    time: str

    def __str__(self) -> str:
        """Spell it as it is kept."""
        return f"{self.seq} {self.time}"

    @classmethod
    def parse(cls, text: str | None) -> Mark | None:
        """Read it back; nothing for what is none."""
        seq, _, time = (text or "").partition(" ")
        digits = seq.isascii() and seq.isdecimal() and len(seq) <= len(str(_GREATEST))
        return cls(int(seq), time) if digits and int(seq) < _GREATEST else None

    def doubt(self, first: Event, *, hush: int) -> str:
        """Say why the first event after a break leaves open whether something was left out; empty when it does not.

        `hush` is how many seconds without an event a host may have. A jump of the numbers alone shows nothing: they
        have gaps, wherever an account was deleted.
        """
        later = _seconds_between(self.time, first.time)
        if first.seq <= self.seq:
            return "the numbers of the stream start anew" if later is None or later > 0 else ""
        if first.seq > self.seq + 1 and (later is None or later > hush):
            return "the stream goes on long after where it was left"
        return ""


def _seconds_between(earlier: str, later: str) -> Decimal | None:
    """Count the seconds exactly; nothing where a time is none."""
    try:
        return parse_instant(later).since(parse_instant(earlier))
    except ValueError:
        return None
