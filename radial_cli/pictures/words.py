"""States in words, moments as people write them, counts with their nouns.

Strategy: one place says how each state is called and with which style it goes; pictures and lists agree because they
ask here. No word is a bare glyph, and none depends on colour.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from radial_cli.names import Names
from radial_cli.reading import Reading
from radial_cli.render import Part
from radial_cli.untrusted import one_line
from radial_core import parse_instant
from radial_core.views import ArtifactView, GoalView, MemberView, RequestView, SpaceView

VERDICTS: Final = {"approve": ("approved", "good"), "request_changes": ("changes requested", "bad")}
_LONGEST_TITLE: Final = 120
_LONGEST_TYPE: Final = 30
# L4: what the pin of a reference says about the version that was meant.
PINS: Final = {
    "held": "",
    "edited": "another version of it, which does not count",
    "unseen": "a version of it that was never seen",
    None: "which is not here or does not count",
}


def moment(text: str, reading: Reading) -> str:
    """Spell a record's time in UTC, to the minute; one that cannot be told so stays as written."""
    try:
        told = datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        told = one_line(text)
    # P3: a record dated in the future wins until then; whoever looks should know.
    return f"{told} (in the future)" if parse_instant(text) > reading.now else told


def counted(number: int, noun: str, plural: str = "") -> str:
    """Count: `1 goal`, `2 goals`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str]) -> str:
    """List: `a`, `a and b`, `a, b and c`."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def ordinal(number: int) -> str:
    """Spell a place in a row: `1st`, `12th`."""
    suffix = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def goal_state(goal: GoalView) -> tuple[str, str]:
    """Say whether a goal is open, or how it ended (G4)."""
    if not goal.ended:
        return ("open", "good")
    disposition = goal.ending.disposition if goal.ending is not None else None
    return (f"ended, {brief_title(disposition)}" if disposition else "ended", "quiet")


def member_role(member: MemberView, space: SpaceView) -> str:
    """Say what a member is: its kind and its role, where they differ; the root is called so (T1)."""
    role = "root" if member.did == space.root else member.role
    return role if role == member.kind else f"{member.kind}, {role}"


def member_note(member: MemberView, space: SpaceView) -> str:
    """Say of a person who was invited and did not come that it is so (T6)."""
    expected = member.kind == "human" and member.did != space.root
    return "not joined yet" if expected and not member.joined else ""


def request_state(request: RequestView) -> tuple[str, str]:
    """Say what became of a request (R2–R6)."""
    if request.fulfilled_by:
        return ("fulfilled", "quiet")
    if request.retracted_by:
        return ("retracted", "quiet")
    if request.declined_by:
        return ("declined", "bad")
    if request.awaiting_input:
        return ("awaiting input", "wait")
    return ("open", "good") if request.dispatchable else ("open, on hold", "quiet")


def request_notes(request: RequestView, reading: Reading) -> list[str]:
    """Say what else is worth knowing about a request: for whom, who works on it, what is odd (A3, R5)."""
    names = reading.names
    notes = [f"for {names.did(request.assignee)}"] if request.assignee is not None else []
    if request.open and request.assignee is None:
        notes.append(_claims(request, reading))
    if request.open and not request.dispatchable:
        notes.append("its goal has ended or its project is archived")
    if not request.type_known:
        notes.append("of a type that the space does not know")
    if request.scope_fits is False:
        notes.append("of a type that does not belong here")
    return notes


def _claims(request: RequestView, reading: Reading) -> str:
    holder = reading.holder(request)
    if holder is not None:
        return f"claimed by {reading.names.did(holder)}"
    return "its claims have lapsed" if request.claims else "unclaimed"


def artifact_notes(artifact: ArtifactView, reading: Reading) -> list[Part]:
    """Say how an artifact fared: reviews, the last checks, its merge; each with who says so."""
    names = reading.names
    notes: list[Part] = []
    for review in artifact.reviews:
        word, style = VERDICTS[review.verdict]
        pin = "" if review.pin == "held" else ", of another version"
        notes.append((f"{word} by {names.did(review.author)}{pin}", style))
    if artifact.checkruns:
        run = artifact.checkruns[-1]
        word, style = ("passed", "good") if run.passed else ("failed", "bad")
        notes.append((f"checks {word}, observed by {names.did(run.author)}", style))
    return [*notes, *fate_notes(artifact, reading)]


def fate_notes(artifact: ArtifactView, reading: Reading) -> list[Part]:
    """Say of an artifact whether it was merged, and whether its maker had lost the claim (X5, C7)."""
    notes: list[Part] = []
    if (merged := artifact.merged) is not None:
        notes.append((f"merged {moment(merged.at, reading)}, observed by {reading.names.did(merged.by)}", "good"))
    if artifact.claim is not None and artifact.claim.lost:
        notes.append(("made under a claim that had lost", "wait"))
    return notes


def joined(notes: Iterable[Part], separator: str = "; ") -> list[Part]:
    """Put parts behind each other with a separator between them."""
    parts: list[Part] = []
    for note in notes:
        parts += [separator, note] if parts else [note]
    return parts


def brief_title(text: str) -> str:
    """Give a title or a name as overviews show it: on one line, cut; anybody may write a megabyte there."""
    return one_line(text, _LONGEST_TITLE)


def brief_type(name: str) -> str:
    """Give an artifact type's name as overviews show it, cut."""
    return one_line(name, _LONGEST_TYPE)


def title_of(artifact: ArtifactView) -> str:
    """Give an artifact's title, in quotes; some have none."""
    return f"“{brief_title(artifact.title)}”" if artifact.title else "(without a title)"


def claim_words(uri: str, lost: bool | None, names: Names) -> str:
    """Say under which claim something was made (C7)."""
    fate = {True: ", which had lost", False: "", None: ", of which nothing can be said"}[lost]
    return f"under {names.record(uri)}{fate}"
