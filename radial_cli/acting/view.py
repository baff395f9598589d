"""What somebody acts upon: the index of the store, with what the outbox holds beyond it, and who acts.

Strategy: a `View` is one look. Looking again gives another `View`; the keys and the moment of the act stay the same,
so that the records that a person has seen are the records that are written, or it shows that they are others now.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import attrs

from radial_cli.acting.known import Known
from radial_cli.exits import NOT_FOUND, USAGE, Failure
from radial_cli.pictures.words import brief_title
from radial_cli.reading import Reading
from radial_cli.untrusted import one_line
from radial_core.acts.desk import Desk
from radial_core.acts.references import Found, Several, resolve
from radial_core.views import SpaceView
from radial_io.accounts.values import Account
from radial_io.writing import keys

_MOST_SUGGESTED: Final = 10


class Keys:
    """Keys for new records; `again` gives the same ones to whoever builds the act anew."""

    def __init__(self) -> None:
        self._make = keys.Keys()
        self._drawn: list[str] = []
        self._at = 0

    def __call__(self) -> str:
        """Give the next one."""
        if self._at == len(self._drawn):
            self._drawn.append(self._make())
        self._at += 1
        return self._drawn[self._at - 1]

    def again(self) -> None:
        """Begin with the first one again."""
        self._at = 0


@attrs.frozen
class Meant:
    """A short reference, and what it was taken for."""

    text: str
    kind: str
    uri: str
    name: str | None


@attrs.define
class View:
    """One look: `known` is what is known, `account` acts, `space` was named by hand. `meant` fills as one asks."""

    known: Known
    account: Account
    space: str | None
    now: str
    keys: Keys
    people: dict[str, str] = attrs.field(factory=dict)  # DIDs by handle, of those that were looked up
    meant: list[Meant] = attrs.field(factory=list)
    reading: Reading = attrs.field(init=False)

    @reading.default
    def _at_this_look(self) -> Reading:
        return self.known.reading

    @property
    def desk(self) -> Desk:
        """Give what builders of acts need."""
        return Desk(index=self.reading.index, author=self.account.did, now=self.now, keys=self.keys)

    def find(self, text: str, *kinds: str) -> str:
        """Give the URI (of a member: the DID) that a short reference means. Raises `Failure` for none and several.

        Where several kinds will do, a bare number is of the first: each kind counts for itself.
        """
        kinds = kinds[:1] if text.removeprefix("#").isdecimal() else kinds
        found = resolve(self.reading.index, text, kinds=kinds, space=self.space, handles=self.people)
        if isinstance(found, Found):
            self._note(Meant(text, found.kind, found.uri, found.name))
            return found.uri
        if isinstance(found, Several):
            raise Failure(f"{one_line(text, 200)} may mean several things here", _listed(found.candidates), USAGE)
        raise Failure(
            one_line(found.reason, 400),
            "Lists and `radial show` name what there is. What is new may need `radial sync`.",
            NOT_FOUND,
        )

    def person(self, text: str) -> str:
        """Give the DID of somebody: a DID, a handle that was looked up, a member, `@name` of an agent's profile."""
        did = text if text.startswith("did:") else self.people.get(text.removeprefix("@"))
        if did is None:
            did = self.find(text, "member")
        self._note(Meant(text, "member", did, None))
        return did

    def chosen_space(self) -> str:
        """Give the space that is meant: the one that was named, or the only one. Raises `Failure` (RK-12.9)."""
        if self.space is not None:
            return self.space
        reach = self.in_reach()
        if len(reach) == 1:
            return reach[0].uri
        if not reach:
            raise Failure(
                "no space is known here of which you are a member",
                "Name it with --space URI; `radial spaces` lists those that you joined.",
                NOT_FOUND,
            )
        listed = "; ".join(f"{brief_title(each.name)} ({each.uri})" for each in reach[:_MOST_SUGGESTED])
        raise Failure(
            f"{len(reach)} spaces are in reach, and none is guessed", f"Name one with --space: {listed}", USAGE
        )

    def in_reach(self) -> list[SpaceView]:
        """List the spaces of which the account is a member."""
        me = self.account.did
        return [each for each in self.reading.index.spaces if any(member.did == me for member in each.members)]

    def title(self, uri: str) -> str:
        """Give what a record, or a space, is called; empty for what has no name."""
        value = self.reading.value(uri)
        named = next((value[key] for key in ("title", "name") if isinstance(value.get(key), str)), "")
        return brief_title(named)

    def _note(self, meant: Meant) -> None:
        if meant.text != meant.uri and meant not in self.meant and all(each.text != meant.text for each in self.meant):
            self.meant.append(meant)


def now() -> str:
    """Give this machine's time as a datetime."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _listed(candidates: Sequence[Found]) -> str:
    shown = [f"{one_line(each.uri)}{f' “{brief_title(each.name)}”' if each.name else ''}" for each in candidates]
    more = f", and {len(shown) - _MOST_SUGGESTED} more" if len(shown) > _MOST_SUGGESTED else ""
    return f"Name one: {', '.join(shown[:_MOST_SUGGESTED])}{more}"
