"""Where acts are prepared: what is known, who acts, and when.

Strategy: every reference that an act writes is made here, from the version that counts now (L4), and every target is
looked up here, so that all builders say alike what is not there. The desk makes no keys and reads no clock: both are
given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs

from radial_core.acts.draft import ActError, Draft
from radial_core.acts.nouns import noun
from radial_core.canonical import MAX_WRITTEN_BYTES, MAX_WRITTEN_DEPTH, measure
from radial_core.instants import parse_instant
from radial_core.records import PREFIX, RadialRecord, Space
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from radial_core.entries import Entry
    from radial_core.index import Index
    from radial_core.places import Holding, Shelf
    from radial_core.views import RequestView, SpaceView

_ABSENT: Final = "Fetch the repo that holds it, or explain that URI: a rule may keep it out."
_WRITABLE: Final = "Write it with whole characters and whole numbers, and shorter if it is very long."

KIND = TypeVar("KIND", bound=RadialRecord)


def _is_now(_desk: object, _field: object, now: str) -> None:
    parse_instant(now)


@attrs.frozen(kw_only=True)
class Desk:
    """Everything that a builder needs: the `index`, the DID that acts, the datetime of its clock, and new record keys.

    `now` becomes `createdAt`; `keys` gives another record key at each call. Raises `ValueError` for a `now` that is no
    datetime (L2).
    """

    index: Index = attrs.field(repr=False)
    author: str
    now: str = attrs.field(validator=_is_now)
    keys: Callable[[], str] = attrs.field(repr=False, eq=False)

    def draft(self, kind: str, rkey: str | None = None, replaces: str | None = None, /, **fields: Any) -> Draft:
        """Draft a record of a kind; fields that are None are left out.

        Raises `ActError` for what no record can hold, such as half a character.
        """
        known = {name: value for name, value in fields.items() if value is not None}
        value = {"$type": PREFIX + kind, "createdAt": self.now, **known}
        misfit = measure(value, max_depth=MAX_WRITTEN_DEPTH, max_bytes=MAX_WRITTEN_BYTES)
        if misfit is not None:
            raise ActError(f"no record can hold this: {misfit}", "unfit", _WRITABLE)
        key = self.keys() if rkey is None else rkey
        return Draft(collection=PREFIX + kind, rkey=key, value=value, replaces=replaces)

    def ref_to(self, draft: Draft) -> dict[str, str]:
        """Refer to a record that is not written yet."""
        return {"uri": draft.uri(self.author), "cid": draft.cid}

    def ref(self, uri: str, *kinds: type[RadialRecord]) -> dict[str, str]:
        """Refer to the version of a record that counts (L4). Raises `ActError` as `find` does."""
        entry = self.find(uri, *kinds)
        return {"uri": entry.uri, "cid": entry.cid}

    def find(self, uri: str, *kinds: type[KIND]) -> Entry[KIND]:
        """Give a record that counts and is of one of the kinds, if any are named. Raises `ActError` otherwise."""
        entry: Entry[Any] | None = self.index.entry(uri)
        if entry is None:
            raise ActError(f"{quoted(uri)} is no record that counts here", "absent", _ABSENT)
        if kinds and entry.record.__class__ not in kinds:
            wanted = " or ".join(noun(kind.kind) for kind in kinds)
            raise ActError(
                f"{quoted(uri)} is {noun(entry.record.kind)}: {wanted} is needed", "unfit", f"Name {wanted}."
            )
        return entry

    def space_of(self, uri: str) -> str:
        """Give the URI of the space in which a record counts. Raises `ActError` for one that counts in none."""
        return self._holding(uri).space.uri

    def place_of(self, uri: str) -> str:
        """Give the URI of the space, project or goal where a record counts. Raises `ActError` as `space_of` does."""
        return self.shelf(uri).entry.uri

    def shelf(self, uri: str) -> Shelf:
        """Give what counts at the place of a record. Raises `ActError` as `space_of` does."""
        shelf = self.index.filing.shelf_of(uri)
        if shelf is None:
            raise self._homeless(uri)
        return shelf

    def requests_at(self, uri: str) -> tuple[RequestView, ...]:
        """Show the requests at a project or goal."""
        place = self.index.goal(uri) or self.index.project(uri)
        return () if place is None else place.requests

    def space(self, uri: str) -> SpaceView:
        """Show the space in which a record counts. Raises `ActError` as `space_of` does."""
        view = self.index.space(self.space_of(uri))
        assert view is not None  # noqa: S101 - a holding has a view
        return view

    def own(self, uri: str) -> Holding:
        """Give a space by its own URI. Raises `ActError` when it is none."""
        self.find(uri, Space)
        return self._holding(uri)

    def _holding(self, uri: str) -> Holding:
        holding = self.index.filing.holding_of(uri)
        if holding is None:
            raise self._homeless(uri)
        return holding

    def _homeless(self, uri: str) -> ActError:
        """Say that a record stands in no one space, as a profile does. Raises `ActError` when there is none."""
        self.find(uri)
        return ActError(f"{quoted(uri)} stands in no space here", "unfit", "Name a record that was made in a space.")
