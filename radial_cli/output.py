"""Standard output and standard error.

Strategy: data goes to the one, talk to the other. Data is written whole, at the end, so that a command that fails has
printed nothing. A reader that closed its end is no failure. JSON is UTF-8 whatever the locale; elsewhere a character
that the locale lacks is spelled out instead of ending the command.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO

from radial_cli.exits import Failure, ReaderGone
from radial_cli.untrusted import escaped_json, visible

_PIPED_WIDTH: Final = 100
_NARROWEST: Final = 40
_WIDEST: Final = 110  # longer lines are hard to read


def is_terminal() -> bool:
    """Tell whether a person is looking at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """Give the width to lay text out for: the terminal's within reason; COLUMNS, else 100, when there is none."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((_PIPED_WIDTH, 24)).columns))


def out(text: str) -> None:
    """Write data to standard output."""
    with _writing():
        _characters(sys.stdout, text)
        sys.stdout.flush()


def out_json(value: Any) -> None:
    """Write a JSON document: indented for a person at a terminal, on one line for a program."""
    out_lines([_indented(value) if is_terminal() else _compact(value)])


def _indented(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:  # the writer that indents uses more of the stack than the one that does not
        return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def out_lines(lines: Iterable[str]) -> None:
    """Write lines of JSON as they come."""
    with _writing():
        for line in lines:
            sys.stdout.buffer.write((escaped_json(line) + "\n").encode())
        sys.stdout.flush()


def out_bytes(raw: bytes) -> None:
    """Write bytes as they are; not to a terminal."""
    with _writing():
        sys.stdout.buffer.write(raw)
        sys.stdout.flush()


def say(text: str) -> None:
    """Tell the person something that is no data. The text is ours: what it quotes is made visible already."""
    if sys.stderr is not None:
        _characters(sys.stderr, text + "\n")
        sys.stderr.flush()


@contextmanager
def _writing() -> Iterator[None]:
    if sys.stdout is None:
        raise Failure("standard output is closed", "Send it somewhere: > FILE.")
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
    except OSError as error:
        raise Failure(f"standard output cannot be written: {visible(error.strerror or str(error))}") from error


def _characters(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
