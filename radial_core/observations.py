"""What comes in: records and deletions as somebody saw them, and their JSON Lines form (O1–O5).

Strategy: an observation is plain data and claims little. Whether its value is a valid record, whether its URI is one
of ours, whether its author counts: all that is for the fold to say, one record at a time. What is checked here is what
makes an observation an observation at all. A line that is none is named with its number and every fault in it; it
never takes its neighbours along.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import attrs

from radial_core.canonical import CanonicalError, cid_of, is_well_formed
from radial_core.identifiers import is_tid
from radial_core.instants import is_datetime, parse_instant
from radial_core.jsonform import JsonError, parse_json, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Observation: TypeAlias = "Record | Deletion"


def _check_text(_owner: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if value.__class__ is not str:
        raise TypeError(f"{attribute.name} must be a str, not {value.__class__.__name__}")


def _check_cid(owner: object, attribute: attrs.Attribute[str], cid: str) -> None:
    _check_text(owner, attribute, cid)
    if not is_well_formed(cid):
        raise ValueError("cid must be a CID, not half of a surrogate pair")


def _check_rev(owner: object, attribute: attrs.Attribute[str | None], rev: str | None) -> None:
    if rev is not None:
        _check_text(owner, attribute, rev)
        if not is_tid(rev):
            raise ValueError(f"rev must be a TID, not {rev!r}")


def _check_seen_at(owner: object, attribute: attrs.Attribute[str | None], seen_at: str | None) -> None:
    if seen_at is not None:
        _check_text(owner, attribute, seen_at)
        parse_instant(seen_at)


@attrs.frozen(kw_only=True)
class Record:
    """A repo was seen to hold `value`, whose CID is `cid`, at `uri` (O1).

    `rev` is the repo's revision then, a TID; `seen_at` is the observer's own clock, a datetime, when it first stored
    this version. Both may be unknown. In `value` a link is a `Cid` and a byte string is `bytes`. It is never copied:
    who hands it over must not change it any more. That the CID is the value's is checked where records enter a program
    (O5), not here. Raises `ValueError` for a `rev` that is no TID or a `seen_at` that is no datetime, `TypeError` where
    a string is missing.
    """

    uri: str = attrs.field(validator=_check_text)
    cid: str = attrs.field(validator=_check_cid)
    value: Any = attrs.field(repr=False)
    rev: str | None = attrs.field(default=None, validator=_check_rev)
    seen_at: str | None = attrs.field(default=None, validator=_check_seen_at)


@attrs.frozen(kw_only=True)
class Deletion:
    """A repo was seen to hold nothing at `uri` any more (O2). Fields and errors as in `Record`."""

    uri: str = attrs.field(validator=_check_text)
    rev: str | None = attrs.field(default=None, validator=_check_rev)
    seen_at: str | None = attrs.field(default=None, validator=_check_seen_at)


# Some readers take these for the end of a line, `str.splitlines` among them.
_LINE_ENDS: Final = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}


class MalformedLine(ValueError):  # noqa: N818 - it is a line, and callers keep it as a value
    """A line that is no observation: its `number`, counted from 1, and its `faults`, each `message @ $.path`."""

    def __init__(self, number: int, faults: tuple[str, ...]) -> None:
        super().__init__(f"line {number}: " + "; ".join(faults))
        self.number = number
        self.faults = faults


def read_jsonl(
    lines: Iterable[str], *, on_malformed: Callable[[MalformedLine], None] | None = None
) -> Iterator[Observation]:
    """Read observations, one JSON object a line (O5); blank lines are skipped, a missing `cid` is computed.

    A malformed line goes to `on_malformed` and reading continues. Without it, the line is raised: the first
    `MalformedLine` ends the iteration. Raises `TypeError` for text that is not cut into lines.
    """
    if isinstance(lines, str | bytes):
        raise TypeError("read_jsonl takes lines: a file, or text.splitlines()")
    for number, line in enumerate(lines, start=1):
        if line.isspace() or not line:
            continue
        try:
            yield parse_observation(line)
        except JsonError as fault:
            malformed = MalformedLine(number, fault.faults)
            if on_malformed is None:
                raise malformed from None
            on_malformed(malformed)


def parse_observation(line: str) -> Observation:
    """Read one line. Raises `JsonError` with every fault in it."""
    return observation_of(parse_json(line))


def observation_of(item: Any) -> Observation:
    """Turn one parsed JSON object (links and bytes already values) into an observation; `null` means absent (O5).

    Raises `JsonError` with every fault.
    """
    if item.__class__ is not dict:
        raise JsonError(("an observation is one JSON object @ $",))
    present = {key: inner for key, inner in item.items() if inner is not None}
    faults = [*_faults(present)]
    if faults:
        raise JsonError(tuple(faults))
    uri, rev, seen_at = present["uri"], present.get("rev"), present.get("seenAt")
    if "value" not in present:
        return Deletion(uri=uri, rev=rev, seen_at=seen_at)
    return Record(uri=uri, cid=_own_cid(present), value=present["value"], rev=rev, seen_at=seen_at)


def _faults(present: dict[str, Any]) -> Iterator[str]:
    if not isinstance(present.get("uri"), str):
        yield "no string @ $.uri"
    # O5 speaks of `deleted: true` alone: anything else there says nothing, and a deletion's `cid` says nothing either.
    if ("value" in present) == (present.get("deleted") is True):
        yield "an observation has either a value or deleted: true @ $"
    if "rev" in present and not (isinstance(present["rev"], str) and is_tid(present["rev"])):
        yield "not a TID @ $.rev"
    if "seenAt" in present and not (isinstance(present["seenAt"], str) and is_datetime(present["seenAt"])):
        yield "not a datetime @ $.seenAt"


def _own_cid(present: dict[str, Any]) -> str:
    """Compute the CID of the value; one that is given must be the same (O5)."""
    try:
        cid = cid_of(present["value"])
    except CanonicalError as fault:
        message, _, path = str(fault).rpartition(" @ $")
        raise JsonError((f"{message} @ $.value{path}",)) from None
    if present.get("cid", cid) != cid:
        raise JsonError((f"the CID of the value is {cid} @ $.cid",))
    return cid


def to_line(observation: Observation) -> str:
    """Write one observation as a line of JSON, without the line's end.

    `read_jsonl` reads it back, if its CID is its value's. Raises `CanonicalError` for a value that has no canonical
    bytes.
    """
    head: dict[str, Any] = {"uri": observation.uri}
    if isinstance(observation, Record):
        head |= {"cid": observation.cid, "value": to_json(observation.value)}
    else:
        head["deleted"] = True
    if observation.rev is not None:
        head["rev"] = observation.rev
    if observation.seen_at is not None:
        head["seenAt"] = observation.seen_at
    line = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return line.translate(_LINE_ENDS)
