"""What work leaves behind: artifacts, reviews, checks, merges (X1–X5).

Strategy: one function writes one record, at a goal or at a project; which of them follow each other, and on whose word,
is for the scenes to say.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

from radial_corpus.pictures import blob
from radial_corpus.room import MODELS
from radial_corpus.words import prose, sentence, slug, title

if TYPE_CHECKING:
    from radial_corpus.dice import Dice
    from radial_corpus.pen import Written
    from radial_corpus.room import Desk

_SEVERITIES: Final = ("blocker", "major", "minor", "nit")


def deliver(
    desk: Desk, did: str, request: Written, *, prev: Written | None = None, held: Written | None = None
) -> Written:
    """Let somebody answer a request with an artifact of its anchor and type."""
    anchor = "goal" if "goal" in request.value else "project"
    fields = {
        "request": desk.ref(request),
        anchor: request.value[anchor],
        "type": request.value["type"],
        **_chained(desk, prev),
        **_contents(desk.dice, request.value["type"]),
        **attested(desk, did, held),
    }
    written = desk.pen.write(did, "artifact", fields)
    if anchor == "goal":
        desk.artifacts.append(written)
    return written


def _chained(desk: Desk, prev: Written | None) -> dict[str, Any]:
    return {} if prev is None else {"prev": desk.ref(prev)}


def _contents(dice: Dice, kind: str) -> dict[str, Any]:
    fields: dict[str, Any] = {"body": prose(dice, 2, 6)}
    if dice.chance(0.7):
        fields["title"] = title(dice)
    if kind == "implementation":
        fields["links"] = {"branch": slug(dice), "commit": commit(dice), "pr": pull_request(dice)}
    elif dice.chance(0.3):
        fields["criteria"] = [sentence(dice) for _ in range(dice.between(1, 4))]
    if dice.chance(0.04):
        fields["bodyBlob"] = blob(dice, "text/markdown")
    return fields


def attested(desk: Desk, did: str, held: Written | None = None) -> dict[str, Any]:
    """Give what an agent adds to its work: the model it ran, and the claim it worked under (C7, N3)."""
    fields: dict[str, Any] = {}
    if did in desk.roster.members and desk.roster.members[did].kind == "agent":
        fields["model"] = desk.dice.pick(MODELS)
    if held is not None:
        fields["claim"] = desk.ref(held)
    return fields


def commit(dice: Dice) -> str:
    """Make up the name of a commit."""
    return hashlib.sha1(b"%d" % dice.below(2**52), usedforsecurity=False).hexdigest()


def pull_request(dice: Dice) -> str:
    """Make up a pull request: mostly a page on a forge, else a record of a forge that lives on atproto (§13)."""
    if dice.chance(0.85):
        return f"https://forge.example/{slug(dice)}/pull/{dice.between(1, 900)}"
    return f"at://did:web:forge.example/sh.tangled.repo.pull/{dice.between(1, 900)}"


def judge(desk: Desk, did: str, artifact: Written, verdict: str, request: Written | None = None) -> Written:
    """Let somebody review a version, on request or of its own accord."""
    fields: dict[str, Any] = {"subject": desk.ref(artifact), "verdict": verdict}
    if request is not None:
        fields["request"] = desk.ref(request)
    if verdict == "request_changes" or desk.dice.chance(0.2):
        fields["findings"] = [_finding(desk.dice) for _ in range(desk.dice.between(1, 4))]
    return desk.pen.write(did, "review", fields | attested(desk, did))


def _finding(dice: Dice) -> dict[str, Any]:
    finding: dict[str, Any] = {"severity": dice.pick(_SEVERITIES), "body": sentence(dice)}
    if dice.chance(0.6):
        finding |= {"path": f"src/{slug(dice)}.py", "line": dice.between(1, 400)}
    return finding


def check(desk: Desk, artifact: Written) -> Written:
    """Let an agent run the checks of the project on an artifact's commit."""
    results = [_result(desk.dice, name) for name in ("tests", "style", "docs")[: desk.dice.between(1, 3)]]
    fields = {"artifact": desk.ref(artifact), "commit": commit(desk.dice), "results": results}
    return desk.pen.write(desk.roster.agent(), "checkrun", fields)


def _result(dice: Dice, name: str) -> dict[str, Any]:
    passes = dice.chance(0.85)
    result: dict[str, Any] = {"name": name, "pass": passes}
    if not passes:
        result["log"] = sentence(dice)
    return result


def merge(desk: Desk, artifact: Written) -> Written:
    """Let somebody note that an artifact's pull request was merged."""
    fields: dict[str, Any] = {"artifact": desk.ref(artifact), "pr": pull_request(desk.dice)}
    if desk.dice.chance(0.7):
        fields["commit"] = commit(desk.dice)
    if desk.dice.chance(0.6):
        fields["mergedAt"] = desk.pen.spell(desk.pen.now - desk.dice.below(60_000))
    return desk.pen.write(desk.roster.anybody(), "merge", fields)
