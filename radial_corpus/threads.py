"""Talk: threads under goals and artifacts, questions, answers, words from guests (M1–M3, R6).

Strategy: a reply names its thread's root and its parent, as clients write it; who replies to what is drawn so that some
threads get deep and most stay flat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from radial_corpus.artifacts import attested
from radial_corpus.words import prose

if TYPE_CHECKING:
    from radial_corpus.pen import Written
    from radial_corpus.room import Desk


def say(desk: Desk, did: str, anchor: dict[str, Any], *, parent: Written | None = None, **more: Any) -> Written:
    """Let somebody write a message under an anchor, in reply to another or not."""
    fields = anchor | {"body": prose(desk.dice, 1, 3)} | more
    if parent is not None:
        fields |= {"root": parent.value.get("root") or desk.ref(parent), "parent": desk.ref(parent)}
    return desk.pen.write(did, "message", fields | attested(desk, did))


def converse(desk: Desk, anchor: dict[str, Any], length: int) -> list[Written]:
    """Let people and agents talk under an anchor."""
    said = [say(desk, desk.roster.talker(), anchor)]
    while len(said) < length:
        parent = said[-1] if desk.dice.chance(0.5) else desk.dice.pick(said) if desk.dice.chance(0.6) else None
        mentions = {"mentions": [desk.roster.anybody()]} if desk.dice.chance(0.08) else {}
        said.append(say(desk, desk.roster.talker(), anchor, parent=parent, **mentions))
    return said


def discuss_goal(desk: Desk) -> None:
    """Talk about the goal; now and then at length."""
    length = desk.dice.between(12, 40) if desk.dice.chance(0.08) else desk.dice.between(1, 7)
    desk.messages.extend(converse(desk, desk.on_goal, length))


def discuss_artifact(desk: Desk) -> None:
    """Talk about an artifact, if there is one."""
    if not desk.artifacts:
        discuss_goal(desk)
        return
    artifact = desk.dice.pick(desk.artifacts)
    converse(desk, {"artifact": desk.ref(artifact)}, desk.dice.between(1, 5))


def ask_about(desk: Desk, request: Written, did: str, *, reply: bool) -> None:
    """Let `did` ask about a request, and perhaps somebody reply."""
    question = say(desk, did, desk.on_goal, re=desk.ref(request))
    if reply:
        say(desk, desk.roster.human(), desk.on_goal, parent=question)


def bless(desk: Desk) -> Written:
    """Let a member copy a stranger's words into the space."""
    guest, kind = (
        desk.roster.stranger(),
        "com.disnetdev.radial.message" if desk.dice.chance(0.6) else "app.bsky.feed.post",
    )
    comment = {"uri": f"at://{guest}/{kind}/{desk.pen.key()}", "cid": desk.pen.unseen_cid()}
    fields = desk.on_goal | {"comment": comment, "body": prose(desk.dice, 1, 2)}
    return desk.pen.write(desk.roster.human(), "blessComment", fields)


def hear_guests(desk: Desk) -> None:
    """Bless a guest's comment; its blesser or an admin may think better of it (M2)."""
    blessing = bless(desk)
    if desk.dice.chance(0.3):
        did = blessing.did if desk.dice.chance(0.5) else desk.roster.admin()
        desk.pen.write(did, "retractBless", {"bless": desk.ref(blessing)})
