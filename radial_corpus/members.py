"""How people and agents come into a space, change and go (T1–T6, M5).

Strategy: each function is one event of the membership log and what goes with it. The histories that make the log
interesting are all here: roles that change, people who leave and come back, grants dated back by somebody who was an
admin then, and root who has the last word about those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_corpus.clock import DAY, HOUR, MINUTE
from radial_corpus.room import MODELS
from radial_corpus.roster import Member, new_did
from radial_corpus.words import slug

if TYPE_CHECKING:
    from radial_corpus.pen import Written
    from radial_corpus.room import Room

_JOINS: Final = 0.75  # of the members write a `join`
_HARNESSES: Final = ("claude-code", "codex", "pi", "command")
_PROFILES: Final = ("builder", "critic", "scribe", "scout")


def grant(room: Room, by: str, did: str, role: tuple[str, str], *, at: int | None = None) -> Written:
    """Let `by` grant membership; `role` is kind and role."""
    kind, name = role
    fields = {"space": room.ref(room.space), "did": did, "kind": kind, "role": name}
    written = room.pen.write(by, "addMember", fields, at=at)
    room.roster.enter(Member(did, kind, name, written))
    return written


def admit(room: Room, role: tuple[str, str], did: str | None = None) -> str:
    """Let an admin bring in somebody, who mostly says hello; an agent shows its profile."""
    did = did or new_did(room.dice)
    grant(room, room.roster.admin(), did, role)
    if room.dice.chance(_JOINS):
        room.pen.write(did, "join", {"space": room.ref(room.space)})
    if role[0] == "agent":
        publish_profile(room, did)
    return did


def removal(room: Room, by: str, did: str, membership: Written, *, at: int | None = None) -> Written:
    """Let `by` remove `did`, naming a grant; whether it has effect is up to the names."""
    fields = {"space": room.ref(room.space), "did": did, "membership": room.ref(membership)}
    return room.pen.write(by, "removeMember", fields, at=at)


def dismiss(room: Room, did: str) -> None:
    """Let root or an admin end a membership for now."""
    removal(room, room.roster.admin(), did, room.roster.members[did].grant)
    room.roster.leave(did)


def welcome(room: Room) -> None:
    """Let somebody new come to stay."""
    admit(room, room.dice.pick((("human", "member"), ("human", "member"), ("agent", "agent"), ("agent", "member"))))


def invite(room: Room) -> None:
    """Let somebody come for a while."""
    did = new_did(room.dice)
    room.roster.visitors.append(did)
    admit(room, ("human", "member"), did)


def farewell(room: Room) -> None:
    """Let a visitor go for good: whatever it wrote is hidden from then on (T5)."""
    present = [did for did in room.roster.visitors if did in room.roster.members]
    if present:
        dismiss(room, present[0])
    else:
        invite(room)


def promote(room: Room) -> None:
    """Change a role: the new grant replaces the old one (T3)."""
    candidates = room.roster.can_spare()
    if not candidates:
        welcome(room)
        return
    member = room.dice.pick(candidates)
    grant(room, room.roster.root, member.did, (member.kind, "admin"))


def sabbatical(room: Room) -> None:
    """Let somebody leave and come back: everything it wrote counts again (T5)."""
    candidates = room.roster.can_spare()
    if not candidates:
        welcome(room)
        return
    member = room.dice.pick(candidates)
    dismiss(room, member.did)
    room.pen.now += room.dice.between(1, 9) * DAY
    grant(room, room.roster.admin(), member.did, (member.kind, member.role))


def backdate(room: Room) -> None:
    """Let a former admin date a grant back to its time in office: it has effect, and root ends it (T2, T4, T5)."""
    pen, root = room.pen, room.roster.root
    rogue, friend = new_did(room.dice), new_did(room.dice)
    room.roster.visitors.extend((rogue, friend))
    office = grant(room, root, rogue, ("human", "admin"))
    pen.now += DAY
    removal(room, root, rogue, office)
    room.roster.leave(rogue)
    pen.now += HOUR
    back = grant(room, rogue, friend, ("human", "member"), at=office.at + HOUR)
    removal(room, root, friend, back)
    room.roster.leave(friend)


def outrun(room: Room) -> None:
    """Let an admin replace a grant behind root's back; root names the one it knows and is obeyed all the same (T4)."""
    pen, root = room.pen, room.roster.root
    helper, guest = new_did(room.dice), new_did(room.dice)
    room.roster.visitors.extend((helper, guest))
    office = grant(room, root, helper, ("human", "admin"))
    known = grant(room, root, guest, ("human", "member"))
    pen.now += HOUR
    grant(room, helper, guest, ("human", "member"))
    removal(room, root, guest, known, at=pen.now + MINUTE)
    room.roster.leave(guest)
    removal(room, root, helper, office, at=pen.now + 2 * MINUTE)
    room.roster.leave(helper)
    pen.now += HOUR


def _profile(room: Room) -> dict[str, Any]:
    dice = room.dice
    return {
        "handleName": f"{slug(dice)}.example",
        "harness": dice.pick(_HARNESSES),
        "models": [{"name": name, "costHint": dice.pick(("low", "high"))} for name in dice.some(MODELS, 1, 2)],
        "artifactTypes": [*dice.some(room.goal_types, 1, 2), *dice.some(("review", "answer"), 0, 2)],
    }


def publish_profile(room: Room, did: str) -> None:
    """Let an agent show what it can do; now and then it says it anew, or takes it down first (V2, V5)."""
    written = room.pen.write(did, "agent", _profile(room), key=room.dice.pick(_PROFILES))
    if room.dice.chance(0.3):
        if room.dice.chance(0.3):
            room.pen.delete(written.uri)
        room.pen.rewrite(written, **_profile(room))


def republish(room: Room) -> None:
    """Let an agent show another profile, or the same anew."""
    publish_profile(room, room.roster.agent())
