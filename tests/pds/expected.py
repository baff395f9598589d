"""The index of `story.write`, worked out by hand from the protocol: a partial tree of §15.

Every key given must match, and lists in full. DIDs and CIDs differ from run to run; everything else stands here.
"""

from __future__ import annotations

from typing import Any

from tests.pds.story import GUEST, GUEST_COMMENT, STRANGER, Story, at


def index(story: Story) -> dict[str, Any]:
    return {
        "spaces": [space(story)],
        "images": [
            {
                "uri": story.uri("image/pixel"),
                "cid": story.cid("image/pixel"),
                "author": story.mate.did,
                "blob": story.blobs["image"],
            }
        ],
        "ignored": [
            # L1: a message needs a body.
            {"uri": story.uri("message/empty"), "cid": story.cid("message/empty"), "rule": "L1"},
            # P2: the bot is no admin.
            {"uri": story.uri("setAutoReview/mine"), "cid": story.cid("setAutoReview/mine"), "rule": "P2"},
        ],
        "edits": [edit(story, "message/empty", None, (story.cid("message/empty"), "invalid"))],  # V6
    }


def edit(story: Story, name: str, kept: str | None, *others: tuple[str, str]) -> dict[str, Any]:
    """A row of `edits`: the version that counts, and the others with the reason why they do not."""
    refused = [{"cid": cid, "reason": reason} for cid, reason in others]
    return {"uri": story.uri(name), "kept": kept, "others": refused, "deleted": False}


def uris(story: Story, *names: str) -> list[str]:
    return [story.uri(name) for name in names]


def ref(story: Story, name: str) -> dict[str, Any]:
    """A reference that resolves, to the version that counts."""
    return {**story[name], "pin": "held", "resolved": True}


def signed(story: Story, name: str, author: str, created_at: str) -> dict[str, Any]:
    return {**story[name], "author": author, "createdAt": created_at}


def space(story: Story) -> dict[str, Any]:
    root, mate, bot = story.root.did, story.mate.did, story.bot.did
    members = [
        {"did": root, "kind": "human", "role": "admin", "joined": False, "grant": None, "since": at(0)},
        {
            "did": mate,
            "kind": "human",
            "role": "admin",
            "joined": True,
            "grant": story["addMember/mate-2"],
            "since": at(2),
        },
        {
            "did": bot,
            "kind": "agent",
            "role": "agent",
            "joined": False,
            "grant": story["addMember/bot"],
            "since": at(3),
        },
    ]
    return {
        **story["space/main"],
        "name": "Lab",
        "description": "Where it is tried out",
        "root": root,
        "records": uris(
            story,
            "space/main",
            "addMember/mate-1",
            "addMember/mate-2",
            "addMember/bot",
            "addMember/gone",
            "removeMember/gone",
            "join/main",
            "artifactType/note",
            "agent/coder",
            "setGuestComments/on",
        ),
        "members": sorted(members, key=lambda member: str(member["did"])),
        "grants": grants(story),
        "guestComments": True,
        "artifactTypes": [
            built_in("implementation"),
            {
                "name": "note",
                "scope": "project",
                "brief": "Say how the project is built.",
                "outputSpec": "Markdown.",
                "builtIn": False,
                "record": story["artifactType/note"],
            },
            built_in("plan"),
        ],
        "agents": [
            {
                **story["agent/coder"],
                "did": bot,
                "profile": "coder",
                "handleName": "coder",
                "harness": "codex",
                "models": [{"name": "m-1", "costHint": "low"}],
                "artifactTypes": ["plan", "implementation"],
            }
        ],
        "projects": [project(story)],
        "goals": [goal_1(story), goal_2(story), goal_3(story)],
    }


def built_in(name: str) -> dict[str, Any]:
    return {"name": name, "scope": "goal", "brief": None, "outputSpec": None, "builtIn": True, "record": None}


def grants(story: Story) -> list[dict[str, Any]]:
    root, mate, bot = story.root.did, story.mate.did, story.bot.did

    def grant(name: str, did: str, kind: str, role: str, by: str, minute: int, ended_by: str | None) -> dict[str, Any]:
        state = {None: "current", "addMember": "replaced", "removeMember": "revoked"}
        return {
            **story[name],
            "did": did,
            "kind": kind,
            "role": role,
            "by": by,
            "at": at(minute),
            "state": state[ended_by and ended_by.split("/")[0]],
            "endedBy": story.uri(ended_by) if ended_by else None,
        }

    return [
        grant("addMember/mate-1", mate, "human", "member", root, 1, "addMember/mate-2"),
        grant("addMember/mate-2", mate, "human", "admin", root, 2, None),
        grant("addMember/bot", bot, "agent", "agent", mate, 3, None),
        grant("addMember/gone", STRANGER, "human", "member", root, 4, "removeMember/gone"),
    ]


def project(story: Story) -> dict[str, Any]:
    root, mate = story.root.did, story.mate.did
    return {
        **signed(story, "project/tool", root, at(7)),
        "name": "The tool",  # P1: edited; the URL was not
        "gitUrl": "https://git.example.com/tool",
        "defaultBranch": "trunk",
        "checks": [{"name": "test", "command": "make test"}],
        "archived": False,  # P3: taken back a minute later
        "autoReview": {"implementation": False, "plan": True},  # P2
        "records": uris(
            story,
            "project/tool",
            "setAutoReview/plan",
            "editProject/name",
            "archiveProject/on",
            "archiveProject/off",
            "artifactRequest/note",
            "artifact/note",
        ),
        "requests": [request(story, "note", root, at(14, 30), "note", fulfilledBy=uris(story, "artifact/note"))],
        "artifacts": [artifact(story, "note", mate, at(14, 40), "note")],
        "chains": [chain(story, "note", "note")],
        # X6: the implementation was merged after the note was written.
        "system": [{"type": "note", "current": story.uri("artifact/note"), "staleness": 1}],
    }


def request(
    story: Story, name: str, author: str, created_at: str, type_: str, *, is_open: bool = False, **more: Any
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "type": type_,
        "assignee": None,
        "subject": None,
        "basedOn": None,
        "autoReview": None,
        "typeKnown": True,
        "scopeFits": True,
        "open": is_open,
        "dispatchable": is_open,  # R5: no goal here has ended, and the project is not archived
        "awaitingInput": False,
        "fulfilledBy": [],
        "declinedBy": None,
        "retractedBy": None,
        "claims": [],
        "questions": [],
    }
    return {**signed(story, f"artifactRequest/{name}", author, created_at), **plain, **more}


def artifact(
    story: Story, name: str, author: str, created_at: str, type_: str, *, asked: str | None = None, **more: Any
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "type": type_,
        "title": None,
        "request": ref(story, f"artifactRequest/{asked or name}"),
        "prev": None,
        "model": None,
        "claim": None,
        "autoReview": False,
        "reviews": [],
        "checkruns": [],
        "merged": None,
        "messages": [],
    }
    return {**signed(story, f"artifact/{name}", author, created_at), **plain, **more}


def chain(story: Story, type_: str, *names: str) -> dict[str, Any]:
    versions = uris(story, *(f"artifact/{name}" for name in names))
    return {"type": type_, "versions": versions, "current": versions[-1], "forks": False}


def message(story: Story, name: str, author: str, created_at: str, **more: Any) -> dict[str, Any]:
    plain = {"parent": None, "depth": 0, "re": None, "claim": None}
    return {**signed(story, f"message/{name}", author, created_at), **plain, **more}


def goal_1(story: Story) -> dict[str, Any]:
    root, mate, bot = story.root.did, story.mate.did, story.bot.did
    return {
        **signed(story, "goal/g1", root, at(14)),
        "project": ref(story, "project/tool"),
        "title": "Make it work",
        "ended": False,
        "ending": None,
        "records": uris(
            story,
            "goal/g1",
            "artifactRequest/plan",
            "claim/plan",
            "artifact/plan-1",
            "review/plan-1",
            "artifact/plan-2",
            "artifactRequest/review",
            "review/plan-2",
            "artifactRequest/build",
            "artifact/build",
            "checkrun/build",
            "merge/build",
            "artifactRequest/dropped",
            "retractRequest/dropped",
            "artifactRequest/declined",
            "message/no",
            "artifactRequest/open",
            "claim/open",
            "claim/released",
            "message/hello",
            "message/question",
            "message/reply",
            "message/on-plan",
            "blessComment/kept",
            "blessComment/taken-back",
            "retractBless/taken-back",
        ),
        "requests": requests(story),
        "artifacts": artifacts(story),
        "chains": [chain(story, "implementation", "build"), chain(story, "plan", "plan-1", "plan-2")],
        "messages": [
            message(story, "no", mate, at(32), re=ref(story, "artifactRequest/declined")),
            message(story, "hello", root, at(36)),
            message(
                story,
                "question",
                bot,
                at(37),
                re=ref(story, "artifactRequest/open"),
                claim={"uri": story.uri("claim/open"), "lost": False},
            ),
            message(story, "reply", root, at(38), parent=ref(story, "message/question"), depth=1),
        ],
        "guests": [
            {
                "bless": story.uri("blessComment/kept"),
                "by": root,
                "guest": GUEST,
                "comment": {**GUEST_COMMENT, "pin": None, "resolved": False},
                "body": "Well done!",
            }
        ],
    }


def requests(story: Story) -> list[dict[str, Any]]:
    root, mate, bot = story.root.did, story.mate.did, story.bot.did
    return [
        request(
            story,
            "plan",
            mate,
            at(16),
            "plan",
            fulfilledBy=uris(story, "artifact/plan-1", "artifact/plan-2"),
            claims=uris(story, "claim/plan"),
        ),
        request(
            story,
            "review",
            root,
            at(21),
            "review",
            assignee=mate,
            subject=ref(story, "artifact/plan-2"),
            fulfilledBy=uris(story, "review/plan-2"),
        ),
        request(
            story,
            "build",
            mate,
            at(23),
            "implementation",
            basedOn=[ref(story, "artifact/plan-2")],
            autoReview=True,
            fulfilledBy=uris(story, "artifact/build"),
        ),
        request(story, "dropped", root, at(29), "plan", assignee=mate, retractedBy=story.uri("retractRequest/dropped")),
        request(story, "declined", root, at(31), "implementation", assignee=mate, declinedBy=story.uri("message/no")),
        request(
            story,
            "open",
            mate,
            at(33),
            "plan",
            is_open=True,
            claims=uris(story, "claim/open", "claim/released"),
            # R6: asked by an agent about an unassigned request, and answered by somebody else.
            questions=[{"uri": story.uri("message/question"), "author": bot, "answeredBy": story.uri("message/reply")}],
        ),
    ]


def artifacts(story: Story) -> list[dict[str, Any]]:
    root, mate, bot = story.root.did, story.mate.did, story.bot.did
    return [
        artifact(
            story,
            "plan-1",
            bot,
            at(18),
            "plan",
            asked="plan",
            title="Plan",
            model="m-1",
            claim={"uri": story.uri("claim/plan"), "lost": False},
            autoReview=True,  # R8: the project's, for the request says nothing
            reviews=[review(story, "plan-1", root, at(19), "request_changes", None)],
        ),
        artifact(
            story,
            "plan-2",
            bot,
            at(20),
            "plan",
            asked="plan",
            title="Plan, again",
            prev=ref(story, "artifact/plan-1"),
            autoReview=True,
            reviews=[review(story, "plan-2", mate, at(22), "approve", ref(story, "artifactRequest/review"))],
            messages=[message(story, "on-plan", mate, at(39))],
        ),
        artifact(
            story,
            "build",
            bot,
            at(24),
            "implementation",
            autoReview=True,  # R8: the request's, against the project's
            checkruns=[{**signed(story, "checkrun/build", bot, at(25)), "commit": "c0ffee", "passed": True}],
            merged={
                "at": at(25, 30),
                "pr": "https://git.example.com/tool/pulls/1",
                "by": root,
                "record": story.uri("merge/build"),
            },
        ),
    ]


def review(
    story: Story, name: str, author: str, created_at: str, verdict: str, asked: dict[str, Any] | None
) -> dict[str, Any]:
    more = {"verdict": verdict, "pin": "held", "request": asked, "claim": None}
    return {**signed(story, f"review/{name}", author, created_at), **more}


def goal_2(story: Story) -> dict[str, Any]:
    ending = {
        "disposition": "parked",  # G2: what an archived goal reads as
        "at": at(45),
        "by": story.mate.did,
        "record": story.uri("archiveGoal/g2"),
    }
    return {
        **signed(story, "goal/g2", story.mate.did, at(14, 10)),
        "title": "Paint it",
        "ended": True,
        "ending": ending,
        "records": uris(story, "goal/g2", "archiveGoal/g2"),
        **_EMPTY,
    }


def goal_3(story: Story) -> dict[str, Any]:
    ending = {
        "disposition": "completed",
        "at": at(46),
        "by": story.mate.did,
        "record": story.uri("closeGoal/g3"),
    }
    return {
        **signed(story, "goal/g3", story.root.did, at(14, 20)),
        "title": "Name it",
        "ended": True,
        "ending": ending,
        "records": uris(story, "goal/g3", "closeGoal/g3"),
        **_EMPTY,
    }


_EMPTY: dict[str, list[Any]] = {"requests": [], "artifacts": [], "chains": [], "messages": [], "guests": []}
