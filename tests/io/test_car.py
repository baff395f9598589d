"""CARs in chunks of any size: what is taken, what is refused, and that nothing is kept for nothing."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from radial_io.atproto.car import Block, CarLimits, CarReader, read_car
from radial_io.errors import CarError
from tests.io.streams_fakes_repo import block, car, cid_of, link

ROOT = cid_of(b"\xa0")
RAW_CID = bytes.fromhex("01551220")
HEADER = bytes.fromhex("3aa265726f6f747381d82a582500") + ROOT + bytes.fromhex("6776657273696f6e01")


def _raw_cid(raw: bytes) -> bytes:
    return RAW_CID + sha256(raw).digest()


def _section(cid: bytes, raw: bytes) -> bytes:
    size = len(cid) + len(raw)
    return (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + cid + raw


def _read(data: bytes, step: int, limits: CarLimits | None = None) -> tuple[CarReader, list[Block]]:
    reader = CarReader(limits)
    blocks = [found for at in range(0, len(data), step) for found in reader.feed(data[at : at + step])]
    reader.finish()
    return reader, blocks


@pytest.mark.parametrize("step", [1, 2, 7, 59, 64, 1000])
def test_a_car_is_read_in_any_pieces(step: int) -> None:
    blocks = [(cid_of(raw), raw) for raw in (b"\xa0", b"x" * 91, b"x" * 92, b"y" * 5000)]
    blocks += [(_raw_cid(b""), b""), (_raw_cid(b"blob"), b"blob"), blocks[0]]
    data = HEADER + b"".join(_section(*pair) for pair in blocks)
    reader, found = _read(data, step)
    assert reader.roots == (ROOT,)
    assert found == blocks


def test_the_header_is_what_the_specification_says() -> None:
    # Written down by hand above; the maker of the other tests' CARs agrees.
    assert car(ROOT, []) == HEADER
    assert read_car(HEADER) == ((ROOT,), {})
    assert read_car(b"\x11" + block({"roots": [], "version": 1})) == ((), {})


def test_a_block_is_given_as_soon_as_it_is_there() -> None:
    reader = CarReader()
    data = HEADER + _section(cid_of(b"one"), b"one") + _section(cid_of(b"two"), b"two")
    before = reader.feed(data[:58]), reader.roots
    assert before == ([], None)
    assert reader.feed(data[58:59]) == []
    assert reader.roots == (ROOT,)
    assert reader.feed(data[59 : 59 + 39]) == []
    assert reader.feed(data[59 + 39 : 59 + 40]) == [(cid_of(b"one"), b"one")]
    assert reader.feed(data[59 + 40 : 59 + 79]) == []
    assert reader.feed(data[59 + 79 :]) == [(cid_of(b"two"), b"two")]
    assert reader.feed(b"") == []
    reader.finish()


@pytest.mark.parametrize("step", [1, 1000])
def test_a_cut_within_a_block_is_seen_and_one_between_blocks_is_not(step: int) -> None:
    first, second = (_section(cid_of(raw), raw) for raw in (b"one", b"two" * 60))
    data = HEADER + first + second
    whole = {len(HEADER), len(HEADER) + len(first), len(data)}
    for end in range(1, len(data) + 1):
        if end in whole:
            _read(data[:end], step)
        else:
            with pytest.raises(CarError, match=r"cut short|header"):
                _read(data[:end], step)
    with pytest.raises(CarError, match="header"):
        CarReader().finish()


def _header(**fields: object) -> bytes:
    raw = block(fields)
    return bytes([len(raw)]) + raw


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (HEADER + _section(cid_of(b"one"), b"two"), "block 1 is not what its CID says"),
        (HEADER + _section(cid_of(b"a"), b"a") + _section(cid_of(b"one"), b"two"), "block 2 is not what"),
        (HEADER + _section(bytes.fromhex("00711220") + bytes(32), b""), "neither DAG-CBOR nor raw"),
        (HEADER + _section(bytes.fromhex("01701220") + sha256(b"").digest(), b""), "neither DAG-CBOR nor raw"),
        (HEADER + _section(bytes.fromhex("1220") + sha256(b"").digest(), b"xx"), "neither DAG-CBOR nor raw"),
        (HEADER + _section(ROOT[:-1], b""), "neither DAG-CBOR nor raw"),
        (HEADER + _section(bytes.fromhex("01711220"), b""), "neither DAG-CBOR nor raw"),
        (HEADER + b"\x00", "length zero"),
        (HEADER + b"\x80\x00", "needless bytes"),
        (HEADER + b"\xa7\x80\x00" + cid_of(b"one") + b"one", "needless bytes"),
        (HEADER + b"\xff" * 9, "too many bytes"),
        (HEADER + b"\xff" * 8 + b"\x7f", "longer than the limit"),
        (b"\x00", "length zero"),
        (b"\x80\x80\x01", "header of more than 4096 bytes"),
        (b"<html><body>No such repository</body></html>" * 3, "no DAG-CBOR"),
        (b"\x01\xa0", "version 1"),
        (b"\x01\xf6", "version 1"),
        (_header(roots=[link(ROOT)], version=2), "version 1"),
        (_header(roots=[link(ROOT)]), "version 1"),
        (_header(version=1), "version 1"),
        (_header(roots=[link(ROOT)], version=1, more=0), "version 1"),
        (_header(roots=link(ROOT), version=1), "no CIDs"),
        (_header(roots=["x"], version=1), "no CIDs"),
        (bytes([58]) + b"\xa2\x67version\x01\x65roots\x81\xd8\x2a\x58\x25\x00" + ROOT, "no DAG-CBOR"),  # keys unsorted
        (b"\x1a" + b"\x81" * 26, "no DAG-CBOR"),
    ],
)
def test_what_is_refused(data: bytes, reason: str) -> None:
    for step in (1, len(data)):
        with pytest.raises(CarError, match=reason):
            _read(data, step)


def test_limits_hold_before_anything_is_kept() -> None:
    data = HEADER + _section(cid_of(b"x" * 100), b"x" * 100) + _section(cid_of(b"y"), b"y")
    exact = CarLimits(longest_header=58, longest_block=100, most_bytes=len(data), most_blocks=2)
    assert len(_read(data, 13, exact)[1]) == 2
    for limits, reason in (
        (CarLimits(longest_header=57), "header of more than 57"),
        (CarLimits(longest_block=99), "block 1 is longer"),
        (CarLimits(most_bytes=len(data) - 1), f"more than {len(data) - 1} bytes"),
        (CarLimits(most_blocks=1), "more than 1 blocks"),
    ):
        with pytest.raises(CarError, match=reason):
            _read(data, 13, limits)
    reader = CarReader(CarLimits(longest_block=99))
    with pytest.raises(CarError, match="longer than the limit"):  # from the length alone, no byte of the block
        reader.feed(HEADER + b"\x88\x01")


def test_single_bytes_of_a_long_block_are_joined_once() -> None:
    # Joined anew with each byte, this would copy 125 GB.
    raw = b"z" * 500_000
    size = 36 + len(raw)
    data = HEADER + bytes([size & 127 | 128, size >> 7 & 127 | 128, size >> 14]) + cid_of(raw) + raw
    assert _read(data, 1)[1] == [(cid_of(raw), raw)]


@given(st.lists(st.binary(max_size=300), max_size=8), st.integers(1, 400))
def test_what_was_made_is_read(contents: list[bytes], step: int) -> None:
    _, found = _read(car(ROOT, contents), step)
    assert found == [(cid_of(raw), raw) for raw in contents]


def test_the_reference_implementation_s_car(shared: Path) -> None:
    path = shared / "fixtures/atproto-interop/extra-atproto/car-file-fixtures.json"
    (case,) = json.loads(path.read_text())
    roots, blocks = read_car(_unpadded(case["car"]))
    assert roots == (_cid(case["root"]),)
    assert blocks == {_cid(item["cid"]): _unpadded(item["bytes"]) for item in case["blocks"]}


@pytest.mark.parametrize(
    "name",
    [
        "fakermaker.repo.car",
        "paul_staging.repo.car",
        "greenground.repo.car",
        "divy.repo",
        "repo_slice.car",
        "bafyreieovfuizojpw3zresz7sx3nk4trm2by23pt5rxbey3jme4uo5ogiu.car",
    ],
)
def test_real_cars(shared: Path, name: str) -> None:
    data = (shared / "fixtures/atproto-interop/extra-indigo" / name).read_bytes()
    reader, found = _read(data, 997)
    assert found == list(_cut(data))
    assert reader.roots is not None
    assert reader.roots[0] in dict(found)


def _cut(data: bytes) -> Iterator[Block]:
    """The blocks of a CAR, by nothing but their lengths."""
    at, header = 0, True
    while at < len(data):
        size = shift = 0
        while data[at] > 127:
            size, shift, at = size | (data[at] & 127) << shift, shift + 7, at + 1
        at, size = at + 1, size | data[at] << shift
        if not header:
            yield data[at : at + 36], data[at + 36 : at + size]
        at, header = at + size, False


def _unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _cid(text: str) -> bytes:
    return base64.b32decode(text[1:].upper() + "======")
