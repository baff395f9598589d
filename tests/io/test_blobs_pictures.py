"""From a locator to bytes: record first, one way, and by no address that a text holds."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest

from radial_io.errors import BlobError
from radial_io.viewing.bodies import fetch_body, find_body, text_of
from radial_io.viewing.containers import container_of
from radial_io.viewing.files import Files
from radial_io.viewing.pictures import Bytes, Missing, Picture, fetch_picture, find_picture, pictures_in
from tests.io.fakes import ALICE, BOB, PREFIX, Reply
from tests.io.strangers import Network, Writing, blob_ref, blob_value, write_space

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
GIF = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0) + b"\x2c\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
WEBP = b"RIFF" + struct.pack("<I", 12) + b"WEBPVP8L" + struct.pack("<I", 0)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HOST = "pds.example.com"


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (PNG, "image/png"),
        (GIF, "image/gif"),
        (GIF.replace(b"89a", b"87a"), "image/gif"),
        (JPEG, "image/jpeg"),
        (JPEG.replace(b"\xe0", b"\xdb"), "image/jpeg"),
        (WEBP, "image/webp"),
        (WEBP.replace(b"VP8L", b"VP8 "), "image/webp"),
        (WEBP.replace(b"VP8L", b"VP8X"), "image/webp"),
    ],
)
def test_the_four_containers_are_told_by_their_beginning(raw: bytes, kind: str) -> None:
    assert container_of(raw) == kind


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        SVG,
        b"<!doctype html><script>",
        b"\x89PNG<html><script>alert(1)</script>" + bytes(40),
        PNG[:8] + SVG,
        PNG[:16],
        PNG[:32],
        b" " + PNG,
        b"\xef\xbb\xbf" + SVG,
        b"GIF88a" + GIF[6:],
        GIF[:12],
        b"GIF",
        JPEG[:3],
        b"\xff\xd8\xff\xd9",
        b"\xff\xd8\xff<svg>",
        b"RIFF" + struct.pack("<I", 12) + b"WAVEVP8L" + bytes(4),
        WEBP[:15],
        WEBP.replace(b"VP8L", b"ALPH"),
        WEBP.replace(struct.pack("<I", 12), struct.pack("<I", 13)),
        b"BM" + bytes(60),
        b"\0\0\0\x20ftypavif" + bytes(40),
        b"II*\0" + bytes(40),
        b"%PDF-1.7\n",
        b"PK\3\4" + PNG,
    ],
)
def test_nothing_else_is_a_picture(raw: bytes) -> None:
    with pytest.raises(BlobError, match="no picture"):
        container_of(raw)


def published(raw: bytes, claimed: str = "image/png") -> tuple[Writing, str]:
    """A space with a picture of its root's; gives the picture's URI."""
    writing, _ = write_space(asks=False)
    return writing, writing.put(ALICE, "image/gauge", blob=blob_value(blob_ref(raw, claimed)), alt="The gauge")["uri"]


def network_with(raw: bytes, *hosts: str) -> Network:
    network = Network(hosts={HOST: lambda _nsid, _query: Reply(raw, headers={"content-type": "text/html"})})
    network.live(ALICE, *(hosts or (HOST,)))
    return network


def fetch(network: Network, picture: Any) -> Bytes:
    assert isinstance(picture, Picture)
    return network.run(lambda client, resolver: fetch_picture(picture, Files(client, resolver)))


def test_a_picture_is_found_by_its_record_and_fetched_from_its_author() -> None:
    writing, uri = published(PNG)
    network = network_with(PNG)
    picture = find_picture(uri, writing.index())
    assert picture == Picture(uri, writing.records[-1].cid, ALICE, blob_ref(PNG), "The gauge", None)
    assert network.asked == []
    assert fetch(network, picture) == Bytes(PNG, "image/png")


def test_an_author_who_moves_does_not_change_anybody_s_text() -> None:
    writing, uri = published(PNG)
    text = f"As ![the gauge](radial-image:{uri}) shows."
    ((locator, picture),) = pictures_in(text, writing.index())
    assert (locator.alt, locator.uri) == ("the gauge", uri)
    network = network_with(PNG, "gone.example.com", HOST)
    assert fetch(network, picture).raw == PNG
    assert fetch(network, picture).raw == PNG
    assert network.blob_requests()[-2:] == [HOST, HOST]


def test_its_own_beginning_decides_and_no_claim() -> None:
    writing, uri = published(GIF, "image/png")
    assert fetch(network_with(GIF), find_picture(uri, writing.index())) == Bytes(GIF, "image/gif")


def test_svg_under_another_name_is_refused() -> None:
    writing, uri = published(SVG, "image/png")
    with pytest.raises(BlobError, match="no picture"):
        fetch(network_with(SVG), find_picture(uri, writing.index()))


def test_only_a_record_that_counts_is_a_picture() -> None:
    writing, _ = published(PNG)
    stranger = writing.put(BOB, "image/strange", blob=blob_value(blob_ref(PNG)))["uri"]
    vector = writing.put(ALICE, "image/vector", blob=blob_value(blob_ref(SVG, "image/svg+xml")))["uri"]
    index = writing.index()
    never_seen = f"at://{ALICE}/{PREFIX}image/none"
    for uri in (stranger, vector, never_seen, f"at://{ALICE}/{PREFIX}goal/quiet", "https://example.com/a.png", ""):
        missing = find_picture(uri, index)
        assert isinstance(missing, Missing)
        assert missing.reason
    assert "T5" in str(find_picture(stranger, index))
    assert "L1" in str(find_picture(vector, index))
    goal = find_picture(f"at://{ALICE}/{PREFIX}goal/quiet", index)
    assert goal == Missing(f"at://{ALICE}/{PREFIX}goal/quiet", "this is not the URI of an image record")


def test_a_text_full_of_addresses_causes_no_request() -> None:
    """The recording network: every way that a text can name bytes, and one picture that is really there."""
    writing, uri = published(PNG)
    cid = blob_ref(PNG).cid
    address = f"https://{HOST}/xrpc/com.atproto.sync.getBlob?did={ALICE}&cid={cid}"
    lures = (
        address,
        f"![x]({address})",
        f"![x](radial-image:{address})",
        f"![x](radial-image:{ALICE}/{cid})",
        f"![x](radial-image:did={ALICE}&cid={cid})",
        f"![x](radial-image:at://{ALICE}/{cid})",
        f"![x](radial-image:at://{ALICE}/blob/{cid})",
        f"![x](radial-image:at://{ALICE}/{PREFIX}artifact/{cid})",
        f"![x](at://{ALICE}/{PREFIX}image/gauge)",
        f"![x](radial-image:at://alice.example.com/{PREFIX}image/gauge)",
        f"<img src='{address}'>",
        f"did: {ALICE} cid: {cid}",
        f"![x](radial-image:at://{BOB}/{PREFIX}image/{cid})",
    )
    index = writing.index()
    network = network_with(PNG)
    for lure in lures:
        assert all(isinstance(picture, Missing) for _, picture in pictures_in(lure, index))
        assert isinstance(find_picture(lure, index), Missing)
    assert network.asked == []
    found = pictures_in("\n\n".join((*lures, f"![here](radial-image:{uri})")), index)
    assert [fetch(network, picture).kind for _, picture in found if isinstance(picture, Picture)] == ["image/png"]
    assert network.blob_requests() == [HOST]


def test_a_body_in_the_record_asks_nobody() -> None:
    writing, goal = write_space(asks=False)
    body = find_body(goal["uri"], writing.index())
    assert body is not None
    network = network_with(b"")
    assert network.run(lambda client, resolver: fetch_body(body, Files(client, resolver))) == b"Make it quiet."
    assert network.asked == []


def artifact(raw: bytes, by: str = ALICE, **fields: Any) -> tuple[Writing, str]:
    writing, goal = write_space(asks=False)
    request = writing.put(ALICE, "artifactRequest/plan", goal=goal, type="plan")
    made = writing.put(
        by,
        "artifact/plan",
        goal=goal,
        request=request,
        type="plan",
        body="In short.",
        bodyBlob=blob_value(blob_ref(raw)),
        **fields,
    )
    return writing, made["uri"]


def test_a_body_beside_the_record_is_fetched_whole() -> None:
    raw = "# Der Plan: größer\n".encode() * 30_000
    writing, uri = artifact(raw)
    body = find_body(uri, writing.index())
    assert body is not None
    assert (body.text, body.author) == ("In short.", ALICE)
    network = network_with(raw)
    assert network.run(lambda client, resolver: fetch_body(body, Files(client, resolver))) == raw
    assert text_of(raw).startswith("# Der Plan: größer\n")


def test_a_body_that_is_no_text_says_where() -> None:
    with pytest.raises(BlobError, match="byte 3 of 3 is not UTF-8"):
        text_of(b"ab\xff")


def test_what_does_not_count_has_no_body() -> None:
    writing, uri = artifact(b"# Long", by=BOB)
    assert find_body(uri, writing.index()) is None
    assert find_body(f"at://{ALICE}/{PREFIX}space/main", writing.index()) is None
    assert find_body(f"at://{ALICE}/{PREFIX}goal/none", writing.index()) is None
