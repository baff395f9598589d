"""What an agent may say, field by field, and nothing else.

Strategy: a submission is a closed object. Which fields there are depends on the kind of record alone; whatever else is
in it is refused and not dropped, because an agent that sets an anchor believes that it did. Of the fields that are the
daemon's own the refusal says so: who wrote, when, with which model, under which claim and in answer to what is recorded
outside of what a model controls. What stands in the fields is then judged as the record that it would make (L1), whose
paths are the submission's own; here only what no lexicon asks: texts that say something, a title of one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from radial_core.canonical import MAX_DEPTH, measure, spell_path
from radial_core.dispatch.refusals import Objection, Refusal, objection, refuse
from radial_core.dispatch.said import says_something
from radial_core.lexicon.faults import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from radial_core.canonical import Misfit
    from radial_core.dispatch.refusals import Named


@attrs.frozen
class Fields:
    """The fields of one kind of submission: those that must be there, and those that may be."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return self.required + self.optional


FIELDS: Final[Mapping[str, Fields]] = {
    "artifact": Fields(("title", "body"), ("summary", "criteria", "links", "addressed")),
    "review": Fields(("verdict",), ("findings",)),
    "reply": Fields(("body",)),
    "question": Fields(("body",)),
}
_LINKS: Final = Fields((), ("branch", "commit", "pr"))
_FINDING: Final = Fields(("severity", "body"), ("path", "line"))
# The daemon's own (C7, N3, T7): on the wire, or by a name under which an agent might try.
_FILLED: Final = frozenset({
    "$type", "createdAt", "author", "did", "repo", "uri", "cid", "rkey", "collection", "space", "goal", "project",
    "artifact", "request", "type", "subject", "prev", "root", "parent", "re", "model", "claim", "bodyBlob", "turn",
})  # fmt: skip
_TEXTS: Final = ("title", "body", "summary")
UNRECORDED: Final = frozenset({"summary", "addressed"})  # what is said to the daemon and is no field of a record


def judge_whole(kind: str, submission: Any, *, most: int) -> Refusal | None:
    """Refuse what cannot be judged field by field; `most` is the longest a submission may be, in bytes of DAG-CBOR.

    The names are `TooLong`, `TooDeep`, `NotData`, `NotAnObject`.
    """
    misfit = measure(submission, max_bytes=most)
    if misfit is not None:
        name, remedy = _misfit(misfit)
        return Refusal(name, (Objection(misfit.message, spell_path(misfit.path), remedy),))
    if submission.__class__ is not dict:
        return refuse("NotAnObject", f"must be an object, not {kind_of(submission)}", f"send {_listed(FIELDS[kind])}")
    return None


def _misfit(misfit: Misfit) -> tuple[str, str]:
    if not misfit.crosses_bound:
        return "NotData", "send plain JSON: well-formed text, whole numbers, no others"
    if misfit.path:  # what is too deep is so at a place; what is too long is so as a whole
        return "TooDeep", f"send {MAX_DEPTH} levels of objects and arrays at most"
    return "TooLong", "shorten it: what is long belongs into a file of the work, not into its description"


def judge_fields(kind: str, submission: Mapping[str, Any]) -> Iterator[Named]:
    """Name what keeps a submission from being the closed object of its kind's fields, and texts that say nothing.

    The names are `FilledByDaemon`, `UnknownField`, `MissingField`, `EmptyText`, `LongTitle`, `Malformed`.
    """
    yield from _objections(FIELDS[kind], submission, ())
    yield from _inner(kind, submission)
    yield from _texts(kind, submission)
    if kind == "artifact":
        yield from _criteria(submission)
        yield from _unrecorded(submission)


def _listed(fields: Fields) -> str:
    named = [*fields.required, *(f"{name}?" for name in fields.optional)]
    return "an object with the fields " + ", ".join(named)


def _objections(fields: Fields, value: Mapping[str, Any], steps: tuple[str | int, ...]) -> Iterator[Named]:
    """Object to every field that is not the agent's to set, and to every one that is missing."""
    for name in sorted(value.keys() - set(fields.names)):
        if name in _FILLED and not steps:
            remedy = "leave it out: the daemon fills it in"
            yield "FilledByDaemon", objection("is not yours to set", remedy, name)
        else:
            yield "UnknownField", objection("is no field here", f"leave it out; send {_listed(fields)}", *steps, name)
    for name in fields.required:
        if name not in value:
            yield "MissingField", objection("is missing", f"add it; send {_listed(fields)}", *steps, name)


def _inner(kind: str, submission: Mapping[str, Any]) -> Iterator[Named]:
    """Look into the objects of a submission; what is no object there is for L1 to name."""
    inner: list[tuple[Fields, Any, tuple[str | int, ...]]] = []
    if kind == "artifact":
        inner = [(_LINKS, submission.get("links"), ("links",))]
    if kind == "review" and isinstance(submission.get("findings"), list):
        inner = [(_FINDING, item, ("findings", number)) for number, item in enumerate(submission["findings"])]
    for fields, value, steps in inner:
        if value.__class__ is dict:
            yield from _objections(fields, value, steps)


def _texts(kind: str, submission: Mapping[str, Any]) -> Iterator[Named]:
    """A text says something, and a title is one line in a list; what is no text at all is for L1 to name."""
    for name in _TEXTS:
        text = submission.get(name) if name in FIELDS[kind].names else None
        if isinstance(text, str) and not says_something(text):
            yield "EmptyText", objection("says nothing", "write what a reader needs to know", name)
        elif isinstance(text, str) and name == "title" and text.splitlines() != [text]:
            remedy = "say it in one, without an end of line; the rest goes into the body"
            yield "LongTitle", objection("is more than one line", remedy, name)


def _criteria(submission: Mapping[str, Any]) -> Iterator[Named]:
    criteria = submission.get("criteria")
    for number, text in enumerate(cast("list[object]", criteria) if isinstance(criteria, list) else ()):
        if isinstance(text, str) and not says_something(text):
            remedy = "name one thing to look at, or leave it out"
            yield "EmptyText", objection("says nothing", remedy, "criteria", number)


def _unrecorded(submission: Mapping[str, Any]) -> Iterator[Named]:
    """Judge the form of what goes into no record, where L1 cannot see it."""
    if not isinstance(submission.get("summary", ""), str):
        yield "Malformed", objection("must be a string", "send the summary as text", "summary")
    if not is_list_of_texts(submission.get("addressed", [])):
        yield "Malformed", objection("must be a list of strings", "send the names of findings", "addressed")


def is_list_of_texts(value: Any) -> bool:
    """Tell whether a value is an array of strings and nothing else."""
    return isinstance(value, list) and all(isinstance(item, str) for item in cast("list[object]", value))
