"""Pictures that prose refers to (M4): the locators in a text.

Strategy: a text names a picture by its record, `![alt](radial-image:at://…)`, and by nothing else. A DID and a CID
lifted out of prose, an address of some server, another collection: none of these is a locator, so nobody is led to
fetch what an author made up. One pass over the text; it never looks back further than the end of the locator before.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from radial_core.identifiers import LONGEST_URI, record_parts
from radial_core.records import PREFIX

_LOCATORS: Final = re.compile(rf"\]\(radial-image:([!-'*-~]{{1,{LONGEST_URI}}})\)").finditer
_COLLECTION: Final = PREFIX + "image"


class ImageLocator(NamedTuple):
    """A picture in a text: the words that stand for it, and the URI of its record."""

    alt: str
    uri: str


def image_locators(text: str) -> tuple[ImageLocator, ...]:
    """List the pictures that a text refers to, each record once, in the order in which they first appear.

    Whether such a record was ever seen is for an index to say: `index.entry(locator.uri)`.
    """
    found: dict[str, ImageLocator] = {}
    end = 0
    for match in _LOCATORS(text):
        opening = text.rfind("![", end, match.start())
        parts = record_parts(match[1])
        if opening >= 0 and parts is not None and parts[1] == _COLLECTION:
            found.setdefault(match[1], ImageLocator(text[opening + 2 : match.start()], match[1]))
        end = match.end()
    return tuple(found.values())
