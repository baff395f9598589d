"""Virtual time, and people: who asks, answers and takes back what was asked. Spaces: see `realm`.

Strategy: one queue of events, ordered by true time and then by the order in which they were put there, so that a seed
is a history. There are one or several spaces, which share their agents and nothing else. `witness` is an observer that
misses nothing and sees everything at once: what is so, beside what each daemon believes.
"""

from __future__ import annotations

import heapq
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from radial_core import Deletion, Index, materialize
from tests.simulation.meddling import ask_for_a_review
from tests.simulation.realm import Realm, people
from tests.simulation.repos import PREFIX, Repo, observed, ref, text_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.views import RequestView

TYPES: Final = ("plan", "implementation", "review", "answer")


class World:
    """Everything outside the daemons."""

    def __init__(self, seed: int, agents: list[str], others: tuple[list[str], ...] = ()) -> None:
        """Make one in which all agents are members of the first space; `others` are those of each further one."""
        self.random = Random(seed)
        self.time = 0
        self.written_at = 0
        self.eager = 0.0  # how likely a person asks for a review as soon as something lands, there or in another space
        persons = (did for number in range(1 + len(others)) for did in people(number))
        self.repos = {did: Repo(did) for did in (*persons, *agents)}
        self.witness: Index = materialize([])
        self.poisoned: set[str] = set()  # requests at which every turn fails
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._count = count()
        self._keys = count()
        self.requests: list[str] = []
        self.realms: list[Realm] = []
        for number, members in enumerate((agents, *others)):
            self.realms.append(Realm(self, number, members))

    # Time

    def at(self, time: int, event: Callable[[], None]) -> None:
        heapq.heappush(self._events, (max(time, self.time), next(self._count), event))

    def after(self, seconds: int, event: Callable[[], None]) -> None:
        self.at(self.time + seconds, event)

    def run(self, until: int, *, done: Callable[[], bool] | None = None) -> None:
        while self._events and self._events[0][0] <= until:
            self.time, _, event = heapq.heappop(self._events)
            event()
            if done is not None and done():
                return
        self.time = max(self.time, until)

    # Writing

    def write(self, uri: str, value: dict[str, Any]) -> str:
        self.written_at = self.time
        standing = self.repos[uri.split("/")[2]].put(self.time, uri, value)
        self.witness = self.witness.extend([observed(uri, standing, text_of(self.time))])
        if ".artifact/" in uri and self.random.random() < self.eager:
            self.after(1, lambda: self._request_a_review(uri))
        if ".artifact/" in uri and len(self.realms) > 1 and self.random.random() < self.eager:
            self.after(1, lambda: self._envy(uri))
        return standing.cid

    def delete(self, uri: str) -> None:
        repo = self.repos[uri.split("/")[2]]
        if uri in repo.records:
            self.written_at = self.time
            repo.delete(self.time, uri)
            self.witness = self.witness.extend([Deletion(uri=uri, rev=repo.rev, seen_at=text_of(self.time))])

    def person(self, did: str, kind: str, /, **fields: Any) -> dict[str, str]:
        uri = uri_of(did, kind, f"{kind}-{next(self._keys)}")
        value = {"$type": PREFIX + kind, "createdAt": text_of(self.time), **fields}
        return ref(uri, self.write(uri, value))

    def ref(self, uri: str) -> dict[str, str]:
        return ref(uri, self.repos[uri.split("/")[2]].records[uri].cid)

    # Places

    @property
    def goals(self) -> list[dict[str, str]]:
        """All goals of all spaces."""
        return [goal for realm in self.realms for goal in realm.goals]

    def realm_of(self, uri: str) -> Realm:
        """Give the space of what stands at a goal."""
        goal = self.goal_of(uri)
        return next(realm for realm in self.realms if goal in realm.goals)

    def goal_of(self, uri: str) -> dict[str, str]:
        """Give the goal at which something stands."""
        home = self.repos[uri.split("/")[2]].records[uri].value["goal"]["uri"]
        return next(goal for goal in self.goals if goal["uri"] == home)

    def landed(self, realm: Realm) -> list[str]:
        """Give the artifacts that count in a space."""
        places = [goal for goal in map(self.witness.goal, (goal["uri"] for goal in realm.goals)) if goal is not None]
        return [artifact.uri for place in places for artifact in place.artifacts]

    # People

    def ask(self, kind: str, assignee: str | None, *, auto_review: bool, poisoned: bool) -> None:
        realm = self.random.choice(self.realms)
        fields: dict[str, Any] = {"goal": self.random.choice(realm.goals), "type": kind, "autoReview": auto_review}
        if assignee is not None:
            fields["assignee"] = assignee
        asked = self.person(realm.person, "artifactRequest", **fields)["uri"]
        self.requests.append(asked)
        if poisoned:
            self.poisoned.add(asked)

    def reply(self) -> None:
        """Answer every question that waits."""
        for realm in self.realms:
            for request in self.asked(realm):
                for question in request.questions:
                    if question.answered_by is None:
                        goal = self.ref(str(self.witness.place_of(request.uri)))
                        self.person(realm.person, "message", goal=goal, body="that one", parent=self.ref(question.uri))

    def retract(self, some: list[str]) -> None:
        """Let one of these requests be taken back by who asked, or of all if there is none among them."""
        if some or self.requests:
            request = self.random.choice(some or self.requests)
            self.person(self.realm_of(request).person, "retractRequest", request=self.ref(request))

    def request_a_review(self) -> None:
        """Let a person ask for the review of something that landed."""
        landed = self.landed(self.random.choice(self.realms))
        if landed:
            self._request_a_review(self.random.choice(landed))

    def _envy(self, artifact: str) -> None:
        own = self.realm_of(artifact)
        other = self.random.choice([realm for realm in self.realms if realm is not own])
        ask_for_a_review(self, other, artifact)

    def _request_a_review(self, artifact: str) -> None:
        goal = self.repos[artifact.split("/")[2]].records[artifact].value["goal"]
        realm = self.realm_of(artifact)
        uri = self.person(realm.person, "artifactRequest", goal=goal, type="review", subject=self.ref(artifact))["uri"]
        self.requests.append(uri)

    def request_an_answer(self, agent: str) -> None:
        """Let a person say something, and ask an agent to answer it."""
        realm = self.random.choice(self.realms)
        goal = self.random.choice(realm.goals)
        said = self.person(realm.person, "message", goal=goal, body="why so?")
        uri = self.person(realm.person, "artifactRequest", goal=goal, type="answer", subject=said, assignee=agent)[
            "uri"
        ]
        self.requests.append(uri)

    def asked(self, realm: Realm | None = None) -> list[RequestView]:
        """Give all requests, or those of one space, as they are."""
        places = self.goals if realm is None else realm.goals
        goals = [goal for goal in map(self.witness.goal, (goal["uri"] for goal in places)) if goal is not None]
        return [request for goal in goals for request in goal.requests]
