"""A text that somebody wrote, and a placeholder for each picture in it (RAD-4.27).

Strategy: a terminal shows no pictures, and nothing is fetched to draw a page. So under a text stands, for each picture
that it refers to, what a reader needs to know of it: the words that stand for it, who published it, and its URI, with
which `radial image` fetches it. Where its record is not here, or does not count, that is said in its place.
"""

from __future__ import annotations

from radial_cli.names import author_of
from radial_cli.pictures.words import brief_title
from radial_cli.reading import Reading
from radial_cli.render import Page
from radial_core.images import ImageLocator, image_locators


def draw_text(page: Page, text: str, reading: Reading, *, indent: int = 0, most: int | None = None) -> int:
    """Draw a text and its pictures; gives the number of lines left out beyond `most`, with which its pictures are."""
    left = page.prose(text, indent=indent, most=most)
    if not left:
        for locator in image_locators(text):
            _draw_placeholder(page, locator, reading, indent)
    return left


def _draw_placeholder(page: Page, locator: ImageLocator, reading: Reading, indent: int) -> None:
    value = reading.value(locator.uri)
    words = brief_title(locator.alt or value.get("alt") or value.get("name") or "")
    what = f"Picture{f' “{words}”' if words else ''}, by {reading.names.did(author_of(locator.uri))}: "
    is_here = reading.index.entry(locator.uri) is not None
    lacks = "" if is_here else " (missing: its record is not here, or does not count)"
    page.line([(what, "quiet"), locator.uri, (lacks, "wait")], indent=indent)
