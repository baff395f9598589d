"""What is within the rules and awkward all the same: cycles, forks, misfits, references to nowhere (L4, X2, M1, A3).

Strategy: a CID cannot name itself, so in a cycle at least one reference pins a version that nobody has seen; it
resolves by URI all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from radial_corpus import claims
from radial_corpus.artifacts import deliver, merge
from radial_corpus.dice import weighted
from radial_corpus.pen import PREFIX
from radial_corpus.requests import ask
from radial_corpus.threads import say
from radial_corpus.words import prose

if TYPE_CHECKING:
    from radial_corpus.room import Desk, Scene


def _ahead(desk: Desk, did: str, kind: str) -> tuple[str, dict[str, Any]]:
    """Choose the key of a record that is yet to be written, and point at it."""
    key = desk.pen.key()
    return key, {"uri": f"at://{did}/{PREFIX}{kind}/{key}", "cid": desk.pen.unseen_cid()}


def circular_versions(desk: Desk) -> None:
    """Let two or three versions each follow another (X2)."""
    did = desk.roster.anybody()
    request = ask(desk, "plan", assignee=did)
    key, last = _ahead(desk, did, "artifact")
    fields = desk.on_goal | {"request": desk.ref(request), "type": "plan", "body": prose(desk.dice, 1, 2)}
    first = desk.pen.write(did, "artifact", fields | {"prev": last})
    middle = deliver(desk, did, request, prev=first) if desk.dice.chance(0.5) else first
    desk.pen.write(did, "artifact", fields | {"prev": desk.ref(middle)}, key=key)


def circular_thread(desk: Desk) -> None:
    """Let two messages each reply to the other, and a third to one of them (M1)."""
    did = desk.roster.anybody()
    key, last = _ahead(desk, did, "message")
    first = say(desk, did, desk.on_goal | {"parent": last})
    fields = desk.on_goal | {"parent": desk.ref(first), "body": prose(desk.dice, 1, 1)}
    desk.pen.write(did, "message", fields, key=key)
    say(desk, desk.roster.anybody(), desk.on_goal, parent=first)


def circular_basis(desk: Desk) -> None:
    """Let two requests each be based on the other (N2)."""
    did = desk.roster.human()
    key, last = _ahead(desk, did, "artifactRequest")
    first = ask(desk, "plan", did, basedOn=[last])
    desk.pen.write(did, "artifactRequest", desk.on_goal | {"type": "plan", "basedOn": [desk.ref(first)]}, key=key)


def fork(desk: Desk) -> None:
    """Let two members continue from the same version (X2)."""
    request = ask(desk, "plan")
    first = deliver(desk, desk.roster.anybody(), request)
    for _ in range(2):
        deliver(desk, desk.roster.anybody(), request, prev=first)


def nowhere(desk: Desk) -> None:
    """Refer to records that nobody has seen, in every field that keeps nothing out (L5)."""
    did, pen = desk.roster.anybody(), desk.pen
    request = ask(desk, "plan", basedOn=[pen.missing(did, "artifact"), pen.missing(did, "message")])
    say(desk, did, desk.on_goal | {"parent": pen.missing(did, "message"), "re": pen.missing(did, "artifactRequest")})
    fields = desk.on_goal | {"request": pen.missing(did, "artifactRequest"), "type": "plan", "body": "A draft."}
    artifact = pen.write(did, "artifact", fields | {"prev": pen.missing(did, "artifact")})
    pen.write(did, "review", {"subject": desk.ref(artifact), "request": pen.missing(did, "artifactRequest"),
                              "verdict": "approve", "claim": pen.missing(did, "claim")})  # fmt: skip
    deliver(desk, did, request)


def misfit(desk: Desk) -> None:
    """Ask for what the registry does not know, or knows for another scope (A3)."""
    if desk.dice.chance(0.5):
        ask(desk, f"poem-{desk.dice.below(5)}")
    else:
        ask(desk, "implementation", project=desk.ref(desk.project))


def crossed_versions(desk: Desk) -> None:
    """Follow a version of another anchor or type: marked, and not followed (X2)."""
    if desk.room.recent:
        request = ask(desk, "plan")
        deliver(desk, desk.roster.anybody(), request, prev=desk.room.recent[-1])


def foreign_parent(desk: Desk) -> None:
    """Reply on the goal to a message of an artifact's thread (M1)."""
    if desk.artifacts:
        there = say(desk, desk.roster.anybody(), {"artifact": desk.ref(desk.artifacts[-1])})
        say(desk, desk.roster.anybody(), desk.on_goal, parent=there)


def merged_twice(desk: Desk) -> None:
    """Note one merge by two people; the first in order is shown (X5)."""
    if desk.artifacts:
        for _ in range(2):
            merge(desk, desk.artifacts[-1])


def taken_back(desk: Desk) -> None:
    """Delete what stays all the same: a message and a request (V5)."""
    message = say(desk, desk.roster.anybody(), desk.on_goal)
    desk.pen.delete(message.uri)
    desk.pen.delete(ask(desk, "plan").uri)


def restless_claims(desk: Desk) -> None:
    """Rewrite claims in ways that are refused, and in one that is a repair (V3)."""
    request = ask(desk, "implementation")
    claims.refused_renewals(desk, request)
    claims.repaired(desk, request)


ODDITIES: Final[tuple[Scene, ...]] = weighted(
    (1, circular_versions),
    (1, circular_thread),
    (1, circular_basis),
    (2, fork),
    (1, nowhere),
    (2, misfit),
    (1, crossed_versions),
    (1, foreign_parent),
    (1, merged_twice),
    (1, taken_back),
    (2, restless_claims),
)
