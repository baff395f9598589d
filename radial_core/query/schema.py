"""The JSON of questions and answers, as a JSON Schema: what whoever asks over a wire may rely on.

Strategy: one literal, versioned with the surface. It allows what it names and nothing else, so that a test which holds
answers against it finds every key that is not described.
"""

from __future__ import annotations

from typing import Any, Final

from radial_core.query.answers import HIGHEST_LIMIT, QUESTIONS, SURFACE
from radial_core.query.notes import CLAIMED, OBSERVED
from radial_core.records import CLASSES


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [*properties],
        "properties": properties,
    }


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"oneOf": [schema, {"type": "null"}]}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer", "minimum": 0}
_TRUTH: Final = {"type": "boolean"}

_NOTE: Final = _object(
    uri=_TEXT,
    cid=_TEXT,
    kind={"enum": [each.kind for each in CLASSES]},
    author=_TEXT,
    createdAt=_TEXT,
    place=_or_null(_TEXT),
    title=_or_null(_TEXT),
    says=_or_null(_TEXT),
    standing={"enum": [CLAIMED, OBSERVED]},
)
_QUESTION: Final = _object(
    ask={"enum": [*QUESTIONS]},
    about={"type": "string", "minLength": 1},
    limit={"type": "integer", "minimum": 1},
    skip=_NUMBER,
    space=_or_null(_TEXT),
    superseded=_TRUTH,
)
_ITEM: Final = _object(
    uri=_TEXT,
    resolved=_TRUTH,
    note=_or_null({"$ref": "#/$defs/note"}),
    steps=_or_null({"type": "integer", "minimum": 1}),
    links=_list(_object(field=_TEXT, cid=_TEXT, pin={"enum": ["held", "edited", "unseen", None]})),
    excerpt=_or_null(_TEXT),
)
_SUBJECT: Final = _object(
    uri=_TEXT,
    verdict={"enum": ["counts", "image", "ignored", "unknown"]},
    rule=_or_null(_TEXT),
    sentences=_list(_TEXT),
    note=_or_null({"$ref": "#/$defs/note"}),
    state=_list(_TEXT),
)
_COVERAGE: Final = _object(digest=_TEXT, spaces=_list(_TEXT), records=_NUMBER, ignored=_NUMBER, superseded=_NUMBER)
_FRESHNESS: Final = _object(
    state={"enum": ["live", "unknown"]}, asOf=_or_null(_TEXT), behind=_or_null(_NUMBER), unread=_list(_TEXT)
)

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"An answer about a Radial index, surface {SURFACE}",
    "description": f"What `radial query --json` prints. A question's limit is at most {HIGHEST_LIMIT}.",
    **_object(
        surface={"const": SURFACE},
        question=_QUESTION,
        resolved=_or_null(_TRUTH),
        subject=_or_null(_SUBJECT),
        items=_list(_ITEM),
        total=_NUMBER,
        truncated=_TRUTH,
        coverage=_COVERAGE,
        freshness=_FRESHNESS,
    ),
    "$defs": {"note": _NOTE},
}
