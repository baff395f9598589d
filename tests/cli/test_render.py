"""Pages: what is wrapped, what stays whole, what stands under what."""

from __future__ import annotations

import pytest

from radial_cli.render import Page


def page(width: int = 40, *, styled: bool = False) -> Page:
    return Page(width, styled=styled)


def test_a_line_is_wrapped_between_words_under_a_hanging_indent() -> None:
    made = page()
    made.line("one two three four five six seven eight nine", indent=2)
    assert made.text() == "  one two three four five six seven\n    eight nine\n"


def test_a_word_that_is_too_long_stays_whole() -> None:
    uri = "at://did:plc:ada7xxegdkaxvl552wbq3gzp/com.disnetdev.radial.goal/g"
    made = page()
    made.line(f"see {uri} there")
    assert made.text() == f"see\n  {uri}\n  there\n"


def test_wide_characters_count_twice_and_may_be_broken_anywhere() -> None:
    made = page()
    made.prose("日本語" * 10)
    first, second = made.text().splitlines()
    assert (len(first), len(second)) == (20, 10)


def test_a_wide_cell_is_cut_so_that_it_widens_no_other_row() -> None:
    made = page(120)
    made.columns([["x" * 1_000_000, "end"], ["y", "end"]])
    assert made.text() == f"{'x' * 59}…  end\ny{' ' * 61}end\n"


def test_prose_keeps_paragraphs_lists_and_code() -> None:
    made = page()
    made.prose("# Title\n\n- one item that is longer than the page is wide\n- two\n\n```\n  code   stays\n```\n")
    assert made.text().splitlines() == [
        "# Title",
        "",
        "- one item that is longer than the page",
        "  is wide",
        "- two",
        "",
        "```",
        "  code   stays",
        "```",
    ]


def test_lines_that_an_editor_broke_are_joined_and_short_ones_are_not() -> None:
    made = page(200)
    long = "A line of at least sixty characters, as an editor leaves it behind"
    made.prose(f"{long}\nand its end.\n{long}\n- no end of it\nShort\nlines\nstay.\n```\n{long}\nin code\n```")
    assert made.text().splitlines() == [
        f"{long} and its end.",
        long,
        "- no end of it",
        "Short",
        "lines",
        "stay.",
        "```",
        long,
        "in code",
        "```",
    ]


def test_prose_is_cut_after_so_many_lines_and_says_how_many_are_left() -> None:
    made = page()
    assert made.prose("a\nb\nc\nd\ne", most=2) == 3
    assert made.text() == "a\nb\n"
    assert page().prose("a\nb\nc", most=2) == 0  # a note would take the line that it saves


def test_columns_stand_under_each_other_and_the_last_is_wrapped() -> None:
    made = page()
    made.columns([["a", "bb", "the last cell of a row is wrapped"], ["aaa", "b", "x"], ["a", "b", ""]])
    assert made.text().splitlines() == [
        "a    bb  the last cell of a row is",
        "         wrapped",
        "aaa  b   x",
        "a    b",
    ]


def test_a_last_cell_without_room_goes_below() -> None:
    made = page()
    made.columns([["x" * 30, "a cell that needs more room"]])
    assert made.text().splitlines() == ["x" * 30, "    a cell that needs more room"]


def test_there_is_one_gap_and_none_at_the_top() -> None:
    made = page()
    made.gap()
    made.line("a")
    made.gap()
    made.gap()
    made.line("b")
    assert made.text() == "a\n\nb\n"


def test_markup_and_control_characters_are_text() -> None:
    made = page()
    made.line("[red]x[/red] \x1b[2J :smile:")
    assert made.text() == "[red]x[/red] \\x1b[2J :smile:\n"


@pytest.mark.parametrize("styled", [True, False])
def test_style_is_for_terminals(styled: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 - parameter
    monkeypatch.setenv("TERM", "xterm-256color")
    made = page(styled=styled)
    made.line([("bad", "bad"), " plain"])
    assert made.text() == ("\x1b[31mbad\x1b[0m plain\n" if styled else "bad plain\n")
