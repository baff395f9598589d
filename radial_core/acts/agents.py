"""Agents' profiles: published, published anew, retired (M5, V2, V5).

Strategy: a profile is the one record that is rewritten in its place, as a whole, and the one that is taken away: the
latest version counts, and a deletion ends it. Both name the version that they found, so that neither undoes another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from radial_core.acts.cautions import assigned_in, still_assigned, unchanged
from radial_core.acts.draft import Act, ActError, Removal
from radial_core.records import PREFIX
from radial_core.rulings import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from radial_core.acts.desk import Desk
    from radial_core.acts.draft import Caution
    from radial_core.views import RequestView

_COLLECTION = PREFIX + "agent"


@attrs.frozen(kw_only=True)
class Profile:
    """A profile: `name` is its record key, `models` are names with a hint of their cost, or none."""

    name: str
    handle_name: str
    harness: str
    models: tuple[tuple[str, str | None], ...] = ()
    artifact_types: tuple[str, ...] = ()


def publish_agent(desk: Desk, profile: Profile) -> Act:
    """Publish a profile, or publish it anew in the place of the one of this name (V2)."""
    models = [{"name": name} | ({"costHint": hint} if hint is not None else {}) for name, hint in profile.models]
    held = desk.index.filing.entries.get(_uri(desk, profile.name))
    draft = desk.draft(
        "agent",
        profile.name,
        None if held is None else held.cid,
        handleName=profile.handle_name,
        harness=profile.harness,
        models=models,
        artifactTypes=[*profile.artifact_types],
    )
    same = held is not None and {**held.value, "createdAt": desk.now} == draft.value
    return Act(
        verb="agent publish", space=None, drafts=(draft,), warnings=unchanged(same, "the profile says this already")
    )


def retire_agent(desk: Desk, name: str) -> Act:
    """Take a profile away (V5). Raises `ActError` when there is none of this name."""
    held = desk.index.filing.entries.get(_uri(desk, name))
    if held is None:
        raise ActError(f"you have published no profile {quoted(name)}", "absent", "Name one that you have published.")
    removal = Removal(collection=_COLLECTION, rkey=name, replaces=held.cid)
    return Act(verb="agent retire", space=None, drafts=(), removals=(removal,), warnings=_orphaned(desk, held.uri))


def _uri(desk: Desk, name: str) -> str:
    return f"at://{desk.author}/{_COLLECTION}/{name}"


def _orphaned(desk: Desk, profile: str) -> tuple[Caution, ...]:
    """Say how much is asked of the author that no other profile of theirs produces."""
    return still_assigned(_only_by(desk, profile), f"you, of types that only {profile.rpartition('/')[2]} produces,")


def _only_by(desk: Desk, profile: str) -> Iterator[RequestView]:
    for uri in sorted(desk.index.filing.spaces_of(desk.author)):
        space = desk.space(uri)
        makers = [agent for agent in space.agents if agent.did == desk.author]
        lost = {name for agent in makers if agent.uri == profile for name in agent.artifact_types}
        lost -= {name for agent in makers if agent.uri != profile for name in agent.artifact_types}
        yield from (one for one in assigned_in(space, desk.author) if one.type in lost)
