"""The corpus as a program holds it that has read it from somewhere.

Strategy: the generator's values share strings, which makes every look-up in a dict cheaper than it is in life. So the
corpus is written to lines and read back: every string is its record's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from radial_core import read_jsonl, to_line
from radial_corpus import observations

if TYPE_CHECKING:
    from radial_core import Deletion, Record


def as_read(records: int, seed: int) -> list[Record | Deletion]:
    """Give a corpus as `read_jsonl` gives it."""
    return [*read_jsonl(map(to_line, observations(records, seed)))]
