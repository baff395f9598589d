"""What does not count, rule by rule: the mistakes and trespasses of members and strangers.

Strategy: one function breaks one rule and keeps all others, so that its record is ignored by that rule and by no other;
the table names it. They are dealt from one deck, so every rule occurs before any occurs again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_corpus import affairs, claims, members
from radial_corpus.artifacts import deliver, judge
from radial_corpus.clock import HOUR, MINUTE
from radial_corpus.malformed import break_structure, nest_deeply, publish_elsewhere
from radial_corpus.pictures import show_image
from radial_corpus.requests import ask
from radial_corpus.roster import new_did
from radial_corpus.threads import bless, converse, say
from radial_corpus.words import prose, title

if TYPE_CHECKING:
    from radial_corpus.pen import Written
    from radial_corpus.room import Desk, Scene


# V5, C1, C2 ----------------------------------------------------------------------------------------------------------


def delete_for_good(desk: Desk) -> None:
    """V5: take down a claim, a `join` or a profile; or only its deletion was ever seen."""
    pen, roster = desk.pen, desk.roster
    did = roster.agent()
    match desk.dice.below(4):
        case 0:
            pen.delete(pen.write(did, "join", {"space": desk.ref(desk.room.space)}).uri)
        case 1:
            profile = {"handleName": "gone.example", "harness": "pi", "models": [], "artifactTypes": []}
            pen.delete(pen.write(did, "agent", profile, key=f"gone-{pen.key()}").uri)
        case 2:
            pen.delete(pen.missing(did, "message")["uri"])
        case _:
            pen.delete(claims.claim(desk, ask(desk, "implementation"), did).uri)


def claim_the_assigned(desk: Desk) -> None:
    """C1: claim what is assigned already."""
    claims.claim(desk, ask(desk, "plan", assignee=desk.roster.human()), desk.roster.agent())


def claim_for_too_long(desk: Desk) -> None:
    """C2: claim for more than an hour, for no time at all, or from before the claim's creation."""
    pen = desk.pen
    lease: dict[str, Any] = desk.dice.pick((
        {"expiresAt": pen.spell(pen.now + 3 * HOUR)},
        {"expiresAt": pen.spell(pen.now)},
        {"renewedAt": pen.spell(pen.now - HOUR), "expiresAt": pen.spell(pen.now - MINUTE)},
    ))  # fmt: skip
    request = desk.ref(ask(desk, "implementation"))
    pen.write(desk.roster.agent(), "claim", {"request": request, **lease}, at=pen.now)


# L5, T7 --------------------------------------------------------------------------------------------------------------


def stand_on_nothing(desk: Desk) -> None:
    """L5: stand on a record that nobody has seen."""
    did, pen = desk.roster.human(), desk.pen
    if desk.dice.chance(0.5):
        say(desk, did, {"goal": pen.missing(did, "goal")})
    else:
        pen.write(did, "closeGoal", {"goal": pen.missing(did, "goal"), "closed": True})


def stand_on_a_stranger(desk: Desk) -> None:
    """T5 and L5: answer a stranger's goal, which does not count."""
    goal = _goal(desk, desk.roster.stranger())
    say(desk, desk.roster.human(), {"goal": desk.ref(goal)})


def _goal(desk: Desk, did: str, project: dict[str, Any] | None = None) -> Written:
    fields = {
        "space": desk.ref(desk.room.space),
        "project": project or desk.ref(desk.project),
        "title": title(desk.dice),
        "body": prose(desk.dice, 1, 2),
    }
    return desk.pen.write(did, "goal", fields)


def straddle_spaces(desk: Desk) -> None:
    """T7: put a goal into one space and its project into another; L5 where no other space is known yet."""
    neighbour = desk.room.neighbour
    project = desk.pen.missing(desk.roster.human(), "project") if neighbour is None else desk.ref(neighbour)
    _goal(desk, desk.roster.human(), project)


# T1, T2, T4, T5 ------------------------------------------------------------------------------------------------------


def touch_root(desk: Desk) -> None:
    """T1: add or remove the root."""
    room, root = desk.room, desk.roster.root
    space = desk.ref(room.space)
    if desk.dice.chance(0.5):
        fields = {"space": space, "did": root, "kind": "agent", "role": "agent"}
        desk.pen.write(desk.roster.admin(), "addMember", fields)
    else:
        members.removal(room, desk.roster.admin(), root, room.space)


def usurp(desk: Desk) -> None:
    """T2: add or remove a member without being an admin."""
    room, roster = desk.room, desk.roster
    did = roster.plain() if desk.dice.chance(0.6) else roster.stranger()
    if desk.dice.chance(0.5):
        fields = {"space": desk.ref(room.space), "did": new_did(desk.dice), "kind": "human", "role": "admin"}
        desk.pen.write(did, "addMember", fields)
    else:
        victim = roster.members[roster.plain(did)]
        members.removal(room, did, victim.did, victim.grant)


def remove_amiss(desk: Desk) -> None:
    """T4: remove a member by naming a grant that is not its own."""
    roster = desk.roster
    victim = roster.plain()
    members.removal(desk.room, roster.root, victim, roster.members[roster.plain(victim)].grant)


def intrude(desk: Desk) -> None:
    """T5: write to a space without being a member: a message, a claim, a review, an image, a `join`, a profile."""
    did = desk.roster.stranger()
    match desk.dice.below(6):
        case 0:
            claims.claim(desk, ask(desk, "implementation"), did)
        case 1 if desk.artifacts:
            judge(desk, did, desk.dice.pick(desk.artifacts), "approve")
        case 2:
            show_image(desk.pen, did)
        case 3:
            desk.pen.write(did, "join", {"space": desk.ref(desk.room.space)})
        case 4:
            members.publish_profile(desk.room, did)
        case _:
            say(desk, did, desk.on_goal)


def flood(desk: Desk) -> None:
    """T5: argue with oneself under somebody else's goal."""
    did = desk.roster.stranger()
    for _ in range(desk.dice.between(2, 4)):
        say(desk, did, desk.on_goal)


# P1, P2, A1, A2, M2, M3 ----------------------------------------------------------------------------------------------


def change_anothers_project(desk: Desk) -> None:
    """P1: edit or archive a project that is not one's own."""
    project = {"project": desk.ref(desk.project)}
    did = desk.roster.plain(desk.project.did)
    if desk.dice.chance(0.5):
        desk.pen.write(did, "editProject", project | {"gitUrl": "https://elsewhere.example/copy.git"})
    else:
        desk.pen.write(did, "archiveProject", project | {"archived": True})


def switch_reviews(desk: Desk) -> None:
    """P2: switch automatic reviews without being an admin."""
    fields = {"project": desk.ref(desk.project), "type": "plan", "enabled": False}
    desk.pen.write(desk.roster.plain(), "setAutoReview", fields)


def define_the_reserved(desk: Desk) -> None:
    """A1: define a type that is none."""
    affairs.write_type(desk.room, desk.roster.admin(), desk.dice.pick(("review", "answer")), "goal")


def define_unasked(desk: Desk) -> None:
    """A2: define a type without being an admin."""
    affairs.write_type(desk.room, desk.roster.plain(), "design", "goal")


def retract_anothers_blessing(desk: Desk) -> None:
    """M2: withdraw a blessing that somebody else gave."""
    blessing = bless(desk)
    desk.pen.write(desk.roster.plain(blessing.did), "retractBless", {"bless": desk.ref(blessing)})


def open_the_doors(desk: Desk) -> None:
    """M3: ask guests for comments without being an admin."""
    fields = {"space": desk.ref(desk.room.space), "enabled": True}
    desk.pen.write(desk.roster.plain(), "setGuestComments", fields)


# R1, R2, R3 ----------------------------------------------------------------------------------------------------------


def ask_for_nothing(desk: Desk) -> None:
    """R1: ask for a review of nothing, or for nobody's answer."""
    if desk.dice.chance(0.5):
        ask(desk, "review")
    else:
        ask(desk, "answer", subject=desk.ref(say(desk, desk.roster.human(), desk.on_goal)))


def answer_amiss(desk: Desk) -> None:
    """R2: answer a request with an artifact of another type, or with a review of something else."""
    did, pen = desk.roster.agent(), desk.pen
    request = ask(desk, "plan")
    if desk.dice.chance(0.5):
        fields = desk.on_goal | {"request": desk.ref(request), "type": "implementation", "body": "Done differently."}
        pen.write(did, "artifact", fields)
    else:
        judge(desk, did, deliver(desk, did, request), "approve", request)


def retract_anothers_request(desk: Desk) -> None:
    """R3: retract what somebody else asked for."""
    request = ask(desk, "plan")
    desk.pen.write(desk.roster.plain(request.did), "retractRequest", {"request": desk.ref(request)})


# Several at once -----------------------------------------------------------------------------------------------------


def leave_a_goal_behind(desk: Desk) -> None:
    """T5 and L5: let a visitor start a goal and go, which hides what others wrote there."""
    room, did = desk.room, new_did(desk.dice)
    desk.roster.visitors.append(did)
    members.grant(room, desk.roster.admin(), did, ("human", "member"))
    goal = _goal(desk, did)
    converse(desk, {"goal": desk.ref(goal)}, desk.dice.between(1, 3))
    members.dismiss(room, did)


BREACHES: Final[dict[str, tuple[Scene, ...]]] = {
    "O6": (publish_elsewhere,),
    "L6": (nest_deeply,),
    "L1": (break_structure, break_structure),
    "V5": (delete_for_good,),
    "C2": (claim_for_too_long,),
    "L5": (stand_on_nothing, stand_on_a_stranger, leave_a_goal_behind),
    "T7": (straddle_spaces,),
    "T1": (touch_root,),
    "T2": (usurp,),
    "T4": (remove_amiss,),
    "T5": (intrude, intrude, flood),
    "P1": (change_anothers_project,),
    "P2": (switch_reviews,),
    "A1": (define_the_reserved,),
    "A2": (define_unasked,),
    "R1": (ask_for_nothing,),
    "R2": (answer_amiss,),
    "R3": (retract_anothers_request,),
    "C1": (claim_the_assigned,),
    "M2": (retract_anothers_blessing,),
    "M3": (open_the_doors,),
}
