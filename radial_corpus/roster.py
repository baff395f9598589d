"""Who is in a space, as its writers need to know it.

Strategy: the corpus plays the membership log forward (T2, T3), so that it knows at every moment who may write what, and
can then let the right people follow the rules and the wrong people break them. Some members are there for a while only:
they take part in conversations and nothing hangs on them, so that their removal hides little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from radial_corpus.words import slug

if TYPE_CHECKING:
    from radial_corpus.dice import Dice
    from radial_corpus.pen import Written

_LETTERS: Final = "234567abcdefghijklmnopqrstuvwxyz"
_NAME: Final = 24  # letters of a did:plc
_ON_THE_WEB: Final = 0.08
_STRANGERS: Final = 5


def new_did(dice: Dice) -> str:
    """Make up somebody."""
    if dice.chance(_ON_THE_WEB):
        return f"did:web:{slug(dice)}.example"
    return "did:plc:" + "".join([dice.pick(_LETTERS) for _ in range(_NAME)])


class Member(NamedTuple):
    """A member and the grant that makes it one."""

    did: str
    kind: str
    role: str
    grant: Written


class Roster:
    """The members of a space now, its guests on leave, and the strangers who write to it all the same."""

    def __init__(self, dice: Dice, root: str) -> None:
        self.dice = dice
        self.root = root
        self.members: dict[str, Member] = {}
        self.visitors: list[str] = []  # members for a while, or no longer
        self.strangers = [new_did(dice) for _ in range(_STRANGERS)]
        self._admins: list[str] = []
        self._plain: list[str] = []
        self._humans: list[str] = []
        self._agents: list[str] = []
        self._sort()

    def enter(self, member: Member) -> None:
        """Take note of a grant; it replaces the one before."""
        self.members[member.did] = member
        self._sort()

    def leave(self, did: str) -> None:
        """Take note of a removal."""
        del self.members[did]
        self._sort()

    def _sort(self) -> None:
        staff = [member for member in self.members.values() if member.did not in self.visitors]
        self._admins = [self.root, *(member.did for member in staff if member.role == "admin")]
        self._plain = [member.did for member in staff if member.role != "admin"]
        self._humans = [self.root, *(member.did for member in staff if member.kind == "human")]
        self._agents = [member.did for member in staff if member.kind == "agent"]

    def human(self) -> str:
        """Draw a person."""
        return self.dice.pick(self._humans)

    def agent(self) -> str:
        """Draw an agent."""
        return self.dice.pick(self._agents)

    def anybody(self) -> str:
        """Draw a person or an agent, people rather."""
        return self.human() if self.dice.chance(0.6) else self.agent()

    def admin(self) -> str:
        """Draw an admin; root is one."""
        return self.dice.pick(self._admins)

    def plain(self, *others: str) -> str:
        """Draw a member who is no admin and none of the others."""
        return self.dice.pick([did for did in self._plain if did not in others])

    def other_agents(self, *others: str) -> list[str]:
        """List the agents who are none of the others."""
        return [did for did in self._agents if did not in others]

    def stranger(self) -> str:
        """Draw somebody who is no member and never was."""
        return self.dice.pick(self.strangers)

    def talker(self) -> str:
        """Draw somebody for a conversation: now and then a visitor, who may have left since."""
        if self.visitors and self.dice.chance(0.06):
            return self.dice.pick(self.visitors)
        return self.anybody()

    def can_spare(self) -> list[Member]:
        """List the plain people of whom one may be promoted or sent away for a while: some always stay."""
        plain = [self.members[did] for did in self._plain if self.members[did].kind == "human"]
        return plain[2:]
