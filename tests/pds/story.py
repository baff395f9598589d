"""A small Radial space with all 25 kinds of record, written by three accounts to a real PDS.

Strategy: every record has a name, `kind/rkey`, and a minute of its own on 1 January 2026, so that the order of the view
can be read off this page. `write` tells the story up to its first evening; `go_on` is the next day: an edit in place, a
renewal, a release. The CIDs are the PDS's.
"""

from __future__ import annotations

import base64
from typing import Any, Final

import attrs

from tests.pds.accounts import Account

PREFIX: Final = "com.disnetdev.radial."
STRANGER: Final = "did:plc:" + "z" * 24  # granted and removed; its repo is nowhere
GUEST: Final = "did:plc:" + "g" * 24
GUEST_COMMENT: Final = {
    "uri": f"at://{GUEST}/{PREFIX}message/hi",
    "cid": "bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
}
PIXEL: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LONG_BODY: Final = b"# The plan, at length\n" + b"One more line.\n" * 1000


def at(minute: int, second: int = 0) -> str:
    return f"2026-01-01T00:{minute:02}:{second:02}Z"


@attrs.define
class Story:
    """Who writes, and what was written: the strongref of every record by its name, and the blobs."""

    root: Account
    mate: Account
    bot: Account
    refs: dict[str, dict[str, str]] = attrs.field(factory=dict)
    blobs: dict[str, dict[str, Any]] = attrs.field(factory=dict)

    def put(self, who: Account, name: str, when: str, /, **fields: Any) -> None:
        """Write a new record."""
        kind, rkey = name.split("/")
        record = {"$type": PREFIX + kind, "createdAt": when, **fields}
        self.refs[name] = who.create_record(PREFIX + kind, rkey, record)

    def rewrite(self, who: Account, name: str, when: str, /, **fields: Any) -> dict[str, str]:
        """Rewrite a record in place; gives the strongref of the new version."""
        kind, rkey = name.split("/")
        return who.put_record(PREFIX + kind, rkey, {"$type": PREFIX + kind, "createdAt": when, **fields})

    def __getitem__(self, name: str) -> dict[str, str]:
        """Give a record's strongref."""
        return self.refs[name]

    def uri(self, name: str) -> str:
        return self.refs[name]["uri"]

    def cid(self, name: str) -> str:
        return self.refs[name]["cid"]


def write(story: Story) -> None:
    """Write everything up to the first evening."""
    _membership(story)
    _settings(story)
    _planning(story)
    _building(story)
    _unfinished(story)
    _talking(story)
    _endings(story)
    _nonsense(story)


def _membership(story: Story) -> None:
    root, mate, bot = story.root, story.mate, story.bot
    story.put(root, "space/main", at(0), name="Lab", description="Where it is tried out")
    space = story["space/main"]
    story.put(root, "addMember/mate-1", at(1), space=space, did=mate.did, kind="human", role="member")
    story.put(root, "addMember/mate-2", at(2), space=space, did=mate.did, kind="human", role="admin")
    story.put(mate, "addMember/bot", at(3), space=space, did=bot.did, kind="agent", role="agent")
    story.put(root, "addMember/gone", at(4), space=space, did=STRANGER, kind="human", role="member")
    gone = story["addMember/gone"]
    story.put(root, "removeMember/gone", at(5), space=space, did=STRANGER, membership=gone)
    story.put(mate, "join/main", at(6), space=space)


def _settings(story: Story) -> None:
    root, mate, bot, space = story.root, story.mate, story.bot, story["space/main"]
    story.put(
        root,
        "project/tool",
        at(7),
        space=space,
        name="Tool",
        gitUrl="https://git.example.com/tool",
        defaultBranch="main",
        checks=[{"name": "test", "command": "make test"}],
        autoReview={"implementation": False},
    )
    project = story["project/tool"]
    story.put(mate, "setAutoReview/plan", at(8), project=project, type="plan", enabled=True)
    story.put(root, "editProject/name", at(9), project=project, name="The tool", defaultBranch="trunk")
    story.put(root, "archiveProject/on", at(10), project=project, archived=True)
    story.put(root, "archiveProject/off", at(11), project=project, archived=False)
    story.put(
        mate,
        "artifactType/note",
        at(12),
        space=space,
        name="note",
        brief="Say how the project is built.",
        outputSpec="Markdown.",
        scope="project",
    )
    story.put(
        bot,
        "agent/coder",
        at(13),
        handleName="coder",
        harness="codex",
        models=[{"name": "m-1", "costHint": "low"}],
        artifactTypes=["plan", "implementation"],
    )
    story.put(root, "goal/g1", at(14), space=space, project=project, title="Make it work", body="It should work.")
    story.put(mate, "goal/g2", at(14, 10), space=space, project=project, title="Paint it", body="Green.")
    story.put(root, "goal/g3", at(14, 20), space=space, project=project, title="Name it", body="Well.")
    story.put(root, "artifactRequest/note", at(14, 30), project=project, type="note")
    note = story["artifactRequest/note"]
    story.put(mate, "artifact/note", at(14, 40), request=note, project=project, type="note", body="With make.")


def _planning(story: Story) -> None:
    root, mate, bot, goal = story.root, story.mate, story.bot, story["goal/g1"]
    story.put(mate, "artifactRequest/plan", at(16), goal=goal, type="plan", brief="Short, please.")
    request = story["artifactRequest/plan"]
    story.put(bot, "claim/plan", at(17), request=request, expiresAt=at(27))
    story.put(
        bot,
        "artifact/plan-1",
        at(18),
        request=request,
        goal=goal,
        type="plan",
        title="Plan",
        body="First this.",
        model="m-1",
        claim=story["claim/plan"],
    )
    finding = {"severity": "major", "body": "And then?", "line": 1}
    story.put(
        root,
        "review/plan-1",
        at(19),
        subject=story["artifact/plan-1"],
        verdict="request_changes",
        findings=[finding],
    )
    story.blobs["body"] = bot.upload(LONG_BODY, "text/markdown")
    story.put(
        bot,
        "artifact/plan-2",
        at(20),
        request=request,
        goal=goal,
        type="plan",
        prev=story["artifact/plan-1"],
        title="Plan, again",
        body="First this, then that.",
        bodyBlob=story.blobs["body"],
        criteria=["It works"],
    )
    plan = story["artifact/plan-2"]
    story.put(root, "artifactRequest/review", at(21), goal=goal, type="review", subject=plan, assignee=mate.did)
    review = story["artifactRequest/review"]
    story.put(mate, "review/plan-2", at(22), subject=plan, request=review, verdict="approve")


def _building(story: Story) -> None:
    root, mate, bot, goal = story.root, story.mate, story.bot, story["goal/g1"]
    story.put(
        mate,
        "artifactRequest/build",
        at(23),
        goal=goal,
        type="implementation",
        basedOn=[story["artifact/plan-2"]],
        autoReview=True,
    )
    story.put(
        bot,
        "artifact/build",
        at(24),
        request=story["artifactRequest/build"],
        goal=goal,
        type="implementation",
        body="Done.",
        links={"branch": "work", "commit": "c0ffee", "pr": "https://git.example.com/tool/pulls/1"},
    )
    built = story["artifact/build"]
    results = [{"name": "test", "pass": True, "log": "ok"}]
    story.put(bot, "checkrun/build", at(25), artifact=built, commit="c0ffee", results=results)
    pull = "https://git.example.com/tool/pulls/1"
    story.put(root, "merge/build", at(26), artifact=built, pr=pull, commit="c0ffee", mergedAt=at(25, 30))


def _unfinished(story: Story) -> None:
    root, mate, bot, goal = story.root, story.mate, story.bot, story["goal/g1"]
    story.put(root, "artifactRequest/dropped", at(29), goal=goal, type="plan", assignee=mate.did)
    story.put(root, "retractRequest/dropped", at(30), request=story["artifactRequest/dropped"])
    story.put(root, "artifactRequest/declined", at(31), goal=goal, type="implementation", assignee=mate.did)
    declined = story["artifactRequest/declined"]
    story.put(mate, "message/no", at(32), goal=goal, re=declined, declines=True, body="I cannot.")
    story.put(mate, "artifactRequest/open", at(33), goal=goal, type="plan")
    request = story["artifactRequest/open"]
    story.put(bot, "claim/open", at(34), request=request, expiresAt=at(44))
    story.put(mate, "claim/released", at(35), request=request, expiresAt=at(45))


def _talking(story: Story) -> None:
    root, mate, bot, goal = story.root, story.mate, story.bot, story["goal/g1"]
    story.put(root, "message/hello", at(36), goal=goal, body="Hello.", mentions=[mate.did])
    asked = story["artifactRequest/open"]
    story.put(bot, "message/question", at(37), goal=goal, re=asked, body="Which one?", claim=story["claim/open"])
    question = story["message/question"]
    story.put(root, "message/reply", at(38), goal=goal, root=question, parent=question, body="That one.")
    story.put(mate, "message/on-plan", at(39), artifact=story["artifact/plan-2"], body="Godo plan.")
    story.blobs["image"] = mate.upload(PIXEL, "image/png")
    story.put(mate, "image/pixel", at(40), blob=story.blobs["image"], alt="A pixel")
    story.put(mate, "setGuestComments/on", at(41), space=story["space/main"], enabled=True)
    story.put(root, "blessComment/kept", at(42), goal=goal, comment=GUEST_COMMENT, body="Well done!")
    story.put(root, "blessComment/taken-back", at(43), goal=goal, comment=GUEST_COMMENT, body="Well done?")
    story.put(mate, "retractBless/taken-back", at(44), bless=story["blessComment/taken-back"])


def _endings(story: Story) -> None:
    story.put(story.mate, "archiveGoal/g2", at(45), goal=story["goal/g2"], archived=True)
    story.put(story.mate, "closeGoal/g3", at(46), goal=story["goal/g3"], closed=True, disposition="completed")


def _nonsense(story: Story) -> None:
    """Two records that cannot count, and one that is gone before anybody looks."""
    bot = story.bot
    story.put(bot, "setAutoReview/mine", at(47), project=story["project/tool"], type="plan", enabled=False)
    story.put(bot, "message/empty", at(48), goal=story["goal/g1"])
    story.put(bot, "message/oops", at(49), goal=story["goal/g1"], body="Never mind.")
    bot.delete_record(f"{PREFIX}message", "oops")


def go_on(story: Story) -> dict[str, dict[str, str]]:
    """Write the next day; gives the strongrefs of the versions that it adds."""
    newer = {
        "message/on-plan": story.rewrite(
            story.mate, "message/on-plan", at(39), artifact=story["artifact/plan-2"], body="Good plan."
        ),
        "claim/open": story.rewrite(
            story.bot,
            "claim/open",
            at(34),
            request=story["artifactRequest/open"],
            renewedAt=at(43),
            expiresAt=at(53),
        ),
    }
    story.mate.delete_record(f"{PREFIX}claim", "released")
    return newer
