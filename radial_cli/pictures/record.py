"""Any record, field by field; and what stands behind one: where it counts, what it came from, what else was seen.

Strategy: a record of any kind can be read here, whether it counts or not. The fields are shown as they are written,
references by name with what they meet (L4), long texts as prose. The core's explanation says why it counts or does not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from radial_cli.names import author_of, short_name
from radial_cli.pictures.ignored import EDITS
from radial_cli.pictures.text import draw_text
from radial_cli.pictures.words import listed, moment
from radial_cli.reading import Reading
from radial_cli.render import Page, Part, Parts
from radial_core import Record
from radial_core.canonical import measure
from radial_core.jsonform import to_json

if TYPE_CHECKING:
    from radial_core.observations import Observation

_PROSE: Final = frozenset({"body", "brief", "description", "outputSpec"})
_SAID_ALREADY: Final = frozenset({"$type", "createdAt"})
_MOST: Final = 20
_LONGEST_ODDITY: Final = 400


def draw_record(page: Page, uri: str, reading: Reading) -> None:
    """Draw a record that has no picture of its own, or does not count."""
    kind = (short_name(uri) or "").partition("/")[0] or "record"
    explanation = reading.index.explain(uri)
    page.line([(f"Record: {kind}", "title"), ("  ignored", "bad") if explanation.verdict == "ignored" else ""])
    page.line((uri, "quiet"))
    value = reading.value(uri) or _first_value(uri, reading)
    made = [f", {moment(value['createdAt'], reading)}"] if reading.value(uri) else []
    page.line([("By ", "quiet"), (reading.names.did(author_of(uri)), "name"), *made])
    page.gap()
    for sentence in explanation.sentences:
        page.line(reading.names.within(sentence))
    _draw_fields(page, value, reading)


def _first_value(uri: str, reading: Reading) -> Any:
    """Give what a record that does not count holds, in the first of its versions here."""
    return next((seen.value for seen in reading.versions(uri) if isinstance(seen, Record)), {})


def _draw_fields(page: Page, value: Any, reading: Reading) -> None:
    if not isinstance(value, dict) or measure(value) is not None:  # L6: too deep or too long to be looked at whole
        if value != {}:
            page.gap()
            page.line(("Its value is not shown: it is not that of any record.", "quiet"))
        return
    shown = {name: item for name, item in value.items() if name not in _SAID_ALREADY}
    rows = [
        ((f"{name}:", "quiet"), parts)
        for name, item in shown.items()
        if name not in _PROSE
        for parts in _field(item, reading)
    ]
    if rows:
        page.gap()
        page.columns(rows)
    for name in shown.keys() & _PROSE:
        page.gap()
        draw_text(page, str(shown[name]), reading)


def _field(item: Any, reading: Reading) -> Iterator[Parts]:
    if isinstance(item, list):
        for inner in item:
            yield from _field(inner, reading)
    elif isinstance(item, dict) and item.keys() == {"uri", "cid"} and isinstance(item["uri"], str):
        yield _reference(item, reading)
    elif isinstance(item, str):
        yield reading.names.did(item)
    elif isinstance(item, dict) and all(isinstance(inner, str | int) for inner in item.values()):
        yield ", ".join(f"{name}: {_word(inner)}" for name, inner in item.items())
    else:
        yield _word(item)


def _word(item: Any) -> str:
    return item if isinstance(item, str) else json.dumps(to_json(item), ensure_ascii=False)[:_LONGEST_ODDITY]


def _reference(item: dict[str, Any], reading: Reading) -> Parts:
    entry = reading.index.entry(item["uri"])
    parts: list[Part] = [reading.names.record(item["uri"])]
    if entry is None:
        return [*parts, (" (which is not here or does not count)", "wait")]
    return parts if entry.cid == item["cid"] else [*parts, (" (another version of it)", "wait")]


def draw_provenance(page: Page, uri: str, reading: Reading) -> None:
    """Draw what a record came from and what came of it, through any number of steps (N2)."""
    _draw_names(page, "Came from", reading.index.upstream(uri), reading)
    _draw_names(page, "Led to", reading.index.downstream(uri), reading)


def draw_other_versions(page: Page, uri: str, reading: Reading) -> None:
    """Draw what else was seen at the URI of a record that counts, and in which fields it differs (V6)."""
    row = next((row for row in reading.index.edits if row.uri == uri), None)
    if row is None:
        return
    page.heading("Edits and deletions")
    for other in row.others:
        fields = _differing(other.cid, reading.value(uri), reading.versions(uri))
        page.line([(other.cid, "quiet")], indent=2)
        page.line(f"{EDITS[other.reason]}; it differs in {listed(fields)}", indent=4)
    if row.deleted:
        page.line("It was deleted, and nothing was seen since.", indent=2)


def _differing(cid: str, kept: dict[str, Any], versions: Iterable[Observation]) -> list[str]:
    other = next((seen.value for seen in versions if isinstance(seen, Record) and seen.cid == cid), None)
    if not isinstance(other, dict):
        return ["everything"]
    return sorted(name for name in kept.keys() | other.keys() if kept.get(name) != other.get(name)) or [
        "nothing visible"
    ]


def _draw_names(page: Page, heading: str, uris: Sequence[str], reading: Reading) -> None:
    if not uris:
        return
    page.heading(heading, f"({len(uris)})")
    for uri in uris[:_MOST]:
        page.line([reading.names.record(uri), (f"  by {reading.names.author(uri)}", "quiet")], indent=2)
    if len(uris) > _MOST:
        page.line((f"and {len(uris) - _MOST} more", "quiet"), indent=2)
