"""Members: added and removed."""

from __future__ import annotations

from typing import Final

from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.words import chosen
from radial_core.acts.members import add_member, remove_member

_KINDS: Final = ("human", "agent")
_ROLES: Final = ("admin", "member", "agent")
_USUAL: Final = {"human": "member", "agent": "agent"}


def add(manner: Manner, *, who: str, kind: str, role: str | None) -> None:
    """Make somebody a member."""
    chosen(kind, _KINDS, "a kind of member")
    given = chosen(role if role is not None else _USUAL[kind], _ROLES, "a role")
    perform(
        manner,
        lambda view: add_member(view.desk, view.chosen_space(), view.person(who), kind=kind, role=given),
        people=[who],
    )


def remove(manner: Manner, *, who: str) -> None:
    """Take somebody's membership away."""
    perform(
        manner,
        lambda view: remove_member(view.desk, view.chosen_space(), view.person(who)),
        people=[who],
        is_ending=True,
        question="Remove them?",
    )
