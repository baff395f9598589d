"""Virtual time, and the people of a space: who asks, answers, retracts, ends, archives, removes and lets in again.

Strategy: one queue of events, ordered by true time and then by the order in which they were put there, so that a seed
is a history. `witness` is an observer that misses nothing and sees everything at once: what is so, beside what each
daemon believes.
"""

from __future__ import annotations

import heapq
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any, Final

from radial_core import Deletion, Index, materialize
from tests.simulation.repos import PREFIX, ROOT, Repo, observed, ref, text_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.views import RequestView

ANN: Final = "did:plc:ann"
TYPES: Final = ("plan", "implementation", "review", "answer")


class World:
    """Everything outside the daemons."""

    def __init__(self, seed: int, agents: list[str]) -> None:
        self.random = Random(seed)
        self.time = 0
        self.written_at = 0
        self.eager = 0.0  # how likely a person asks for a review as soon as something lands
        self.repos = {did: Repo(did) for did in (ROOT, ANN, *agents)}
        self.witness: Index = materialize([])
        self.poisoned: set[str] = set()  # requests at which every turn fails
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._count = count()
        self._keys = count()
        self._found(agents)

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

    # People

    def _found(self, agents: list[str]) -> None:
        self.space = self.person(ROOT, "space", name="S")
        self.person(ROOT, "addMember", space=self.space, did=ANN, kind="human", role="admin")
        self.grants = {did: self._let_in(did) for did in agents}
        self.project = self.person(
            ANN, "project", space=self.space, name="P", gitUrl="https://git.example/p", defaultBranch="main",
            checks=[{"name": "t", "command": "make"}],
        )  # fmt: skip
        self.goals = [
            self.person(ANN, "goal", space=self.space, project=self.project, title="T", body="B") for _ in range(2)
        ]
        self.requests: list[str] = []

    def _let_in(self, did: str) -> dict[str, str]:
        return self.person(ROOT, "addMember", space=self.space, did=did, kind="agent", role="agent")

    def ask(self, kind: str, assignee: str | None, *, auto_review: bool, poisoned: bool) -> None:
        fields: dict[str, Any] = {"goal": self.random.choice(self.goals), "type": kind, "autoReview": auto_review}
        if assignee is not None:
            fields["assignee"] = assignee
        asked = self.person(ANN, "artifactRequest", **fields)["uri"]
        self.requests.append(asked)
        if poisoned:
            self.poisoned.add(asked)

    def reply(self) -> None:
        """Answer every question that waits."""
        for request in self.asked():
            for question in request.questions:
                if question.answered_by is None:
                    goal = ref(str(self.witness.place_of(request.uri)), self.goals[0]["cid"])
                    self.person(ANN, "message", goal=goal, body="that one", parent=self.ref(question.uri))

    def retract(self) -> None:
        if self.requests:
            self.person(ANN, "retractRequest", request=self.ref(self.random.choice(self.requests)))

    def end_goal(self, *, closed: bool) -> None:
        self.person(ANN, "closeGoal", goal=self.random.choice(self.goals), closed=closed)

    def archive(self, *, archived: bool) -> None:
        self.person(ANN, "archiveProject", project=self.project, archived=archived)

    def remove(self, did: str) -> None:
        self.person(ROOT, "removeMember", space=self.space, did=did, membership=self.grants[did])

    def let_in_again(self, did: str) -> None:
        self.grants[did] = self._let_in(did)

    def request_a_review(self) -> None:
        """Let a person ask for the review of something that landed."""
        places = [goal for goal in map(self.witness.goal, (goal["uri"] for goal in self.goals)) if goal is not None]
        landed = [artifact.uri for place in places for artifact in place.artifacts]
        if landed:
            self._request_a_review(self.random.choice(landed))

    def _request_a_review(self, artifact: str) -> None:
        goal = self.repos[artifact.split("/")[2]].records[artifact].value["goal"]
        uri = self.person(ANN, "artifactRequest", goal=goal, type="review", subject=self.ref(artifact))["uri"]
        self.requests.append(uri)

    def request_an_answer(self, agent: str) -> None:
        """Let a person say something, and ask an agent to answer it."""
        goal = self.random.choice(self.goals)
        said = self.person(ANN, "message", goal=goal, body="why so?")
        uri = self.person(ANN, "artifactRequest", goal=goal, type="answer", subject=said, assignee=agent)["uri"]
        self.requests.append(uri)

    def asked(self) -> list[RequestView]:
        """Give all requests as they are."""
        goals = [goal for goal in map(self.witness.goal, (goal["uri"] for goal in self.goals)) if goal is not None]
        return [request for goal in goals for request in goal.requests]
