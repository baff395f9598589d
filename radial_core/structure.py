"""When a record is well-formed: the whole of rule L1.

Strategy: the lexicons say most of it; tables here say what a lexicon cannot: of which fields exactly one, or at least
one, must be there; the collection that an anchor's or a subject's URI has to name; that a comment's authority is a DID;
that the values of a map are booleans. The tables become closures at import, one row of them a collection. Faults come
in one order: the lexicon's, field by field, then presence, then content. Content is judged only in fields that the
lexicon found sound, so that nothing is said twice. Whether a collection is one of ours is asked elsewhere (O6).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from radial_core.embedded import DOCUMENTS
from radial_core.lexicon import Catalog, Fault, compile_lexicons
from radial_core.lexicon.faults import NOTHING, Check, Found, at, kind_of, spelled
from radial_core.records import PREFIX

Rule: TypeAlias = Callable[[Mapping[str, Any]], Found]

_EXACTLY_ONE: Final = {
    "artifactRequest": ("goal", "project"),
    "artifact": ("goal", "project"),
    "message": ("goal", "artifact"),
}
_AT_LEAST_ONE: Final = {"editProject": ("name", "gitUrl", "defaultBranch")}
# T7: the fields through which a record is placed, and a review's subject; each with the record that it must name.
_ANCHORS: Final[Mapping[str, Mapping[str, str]]] = {
    "addMember": {"space": "space"},
    "removeMember": {"space": "space"},
    "join": {"space": "space"},
    "project": {"space": "space"},
    "setAutoReview": {"project": "project"},
    "editProject": {"project": "project"},
    "archiveProject": {"project": "project"},
    "goal": {"space": "space", "project": "project"},
    "closeGoal": {"goal": "goal"},
    "archiveGoal": {"goal": "goal"},
    "artifactType": {"space": "space"},
    "artifactRequest": {"goal": "goal", "project": "project"},
    "retractRequest": {"request": "artifactRequest"},
    "claim": {"request": "artifactRequest"},
    "artifact": {"goal": "goal", "project": "project"},
    "review": {"subject": "artifact"},
    "checkrun": {"artifact": "artifact"},
    "merge": {"artifact": "artifact"},
    "message": {"goal": "goal", "artifact": "artifact"},
    "setGuestComments": {"space": "space"},
    "blessComment": {"goal": "goal"},
    "retractBless": {"bless": "blessComment"},
}


def _exactly_one(names: tuple[str, str]) -> Rule:
    one, other = names
    none = at(f"must have one of {one} and {other}")
    both = at(f"must have only one of {one} and {other}")

    def rule(value: Mapping[str, Any]) -> Found:
        if one in value:
            return both if other in value else NOTHING
        return NOTHING if other in value else none

    return rule


def _at_least_one(names: tuple[str, ...]) -> Rule:
    missing = at(f"must have at least one of {', '.join(names)}")
    return lambda value: missing if value.keys().isdisjoint(names) else NOTHING


def _anchor(field: str, record: str) -> Rule:
    """Check the collection in the URI of a reference, if there is one; the URI itself is an at-URI already."""
    own = [PREFIX + record]
    foreign = at(f"must name a record of {PREFIX}{record}", field, "uri")

    def rule(value: Mapping[str, Any]) -> Found:
        # A collection's name may be spelled by an authority and by a record key too: only its own place counts.
        if field not in value or value[field]["uri"].split("/", 4)[3:4] == own:
            return NOTHING
        return foreign

    return rule


_SUBJECT_OF: Final = {"review": _anchor("subject", "artifact"), "answer": _anchor("subject", "message")}


def _subject(value: Mapping[str, Any]) -> Found:
    rule = _SUBJECT_OF.get(value.get("type", ""))
    return NOTHING if rule is None else rule(value)


def _comment(value: Mapping[str, Any]) -> Found:
    if "comment" not in value or value["comment"]["uri"].startswith("at://did:"):
        return NOTHING
    return at("must have a DID as authority", "comment", "uri")


def _auto_review(value: Mapping[str, Any]) -> Found:
    # L3: an object has no order of its own, so the faults take that of the names.
    switches = sorted(value.get("autoReview", {}).items())
    return tuple(
        (f"must be a boolean, not {kind_of(switch)}", ("autoReview", name))
        for name, switch in switches
        if switch.__class__ is not bool
    )


_CONTENT: Final[Mapping[str, Rule]] = {
    "project": _auto_review,
    "artifactRequest": _subject,
    "blessComment": _comment,
}


class _Judge(NamedTuple):
    """What L1 asks of the records of one collection."""

    lexicon: Check
    presence: tuple[Rule, ...]
    content: tuple[Rule, ...]

    @classmethod
    def of(cls, collection: str, lexicon: Check) -> _Judge:
        name = collection.removeprefix(PREFIX)
        presence = [_exactly_one(_EXACTLY_ONE[name])] if name in _EXACTLY_ONE else []
        presence += [_at_least_one(_AT_LEAST_ONE[name])] if name in _AT_LEAST_ONE else []
        content = [_anchor(field, record) for field, record in _ANCHORS.get(name, {}).items()]
        content += [_CONTENT[name]] if name in _CONTENT else []
        return cls(lexicon, tuple(presence), tuple(content))


CATALOG: Final[Catalog] = compile_lexicons(DOCUMENTS)
_JUDGES: Final = {collection: _Judge.of(collection, check) for collection, check in CATALOG.checks.items()}


def structural_faults(collection: str, value: Any) -> tuple[Fault, ...]:
    """Find every fault of a value as a record of a collection of ours (L1). None: it is well-formed.

    The value has passed `canonical.measure`. Raises `KeyError` for a collection that is none (O6).
    """
    judge = _JUDGES[collection]
    found = judge.lexicon(value)
    if value.__class__ is not dict:
        return spelled(found)
    sound = value if not found else _sound_part(value, found)
    for rule in judge.presence:
        found += rule(value)
    for rule in judge.content:
        found += rule(sound)
    return spelled(found) if found else ()


def beyond_lexicon(collection: str) -> tuple[Rule, ...]:
    """Give what L1 asks beyond the lexicon and beyond what `anchors_of` tells: each rule finds faults, or none."""
    judge = _JUDGES[collection]
    return (*judge.presence, *judge.content[len(anchors_of(collection)) :])


def anchors_of(collection: str) -> dict[str, str]:
    """Give the collection that the URI in each anchor, and in a review's subject, has to name, by field (T7)."""
    return {field: PREFIX + record for field, record in _ANCHORS.get(collection.removeprefix(PREFIX), {}).items()}


def _sound_part(value: Mapping[str, Any], found: Found) -> Mapping[str, Any]:
    """Leave out the fields in which the lexicon found something; what a reference pins is no part of where it leads."""
    faulty = {path[0] for _, path in found if path[1:] != ("cid",)}
    return {name: item for name, item in value.items() if name not in faulty}
