"""A person or an agent: in which spaces, with which role, what became of it, and what they wrote lately.

Strategy: somebody is their DID. What is shown is what the index has of it, space by space: the grants with who gave and
who ended them, the profiles, and the latest of their records that count.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from radial_cli.names import author_of
from radial_cli.pictures.happening import draw_timeline
from radial_cli.pictures.words import brief_title, brief_type, counted, listed, member_note, member_role, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_core.jsonviews import to_plain
from radial_core.query.happenings import lately
from radial_core.views import AgentView, GrantView, SpaceView

_LATELY: Final = 30


def is_known(did: str, reading: Reading) -> bool:
    """Tell whether anything was seen of a DID."""
    return any(author_of(seen.uri) == did for seen in reading.observed) or bool(_spaces(did, reading))


def draw_person(page: Page, did: str, reading: Reading) -> None:
    """Draw somebody."""
    page.line((did, "title"))
    for space in _spaces(did, reading):
        page.gap()
        page.line([(brief_title(space.name), "title"), (f"  {space.uri}", "quiet")], hang=4)
        page.line(_standing(did, space, reading), indent=2)
        page.columns(_grants(did, space, reading), indent=4)
    for agent in _profiles(did, reading):
        page.gap()
        does = listed(map(brief_type, agent.artifact_types)) or "nothing"
        page.line([("Profile ", "quiet"), brief_title(agent.profile), f": {brief_title(agent.harness)}, for {does}"])
    ignored = _ignored(did, reading)
    if ignored:
        page.gap()
        page.line((f"{counted(ignored, 'record')} of theirs {'is' if ignored == 1 else 'are'} ignored", "wait"))
    draw_timeline(page, lately(reading.index, _LATELY, by=did).notes, reading, title="Lately")


def person_json(did: str, reading: Reading) -> dict[str, Any]:
    """Give the same with the documented keys."""
    return {
        "did": did,
        "spaces": [_in_space(did, space) for space in _spaces(did, reading)],
        "profiles": to_plain(tuple(_profiles(did, reading))),
        "ignored": _ignored(did, reading),
        "lately": to_plain(lately(reading.index, _LATELY, by=did).notes),
    }


def _in_space(did: str, space: SpaceView) -> dict[str, Any]:
    member = next((member for member in space.members if member.did == did), None)
    grants = tuple(grant for grant in space.grants if grant.did == did)
    return {"uri": space.uri, "member": to_plain(member), "grants": to_plain(grants)}


def _spaces(did: str, reading: Reading) -> list[SpaceView]:
    """Give the spaces of which somebody is, or was, a member."""
    return [space for space in reading.index.spaces if did in {space.root, *(grant.did for grant in space.grants)}]


def _profiles(did: str, reading: Reading) -> Iterator[AgentView]:
    found = {agent.uri: agent for space in reading.index.spaces for agent in space.agents if agent.did == did}
    yield from found.values()


def _ignored(did: str, reading: Reading) -> int:
    return sum(author_of(row.uri) == did for row in reading.index.ignored)


def _standing(did: str, space: SpaceView, reading: Reading) -> Parts:
    for member in space.members:
        if member.did == did:
            notes = filter(None, (f"since {moment(member.since, reading)}", member_note(member, space)))
            return [(member_role(member, space), "good"), f", {', '.join(notes)}"]
    return ("no member any more: what they wrote is not shown", "bad")


def _grants(did: str, space: SpaceView, reading: Reading) -> Iterator[list[Parts]]:
    for grant in space.grants:
        if grant.did == did:
            role = f"{grant.kind}, {grant.role}" if grant.kind != grant.role else grant.role
            given: list[Part] = [f"granted {moment(grant.at, reading)} by ", (reading.names.did(grant.by), "name")]
            yield [role, [*given, *_end(grant, reading)]]


def _end(grant: GrantView, reading: Reading) -> list[Part]:
    if grant.ended_by is None:
        return []
    word = "revoked" if grant.state == "revoked" else "replaced"
    when = moment(reading.value(grant.ended_by)["createdAt"], reading)
    return [f", {word} {when} by ", (reading.names.author(grant.ended_by), "name")]
