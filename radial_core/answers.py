"""Answers about single records: where one counts and why, or which rule keeps it out.

Strategy: an explanation is a value with one sentence per reason, in words that name the rule, the place and the people,
so that somebody who misses a record knows what to do about it. `verdict` is what a program branches on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import attrs

from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from radial_core.entries import Entry
    from radial_core.places import Trust
    from radial_core.rulings import EditRow, IgnoredRow


@attrs.frozen
class Explanation:
    """What the index makes of one URI.

    `verdict` is `counts`, `image`, `ignored` or `unknown`. `places` are the URIs of the spaces, projects or goals where
    it counts; `rule` is what keeps an ignored one out; `sentences` say the same, and what was passed over, to a person.
    """

    uri: str
    verdict: str
    places: tuple[str, ...]
    rule: str | None
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)


class Standing(NamedTuple):
    """Where a record counts: the record of its place, that of the project if there is one, and who is trusted there."""

    place: Entry[Any]
    project: Entry[Any] | None
    trust: Trust


def explain_filed(entry: Entry[Any], standing: Standing, edits: EditRow | None) -> Explanation:
    """Say where a record counts, through what, and on whose word."""
    sentences = (
        f"{entry.uri} is {_article(entry.record.kind)} and counts in {_name(standing.place)}.",
        _anchor_sentence(entry, standing),
        _author_sentence(entry, standing.trust),
        *_edit_sentences(edits),
    )
    return Explanation(entry.uri, "counts", (standing.place.uri,), None, tuple(filter(None, sentences)))


def explain_agent(entry: Entry[Any], spaces: Iterable[str], edits: EditRow | None) -> Explanation:
    """Say in which spaces an agent's profile counts: in every space of its author (T7)."""
    homes = tuple(spaces)
    sentence = f"{entry.uri} is an agent profile; it counts in every space of which {entry.did} is a member (T7): "
    return Explanation(entry.uri, "counts", homes, None, (sentence + ", ".join(homes) + ".", *_edit_sentences(edits)))


def explain_image(uri: str, edits: EditRow | None) -> Explanation:
    """Say that an image is listed and stands in no view (M4)."""
    sentence = f"{uri} is an image of a member: it is listed for looking up, and changes no view and no digest (M4)."
    return Explanation(uri, "image", (), None, (sentence, *_edit_sentences(edits)))


def explain_ignored(row: IgnoredRow, edits: EditRow | None) -> Explanation:
    """Say which rule keeps a record out, and what would bring it in."""
    sentences = (f"{row.uri} is ignored by rule {row.rule}: {row.reason}.", REMEDIES[row.rule], *_edit_sentences(edits))
    return Explanation(row.uri, "ignored", (), row.rule, sentences)


def explain_unknown(uri: str) -> Explanation:
    """Say that nothing was seen at a URI."""
    sentence = f"{uri} was never seen: no observation names it. Fetch the repo that holds it, or check the spelling."
    return Explanation(uri, "unknown", (), None, (sentence,))


# What a user can do about each rule's refusal.
REMEDIES: Final = {
    "O6": "Only records at at://DID/com.disnetdev.radial.…/key belong to Radial: a handle is not a DID.",
    "L1": "Its author can correct it in place, or write a new record: the first version that is valid will count.",
    "L5": "It will count as soon as that record is seen and counts: fetch the repo that holds it, or explain that URI.",
    "L6": "Its author can write a smaller or flatter record; long bodies belong into a blob.",
    "V5": "A sighting later than the deletion makes it count; instead of a claim, its author writes a new one (C6).",
    "C2": "Its author can shorten the lease in place, or write a new claim that keeps the contract.",
    "T1": "Nothing needs to be done: the root has every right without a grant.",
    "T2": "Ask the root or a current admin of the space to write this grant or removal.",
    "T4": "The members view names the current grant, if there is one: a removal has to name that.",
    "T5": "It will count when an admin of the space grants its author membership, whatever its date.",
    "T7": "Its author can write the goal again in the space of its project.",
    "P1": "Ask the author of the project to write it.",
    "P2": "Ask an admin of the space to write it.",
    "A1": "Choose another name for the type.",
    "A2": "Ask an admin of the space to define the type.",
    "R1": "Its author can write the request again with what it lacks.",
    "R2": "Its author can write it again with the anchor, type and subject of the request that it answers.",
    "R3": "Ask the author of the request, or an admin, to retract it.",
    "C1": "The assignee starts without a claim; anybody else can ask for a request of their own.",
    "M2": "Ask whoever blessed the comment, or an admin, to retract it.",
    "M3": "Ask an admin of the space to write it.",
}


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _name(place: Entry[Any]) -> str:
    record = place.record
    title: str = record.title if record.kind == "goal" else record.name
    return f"the {record.kind} {quoted(title)} ({place.uri})"


def _anchor_sentence(entry: Entry[Any], standing: Standing) -> str:
    if standing.place.uri != entry.uri:
        return "It is placed there through its anchor (T7), which counts itself."
    if standing.project is None or standing.project.uri == entry.uri:
        return "It makes that place."
    return f"It stands in {_name(standing.project)} (T7)."


def _author_sentence(entry: Entry[Any], trust: Trust) -> str:
    if entry.did == trust.root:
        return f"Its author {entry.did} is the root of the space (T1)."
    if entry.record.kind in _EVENTS:
        return f"Its author {entry.did} was an admin at that point of the membership log, which is what counts (T2)."
    grant = trust.grants[entry.did]
    return f"Its author {entry.did} is a member with the role {grant.record.role}, by the grant {grant.uri} (T5)."


_EVENTS: Final = frozenset({"addMember", "removeMember"})
_MOST_VERSIONS: Final = 20


def _edit_sentences(edits: EditRow | None) -> tuple[str, ...]:
    if edits is None:
        return ()
    naming = "The version {}" if edits.kept is None else "Another version, {},"
    passed = [
        f"{naming.format(other.cid)} does not count: {_EDITS[other.reason]}." for other in edits.others[:_MOST_VERSIONS]
    ]
    if len(edits.others) > _MOST_VERSIONS:
        passed.append(f"{len(edits.others) - _MOST_VERSIONS} more versions do not count either.")
    return (*passed, *(["A deletion was seen, and nothing later."] if edits.deleted else []))


_EDITS: Final = {
    "invalid": "it is not a valid record (L1, L6)",
    "deleted": "its author deleted it (V5)",
    "frozen": "it changes the request or the creation of the claim, which the first version froze (V3)",
    "C2": "it breaks the lease contract (C2)",
    "shortened": "a live lease cannot be shortened (V3)",
    "superseded": "a later version replaced it (V2, V3)",
    "legacy ending": "only its `closed` field was taken from it, if it is the latest (V4)",
    "edit": "a record is not edited in place: the earliest version stays (V1)",
}
