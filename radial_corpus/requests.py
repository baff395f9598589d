"""Requests and the work on them, scene by scene (R1–R8, C, X).

Strategy: a scene is one request from being asked to what became of it, or to being left open. Whatever a scene shows is
within the rules; what breaks them is dealt from another deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_corpus import claims
from radial_corpus.artifacts import check, deliver, judge, merge
from radial_corpus.threads import ask_about, converse, discuss_goal, say
from radial_corpus.words import prose

if TYPE_CHECKING:
    from radial_corpus.pen import Written
    from radial_corpus.room import Desk


def ask(desk: Desk, kind: str, did: str | None = None, /, **more: Any) -> Written:
    """Let somebody request an artifact of a type, on the goal unless `more` names a project."""
    anchor = {} if "project" in more else desk.on_goal
    fields = anchor | {"type": kind} | more
    if desk.dice.chance(0.5):
        fields["brief"] = prose(desk.dice, 1, 2)
    if desk.dice.chance(0.06):
        fields["autoReview"] = desk.dice.chance(0.5)
    return desk.pen.write(did or desk.roster.human(), "artifactRequest", fields)


def _basis(desk: Desk) -> dict[str, Any]:
    """Build on what is there: artifacts of this goal, of earlier ones, or what was said."""
    material = [*desk.artifacts[-3:], *desk.room.recent, *desk.messages[-1:]]
    if not material or desk.dice.chance(0.4):
        return {}
    return {"basedOn": [desk.ref(written) for written in desk.dice.some(material, 1, 3)]}


def assigned_plan(desk: Desk) -> None:
    """Ask one member for a plan, get it, discuss it, get a better one."""
    did = desk.roster.anybody()
    request = ask(desk, desk.dice.pick(desk.room.goal_types), assignee=did, **_basis(desk))
    plan = deliver(desk, did, request)
    if desk.dice.chance(0.5):
        converse(desk, {"artifact": desk.ref(plan)}, desk.dice.between(1, 4))
    if desk.dice.chance(0.6):
        deliver(desk, did, request, prev=plan)


def claimed_implementation(desk: Desk) -> None:
    """Put work up for claiming: claims, an implementation, checks, a review, another version, a merge."""
    request = ask(desk, "implementation", **_basis(desk))
    held = claims.contend(desk, request)
    artifact = deliver(desk, held.did, request, held=held)
    if desk.dice.chance(0.6):
        check(desk, artifact)
    if desk.dice.chance(0.7):
        artifact = _reviewed(desk, request, artifact, held)
    if desk.dice.chance(0.5):
        merge(desk, artifact)
    claims.release(desk, held)
    desk.room.recent.append(artifact)


def _reviewed(desk: Desk, request: Written, artifact: Written, held: Written) -> Written:
    """Ask for a review as automatic reviews do (R7), and follow it; give the version that stands in the end."""
    critic = desk.dice.pick(desk.roster.other_agents(held.did) or [desk.roster.human()])
    review = ask(desk, "review", held.did, subject=desk.ref(artifact), assignee=critic)
    if desk.dice.chance(0.6):
        judge(desk, critic, artifact, "approve", review)
        return artifact
    judge(desk, critic, artifact, "request_changes", review)
    better = deliver(desk, held.did, request, prev=artifact, held=held)
    if desk.dice.chance(0.5):
        judge(desk, desk.roster.human(), better, "approve")
    return better


def long_work(desk: Desk) -> None:
    """Work on a request for days: a second generation of the claim (C6)."""
    request = ask(desk, "implementation", **_basis(desk))
    held = claims.hold(desk, request, desk.roster.agent())
    again = claims.next_generation(desk, request, held)
    deliver(desk, again.did, request, held=again)


def lost_lease(desk: Desk) -> None:
    """Let two agents believe that they hold a request: the later one's work is fenced (C7)."""
    request = ask(desk, "implementation")
    first = claims.claim(desk, request, desk.roster.agent())
    second = claims.claim(desk, request, desk.roster.agent())
    deliver(desk, second.did, request, held=second)
    deliver(desk, first.did, request, held=first)


def left_open(desk: Desk) -> None:
    """Ask for something that nobody has taken up, or that somebody has just claimed."""
    request = ask(desk, desk.dice.pick(desk.room.goal_types), **_basis(desk))
    if desk.dice.chance(0.3):
        claims.claim(desk, request, desk.roster.agent())


def declined(desk: Desk) -> None:
    """Ask somebody who declines; somebody else's refusal has no effect (R4)."""
    did = desk.roster.anybody()
    request = ask(desk, desk.dice.pick(desk.room.goal_types), assignee=did)
    if desk.dice.chance(0.2):
        say(desk, desk.roster.plain(did), desk.on_goal, re=desk.ref(request), declines=True)
    say(desk, did, desk.on_goal, re=desk.ref(request), declines=True)


def retracted(desk: Desk) -> None:
    """Ask for something and think better of it; or an admin does (R3)."""
    request = ask(desk, desk.dice.pick(desk.room.goal_types), **_basis(desk))
    did = request.did if desk.dice.chance(0.7) else desk.roster.admin()
    desk.pen.write(did, "retractRequest", {"request": desk.ref(request)})


def questioned(desk: Desk) -> None:
    """Ask an agent, who asks back; some questions wait for ever (R6)."""
    did = desk.roster.agent()
    open_to_all = desk.dice.chance(0.4)
    request = ask(desk, "implementation", **({} if open_to_all else {"assignee": did}))
    ask_about(desk, request, did, reply=True)
    ask_about(desk, request, did, reply=desk.dice.chance(0.5))
    if desk.dice.chance(0.5):
        deliver(desk, did, request)


def answered(desk: Desk) -> None:
    """Ask a member to answer a message of the thread (R2)."""
    if not desk.messages:
        discuss_goal(desk)
    subject, did = desk.dice.pick(desk.messages), desk.roster.anybody()
    request = ask(desk, "answer", subject=desk.ref(subject), assignee=did)
    if desk.dice.chance(0.3):
        ask_about(desk, request, did, reply=True)
    if desk.dice.chance(0.8):
        say(desk, did, desk.on_goal, parent=subject, re=desk.ref(request))


def second_opinion(desk: Desk) -> None:
    """Review an artifact without having been asked, or ask for a review that is not done yet."""
    if not desk.artifacts:
        assigned_plan(desk)
    artifact = desk.dice.pick(desk.artifacts)
    if desk.dice.chance(0.6):
        judge(desk, desk.roster.anybody(), artifact, desk.dice.pick(("approve", "request_changes")))
    else:
        ask(desk, "review", subject=desk.ref(artifact), assignee=desk.roster.human())


def project_document(desk: Desk) -> None:
    """Ask for a document of the whole project, and write its next version (X6)."""
    kind = desk.dice.pick(desk.room.project_types or ["decision"])
    did, project = desk.roster.anybody(), desk.ref(desk.project)
    last = desk.room.documents.get((desk.project.uri, kind))
    basis = {} if last is None else {"basedOn": [desk.ref(last)]}
    request = ask(desk, kind, project=project, **({} if desk.dice.chance(0.3) else {"assignee": did}), **basis)
    if desk.dice.chance(0.3):
        say(desk, did, desk.on_goal, re=desk.ref(request))
    document = deliver(desk, did, request, prev=last)
    desk.room.documents[desk.project.uri, kind] = document
