"""One space of a simulated world: who founded it, who asks there, where work stands, and which agents were let in.

Strategy: every space has people of its own, and shares its agents, and so their daemons, with other spaces. Its person
is no member of any other space, and writes about what lies there all the same: that must change nothing there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.simulation.repos import ROOT

if TYPE_CHECKING:
    from tests.simulation.world import World

ANN: Final = "did:plc:ann"


def people(number: int) -> tuple[str, str]:
    """Name the root and the person of the so-many-th space; that of the first is who founded it."""
    return (ROOT, ANN) if number == 0 else (f"{ROOT}{number}", f"{ANN}{number}")


class Realm:
    """One space, with a project and two goals."""

    def __init__(self, world: World, number: int, agents: list[str]) -> None:
        self.world = world
        self.root, self.person = people(number)
        self.space = world.person(self.root, "space", name="S")
        world.person(self.root, "addMember", space=self.space, did=self.person, kind="human", role="admin")
        self.grants = {did: self._let_in(did) for did in agents}
        self.project = world.person(
            self.person, "project", space=self.space, name="P", gitUrl="https://git.example/p", defaultBranch="main",
            checks=[{"name": "t", "command": "make"}],
        )  # fmt: skip
        self.goals = [
            world.person(self.person, "goal", space=self.space, project=self.project, title="T", body="B")
            for _ in range(2)
        ]

    def _let_in(self, did: str) -> dict[str, str]:
        return self.world.person(self.root, "addMember", space=self.space, did=did, kind="agent", role="agent")

    def remove(self, did: str) -> None:
        grant = self.grants[did]
        self.world.person(self.root, "removeMember", space=self.space, did=did, membership=grant)

    def let_in_again(self, did: str) -> None:
        self.grants[did] = self._let_in(did)

    def end_goal(self, goal: dict[str, str], *, closed: bool) -> None:
        self.world.person(self.person, "closeGoal", goal=goal, closed=closed)

    def archive(self, *, archived: bool) -> None:
        self.world.person(self.person, "archiveProject", project=self.project, archived=archived)

    def members(self) -> set[str]:
        """Give who is a member, as the witness sees it."""
        view = self.world.witness.space(self.space["uri"])
        return set() if view is None else {member.did for member in view.members}
