"""Bodies that are too long for a record (RAD-4.18).

Strategy: what a server reads in one request bounds a record, and its other fields need room too. A body over the
ceiling becomes a file, whole; the record keeps its beginning, up to where a paragraph or a line ends, and says that
there is more. The ceiling is measured as the text is sent, in JSON.
"""

from __future__ import annotations

import json
from typing import Final

import attrs

CEILING: Final = 100_000  # bytes of a body in JSON; a request has 153,600 for the whole record
SUMMARY: Final = 2_000  # characters
MARKDOWN: Final = "text/markdown"


@attrs.frozen
class LongBody:
    """A body that is too long for a record: the `summary` that stands in the record, and the file with the whole."""

    summary: str
    raw: bytes = attrs.field(repr=False)
    kind: str = MARKDOWN


def long_body(text: str) -> LongBody | None:
    """Give how a body is written that is over the ceiling of a record; None for one that fits."""
    if len(json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")) <= CEILING:
        return None
    raw = text.encode()
    return LongBody(
        f"{_beginning(text)}\n\n*(The whole text, {len(raw):,} bytes, is in the file of this record.)*", raw
    )


def _beginning(text: str) -> str:
    """Cut a text where a paragraph ends, else a line, else a word; not in its first half."""
    head = text[:SUMMARY]
    for end in ("\n\n", "\n", " "):
        place = head.rfind(end, SUMMARY // 2)
        if place > 0:
            return head[:place].rstrip()
    return head
