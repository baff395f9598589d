"""What is no input is named, line by line, with what to do; nothing is half printed and nothing is a traceback."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.people import ADA, SPACE, line

GOOD = line(ADA, "space/tidewater", name="Tidewater")
READS = (
    ["materialize"],
    ["materialize", "--json"],
    ["show", SPACE],
    ["show", SPACE, "--json"],
    ["goals"],
    ["requests", "--json"],
    ["members"],
    ["digest"],
    ["digest", "--tree"],
    ["explain", SPACE],
)


def cid_of_bytes(canonical: bytes) -> str:
    """Spell the CID of DAG-CBOR bytes: version 1, dag-cbor, sha2-256, base32."""
    digest = hashlib.sha256(canonical).digest()
    return "b" + base64.b32encode(b"\x01\x71\x12\x20" + digest).decode().rstrip("=").lower()


ONE_ENTRY = b"\xa1\x61a\x01"  # DAG-CBOR of {"a": 1}: a map of one, a text of one, the number 1

# A line, and every fault in it.
MALFORMED = {
    b"no json": ["not JSON: Expecting value at character 1 @ $"],
    b"<<<<<<< HEAD": ["not JSON: Expecting value at character 1 @ $"],
    b'{"uri":"at://x"} {"uri":"at://y"}': ["not JSON: Extra data at character 18 @ $"],
    b"[]": ["an observation is one JSON object @ $"],
    b"null": ["an observation is one JSON object @ $"],
    b"{}": ["no string @ $.uri", "an observation has either a value or deleted: true @ $"],
    b'{"uri":"at://x","value":{"a":[1,2.5]}}': ["a number with a fraction or an exponent @ $.value.a[1]"],
    b'{"uri":"at://x","value":{"a":1e3,"b":9223372036854775808}}': [
        "a number with a fraction or an exponent @ $.value.a",
        "an integer beyond 64 bits @ $.value.b",
    ],
    b'{"uri":"at://x","deleted":true,"rev":"nope","seenAt":"today"}': [
        "not a TID @ $.rev",
        "not a datetime @ $.seenAt",
    ],
    b'{"uri":"at://x","value":{"l":{"$link":"nope"}}}': ["$link: not a CID @ $.value.l"],
    b'{"uri":"at://x","value":{"a":1},"cid":"bafynope"}': [
        f"the CID of the value is {cid_of_bytes(ONE_ENTRY)} @ $.cid",
    ],
    b'{"uri":"at://x","value":{"a":1},"deleted":true}': ["an observation has either a value or deleted: true @ $"],
    b'{"uri":"at://\xff"}': ["not UTF-8: byte 14 of the line @ $"],
    b"[" * 100_000: ["nested deeper than 512 levels @ $"],
}


@pytest.mark.parametrize(("bad", "faults"), MALFORMED.items(), ids=[ascii(bad[:40]) for bad in MALFORMED])
@pytest.mark.parametrize("place", ["at the top", "below"])
def test_a_malformed_line_is_named_with_every_fault(
    bad: bytes, faults: list[str], place: str, radial: Call, tmp_path: Path
) -> None:
    file = tmp_path / "in.jsonl"
    file.write_bytes(bad + b"\n" + GOOD.encode() if place == "at the top" else GOOD.encode() + b"\n" + bad)
    done = radial("digest", file)
    number = 1 if place == "at the top" else 3
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[:-2] == [f"{file}:{number}: {fault}" for fault in faults]
    assert "--keep-going" in done.err


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_every_bad_line_is_named_and_nothing_is_printed(command: list[str], radial: Call, tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    one.write_text(GOOD + "junk\n\n" + GOOD + "{}\n", encoding="utf-8")
    other.write_text("junk\n" + GOOD, encoding="utf-8")
    done = radial(*command, one, other)
    assert (done.status, done.out) == (1, "")
    named = [said.partition(": ")[0] for said in done.err.splitlines()[:-2]]
    assert named == [f"{one}:2", f"{one}:5", f"{one}:5", f"{other}:1"]
    assert "3 lines are malformed" in done.err


@pytest.mark.parametrize("command", READS, ids=" ".join)
def test_keep_going_prints_what_the_rest_amounts_to_and_still_fails(
    command: list[str], radial: Call, tmp_path: Path
) -> None:
    whole, holed = tmp_path / "whole.jsonl", tmp_path / "holed.jsonl"
    whole.write_text(GOOD, encoding="utf-8")
    holed.write_text("junk\n" + GOOD, encoding="utf-8")
    done = radial(*command, holed, "--keep-going")
    assert done.out == radial(*command, whole).out
    assert done.status == 1
    assert f"{holed}:1: not JSON" in done.err
    assert "1 line is malformed and left out" in done.err


def test_one_cid_for_two_values_is_named_where_it_stands(radial: Call, tmp_path: Path) -> None:
    """O4: the second value is not that of the CID, so its line is the wrong one."""
    value = json.loads(GOOD)["value"]
    cid = json.loads(radial("show", SPACE, "-", "--json", stdin=GOOD.encode()).out)["versions"][0]["cid"]
    lines = [json.dumps({"uri": SPACE, "cid": cid, "value": value | {"name": name}}) for name in ("Tidewater", "Ebb")]
    file = tmp_path / "in.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    done = radial("digest", file)
    assert done.status == 1
    assert done.err.startswith(f"{file}:2: the CID of the value is ")


SAME: dict[str, Callable[[str], bytes]] = {
    "windows": lambda text: text.replace("\n", "\r\n").encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "blank lines": lambda text: ("\n \n\t\n" + text.replace("\n", "\n\n")).encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(),
    "twice and backwards": lambda text: "".join(reversed((text + text).splitlines(keepends=True))).encode(),
}


@pytest.mark.parametrize("change", SAME)
def test_the_same_observations_give_the_same_digest(change: str, radial: Call, example: Path) -> None:
    text = example.read_text(encoding="utf-8")
    assert radial("digest", "-", stdin=SAME[change](text)) == radial("digest", example)


def test_a_golden_scenario_is_read_for_its_records(radial: Call, tmp_path: Path) -> None:
    scenario = {"format": 1, "id": "x/y", "records": [json.loads(GOOD)], "expect": [{"ratio": 0.5}]}
    file = tmp_path / "scenario.json"
    for text in (json.dumps(scenario), json.dumps(scenario, indent=2)):
        file.write_text(text, encoding="utf-8")
        assert radial("digest", file) == radial("digest", "-", stdin=GOOD.encode())


def test_a_bad_record_of_a_scenario_is_named_by_its_place(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps({"format": 1, "records": [json.loads(GOOD), {"uri": 5}]}), encoding="utf-8")
    done = radial("digest", file)
    assert (done.status, done.out) == (1, "")
    assert f"{file}: record 2: no string @ $.uri" in done.err


def test_a_scenario_without_records_is_refused(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "scenario.json"
    file.write_text('{"format": 1}', encoding="utf-8")
    assert radial("digest", file).status == 1


# A file, the status, and the words that must be said of it.
OTHER_THINGS = {
    "missing": (None, 2, "there is no file"),
    "UTF-16": (GOOD.encode("utf-16"), 1, "iconv -f UTF-16"),
    "compressed": (gzip.compress(GOOD.encode()), 1, "gunzip -c"),
    "binary": (b"\x7fELF\x02\x01\x01\0\0\0", 1, "no text"),
    "an array": (json.dumps([json.loads(GOOD)] * 2, indent=1).encode(), 1, "jq -c"),
    "an indented object": (json.dumps(json.loads(GOOD), indent=1).encode(), 1, "jq -c"),
    "several indented objects": (2 * json.dumps(json.loads(GOOD), indent=1).encode(), 1, "jq -c"),
}


@pytest.mark.parametrize("thing", OTHER_THINGS)
def test_another_kind_of_file_is_told_apart(thing: str, radial: Call, tmp_path: Path) -> None:
    content, status, words = OTHER_THINGS[thing]
    file = tmp_path / "in"
    if content is not None:
        file.write_bytes(content)
    done = radial("digest", file)
    assert (done.status, done.out) == (status, "")
    assert str(file) in done.err
    assert words in done.err
    assert "Traceback" not in done.err


def test_a_folder_is_told_apart(radial: Call, tmp_path: Path) -> None:
    done = radial("digest", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "is a folder" in done.err
    assert f"{tmp_path}/*.jsonl" in done.err


@pytest.mark.parametrize("verb", [["digest"], ["sample", "-o"]], ids=lambda verb: verb[0])
def test_an_empty_name_is_no_folder(verb: list[str], radial: Call) -> None:
    done = radial(*verb, "")
    assert (done.status, done.out) == (2, "")
    assert "an empty name is the name of no file" in done.err


def test_a_path_through_a_file_is_not_there(radial: Call, example: Path) -> None:
    done = radial("digest", example / "foo")
    assert (done.status, done.out) == (2, "")
    assert "there is no file" in done.err


def test_a_file_name_splits_no_message(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "two\nlines.jsonl"
    assert radial("digest", file).err.splitlines()[0] == f"radial: there is no file {tmp_path}/two\\nlines.jsonl"
    file.write_text("junk\n", encoding="utf-8")
    assert radial("digest", file).err.startswith(f"{tmp_path}/two\\nlines.jsonl:1: not JSON")


def test_a_zero_byte_below_the_first_line_tells_a_file_that_is_no_text(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00\x01\n" * 10_000)
    done = radial("digest", file)
    assert (done.status, len(done.err.splitlines())) == (1, 2)
    assert "is no text: it holds a zero byte" in done.err


def test_a_zero_byte_among_observations_costs_its_line_only(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "holed.jsonl"
    file.write_bytes(GOOD.encode() + b"\0\0\n" + GOOD.encode())
    done = radial("digest", file, "--keep-going")
    assert done.out == radial("digest", "-", stdin=GOOD.encode()).out
    assert done.err.startswith(f"{file}:2: not JSON")


def test_lines_are_counted_on_beyond_what_is_looked_at_first(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text(GOOD * 1000 + "junk\n" + GOOD, encoding="utf-8")
    assert file.stat().st_size > 100_000
    assert radial("digest", file).err.startswith(f"{file}:1001: not JSON")
    assert "1 line is" in radial("digest", file).err


def test_an_empty_file_is_an_empty_index_and_says_so(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "empty.jsonl"
    file.touch()
    done = radial("digest", file)
    assert done.status == 0
    nothing = b"\xa2" + b"\x64kind" + b"\x65index" + b"\x66spaces" + b"\x80"  # D2: {kind: "index", spaces: []}
    assert done.out == cid_of_bytes(nothing) + "\n"
    assert f"there are no observations in {file}" in done.err


def test_a_line_of_fifty_megabytes_is_a_line(radial: Call, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text(line(ADA, "space/long", name="x" * 50_000_000) + GOOD + "y" * 50_000_000, encoding="utf-8")
    done = radial("goals", file)
    assert (done.status, done.out) == (1, "")
    assert done.err.splitlines()[0] == f"{file}:3: not JSON: Expecting value at character 1 @ $"
    assert len(done.err) < 1000


def test_an_unknown_record_is_not_found(radial: Call, example: Path) -> None:
    for verb in ("show", "explain"):
        for name in ("goal/nowhere", "at://did:web:x.example/com.disnetdev.radial.goal/g", "nonsense"):
            done = radial(verb, name, example)
            assert (done.status, done.out) == (3, "")
            assert name in done.err


def test_an_unknown_space_is_not_found(radial: Call, example: Path) -> None:
    for verb in ("goals", "requests", "members", "digest"):
        done = radial(verb, "--space", "goal/quiet-gauge", example)
        assert (done.status, done.out) == (3, "")


def test_a_name_that_fits_two_records_is_refused_with_both(radial: Call) -> None:
    other = "did:web:other.example"
    done = radial("show", "space/tidewater", "-", stdin=(GOOD + line(other, "space/tidewater", name="Ebb")).encode())
    assert (done.status, done.out) == (2, "")
    assert SPACE in done.err
    assert f"at://{other}/com.disnetdev.radial.space/tidewater" in done.err


@pytest.mark.parametrize(
    "arguments", [["validate"], ["show"], ["diff", "a"], ["nonsense"], ["goals", "--nonsense", "x"]]
)
def test_a_wrong_command_line_is_a_usage_error(arguments: list[str], radial: Call) -> None:
    done = radial(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "Usage: radial" in done.err
