"""Where two indexes differ: a walk down both digest trees (D2).

Strategy: equal digests end the walk; so what is looked at is what differs. A space that differs is compared by what its
digest covers beside its projects and goals, then each of those by its own digest. At the bottom stand records: those
that one side lacks, and those that count in another version. The walk says what is so and not who is right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from radial_core.views import GoalView, ProjectView, SpaceView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from radial_core.entries import Entry

    Lookup: TypeAlias = Callable[[str], Entry[Any] | None]

_Place = TypeVar("_Place", ProjectView, GoalView)


@attrs.frozen
class Difference:
    """One space, project or goal (`uri`, of `kind`) whose own records differ.

    `only_here` and `only_there` are the URIs of records that count on one side alone; `changed` count on both, in
    different versions. All three empty: the records are the same and something read off them is not (as when one side
    has seen a goal's legacy `closed`).
    """

    kind: str
    uri: str
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    changed: tuple[str, ...]


def differences(
    here: Iterable[SpaceView], there: Iterable[SpaceView], find_here: Lookup, find_there: Lookup
) -> tuple[Difference, ...]:
    """Name every place that differs: spaces by URI, each followed by its projects and goals by URI.

    Only spaces whose digests differ are given: the others end the walk before anything is shown of them.
    """
    walk = _Walk(find_here, find_there)
    return tuple(walk.spaces({space.uri: space for space in here}, {space.uri: space for space in there}))


class _Walk:
    def __init__(self, find_here: Lookup, find_there: Lookup) -> None:
        self.find_here, self.find_there = find_here, find_there

    def spaces(self, here: Mapping[str, SpaceView], there: Mapping[str, SpaceView]) -> Iterator[Difference]:
        for uri in sorted(here.keys() | there.keys()):
            mine, theirs = here.get(uri), there.get(uri)
            if mine is None or theirs is None or _own(mine) != _own(theirs):
                yield self.compare("space", uri, mine, theirs)
            projects = (_by_uri(side.projects if side is not None else ()) for side in (mine, theirs))
            goals = (_by_uri(side.goals if side is not None else ()) for side in (mine, theirs))
            yield from self.places("project", *projects)
            yield from self.places("goal", *goals)

    def places(self, kind: str, here: Mapping[str, _Place], there: Mapping[str, _Place]) -> Iterator[Difference]:
        for uri in sorted(here.keys() | there.keys()):
            mine, theirs = here.get(uri), there.get(uri)
            if mine is None or theirs is None or mine.digest != theirs.digest:
                yield self.compare(kind, uri, mine, theirs)

    def compare(
        self,
        kind: str,
        uri: str,
        mine: SpaceView | ProjectView | GoalView | None,
        theirs: SpaceView | ProjectView | GoalView | None,
    ) -> Difference:
        here = set(mine.records) if mine is not None else set[str]()
        there = set(theirs.records) if theirs is not None else set[str]()
        changed = {shared for shared in here & there if self.cids_differ(shared)}
        return Difference(kind, uri, *(tuple(sorted(uris)) for uris in (here - there, there - here, changed)))

    def cids_differ(self, uri: str) -> bool:
        mine, theirs = self.find_here(uri), self.find_there(uri)
        # D1: a claim enters by its URI alone; a renewal is no difference.
        return mine is not None and theirs is not None and mine.cid != theirs.cid and mine.record.kind != "claim"


def _own(space: SpaceView) -> tuple[object, ...]:
    """Give what a space's digest covers of the space itself (D2); who joined is no part of it (D1)."""
    members = tuple((member.did, member.kind, member.role, member.grant) for member in space.members)
    return space.cid, members, space.grants, space.artifact_types, space.guest_comments, space.agents


def _by_uri(views: Iterable[_Place]) -> dict[str, _Place]:
    return {view.uri: view for view in views}
