"""The index of `acts_story.tell`, worked out by hand from the protocol: a partial tree of §15.

Strategy: what a command line means is known from what it says, and what the fold makes of it from the rules; only URIs,
CIDs and times are those that the commands reported. Every key given must match, and lists in full.
"""

from __future__ import annotations

import base64
from hashlib import sha256
from typing import Any

from tests.pds.acts_story import DREARY, Person, Tale
from tests.pds.story import PIXEL


def index(tale: Tale) -> dict[str, Any]:
    blob = base64.b32encode(b"\x01\x55\x12\x20" + sha256(PIXEL).digest()).decode().lower().rstrip("=")
    # Written with --force, each against the rule that it names; nothing else is ignored.
    refused = {
        "message/guest-1": "T5",
        "message/guest-2": "T5",
        "setAutoReview/forced": "P2",
        "editProject/forced": "P1",
    }
    return {
        "spaces": sorted([lab(tale), annex(tale)], key=_uri),
        "images": [
            {
                **tale["image/pixel"],
                "author": tale.ruth.did,
                "blob": {"$type": "blob", "ref": {"$link": f"b{blob}"}, "mimeType": "image/png", "size": len(PIXEL)},
            }
        ],
        "ignored": sorted(({**tale[name], "rule": rule} for name, rule in refused.items()), key=_uri),
        "edits": [],  # the observer came late: it saw one version of everything
    }


def _uri(item: dict[str, Any]) -> str:
    return str(item["uri"])


def uris(tale: Tale, *names: str) -> list[str]:
    return [tale.uri(name) for name in names]


def ref(tale: Tale, name: str) -> dict[str, Any]:
    """A reference that resolves, to the version that counts."""
    return {**tale[name], "pin": "held", "resolved": True}


def signed(tale: Tale, name: str, author: Person) -> dict[str, Any]:
    return {**tale[name], "author": author.did, "createdAt": tale.at(name)}


def member(tale: Tale, who: Person, kind: str, role: str, grant: str | None, since: str) -> dict[str, Any]:
    granted = tale[grant] if grant is not None else None
    return {"did": who.did, "kind": kind, "role": role, "joined": True, "grant": granted, "since": tale.at(since)}


def lab(tale: Tale) -> dict[str, Any]:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    members = [
        member(tale, ruth, "human", "admin", None, "space/lab"),
        member(tale, mate, "human", "admin", "addMember/mate-2", "addMember/mate-2"),
        member(tale, bot, "agent", "agent", "addMember/bot", "addMember/bot"),
    ]
    return {
        **tale["space/lab"],
        "name": "Lab",
        "description": "Where it is tried out",
        "root": ruth.did,
        "records": uris(
            tale,
            "join/ruth",  # of one moment with the space, and before it by URI
            "space/lab",
            "addMember/mate-1",
            "addMember/mate-2",
            "join/mate",
            "addMember/bot",
            "join/bot",
            "addMember/gast",
            "removeMember/gast",
            "setGuestComments/on",
            "artifactType/glossary",
            "artifactType/risk",
            "agent/coder",
        ),
        "members": sorted(members, key=lambda each: str(each["did"])),
        "grants": [
            grant(tale, "addMember/mate-1", mate, "member", ruth, "addMember/mate-2"),
            grant(tale, "addMember/mate-2", mate, "admin", ruth, None),
            grant(tale, "addMember/bot", bot, "agent", mate, None),
            grant(tale, "addMember/gast", tale.gast, "member", ruth, "removeMember/gast"),
        ],
        "guestComments": True,
        "artifactTypes": [
            {
                "name": "glossary",
                "scope": "project",
                "builtIn": False,
                "record": tale["artifactType/glossary"],
            },
            built_in("implementation"),
            built_in("plan"),
            {
                "name": "risk",
                "scope": "goal",
                "brief": "What could go wrong",
                "outputSpec": "A list.",
                "builtIn": False,
                "record": tale["artifactType/risk"],
            },
        ],
        "agents": [
            {
                **tale["agent/coder"],
                "did": bot.did,
                "profile": "coder",
                "handleName": "The coder",
                "harness": "codex",
                "models": [{"name": "m-1", "costHint": "low"}, {"name": "m-2", "costHint": None}],
                "artifactTypes": ["plan", "implementation"],
            }
        ],
        "projects": [tool(tale)],
        "goals": sorted([goal_1(tale), goal_2(tale)], key=lambda each: (each["createdAt"], each["uri"])),
    }


def grant(tale: Tale, name: str, did: Person, role: str, by: Person, ended_by: str | None) -> dict[str, Any]:
    state = {None: "current", "addMember": "replaced", "removeMember": "revoked"}
    return {
        **tale[name],
        "did": did.did,
        "kind": "agent" if role == "agent" else "human",
        "role": role,
        "by": by.did,
        "at": tale.at(name),
        "state": state[ended_by and ended_by.partition("/")[0]],
        "endedBy": tale.uri(ended_by) if ended_by is not None else None,
    }


def built_in(name: str) -> dict[str, Any]:
    return {"name": name, "scope": "goal", "brief": None, "outputSpec": None, "builtIn": True, "record": None}


def request(tale: Tale, name: str, author: Person, kind: str, **more: Any) -> dict[str, Any]:
    plain = {
        "type": kind,
        "assignee": None,
        "subject": None,
        "basedOn": None,
        "autoReview": None,
        "typeKnown": True,
        "scopeFits": True,
        "open": False,
        "dispatchable": more.get("open", False),
        "awaitingInput": False,
        "fulfilledBy": [],
        "declinedBy": None,
        "retractedBy": None,
        "claims": [],
        "questions": [],
    }
    return {**signed(tale, f"artifactRequest/{name}", author), **plain, **more}


def artifact(tale: Tale, name: str, author: Person, kind: str, asked: str, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "type": kind,
        "title": None,
        "request": ref(tale, f"artifactRequest/{asked}"),
        "prev": None,
        "model": None,
        "claim": None,
        "autoReview": False,
        "reviews": [],
        "checkruns": [],
        "merged": None,
        "messages": [],
    }
    return {**signed(tale, f"artifact/{name}", author), **plain, **more}


def message(tale: Tale, name: str, author: Person, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"parent": None, "depth": 0, "re": None, "claim": None}
    return {**signed(tale, f"message/{name}", author), **plain, **more}


def chain(tale: Tale, kind: str, *names: str) -> dict[str, Any]:
    versions = uris(tale, *(f"artifact/{name}" for name in names))
    return {"type": kind, "versions": versions, "current": versions[-1], "forks": False}


def tool(tale: Tale) -> dict[str, Any]:
    ruth, mate = tale.ruth, tale.mate
    return {
        **signed(tale, "project/tool", ruth),
        "name": "The tool",
        "gitUrl": "https://git.example.com/tool",
        "defaultBranch": "trunk",
        "checks": [{"name": "test", "command": "make test"}],
        "archived": False,
        "autoReview": {"implementation": True, "plan": True},
        "records": uris(
            tale,
            "project/tool",
            "editProject/name",
            "setAutoReview/plan",
            "archiveProject/on",
            "archiveProject/off",
            "artifactRequest/captured",
            "artifactRequest/words",
            "artifact/words",
        ),
        "requests": [
            request(tale, "captured", ruth, "glossary", basedOn=[ref(tale, "artifact/plan-2")], open=True),
            request(tale, "words", ruth, "glossary", assignee=mate.did, fulfilledBy=uris(tale, "artifact/words")),
        ],
        "artifacts": [artifact(tale, "words", mate, "glossary", "words")],
        "chains": [chain(tale, "glossary", "words")],
        "system": [{"type": "glossary", "current": tale.uri("artifact/words"), "staleness": 0}],
    }


def goal_1(tale: Tale) -> dict[str, Any]:
    ruth = tale.ruth
    return {
        **signed(tale, "goal/g1", ruth),
        "project": ref(tale, "project/tool"),
        "title": "Make it work",
        "ended": False,
        "ending": None,
        "records": uris(
            tale,
            "goal/g1",
            "artifactRequest/plan",
            "artifact/plan-1",
            "review/plan-1",
            "artifact/plan-2",
            "artifactRequest/review",
            "review/plan-2",
            "artifactRequest/declined",
            "message/no",
            "artifactRequest/build",
            "artifactRequest/spare",
            "retractRequest/spare",
            "artifact/build",
            "message/hello",
            "message/hello-2",
            "message/on-plan",
            "artifactRequest/open",
            "message/question",
            "message/reply",
            "artifactRequest/why",  # of one moment with the message, and before it by URI
            "message/why",
            "message/because",
            "blessComment/kept",
            "blessComment/taken-back",
            "retractBless/taken-back",
        ),
        "requests": requests(tale),
        "artifacts": artifacts(tale),
        "chains": [chain(tale, "plan", "plan-1", "plan-2"), chain(tale, "implementation", "build")],
        "messages": messages(tale),
        "guests": [
            {
                "bless": tale.uri("blessComment/kept"),
                "by": ruth.did,
                "guest": tale.gast.did,
                "comment": {**tale["message/guest-1"], "pin": None, "resolved": False},
                "body": DREARY,
            }
        ],
    }


def requests(tale: Tale) -> list[dict[str, Any]]:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    plan = [ref(tale, "artifact/plan-2")]
    # R6: asked by an agent about a request to nobody in particular, and answered by somebody else.
    question = {"uri": tale.uri("message/question"), "author": bot.did, "answeredBy": tale.uri("message/reply")}
    return [
        request(tale, "plan", mate, "plan", fulfilledBy=uris(tale, "artifact/plan-1", "artifact/plan-2")),
        request(
            tale,
            "review",
            ruth,
            "review",
            assignee=mate.did,
            subject=ref(tale, "artifact/plan-2"),
            fulfilledBy=uris(tale, "review/plan-2"),
        ),
        request(
            tale,
            "declined",
            ruth,
            "implementation",
            assignee=bot.did,
            basedOn=plan,
            autoReview=True,
            declinedBy=tale.uri("message/no"),
        ),
        request(
            tale,
            "build",
            ruth,
            "implementation",
            basedOn=plan,
            autoReview=False,
            fulfilledBy=uris(tale, "artifact/build"),
        ),
        request(
            tale,
            "spare",
            ruth,
            "implementation",
            basedOn=plan,
            autoReview=False,
            retractedBy=tale.uri("retractRequest/spare"),
        ),
        request(tale, "open", mate, "risk", open=True, questions=[question]),
        request(
            tale,
            "why",
            ruth,
            "answer",
            assignee=bot.did,
            subject=ref(tale, "message/why"),
            fulfilledBy=uris(tale, "message/because"),
        ),
    ]


def artifacts(tale: Tale) -> list[dict[str, Any]]:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    return [
        artifact(
            tale,
            "plan-1",
            bot,
            "plan",
            "plan",
            title="A plan",
            autoReview=True,  # R8: the project's, for the request says nothing
            reviews=[review(tale, "plan-1", ruth, "request_changes", None)],
        ),
        artifact(
            tale,
            "plan-2",
            bot,
            "plan",
            "plan",
            title="A better plan",
            prev=ref(tale, "artifact/plan-1"),
            autoReview=True,
            reviews=[review(tale, "plan-2", mate, "approve", "artifactRequest/review")],
            messages=[message(tale, "on-plan", mate)],
        ),
        # R8: the request's, against the project's
        artifact(tale, "build", bot, "implementation", "build", title="Built", autoReview=False),
    ]


def review(tale: Tale, name: str, author: Person, verdict: str, asked: str | None) -> dict[str, Any]:
    answers = ref(tale, asked) if asked is not None else None
    more = {"verdict": verdict, "pin": "held", "request": answers, "claim": None}
    return {**signed(tale, f"review/{name}", author), **more}


def messages(tale: Tale) -> list[dict[str, Any]]:
    ruth, mate, bot = tale.ruth, tale.mate, tale.bot
    return [
        message(tale, "no", bot, re=ref(tale, "artifactRequest/declined")),
        message(tale, "hello", ruth),
        message(tale, "hello-2", mate, parent=ref(tale, "message/hello"), depth=1),
        message(tale, "question", bot, re=ref(tale, "artifactRequest/open")),
        message(
            tale,
            "reply",
            ruth,
            parent=ref(tale, "message/question"),
            depth=1,
            re=ref(tale, "artifactRequest/open"),
        ),
        message(tale, "why", ruth),
        message(tale, "because", bot, parent=ref(tale, "message/why"), depth=1, re=ref(tale, "artifactRequest/why")),
    ]


def goal_2(tale: Tale) -> dict[str, Any]:
    ending = {
        "disposition": "completed",  # G1: of three, the latest
        "at": tale.at("closeGoal/g2-3"),
        "by": tale.mate.did,
        "record": tale.uri("closeGoal/g2-3"),
    }
    return {
        **signed(tale, "goal/g2", tale.mate),
        "title": "Paint it",
        "ended": True,
        "ending": ending,
        "records": uris(tale, "goal/g2", "closeGoal/g2-1", "closeGoal/g2-2", "closeGoal/g2-3"),
        **_EMPTY,
        "messages": [],
    }


_EMPTY: dict[str, list[Any]] = {"requests": [], "artifacts": [], "chains": [], "guests": []}


def annex(tale: Tale) -> dict[str, Any]:
    mate, gast = tale.mate, tale.gast
    members = [
        member(tale, mate, "human", "admin", None, "space/annex"),
        member(tale, gast, "human", "member", "addMember/annex-gast", "addMember/annex-gast"),
    ]
    return {
        **tale["space/annex"],
        "name": "Annex",
        "description": None,
        "root": mate.did,
        "records": uris(tale, "join/annex-mate", "space/annex", "addMember/annex-gast", "join/annex-gast"),
        "members": sorted(members, key=lambda each: str(each["did"])),
        "grants": [grant(tale, "addMember/annex-gast", gast, "member", mate, None)],
        "guestComments": False,
        "artifactTypes": [built_in("implementation"), built_in("plan")],
        "agents": [],
        "projects": [
            {
                **signed(tale, "project/shed", gast),
                "name": "Shed",
                "gitUrl": "https://git.example.com/shed",
                "defaultBranch": "main",
                "checks": None,
                "archived": False,
                "autoReview": {},
                "records": uris(tale, "project/shed"),
                "requests": [],
                "artifacts": [],
                "chains": [],
                "system": [],
            }
        ],
        "goals": [
            {
                **signed(tale, "goal/roof", gast),
                "project": ref(tale, "project/shed"),
                "title": "Mend the roof",
                "ended": True,
                "ending": {
                    "disposition": "parked",
                    "at": tale.at("closeGoal/roof"),
                    "by": mate.did,
                    "record": tale.uri("closeGoal/roof"),
                },
                "records": uris(tale, "goal/roof", "message/roof", "closeGoal/roof"),
                **_EMPTY,
                "messages": [message(tale, "roof", mate)],
            }
        ],
    }
