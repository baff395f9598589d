"""Locators of pictures in prose (RAD-4.19): records by their URI, and nothing that an author could make up."""

from __future__ import annotations

import pytest

from radial_core.images import ImageLocator, image_locators

URI = "at://did:plc:ada/com.disnetdev.radial.image/3kabc"
OTHER = "at://did:web:ben.example/com.disnetdev.radial.image/self"


def test_a_locator_names_a_record() -> None:
    assert image_locators(f"Look: ![a cat](radial-image:{URI}).") == (ImageLocator("a cat", URI),)


def test_each_picture_stands_once_in_order() -> None:
    text = f"![two](radial-image:{OTHER}) and ![one](radial-image:{URI})![again](radial-image:{OTHER})"
    assert image_locators(text) == (ImageLocator("two", OTHER), ImageLocator("one", URI))


@pytest.mark.parametrize(
    ("text", "alt"),
    [
        (f"![](radial-image:{URI})", ""),
        (f"![a [nested] pair](radial-image:{URI})", "a [nested] pair"),
        (f"[![inner](radial-image:{URI})](https://example.com)", "inner"),
        (f"![not this ![but this](radial-image:{URI})", "but this"),
        (f"![ünï 😀](radial-image:{URI})", "ünï 😀"),
    ],
)
def test_the_words_beside_it(text: str, alt: str) -> None:
    assert image_locators(text) == (ImageLocator(alt, URI),)


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"![bare]({URI})",
        f"[no picture](radial-image:{URI})",
        f"radial-image:{URI}",
        "![pair](radial-image:did:plc:ada/bafkreiccldh766hwcnuxnf2wh6jgzepf2nlu2lvcllt63eww5p6chi4ity)",
        "![server](radial-image:https://pds.example/xrpc/com.atproto.sync.getBlob?did=did:plc:ada&cid=bafk)",
        "![handle](radial-image:at://ada.example/com.disnetdev.radial.image/a)",
        "![another record](radial-image:at://did:plc:ada/com.disnetdev.radial.goal/a)",
        "![no key](radial-image:at://did:plc:ada/com.disnetdev.radial.image)",
        f"![space](radial-image: {URI})",
        f"![open](radial-image:{URI}",
        f"![case](RADIAL-IMAGE:{URI})",
    ],
)
def test_nothing_else_is_a_locator(text: str) -> None:
    assert image_locators(text) == ()


def test_ten_thousand_locators_and_as_many_false_starts() -> None:
    uris = [f"at://did:plc:ada/com.disnetdev.radial.image/{number}" for number in range(10_000)]
    text = "".join(f"![ [ ](x) ![n](radial-image:{uri})" for uri in uris) + "![" * 10_000 + "](radial-image:" * 10_000
    assert [locator.uri for locator in image_locators(text)] == uris
