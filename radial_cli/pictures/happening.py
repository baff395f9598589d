"""What a record says came to pass, in a few words after its author's name.

Strategy: a table by kind. What somebody observed is called so, for it can be looked up elsewhere; everything else is
said on its author's word (RK-9.1). Whoever reads a line sees who stands behind it, because the name comes first
(RAD-10.28).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from radial_cli.pictures.words import brief_title, brief_type, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_core.query.notes import Note

_MOST: Final = 30

_OUTCOMES: Final = {"approve": "good", "passed": "good", "merged": "good", "request_changes": "bad", "failed": "bad"}


def _called(note: Note) -> str:
    return f" “{brief_title(note.title)}”" if note.title else ""


def _kind(text: str | None) -> str:
    return brief_type(text or "")


_WORDS: Final[Mapping[str, Callable[[Note, Reading], str]]] = {
    "space": lambda note, _: f"made the space{_called(note)}",
    "addMember": lambda note, found: f"granted {found.names.did(note.title or '')} the role {_kind(note.says)}",
    "removeMember": lambda note, found: f"removed {found.names.did(note.title or '')}",
    "join": lambda _, __: "opened the space",
    "project": lambda note, _: f"started the project{_called(note)}",
    "editProject": lambda note, _: f"changed the project{f', now{_called(note)}' if note.title else ''}",
    "archiveProject": lambda note, _: (
        "archived the project" if note.says == "archived" else "took the project up again"
    ),
    "setAutoReview": lambda note, _: f"switched reviews of every {_kind(note.title)} {note.says}",
    "goal": lambda note, _: f"set the goal{_called(note)}",
    "closeGoal": lambda note, _: _ended(note.says),
    "archiveGoal": lambda note, _: _ended(note.says),
    "artifactType": lambda note, _: f"defined the type {_kind(note.title)}",
    "artifactRequest": lambda note, _: f"asked for: {_kind(note.title)}",
    "retractRequest": lambda _, __: "took a request back",
    "claim": lambda _, __: "claimed a request",
    "artifact": lambda note, _: f"handed in: {_kind(note.says)}{_called(note)}",
    "review": lambda note, _: "approved" if note.says == "approve" else "requested changes",
    "checkrun": lambda note, _: f"observed: checks {note.says} on commit {brief_type(note.title or '')}",
    "merge": lambda _, __: "observed: merged",
    "message": lambda note, _: "declined a request" if note.says == "declines" else "wrote",
    "agent": lambda note, _: f"published a profile{_called(note)}",
    "image": lambda note, _: f"published a picture{_called(note)}",
    "setGuestComments": lambda note, _: f"switched comments by guests {note.says}",
    "blessComment": lambda _, __: "blessed a guest's comment",
    "retractBless": lambda _, __: "took a blessing back",
}


def _ended(says: str | None) -> str:
    return "reopened the goal" if says == "reopened" else f"ended the goal: {_kind(says)}"


def happening(note: Note, found: Reading) -> Part:
    """Say what a record's author did, with the style of its outcome."""
    return _WORDS[note.kind](note, found), _OUTCOMES.get(note.says or "", "")


def happening_row(note: Note, found: Reading) -> list[Parts]:
    """Draw one happening in a row: when, who, what, under which name."""
    who = (found.names.did(note.author), "name")
    return [
        moment(note.created_at, found),
        who,
        [happening(note, found), (f"  {found.names.record(note.uri)}", "quiet")],
    ]


def draw_timeline(page: Page, notes: tuple[Note, ...], found: Reading, *, title: str = "Timeline") -> None:
    """Draw what happened, the latest last; of many the latest ones."""
    if not notes:
        return
    left = max(0, len(notes) - _MOST)
    page.heading(title, f"({len(notes)}, the latest {_MOST})" if left else f"({len(notes)})")
    page.columns([happening_row(note, found) for note in notes[left:]], indent=2)
