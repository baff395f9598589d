"""`radial show` and `radial explain`: which picture fits what somebody asks about, and the same as JSON.

Strategy: a table pairs each look-up of the index with its picture; what none of them knows, another kind of record or
one that does not count, is shown field by field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from radial_cli.exits import NOT_FOUND, Failure
from radial_cli.names import short_name, unknown
from radial_cli.output import is_terminal, out, out_json, width
from radial_cli.pictures.artifact import draw_artifact
from radial_cli.pictures.goal import draw_goal
from radial_cli.pictures.happening import draw_timeline
from radial_cli.pictures.person import draw_person, is_known, person_json
from radial_cli.pictures.project import draw_project
from radial_cli.pictures.record import draw_other_versions, draw_provenance, draw_record
from radial_cli.pictures.request import draw_request
from radial_cli.pictures.space import draw_space
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_cli.untrusted import one_line
from radial_core import Index, Record
from radial_core.identifiers import is_did
from radial_core.jsonform import to_json
from radial_core.jsonviews import to_plain
from radial_core.query.happenings import timeline
from radial_core.query.web import Web

if TYPE_CHECKING:
    from radial_core.observations import Observation

_PICTURES: Final[tuple[tuple[Callable[[Index, str], Any], Callable[[Page, Any, Reading], None]], ...]] = (
    (Index.space, draw_space),
    (Index.project, draw_project),
    (Index.goal, draw_goal),
    (Index.request, draw_request),
    (Index.artifact, draw_artifact),
)


def print_picture(name: str, found: Reading, *, as_json: bool) -> None:
    """Print what stands at a URI, or who a DID is. Raises `Failure` when nothing was seen of it."""
    if is_did(name):
        _print_person(name, found, as_json=as_json)
        return
    uri = found.names.find(name)
    _require(uri, found)
    if as_json:
        out_json(_as_json(uri, found))
        return
    page = Page(width(), styled=is_terminal())
    _draw(page, uri, found)
    out(page.text())


def _print_person(did: str, found: Reading, *, as_json: bool) -> None:
    if not is_known(did, found):
        raise Failure(f"nothing here is of {one_line(did)}", status=NOT_FOUND)
    if as_json:
        out_json(person_json(did, found))
        return
    page = Page(width(), styled=is_terminal())
    draw_person(page, did, found)
    out(page.text())


def _draw(page: Page, uri: str, found: Reading) -> None:
    for look_up, picture in _PICTURES:
        if (view := look_up(found.index, uri)) is not None:
            picture(page, view, found)
            draw_other_versions(page, uri, found)
            break
    else:
        draw_record(page, uri, found)
    draw_provenance(page, uri, found)
    if found.index.space(uri) is None:  # a space tells what happened lately before it ends with its digest
        draw_timeline(page, timeline(found.index, Web(found.index), uri), found)


def _as_json(uri: str, found: Reading) -> dict[str, Any]:
    index = found.index
    view = next((view for look_up, _ in _PICTURES if (view := look_up(index, uri)) is not None), None)
    edits = next((row for row in index.edits if row.uri == uri), None)
    name = short_name(uri)
    return {
        "uri": uri,
        "kind": name.partition("/")[0] if name is not None else None,
        **_explanation(uri, index),
        "view": to_plain(view),
        "versions": [_version(seen) for seen in found.versions(uri)],
        "edits": to_plain(edits),
        "dependsOn": to_plain(index.edges(uri)),
        "upstream": list(index.upstream(uri)),
        "downstream": list(index.downstream(uri)),
        "timeline": to_plain(timeline(index, Web(index), uri)),
    }


def print_explanation(name: str, found: Reading, *, as_json: bool) -> None:
    """Print the core's explanation of what is called so. Raises `Failure` when nothing is, after the JSON."""
    uri = found.names.look_up(name)
    if uri is None:
        failure = unknown(name)
        if as_json:
            out_json({"uri": name, "verdict": "unknown", "places": [], "rule": None, "sentences": [failure.message]})
        raise failure
    if as_json:
        out_json({"uri": uri, **_explanation(uri, found.index)})
    _require(uri, found)
    if not as_json:
        page = Page(width(), styled=is_terminal())
        for sentence in found.index.explain(uri).sentences:
            page.line(sentence)
        out(page.text())


def _explanation(uri: str, index: Index) -> dict[str, Any]:
    plain = to_plain(index.explain(uri))
    return {name: plain[name] for name in ("verdict", "places", "rule", "sentences")}


def _require(uri: str, found: Reading) -> None:
    explanation = found.index.explain(uri)
    if explanation.verdict == "unknown":
        raise Failure(one_line(explanation.sentences[0]), status=NOT_FOUND)


def _version(seen: Observation) -> dict[str, Any]:
    held = {"cid": seen.cid, "value": to_json(seen.value)} if isinstance(seen, Record) else {"cid": None, "value": None}
    return {**held, "deleted": not isinstance(seen, Record), "rev": seen.rev, "seenAt": seen.seen_at}
