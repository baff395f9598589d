"""A cut leaves no fenced block of an author open: it moves back to before the block, or to the end of a line in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from radial_core.dispatch import fences
from radial_core.dispatch.choosing import cost, fit
from radial_core.dispatch.cutting import cut_at
from radial_core.dispatch.fences import opened_before
from radial_core.dispatch.piece import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

READ = MarkdownIt("commonmark").parse
INTRO = "See how it is done, in full:\n\n"  # 30 code points
CODE = "".join(f"step {n:02}\n" for n in range(10))  # ten lines of 8


@pytest.mark.parametrize(
    ("text", "end", "kept"),
    [
        ("a\n```\nb\n```\nc", 12, "a\n```\nb\n```\n"),  # behind the block
        ("a\n```\nb\n```\nc", 11, "a\n```\nb\n```"),  # where its last line ends
        ("aaaa\n```\nb\n```\nc", 10, "aaaa\n"),  # in it, and half is kept: 5 of 10
        ("aaa\n```\nb\n```\nc", 9, "aaa\n```\n"),  # in it, and less: 4 of 9; a line of it ends at 8
        ("aaaa\n```\nb\n```\nc", 13, "aaaa\n```\nb\n"),  # in the line that closes it; 5 of 13 before it
        ("aaaaaa\n```\nb\n```", 9, "aaaaaa\n"),  # in the line that opens it
        ("```\nbbbbbbbbbb", 12, "```\nbbbbbbbb"),  # one long line: its end is out of reach, and the only one too near
        ("~~~\nb\nb\nb\nbbb", 12, "~~~\nb\nb\nb\n"),  # tildes; never closed: it lasts to the end of the text
        (f"{INTRO}```sh\n{CODE}```\n", 60, INTRO),  # 30 of 60
        (f"{INTRO}```sh\n{CODE}```\n", 61, f"{INTRO}```sh\n{CODE[:24]}"),  # 36 + 3 lines of 8 = 60
        ("aaaa\r```\rb\r```\rc", 10, "aaaa\r"),  # whatever ends the lines
        ("aaaa\r\n```\r\nb\r\n```", 11, "aaaa\r\n"),
        ("aaaaaa\n`b` ``c`` ```d``` e", 20, "aaaaaa\n`b` ``c`` ```"),  # no block: the run is not first on its line
        ("a\n``` b ``` c d e f", 12, "a\n``` b ``` "),  # no block: a backtick behind the run
        ("a\n``\nb\nc d e f", 9, "a\n``\nb\nc "),  # no block: two are too few
        ("a\n\n    ```\n    b c d", 17, "a\n\n    ```\n    b "),  # no block: indented code, at the margin
        ("aaaaaaa\n````\n```\nb", 16, "aaaaaaa\n"),  # a shorter run closes nothing
        ("aaaaaaa\n```\n~~~\nb", 14, "aaaaaaa\n"),  # nor does another one
        ("aaaaaaa\n```\n``` b\nc", 15, "aaaaaaa\n"),  # nor one with words behind it
        ("aaaaaaa\n```\n    ```\nc", 15, "aaaaaaa\n"),  # nor one far to the right
        ("aaaaaaa\n```\n   ````  \nc", 22, "aaaaaaa\n```\n   ````  \n"),  # a longer one does
        ("1. aaaaaaaaa\n   ```\n   b\n   ```\n", 22, "1. aaaaaaaaa\n"),  # in a list
        ("10. aaa\n    - aaa\n\n      ```\n      b\n", 32, "10. aaa\n    - aaa\n\n"),  # in a list in a list
        ("aaaaaaaaaa\n- ```\n  b\n  ```\nc\n", 20, "aaaaaaaaaa\n"),  # behind the mark of an item
        ("aaaaaaaaaa\n- ```\n  b\n  ```\ncc\n", 29, "aaaaaaaaaa\n- ```\n  b\n  ```\ncc"),
        ("> aaaaaaaa\n> ```\n> b\n> ```\n", 20, "> aaaaaaaa\n"),  # in a quotation
        ("> aaaaaaaa\n> ```\n> b\nccc\n", 24, "> aaaaaaaa\n> ```\n> b\nccc"),  # which ends it
        ("aaaaaaaaaa\n```\n> ```\nb\n", 22, "aaaaaaaaaa\n"),  # a quoted run in a block is code
        ("aaaaaaaaaa\n- ```\n```\nbb\n", 22, "aaaaaaaaaa\n- ```\n"),  # a lesser indent ends the item: another block
        ("aaaaaaaaaa\n- ```\n  b\nccccc", 25, "aaaaaaaaaa\n- ```\n  b\ncccc"),  # and no block, behind the item
        ("aaaaaaaaaa\n- ```\n\n  b\n", 20, "aaaaaaaaaa\n"),  # a blank line ends no item
        ("aaaaaaaaaa\n- ```\n> bbbbb", 23, "aaaaaaaaaa\n- ```\n> bbbb"),  # a quotation at the margin does
        ("aaaaaaaaaa\n-     ```\n  bb", 24, "aaaaaaaaaa\n-     ```\n  b"),  # indented code in an item
        ("aaaaaaaaaa\n10. ```\n  bbb", 23, "aaaaaaaaaa\n10. ```\n  bb"),  # words: only a 1 breaks into them
        ("aaaaaaaaaa\n- - -\n    ```\nb", 25, "aaaaaaaaaa\n- - -\n    ```\n"),  # no items, but a line across the page
        ("> aaaaaaaa\n>    ```\n> b", 22, "> aaaaaaaa\n"),  # three columns behind the space of a quotation
        ("> aaaaaaa\n>\n>     ```\n> bb", 26, "> aaaaaaa\n>\n>     ```\n> b"),  # four: indented code
        ("> aaaaaaaa\n> \t```\n> bb", 21, "> aaaaaaaa\n"),  # a tab behind two columns is two wide
        ("aaaaaaaaaa\n\n    > ```\n    > b", 28, "aaaaaaaaaa\n\n    > ```\n    > "),  # indented code
        ("aaaaaaaaaa\n- > ```\n  > b\n", 22, "aaaaaaaaaa\n"),  # a quotation in an item
        ("aaaaaaaaaa\n> - ```\n>   b\n", 22, "aaaaaaaaaa\n"),  # an item in a quotation
    ],
    ids=ascii,
)
def test_where_a_text_is_cut(text: str, end: int, kept: str) -> None:
    assert text[: cut_at(text, end)] == kept


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Give where the fenced blocks of a text begin and end, as a parser of CommonMark sees them."""
    lines = text.splitlines(keepends=True)
    for token in READ(text):
        if token.type == "fence" and token.map is not None:
            first, behind = token.map
            yield len("".join(lines[:first])), len("".join(lines[:behind]).rstrip("\n"))


LINES = (
    "```",
    "~~~",
    "````",
    "```sh",
    "~~~ a`b",
    "  ```",
    "   ~~~~",
    "    ```",
    "``` a ```",
    "``",
    "word",
    "",
    "# x",
    "```  ",
)
# What the parser takes for a quotation, however far to the right its mark is, is left out.
HELD = (
    "```", "~~~", "word", "", "# x", "  ```", "    ```", "- a", "- ```", "-     ```", "1. b", "  c", "   d", "  - f",
    "  - ~~~", "10. ~~~", "> a", "> ```", ">", ">    ```", ">     ```", ">> ~~~", "> - ```", ">   ```", "- > ```",
    "  > ```", "- - -", "  * * *", "\t```", "-\t```", "> \t```", ">\t~~~",
)  # fmt: skip
ITEMS = ("- a", "1. b", "  ```", "   ```", "     ```", "  c", "   d", "", "- e", "  - f")


@given(st.lists(st.sampled_from(LINES), max_size=14).map("\n".join), st.data())
def test_no_block_of_a_text_is_missed(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    for start, end in blocks(text):
        assert not start < at < end or opened_before(text, at) is not None


@given(st.lists(st.sampled_from(HELD), max_size=9).map("\n".join), st.data())
def test_in_lists_and_quotations_the_blocks_are_those_that_a_parser_sees(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text)))
    found = [*blocks(text)]
    if any(start < at < end for start, end in found):
        assert opened_before(text, at) in {start for start, end in found if start < at < end}
    elif all(at < start or text[end:at].strip(" >\n") for start, end in found):
        assert opened_before(text, at) is None


@given(st.lists(st.sampled_from(["word", "", "# x", "``", "``` a ```"]), max_size=14).map("\n".join), st.data())
def test_no_block_is_seen_where_there_is_none(text: str, data: st.DataObject) -> None:
    assert opened_before(text, data.draw(st.integers(0, len(text)))) is None


@given(st.lists(st.sampled_from((*LINES, *ITEMS)), min_size=1, max_size=60).map("\n".join), st.data())
def test_half_of_what_there_is_room_for_is_kept(text: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, max(0, len(text) - 1)))
    at = cut_at(text, end)
    assert end / 2 <= at <= end
    opened = opened_before(text, at)
    # What is left open anyway began in the first half; and then a line ends here, unless none did in the other half.
    if opened is not None:
        assert 2 * opened < end
        assert text[at - 1] == "\n" or "\n" not in text[(end + 1) // 2 - 1 : end]


@given(st.integers(300, 4_000))
def test_a_piece_is_cut_before_the_block(room: int) -> None:
    text = f"{'word ' * 40}\n```\n{CODE * 20}```\n"
    piece = Piece(uri="at://x", cid="c", author="did:plc:a", kind="k", part="", why="w", text=text)
    cut = fit(piece, room)
    if cut is not None and cut.is_cut:
        assert cost(cut) <= room
        assert len(cut.text) < 204 or cut.text == text[:201] or cut.text.endswith("\n")


@pytest.mark.parametrize(
    "line", ["```\n", "``` `\n", ">" * 50 + "\n", "- " * 25 + "\n", "1" * 50 + "\n", "\r", "`" * 50 + "\n"]
)
def test_each_line_is_looked_at_once(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, split = [0], fences._line

    def counting(text: str, start: int, end: int) -> object:
        looked[0] += 1
        return split(text, start, end)

    monkeypatch.setattr(fences, "_line", counting)
    for number in (1_000, 10_000):
        looked[0] = 0
        cut_at(line * number, len(line) * number // 2)
        assert looked[0] <= number // 2 + 1
