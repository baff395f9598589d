"""What can be asked, told once: for a person, and for a program that has not met this surface before.

Strategy: the description is a constant of the surface. It depends on no index, so it can be learnt once and kept until
the number of the surface changes.
"""

from __future__ import annotations

from typing import Any, Final

from radial_core.query.answers import HIGHEST_LIMIT, SURFACE, USUAL_LIMIT
from radial_core.query.schema import SCHEMA
from radial_core.query.web import REFERENCES

_QUESTIONS: Final = (
    (
        "subject",
        "What is this, how does it stand, what was decided about it, how did its checks go last?",
        "the URI of a record",
        "decisions and the last check runs, in order (createdAt, URI); a goal's current artifacts count as its own",
    ),
    (
        "dependents",
        "Which records refer to this one?",
        "the URI of a record",
        "the records that refer to it, in order (createdAt, URI), each with the fields that do",
    ),
    (
        "dependencies",
        "Which records does this one refer to?",
        "the URI of a record",
        "the records that it refers to, field by field, with the versions pinned; also those that do not count here",
    ),
    (
        "impact",
        "What rests on this, through any number of references?",
        "the URI of a record",
        "everything that refers to it, and to that, and so on; by the number of steps, then in order (createdAt, URI)",
    ),
    (
        "search",
        "In which records do all these words occur?",
        "words",
        "records with an excerpt, by title first, the latest first; what was superseded only with `superseded`",
    ),
)

_TELLS: Final = {
    "resolved": "false: no such record counts here, and `subject` says why; true with `total` 0: it is here, and there"
    " is nothing to list; null: a search has no subject",
    "truncated": "whether more follow: ask again with a greater `skip`, as long as `coverage.digest` is the same",
    "total": "how many there are, whatever the limit",
    "coverage": "the digest of the index, the spaces looked through, how many records count there, how many of the"
    " whole index are ignored, and how many a search passed by as superseded",
    "freshness": "`live` only while everything that members write is heard of at once; else how far back the oldest"
    " look at a member's repo lies, and whose repo was never read",
    "standing": "`observed`: its author saw it happen (a check run, a merge); `claimed`: its author says so",
}


def describe() -> dict[str, Any]:
    """Describe the surface: its version, the kinds of subjects, the questions, the limits, and the answers' schema."""
    return {
        "surface": SURFACE,
        "kinds": [{"kind": kind.kind, "refersBy": [*fields]} for kind, fields in REFERENCES.items()],
        "questions": [
            {"ask": ask, "asks": asks, "about": about, "items": items} for ask, asks, about, items in _QUESTIONS
        ],
        "limits": {"usual": USUAL_LIMIT, "highest": HIGHEST_LIMIT},
        "answers": dict(_TELLS),
        "schema": SCHEMA,
    }
