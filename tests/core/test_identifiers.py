"""Names: the interop files in full, the bounds on both sides, and patterns that hostile text cannot keep busy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from radial_core import identifiers
from radial_core.identifiers import (
    AtUri,
    StrongRef,
    is_at_identifier,
    is_at_uri,
    is_cid_text,
    is_did,
    is_handle,
    is_language,
    is_nsid,
    is_record_key,
    is_tid,
    is_uri,
    record_parts,
)

Test = Callable[[str], bool]

# The name of the interop files, the test, and how many cases they hold: valid, invalid.
FILES: dict[str, tuple[Test, int, int]] = {
    "did": (is_did, 24, 18),
    "handle": (is_handle, 71, 48),
    "atidentifier": (is_at_identifier, 11, 22),
    "nsid": (is_nsid, 25, 27),
    "recordkey": (is_record_key, 16, 11),
    "tid": (is_tid, 4, 9),
    "aturi": (is_at_uri, 23, 72),
    "cid": (is_cid_text, 8, 10),
    "uri": (is_uri, 9, 12),
    "language": (is_language, 18, 7),
}
TESTS = [test for test, _, _ in FILES.values()]

DID = "did:plc:7iza6de2dwap2sbkpav7c6c6"
NSID = "com.disnetdev.radial.claim"


def lines(shared: Path, name: str) -> Iterator[str]:
    text = (shared / "fixtures" / "atproto-interop" / "syntax" / name).read_text(encoding="utf-8")
    return (line for line in text.split("\n") if line and not line.startswith("#"))


@pytest.mark.parametrize("name", FILES)
def test_the_interop_files_agree(shared: Path, name: str) -> None:
    test, valid, invalid = FILES[name]
    verdicts = {line: test(line) for line in lines(shared, f"{name}_syntax_valid.txt")}
    assert [line for line, verdict in verdicts.items() if not verdict] == []
    refused = [test(line) for line in lines(shared, f"{name}_syntax_invalid.txt")]
    assert refused == [False] * invalid
    assert sum(1 for _ in lines(shared, f"{name}_syntax_valid.txt")) == valid


def test_a_language_tag_is_judged_by_its_shape_alone(shared: Path) -> None:
    repeated = list(lines(shared, "language_parse_invalid.txt"))
    assert len(repeated) == 4
    assert all(is_language(tag) for tag in repeated)


@pytest.mark.parametrize(
    ("test", "longest", "longer"),
    [
        (is_did, "did:a:" + 2042 * "b", "did:a:" + 2043 * "b"),
        (is_handle, 3 * (63 * "a" + ".") + 61 * "b", 3 * (63 * "a" + ".") + 62 * "b"),
        (is_handle, 63 * "a" + ".b", 64 * "a" + ".b"),
        (is_handle, "a." + 63 * "b", "a." + 64 * "b"),
        (is_nsid, "a.b." + 63 * "c", "a.b." + 64 * "c"),
        (is_nsid, "a." + 63 * "b" + ".c", "a." + 64 * "b" + ".c"),
        (is_nsid, 157 * "a." + "bcd", 157 * "a." + "bcde"),
        (is_record_key, 512 * "a", 513 * "a"),
        (is_cid_text, 256 * "a", 257 * "a"),
        (is_uri, "a:" + 8190 * "b", "a:" + 8191 * "b"),
        (is_language, "de-abcdefgh", "de-abcdefghi"),
        (is_at_uri, f"at://did:a:{2042 * 'b'}/{NSID}/a", f"at://did:a:{2043 * 'b'}/{NSID}/a"),
        (is_at_uri, f"at://{DID}/{157 * 'a.'}bcd", f"at://{DID}/{157 * 'a.'}bcde"),
        (is_at_uri, f"at://{DID}/{NSID}/{512 * 'a'}", f"at://{DID}/{NSID}/{513 * 'a'}"),
        (is_at_uri, f"at://{126 * 'a.'}b/{NSID}", f"at://{127 * 'a.'}b/{NSID}"),
    ],
)
def test_length_is_bounded_and_the_bound_itself_allowed(test: Test, longest: str, longer: str) -> None:
    assert test(longest)
    assert not test(longer)


def test_the_shortest_names() -> None:
    assert is_record_key("a")
    assert not is_record_key("")
    assert is_cid_text("abcdefgh")
    assert not is_cid_text("abcdefg")
    assert is_uri("a:b")
    assert not any(test("") for test in TESTS)


@pytest.mark.parametrize("test", TESTS, ids=FILES)
@pytest.mark.parametrize("tail", ["\n", "\0", " ", "\u00e9", "\u0661", "\u017f", "\u212a"], ids=ascii)
def test_whole_names_of_ascii_only(test: Test, tail: str) -> None:
    examples = [DID, "alice.test", NSID, "self", "3jzfcijpj2z2a", f"at://{DID}", "bafyreiab", "https://a.b", "de-CH"]
    name = next(example for example in examples if test(example))
    assert not test(name + tail)
    assert not test(tail + name)


@pytest.mark.parametrize("name", ["\u017felf.test", "\u212aelvin.test", "did:plc:\u017f", "did:plc:\u0661"], ids=ascii)
def test_letters_that_only_fold_to_ascii_are_none(name: str) -> None:
    assert not any(test(name) for test in TESTS)


def test_uris_of_every_kind_that_forges_use() -> None:
    # RAD-10.19
    for uri in (
        f"at://{DID}/sh.tangled.repo.pull/3jzfcijpj2z2a",
        "ssh://git@host/a.git",
        "git+https://host/a",
        "dns:a",
    ):
        assert is_uri(uri)
    for text in ("git@host:a.git", "https://host/a b", "host/a", "https://h\u00f6st/", "1a:b", "a:"):
        assert not is_uri(text)


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        (f"at://{DID}/{NSID}/self", (DID, NSID, "self")),
        (f"at://{DID}/{NSID}/a:b~c._-", (DID, NSID, "a:b~c._-")),
        (f"at://{DID}/{NSID}/...", (DID, NSID, "...")),
        ("at://did:web:example.com/a.b.c/1", ("did:web:example.com", "a.b.c", "1")),
        (f"at://{DID}/{NSID}/.", None),
        (f"at://{DID}/{NSID}/..", None),
        (f"at://{DID}/{NSID}/", None),
        (f"at://{DID}/{NSID}/a/b", None),
        (f"at://{DID}/{NSID}/a b", None),
        (f"at://{DID}/{NSID}", None),
        (f"at://{DID}", None),
        (f"at://{DID}/claim/a", None),
        (f"at://alice.test/{NSID}/a", None),
        (f"AT://{DID}/{NSID}/a", None),
        (f"at://{DID}/{NSID}/a?b", None),
        (f"at://{DID}/{NSID}/a#b", None),
        (f" at://{DID}/{NSID}/a", None),
        (f"at://did:a:{2042 * 'b'}/{NSID}/a", (f"did:a:{2042 * 'b'}", NSID, "a")),
        (f"at://did:a:{2043 * 'b'}/{NSID}/a", None),
        (f"at://{DID}/{157 * 'a.'}bcde/a", None),
        ("", None),
    ],
)
def test_a_record_has_three_parts_and_a_did(uri: str, parts: tuple[str, str, str] | None) -> None:
    # O6
    assert record_parts(uri) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"at://{DID}", (DID, None, None)),
        ("at://alice.test", ("alice.test", None, None)),
        (f"at://alice.test/{NSID}", ("alice.test", NSID, None)),
        (f"at://{DID}/{NSID}/self", (DID, NSID, "self")),
    ],
)
def test_an_at_uri_is_read_and_spelled(text: str, parts: tuple[str, str | None, str | None]) -> None:
    uri = AtUri.parse(text)
    assert (uri.authority, uri.collection, uri.rkey) == parts
    assert str(uri) == text


@pytest.mark.parametrize("text", ["", "at://", f"at://{DID}/", f"at://{DID}/{NSID}/a/b", "https://a.b", "at://a.b/x/y"])
def test_what_is_no_at_uri_says_so(text: str) -> None:
    with pytest.raises(ValueError, match="not an at-URI: ") as raised:
        AtUri.parse(text)
    assert ascii(text) in str(raised.value)


def test_what_is_no_at_uri_is_quoted_in_part_only() -> None:
    with pytest.raises(ValueError, match="not an at-URI") as raised:
        AtUri.parse("at://" + 100_000 * "\u2028")
    assert len(str(raised.value)) < 120
    assert str(raised.value).isascii()


def test_a_strongref_is_a_value() -> None:
    assert StrongRef("at://a", "b") == StrongRef(uri="at://a", cid="b")
    assert {StrongRef("at://a", "b")} == {StrongRef("at://a", "b")}


def test_no_pattern_is_possessive() -> None:
    # `re.fullmatch` of Python 3.11.2, which Debian 12 has, takes the start of a text for the whole of it there.
    patterns = [match.__self__ for name, match in vars(identifiers).items() if name.startswith("_match_")]
    assert len(patterns) == 10
    for pattern in patterns:
        bare = re.sub(r"\[[^]]*\]|\\.", "x", pattern.pattern)
        assert re.findall(r"[*+?}]\+", bare) == [], pattern.pattern


@pytest.mark.parametrize(
    "text",
    [
        1_000_000 * "a",
        "did:" + 1_000_000 * "a",
        "did:a:" + 1_000_000 * "%",
        "did:a:" + 1_000_000 * "a:",
        500_000 * "a." + "-",
        500_000 * "a-" + ".",
        "at://" + 500_000 * "a." + "/",
        "at://did:a:" + 1_000_000 * "b" + "/",
        f"at://{DID}/" + 500_000 * "a." + "/a",
        f"at://{DID}/{NSID}/" + 1_000_000 * ".",
        "a" + 1_000_000 * "+" + " ",
        "a:" + 1_000_000 * "!" + " ",
        "de" + 300_000 * "-ab" + "-",
    ],
    ids=lambda text: f"{text[:12]}-{text[-90:-60]}-{text[-3:]}",
)
def test_a_million_hostile_characters_are_refused(text: str) -> None:
    # With a pattern that backtracks this test would not end.
    assert not any(test(text) for test in TESTS)
    assert record_parts(text) is None


names = st.text(st.sampled_from("abzABZ019.:/-_~%#? did\u00e9"), max_size=40)


@given(st.one_of(names, st.builds("at://{}/{}/{}".format, names, names, names), st.text(max_size=40)))
def test_the_ways_of_reading_a_uri_agree(text: str) -> None:
    parts = record_parts(text)
    if not is_at_uri(text):
        assert parts is None
        return
    uri = AtUri.parse(text)
    assert str(uri) == text
    assert is_at_identifier(uri.authority)
    whole = is_did(uri.authority) and uri.collection is not None and uri.rkey is not None
    assert parts == ((uri.authority, uri.collection, uri.rkey) if whole else None)
