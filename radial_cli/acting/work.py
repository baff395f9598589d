"""Work of a person: an artifact handed in, a verdict on one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from radial_cli.acting.attaching import blob_value
from radial_cli.acting.manner import Manner
from radial_cli.acting.performing import perform
from radial_cli.acting.prepared import Upload
from radial_cli.acting.texts import Source, Text
from radial_cli.acting.view import View
from radial_cli.acting.words import chosen, named, pair
from radial_cli.exits import USAGE, Failure
from radial_cli.untrusted import one_line
from radial_core.acts import work
from radial_core.acts.draft import Act
from radial_io.writing.blobs import long_body

_VERDICTS: Final = {"approve": "approve", "request-changes": "request_changes", "request_changes": "request_changes"}


class Work(NamedTuple):
    """What is handed in, in the words of the command line."""

    request: str
    title: str | None
    summary: str | None
    prev: str | None
    criteria: list[str]
    links: dict[str, str]


def submit(manner: Manner, handed: Work, *, source: tuple[str | None, str | None]) -> None:
    """Hand in what a request asked for."""
    if handed.title is not None:
        named(handed.title, "an artifact")
    text = Text(Source(*source), "artifact submit", hint="The artifact, in Markdown.")
    uploads: list[Upload] = []

    def build(view: View) -> Act:
        request = view.find(handed.request, "artifactRequest")
        prev = view.find(handed.prev, "artifact") if handed.prev is not None else None
        return work.submit_artifact(view.desk, request, _deliverable(handed, text(), uploads), prev=prev)

    perform(manner, build, text=text, uploads=uploads)


def _deliverable(handed: Work, body: str, uploads: list[Upload]) -> work.Deliverable:
    """RAD-4.18: a body that is too long for a record goes into a file, and the record keeps a summary."""
    blob = None
    long = long_body(body)
    uploads.clear()
    if long is not None:
        uploads.append(Upload(long.raw, long.kind))
        blob = blob_value(uploads[0])
        body = handed.summary if handed.summary is not None else long.summary
    return work.Deliverable(
        body=body,
        title=handed.title,
        criteria=tuple(handed.criteria),
        links=handed.links or None,
        body_blob=blob,
    )


def review(
    manner: Manner,
    *,
    artifact: str,
    verdict: str,
    findings: str | None,
    lines: Sequence[str],
    request: str | None,
) -> None:
    """Give a verdict on an artifact."""
    word = _VERDICTS[chosen(verdict, tuple(_VERDICTS), "a verdict")]
    text = Text(Source(file=findings), "review", required=findings is not None)
    said: list[dict[str, Any]] = [*(_from_file(text()) if findings is not None else []), *map(_from_line, lines)]

    def build(view: View) -> Act:
        named = view.find(artifact, "artifact", "artifactRequest")
        target = view.find(request, "artifactRequest") if request is not None else named
        act = work.review(view.desk, target, word, findings=said)
        if request is not None and act.drafts[0].value["subject"]["uri"] != named:
            raise Failure(f"{one_line(request, 200)} asks for a review of another artifact", "Leave one out.", USAGE)
        return act

    perform(manner, build, text=text)


def _from_file(text: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Failure(f"the findings are no JSON: {one_line(str(error), 200)}", _SHAPE, USAGE) from error
    if not isinstance(found, list) or not all(_is_finding(each) for each in found):
        raise Failure("the findings are no list of findings", _SHAPE, USAGE)
    return found


def _is_finding(value: Any) -> bool:
    if not isinstance(value, dict) or not {"severity", "body"} <= value.keys() <= _FIELDS.keys():
        return False
    return all(type(each) is _FIELDS[name] for name, each in value.items())


_FIELDS: Final[dict[str, type]] = {"severity": str, "body": str, "path": str, "line": int}
_SHAPE: Final = 'A JSON list of {"severity", "body", "path"?, "line"?}; `radial review --help` has an example.'


def _from_line(text: str) -> dict[str, Any]:
    severity, body = pair(text, ":", "SEVERITY:TEXT")
    return {"severity": severity, "body": body}
