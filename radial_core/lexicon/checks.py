"""One closure for each thing that a lexicon can ask of a value.

Strategy: a check is made once and asked for ever. It knows its rules in advance, compares classes (so that a boolean is
no integer) and gives the one empty tuple for a sound value. Depth is the caller's: `canonical.measure` bounds it (L6),
and every step into a check is a step into the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from radial_core.cids import Cid
from radial_core.lexicon.faults import NOTHING, Check, Found, Path, at, kind_of, not_a, under

# Rules of one leaf: what must hold, and what is said when it does not.
Rules: TypeAlias = Sequence[tuple[Callable[[Any], bool], str]]
# A field of an object: its name, its check, and whether it must be there.
Field: TypeAlias = tuple[str, Check, bool]

MISSING = "is missing"


def leaf(cls: type, kind: str, rules: Rules = ()) -> Check:
    """Check a value that has no parts: its class, then each rule. `kind` carries its article."""

    def explain(value: Any) -> Found:
        if value.__class__ is not cls:
            return not_a(kind, value)
        return tuple((message, ()) for holds, message in rules if not holds(value))

    if not rules:
        return lambda value: NOTHING if value.__class__ is cls else explain(value)
    if len(rules) == 1:
        ((rule, _),) = rules
        return lambda value: NOTHING if value.__class__ is cls and rule(value) else explain(value)
    return explain


def array(items: Check, rules: Rules = ()) -> Check:
    """Check a list: its own rules, then each item."""

    def check(value: Any) -> Found:
        if value.__class__ is not list:
            return not_a("an array", value)
        faults: list[tuple[str, Path]] | None = None
        for index, item in enumerate(value):
            if found := items(item):
                faults = faults or []
                faults.extend(under(index, found))
        broken = tuple((message, ()) for holds, message in rules if not holds(value)) if rules else NOTHING
        return broken if faults is None else (*broken, *faults)

    return check


def record_like(fields: Iterable[Field]) -> Check:
    """Check an object by its named fields, in their order. Fields without a name here are nobody's business."""
    fields = tuple(fields)

    def check(value: Any) -> Found:
        if value.__class__ is not dict:
            return not_a("an object", value)
        faults = NOTHING
        for name, inner, needed in fields:
            if name in value:
                if found := inner(value[name]):
                    faults += under(name, found)
            elif needed:
                faults += at(MISSING, name)
        return faults

    return check


def mapping(values: Check) -> Check:
    """Check an object whose keys are free and whose values are all of one kind."""

    def check(value: Any) -> Found:
        if value.__class__ is not dict:
            return not_a("an object", value)
        return tuple(fault for name, item in value.items() for fault in under(name, values(item)))

    return check


def or_null(inner: Check) -> Check:
    """Let null pass, and everything else that `inner` lets pass."""
    return lambda value: NOTHING if value is None else inner(value)


def tagged(tag: str, members: Mapping[str, Check], *, closed: bool) -> Check:
    """Check an object by the member that its field `tag` names. An unknown member is a fault only when `closed`."""
    known = ", ".join(sorted({name.removesuffix("#main") for name in members}))

    def check(value: Any) -> Found:
        if value.__class__ is not dict:
            return not_a("an object", value)
        if tag not in value:
            return at(MISSING, tag)
        name = value[tag]
        if name.__class__ is not str:
            return at(f"must be a string, not {kind_of(name)}", tag)
        member = members.get(name)
        if member is not None:
            return member(value)
        return at(f"must be one of {known}", tag) if closed else NOTHING

    return check


def unknown(value: Any) -> Found:
    """Check that a value is some object; a blob is none in this sense, nor are a link and bytes."""
    if value.__class__ is not dict:
        return not_a("an object", value)
    return at("must be an object, not a blob") if value.get("$type") == "blob" else NOTHING


def blob(accept: Sequence[str] = (), max_size: int | None = None) -> Check:
    """Check a blob in its modern form.

    `accept` are MIME types: exact, with a final `*`, or `*/*`. `max_size` is in bytes.
    """
    types: list[tuple[Callable[[Any], bool], str]] = []
    if accept:
        types.append((lambda mime: any(_accepts(glob, mime) for glob in accept), f"must be one of {', '.join(accept)}"))
    sizes: list[tuple[Callable[[Any], bool], str]] = [(lambda size: size >= 0, "must be at least 0")]
    if max_size is not None:
        sizes.append((lambda size: size <= max_size, f"must be at most {max_size}"))
    return record_like(
        (
            ("$type", leaf(str, "a string", [("blob".__eq__, "must be blob")]), True),
            ("ref", leaf(Cid, "a link"), True),
            ("mimeType", leaf(str, "a string", types), True),
            ("size", leaf(int, "an integer", sizes), True),
        )
    )


def _accepts(glob: str, mime: str) -> bool:
    if glob == "*/*":
        return "/" in mime
    return mime.startswith(glob[:-1]) if glob.endswith("*") else mime == glob
