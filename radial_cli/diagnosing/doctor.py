"""`radial doctor`: what is wrong, in the order in which it should be put right.

Strategy: first whether there is a store that can be read at all, and the outbox beside it, then what is in the store.
Nothing is written, also not into a store of an older schema, and nobody is asked: what servers said is in the store.
Levels: a `fault` keeps something out of the index or will; a `warning` may; a `note` is good to know.
"""

from __future__ import annotations

from typing import Final

import attrs

from radial_cli.diagnosing.file import file_findings
from radial_cli.diagnosing.findings import FAULT, NOTE, WARNING, Finding, findings
from radial_cli.diagnosing.outbox import outbox_findings
from radial_cli.diagnosing.situation import situation
from radial_cli.exits import FAILURE, Silent
from radial_cli.output import is_terminal, out, out_json, say, width
from radial_cli.pictures.words import counted
from radial_cli.render import Page
from radial_cli.storing.place import place_of
from radial_cli.untrusted import one_line
from radial_io.store.errors import StoreError
from radial_io.store.store import open_store

_STYLES: Final = {FAULT: "bad", WARNING: "wait", NOTE: "quiet"}


def print_findings(name: str | None, *, as_json: bool) -> None:
    """Print what is wrong. Raises `Silent` when there is something to do."""
    path = place_of(name)
    found = [*file_findings(path), *outbox_findings(path)]
    if not any((finding.level == FAULT and finding.what == "store") or finding.what == "schema" for finding in found):
        try:
            with open_store(path, write=False) as store:
                found += findings(situation(store))
        except StoreError as error:
            found.append(Finding(FAULT, "store", str(path), str(error), error.advice))
    to_do = [finding for finding in found if finding.level != NOTE]
    if as_json:
        out_json({"file": str(path), "well": not to_do, "findings": [attrs.asdict(finding) for finding in found]})
    else:
        out(_page(found) if is_terminal() else "".join("\t".join(map(one_line, row)) + "\n" for row in _rows(found)))
        say("radial: nothing to do" if not to_do else f"radial: {counted(len(to_do), 'thing')} to look after")
    if to_do:
        raise Silent(FAILURE)


def _rows(found: list[Finding]) -> list[tuple[str, ...]]:
    return [("level", "what", "about", "words", "advice"), *(attrs.astuple(finding) for finding in found)]


def _page(found: list[Finding]) -> str:
    page = Page(width(), styled=True)
    for finding in found:
        page.line([(finding.level, _STYLES[finding.level]), "  ", finding.words])
        if finding.advice:
            page.line((finding.advice, "quiet"), indent=9)
    return page.text()
