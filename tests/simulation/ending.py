"""The end of a history: what has to be so once everything is connected and nothing is left to do.

Strategy: of requests, artifacts and claims the witness is asked, of what a daemon has tried and spent the watch's own
count; the daemons only for the digest of what they hold, and for whether they are still at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.simulation.knowing import is_about_nothing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.simulation.daemon import Daemon
    from tests.simulation.watch import Watch

_A_WHILE: Final = 900


class Ending:
    """Looks at the end of one world."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.world = watch.world

    def is_quiet(self) -> bool:
        """Tell whether nothing is left to do, nor has been done for a while."""
        if self.world.time < self.world.written_at + _A_WHILE:
            return False
        busy = any(daemon.state.turns or daemon.state.claims for daemon in self.watch.daemons.values())
        return not busy and not self._claims_left() and not self.unanswered() and not self.unreviewed()

    def look(self) -> None:
        """Look at everything; raises `ViolationError`."""
        for name, left in (
            ("answered", self.unanswered()), ("reviewed", self.unreviewed()), ("left over", self._claims_left()),
            ("one hop", self._too_many()),
        ):  # fmt: skip
            if left:
                self.watch.no(name, f"in the end there are {left}")
        digests = {daemon.index.digest for daemon in self.watch.daemons.values()}
        if digests != {self.world.witness.digest}:
            self.watch.no("one digest", f"{sorted(digests)} and the witness {self.world.witness.digest}")

    def unanswered(self) -> list[str]:
        """Give the requests that somebody has still to answer."""
        return [
            request.uri for request in self.world.asked()
            if request.dispatchable and request.uri not in self.world.poisoned and not is_about_nothing(request)
            and any(self._hopefuls(request))
        ]  # fmt: skip

    def _hopefuls(self, request: Any) -> Iterator[Daemon]:
        """Give the daemons that could work on a request, and have neither tried nor spent as much as they may."""
        members = self.world.realm_of(request.uri).members()
        able = (one for did, one in self.watch.daemons.items() if did in members and request.assignee in (None, did))
        for one in able:
            self.watch.bill(one).looked_at(self.world.time)
            if not self.watch.is_worn_out(one, request.uri) and not self.watch.bill(one).spent(one, request.uri):
                yield one

    def unreviewed(self) -> list[str]:
        """Give what landed, is to be reviewed by itself, and for which nobody has asked in its own space."""
        witness, found = self.world.witness, list[str]()
        for realm in self.world.realms:
            members = realm.members() & self.watch.daemons.keys()
            asked = {one.subject.uri for one in self.world.asked(realm) if one.type == "review" and one.subject}
            archived = witness.project(realm.project["uri"])
            for goal in map(witness.goal, (goal["uri"] for goal in realm.goals)):
                if goal is not None and not goal.ended and archived is not None and not archived.archived:
                    wanted = (one for one in goal.artifacts if one.auto_review and one.author in members)
                    found += [one.uri for one in wanted if one.uri not in asked]
        return found

    def _claims_left(self) -> list[str]:
        claims = (uri for did in self.watch.daemons for uri in self.world.repos[did].records if ".claim/" in uri)
        return [uri for uri in claims if self.world.witness.place_of(uri) is not None]

    def _too_many(self) -> list[Any]:
        """Give everything that daemons ever asked for, if it is anything but one review for each subject."""
        logs = (entry for did in self.watch.daemons for entry in self.world.repos[did].log)
        asked = {uri: value for _, uri, value in logs if value is not None and ".artifactRequest/" in uri}
        subjects = [value.get("subject", {}).get("uri") for value in asked.values()]
        is_right = all(value["type"] == "review" for value in asked.values()) and len({*subjects}) == len(subjects)
        return [] if is_right else [*asked.values()]
