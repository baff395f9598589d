"""Files on their way up: pictures by their own bytes, whole; verified after; once. Long bodies. Record keys."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from radial_core.identifiers import is_tid
from radial_io.errors import BlobError, RateLimitError
from radial_io.store.outbox import open_outbox
from radial_io.writing.blobs import CEILING, SUMMARY, long_body, upload_blob, upload_picture
from radial_io.writing.errors import WriteRefusedError
from radial_io.writing.executing import execute
from radial_io.writing.keys import Keys
from radial_io.writing.pictures import MOST_BYTES, require_picture
from tests.io.fakes import ALICE
from tests.io.home import Home, error, once
from tests.io.test_writing import Goal


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(b"\0\0"))
    + chunk(b"IEND", b"")
)
GIF = (
    b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"  # two colours
    + b"\x21\xfe\x05hello\0"  # a comment
    + b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02" + b"\x02\x44\x01\0"
    + b"\x3b"
)  # fmt: skip
LOCAL = (
    b"GIF87a" + struct.pack("<HHBBB", 1, 1, 0, 0, 0)
    + b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0x81) + b"\0" * 12 + b"\x02" + b"\x02\x44\x01\0"  # four colours
    + b"\x3b"
)  # fmt: skip
SCAN = b"\xff\xda\x00\x08\x01\x01\0\0\x3f\0"
JPEG = b"".join((
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0",
    b"\xff\xff\xfe\x00\x06\xff\xd9\xff\xd9",  # a filling byte, and a comment that holds what looks like ends
    SCAN + b"\x12\xff\x00\x34\xff\xd3\x56",  # with a stuffed byte and a restart
    SCAN + b"\x78\xff\xd9",
))  # fmt: skip
WEBP = b"RIFF" + struct.pack("<I", 22) + b"WEBP" + b"VP8L" + struct.pack("<I", 10) + b"\x2f" + b"\0" * 9
HTML = b"<html><script>alert(1)</script></html>"
PICTURES = {"image/png": PNG, "image/gif": GIF, "image/jpeg": JPEG, "image/webp": WEBP}


def upload(home: Home, folder: Path, raw: bytes, kind: str | None = None) -> dict[str, Any]:
    async def work() -> dict[str, Any]:
        async with home.session(folder) as session:
            store, manners = folder / "store.db", home.manners()
            if kind is None:
                return await upload_picture(raw, session=session, store=store, manners=manners)
            return await upload_blob(raw, kind, session=session, store=store, manners=manners)

    return anyio.run(work)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_whole_picture_is_what_its_bytes_say(kind: str) -> None:
    assert require_picture(PICTURES[kind]) == kind
    assert require_picture(PICTURES[kind] + b"\0\0") == kind  # filled up, which says nothing


def test_a_picture_with_colours_of_its_own_is_walked_to_its_end() -> None:
    assert require_picture(LOCAL) == "image/gif"


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("behind", [HTML, b"PK\x03\x04" + b"\0" * 30, b"\0" * 40 + b"!"])
def test_what_stands_behind_the_end_is_refused_with_the_reason(kind: str, behind: bytes) -> None:
    with pytest.raises(BlobError, match="behind the end"):
        require_picture(PICTURES[kind] + behind)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_that_is_cut_short_anywhere_is_refused(kind: str) -> None:
    whole = PICTURES[kind]
    for length in range(len(whole)):
        with pytest.raises(BlobError):
            require_picture(whole[:length])


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', id="SVG named .png"),
        pytest.param(PNG[:8] + HTML, id="HTML with the head of a PNG cut short"),
        pytest.param(PNG[:33] + HTML, id="HTML behind the head of a PNG"),
        pytest.param(b"GIF89a/*" + b"\0" * 5 + b"*/=1;alert(1)//", id="a script that begins as GIF"),
        pytest.param(b"\xff\xd8\xff\xe0" + HTML, id="HTML that begins as JPEG"),
        pytest.param(b"RIFF\xff\xff\xff\xffWEBPVP8 " + HTML, id="a WebP longer than the file"),
        pytest.param(b"BM" + b"\0" * 60, id="another kind of picture"),
        pytest.param(PNG + b"\0" * MOST_BYTES, id="too long"),
    ],
)
def test_what_is_no_picture_is_refused_and_not_sent(raw: bytes, tmp_path: Path) -> None:
    home = Home()
    with pytest.raises(BlobError):
        upload(home, tmp_path, raw)
    assert home.asked == []


def test_a_file_is_uploaded_once(tmp_path: Path) -> None:
    home = Home()
    first = upload(home, tmp_path, PNG)
    assert first == {"$type": "blob", "ref": first["ref"], "mimeType": "image/png", "size": len(PNG)}
    assert {str(first["ref"])} == home.files
    assert upload(home, tmp_path, PNG) == first
    assert home.calls("uploadBlob") == 1


def test_one_that_was_brought_long_ago_is_brought_again(tmp_path: Path) -> None:
    home = Home()
    cid = str(upload(home, tmp_path, PNG)["ref"])
    with open_outbox(tmp_path / "store.db") as outbox:
        outbox.note_upload(ALICE, cid, "image/png", "2026-01-01T00:00:00Z")
    upload(home, tmp_path, PNG)
    assert home.calls("uploadBlob") == 2


def test_a_server_that_has_let_go_of_a_file_is_given_it_again(tmp_path: Path) -> None:
    home = Home(before=once("putRecord", error(400, "BlobNotFound", "Could not find blob")))
    upload(home, tmp_path, PNG)

    async def write() -> None:
        async with home.session(tmp_path) as session:
            await execute([Goal(rkey="one")], session=session, store=tmp_path / "store.db")

    with pytest.raises(WriteRefusedError):
        anyio.run(write)
    upload(home, tmp_path, PNG)
    assert home.calls("uploadBlob") == 2


@pytest.mark.parametrize("fault", [error(500), error(429), httpx.ReadError("cut"), httpx.ConnectError("no way")])
def test_an_upload_that_fails_is_tried_again(fault: httpx.Response | Exception, tmp_path: Path) -> None:
    home = Home(before=once("uploadBlob", fault))
    assert upload(home, tmp_path, b"# text", "text/markdown")["size"] == 6
    assert home.naps == [0.25]


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error(413, "PayloadTooLarge"), WriteRefusedError),
        (error(429, retry_after="3600"), RateLimitError),
        (httpx.Response(200, json={}), BlobError),
        (httpx.Response(200, json={"blob": {"$type": "blob", "ref": {"$link": "nope"}}}), BlobError),
    ],
)
def test_an_upload_that_comes_to_nothing_is_not_remembered(
    fault: httpx.Response, kind: type[Exception], tmp_path: Path
) -> None:
    home = Home(before=once("uploadBlob", fault))
    with pytest.raises(kind):
        upload(home, tmp_path, PNG)
    upload(home, tmp_path, PNG)
    assert home.calls("uploadBlob") == 2


def test_another_file_than_ours_is_refused(tmp_path: Path) -> None:
    theirs = Home()
    upload(theirs, tmp_path / "theirs", GIF)
    blob = {"$type": "blob", "ref": {"$link": next(iter(theirs.files))}, "mimeType": "image/png", "size": len(PNG)}
    home = Home(before=once("uploadBlob", httpx.Response(200, json={"blob": blob})))
    with pytest.raises(BlobError, match="another file"):
        upload(home, tmp_path, PNG)


def test_a_picture_that_the_server_takes_for_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BlobError, match="application/zip"):
        upload(Home(stored_kind="application/zip"), tmp_path, PNG)


@pytest.mark.parametrize("text", ["", "short", "x" * (CEILING - 2), "é" * (CEILING // 2 - 1)])
def test_a_body_that_fits_stays_in_the_record(text: str) -> None:
    assert long_body(text) is None


@pytest.mark.parametrize("text", ["x" * (CEILING - 1), "é" * (CEILING // 2), "\n" * (CEILING // 2)])
def test_a_body_over_the_ceiling_goes_to_a_file_whole(text: str) -> None:
    long = long_body(text)
    assert long is not None
    assert long.raw.decode() == text
    assert len(long.summary) < SUMMARY + 100
    assert len(json.dumps(long.summary)) < CEILING
    assert f"{len(long.raw):,} bytes" in long.summary


def test_a_summary_ends_where_a_paragraph_does() -> None:
    first = "A sentence. " * 120
    long = long_body(f"{first}\n\n{'More of it. ' * 10_000}")
    assert long is not None
    assert long.summary.startswith(first.rstrip() + "\n\n*(The whole text")


def test_keys_are_tids_that_sort_as_they_were_made() -> None:
    ticks = iter([5_000, 5_000, 4_000, 9_999_000])
    keys = Keys(clock=lambda: next(ticks), chance=7)
    made = [keys() for _ in range(4)]
    assert made == sorted(set(made))
    assert all(is_tid(key) for key in made)
    assert made[0] == _spelled(5 << 10 | 7)


def _spelled(number: int) -> str:
    digits = "234567abcdefghijklmnopqrstuvwxyz"
    text = ""
    for _ in range(13):
        number, digit = divmod(number, 32)
        text = digits[digit] + text
    return text


def test_two_makers_do_not_meet() -> None:
    assert len({Keys(clock=lambda: 1)() for _ in range(50)}) > 25
