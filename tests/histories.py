"""Histories of a small, crowded world, for property tests.

Strategy: few people, few keys, few instants, so that everything collides: edits in place, deletions, missing revisions,
equal times in several spellings, references that miss, dangle, cross anchors or run in circles, members who go and come
back, records of every kind by everybody, valid or not. A history is a list of observations in wire form (O1, O2). The
maker asks one question only, `pick one of these`, so that Hypothesis can answer it (and shrink) or a seeded `Random`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.oracle.canonical import cid_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PREFIX = "com.disnetdev.radial."
ROOT, ADA, BEN, BOT, EVE = (f"did:plc:{name}" for name in ("root", "ada", "ben", "bot", "eve"))
PEOPLE = (ROOT, ROOT, ROOT, ADA, ADA, BEN, BOT, BOT, EVE)
KEYS = ("a", "B", "b-", "b_")
TIMES = (
    "2026-03-01T10:00:00Z",
    "2026-03-01T11:00:00.000+01:00",
    "2026-03-01T10:00:00.000000001Z",
    "2026-03-01T10:20:00Z",
    "2026-03-01T10:59:59.999Z",
    "2026-03-01T11:00:00Z",
    "2026-03-02T09:00:00-00:30",
    "2026-03-02T10:00:00.5Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.9-12:00",
)
# Ends of leases: in the contract for most of the times above.
ENDS = (
    "2026-03-01T10:30:00Z",
    "2026-03-01T10:59:00Z",
    "2026-03-01T11:00:00Z",
    "2026-03-01T11:19:59.9Z",
    "2026-03-02T10:00:00Z",
)
REVS = (None, None, "3kaaaaaaaaaa2", "3kaaaaaaaaab2", "3kaaaaaaaaac2")
SEEN = (None, None, "2026-03-03T00:00:00Z", "2026-03-03T01:00:00+01:00", "2026-03-03T00:00:01Z")
TYPES = ("plan", "plan", "implementation", "review", "review", "answer", "answer", "audit", "\U0001f600", "\uffee")
UNSEEN = "bafyreiaunseenunseenunseenunseenunseenunseenunseenunseenun"
ANY = "any"

# For each kind: field → what may stand there. A tuple is a choice; a callable asks the maker.
Maker = Any


def _ref(*kinds: str) -> Callable[[Maker], Any]:
    return lambda maker: maker.reference(kinds)


def _sometimes(field: Any) -> Callable[[Maker], Any]:
    return lambda maker: maker.value(field) if maker.pick((True, False)) else None


def _one_of(**fields: Any) -> Callable[[Maker], Any]:
    def choose(maker: Maker) -> dict[str, Any]:
        name = maker.pick(tuple(fields))
        return {name: maker.value(fields[name])}

    return choose


def _several(field: Any) -> Callable[[Maker], Any]:
    return lambda maker: [maker.value(field) for _ in range(maker.pick((0, 1, 2)))]


_WORDS = ("one", "two", "\U0001f600", "\uffee")
_BOOL = (True, False)
_CLAIMED = {"claim": _sometimes(_ref("claim")), "model": _sometimes(_WORDS)}
_GOAL_OR_PROJECT = _one_of(goal=_ref("goal"), project=_ref("project"))
FIELDS: dict[str, dict[str, Any]] = {
    "space": {"name": _WORDS, "description": _sometimes(_WORDS)},
    "addMember": {
        "space": _ref("space"),
        "did": PEOPLE,
        "kind": ("human", "agent"),
        "role": ("admin", "admin", "member", "agent"),
    },
    "removeMember": {"space": _ref("space"), "did": PEOPLE, "membership": _ref("addMember")},
    "join": {"space": _ref("space")},
    "project": {
        "space": _ref("space"),
        "name": _WORDS,
        "gitUrl": ("https://git.example/x",),
        "defaultBranch": ("main",),
        "autoReview": _sometimes(({}, {"plan": True}, {"plan": False, "implementation": True})),
        "checks": _sometimes(([], [{"name": "t", "command": "make"}])),
    },
    "setAutoReview": {"project": _ref("project"), "type": TYPES, "enabled": _BOOL},
    "editProject": {"project": _ref("project"), "name": _WORDS, "defaultBranch": _sometimes(_WORDS)},
    "archiveProject": {"project": _ref("project"), "archived": _BOOL},
    "goal": {
        "space": _ref("space"),
        "project": _ref("project"),
        "title": _WORDS,
        "body": _WORDS,
        "closed": _sometimes(_BOOL),
    },
    "closeGoal": {"goal": _ref("goal"), "closed": _BOOL, "disposition": _sometimes(_WORDS)},
    "archiveGoal": {"goal": _ref("goal"), "archived": _BOOL},
    "artifactType": {
        "space": _ref("space"),
        "name": TYPES,
        "brief": _WORDS,
        "outputSpec": _WORDS,
        "scope": ("goal", "project"),
    },
    "artifactRequest": {
        "": _GOAL_OR_PROJECT,
        "type": TYPES,
        "subject": _sometimes(_ref("artifact", "message")),
        "basedOn": _sometimes(_several(_ref(ANY))),
        "assignee": _sometimes(PEOPLE),
        "autoReview": _sometimes(_BOOL),
    },
    "retractRequest": {"request": _ref("artifactRequest")},
    "claim": {"request": _ref("artifactRequest"), "renewedAt": _sometimes(TIMES), "expiresAt": ENDS},
    "artifact": {
        "": _GOAL_OR_PROJECT,
        "request": _ref("artifactRequest"),
        "type": TYPES,
        "prev": _sometimes(_ref("artifact")),
        "title": _sometimes(_WORDS),
        "body": _WORDS,
        **_CLAIMED,
    },
    "review": {
        "subject": _ref("artifact"),
        "request": _sometimes(_ref("artifactRequest")),
        "verdict": ("approve", "request_changes"),
        **_CLAIMED,
    },
    "checkrun": {
        "artifact": _ref("artifact"),
        "commit": _WORDS,
        "results": _several(({"name": "t", "pass": True}, {"name": "u", "pass": False})),
    },
    "merge": {"artifact": _ref("artifact"), "pr": ("https://git.example/x/1",), "mergedAt": _sometimes(TIMES)},
    "message": {
        "": _one_of(goal=_ref("goal"), artifact=_ref("artifact")),
        "parent": _sometimes(_ref("message")),
        "root": _sometimes(_ref("message")),
        "body": _WORDS,
        "re": _sometimes(_ref("artifactRequest")),
        "declines": _sometimes(_BOOL),
        **_CLAIMED,
    },
    "agent": {
        "handleName": _WORDS,
        "harness": _WORDS,
        "models": _several(({"name": "m"}, {"name": "n", "costHint": "low"})),
        "artifactTypes": _several(TYPES),
    },
    "image": {
        "blob": (
            {
                "$type": "blob",
                "ref": {"$link": "bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity"},
                "mimeType": "image/png",
                "size": 9,
            },
        )
    },
    "setGuestComments": {"space": _ref("space"), "enabled": _BOOL},
    "blessComment": {"goal": _ref("goal"), "comment": _ref("message"), "body": _WORDS},
    "retractBless": {"bless": _ref("blessComment")},
}
# What a history is made of: the kinds that carry a space weigh more.
_MIX = (*FIELDS, "artifactRequest", "artifactRequest", "claim", "claim", "artifact", "artifact", "message", "message",
        "message", "review", "addMember", "addMember", "removeMember", "goal")  # fmt: skip
_FOUNDATION = (
    "space",
    *("addMember",) * 4,
    "project",
    "project",
    "goal",
    "goal",
    *("artifactRequest",) * 3,
    "artifact",
)
_BAD_URIS = (
    "at://ada.example/com.disnetdev.radial.goal/a",
    "at://did:plc:ada/com.disnetdev.radial.goal",
    "at://did:plc:ada/app.bsky.feed.post/a",
    "at://did:plc:ada/com.disnetdev.radial.goal/..",
    "",
)


class HistoryMaker:
    """Makes one history with the answers that `pick` gives."""

    def __init__(self, pick: Callable[[Sequence[Any]], Any]) -> None:
        self.pick = pick
        self.observations: list[dict[str, Any]] = []
        self.cids: dict[str, dict[str, list[str]]] = {}  # kind → URI → CIDs seen there

    def history(self, extra: int) -> list[dict[str, Any]]:
        for kind in _FOUNDATION:
            self.create(kind)
        for _ in range(extra):
            self.pick(_STEPS)(self)
        return self.observations

    def create(self, kind: str) -> None:
        author = ROOT if kind == "space" or (kind == "addMember" and self.pick((True, False))) else self.pick(PEOPLE)
        self.see(kind, f"at://{author}/{PREFIX}{kind}/{self.pick(KEYS)}", self.record(kind))

    def create_any(self) -> None:
        self.create(self.pick(_MIX))

    def rewrite(self) -> None:
        """Another version at a URI where something stands: a new one, or one that differs in a field."""
        kind = self.pick(tuple(self.cids))
        uri = self.pick(tuple(self.cids[kind]))
        earlier = self.values_at(uri)
        value = self.record(kind) if not earlier or self.pick((True, False, False)) else dict(self.pick(earlier))
        fresh = self.record(kind)
        field = self.pick(tuple(fresh))
        value[field] = fresh[field]
        self.see(kind, uri, value)

    def renew(self) -> None:
        """The two rewrites that are sanctioned: a claim's lease, a goal's legacy ending."""
        kind = self.pick(("claim", "goal"))
        uris = tuple(self.cids.get(kind, ()))
        if not uris:
            self.create(kind)
            return
        uri = self.pick(uris)
        value = dict(self.pick(self.values_at(uri) or (self.record(kind),)))
        value |= (
            {"closed": self.pick(_BOOL)}
            if kind == "goal"
            else {"renewedAt": self.pick(TIMES), "expiresAt": self.pick(ENDS)}
        )
        self.see(kind, uri, value)

    def values_at(self, uri: str) -> list[dict[str, Any]]:
        return [one["value"] for one in self.observations if one["uri"] == uri and isinstance(one.get("value"), dict)]

    def repeat(self) -> None:
        """The same version seen again, in another revision or at another time."""
        again = dict(self.pick(self.observations))
        self.observations.append(self.sighted({key: again[key] for key in again if key not in ("rev", "seenAt")}))

    def delete(self) -> None:
        kind = self.pick(tuple(self.cids))
        uri = self.pick((*self.cids[kind], f"at://{BEN}/{PREFIX}{kind}/gone"))
        self.observations.append(self.sighted({"uri": uri, "deleted": True}))

    def spoil(self) -> None:
        """A version that is no valid record, or a URI that is none of ours."""
        kind = self.pick(tuple(FIELDS))
        value: Any = self.record(kind)
        value[self.pick(tuple(value))] = self.pick((None, 7, "", {}, [], "9999"))
        uri = f"at://{self.pick(PEOPLE)}/{PREFIX}{kind}/{self.pick(KEYS)}"
        self.see(kind, self.pick((uri, uri, uri, *_BAD_URIS)), self.pick((value, value, value, "text", 5, [], {})))

    def see(self, kind: str, uri: str, value: Any) -> None:
        cid = cid_of(value)
        if uri.startswith("at://did:") and uri.count("/") == 4:
            self.cids.setdefault(kind, {}).setdefault(uri, []).append(cid)
        self.observations.append(self.sighted({"uri": uri, "cid": cid, "value": value}))

    def sighted(self, observation: dict[str, Any]) -> dict[str, Any]:
        rev, seen_at = self.pick(REVS), self.pick(SEEN)
        observation |= {"rev": rev} if rev is not None else {}
        return observation | ({"seenAt": seen_at} if seen_at is not None else {})

    def record(self, kind: str) -> dict[str, Any]:
        value: dict[str, Any] = {"$type": PREFIX + kind, "createdAt": self.pick(TIMES)}
        for field, choice in FIELDS[kind].items():
            made = self.value(choice)
            if field == "":
                value |= made
            elif made is not None:
                value[field] = made
        return value

    def value(self, choice: Any) -> Any:
        return choice(self) if callable(choice) else self.pick(choice)

    def reference(self, kinds: tuple[str, ...]) -> dict[str, str]:
        kind = self.pick(kinds if kinds != (ANY,) else tuple(self.cids))
        known = tuple(self.cids.get(kind, ()))
        nowhere = f"at://{self.pick(PEOPLE)}/{PREFIX}{kind}/{self.pick(KEYS)}"
        uri = self.pick((*known * 6, nowhere))
        return {"uri": uri, "cid": self.pick((*self.cids.get(kind, {}).get(uri, ()), UNSEEN))}


_STEPS = (
    *(HistoryMaker.create_any,) * 12,
    *(HistoryMaker.rewrite,) * 2,
    HistoryMaker.renew,
    HistoryMaker.repeat,
    HistoryMaker.delete,
    HistoryMaker.spoil,
)


@cache
def _among(options: int) -> st.SearchStrategy[int]:
    return st.integers(0, options - 1)


@st.composite
def histories(draw: st.DrawFn, most: int = 40) -> list[dict[str, Any]]:
    """Draw a history in wire form."""
    maker = HistoryMaker(lambda options: options[draw(_among(len(options)))])
    return maker.history(draw(st.integers(0, most)))
