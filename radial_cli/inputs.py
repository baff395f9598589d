"""From files to observations, each with the place where it stands.

Strategy: a file is read as bytes, line by line, so that one bad line costs nothing but itself; only one whose first
line is no JSON is read whole, because it may be one document. What a line may hold is the core's to say (O5); here
stands what can be wrong with it before: it is no UTF-8. What can be wrong with a whole file (a folder, a picture,
UTF-16, one JSON document spread over lines) is said once, with the command that helps, and not once a line. A golden
scenario is recognised by its `format` key, on its first line or in the whole.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import attrs

from radial_cli.exits import USAGE, Failure
from radial_cli.untrusted import file_name
from radial_core.jsonform import JsonError
from radial_core.observations import parse_observation

if TYPE_CHECKING:
    from radial_core.observations import Observation

STDIN: Final = "-"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_GZIP: Final = b"\x1f\x8b"
_LOOKED_AT: Final = 65536  # bytes of a file that tell whether it is text


@attrs.frozen
class Spot:
    """A line of a file, or a record of a scenario file, counted from 1."""

    file: str
    number: int
    unit: str = "line"

    def __str__(self) -> str:
        mark = ":" if self.unit == "line" else f": {self.unit} "
        return f"{file_name(self.file)}{mark}{self.number}"


@attrs.frozen
class BadLine:
    """A line that is no observation, with every fault, each `message @ $.path` (O5)."""

    spot: Spot
    faults: tuple[str, ...]


OnBad = Callable[[BadLine], None]


def observations(files: Iterable[str], on_bad: OnBad) -> Iterator[tuple[Spot, Observation]]:
    """Give the observations in some files, in their order; lines that are none go to `on_bad`.

    Raises `Failure` for a file that cannot be read or is something else altogether.
    """
    for file in files:
        name = "<stdin>" if file == STDIN else file
        with _opened(file) as stream:
            yield from _read(name, stream, on_bad)


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file == STDIN:
        if sys.stdin is None:
            raise Failure("standard input is closed", "Name a file instead of -.", USAGE)
        yield sys.stdin.buffer
        return
    if not file:
        raise Failure("an empty name is the name of no file", "Name a file; - reads standard input.", USAGE)
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except OSError as error:
        raise _unreadable(file, error) from error


def _unreadable(file: str, error: OSError) -> Failure:
    shown = file_name(file)
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return Failure(f"there is no file {shown}", "Check the name; - reads standard input.", USAGE)
        case IsADirectoryError():
            return Failure(f"{shown} is a folder", f"Name the files in it, as in {shown.rstrip('/')}/*.jsonl.", USAGE)
        case _:
            return Failure(f"{shown} cannot be read: {error.strerror or error}", "Check its permissions and its disk.")


def _read(name: str, stream: IO[bytes], on_bad: OnBad) -> Iterator[tuple[Spot, Observation]]:
    head = stream.read(_LOOKED_AT)
    _refuse_other_formats(name, head)
    beginning = io.BytesIO(head.removeprefix(_BYTE_ORDER_MARK) + stream.readline())
    first = beginning.readline()
    if (tree := _json_of(first)) is not None and not _is_scenario(tree):
        yield from _lines(name, chain([first], beginning, stream), on_bad)
        return
    if b"\0" in head:
        raise Failure(f"{file_name(name)} is no text: it holds a zero byte", "Observations are JSON, one on a line.")
    whole = first + beginning.read() + stream.read()
    tree = _json_of(whole)
    if _is_scenario(tree):
        yield from _scenario(name, tree, on_bad)
    elif tree is not None and whole.strip().count(b"\n"):
        raise _one_document(name)
    else:
        yield from _lines(name, whole.split(b"\n"), on_bad)


@contextmanager
def opened_tree(file: str) -> Iterator[IO[bytes] | None]:
    """Open a file if it holds a saved digest tree; give nothing, and leave it unread, if it holds something else."""
    with _opened(file) as stream:
        yield stream if _is_tree(_peek(stream)) else None


def _peek(stream: IO[bytes]) -> bytes:
    """Look at the beginning and leave it there."""
    if isinstance(stream, io.BufferedReader):
        return stream.peek(_LOOKED_AT)
    head = stream.read(_LOOKED_AT)
    stream.seek(0)
    return head


_is_tree: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\"digest\"\s*:").match


def _refuse_other_formats(name: str, head: bytes) -> None:
    shown = file_name(name)
    if _is_tree(head):
        raise Failure(f"{shown} is a saved digest tree and holds no records", "Compare it with radial diff.", USAGE)
    if head.startswith(_GZIP):
        raise Failure(f"{shown} is compressed", f"Unpack it on the way: gunzip -c {shown} | radial … -")
    if head.startswith(_UTF_16):
        raise Failure(f"{shown} is UTF-16", f"Convert it on the way: iconv -f UTF-16 -t UTF-8 {shown} | radial … -")


def _one_document(name: str) -> Failure:
    return Failure(
        f"{file_name(name)} is one JSON document, not JSON Lines",
        "Observations stand one on a line: jq -c . joins the lines of each, jq -c '.[]' takes an array apart.",
    )


def _json_of(text: bytes) -> Any:
    """Parse a whole JSON text, or give nothing. Whether it is an observation is asked elsewhere, and strictly."""
    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        return None


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says a thing twice: which of the two is meant, every reader decides for itself."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _is_scenario(tree: Any) -> bool:
    return isinstance(tree, dict) and "format" in tree


def _lines(name: str, lines: Iterable[bytes], on_bad: OnBad) -> Iterator[tuple[Spot, Observation]]:
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode()
            if text and not text.isspace():
                yield Spot(name, number), parse_observation(text)
        except UnicodeDecodeError as fault:
            on_bad(BadLine(Spot(name, number), (f"not UTF-8: byte {fault.start + 1} of the line @ $",)))
        except JsonError as fault:
            on_bad(BadLine(Spot(name, number), fault.faults))


def _scenario(name: str, tree: dict[str, Any], on_bad: OnBad) -> Iterator[tuple[Spot, Observation]]:
    records = tree.get("records")
    if not isinstance(records, list):
        raise Failure(f"{file_name(name)} has a key `format` but no list `records`", "A golden scenario has both.")
    for number, record in enumerate(records, start=1):
        try:
            yield Spot(name, number, "record"), parse_observation(json.dumps(record))
        except JsonError as fault:
            on_bad(BadLine(Spot(name, number, "record"), fault.faults))
