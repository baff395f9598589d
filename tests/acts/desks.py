"""Desks in the small world, and what follows when an act is carried out."""

from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

from radial_core import Deletion, Index, Record, materialize
from radial_core.acts.desk import Desk
from radial_core.acts.draft import Act, Draft
from tests.core.small_world import PREFIX, ROOT, WORLD, at

Observation = Record | Deletion


def keys(prefix: str) -> Callable[[], str]:
    """Count record keys: k1, k2 and so on."""
    numbers = count(1)
    return lambda: f"{prefix}{next(numbers)}"


def desk(author: str = ROOT, records: Iterable[Observation] = WORLD, minute: int = 90) -> Desk:
    """Let somebody sit down so many minutes after nine; keys of one minute are no keys of another."""
    prefix = "k" if minute == 90 else f"k{minute}-"
    return Desk(index=materialize(records), author=author, now=at(minute), keys=keys(prefix))


def drafted(kind: str, key: str = "k1", minute: int = 90, /, **fields: Any) -> Draft:
    """Write down a draft by hand."""
    value = {"$type": PREFIX + kind, "createdAt": at(minute), **fields}
    return Draft(collection=PREFIX + kind, rkey=key, value=value)


def recorded(author: str, *drafts: Draft) -> tuple[Record, ...]:
    """Give the observations of drafts that were written."""
    return tuple(Record(uri=one.uri(author), cid=one.cid, value=dict(one.value)) for one in drafts)


def done(author: str, act: Act, records: Iterable[Observation] = WORLD) -> Index:
    """Fold everything again, with what an act writes and takes away."""
    gone = [Deletion(uri=one.uri(author), rev="3kaaaaaaaaaz2", seen_at="2027-01-01T00:00:00Z") for one in act.removals]
    return materialize([*records, *recorded(author, *act.drafts), *gone])


def codes(act: Act) -> list[str]:
    """Give the codes of what is said before an act."""
    return [caution.code for caution in act.warnings]
